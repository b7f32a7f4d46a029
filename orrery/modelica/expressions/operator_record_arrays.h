#pragma once

#include <span>
#include <string_view>

#include "orrery/modelica/values/lowering_context.h"

/// Operators of operator records over arrays of them (specification 3.6,
/// sections 10.6 and 14.5): element by element, as products and as sums.
namespace orrery::modelica::internal {

/// The value of an operator of which at least one operand is a record or an
/// array of records.
Value ApplyBinaryToRecords(LoweringContext& context,
                           ast::BinaryOperator op,
                           const Value& a,
                           const Value& b,
                           const ast::Span& span);

/// The same for an operator with one operand.
Value ApplyUnaryToRecords(LoweringContext& context,
                          std::string_view op,
                          const Value& a,
                          const ast::Span& span);

/// Adds the elements by '+'; calls '0' if there are none.
Value SumOfRecords(LoweringContext& context,
                   const Value& records,
                   const ast::Span& span);

/// Adds at least one record by '+'.
Value SumOfRecords(LoweringContext& context,
                   std::span<const Value> records,
                   const ast::Span& span);

}  // namespace orrery::modelica::internal
