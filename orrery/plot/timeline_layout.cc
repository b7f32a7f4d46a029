#include "orrery/plot/internal/timeline_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/plot/internal/layout.h"
#include "orrery/plot/internal/palette.h"
#include "orrery/plot/internal/time_ticks.h"
#include "orrery/plot/internal/timeline_rows.h"
#include "orrery/plot/internal/timeline_shapes.h"

namespace orrery::internal {
namespace {

using State = TimelineSpan::State;

constexpr Color kWhite = {0xFF, 0xFF, 0xFF};
constexpr Color kZebra = {0xF4, 0xF6, 0xF8};
constexpr Color kWhole = {0x5A, 0x69, 0x78};      // A span with parts.
constexpr Color kHollow = {0x6B, 0x74, 0x7E};     // What was cancelled.
constexpr Color kCross = {0x9A, 0x2E, 0x00};      // Where it failed.
constexpr Color kManyTexts = {0xD3, 0xD8, 0xDE};  // Too short to tell apart.

constexpr std::size_t kMostRows = 500;
constexpr std::size_t kRowsBelowOneAxis = 25;
constexpr double kRowHeight = 22;
constexpr double kBarHeight = 13;
constexpr double kWholeHeight = 7;
constexpr double kBandHeight = 26;
constexpr double kPieceHeight = 20;
constexpr double kKeyHeight = 24;
constexpr double kSectionGap = 18;
constexpr double kLeastPanelHeight = 130;
constexpr double kIndent = 14;
constexpr double kLeastBar = 2;
constexpr double kFine = 3;  // Narrower bars may be one.
constexpr std::size_t kTextColors = 6;

// Light enough for dark text on it; once the colours are used up, stronger.
Color ColorOfText(std::size_t text) {
  const int percent = text / kTextColors % 2 == 0 ? 30 : 58;
  const auto mix = [percent](std::uint8_t part) {
    return static_cast<std::uint8_t>(255 - (255 - part) * percent / 100);
  };
  const Color& color = kPalette[text % kTextColors];
  return {mix(color.red), mix(color.green), mix(color.blue)};
}

Color FillOf(State state, bool is_whole) {
  switch (state) {
    case State::kFailed:
      return kPalette[1];
    case State::kCancelled:
      return kWhite;
    case State::kOpen:
    case State::kCompleted:
      break;
  }
  return is_whole ? kWhole : kPalette[0];
}

class TimelineLayout {
 public:
  TimelineLayout(const Timeline& timeline,
                 const ImageOptions& options,
                 double most_height)
      : timeline_(timeline),
        options_(options),
        time_(TimeRange(timeline)),
        chart_(MakeTimelineRows(timeline, RowsWithin(most_height))) {
    drawing_.width = options.width;
    for (const Figure& panel : timeline.panels) {
      panels_.push_back(ClippedPanel(panel, time_));
    }
  }

  Drawing Make() {
    PlaceColumn();
    PlaceTicks();
    DrawTitle();
    DrawKey();
    if (!timeline_.spans.empty()) {
      DrawChart();
    }
    if (!timeline_.bands.empty()) {
      DrawBands();
    }
    DrawPanels();
    DrawTimeAxis();
    Describe();
    return std::move(drawing_);
  }

 private:
  // How many rows a picture holds beside all else.
  [[nodiscard]] std::size_t RowsWithin(double most_height) const {
    const double others = 2 * kMargin + kTitleSize + 12 + kKeyHeight +
                          2 * kSectionGap + 2 * AxisHeight() + kRowHeight +
                          static_cast<double>(timeline_.bands.size()) *
                              (kBandHeight + kKeyHeight) +
                          static_cast<double>(timeline_.panels.size()) *
                              (kLeastPanelHeight + kSectionGap);
    const double rows = std::floor((most_height - others) / kRowHeight);
    if (rows < 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot draw the timeline: its " +
                      std::to_string(timeline_.bands.size()) + " bands and " +
                      std::to_string(timeline_.panels.size()) +
                      " panels need more than the " +
                      std::to_string(std::llround(most_height)) +
                      " pixels that an image may be high; take fewer, a "
                      "smaller scale or SVG");
    }
    return static_cast<std::size_t>(
        std::min(rows, static_cast<double>(kMostRows)));
  }

  [[nodiscard]] static double AxisHeight() {
    return kTickLength + kTextGap + kTickSize + 8 + kLabelSize;
  }

