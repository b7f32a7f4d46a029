#include "orrery/modelica/expressions/places.h"

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/selection.h"

namespace orrery::modelica::internal {

SelectedElements SelectElements(LoweringContext& context,
                                Component& component,
                                const ast::Expressions& subscripts,
                                const ast::Span& span) {
  if (subscripts.empty()) {
    return {.instances = component.elements, .shape = component.shape};
  }
  if (const auto element =
          ConstantElement(context, subscripts, component, span)) {
    return {.instances = {component.elements[*element]}};
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < component.elements.size(); ++i) {
    numbers.push_back(static_cast<double>(i));
  }
  if (component.shape.empty()) {
    context.Fail(
        span, "'" + component.path() + "' is no array: it has no subscripts");
  }
  const Expr selected = Select(
      context,
      context.session.graph.ArrayConstant(
          numbers, component.shape, ValueType::kInteger),
      LowerSubscripts(context, subscripts, component.shape, span, &component));
  SelectedElements elements{.shape = selected.shape()};
  for (const double number : EvaluateOrUnroll(
           context, selected, span, "a subscript that picks components")) {
    elements.instances.push_back(
        component.elements[static_cast<std::size_t>(number)]);
  }
  return elements;
}

NamedPlace FindPlace(LoweringContext& context,
                     const ast::ComponentReference& reference) {
  const NamedPlace place = FindPickedPlace(context, reference);
  if (!place.rest.empty()) {
    context.Fail(
        reference.span,
        "subscripts that pick components must be known when the model is "
        "translated");
  }
  return place;
}

NamedPlace FindPickedPlace(LoweringContext& context,
                           const ast::ComponentReference& reference) {
  if (!reference.is_global &&
      context.FindLocal(reference.parts.front().name.text) != nullptr) {
    context.Fail(reference.span, "an iterator cannot be assigned to");
  }
  std::size_t used = 0;
  Component* component = FindComponent(context, reference, used);
  for (std::size_t i = used - 1;; ++i) {
    if (!Elaborate(context.session, *component)) {
      throw Abandoned{};
    }
    component = &Target(*component);
    const ast::Expressions& subscripts = reference.parts[i].subscripts;
    if (i + 1 == reference.parts.size()) {
      return {.component = component, .subscripts = &subscripts};
    }
    if (component->is_predefined()) {
      context.Fail(reference.parts[i + 1].name.span,
                   "'" + component->path() + "' has no elements");
    }
    const auto element =
        ConstantElement(context, subscripts, *component, reference.span);
    if (!element) {
      if (!context.iterators.empty()) {
        throw NeedsUnrolling{};
      }
      return {.component = component,
              .subscripts = &subscripts,
              .rest = std::span(reference.parts.begin(), reference.parts.size())
                          .subspan(i + 1)};
    }
    component = &MemberNamed(
        context, *component->elements[*element], reference.parts[i + 1].name);
  }
}

}  // namespace orrery::modelica::internal
