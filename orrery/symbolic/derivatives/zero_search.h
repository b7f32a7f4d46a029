#pragma once

#include <span>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

/// True if it is certain, from how its statements are written, that all outputs
/// of the function are 0 where the inputs `zeros` are: a sum of products with
/// these. Looks at scalars only.
[[nodiscard]] bool VanishesWith(const Function& function,
                                std::span<const Expr> zeros);

}  // namespace orrery
