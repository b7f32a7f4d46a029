#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Lowers expressions to formulas and checks their types and shapes. All
/// functions report errors and throw Abandoned.
namespace orrery::modelica::internal {

/// The value of an expression.
Value LowerExpression(LoweringContext& context,
                      const ast::Expression& expression);

/// The same with constants that are Reals as symbols, where only units matter.
/// Precondition: MayLowerAgain(expression).
Value LowerExpressionAsWritten(LoweringContext& context,
                               const ast::Expression& expression);

/// A formula; a text or a record is an error.
Expr LowerNumbers(LoweringContext& context, const ast::Expression& expression);

/// A formula of one number of this type. An Integer is a Real, too.
Expr LowerScalar(LoweringContext& context,
                 const ast::Expression& expression,
                 ValueType type);

/// A formula of one Boolean.
Expr LowerCondition(LoweringContext& context,
                    const ast::Expression& expression);

/// The conditions of a when-clause, one by one.
std::vector<std::pair<Expr, ast::Span>> LowerConditions(
    LoweringContext& context, const ast::Expression& expression);

/// A whole number that is known now.
/// @param why it must be known, for reports.
std::int64_t LowerConstantInteger(LoweringContext& context,
                                  const ast::Expression& expression,
                                  std::string_view why);

}  // namespace orrery::modelica::internal
