#pragma once

#include <cstddef>
#include <string>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// The formula in LaTeX: fractions, roots, powers; dotted names as subscripts
/// (`spring.k` is k_{\mathrm{spring}}), names of Greek letters as such, der(x)
/// as \dot{x}.
[[nodiscard]] std::string ToLatex(Expr expr, std::size_t max_length = 20000);

/// Returns the range of an iterator in LaTeX: "i=2,\dots,9", "i=9,7,\dots,1".
[[nodiscard]] std::string IterationToLatex(Expr iterator);

}  // namespace orrery
