#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// True if `f` is a product, a quotient or a negation.
[[nodiscard]] bool IsProduct(Expr f);

/// Returns a factor sign(x) of `product` whose jump another factor cancels,
/// because it vanishes with x, as in sign(x)*x^2; empty if there is none.
[[nodiscard]] Expr SignWithoutJump(Expr product, FormulaWalk& walk);

}  // namespace orrery::compile::internal
