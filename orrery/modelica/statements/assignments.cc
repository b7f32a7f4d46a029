#include "orrery/modelica/statements/assignments.h"

#include <algorithm>
#include <array>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/statements/relations.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {

void AssignmentLowering::Collect(Component& component,
                                 const ast::Expressions& subscripts,
                                 const Value& value,
                                 const ast::Span& span,
                                 Assignments& out) {
  if (!Elaborate(context_.session, component)) {
    throw Abandoned{};
  }
  if (!component.is_predefined()) {
    CollectRecords(component, subscripts, value, span, out);
    return;
  }
  Target target;
  target.symbol = context_.assign(component, span);
  target.subscripts = LowerSubscripts(
      context_.lowering, subscripts, component.shape, span, &component);
  target.span = span;
  const Shape shape = SelectedShape(component.shape, target.subscripts);
  Value fitted = ConvertTo(context_.lowering,
                           value,
                           component.type,
                           &shape,
                           span,
                           "'" + component.path() + "'");
  const Expr numbers = fitted.expr;
  if (component.type->built_in == BuiltIn::kString) {
    target.text = &component;
    target.value = std::move(fitted);
  }
  out.emplace_back(std::move(target), numbers);
}

// The fields of a record, or of those elements of an array of records that the
// subscripts pick.
void AssignmentLowering::CollectRecords(Component& component,
                                        const ast::Expressions& subscripts,
                                        const Value& value,
                                        const ast::Span& span,
                                        Assignments& out) {
  if (IsIndexedAtRunTime(
          context_.lowering, subscripts, component.shape, span)) {
    CollectInRun(
        {.component = &component, .subscripts = &subscripts}, value, span, out);
    return;
  }
  const std::string what =
      "cannot assign " + Describe(value) + " to '" + component.path() + "'";
  const SelectedElements elements =
      SelectElements(context_.lowering, component, subscripts, span);
  if (value.record == nullptr || value.record->shape != elements.shape) {
    context_.lowering.Fail(
        span,
        what + ", which is " + component.type->name + Describe(elements.shape));
  }
  const std::vector<Value> values = ElementsOf(context_.lowering, value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (Component& field : elements.instances[i]->components) {
      if (field.member == nullptr) {
        continue;
      }
      const Value* const part = values[i].record->Find(field.member->name);
      if (part == nullptr) {
        context_.lowering.Fail(span,
                               what + ": it has no field '" +
                                   std::string(field.member->name) + "'");
      }
      Collect(field, {}, *part, span, out);
    }
  }
}

void AssignmentLowering::AssignAll(const Assignments& assignments,
                                   const ast::Span& span,
                                   Statements& out) {
  // All values are computed before any variable changes.
  std::vector<Expr> values;
  std::vector<Value> texts;
  for (const auto& [target, value] : assignments) {
    if (target.text != nullptr) {
      texts.push_back(context_.texts.Kept(target.value, span, out));
      values.emplace_back();
      continue;
    }
    const bool is_part = std::ranges::any_of(
        target.subscripts, [](const auto& s) { return !s.scalar; });
    if (NumElements(value.shape()) > 0 && (assignments.size() > 1 || is_part) &&
        !value.is_constant()) {
      values.push_back(context_.Temporary(value, "new"));
      out.push_back(
          {.step = Assignment{.target = values.back(), .value = value},
           .span = context_.Where(span)});
    } else {
      values.push_back(value);
    }
  }
  auto text = texts.begin();
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    const Target& target = assignments[i].first;
    if (target.text != nullptr) {
      context_.texts.Assign(*target.text, *text++, span, out);
    } else if (target.parts.empty()) {
      Assign(target, values[i], out);
    } else {
      AssignParts(target, values[i], out);
    }
  }
}

void AssignmentLowering::Assign(const Target& target,
                                Expr value,
                                Statements& out) {
  if (NumElements(value.shape()) == 0) {
    return;
  }
  ExprGraph& graph = context_.session.graph;
  std::vector<Expr> at;
  std::vector<Expr> loops;
  std::vector<Expr> in_value;
  for (const Subscript& subscript : target.subscripts) {
    if (subscript.scalar) {
      at.push_back(subscript.scalar);
      continue;
    }
    const std::int64_t count =
        subscript.range ? subscript.range->count : subscript.vector.shape()[0];
    const Expr iterator = graph.Iterator("i", {.count = count});
    loops.push_back(iterator);
    in_value.push_back(iterator);
    if (subscript.vector) {
      at.push_back(graph.Index(subscript.vector, std::array{iterator}));
    } else {
      at.push_back(IntegerOf(graph, subscript.range->start) +
                   IntegerOf(graph, subscript.range->step) *
                       (iterator - IntegerOf(graph, 1)));
    }
  }
  out.push_back(
      InLoops({.step = Assignment{.target = target.symbol,
                                  .subscripts = at,
                                  .value = graph.Index(value, in_value)},
               .span = context_.Where(target.span)},
              loops));
}

void AssignmentLowering::Lower(const ast::Assignment& assignment,
                               const ast::Span& span,
                               Statements& out) {
  const NamedPlace place =
      FindPickedPlace(context_.lowering, assignment.target);
  if (place.rest.empty()) {  // The value may have the size of a slice.
    LowerSubscripts(context_.lowering,
                    *place.subscripts,
                    place.component->shape,
                    assignment.target.span);
  }
  const Value value = LowerExpression(context_.lowering, *assignment.value);
  Assignments assignments;
  CollectPlace(place, value, assignment.target.span, assignments);
  AssignAll(assignments, span, out);
}