  [[nodiscard]] double Indent(const TimelineRow& row) const {
    return std::min(static_cast<double>(row.depth) * kIndent,
                    0.12 * drawing_.width);
  }

  // Labels and the panels' y axes stand in one column.
  void PlaceColumn() {
    double labels = 0;
    for (const TimelineRow& row : chart_.rows) {
      labels = std::max(labels,
                        Indent(row) + TextWidth(row.label, kTickSize) *
                                          (row.is_parent ? kBoldness : 1));
    }
    for (const TimelineBand& band : timeline_.bands) {
      labels = std::max(labels, TextWidth(CleanText(band.label), kTickSize));
    }
    left_ = kMargin + std::min(labels, 0.3 * drawing_.width) + 12;
    for (const Figure& panel : panels_) {
      left_ = std::max(left_, PanelLeft(panel));
    }
    left_ = std::ceil(left_);
    right_ = drawing_.width - kMargin - 8;
  }

  // As many as leave a blank between their labels.
  void PlaceTicks() {
    int most = std::clamp(static_cast<int>((right_ - left_) / 76), 2, 12);
    ticks_ = MakeTimeTicks(time_, most);
    while (!LabelsFit() && most > 2) {
      --most;
      ticks_ = MakeTimeTicks(time_, most);
    }
    if (!LabelsFit()) {
      ticks_.values.resize(1);
      ticks_.labels.resize(1);
    }
  }

  [[nodiscard]] bool LabelsFit() const {
    double end = -drawing_.width;
    for (std::size_t i = 0; i < ticks_.values.size(); ++i) {
      const double half =
          TextWidth(WithMinusSign(ticks_.labels[i]), kTickSize) / 2;
      const double x = TickLabelMiddle(i);
      if (x - half < end + 1.2 * kTickSize) {
        return false;
      }
      end = x + half;
    }
    return true;
  }

  // At its tick, but within the picture.
  [[nodiscard]] double TickLabelMiddle(std::size_t i) const {
    const double half =
        TextWidth(WithMinusSign(ticks_.labels[i]), kTickSize) / 2;
    return std::min(Crisp(X(ticks_.values[i])), drawing_.width - half - 2);
  }

  [[nodiscard]] double X(double time) const {
    return left_ + Fraction(time_, time) * (right_ - left_);
  }

  void AddText(Point at, std::string text, const Color& color, Anchor anchor) {
    drawing_.shapes.emplace_back(Label{.at = at,
                                       .text = std::move(text),
                                       .size = kTickSize,
                                       .color = color,
                                       .anchor = anchor});
  }

  void DrawTitle() {
    y_ = kMargin;
    if (timeline_.title.empty()) {
      return;
    }
    drawing_.shapes.emplace_back(
        Label{.at = {kMargin, y_ + kTitleSize},
              .text = FittedText(CleanText(timeline_.title),
                                 kTitleSize * kBoldness,
                                 drawing_.width - 2 * kMargin),
              .size = kTitleSize,
              .color = kInk,
              .bold = true});
    y_ += kTitleSize + 12;
  }

  // What the bars of the chart mean, unless all are completed.
  void DrawKey() {
    std::array<bool, 4> occurs = {};
    for (const TimelineRow& row : chart_.rows) {
      for (const std::size_t span : row.spans) {
        occurs[static_cast<std::size_t>(timeline_.spans[span].state)] = true;
      }
    }
    constexpr std::array kOthers = {
        State::kOpen, State::kFailed, State::kCancelled};
    if (std::ranges::none_of(kOthers, [&occurs](State state) {
          return occurs[static_cast<std::size_t>(state)];
        })) {
      return;
    }
    double x = left_;
    for (const State state :
         {State::kCompleted, State::kOpen, State::kFailed, State::kCancelled}) {
      if (!occurs[static_cast<std::size_t>(state)]) {
        continue;
      }
      const std::string name(NameOf(state));
      const double end = x + 28 + kTextGap + TextWidth(name, kTickSize);
      if (end > drawing_.width - kMargin) {
        x = kMargin;
        y_ += kKeyHeight;
      }
      const double top = y_ + (kKeyHeight - 8 - kBarHeight) / 2;
      DrawBar({x, top, x + 26, top + kBarHeight}, state, false, {});
      x += 28 + kTextGap + (state == State::kFailed ? 4 : 0);
      AddText({x, top + kBarHeight / 2 + kTickSize * 0.36},
              name,
              kInk,
              Anchor::kStart);
      x += TextWidth(name, kTickSize) + 22;
    }
    y_ += kKeyHeight;
  }

