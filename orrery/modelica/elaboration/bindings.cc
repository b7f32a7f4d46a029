#include "orrery/modelica/session/bindings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "orrery/modelica/elaboration/evaluator.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/element.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

bool IsRecordComponent(const Component* component) {
  return component != nullptr && component->type != nullptr &&
         component->type->built_in == BuiltIn::kNone;
}

std::vector<Subscript> ConstantSubscripts(ExprGraph& graph,
                                          const std::vector<std::int64_t>& at) {
  std::vector<Subscript> subscripts;
  subscripts.reserve(at.size());
  for (const std::int64_t i : at) {
    subscripts.push_back({.scalar = IntegerOf(graph, i)});
  }
  return subscripts;
}

bool HasSymbols(const Value& value) {
  if (value.record != nullptr) {
    return std::ranges::any_of(
               value.record->fields,
               [](const auto& field) { return HasSymbols(field.second); }) ||
           std::ranges::any_of(value.record->elements, HasSymbols);
  }
  return value.is_number() &&
         std::ranges::any_of(
             Reachable({&value.expr, 1}), [&value](std::uint32_t id) {
               return value.expr.graph().At(id).op() == Op::kSymbol;
             });
}

// The value without texts that are set for it.
Value OwnBinding(Session& session, Component& component) {
  Instance& owner = *component.owner;
  if (IsRecordComponent(owner.component)) {
    const Value& around = BindingOf(session, *owner.component);
    if (around.record != nullptr) {
      component.is_evaluated =
          component.is_evaluated || owner.component->is_evaluated;
      LoweringContext lowering(session, {&owner, component.member->scope});
      if (!around.record->elements.empty()) {
        const Value element = Select(
            lowering, around, ConstantSubscripts(session.graph, owner.at));
        const Value* const own = element.record->Find(component.member->name);
        return own == nullptr ? Value() : *own;
      }
      const Value* const field = around.record->Find(component.member->name);
      if (field == nullptr) {
        return {};
      }
      return Select(
          lowering, *field, ConstantSubscripts(session.graph, owner.at));
    }
  }
  // The size may differ from that of the model's own value.
  if (!component.shape.empty() && session.settings.Replaces(component)) {
    std::vector<double> numbers;
    session.settings.Apply(session, component, numbers);
    return NumberValue(ConstantOf(session.graph,
                                  numbers,
                                  component.shape,
                                  ToValueType(component.type->built_in)),
                       component.type->enumeration);
  }
  const Modifier* const modifier = component.modifier;
  if (modifier == nullptr || modifier->value == nullptr) {
    return {};
  }
  const bool is_size_open =
      std::ranges::find(component.shape, -1) != component.shape.end();
  LoweringContext lowering(session, modifier->context);
  const std::size_t lost = session.num_units_lost;
  const std::size_t varied = session.num_varied_read;
  Value value = ModifierValue(session, *modifier);
  component.loses_unit = session.num_units_lost > lost;
  component.is_varied = session.num_varied_read > varied;
  if (modifier->is_each && value.text != nullptr && !is_size_open &&
      !component.shape.empty()) {
    const Value element = AsElement(session, value);
    value = NumberValue(
        BuildArray(
            session.graph, component.shape, [&](auto) { return element.expr; }),
        element.enumeration);
  }
  if (modifier->is_each && value.is_number() && value.expr.is_scalar()) {
    return ConvertTo(lowering,
                     std::move(value),
                     component.type,
                     nullptr,
                     modifier->value->span,
                     "'" + component.path() + "'");
  }
  return ConvertTo(lowering,
                   std::move(value),
                   component.type,
                   is_size_open ? nullptr : &component.shape,
                   modifier->value->span,
                   "'" + component.path() + "'");
}

Value ComputeBinding(Session& session, Component& component) {
  const auto own = [&] {
    return OwnBinding(session, component);
  };
  return component.type->built_in == BuiltIn::kString
             ? session.settings.Apply(session, component, own)
             : own();
}

