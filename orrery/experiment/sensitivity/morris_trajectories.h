#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/experiment/design/point_source.h"

namespace orrery::experiment::internal {

/// Walks on a grid of levels in the unit cube; see MorrisDesign. The
/// coordinates of a group move at once, each up or down as there is room.
class MorrisTrajectories final : public PointSource {
 public:
  /// @param levels even.
  /// @param group_of the group of each coordinate.
  MorrisTrajectories(std::vector<std::size_t> group_of,
                     std::int64_t trajectories,
                     std::int64_t levels,
                     std::uint64_t seed);

  void Point(std::int64_t i, std::span<double> point) const override;

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// Runs of one trajectory.
  [[nodiscard]] std::size_t length() const noexcept { return groups_ + 1; }

  /// The two runs of a trajectory between which only this group moves.
  struct Step {
    std::size_t lower = 0;  ///< The run where the first coordinate of the group
                            ///< is less.
    std::size_t upper = 0;
  };

  [[nodiscard]] Step StepOf(std::int64_t trajectory, std::size_t group) const;

  /// The step of each coordinate.
  [[nodiscard]] double step() const noexcept {
    return static_cast<double>(levels_) / 2 / static_cast<double>(levels_ - 1);
  }

 private:
  // The course of a coordinate in a trajectory: it begins at `level` and moves
  // after `turn` other groups.
  struct Course {
    std::int64_t level = 0;
    std::size_t turn = 0;
  };

  [[nodiscard]] bool IsUpward(const Course& course) const noexcept {
    return course.level < levels_ / 2;
  }

  [[nodiscard]] const Course& CourseOf(std::size_t trajectory,
                                       std::size_t k) const {
    return courses_[trajectory * group_of_.size() + k];
  }

  std::vector<std::size_t> group_of_;
  std::size_t groups_;
  std::int64_t count_;
  std::int64_t levels_;
  std::vector<Course> courses_;  // By trajectory and coordinate.
};

}  // namespace orrery::experiment::internal
