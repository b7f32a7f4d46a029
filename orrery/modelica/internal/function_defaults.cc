#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "orrery/modelica/internal/functions.h"
#include "orrery/modelica/internal/lowering.h"
#include "orrery/symbolic/transform.h"

/// Defaults of the inputs of functions.
namespace orrery::modelica::internal {
namespace {

// Defaults are formulas over the function's inputs: here, over the arguments.
Value AtArguments(ExprGraph& graph,
                  Value value,
                  const Replacements& arguments) {
  if (value.is_number()) {
    value.expr = Substitution(graph, arguments).Apply(value.expr);
  } else if (value.record != nullptr) {
    auto record = std::make_shared<RecordValue>(*value.record);
    for (auto& [name, field] : record->fields) {
      field = AtArguments(graph, std::move(field), arguments);
    }
    value.record = std::move(record);
  }
  return value;
}

// What the symbols of an input, those of a record's fields, stand for.
void AddReplacements(Session& session,
                     Lowering& lowering,
                     Component& input,
                     const Value& argument,
                     Replacements& replacements) {
  TakeShapes(session, lowering, input, argument);
  std::vector<Component*> symbols;
  AddLeaves(session, input, symbols);
  Leaves leaves;
  AddLeaves(lowering, argument, leaves);
  std::erase_if(symbols, [](const Component* symbol) {
    return symbol->type->built_in == BuiltIn::kString;
  });
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    replacements.emplace(symbols[i]->symbol.id(), leaves.numbers[i].expr);
  }
}

}  // namespace

void AddDefaults(Session& session,
                 const Callee& callee,
                 std::vector<Value>& arguments) {
  const auto is_missing = [](const Value& value) {
    return !value.is_number() && value.record == nullptr &&
           value.text == nullptr && value.function == nullptr;
  };
  if (std::ranges::none_of(arguments, is_missing)) {
    return;
  }
  const auto inputs = MembersOf(*callee.node, ast::Causality::kInput);
  Instance* const instance =
      NewInstance(session, callee.node, callee.around, "", nullptr);
  instance->is_function = true;
  instance->holds_constants = false;
  Lowering lowering(session, {instance, callee.node->scope});
  Replacements replacements;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Component& input = *instance->Find(inputs[i]->name);
    if (is_missing(arguments[i])) {
      if (!Elaborate(session, input)) {
        throw Abandoned{};
      }
      arguments[i] =
          AtArguments(session.graph, BindingOf(session, input), replacements);
    }
    if (arguments[i].is_number() || arguments[i].record != nullptr) {
      AddReplacements(session, lowering, input, arguments[i], replacements);
    } else {
      input.binding = arguments[i];
      input.binding_state = Component::State::kDone;
    }
  }
}

}  // namespace orrery::modelica::internal
