#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::internal {

/// A row, not necessarily recorded.
struct TimedRow {
  double t = 0;
  std::span<const double> values;  ///< By column.
};

/// Whether what signals do between two rows can be told from these, by the
/// interpolation of Signal::at: within a small part of the range that they have
/// moved in so far.
class Bends {
 public:
  /// @param table in which all that may bend have derivatives.
  /// @param followed patterns of the names of those that matter.
  /// @param tolerance the part of a value that is an error of the run anyway.
  Bends(const SignalTable& table,
        std::span<const std::string> followed,
        double tolerance);

  /// Whether any signal matters.
  [[nodiscard]] bool AreFollowed() const noexcept { return !columns_.empty(); }

  /// Takes note of how far the signals move.
  void See(std::span<const double> row);

  /// Whether the row between two others tells nothing new.
  [[nodiscard]] bool IsStraight(const TimedRow& begin,
                                const TimedRow& between,
                                const TimedRow& end) const;

 private:
  struct Column {
    std::size_t value = 0;
    std::size_t slope = 0;  ///< Of its derivative.
    double sign = 1;        ///< Of the derivative in its column.
    double low = 0;         ///< What was seen.
    double high = 0;
  };

  std::vector<Column> columns_;
  double tolerance_;
};

}  // namespace orrery::internal