  void DrawBar(const Rectangle& box,
               State state,
               bool is_whole,
               std::string tooltip) {
    drawing_.shapes.emplace_back(Area{
        .outlines = {state == State::kOpen ? TornOutline(box) : box.Outline()},
        .color = FillOf(state, is_whole),
        .tooltip = std::move(tooltip)});
    if (state == State::kFailed) {
      drawing_.shapes.emplace_back(Stripes(box, kWhite));
      DrawCross({std::min(box.right, right_ - 2), box.middle()});
    } else if (state == State::kCancelled) {
      DrawRim(
          {box.left + 0.6, box.top + 0.6, box.right - 0.6, box.bottom - 0.6});
    }
  }

  void DrawRim(const Rectangle& box) {
    Stroke rim{.lines = {box.Outline()}, .color = kHollow, .width = 1.2};
    rim.lines[0].push_back(rim.lines[0].front());
    drawing_.shapes.emplace_back(std::move(rim));
  }

  void DrawCross(const Point& at) {
    constexpr double kArm = 3.6;
    Stroke cross{
        .lines = {{{at.x - kArm, at.y - kArm}, {at.x + kArm, at.y + kArm}},
                  {{at.x - kArm, at.y + kArm}, {at.x + kArm, at.y - kArm}}},
        .color = kWhite,
        .width = 5};
    drawing_.shapes.emplace_back(cross);
    cross.color = kCross;
    cross.width = 2.2;
    drawing_.shapes.emplace_back(std::move(cross));
  }

  void DrawMoment(const Rectangle& box, State state, std::string tooltip) {
    std::vector<Point> outline = Diamond(box);
    drawing_.shapes.emplace_back(Area{.outlines = {outline},
                                      .color = FillOf(state, false),
                                      .tooltip = std::move(tooltip)});
    if (state == State::kFailed) {
      DrawCross({box.left, box.middle()});
    } else if (state == State::kCancelled) {
      outline.push_back(outline.front());
      drawing_.shapes.emplace_back(Stroke{
          .lines = {std::move(outline)}, .color = kHollow, .width = 1.2});
    }
  }

  void DrawChart() {
    if (chart_.rows.size() > kRowsBelowOneAxis) {
      y_ += kTickSize;
      DrawTickLabels(y_ - 3);
      y_ += 4;
    }
    const double top = y_;
    const double bottom =
        top + kRowHeight * static_cast<double>(chart_.rows.size());
    DrawZebra(top);
    DrawGrid(top, bottom);
    for (const TimelineRow& row : chart_.rows) {
      DrawRow(row);
      y_ += kRowHeight;
    }
    DrawFrame(top, bottom);
    if (chart_.left_out > 0) {
      y_ += kRowHeight;
      AddText({kMargin, y_ - kRowHeight / 2 + kTickSize * 0.36},
              "and " + std::to_string(chart_.left_out) + " more " +
                  (chart_.left_out == 1 ? "row" : "rows"),
              kSoftInk,
              Anchor::kStart);
    }
  }

  // Leads the eye from a label to its bars.
  void DrawZebra(double top) {
    Area zebra{.outlines = {}, .color = kZebra, .tooltip = {}};
    for (std::size_t i = 0; i < chart_.rows.size(); i += 2) {
      const double y = top + kRowHeight * static_cast<double>(i);
      zebra.outlines.push_back(
          Rectangle{kMargin - 6, y, right_, y + kRowHeight}.Outline());
    }
    drawing_.shapes.emplace_back(std::move(zebra));
  }

  void DrawGrid(double top, double bottom) {
    Stroke grid{.color = kGrid};
    for (const double value : ticks_.values) {
      const double x = Crisp(X(value));
      grid.lines.push_back({{x, Crisp(top)}, {x, Crisp(bottom)}});
    }
    drawing_.shapes.emplace_back(std::move(grid));
  }

  void DrawFrame(double top, double bottom) {
    const double left = Crisp(left_);
    const double low = Crisp(bottom);
    Stroke frame{.color = kFrame};
    frame.lines.push_back(
        {{left, Crisp(top)}, {left, low}, {Crisp(right_), low}});
    for (const double value : ticks_.values) {
      const double x = Crisp(X(value));
      frame.lines.push_back({{x, low}, {x, low + kTickLength}});
    }
    drawing_.shapes.emplace_back(std::move(frame));
  }

