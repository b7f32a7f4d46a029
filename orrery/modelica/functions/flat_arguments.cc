#include "orrery/modelica/functions/flat_arguments.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"

namespace orrery::modelica::internal {

void AddFlatArguments(LoweringContext& lowering,
                      const Value& value,
                      FlatArguments& leaves) {
  if (IsText(value)) {
    leaves.texts.push_back(value);
    return;
  }
  if (AreTexts(value)) {  // The shape is part of the key.
    leaves.texts.push_back(
        {.text = std::make_shared<const std::string>(Describe(value))});
    for (const Value& element : ElementsOf(lowering, value)) {
      AddFlatArguments(lowering, element, leaves);
    }
    return;
  }
  if (value.function != nullptr) {
    FunctionKey key{.node = value.function->node,
                    .around = value.function->around,
                    .given = {}};
    for (const auto& [name, given] : value.function->given) {
      key.given.push_back(name);
    }
    leaves.functions.push_back(std::move(key));
    for (const auto& [name, given] : value.function->given) {
      AddFlatArguments(lowering, given, leaves);
    }
    return;
  }
  if (value.record == nullptr) {
    leaves.numbers.push_back(value);
    return;
  }
  for (const Value& element : ElementsOf(lowering, value)) {
    for (const auto& [name, field] : element.record->fields) {
      AddFlatArguments(lowering, field, leaves);
    }
  }
}

std::vector<std::string> FormsOf(const std::vector<Value>& texts) {
  std::vector<std::string> forms;
  forms.reserve(texts.size());
  for (const Value& text : texts) {
    forms.push_back(text.text != nullptr ? "=" + *text.text
                                         : FormOf(*text.run_text));
  }
  return forms;
}

void AddFlatArguments(Session& session,
                      Component& component,
                      std::vector<Component*>& leaves) {
  if (!Elaborate(session, component)) {
    throw Abandoned{};
  }
  if (component.is_predefined()) {
    leaves.push_back(&component);
    return;
  }
  for (Instance* const element : component.elements) {
    for (Component& part : element->components) {
      if (part.member != nullptr) {
        AddFlatArguments(session, part, leaves);
      }
    }
  }
}

void TakeShapes(Session& session,
                LoweringContext& lowering,
                Component& input,
                const Value& argument) {
  input.shape = argument.shape();
  if (argument.record == nullptr) {
    return;
  }
  if (!Elaborate(session, input)) {
    throw Abandoned{};
  }
  const std::vector<Value> elements = ElementsOf(lowering, argument);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (Component& field : input.elements[i]->components) {
      const Value* const given =
          field.member == nullptr
              ? nullptr
              : elements[i].record->Find(field.member->name);
      if (given != nullptr) {
        TakeShapes(session, lowering, field, *given);
      }
    }
  }
}

}  // namespace orrery::modelica::internal
