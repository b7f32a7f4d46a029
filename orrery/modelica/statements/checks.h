#pragma once

#include <optional>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Calls that stand by themselves and speak to the user: assert, terminate,
/// error and print of Modelica.Utilities.Streams (specification, sections 8.3.7
/// and 8.3.8).
namespace orrery::modelica::internal {

/// The arguments of `assert` and `terminate`.
struct Check {
  Expr condition;  ///< Empty for `terminate`.
  /// The condition's value with the model's own parameter values, if they
  /// determine it. If it holds for good, there is no message.
  std::optional<bool> holds;
  Message message;
  bool is_warning = false;
};

/// One check for each text that the message may be.
std::vector<Check> LowerAssertion(LoweringContext& context,
                                  const ast::Call& call,
                                  const ast::Span& span);

/// The message of `terminate`.
Check LowerTermination(LoweringContext& context,
                       const ast::Call& call,
                       const ast::Span& span);

/// The assertions that always fail, for a call of
/// Modelica.Utilities.Streams.error: one for each text. None for another call.
std::vector<Check> LowerErrorCall(LoweringContext& context,
                                  const ast::Call& call,
                                  const ast::Span& span);

/// A formula that prints when it is computed, for a call of
/// Modelica.Utilities.Streams.print. None for another call.
std::optional<Expr> LowerPrintCall(LoweringContext& context,
                                   const ast::Call& call,
                                   const ast::Span& span);

}  // namespace orrery::modelica::internal
