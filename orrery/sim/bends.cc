#include "orrery/sim/internal/bends.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/base/pattern.h"

namespace orrery::internal {
namespace {

// Parts of a signal's range that interpolation may be off by: chords of what
// has no derivative take many rows to come nearer.
constexpr double kOfChord = 1e-4;
constexpr double kOfCubic = 1e-6;

bool IsFollowed(const SignalInfo& signal,
                std::span<const std::string> followed) {
  return signal.column != SignalInfo::kNone &&
         signal.variability == SignalVariability::kContinuous &&
         std::ranges::any_of(followed, [&](const std::string& pattern) {
           return FitsPattern(pattern, signal.name);
         });
}

}  // namespace

Bends::Bends(const SignalTable& table,
             std::span<const std::string> followed,
             double tolerance)
    : tolerance_(tolerance) {
  for (const SignalInfo& signal : table.signals()) {
    if (!IsFollowed(signal, followed)) {
      continue;
    }
    Column column{.value = static_cast<std::size_t>(signal.column),
                  .low = std::numeric_limits<double>::infinity(),
                  .high = -std::numeric_limits<double>::infinity()};
    if (signal.derivative != SignalInfo::kNone) {
      const SignalInfo& derivative =
          table.signals()[static_cast<std::size_t>(signal.derivative)];
      column.slope = static_cast<std::size_t>(derivative.column);
      column.sign = signal.negated == derivative.negated ? 1 : -1;
    }
    columns_.push_back(column);
  }
}

void Bends::See(std::span<const double> row) {
  for (Column& column : columns_) {
    column.low = std::min(column.low, row[column.value]);
    column.high = std::max(column.high, row[column.value]);
  }
}

bool Bends::IsStraight(const TimedRow& begin,
                       const TimedRow& between,
                       const TimedRow& end) const {
  const double h = end.t - begin.t;
  const double theta = (between.t - begin.t) / h;
  return std::ranges::all_of(columns_, [&](const Column& column) {
    const double a = begin.values[column.value];
    const double b = end.values[column.value];
    double expected = a + theta * (b - a);
    if (column.slope != kNone) {
      const double left =
          h * column.sign * begin.values[column.slope] - (b - a);
      const double right = h * column.sign * end.values[column.slope] - (b - a);
      expected += theta * (1 - theta) * ((1 - theta) * left - theta * right);
    }
    const double size = std::max(std::abs(column.low), std::abs(column.high));
    const double part = column.slope == kNone ? kOfChord : kOfCubic;
    const double allowed =
        std::max(part * (column.high - column.low), tolerance_ * size);
    return std::abs(between.values[column.value] - expected) <= allowed;
  });
}

}  // namespace orrery::internal
