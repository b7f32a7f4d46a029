#include "orrery/modelica/expressions/component_values.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

bool DifferInSize(LoweringContext& context, const Component& component);

Value ReadConstant(LoweringContext& context,
                   Component& constant,
                   const ast::Span& span) {
  const Value& value =
      ConstantValue(context.session, constant, context.where, span);
  if (constant.type->built_in != BuiltIn::kReal) {
    return value;
  }
  if (context.keeps_constants) {
    return AsSymbol(context.session, constant);
  }
  context.session.num_units_lost +=
      UnitOf(context.session, constant).empty() ? 0U : 1U;
  return value;
}

// The text of a String, which must be known.
Value ReadString(LoweringContext& context,
                 Component& component,
                 const ast::Span& span) {
  const Value& binding = BindingOf(context.session, component);
  if (IsText(binding) || AreTexts(binding)) {
    return binding;
  }
  const bool is_in_function = component.owner->is_function;
  if (is_in_function && !context.iterators.empty()) {
    throw NeedsUnrolling{};
  }
  context.Fail(
      span,
      is_in_function
          ? "String '" + component.path() +
                "' is read before it gets a value, or in a while-loop that "
                "assigns it later"
          : "String '" + component.path() + "' has no value known now");
}

Value ReadPredefined(LoweringContext& context,
                     Component& component,
                     const ast::Span& span) {
  const Instance& owner = *component.owner;
  if (owner.is_function && owner.holds_constants) {
    return BindingOf(context.session,
                     component);  // A record under construction.
  }
  if (component.variability == Variability::kConstant && !owner.is_function) {
    return ReadConstant(context, component, span);
  }
  if (owner.holds_constants && !owner.is_function) {
    context.Fail(span,
                 "'" + component.path() +
                     "' is not a constant: of a class that is "
                     "not a component, only constants can be used",
                 "declare it 'constant'");
  }
  if (component.type->built_in == BuiltIn::kString) {
    return ReadString(context, component, span);
  }
  if (component.is_final && component.variability == Variability::kParameter &&
      !owner.is_function && component.binding_state == Component::State::kNew) {
    BindingOf(context.session, component);  // Sets is_evaluated.
  }
  if (component.is_evaluated) {
    ++context.session.num_evaluated;
  }
  const bool is_fixed =
      component.is_structural || component.is_evaluated ||
      (context.fixes_parameters && component.symbol.type() != ValueType::kReal);
  if (is_fixed && component.variability == Variability::kParameter &&
      !owner.is_function) {
    if (TryEvaluate(context.session, component.symbol)) {
      context.session.num_varied_read +=
          DependsOnVaried(context.session, component.symbol) ? 1U : 0U;
      return NumberValue(
          ConstantOf(
              context.session.graph,
              Evaluate(
                  context.session, component.symbol, context.where, span, ""),
              component.shape,
              component.symbol.type()),
          component.type->enumeration);
    }
  }
  const Expr symbol =
      context.replace ? context.replace(component.symbol) : component.symbol;
  return NumberValue(symbol, component.type->enumeration);
}

// Reads a part of the elements of an empty array of components.
Value NoParts(LoweringContext& context,
              const Component& component,
              std::span<const ast::ReferencePart> parts) {
  ClassNode* type = component.type;
  Shape shape = component.shape;
  Member* member = nullptr;
  for (const ast::ReferencePart& part : parts) {
    std::string_view old_type = component.member->old_type;
    if (member != nullptr) {
      type = context.session.tree.TypeOf(*member);
      old_type = member->old_type;
      shape = NoElements(context.session, *member, shape).shape();
    }
    if (type == nullptr || !context.session.tree.Expand(type)) {
      throw Abandoned{};
    }
    member = type->Find(context.session.tree.conversions().NewNameOf(
        context.where.scope, *type, part.name.text, old_type));
    if (member == nullptr || member->clause == nullptr) {
      context.Fail(
          part.name.span,
          "no element '" + std::string(part.name.text) + "' in class " +
              type->name,
          SuggestMember(part.name.text, *type, context.session.diagnostics));
    }
    CheckPublic(context, *member, *type, part.name.span);
  }
  return NoElements(context.session, *member, shape);
}

// Reads the same part of all elements of an array of components, as an array.
Value ReadElements(LoweringContext& context,
                   Component& component,
                   std::span<const ast::ReferencePart> rest,
                   const ast::Span& span) {
  if (component.elements.empty()) {
    return NoParts(context, component, rest);
  }
  std::vector<Value> values;
  values.reserve(component.elements.size());
  for (Instance* const element : component.elements) {
    values.push_back(
        ReadComponent(context,
                      MemberNamed(context, *element, rest.front().name),
                      rest,
                      span));
  }
  return Arrange(context, std::move(values), component.shape, span);
}