std::vector<double> Broadcasted(std::vector<double> numbers,
                                const Shape& shape) {
  const auto size = static_cast<std::size_t>(NumElements(shape));
  if (numbers.size() == 1) {
    numbers.resize(size, numbers[0]);
  }
  return numbers;
}

bool IsNan(double x) {
  return std::isnan(x);
}

// An attribute that a component's modifier gives; none if it gives none, or
// none that known constants and parameters determine.
std::optional<std::vector<double>> AttributeOf(Session& session,
                                               const Component& component,
                                               std::string_view name) {
  const Modifier* const attribute =
      component.modifier == nullptr ? nullptr : component.modifier->Find(name);
  if (attribute == nullptr || attribute->value == nullptr) {
    return std::nullopt;
  }
  const Value value = ModifierValue(session, *attribute);
  return value.is_number() ? TryEvaluate(session, value.expr) : std::nullopt;
}

// The start value of a parameter without a value. It serves as its value
// (specification 3.6, section 8.6), unless fixed = false.
std::optional<std::vector<double>> StartOf(Session& session,
                                           const Component& component) {
  if (component.variability != Variability::kParameter) {
    return std::nullopt;
  }
  const auto fixed = AttributeOf(session, component, "fixed");
  if (fixed && std::ranges::find(*fixed, 0.0) != fixed->end()) {
    return std::nullopt;
  }
  return AttributeOf(session, component, "start");
}

// The numbers of a component's binding; empty if they are not known.
std::vector<double> NumbersIn(Session& session,
                              Component& component,
                              const Value& binding) {
  try {
    if (auto given = TryEvaluate(session, binding.expr)) {
      return Broadcasted(std::move(*given), component.shape);
    }
  } catch (const NeedsArgument&) {
    component.value_state = Component::State::kNew;
    throw;
  } catch (const NeedsRecursionInRun&) {
    component.value_state = Component::State::kNew;
    throw;
  }
  return {};
}

// A constant's or parameter's numbers; null if they are not known.
const std::vector<double>* NumbersOf(Session& session, Component& component) {
  using State = Component::State;
  if (component.value_state == State::kDone) {
    return &component.value;
  }
  if (component.owner->is_function &&
      component.causality == ast::Causality::kInput) {
    throw NeedsArgument{component.symbol};
  }
  const bool is_fixed = component.variability <= Variability::kParameter ||
                        (component.owner->is_function &&
                         (session.declares_function || component.keeps_value));
  if (!is_fixed || component.value_state != State::kNew) {
    return nullptr;
  }
  if (component.binding_state == State::kFailed) {
    throw Abandoned{};
  }
  const bool is_replaced = session.settings.Replaces(component);
  const Value& binding = is_replaced ? Value() : BindingOf(session, component);
  component.value_state = State::kBusy;
  std::vector<double> numbers = binding.is_number()
                                    ? NumbersIn(session, component, binding)
                                    : std::vector<double>();
  if (numbers.empty() && !binding.is_number() && !is_replaced) {
    numbers = Broadcasted(StartOf(session, component).value_or(numbers),
                          component.shape);
  }
  const bool is_given = !numbers.empty() || NumElements(component.shape) == 0;
  try {
    if (session.settings.Apply(session, component, numbers)) {
      session.shaping.insert(component.path());
    }
  } catch (const Abandoned&) {
    component.binding_state = State::kFailed;  // Reported; readers stop.
    component.value_state = State::kNew;
    throw;
  }
  const bool is_set = !numbers.empty() && std::ranges::none_of(numbers, IsNan);
  if (is_given || is_set) {
    component.value = std::move(numbers);
    component.value_state = State::kDone;
    return &component.value;
  }
  component.value_state = State::kFailed;
  if (session.unknown_because.empty() && !binding.is_number()) {
    session.unknown_because = "'" + component.path() + "' has no value";
  }
  return nullptr;
}

