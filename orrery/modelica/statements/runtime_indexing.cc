#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/selection.h"

/// Assignments to elements of arrays of records that only the run picks. Each
/// element has variables of its own: for the assignment, the same variable of
/// all elements is an array, of which one element, or some, are assigned.
namespace orrery::modelica::internal {

void StatementLowering::CollectPlace(const NamedPlace& place,
                                     const Value& value,
                                     const ast::Span& span,
                                     Assignments& out) {
  if (place.rest.empty()) {
    Collect(*place.component, *place.subscripts, value, span, out);
  } else {
    CollectInRun(place, value, span, out);
  }
}

void StatementLowering::CollectInRun(const NamedPlace& place,
                                     const Value& value,
                                     const ast::Span& span,
                                     Assignments& out) {
  Picked picked{.components = {place.component}};
  AddDimensions(picked, *place.subscripts, span);
  for (const ast::ReferencePart& part : place.rest) {
    picked = MembersOf(picked, part);
  }
  CollectPicked(picked, value, span, out);
}

// The dimensions of the components themselves come behind those around them.
void StatementLowering::AddDimensions(Picked& picked,
                                      const ast::Expressions& subscripts,
                                      const ast::Span& span) {
  for (Component* const component : picked.components) {
    if (!Elaborate(session_, *component)) {
      throw Abandoned{};
    }
  }
  const Component& first = *picked.components.front();
  const Shape& shape = first.shape;
  const auto is_different = [&](const Component* other) {
    return other->shape != shape;
  };
  if (std::ranges::any_of(picked.components, is_different)) {
    lowering_.Fail(span,
                   "cannot assign to an element that only the run knows: '" +
                       first.path() +
                       "' has not the same size in all of the elements",
                   "assign to each element by a subscript that is a constant");
  }
  auto own = LowerSubscripts(lowering_, subscripts, shape, span);
  for (std::size_t i = own.size(); i < shape.size(); ++i) {
    own.push_back({.range = orrery::Range{.count = shape[i]}});
  }
  picked.shape.insert(picked.shape.end(), shape.begin(), shape.end());
  picked.subscripts.insert(picked.subscripts.end(), own.begin(), own.end());
}

StatementLowering::Picked StatementLowering::MembersOf(
    const Picked& picked, const ast::ReferencePart& part) {
  Picked members{.shape = picked.shape, .subscripts = picked.subscripts};
  for (const Component* const component : picked.components) {
    if (component->is_predefined()) {
      lowering_.Fail(part.name.span,
                     "'" + component->path() + "' has no elements");
    }
    for (Instance* const element : component->elements) {
      members.components.push_back(
          &MemberNamed(lowering_, *element, part.name));
    }
  }
  if (members.components.empty()) {
    lowering_.Fail(part.name.span,
                   "cannot assign to an element of an array that has none");
  }
  AddDimensions(members, part.subscripts, part.name.span);
  return members;
}

void StatementLowering::CollectPicked(const Picked& picked,
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
    lowering_.Fail(span,
                   what + ": that is " + first.type->name + Describe(selected));
  }
  for (const Component& field : first.elements.front()->components) {
    if (field.member == nullptr) {
      continue;
    }
    const std::string_view name = field.member->name;
    const Value* const part = value.record->Find(name);
    if (part == nullptr) {
      lowering_.Fail(span,
                     what + ": it has no field '" + std::string(name) + "'");
    }
    CollectPicked(MembersOf(picked, {.name = {.text = name, .span = span}}),
                  *part,
                  span,
                  out);
  }
}

void StatementLowering::CollectPickedNumbers(const Picked& picked,
                                             const Value& value,
                                             const ast::Span& span,
                                             Assignments& out) {
  Component& first = *picked.components.front();
  if (!first.symbol) {
    lowering_.Fail(span, "String '" + first.path() + "' cannot be assigned to");
  }
  const Shape selected = SelectedShape(picked.shape, picked.subscripts);
  const Value fitted = ConvertTo(
      lowering_, value, first.type, &selected, span, "'" + first.path() + "'");
  const Expr array = session_.graph.Symbol(
      {.name = "elements", .type = first.symbol.type(), .shape = picked.shape});
  temporaries_.push_back({.symbol = array});
  Target target{.symbol = array, .subscripts = picked.subscripts, .span = span};
  for (Component* const component : picked.components) {
    target.parts.push_back(assign_(*component, span));
  }
  picked_.insert(picked_.end(), target.parts.begin(), target.parts.end());
  out.emplace_back(std::move(target), fitted.expr);
}

//   elements[1] := a[1].x; elements[2] := a[2].x; ...
//   elements[i] := value;
//   a[1].x := elements[1]; a[2].x := elements[2]; ...
void StatementLowering::AssignParts(const Target& target,
                                    Expr value,
                                    Statements& out) {
  const Expr array = target.symbol;
  if (NumElements(array.shape()) == 0) {
    return;
  }
  const auto own_rank =
      static_cast<std::ptrdiff_t>(target.parts.front().shape().size());
  const Shape around(array.shape().begin(), array.shape().end() - own_rank);
  const SourceSpan where = Where(target.span);
  std::vector<std::vector<Expr>> places;
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    std::vector<Expr>& at = places.emplace_back();
    for (const std::int64_t number :
         SubscriptsOf(around, static_cast<std::int64_t>(i))) {
      at.push_back(IntegerOf(session_.graph, number));
    }
    out.push_back({.step = Assignment{.target = array,
                                      .subscripts = at,
                                      .value = target.parts[i]},
                   .span = where});
  }
  Assign(target, value, out);
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    out.push_back(
        {.step = Assignment{.target = target.parts[i],
                            .value = session_.graph.Index(array, places[i])},
         .span = where});
  }
}

}  // namespace orrery::modelica::internal