  void DrawRow(const TimelineRow& row) {
    const double middle = y_ + kRowHeight / 2;
    const double x = kMargin + Indent(row);
    const double size = row.is_parent ? kTickSize * kBoldness : kTickSize;
    drawing_.shapes.emplace_back(
        Label{.at = {x, middle + kTickSize * 0.36},
              .text = FittedText(row.label, size, left_ - 12 - x),
              .size = kTickSize,
              .color = kInk,
              .bold = row.is_parent});
    const double half = (row.is_parent ? kWholeHeight : kBarHeight) / 2;
    for (const TimelineBar& bar :
         MakeTimelineBars(timeline_, row, right_ - left_, kFine)) {
      const TimelineSpan& span = timeline_.spans[bar.first];
      std::string tooltip = TooltipOf(timeline_, bar);
      if (bar.count == 1 && span.end == span.begin) {
        const double at = left_ + bar.left;
        DrawMoment({at, middle - kBarHeight / 2, at, middle + kBarHeight / 2},
                   bar.state,
                   std::move(tooltip));
        continue;
      }
      // Bars that follow each other stay two by a gap of a pixel.
      const double gap = bar.right - bar.left > 2 * kLeastBar ? 1 : 0;
      const double left = std::min(left_ + bar.left, right_ - kLeastBar);
      DrawBar({left,
               middle - half,
               std::max(left_ + bar.right - gap, left + kLeastBar),
               middle + half},
              bar.state,
              row.is_parent,
              std::move(tooltip));
    }
  }

  void DrawBands() {
    y_ += timeline_.spans.empty() ? 0 : kSectionGap;
    std::vector<TimelineTexts> texts;
    double height = 0;
    for (const TimelineBand& band : timeline_.bands) {
      texts.push_back(
          MakeTimelineTexts(timeline_, band, right_ - left_, kFine));
      height +=
          kBandHeight + (UnwrittenTexts(texts.back()).empty() ? 0 : kKeyHeight);
    }
    const double top = y_;
    DrawGrid(top, top + height);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      DrawBand(timeline_.bands[i], texts[i]);
    }
    DrawFrame(top, top + height);
  }

  [[nodiscard]] static bool Holds(const TimelinePiece& piece,
                                  const std::string& text) {
    return TextWidth(text, kTickSize) <= piece.right - piece.left - 8;
  }

  // What is seen, but no piece has room for.
  [[nodiscard]] static std::vector<std::size_t> UnwrittenTexts(
      const TimelineTexts& band) {
    std::vector<bool> is_seen(band.texts.size());
    std::vector<bool> is_written(band.texts.size());
    for (const TimelinePiece& piece : band.pieces) {
      if (piece.count == 1) {
        is_seen[piece.text] = true;
        is_written[piece.text] =
            is_written[piece.text] || Holds(piece, band.texts[piece.text]);
      }
    }
    std::vector<std::size_t> unwritten;
    for (std::size_t i = 0; i < is_seen.size(); ++i) {
      if (is_seen[i] && !is_written[i]) {
        unwritten.push_back(i);
      }
    }
    return unwritten;
  }

  void DrawBand(const TimelineBand& band, const TimelineTexts& texts) {
    const double middle = y_ + kBandHeight / 2;
    const double base = middle + kTickSize * 0.36;
    AddText({kMargin, base},
            FittedText(CleanText(band.label), kTickSize, left_ - 12 - kMargin),
            kInk,
            Anchor::kStart);
    for (const TimelinePiece& piece : texts.pieces) {
      const std::string& text = texts.texts[piece.text];
      const bool is_one = piece.count == 1;
      const double width = piece.right - piece.left;
      const double left = left_ + piece.left;
      const Rectangle box = {
          left,
          middle - kPieceHeight / 2,
          left + std::max(width - (width > kFine ? 1 : 0), 1.0),
          middle + kPieceHeight / 2};
      drawing_.shapes.emplace_back(Area{
          .outlines = {box.Outline()},
          .color = is_one ? ColorOfText(piece.text) : kManyTexts,
          .tooltip = is_one ? text : std::to_string(piece.count) + " values"});
      if (is_one && Holds(piece, text)) {
        AddText(
            {(box.left + box.right) / 2, base}, text, kInk, Anchor::kMiddle);
      }
    }
    y_ += kBandHeight;
    const std::vector<std::size_t> unwritten = UnwrittenTexts(texts);
    if (!unwritten.empty()) {
      DrawTextKey(texts, unwritten);
      y_ += kKeyHeight;
    }
  }

