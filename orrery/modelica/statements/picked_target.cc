#include "orrery/modelica/statements/picked_target.h"

#include <algorithm>
#include <cstddef>

#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/values/names.h"

namespace orrery::modelica::internal {

void AddDimensions(LoweringContext& context,
                   PickedTarget& picked,
                   const ast::Expressions& subscripts,
                   const ast::Span& span) {
  for (Component* const component : picked.components) {
    if (!Elaborate(context.session, *component)) {
      throw Abandoned{};
    }
  }
  const Component& first = *picked.components.front();
  const Shape& shape = first.shape;
  const auto is_different = [&](const Component* other) {
    return other->shape != shape;
  };
  if (std::ranges::any_of(picked.components, is_different)) {
    context.Fail(span,
                 "cannot assign to an element that only the run knows: '" +
                     first.path() +
                     "' has not the same size in all of the elements",
                 "assign to each element by a subscript that is a constant");
  }
  auto own = LowerSubscripts(context, subscripts, shape, span);
  for (std::size_t i = own.size(); i < shape.size(); ++i) {
    own.push_back({.range = orrery::Range{.count = shape[i]}});
  }
  picked.shape.insert(picked.shape.end(), shape.begin(), shape.end());
  picked.subscripts.insert(picked.subscripts.end(), own.begin(), own.end());
}

PickedTarget MembersOf(LoweringContext& context,
                       const PickedTarget& picked,
                       const ast::ReferencePart& part) {
  PickedTarget members{.shape = picked.shape, .subscripts = picked.subscripts};
  for (const Component* const component : picked.components) {
    if (component->is_predefined()) {
      context.Fail(part.name.span,
                   "'" + component->path() + "' has no elements");
    }
    for (Instance* const element : component->elements) {
      members.components.push_back(&MemberNamed(context, *element, part.name));
    }
  }
  if (members.components.empty()) {
    context.Fail(part.name.span,
                 "cannot assign to an element of an array that has none");
  }
  AddDimensions(context, members, part.subscripts, part.name.span);
  return members;
}

}  // namespace orrery::modelica::internal