bool DifferInSize(LoweringContext& context, Instance& a, Instance& b) {
  for (std::size_t i = 0; i < a.components.size(); ++i) {
    Component& one = a.components[i];
    Component& other = b.components[i];
    if (one.member == nullptr || &a == &b) {
      continue;
    }
    if (!Elaborate(context.session, one) ||
        !Elaborate(context.session, other)) {
      throw Abandoned{};
    }
    if (one.shape != other.shape || DifferInSize(context, one) ||
        DifferInSize(context, other) ||
        (!one.elements.empty() &&
         DifferInSize(
             context, *one.elements.front(), *other.elements.front()))) {
      return true;
    }
  }
  return false;
}

// True if some element of an array of records has a field whose size differs
// from that in the first element.
bool DifferInSize(LoweringContext& context, const Component& component) {
  const auto& elements = component.elements;
  return std::ranges::any_of(elements, [&](Instance* other) {
    return DifferInSize(context, *elements.front(), *other);
  });
}

Value ReadInstance(LoweringContext& context,
                   Instance& instance,
                   const ast::Span& span) {
  const ast::ClassKind kind = instance.type->kind();
  if (kind != ast::ClassKind::kRecord && kind != ast::ClassKind::kConnector) {
    context.Fail(span,
                 "'" + instance.path.str() + "' is a component of " +
                     std::string(KindName(kind).substr(2)) + " " +
                     instance.type->name + ", not a value",
                 "name one of its variables");
  }
  auto record = std::make_shared<RecordValue>();
  record->type = instance.type;
  for (Component& component : instance.components) {
    if (component.member == nullptr) {
      continue;
    }
    const ast::ReferencePart part{
        .name = {.text = component.member->name, .span = span}};
    record->fields.emplace_back(
        component.member->name,
        ReadComponent(context, component, std::span(&part, 1), span));
  }
  return {.record = record};
}

Value ReadRecord(LoweringContext& context,
                 Component& component,
                 const ast::Span& span) {
  if (component.shape.empty()) {
    return ReadInstance(context, *component.elements.front(), span);
  }
  const ast::ClassKind kind = component.type->kind();
  if (kind != ast::ClassKind::kRecord && kind != ast::ClassKind::kConnector) {
    context.Fail(span,
                 "'" + component.path() + "' is an array of components of " +
                     component.type->name + ", not a value",
                 "name one of its variables");
  }
  if (DifferInSize(context, component)) {
    std::vector<Value> elements;
    for (Instance* const element : component.elements) {
      elements.push_back(ReadInstance(context, *element, span));
    }
    return Arrange(context, std::move(elements), component.shape, span);
  }
  if (component.elements.empty()) {
    return NoElements(context.session, component.type, component.shape);
  }
  auto record = std::make_shared<RecordValue>();
  record->type = component.type;
  record->shape = component.shape;
  for (const Member& member : component.type->members) {
    if (member.clause == nullptr) {
      continue;
    }
    const ast::ReferencePart part{.name = {.text = member.name, .span = span}};
    record->fields.emplace_back(
        member.name,
        ReadElements(context, component, std::span(&part, 1), span));
  }
  return {.record = record};
}

}  // namespace

Value ReadComponent(LoweringContext& context,
                    Component& given,
                    std::span<const ast::ReferencePart> parts,
                    const ast::Span& span) {
  if (!Elaborate(context.session, given)) {
    throw Abandoned{};
  }
  Component& component = Target(given);
  if (component.is_absent) {
    context.Fail(span, WhyAbsent(component), HowToHave(component));
  }
  const auto& subscripts = parts.front().subscripts;
  const auto rest = parts.subspan(1);
  if (component.is_predefined()) {
    if (!rest.empty()) {
      context.Fail(rest.front().name.span,
                   "'" + component.path() + "' is " + component.type->name +
                       Describe(component.shape) + "; it has no element '" +
                       std::string(rest.front().name.text) + "'");
    }
    Value value = ReadPredefined(context, component, span);
    if (subscripts.empty()) {
      return value;
    }
    return Select(context,
                  value,
                  LowerPickingSubscripts(
                      context, component, subscripts, value.shape(), span));
  }
  if (const auto element =
          ConstantElement(context, subscripts, component, span)) {
    Instance& instance = *component.elements[*element];
    if (!rest.empty()) {
      CheckDeclared(context, instance, rest.front().name);
    }
    return rest.empty() ? ReadInstance(context, instance, span)
                        : ReadComponent(
                              context,
                              MemberNamed(context, instance, rest.front().name),
                              rest,
                              span);
  }
  Value whole = rest.empty() ? ReadRecord(context, component, span)
                             : ReadElements(context, component, rest, span);
  return subscripts.empty()
             ? whole
             : Select(
                   context,
                   whole,
                   LowerPickingSubscripts(
                       context, component, subscripts, component.shape, span));
}

Value ReadInput(LoweringContext& context,
                Component& input,
                const ast::Span& span) {
  if (input.binding.function != nullptr) {
    return input.binding;
  }
  return input.is_predefined() ? ReadPredefined(context, input, span)
                               : ReadRecord(context, input, span);
}

}  // namespace orrery::modelica::internal
