#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::internal {

/// A signal of a run as all measures see it: as Signal says, but with one value
/// where it stands still.
///
/// A signal stands still in pieces that it moves in by no more than rounding;
/// all of a row of such pieces have the value of the first of them. Beside them
///
/// - what is off their value by no more than rounding has that value: a signal
///   that is limited at an event does not pass the limit by the last digit of
///   the event's time;
/// - a piece that comes to rest, or leaves it, without an event has a bend
///   within: it goes on from its moving end, as the piece beyond that says, up
///   to where it has the value at rest. A cubic would swing beyond it.
class MeasuredSignal {
 public:
  /// @param time of all rows, which must outlive it; empty: values are asked
  ///     for in rows only, and are as they are.
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
  // How a piece goes between its rows.
  enum class Course : std::uint8_t {
    kMoves,
    kStandsStill,
    kTouchesRest,  // At one end: what is there but for rounding is there.
    kComesToRest,  // By a bend.
    kLeavesRest
  };

  // A parabola from the moving end of a piece to where it is at rest, over the
  // distance from that end.
  struct Bend {
    double value = 0;
    double slope = 0;
    double half_curvature = 0;
    double reach = 0;  // Positive; none if it never comes there.
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

}  // namespace orrery::internal
