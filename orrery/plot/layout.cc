#include "orrery/plot/internal/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/plot/internal/palette.h"

namespace orrery::internal {
namespace {

constexpr double kLegendLine = 20;
constexpr double kLegendSample = 24;
constexpr double kLegendGap = 22;
constexpr double kLineWidth = 1.8;
constexpr double kTolerance = 0.1;
constexpr std::size_t kCrowd = 200;
constexpr int kFewestYTicks = 2;
constexpr int kMostYTicks = 12;
constexpr double kYTitleWidth = kLabelSize + 8;

struct LegendEntry {
  std::string text;
  std::size_t series = 0;
  Point at;  // Left end, at half of the height.
};

// Curves over time reach from side to side; dots are not cut in half.
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
        colors_(ColorsOf(figure)),
        left_(frame != nullptr ? frame->left : kMargin) {
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
    DrawLegend();
    return std::move(drawing_);
  }

 private:
  [[nodiscard]] Color ColorOf(std::size_t series) const {
    return kPalette[colors_[series] % kPalette.size()];
  }

  // Once the colours are used up, dashes tell the lines apart.
  [[nodiscard]] std::vector<double> DashesOf(std::size_t series) const {
    switch (colors_[series] / kPalette.size() % 3) {
      case 1:
        return {7, 4};
      case 2:
        return {2, 4};
      default:
        return {};
    }
  }

  void PlaceTitle() {
    top_ = frame_ != nullptr ? 0 : kMargin;
    if (!figure_.title.empty()) {
      const double size = frame_ != nullptr ? kTickSize : kTitleSize;
      drawing_.shapes.emplace_back(
          Label{.at = {left_, top_ + size},
                .text = FittedText(CleanText(figure_.title),
                                   size * kBoldness,
                                   drawing_.width - left_ - kMargin),
                .size = size,
                .color = kInk,
                .bold = true});
      top_ += size + (frame_ != nullptr ? 6 : 12);
    }
  }

  void PlaceLegend() {
    right_ = drawing_.width - kMargin;
    if (!NeedsLegend(figure_)) {
      return;
    }
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      std::string text = CleanText(figure_.series[i].label);
      if (!text.empty()) {
        legend_.push_back({.text = std::move(text), .series = i});
      }
    }
    if (frame_ != nullptr) {
      PlaceShortenedLegendAbove();
    } else if (!PlaceLegendAbove()) {
      PlaceLegendBeside();
    }
  }

  // Beside a panel there is no room: what finds none above it is counted.
  void PlaceShortenedLegendAbove() {
    constexpr std::size_t kMost = 100;
    const double most = (right_ - left_) / 2;
    std::size_t left_out = legend_.size() - std::min(legend_.size(), kMost);
    legend_.resize(legend_.size() - left_out);
    for (LegendEntry& entry : legend_) {
      entry.text = FittedName(std::move(entry.text), kTickSize, most);
    }
    if (left_out > 0) {
      legend_.push_back({.series = kNoSeries});
    }
    while (true) {
      if (left_out > 0) {
        legend_.back() = {.text = "and " + std::to_string(left_out) + " more",
                          .series = kNoSeries};
      }
      if (PlaceLegendAbove() || legend_.size() < 2) {
        return;
      }
      if (left_out > 0) {
        legend_.pop_back();
      }
      ++left_out;
    }
  }

  // Beside the plot all texts are aligned; above it a dot needs less room.
  [[nodiscard]] double SampleWidth(const LegendEntry& entry) const {
    const bool is_dot =
        entry.series != kNoSeries && !HasLine(figure_.series[entry.series]);
    return is_dot && !legend_is_beside_ ? 8 : kLegendSample;
  }

  // In two lines at most; says whether they are enough.
  bool PlaceLegendAbove() {
    double x = left_;
    double y = top_;
    for (LegendEntry& entry : legend_) {
      const double width =
          SampleWidth(entry) + kTextGap + TextWidth(entry.text, kTickSize);
      if (x > left_ && x + width > right_) {
        x = left_;
        y += kLegendLine;
      }
      if (x + width > right_ || y > top_ + kLegendLine) {
        return false;
      }
      entry.at = {x, y + kLegendLine / 2};
      x += width + kLegendGap;
    }
    top_ = y + kLegendLine + 8;
    return true;
  }