Evaluator MakeEvaluator(Session& session) {
  return Evaluator([&session](Expr symbol) -> const std::vector<double>* {
    const auto found = session.component_of.find(symbol.id());
    return found == session.component_of.end()
               ? nullptr
               : NumbersOf(session, *found->second);
  });
}

// Marks the parameters in a structural formula, which must not change any more.
void MarkStructural(Session& session, Expr expr) {
  std::vector<Expr> stack = {expr};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (!seen.insert(top.id()).second) {
      continue;
    }
    for (std::size_t i = 0; i < top.num_operands(); ++i) {
      stack.push_back(top.operand(i));
    }
    const auto found = session.component_of.find(top.id());
    if (found != session.component_of.end() && !found->second->is_structural) {
      found->second->is_structural = true;
      if (found->second->binding.is_number() &&
          !session.settings.Replaces(*found->second)) {
        stack.push_back(found->second->binding.expr);
      }
    }
  }
}

}  // namespace

Value ModifierValue(Session& session, const Modifier& modifier) {
  LoweringContext lowering(session, modifier.context);
  if (modifier.at.empty()) {
    return LowerExpression(lowering, *modifier.value);
  }
  const auto key = std::pair(
      modifier.value, static_cast<const Instance*>(modifier.context.instance));
  auto found = session.shared.find(key);
  const bool is_first = found == session.shared.end();
  if (is_first) {
    found =
        session.shared.emplace(key, LowerExpression(lowering, *modifier.value))
            .first;
  }
  const Value& whole = found->second;
  const Shape& shape = whole.shape();
  const std::string mend =
      "write 'each' before it to give all elements the same";
  if (shape.empty()) {
    if (is_first) {
      session.diagnostics.Warning(
          At(modifier.context.scope, modifier.span),
          "this modifier of an array of components is one value; each of them "
          "gets it (specification 3.6, section 7.2.5)",
          mend);
    }
    return whole;
  }
  if (shape.size() < modifier.at.size()) {
    lowering.Fail(modifier.span,
                  "this modifier of an array of components is " +
                      Describe(whole) + ", not an array of one value each",
                  mend);
  }
  const std::span first = std::span(shape).first(modifier.at.size());
  if (!std::ranges::equal(first, modifier.sizes)) {
    lowering.Fail(modifier.value->span,
                  "this modifier is " + Describe(whole) +
                      ", but the array of components is " +
                      Describe(modifier.sizes) +
                      ": their sizes must agree (specification 3.6, section "
                      "7.2.5)",
                  "give one value for each component");
  }
  const auto subscripts = ConstantSubscripts(session.graph, modifier.at);
  Value element = Select(lowering, whole, subscripts);
  if (element.is_number()) {
    std::vector<Expr> at;
    at.reserve(subscripts.size());
    for (const Subscript& subscript : subscripts) {
      at.push_back(subscript.scalar);
    }
    const Expr alone = ElementAt(whole.expr, at);
    element.expr = alone ? alone : element.expr;
  }
  return element;
}

const Value& BindingOf(Session& session, Component& given) {
  using State = Component::State;
  Component& component = Target(given);
  if (component.binding_state == State::kDone) {
    return component.binding;
  }
  if (component.binding_state == State::kFailed) {
    throw Abandoned{};
  }
  if (component.binding_state == State::kBusy) {
    component.binding_state = State::kFailed;
    session.Fail(component.member->scope,
                 component.member->span,
                 "the value of '" + component.path() + "' depends on itself");
  }
  component.binding_state = State::kBusy;
  const std::size_t evaluated = session.num_evaluated;
  try {
    component.binding = ComputeBinding(session, component);
    const bool is_final =
        component.is_final && component.variability == Variability::kParameter;
    if (is_final && session.num_evaluated > evaluated) {
      component.is_evaluated =
          component.is_evaluated || !HasSymbols(component.binding);
    }
  } catch (const Abandoned&) {
    component.binding_state = State::kFailed;
    throw;
  } catch (const NeedsArgument&) {
    component.binding_state = State::kNew;
    throw;
  } catch (const NeedsRecursionInRun&) {
    component.binding_state = State::kNew;
    throw;
  }
  component.binding_state = State::kDone;
  return component.binding;
}

