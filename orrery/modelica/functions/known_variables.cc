#include "orrery/modelica/functions/known_variables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

bool HoldsText(const Component& component) {
  return component.type->built_in == BuiltIn::kString;
}

// The components that a record declares; those for its types are none.
std::vector<Component*> DeclaredParts(Instance& record) {
  std::vector<Component*> parts;
  for (Component& part : record.components) {
    if (part.member != nullptr) {
      parts.push_back(&part);
    }
  }
  return parts;
}

}  // namespace

KnownVariables::KnownVariables(LoweringContext& context,
                               ClassNode& function,
                               const ast::Span& span)
    : context_(context),
      session_(context.session),
      function_(function),
      span_(span),
      instance_(NewInstance(session_, &function, nullptr, "", nullptr)) {
  instance_->is_function = true;
}

void KnownVariables::Fail(const ast::Span& span, const std::string& why) {
  session_.Fail(function_.scope,
                span,
                function_.name +
                    " is carried out while the model is translated, since "
                    "it works with Strings: " +
                    why);
}

bool KnownVariables::TakeArguments(const std::vector<Value>& arguments) {
  const std::vector<Member*> inputs =
      MembersOf(function_, ast::Causality::kInput);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Component& input = *instance_->Find(inputs[i]->name);
    LoweringContext lowering(session_, {instance_, function_.scope});
    TakeShapes(session_, lowering, input, arguments[i]);
    if (!Elaborate(session_, input)) {
      throw Abandoned{};
    }
    if (!TakeArgument(input, arguments[i])) {
      return false;
    }
  }
  return true;
}

bool KnownVariables::TakeArgument(Component& input, const Value& argument) {
  if (!input.is_predefined()) {
    return argument.record != nullptr && input.elements.size() == 1 &&
           input.shape.empty() &&
           std::ranges::all_of(
               input.elements.front()->components, [&](Component& part) {
                 if (part.member == nullptr) {
                   return true;
                 }
                 const Value* const own =
                     argument.record->Find(part.member->name);
                 return own != nullptr && Elaborate(session_, part) &&
                        TakeArgument(part, *own);
               });
  }
  if (argument.text != nullptr) {
    input.binding = argument;
    input.binding_state = Component::State::kDone;
    return true;
  }
  if (!argument.is_number() || (HoldsText(input) && input.shape.empty())) {
    return false;
  }
  const auto known = TryEvaluate(session_, argument.expr);
  if (known) {
    SetNumbers(input, *known);
  }
  return known.has_value();
}

// Texts of arrays are numbers, too.
void KnownVariables::SetNumbers(Component& component,
                                std::vector<double> numbers) {
  component.value = std::move(numbers);
  component.value_state = Component::State::kDone;
  if (HoldsText(component)) {
    component.binding = NumberValue(ConstantOf(session_.graph,
                                               component.value,
                                               component.shape,
                                               ValueType::kInteger),
                                    component.type);
    component.binding_state = Component::State::kDone;
  }
}

void KnownVariables::Declare(Component& component) {
  if (!Elaborate(session_, component)) {
    throw Abandoned{};
  }
  if (!component.is_predefined()) {
    for (Instance* const element : component.elements) {
      for (Component* const part : DeclaredParts(*element)) {
        Declare(*part);
      }
    }
    return;
  }
  const Value binding = BindingOf(session_, component);
  LoweringContext lowering(session_, {instance_, component.member->scope});
  const ast::Span& span = component.member->span;
  component.binding_state = Component::State::kDone;
  if (HoldsText(component) && component.shape.empty()) {
    component.binding = IsText(binding)
                            ? KnownText(lowering, binding, span)
                            : Value{.text = std::make_shared<std::string>()};
    return;
  }
  component.binding = {};
  const auto size = static_cast<std::size_t>(NumElements(component.shape));
  std::vector<double> value(1);
  if (binding.is_number()) {
    value = Numbers(lowering, binding.expr, span);
  } else if (HoldsText(component)) {
    value[0] = static_cast<double>(session_.text_numbers.NumberOf(""));
  }
  value.resize(size, value.empty() ? 0 : value[0]);
  SetNumbers(component, std::move(value));
}

std::vector<double> KnownVariables::Numbers(LoweringContext& lowering,
                                            Expr expr,
                                            const ast::Span& span) {
  if (const auto known = TryEvaluate(session_, expr)) {
    return *known;
  }
  session_.FailOf(lowering.where,
                  span,
                  function_.name +
                      " is carried out while the model is translated, since "
                      "it works with Strings: " +
                      session_.unknown_because);
}

