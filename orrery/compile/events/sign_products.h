#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// Whether `f` is a product, a quotient or a negation.
[[nodiscard]] bool IsProduct(Expr f);

/// The sign(x) among the factors of `product` of which another vanishes with x,
/// as in sign(x)*x^2, so that there is no jump; empty if there is none.
[[nodiscard]] Expr SignWithoutJump(Expr product, FormulaWalk& walk);

}  // namespace orrery::internal