Value ConstantValue(Session& session,
                    Component& component,
                    const Context& user,
                    const ast::Span& span) {
  const Value& binding = BindingOf(session, component);
  if (binding.text != nullptr || binding.is_empty_array || AreTexts(binding)) {
    return binding;
  }
  if (!binding.is_number()) {
    if (component.value_state == Component::State::kFailed) {
      throw Abandoned{};  // Reported before.
    }
    component.value_state = Component::State::kFailed;
    session.Fail(user.scope,
                 span,
                 "constant '" + component.path() + "' has no value",
                 "give it one where it is declared");
  }
  if (component.value_state != Component::State::kDone) {
    session.unknown_because.clear();
    auto numbers = TryEvaluate(session, binding.expr);
    if (!numbers) {
      const std::string& why = session.unknown_because;
      session.Fail(
          user.scope,
          span,
          "the value of constant '" + component.path() +
              "' cannot be evaluated" + (why.empty() ? "" : ": " + why),
          why.starts_with("it depends") ? "it may depend on constants only"
                                        : "");
    }
    component.value = Broadcasted(std::move(*numbers), component.shape);
    component.value_state = Component::State::kDone;
    component.binding =
        NumberValue(ConstantOf(session.graph,
                               component.value,
                               component.shape,
                               ToValueType(component.type->built_in)),
                    component.type->enumeration);
  }
  if (component.value == std::vector{1.0} && user.scope->file != nullptr) {
    session.flat.ones[user.scope->file.get()].insert(
        static_cast<std::uint32_t>(span.begin));
  }
  return component.binding;
}

bool DependsOnVaried(Session& session, Expr expr) {
  if (!session.settings.vary_any()) {
    return false;
  }
  std::vector<Expr> stack = {expr};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (!seen.insert(top.id()).second) {
      continue;
    }
    for (std::size_t i = 0; i < top.num_operands(); ++i) {
      stack.push_back(top.operand(i));
    }
    const auto found = session.component_of.find(top.id());
    if (found == session.component_of.end() ||
        found->second->variability > Variability::kParameter ||
        found->second->owner->is_function ||
        found->second->binding_state > Component::State::kDone) {
      continue;
    }
    Component& component = *found->second;
    if (component.binding_state != Component::State::kBusy &&
        BindingOf(session, component).is_number()) {
      stack.push_back(component.binding.expr);
    }
    if (component.is_varied || session.settings.Varies(component)) {
      return true;
    }
  }
  return false;
}

std::optional<std::vector<double>> TryEvaluate(Session& session, Expr expr) {
  if (expr.is_constant()) {
    return std::vector<double>{expr.value()};
  }
  Evaluator evaluator = MakeEvaluator(session);
  auto numbers = evaluator.Run(expr);
  if (!numbers && session.unknown_because.empty()) {
    session.unknown_because = evaluator.reason();
  }
  return numbers;
}

std::vector<double> Evaluate(Session& session,
                             Expr expr,
                             const Context& context,
                             const ast::Span& span,
                             std::string_view why) {
  if (expr.is_constant()) {
    return {expr.value()};
  }
  session.unknown_because.clear();
  const auto numbers = TryEvaluate(session, expr);
  if (!numbers) {
    session.Fail(
        context.scope,
        span,
        std::string(why) + " cannot be evaluated: " + session.unknown_because,
        "it must be known when the model is translated: use constants "
        "and parameters with values");
  }
  MarkStructural(session, expr);
  return *numbers;
}

}  // namespace orrery::modelica::internal
