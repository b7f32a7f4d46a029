#pragma once

#include "orrery/symbolic/graph.h"

namespace orrery {

// The functions of formulas, found by argument-dependent lookup, so that
// equations read as on paper: `sin(angle)`, `max(speed, 0.0)`. A number next to
// an Expr is a constant. Comparisons have names, as `==` and `<` on handles
// must keep their C++ meaning.

// NOLINTBEGIN(readability-identifier-naming): these are the names of <cmath>.
Expr abs(Expr a);
Expr sign(Expr a);  ///< -1, 0 or 1.
Expr sqrt(Expr a);
Expr exp(Expr a);
Expr log(Expr a);  ///< The natural logarithm.
Expr log10(Expr a);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tan(Expr a);
Expr asin(Expr a);
Expr acos(Expr a);
Expr atan(Expr a);
Expr sinh(Expr a);
Expr cosh(Expr a);
Expr tanh(Expr a);
Expr floor(Expr a);
Expr ceil(Expr a);

Expr pow(Expr base, Expr exponent);
Expr pow(Expr base, double exponent);
Expr pow(double base, Expr exponent);
Expr atan2(Expr y, Expr x);
Expr min(Expr a, Expr b);
Expr min(Expr a, double b);
Expr min(double a, Expr b);
Expr max(Expr a, Expr b);
Expr max(Expr a, double b);
Expr max(double a, Expr b);
Expr mod(Expr a, Expr b);  ///< a - floor(a/b)*b.
Expr mod(Expr a, double b);
Expr rem(Expr a, Expr b);  ///< a - div(a, b)*b.
Expr rem(Expr a, double b);
Expr div(Expr a, Expr b);  ///< a/b rounded toward zero.
Expr div(Expr a, double b);

/// Returns `if_true` if `condition` holds, else `if_false`.
Expr select(Expr condition, Expr if_true, Expr if_false);
Expr select(Expr condition, Expr if_true, double if_false);
Expr select(Expr condition, double if_true, Expr if_false);
Expr select(Expr condition, double if_true, double if_false);
// NOLINTEND(readability-identifier-naming)

Expr Less(Expr a, Expr b);
Expr Less(Expr a, double b);
Expr Less(double a, Expr b);
Expr LessEqual(Expr a, Expr b);
Expr LessEqual(Expr a, double b);
Expr LessEqual(double a, Expr b);
Expr Greater(Expr a, Expr b);
Expr Greater(Expr a, double b);
Expr GreaterEqual(Expr a, Expr b);
Expr GreaterEqual(Expr a, double b);
Expr Equal(Expr a, Expr b);
Expr Equal(Expr a, double b);
Expr NotEqual(Expr a, Expr b);
Expr NotEqual(Expr a, double b);
Expr And(Expr a, Expr b);
Expr Or(Expr a, Expr b);
Expr Not(Expr a);

}  // namespace orrery