void KnownVariables::Assign(LoweringContext& lowering,
                            const ast::ComponentReference& target,
                            const Value& value,
                            const ast::Span& span) {
  const NamedPlace place = FindPlace(lowering, target);
  Component& component = *place.component;
  if (!IsOwn(component) || component.causality == ast::Causality::kInput) {
    Fail(span, "'" + component.path() + "' is no variable of it");
  }
  if (place.subscripts == nullptr || place.subscripts->empty()) {
    AssignWhole(lowering, component, value, span);
    return;
  }
  AssignElement(lowering, component, *place.subscripts, value, span);
}

void KnownVariables::AssignElement(LoweringContext& lowering,
                                   Component& component,
                                   const ast::Expressions& subscripts,
                                   const Value& value,
                                   const ast::Span& span) {
  const Value element = AsElement(session_, value);
  if (!element.is_number()) {
    Fail(span, "'" + component.path() + "' takes numbers");
  }
  const std::vector<double> numbers = Numbers(lowering, element.expr, span);
  std::vector<double> all = component.value;
  if (subscripts.size() != component.shape.size()) {
    Fail(span, "it assigns a part of '" + component.path() + "'");
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const ast::Expression& subscript = *subscripts[i];
    const std::int64_t extent = component.shape.at(i);
    const std::int64_t at =
        LowerConstantInteger(lowering, subscript, "a subscript");
    if (at < 1 || at > extent) {
      Fail(subscript.span,
           "subscript " + std::to_string(at) +
               " is out of bounds: the dimension has " +
               std::to_string(extent) + " elements");
    }
    first = first * static_cast<std::size_t>(extent) +
            static_cast<std::size_t>(at) - 1;
  }
  if (numbers.size() != 1) {
    Fail(span, "an element of '" + component.path() + "' takes one value");
  }
  all.at(first) = numbers.front();
  SetNumbers(component, std::move(all));
}

void KnownVariables::AssignWhole(LoweringContext& lowering,
                                 Component& component,
                                 const Value& value,
                                 const ast::Span& span) {
  if (!component.is_predefined()) {
    if (value.record == nullptr || component.elements.size() != 1) {
      Fail(span, "'" + component.path() + "' takes a record");
    }
    for (Component& part : component.elements.front()->components) {
      const Value* const own = part.member == nullptr
                                   ? nullptr
                                   : value.record->Find(part.member->name);
      if (own != nullptr) {
        AssignWhole(lowering, part, *own, span);
      }
    }
    return;
  }
  if (HoldsText(component) && component.shape.empty()) {
    const Value known =
        AreTexts(value)
            ? TextAt(session_, Numbers(lowering, value.expr, span).at(0))
            : value;
    if (!IsText(known)) {
      Fail(span, "'" + component.path() + "' is a String");
    }
    component.binding = KnownText(lowering, known, span);
    return;
  }
  if (!value.is_number()) {
    Fail(span, "'" + component.path() + "' takes numbers");
  }
  std::vector<double> numbers = Numbers(lowering, value.expr, span);
  if (numbers.size() != component.value.size()) {
    Fail(span,
         "'" + component.path() + "' has " +
             std::to_string(component.value.size()) + " elements, its value " +
             std::to_string(numbers.size()));
  }
  SetNumbers(component, std::move(numbers));
}

bool KnownVariables::IsOwn(const Component& component) const {
  const Instance* owner = component.owner;
  while (owner != nullptr && owner != instance_) {
    owner = owner->parent;
  }
  return owner != nullptr;
}

Value KnownVariables::OutputValue(std::string_view name) {
  return OutputValue(*instance_->Find(name));
}

Value KnownVariables::OutputValue(Component& component) {
  if (!component.is_predefined()) {
    std::vector<Value> elements;
    for (Instance* const element : component.elements) {
      auto record = std::make_shared<RecordValue>();
      record->type = component.type;
      for (Component* const part : DeclaredParts(*element)) {
        record->fields.emplace_back(part->member->name, OutputValue(*part));
      }
      elements.push_back({.record = record});
    }
    return Arrange(context_, std::move(elements), component.shape, span_);
  }
  if (HoldsText(component)) {
    return component.binding;
  }
  return NumberValue(ConstantOf(session_.graph,
                                component.value,
                                component.shape,
                                ToValueType(component.type->built_in)),
                     component.type->enumeration);
}

}  // namespace orrery::modelica::internal
