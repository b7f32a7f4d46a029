#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/session/session.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The call of a function defined as a partial derivative, `function g =
/// der(f, u)` (specification 3.6, section 12.7.2). Lives around the call of f;
/// does nothing for other functions.
class PartialDerivative {
 public:
  /// Puts symbols in place of the arguments by which it is differentiated.
  PartialDerivative(LoweringContext& context,
                    const ClassNode& function,
                    const Session::Lowered& lowered,
                    std::vector<Expr>& arguments,
                    const ast::Span& span);

  /// Differentiates the outputs and puts the arguments back.
  void Take(std::vector<Expr>& outputs, std::vector<Expr>& arguments);

 private:
  struct Input {
    std::size_t number = 0;
    Expr symbol;
    Expr argument;
  };

  LoweringContext& context_;
  std::string name_;
  ast::Span span_;
  std::vector<Input> inputs_;  // In the order of the differentiations.
};

}  // namespace orrery::modelica::internal
