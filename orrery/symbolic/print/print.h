#pragma once

#include <string>

#include "orrery/base/text/value_format.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// The formula in Modelica's notation, with no more parentheses than needed:
/// "2*sin(time) - k*x/m". Shared parts are written out each time; beyond
/// `max_length` characters the rest is "...".
[[nodiscard]] std::string ToText(Expr expr, std::size_t max_length = 2000);

/// Returns the range of an iterator as in a for-clause: "i in 2:9", "i in
/// 9:-2:1".
[[nodiscard]] std::string IterationToText(Expr iterator);

/// Returns a value of this type as Modelica's String() writes it.
[[nodiscard]] std::string ToText(ValueType type,
                                 double value,
                                 const ValueFormat& format);

/// The formula in LaTeX: fractions, roots, powers; dotted names as subscripts
/// (`spring.k` is k_{\mathrm{spring}}), names of Greek letters as such, der(x)
/// as \dot{x}.
[[nodiscard]] std::string ToLatex(Expr expr, std::size_t max_length = 20000);

/// Returns the range of an iterator in LaTeX: "i=2,\dots,9", "i=9,7,\dots,1".
[[nodiscard]] std::string IterationToLatex(Expr iterator);

}  // namespace orrery
