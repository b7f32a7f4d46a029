#include "orrery/sim/record/output_refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/sim/record/record_layout.h"

namespace orrery::sim::internal {
namespace {

// Least and greatest interpolation error, relative to a signal's range: the
// run's tolerance, as far as cubics reach it with few rows.
constexpr double kFinest = 1e-9;
constexpr double kCoarsest = 1e-6;

}  // namespace

OutputRefinement::OutputRefinement(const SignalTable& table,
                                   std::span<const std::string> followed,
                                   double tolerance)
    : tolerance_(tolerance) {
  for (const SignalInfo& signal : table.signals()) {
    if (!IsFollowed(signal, followed) ||
        signal.derivative == SignalInfo::kNone) {
      continue;
    }
    const SignalInfo& derivative =
        table.signals()[static_cast<std::size_t>(signal.derivative)];
    columns_.push_back({.value = static_cast<std::size_t>(signal.column),
                        .slope = static_cast<std::size_t>(derivative.column),
                        .sign = signal.negated == derivative.negated ? 1.0 : -1,
                        .low = std::numeric_limits<double>::infinity(),
                        .high = -std::numeric_limits<double>::infinity()});
  }
}

void OutputRefinement::See(std::span<const double> row) {
  for (Column& column : columns_) {
    column.low = std::min(column.low, row[column.value]);
    column.high = std::max(column.high, row[column.value]);
  }
}

bool OutputRefinement::IsStraight(const TimedRow& begin,
                                  const TimedRow& between,
                                  const TimedRow& end) const {
  const double h = end.t - begin.t;
  const double theta = (between.t - begin.t) / h;
  const double part = std::clamp(tolerance_, kFinest, kCoarsest);
  return std::ranges::all_of(columns_, [&](const Column& column) {
    const double a = begin.values[column.value];
    const double b = end.values[column.value];
    const double left = h * column.sign * begin.values[column.slope] - (b - a);
    const double right = h * column.sign * end.values[column.slope] - (b - a);
    const double expected =
        a + theta * (b - a) +
        theta * (1 - theta) * ((1 - theta) * left - theta * right);
    const double size = std::max(std::abs(column.low), std::abs(column.high));
    const double allowed =
        std::max(part * (column.high - column.low), tolerance_ * size);
    return std::abs(between.values[column.value] - expected) <= allowed;
  });
}

}  // namespace orrery::sim::internal
