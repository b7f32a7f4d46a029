#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Values of formulas that are known when a model is translated.
namespace orrery::modelica::internal {

/// The numbers of a formula, which must be known: Evaluate(). In a loop whose
/// iterators decide them, throws NeedsUnrolling.
std::vector<double> EvaluateOrUnroll(LoweringContext& context,
                                     Expr expr,
                                     const ast::Span& span,
                                     std::string_view why);

/// A condition's value, if constants and parameters determine it.
std::optional<bool> Decide(LoweringContext& context, Expr condition);

/// The value if it is constant or, in a function, depends only on arguments
/// that are known at the call.
std::optional<double> KnownByArguments(LoweringContext& context, Expr scalar);

/// The same for a condition.
std::optional<bool> DecideByArguments(LoweringContext& context, Expr condition);

/// The condition's value if it is the same in all passes of a loop over one of
/// the divisible iterators.
/// @throws NeedsParts if such a loop has a few parts with one value each.
std::optional<bool> DecideInLoop(LoweringContext& context, Expr condition);

/// True if the value is unknown during translation. An argument of the
/// enclosing function may have a value: Specialize() finds out.
bool Varies(LoweringContext& context, Expr value);

}  // namespace orrery::modelica::internal
