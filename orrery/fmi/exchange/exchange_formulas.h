#pragma once

#include <span>

#include "orrery/symbolic/graph.h"

namespace orrery::fmi {

/// A whole number or truth as a formula of its type, from its number.
[[nodiscard]] Expr AsType(Expr real, orrery::ValueType type);

/// True in a microstep in which one of these discrete quantities changes.
[[nodiscard]] Expr HasChanged(ExprGraph& graph,
                              std::span<const Expr> quantities);

}  // namespace orrery::fmi
