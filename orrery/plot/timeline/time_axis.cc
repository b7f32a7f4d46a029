#include "orrery/plot/timeline/time_axis.h"

#include <algorithm>
#include <string>
#include <utility>

#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/figures/layout_parts.h"

namespace orrery::plot::internal {

TimeAxis::TimeAxis(Range time, double left, double width)
    : time_(time), left_(left), right_(width - kMargin - 8), width_(width) {
  PlaceTicks();
}

void TimeAxis::PlaceTicks() {
  int most = std::clamp(static_cast<int>((right_ - left_) / 76), 2, 12);
  ticks_ = MakeTimeTicks(time_, most);
  while (!LabelsHaveRoom() && most > 2) {
    --most;
    ticks_ = MakeTimeTicks(time_, most);
  }
  if (!LabelsHaveRoom()) {
    ticks_.values.resize(1);
    ticks_.labels.resize(1);
  }
}

bool TimeAxis::LabelsHaveRoom() const {
  std::vector<double> places;
  for (const double value : ticks_.values) {
    places.push_back(X(value));
  }
  return LabelsFit(ticks_.labels, places, width_);
}

double TimeAxis::X(double time) const {
  return Crisp(left_ + Fraction(time_, time) * (right_ - left_));
}

void TimeAxis::DrawGrid(double top, double bottom, Drawing& drawing) const {
  Stroke grid{.color = kGrid};
  for (const double value : ticks_.values) {
    const double x = X(value);
    grid.lines.push_back({{x, Crisp(top)}, {x, Crisp(bottom)}});
  }
  drawing.shapes.emplace_back(std::move(grid));
}

void TimeAxis::DrawFrame(double top, double bottom, Drawing& drawing) const {
  const double left = Crisp(left_);
  const double low = Crisp(bottom);
  Stroke frame{.color = kFrame};
  frame.lines.push_back(
      {{left, Crisp(top)}, {left, low}, {Crisp(right_), low}});
  for (const double value : ticks_.values) {
    const double x = X(value);
    frame.lines.push_back({{x, low}, {x, low + kTickLength}});
  }
  drawing.shapes.emplace_back(std::move(frame));
}

void TimeAxis::DrawTickLabels(double base, Drawing& drawing) const {
  for (std::size_t i = 0; i < ticks_.values.size(); ++i) {
    const std::string& label = ticks_.labels[i];
    drawing.shapes.emplace_back(
        Label{.at = {LabelMiddle(label, X(ticks_.values[i]), width_), base},
              .text = WithMinusSign(label),
              .size = kTickSize,
              .color = kSoftInk,
              .anchor = Anchor::kMiddle});
  }
}

void TimeAxis::DrawTexts(double y, Drawing& drawing) const {
  DrawTickLabels(y + kTickLength + kTextGap + kTickSize * 0.75, drawing);
  const std::string unit =
      (ticks_.exponent == 0 ? "" : "10" + Superscript(ticks_.exponent) + " ") +
      ticks_.unit;
  drawing.shapes.emplace_back(Label{
      .at = {(left_ + right_) / 2,
             y + kTickLength + kTextGap + kTickSize + 8 + kLabelSize * 0.75},
      .text = "time [" + unit + "]",
      .size = kLabelSize,
      .color = kInk,
      .anchor = Anchor::kMiddle});
}

}  // namespace orrery::plot::internal
