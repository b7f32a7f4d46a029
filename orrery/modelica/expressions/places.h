#pragma once

#include <span>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// The targets of assignments and connections: components and their elements.
namespace orrery::modelica::internal {

/// The component that a reference names and its remaining subscripts: a target
/// of an assignment or connection. Subscripts of arrays of components are
/// evaluated.
struct NamedPlace {
  Component* component = nullptr;
  const ast::Expressions* subscripts = nullptr;
  /// The parts behind the subscripts, if only the run knows which elements of
  /// an array of components are selected.
  std::span<const ast::ReferencePart> rest = {};
};

/// The place that a reference names. Subscripts of arrays of components are
/// known.
NamedPlace FindPlace(LoweringContext& context,
                     const ast::ComponentReference& reference);

/// Like FindPlace(), but subscripts of arrays of components may vary in a run.
NamedPlace FindPickedPlace(LoweringContext& context,
                           const ast::ComponentReference& reference);

/// The elements of an array of components that subscripts select.
struct SelectedElements {
  std::vector<Instance*> instances;
  Shape shape;
};

/// The elements that subscripts select of an array of components.
SelectedElements SelectElements(LoweringContext& context,
                                Component& component,
                                const ast::Expressions& subscripts,
                                const ast::Span& span);

}  // namespace orrery::modelica::internal
