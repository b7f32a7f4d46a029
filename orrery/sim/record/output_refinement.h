#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::sim::internal {

/// A row, not necessarily recorded.
struct TimedRow {
  double t = 0;
  std::span<const double> values;  ///< By column.
};

/// Tells which rows suffice: the interpolation of Signal::at between two rows
/// may be off by a small part of the range that a signal has moved in so far.
class OutputRefinement {
 public:
  /// @param table signals; those without a derivative are not followed.
  /// @param followed patterns of the names of the followed signals.
  /// @param tolerance relative error of the run.
  OutputRefinement(const SignalTable& table,
                   std::span<const std::string> followed,
                   double tolerance);

  /// True if any signal is followed.
  [[nodiscard]] bool AreFollowed() const noexcept { return !columns_.empty(); }

  /// Extends the signals' ranges by a row.
  void See(std::span<const double> row);

  /// True if interpolation between `begin` and `end` gives `between`.
  [[nodiscard]] bool IsStraight(const TimedRow& begin,
                                const TimedRow& between,
                                const TimedRow& end) const;

 private:
  struct Column {
    std::size_t value = 0;
    std::size_t slope = 0;  ///< Column of the derivative.
    double sign = 1;        ///< Sign of the derivative there.
    double low = 0;         ///< Least and greatest value so far.
    double high = 0;
  };

  std::vector<Column> columns_;
  double tolerance_;
};

}  // namespace orrery::sim::internal
