#include "orrery/modelica/functions/function_defaults.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/transform.h"

/// Defaults of the inputs of functions.
namespace orrery::modelica::internal {
namespace {

// Replaces a function's inputs in a default by the call's arguments.
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
    for (Value& element : record->elements) {
      element = AtArguments(graph, std::move(element), arguments);
    }
    value.record = std::move(record);
  } else if (value.run_text != nullptr) {
    Substitution substitution(graph, arguments);
    std::vector<Expr> formulas = FormulasIn(*value.run_text);
    for (Expr& formula : formulas) {
      formula = substitution.Apply(formula);
    }
    return TextOf(WithFormulas(*value.run_text, formulas));
  }
  return value;
}

// The numbers of an argument; none if they are not known.
std::optional<std::vector<double>> KnownNumbers(Session& session, Expr expr) {
  try {
    return TryEvaluate(session, expr);
  } catch (const NeedsArgument&) {  // An argument of an enclosing function.
    return std::nullopt;
  }
}

// Collects the formulas and values of an input's symbols (a record has one for
// each field): sizes of defaults may depend on them.
void AddReplacements(Session& session,
                     LoweringContext& lowering,
                     Component& input,
                     const Value& argument,
                     Replacements& replacements) {
  TakeShapes(session, lowering, input, argument);
  std::vector<Component*> symbols;
  AddFlatArguments(session, input, symbols);
  FlatArguments leaves;
  AddFlatArguments(lowering, argument, leaves);
  std::erase_if(symbols, [](const Component* symbol) {
    return symbol->type->built_in == BuiltIn::kString;
  });
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Expr given = leaves.numbers[i].expr;
    replacements.emplace(symbols[i]->symbol.id(), given);
    if (auto known = KnownNumbers(session, given)) {
      symbols[i]->value = *std::move(known);
      symbols[i]->value_state = Component::State::kDone;
    }
  }
}

Value DefaultOf(Session& session,
                Component& input,
                const Replacements& arguments) {
  try {
    if (!Elaborate(session, input)) {
      throw Abandoned{};
    }
    return AtArguments(session.graph, BindingOf(session, input), arguments);
  } catch (const NeedsArgument& needed) {
    const auto given = arguments.find(needed.symbol.id());
    if (given != arguments.end() && !TryEvaluate(session, given->second)) {
      session.Fail(input.member->scope,
                   input.member->span,
                   "the default of input '" + input.path() +
                       "' depends on the value of '" +
                       session.graph.NameOf(needed.symbol) +
                       "', which is not known when the model is translated",
                   "give the input in the call");
    }
    throw;
  }
}

}  // namespace

void AddDefaults(Session& session,
                 const Callee& callee,
                 std::vector<Value>& arguments) {
  const auto is_missing = [](const Value& value) {
    return !value.is_number() && value.record == nullptr && !IsText(value) &&
           value.function == nullptr;
  };
  if (std::ranges::none_of(arguments, is_missing)) {
    return;
  }
  const auto inputs = MembersOf(*callee.node, ast::Causality::kInput);
  Instance* const instance =
      NewInstance(session, callee.node, callee.around, "", nullptr);
  instance->is_function = true;
  instance->holds_constants = false;
  LoweringContext lowering(session, {instance, callee.node->scope});
  Replacements replacements;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Component& input = *instance->Find(inputs[i]->name);
    if (is_missing(arguments[i])) {
      arguments[i] = DefaultOf(session, input, replacements);
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
