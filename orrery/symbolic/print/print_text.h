#pragma once

#include <cstddef>
#include <string>

#include "orrery/base/text/value_format.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/op.h"

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

}  // namespace orrery