  // In one line: as many as fit.
  void DrawTextKey(const TimelineTexts& band,
                   const std::vector<std::size_t>& texts) {
    constexpr double kSwatch = 12;
    const double more = TextWidth("\u2026", kTickSize);
    const double middle = y_ + kKeyHeight / 2 - 1;
    double x = left_ + 8;
    for (const std::size_t i : texts) {
      const std::string& text = band.texts[i];
      const double end = x + kSwatch + kTextGap + TextWidth(text, kTickSize);
      const bool is_last = i == texts.back();
      if (end + (is_last ? 0 : 18 + more) > right_) {
        AddText(
            {x, middle + kTickSize * 0.36}, "\u2026", kSoftInk, Anchor::kStart);
        return;
      }
      drawing_.shapes.emplace_back(
          Area{.outlines = {Rectangle{
                   x, middle - kSwatch / 2, x + kSwatch, middle + kSwatch / 2}
                                .Outline()},
               .color = ColorOfText(i),
               .tooltip = {}});
      AddText({x + kSwatch + kTextGap, middle + kTickSize * 0.36},
              text,
              kSoftInk,
              Anchor::kStart);
      x = end + 18;
    }
  }

  void DrawPanels() {
    if (panels_.empty()) {
      return;
    }
    const double share = (options_.height - kMargin - AxisHeight() - y_) /
                             static_cast<double>(panels_.size()) -
                         kSectionGap;
    const double height = std::max(std::floor(share), kLeastPanelHeight);
    const PanelFrame frame = {
        .left = left_, .right = right_, .x = time_, .x_ticks = ticks_.values};
    bool has_above = !timeline_.spans.empty() || !timeline_.bands.empty();
    for (const Figure& panel : panels_) {
      y_ += has_above ? kSectionGap : 0;
      has_above = true;
      Drawing drawing =
          Shifted(MakePanel(panel, drawing_.width, height, frame), y_);
      std::ranges::move(drawing.shapes, std::back_inserter(drawing_.shapes));
      y_ += height;
    }
  }

  void DrawTickLabels(double base) {
    for (std::size_t i = 0; i < ticks_.values.size(); ++i) {
      AddText({TickLabelMiddle(i), base},
              WithMinusSign(ticks_.labels[i]),
              kSoftInk,
              Anchor::kMiddle);
    }
  }

  void DrawTimeAxis() {
    if (timeline_.spans.empty() && timeline_.bands.empty() && panels_.empty()) {
      DrawFrame(y_, y_);
    }
    DrawTickLabels(y_ + kTickLength + kTextGap + kTickSize * 0.75);
    const std::string unit =
        (ticks_.exponent == 0 ? ""
                              : "10" + Superscript(ticks_.exponent) + " ") +
        ticks_.unit;
    drawing_.shapes.emplace_back(Label{
        .at = {(left_ + right_) / 2,
               y_ + kTickLength + kTextGap + kTickSize + 8 + kLabelSize * 0.75},
        .text = "time [" + unit + "]",
        .size = kLabelSize,
        .color = kInk,
        .anchor = Anchor::kMiddle});
    drawing_.height = std::ceil(y_ + AxisHeight() + kMargin);
  }

  void Describe() {
    drawing_.title = CleanText(timeline_.title);
    if (drawing_.title.empty()) {
      drawing_.title = "Timeline";
    }
    drawing_.description =
        "Timeline from " + TimeText(timeline_.begin) + " to " +
        TimeText(timeline_.end) + ": " +
        std::to_string(timeline_.spans.size()) + " spans in " +
        std::to_string(chart_.rows.size() + chart_.left_out) + " rows";
    for (const TimelineBand& band : timeline_.bands) {
      drawing_.description += ", " + CleanText(band.label);
    }
    for (const Figure& panel : panels_) {
      for (const Series& series : panel.series) {
        drawing_.description += ", " + CleanText(series.label);
      }
    }
    drawing_.description += ".";
  }

  const Timeline& timeline_;
  const ImageOptions& options_;
  Range time_;
  TimelineRows chart_;
  std::vector<Figure> panels_;  // What is seen of them.
  TimeTicks ticks_;
  Drawing drawing_;
  double left_ = 0;   // Of the times.
  double right_ = 0;  // Likewise.
  double y_ = 0;      // Below what has been drawn.
};

}  // namespace

Drawing MakeTimelineDrawing(const Timeline& timeline,
                            const ImageOptions& options,
                            double most_height) {
  return TimelineLayout(timeline, options, most_height).Make();
}

}  // namespace orrery::internal
