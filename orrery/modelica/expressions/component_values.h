#pragma once

#include <span>

#include "orrery/modelica/values/lowering_context.h"

/// Values of components, of records and of arrays of components.
namespace orrery::modelica::internal {

/// The value of a component.
/// @param parts of the reference, the component's own first: with its
/// subscripts,
///     and the elements of it that are read.
Value ReadComponent(LoweringContext& context,
                    Component& given,
                    std::span<const ast::ReferencePart> parts,
                    const ast::Span& span);

/// The value of an input of a function, in its body.
Value ReadInput(LoweringContext& context,
                Component& input,
                const ast::Span& span);

}  // namespace orrery::modelica::internal
