#pragma once

#include "orrery/modelica/values/lowering_context.h"

/// Operators between values.
namespace orrery::modelica::internal {

/// The value of an operator with one operand.
Value LowerUnary(LoweringContext& context,
                 const ast::Unary& unary,
                 const ast::Span& span);

/// The value of a chain of operators, from left to right.
Value LowerOperation(LoweringContext& context,
                     const ast::Operation& operation,
                     const ast::Span& span);

/// The value of an operator with two operands.
Value ApplyBinary(LoweringContext& context,
                  ast::BinaryOperator op,
                  const Value& a,
                  const Value& b,
                  const ast::Span& span);

}  // namespace orrery::modelica::internal
