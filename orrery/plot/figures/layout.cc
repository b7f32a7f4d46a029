#include "orrery/plot/figures/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/plot/axes/log_axes.h"
#include "orrery/plot/drawing/palette.h"
#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/layout_parts.h"
#include "orrery/plot/figures/legend.h"

namespace orrery::plot::internal {
namespace {

constexpr double kTolerance = 0.1;
constexpr std::size_t kCrowd = 200;
constexpr int kFewestYTicks = 2;
constexpr int kMostYTicks = 12;
constexpr double kYTitleWidth = kLabelSize + 8;

// The ranges with margins. Without dots, curves reach from side to side; dots
// are not cut in half.
Ranges RoomyRanges(const Figure& figure) {
  const bool has_dots = std::ranges::any_of(figure.series, HasDots);
  const Ranges ranges = FindRanges(figure);
  return {Padded(ranges.x, has_dots || figure.equal_aspect ? 0.03 : 0),
          Padded(ranges.y, 0.04)};
}

class Layout {
 public:
  Layout(const Figure& figure,
         double width,
         double height,
         const PanelFrame* frame = nullptr)
      : figure_(figure),
        frame_(frame),
        ranges_(RoomyRanges(figure)),
        looks_(LooksOf(figure)),
        legend_(figure),
        room_{frame != nullptr ? frame->left : kMargin,
              frame != nullptr ? 0 : kMargin,
              width - kMargin,
              height} {
    drawing_.width = width;
    drawing_.height = height;
  }

  Drawing Make() {
    PlaceTitle();
    PlaceLegend();
    PlaceBox();
    Describe();
    DrawGrid();
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      DrawLines(i);
    }
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      DrawDots(i);
    }
    DrawAxes();
    legend_.Draw(looks_, drawing_);
    return std::move(drawing_);
  }

 private:
  void PlaceTitle() {
    if (!figure_.title.empty()) {
      const double size = frame_ != nullptr ? kTickSize : kTitleSize;
      drawing_.shapes.emplace_back(
          Label{.at = {room_.left, room_.top + size},
                .text = FittedText(CleanText(figure_.title),
                                   size * kBoldness,
                                   drawing_.width - room_.left - kMargin),
                .size = size,
                .color = kInk,
                .bold = true});
      room_.top += size + (frame_ != nullptr ? 6 : 12);
    }
  }

  void PlaceLegend() {
    if (!NeedsLegend(figure_)) {
      return;
    }
    if (frame_ != nullptr) {
      legend_.PlaceAbove(room_);
    } else {
      legend_.Place(drawing_.width, room_);
    }
  }

  void PlaceBox() {
    const std::string x_title = AxisTitle(figure_.x);
    box_.top = room_.top + kTickSize / 2;
    if (frame_ != nullptr) {
      PlaceFramedBox();
      return;
    }
    box_.bottom = drawing_.height - kMargin - kTickLength - kTextGap -
                  kTickSize - (x_title.empty() ? 0 : kLabelSize + 8);
    box_.bottom = std::max(box_.bottom, box_.top + 40);
    PlaceSides();
    if (figure_.equal_aspect) {
      ranges_ = WithEqualAspect(ranges_, box_.width(), box_.height());
      PlaceSides();
    }
    if (y_ticks_.exponent != 0) {
      box_.top += kTickSize + 4;
    }
    x_ticks_ = FittingXTicks();
  }

  void PlaceFramedBox() {
    box_.bottom = std::max(drawing_.height, box_.top + 40);
    PlaceSides();
    box_.left = frame_->left;
    box_.right = frame_->right;
    ranges_.x = frame_->x;
    x_ticks_ = {.values = frame_->x_ticks, .labels = {}};
    if (y_ticks_.exponent != 0) {
      box_.top += kTickSize + 4;
    }
  }

  // The height for a y tick in units of that of its label: less in panels,
  // which are low.
  [[nodiscard]] double TickRoom() const {
    return frame_ != nullptr ? 2.2 : 3.2;
  }

  // Places the sides: the room for the y axis depends on its labels, these on
  // the height.
  void PlaceSides() {
    const int most_y =
        std::clamp(static_cast<int>(box_.height() / (TickRoom() * kTickSize)),
                   kFewestYTicks,
                   kMostYTicks);
    y_ticks_ = TicksOf(figure_.y, ranges_.y, most_y);
    y_labels_width_ = 0;
    for (const std::string& label : y_ticks_.labels) {
      y_labels_width_ =
          std::max(y_labels_width_, TextWidth(WithMinusSign(label), kTickSize));
    }
    const bool has_title = !AxisTitle(figure_.y).empty();
    box_.left = kMargin + (has_title ? kYTitleWidth : 0) + y_labels_width_ +
                kTextGap + kTickLength;
    box_.right = std::max(room_.right - 8, box_.left + 40);
  }

