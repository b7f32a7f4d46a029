#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::experiment::internal {

/// A signal of a run as all measures see it: as Signal, but with one value
/// where it is constant.
///
/// A signal is constant in pieces in which it moves by no more than rounding.
/// All adjacent pieces of this kind have the value of the first one. Beside
/// them
///
/// - values that differ from this value by rounding only have it, too: a signal
///   that is limited at an event does not exceed the limit by the last digit of
///   the event's time;
/// - a piece that becomes constant, or stops being so, without an event has a
///   bend inside: it continues the curve at its moving end, by the curvature of
///   the piece beyond, up to the constant value. A cubic would overshoot it.
class MeasuredSignal {
 public:
  /// @param time of all rows, which must outlive it. If empty, values are
  ///     available in rows only, and are not changed.
  MeasuredSignal(Signal signal, std::span<const double> time);

  [[nodiscard]] const std::string& name() const noexcept {
    return signal_.name();
  }

  [[nodiscard]] double operator[](std::size_t row) const noexcept {
    return values_.empty() ? signal_[row] : values_[row];
  }

  /// See Signal::Between.
  [[nodiscard]] double Between(std::size_t row, double t) const noexcept;

  /// See Signal::ControlPoints; also for bends.
  [[nodiscard]] std::array<double, 4> ControlPoints(
      std::size_t row) const noexcept;

 private:
  // The course of the signal in a piece.
  enum class Course : std::uint8_t {
    kMoves,
    kStandsStill,
    kTouchesRest,  // At one end: values near it, up to rounding, have its
                   // value.
    kComesToRest,  // By a bend.
    kLeavesRest
  };

  // A parabola from the moving end of a piece to the constant value, as a
  // function of the distance from that end.
  struct Bend {
    double value = 0;
    double slope = 0;
    double half_curvature = 0;
    double reach = 0;  // Positive; 0 if it never gets there.
  };

  [[nodiscard]] bool IsPiece(std::size_t row) const noexcept {
    return row + 1 < time_.size() && time_[row + 1] > time_[row];
  }

  [[nodiscard]] bool IsAtRest(std::size_t row) const noexcept {
    return row < courses_.size() && courses_[row] == Course::kStandsStill;
  }

  [[nodiscard]] double Rounding(std::size_t row) const noexcept;
  void FindRests();
  void JoinNeighbours(std::size_t first, std::size_t last);
  void JoinPiece(std::size_t row, Course course);
  [[nodiscard]] std::optional<std::size_t> PieceBeyond(
      std::size_t row, bool comes) const noexcept;
  [[nodiscard]] bool IsBroken(std::size_t row,
                              const std::optional<std::size_t>& beyond,
                              bool comes) const noexcept;
  [[nodiscard]] Bend BendOf(std::size_t row) const noexcept;

  Signal signal_;
  std::span<const double> time_;
  std::vector<double> values_;   // By row; empty if it never stands still.
  std::vector<Course> courses_;  // By row that a piece begins with.
};

}  // namespace orrery::experiment::internal
