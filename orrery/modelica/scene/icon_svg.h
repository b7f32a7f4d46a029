#pragma once

#include <string>

#include "orrery/modelica/scene/scene.h"

namespace orrery::modelica {

/// The primitives as a fragment of SVG, a `<g>` in the coordinates of the icon
/// with y downwards. Texts are `<text data-slot="N">` with the corners of their
/// extents as data, for who knows how wide letters are. A primitive that a
/// result changes is in a `<g data-dynamic="N">` with its number.
[[nodiscard]] std::string ToSvg(const Icon& icon);

}  // namespace orrery::modelica
