#pragma once

#include <cstddef>

#include "orrery/base/values/direction.h"
#include "orrery/experiment/measures/run_formula.h"

namespace orrery::internal {

/// What is taken of a formula over a run with rows; see Measure for what each
/// means.

struct Extreme {
  double value = 0;     ///< NaN if the formula has no values.
  double time = 0;      ///< Where it is; the last time of a plateau.
  std::size_t row = 0;  ///< Of the piece in which it is.
  double since = 0;     ///< Where it is first.
};

[[nodiscard]] Extreme Maximum(RunFormula& e);
[[nodiscard]] Extreme Minimum(RunFormula& e);

/// See Quadrature.
[[nodiscard]] double Integral(RunFormula& e);

/// Likewise, of its square.
[[nodiscard]] double IntegralOfSquare(RunFormula& e);

/// The value at a time of the run, after an event there; NaN outside of it.
[[nodiscard]] double ValueAt(RunFormula& e, double t);

/// The first time at which `e` is at `level` or beyond it, in the direction
/// that is given, rising or falling; NaN if it never is.
[[nodiscard]] double FirstReached(RunFormula& e,
                                  double level,
                                  Direction direction);

/// Since when it is within `band` of `target`, to the end; NaN if it is not at
/// the end.
[[nodiscard]] double SettledSince(RunFormula& e, double target, double band);

/// What is taken of a condition.
struct Holding {
  double first = 0;     ///< NaN if it never holds.
  double duration = 0;  ///< s
  double count = 0;     ///< Of beginnings after the start.
};

[[nodiscard]] Holding WhereItHolds(RunFormula& condition);

}  // namespace orrery::internal