void AssignmentLowering::LowerMulti(const ast::MultiAssignment& assignment,
                                    const ast::Span& span,
                                    Statements& out) {
  const std::vector<Value> values =
      CallAll(context_.lowering, *assignment.call);
  if (assignment.targets.size() > values.size()) {
    context_.lowering.Fail(span,
                           "the function has " + std::to_string(values.size()) +
                               " outputs, fewer than the " +
                               std::to_string(assignment.targets.size()) +
                               " on the left side");
  }
  Assignments assignments;
  for (std::size_t i = 0; i < assignment.targets.size(); ++i) {
    const ast::Expression* const target = assignment.targets[i];
    if (target == nullptr) {
      continue;
    }
    const auto* const reference =
        std::get_if<ast::ComponentReference>(&target->node);
    if (reference == nullptr) {
      context_.lowering.Fail(target->span, "only variables can be assigned to");
    }
    const NamedPlace place = FindPickedPlace(context_.lowering, *reference);
    CollectPlace(place, values[i], target->span, assignments);
  }
  AssignAll(assignments, span, out);
}

void AssignmentLowering::CollectPlace(const NamedPlace& place,
                                      const Value& value,
                                      const ast::Span& span,
                                      Assignments& out) {
  if (place.rest.empty()) {
    Collect(*place.component, *place.subscripts, value, span, out);
  } else {
    CollectInRun(place, value, span, out);
  }
}

void AssignmentLowering::CollectInRun(const NamedPlace& place,
                                      const Value& value,
                                      const ast::Span& span,
                                      Assignments& out) {
  PickedTarget picked{.components = {place.component}};
  AddDimensions(context_.lowering, picked, *place.subscripts, span);
  for (const ast::ReferencePart& part : place.rest) {
    picked = MembersOf(context_.lowering, picked, part);
  }
  CollectPicked(picked, value, span, out);
}

void AssignmentLowering::CollectPicked(const PickedTarget& picked,
                                       const Value& value,
                                       const ast::Span& span,
                                       Assignments& out) {
  const Component& first = *picked.components.front();
  if (first.is_predefined()) {
    CollectPickedNumbers(picked, value, span, out);
    return;
  }
  const Shape selected = SelectedShape(picked.shape, picked.subscripts);
  const std::string what = "cannot assign " + Describe(value) +
                           " to elements of '" +
                           picked.components.front()->path() + "'";
  if (value.record == nullptr || value.record->shape != selected) {
    context_.lowering.Fail(
        span, what + ": that is " + first.type->name + Describe(selected));
  }
  for (const Component& field : first.elements.front()->components) {
    if (field.member == nullptr) {
      continue;
    }
    const std::string_view name = field.member->name;
    const Value* const part = value.record->Find(name);
    if (part == nullptr) {
      context_.lowering.Fail(
          span, what + ": it has no field '" + std::string(name) + "'");
    }
    CollectPicked(
        MembersOf(
            context_.lowering, picked, {.name = {.text = name, .span = span}}),
        *part,
        span,
        out);
  }
}

void AssignmentLowering::CollectPickedNumbers(const PickedTarget& picked,
                                              const Value& value,
                                              const ast::Span& span,
                                              Assignments& out) {
  Component& first = *picked.components.front();
  if (!first.symbol) {
    context_.lowering.Fail(
        span, "String '" + first.path() + "' cannot be assigned to");
  }
  const Shape selected = SelectedShape(picked.shape, picked.subscripts);
  const Value fitted = ConvertTo(context_.lowering,
                                 value,
                                 first.type,
                                 &selected,
                                 span,
                                 "'" + first.path() + "'");
  const Expr array = context_.session.graph.Symbol(
      {.name = "elements", .type = first.symbol.type(), .shape = picked.shape});
  context_.temporaries.push_back({.symbol = array});
  Target target{.symbol = array, .subscripts = picked.subscripts, .span = span};
  for (Component* const component : picked.components) {
    target.parts.push_back(context_.assign(*component, span));
  }
  context_.picked.insert(
      context_.picked.end(), target.parts.begin(), target.parts.end());
  out.emplace_back(std::move(target), fitted.expr);
}

//   elements[1] := a[1].x; elements[2] := a[2].x; ...
//   elements[i] := value;
//   a[1].x := elements[1]; a[2].x := elements[2]; ...
void AssignmentLowering::AssignParts(const Target& target,
                                     Expr value,
                                     Statements& out) {
  const Expr array = target.symbol;
  if (NumElements(array.shape()) == 0) {
    return;
  }
  const auto own_rank =
      static_cast<std::ptrdiff_t>(target.parts.front().shape().size());
  const Shape around(array.shape().begin(), array.shape().end() - own_rank);
  const SourceSpan where = context_.Where(target.span);
  std::vector<std::vector<Expr>> places;
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    std::vector<Expr>& at = places.emplace_back();
    for (const std::int64_t number :
         SubscriptsOf(around, static_cast<std::int64_t>(i))) {
      at.push_back(IntegerOf(context_.session.graph, number));
    }
    out.push_back({.step = Assignment{.target = array,
                                      .subscripts = at,
                                      .value = target.parts[i]},
                   .span = where});
  }
  Assign(target, value, out);
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    out.push_back({.step = Assignment{.target = target.parts[i],
                                      .value = context_.session.graph.Index(
                                          array, places[i])},
                   .span = where});
  }
}

}  // namespace orrery::modelica::internal