  // As many ticks as leave a blank between their labels; one if even two do
  // not.
  [[nodiscard]] Ticks FittingXTicks() const {
    int most = std::clamp(static_cast<int>(box_.width() / 70), 2, 12);
    Ticks ticks = TicksOf(figure_.x, ranges_.x, most);
    while (!LabelsHaveRoom(ticks) && most > 2) {
      --most;
      ticks = TicksOf(figure_.x, ranges_.x, most);
    }
    if (!LabelsHaveRoom(ticks)) {
      ticks.values.pop_back();
      ticks.labels.pop_back();
    }
    return ticks;
  }

  [[nodiscard]] bool LabelsHaveRoom(const Ticks& ticks) const {
    std::vector<double> places;
    for (const double value : ticks.values) {
      places.push_back(Crisp(X(value)));
    }
    return LabelsFit(ticks.labels, places, drawing_.width);
  }

  [[nodiscard]] double X(double value) const {
    return box_.left + Fraction(ranges_.x, value) * box_.width();
  }

  [[nodiscard]] double Y(double value) const {
    return box_.bottom - Fraction(ranges_.y, value) * box_.height();
  }

  [[nodiscard]] Point Place(const Point& point) const {
    return {X(point.x), Y(point.y)};
  }

  void Describe() {
    if (frame_ != nullptr) {
      return;
    }
    drawing_.title = CleanText(figure_.title);
    if (drawing_.title.empty()) {
      drawing_.title = "Plot";
    }
    std::string names;
    for (const Series& series : figure_.series) {
      names += (names.empty() ? "" : ", ") + CleanText(series.label);
    }
    const auto span = [](const Axis& axis, const Ticks& ticks) {
      const std::string times =
          ticks.exponent == 0 ? "" : "e" + std::to_string(ticks.exponent);
      return CleanText(AxisTitle(axis)) + " from about " +
             ticks.labels.front() + times + " to " + ticks.labels.back() +
             times;
    };
    drawing_.description = "Plot of " + names +
                           ". Across: " + span(figure_.x, x_ticks_) +
                           ". Upwards: " + span(figure_.y, y_ticks_) + ".";
  }

  void DrawGrid() {
    Stroke grid{.color = kGrid};
    for (const double value : x_ticks_.values) {
      const double x = Crisp(X(value));
      grid.lines.push_back({{x, Crisp(box_.top)}, {x, Crisp(box_.bottom)}});
    }
    for (const double value : y_ticks_.values) {
      const double y = Crisp(Y(value));
      grid.lines.push_back({{Crisp(box_.left), y}, {Crisp(box_.right), y}});
    }
    drawing_.shapes.emplace_back(std::move(grid));
  }

  void DrawLines(std::size_t index) {
    const Series& series = figure_.series[index];
    if (!HasLine(series)) {
      return;
    }
    Stroke stroke{.color = looks_[index].color,
                  .width = kLineWidth,
                  .dashes = looks_[index].dashes};
    for (std::vector<Point>& line : LinesOf(series)) {
      std::ranges::transform(
          line, line.begin(), [this](const Point& p) { return Place(p); });
      stroke.lines.push_back(Simplify(line, kTolerance));
    }
    if (!stroke.lines.empty()) {
      drawing_.shapes.emplace_back(std::move(stroke));
    }
  }

