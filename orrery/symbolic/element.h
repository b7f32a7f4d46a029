#pragma once

#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// Returns the element, or the subarray, of `array` at `subscripts`, which may
/// be formulas. It is taken inside elementwise operations, kBuild and kDer, so
/// that the rest of the array need not be computed. Empty if the formula is
/// nested too deeply.
[[nodiscard]] Expr ElementAt(Expr array, std::span<const Expr> subscripts);

/// The scalar elements of `whole`, row-major; itself if it is a scalar.
[[nodiscard]] std::vector<Expr> ElementsOf(Expr whole);

}  // namespace orrery
