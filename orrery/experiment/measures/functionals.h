#pragma once

#include <cstddef>

#include "orrery/base/values/direction.h"
#include "orrery/experiment/measures/run_formula.h"

namespace orrery::experiment::internal {

/// The functionals of a formula over a run with rows; see Measure.

struct Extreme {
  double value = 0;     ///< NaN if the formula has no values.
  double time = 0;      ///< Its time; the last time of a plateau.
  std::size_t row = 0;  ///< The row of the piece with the extreme.
  double since = 0;     ///< The first time of the extreme.
};

[[nodiscard]] Extreme Maximum(RunFormula& e);
[[nodiscard]] Extreme Minimum(RunFormula& e);

/// See Quadrature.
[[nodiscard]] double Integral(RunFormula& e);

/// The integral of the square.
[[nodiscard]] double IntegralOfSquare(RunFormula& e);

/// The value at a time of the run, after an event there; NaN outside of it.
[[nodiscard]] double ValueAt(RunFormula& e, double t);

/// The first time at which `e` is at `level` or beyond it, in the given
/// direction, rising or falling; NaN if it never is.
[[nodiscard]] double FirstReached(RunFormula& e,
                                  double level,
                                  Direction direction);

/// The time from which on it stays within `band` of `target`, to the end; NaN
/// if it is outside at the end.
[[nodiscard]] double SettledSince(RunFormula& e, double target, double band);

/// The functionals of a condition.
struct Holding {
  double first = 0;     ///< NaN if it never holds.
  double duration = 0;  ///< s
  double count = 0;     ///< How often it begins to hold after the start.
};

[[nodiscard]] Holding WhereItHolds(RunFormula& condition);

}  // namespace orrery::experiment::internal
