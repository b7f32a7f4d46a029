#pragma once

#include <string>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// The parts of arguments.
namespace orrery::modelica::internal {

/// The parts of arguments, the fields of records in order.
struct FlatArguments {
  std::vector<Value> numbers;
  std::vector<Value> texts;  ///< Their formulas follow `numbers` as inputs.
  std::vector<FunctionKey> functions;  ///< Their own inputs are leaves too.
};

/// Adds the leaves of a value.
void AddFlatArguments(LoweringContext& lowering,
                      const Value& value,
                      FlatArguments& leaves);

/// Adds a predefined component, or the fields of a record, to the leaves.
void AddFlatArguments(Session& session,
                      Component& component,
                      std::vector<Component*>& leaves);

/// Gives an input the sizes of its argument. In a record this covers the
/// fields, whose sizes may depend on other fields.
void TakeShapes(Session& session,
                LoweringContext& lowering,
                Component& input,
                const Value& argument);

/// The differences between texts that make a function another one.
std::vector<std::string> FormsOf(const std::vector<Value>& texts);

}  // namespace orrery::modelica::internal
