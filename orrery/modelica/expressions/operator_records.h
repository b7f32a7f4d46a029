#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/operator_functions.h"

/// Operators and constructors of operator records: select and call the function
/// that implements them (specification 3.6, chapter 14).
namespace orrery::modelica::internal {

/// Calls a function of operator 'constructor'; none if no function takes the
/// arguments.
std::optional<Value> ConstructOperatorRecord(LoweringContext& context,
                                             ClassNode* record,
                                             const ast::Call& call,
                                             const ast::Span& span);

/// Calls the function of an operator for whole operands.
Value ApplyRecordOperator(LoweringContext& context,
                          std::string_view op,
                          std::span<const Value> operands,
                          const ast::Span& span);

/// The same; none if there is no such function.
std::optional<Value> ApplyWholeRecordOperator(LoweringContext& context,
                                              std::string_view op,
                                              std::span<const Value> operands,
                                              const ast::Span& span);

/// Reports an operator that no function implements for the operands.
[[noreturn]] void FailNoOperator(LoweringContext& context,
                                 std::string_view op,
                                 std::span<const Value> operands,
                                 const ast::Span& span);

/// Calls a function that was selected.
Value CallCandidate(LoweringContext& context,
                    OperatorCandidate candidate,
                    const ast::Span& span);

}  // namespace orrery::modelica::internal
