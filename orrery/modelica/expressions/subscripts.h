#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"

/// Subscripts as they are written.
namespace orrery::modelica::internal {

/// Subscripts of an array of `shape`, within its bounds.
/// @param indexed has dimensions whose types must fit; may be null.
std::vector<Subscript> LowerSubscripts(LoweringContext& context,
                                       const ast::Expressions& subscripts,
                                       const Shape& shape,
                                       const ast::Span& span,
                                       const Component* indexed = nullptr);

/// The same for a component: with the values of parameters if it is an unknown,
/// since sorting needs to know which unknown is selected.
std::vector<Subscript> LowerPickingSubscripts(
    LoweringContext& context,
    const Component& component,
    const ast::Expressions& subscripts,
    const Shape& shape,
    const ast::Span& span);

/// The number of the element, from 0, if the subscripts are constant.
std::optional<std::size_t> ConstantElement(LoweringContext& context,
                                           const ast::Expressions& subscripts,
                                           const Component& indexed,
                                           const ast::Span& span);

/// True if only the run knows which elements subscripts select of an array of
/// `shape`. Throws NeedsUnrolling if iterators determine it.
bool IsIndexedAtRunTime(LoweringContext& context,
                        const ast::Expressions& subscripts,
                        const Shape& shape,
                        const ast::Span& span);

}  // namespace orrery::modelica::internal