  void DrawDots(std::size_t index) {
    const Series& series = figure_.series[index];
    if (!HasDots(series)) {
      return;
    }
    Dots dots{.color = looks_[index].color,
              .radius = series.x.size() > kCrowd ? 2.0 : 3.6};
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        dots.centers.push_back(Place({series.x[i], series.y[i]}));
      }
    }
    DropHiddenDots(dots.centers);
    drawing_.shapes.emplace_back(std::move(dots));
  }

  // Keeps one of the dots on the same half pixel. Their order does not matter,
  // as they have one colour.
  static void DropHiddenDots(std::vector<Point>& dots) {
    if (dots.size() <= kCrowd) {
      return;
    }
    for (Point& dot : dots) {
      dot = {std::round(2 * dot.x) / 2, std::round(2 * dot.y) / 2};
    }
    std::ranges::sort(dots, [](const Point& a, const Point& b) {
      return std::pair(a.x, a.y) < std::pair(b.x, b.y);
    });
    dots.erase(std::unique(dots.begin(), dots.end()), dots.end());
  }

  void DrawAxes() {
    const double left = Crisp(box_.left);
    const double bottom = Crisp(box_.bottom);
    Stroke frame{.color = kFrame};
    frame.lines.push_back(
        {{left, Crisp(box_.top)}, {left, bottom}, {Crisp(box_.right), bottom}});
    for (std::size_t i = 0; i < x_ticks_.values.size(); ++i) {
      const double x = Crisp(X(x_ticks_.values[i]));
      frame.lines.push_back({{x, bottom}, {x, bottom + kTickLength}});
      if (frame_ != nullptr) {
        continue;
      }
      const std::string& label = x_ticks_.labels[i];
      AddTickLabel({LabelMiddle(label, x, drawing_.width),
                    bottom + kTickLength + kTextGap + kTickSize * 0.75},
                   label,
                   Anchor::kMiddle);
    }
    for (std::size_t i = 0; i < y_ticks_.values.size(); ++i) {
      const double y = Crisp(Y(y_ticks_.values[i]));
      frame.lines.push_back({{left - kTickLength, y}, {left, y}});
      AddTickLabel({left - kTickLength - kTextGap, y + kTickSize * 0.36},
                   y_ticks_.labels[i],
                   Anchor::kEnd);
    }
    drawing_.shapes.emplace_back(std::move(frame));
    DrawExponents();
    DrawAxisTitles();
  }

  void AddTickLabel(Point at, const std::string& text, Anchor anchor) {
    drawing_.shapes.emplace_back(Label{.at = at,
                                       .text = WithMinusSign(text),
                                       .size = kTickSize,
                                       .color = kSoftInk,
                                       .anchor = anchor});
  }

  void DrawExponents() {
    const std::string times = "\u00D710";
    if (y_ticks_.exponent != 0) {
      AddTickLabel({box_.left - kTickLength, box_.top - kTickSize * 0.8},
                   times + Superscript(y_ticks_.exponent),
                   Anchor::kStart);
    }
    if (x_ticks_.exponent != 0) {
      AddTickLabel({box_.right + 8, XTitleBaseline()},
                   times + Superscript(x_ticks_.exponent),
                   Anchor::kEnd);
    }
  }

  [[nodiscard]] double XTitleBaseline() const {
    return box_.bottom + kTickLength + kTextGap + kTickSize + 8 +
           kLabelSize * 0.75;
  }

  void DrawAxisTitles() {
    const double middle = (box_.left + box_.right) / 2;
    const std::string x_title = CleanText(AxisTitle(figure_.x));
    if (!x_title.empty() && frame_ == nullptr) {
      drawing_.shapes.emplace_back(
          Label{.at = {middle, XTitleBaseline()},
                .text = FittedText(x_title, kLabelSize, box_.width()),
                .size = kLabelSize,
                .color = kInk,
                .anchor = Anchor::kMiddle});
    }
    const std::string y_title = CleanText(AxisTitle(figure_.y));
    if (!y_title.empty()) {
      const double x =
          box_.left - kTickLength - kTextGap - y_labels_width_ - 10;
      drawing_.shapes.emplace_back(
          Label{.at = {x, box_.middle()},
                .text = FittedText(y_title, kLabelSize, box_.height()),
                .size = kLabelSize,
                .color = kInk,
                .anchor = Anchor::kMiddle,
                .upwards = true});
    }
  }

  const Figure& figure_;
  const PanelFrame* frame_;  // Null for a figure of its own.
  Ranges ranges_;
  Drawing drawing_;
  std::vector<SeriesLook> looks_;
  Legend legend_;
  Rectangle room_;  // Room that is still free.
  Rectangle box_;   // The area of the data.
  Ticks x_ticks_;
  Ticks y_ticks_;
  double y_labels_width_ = 0;
};

}  // namespace

Drawing MakeDrawing(const Figure& figure, double width, double height) {
  return Layout(figure, width, height).Make();
}

double PanelLeft(const Figure& figure) {
  const Range range = RoomyRanges(figure).y;
  double width = 0;
  for (int most = kFewestYTicks; most <= kMostYTicks; ++most) {
    for (const std::string& label : TicksOf(figure.y, range, most).labels) {
      width = std::max(width, TextWidth(WithMinusSign(label), kTickSize));
    }
  }
  return kMargin + (AxisTitle(figure.y).empty() ? 0 : kYTitleWidth) + width +
         kTextGap + kTickLength;
}

Drawing MakePanel(const Figure& figure,
                  double width,
                  double height,
                  const PanelFrame& frame) {
  return Layout(figure, width, height, &frame).Make();
}

}  // namespace orrery::plot::internal
