#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <boost/math/tools/minima.hpp>

#include "orrery/experiment/measures/run_formula.h"
#include "orrery/solver/steps/crossing.h"

namespace orrery::experiment::internal {

struct Sample {
  std::size_t row = 0;  ///< The next piece begins at this row, or before.
  double t = 0;
  double value = 0;
};

/// Calls `take` for samples in order: rows, ends of parts and some times
/// between. Between two samples with different times the signals are smooth or
/// constant; between two with the same time they jump.
template <typename Take>
void ForEachSample(RunFormula& e, Take take) {
  constexpr int kInnerSamples = 3;
  const auto take_part = [&](std::size_t row, double begin, double end) {
    for (int i = 1; i <= kInnerSamples; ++i) {
      const double t =
          std::lerp(begin, end, static_cast<double>(i) / (kInnerSamples + 1));
      take(Sample{row, t, e.Between(row, t)});
    }
  };
  for (std::size_t row = 0; row < e.rows(); ++row) {
    take(Sample{row, e.time(row), e[row]});
    if (!e.BeginsPiece(row)) {
      continue;
    }
    const std::span<const double> ends = e.PartsOf(row);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if (i > 0) {
        take(Sample{row, ends[i], e.Between(row, ends[i])});
      }
      take_part(row, ends[i], ends[i + 1]);
    }
  }
}

/// Adds up `value(begin, end)` over the parts of the piece that begins with
/// `row`.
template <typename Value>
double SumOverParts(RunFormula& e, std::size_t row, Value value) {
  const std::span<const double> ends = e.PartsOf(row);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    sum += value(ends[i], ends[i + 1]);
  }
  return sum;
}

/// Returns the time between two samples at which `excess(value)` rises above
/// zero; it has not done so at the first sample.
template <typename Excess>
double CrossingBetween(RunFormula& e,
                       const Sample& before,
                       const Sample& after,
                       Excess excess) {
  if (before.t == after.t) {
    return after.t;
  }
  return LocateCrossing(
             before.t,
             after.t,
             [&](double t) { return excess(e.Between(before.row, t)); },
             [](double value) { return value >= 0; })
      .after;
}

/// Returns the time of the maximum of a function between two times, to half of
/// the digits of their distance.
template <typename Function>
double TopBetween(double begin, double end, Function f) {
  constexpr int kBits = std::numeric_limits<double>::digits / 2;
  const double part =
      boost::math::tools::brent_find_minima(
          [&](double s) { return -f(std::lerp(begin, end, s)); },
          0.0,
          1.0,
          kBits)
          .first;
  return std::lerp(begin, end, part);
}

}  // namespace orrery::experiment::internal