  void PlaceLegendBeside() {
    legend_is_beside_ = true;
    const double most = 0.3 * drawing_.width;
    const auto room = static_cast<std::size_t>(
        std::max(1.0, (drawing_.height - top_ - 3 * kMargin) / kLegendLine));
    if (legend_.size() > room) {
      const std::size_t left_out = legend_.size() - room + 1;
      legend_.resize(room);
      legend_.back() = {.text = "and " + std::to_string(left_out) + " more",
                        .series = kNoSeries};
    }
    double width = 0;
    for (LegendEntry& entry : legend_) {
      entry.text = FittedName(std::move(entry.text), kTickSize, most);
      width = std::max(width, TextWidth(entry.text, kTickSize));
    }
    right_ -= kLegendSample + kTextGap + width + kMargin;
    double y = top_ + kLegendLine / 2;
    for (LegendEntry& entry : legend_) {
      entry.at = {right_ + kMargin, y};
      y += kLegendLine;
    }
  }

  void PlaceBox() {
    const std::string x_title = AxisTitle(figure_.x);
    box_.top = top_ + kTickSize / 2;
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

  // The height of a y tick's share, by that of its label: panels are low.
  [[nodiscard]] double TickRoom() const {
    return frame_ != nullptr ? 2.2 : 3.2;
  }

  // The room that the y axis needs depends on its labels, they on the height.
  void PlaceSides() {
    const int most_y =
        std::clamp(static_cast<int>(box_.height() / (TickRoom() * kTickSize)),
                   kFewestYTicks,
                   kMostYTicks);
    y_ticks_ = MakeTicks(ranges_.y, most_y);
    y_labels_width_ = 0;
    for (const std::string& label : y_ticks_.labels) {
      y_labels_width_ =
          std::max(y_labels_width_, TextWidth(WithMinusSign(label), kTickSize));
    }
    const bool has_title = !AxisTitle(figure_.y).empty();
    box_.left = kMargin + (has_title ? kYTitleWidth : 0) + y_labels_width_ +
                kTextGap + kTickLength;
    box_.right = std::max(right_ - 8, box_.left + 40);
  }

  // As many ticks as leave a blank between their labels. Where not even two
  // do, one stands alone.
  [[nodiscard]] Ticks FittingXTicks() const {
    int most = std::clamp(static_cast<int>(box_.width() / 70), 2, 12);
    Ticks ticks = MakeTicks(ranges_.x, most);
    while (!LabelsHaveRoom(ticks) && most > 2) {
      --most;
      ticks = MakeTicks(ranges_.x, most);
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
    Stroke stroke{.color = ColorOf(index),
                  .width = kLineWidth,
                  .dashes = DashesOf(index)};
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
    Dots dots{.color = ColorOf(index),
              .radius = series.x.size() > kCrowd ? 2.0 : 3.6};
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        dots.centers.push_back(Place({series.x[i], series.y[i]}));
      }
    }
    DropHiddenDots(dots.centers);
    drawing_.shapes.emplace_back(std::move(dots));
  }

  // Of dots on the same half pixel one is seen. Order does not matter to the
  // eye: they have one colour.
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

  void DrawLegend() {
    for (const LegendEntry& entry : legend_) {
      drawing_.shapes.emplace_back(
          Label{.at = {entry.at.x + SampleWidth(entry) + kTextGap,
                       entry.at.y + kTickSize * 0.36},
                .text = entry.text,
                .size = kTickSize,
                .color = kInk});
      if (entry.series != kNoSeries) {
        DrawLegendSample(entry);
      }
    }
  }

  void DrawLegendSample(const LegendEntry& entry) {
    const Series& series = figure_.series[entry.series];
    if (HasLine(series)) {
      drawing_.shapes.emplace_back(Stroke{
          .lines = {{entry.at, {entry.at.x + kLegendSample, entry.at.y}}},
          .color = ColorOf(entry.series),
          .width = kLineWidth + 0.4,
          .dashes = DashesOf(entry.series)});
    }
    if (HasDots(series)) {
      drawing_.shapes.emplace_back(
          Dots{.centers = {{entry.at.x + SampleWidth(entry) / 2, entry.at.y}},
               .color = ColorOf(entry.series),
               .radius = 3.6});
    }
  }

  static constexpr std::size_t kNoSeries = static_cast<std::size_t>(-1);

  const Figure& figure_;
  const PanelFrame* frame_;  // Or null: a figure of its own.
  Ranges ranges_;
  Drawing drawing_;
  std::vector<std::size_t> colors_;
  std::vector<LegendEntry> legend_;
  bool legend_is_beside_ = false;
  double left_;       // Of title and legend.
  double top_ = 0;    // Below what has been placed.
  double right_ = 0;  // Left of what has been placed.
  Rectangle box_;     // Where the data are drawn.
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
    for (const std::string& label : MakeTicks(range, most).labels) {
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

}  // namespace orrery::internal
