#pragma once

#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/axes/time_ticks.h"
#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/drawing/palette.h"

namespace orrery::plot::internal {

/// The axis of a timeline, shared by all parts above each other in the picture.
/// It has as many ticks as leave a blank between their labels. In pixels.
class TimeAxis {
 public:
  /// The height of the texts below it.
  static constexpr double kHeight =
      kTickLength + kTextGap + kTickSize + 8 + kLabelSize;

  /// @param left begin of the axis; it ends at the margin of a picture of
  ///     `width`.
  TimeAxis(Range time, double left, double width);

  [[nodiscard]] double left() const noexcept { return left_; }

  [[nodiscard]] double right() const noexcept { return right_; }

  /// The times with a tick.
  [[nodiscard]] const std::vector<double>& ticks() const noexcept {
    return ticks_.values;
  }

  /// Lines at all ticks.
  void DrawGrid(double top, double bottom, Drawing& drawing) const;

  /// The line of the axis at `bottom`, with ticks, and one up at its left.
  void DrawFrame(double top, double bottom, Drawing& drawing) const;

  void DrawTickLabels(double base, Drawing& drawing) const;

  /// Labels and title below the axis at `y`.
  void DrawTexts(double y, Drawing& drawing) const;

 private:
  void PlaceTicks();
  [[nodiscard]] bool LabelsHaveRoom() const;
  [[nodiscard]] double X(double time) const;

  Range time_;
  double left_;
  double right_;
  double width_;  // Width of the picture.
  TimeTicks ticks_;
};

}  // namespace orrery::plot::internal
