#include "orrery/plot/timeline/timeline_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/plot/axes/time_ticks.h"
#include "orrery/plot/drawing/palette.h"
#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/timeline/time_axis.h"
#include "orrery/plot/timeline/timeline_bars.h"
#include "orrery/plot/timeline/timeline_rows.h"
#include "orrery/plot/timeline/timeline_shapes.h"

namespace orrery::plot::internal {
namespace {

using State = TimelineSpan::State;

constexpr Color kZebra = {0xF4, 0xF6, 0xF8};
// Texts too short to be drawn.
constexpr Color kManyTexts = {0xD3, 0xD8, 0xDE};

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
constexpr double kFine = 3;  // Narrower bars are merged.
constexpr std::size_t kTextColors = 6;

// Light enough for dark text on it; stronger once the colours are used up.
Color ColorOfText(std::size_t text) {
  const int percent = text / kTextColors % 2 == 0 ? 30 : 58;
  const auto mix = [percent](std::uint8_t part) {
    return static_cast<std::uint8_t>(255 - (255 - part) * percent / 100);
  };
  const Color& color = kPalette[text % kTextColors];
  return {mix(color.red), mix(color.green), mix(color.blue)};
}

std::vector<Figure> ClippedPanels(const Timeline& timeline, Range time) {
  std::vector<Figure> panels;
  for (const Figure& panel : timeline.panels) {
    panels.push_back(ClippedPanel(panel, time));
  }
  return panels;
}

class TimelineLayout {
 public:
  TimelineLayout(const Timeline& timeline,
                 const ImageOptions& options,
                 double most_height)
      : timeline_(timeline),
        options_(options),
        time_(TimeRange(timeline)),
        chart_(MakeTimelineRows(timeline, RowsWithin(most_height))),
        panels_(ClippedPanels(timeline, time_)),
        axis_(time_, AxisLeft(), options.width) {
    drawing_.width = options.width;
  }

  Drawing Make() {
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
  // The number of rows for which a picture has room.
  [[nodiscard]] std::size_t RowsWithin(double most_height) const {
    const double others = 2 * kMargin + kTitleSize + 12 + kKeyHeight +
                          2 * kSectionGap + 2 * TimeAxis::kHeight + kRowHeight +
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

  [[nodiscard]] double Indent(const TimelineRow& row) const {
    return std::min(static_cast<double>(row.depth) * kIndent,
                    0.12 * options_.width);
  }

  // Right of the labels and of the panels' y axes, which are in one column.
  [[nodiscard]] double AxisLeft() const {
    double labels = 0;
    for (const TimelineRow& row : chart_.rows) {
      labels = std::max(labels,
                        Indent(row) + TextWidth(row.label, kTickSize) *
                                          (row.is_parent ? kBoldness : 1));
    }
    for (const TimelineBand& band : timeline_.bands) {
      labels = std::max(labels, TextWidth(CleanText(band.label), kTickSize));
    }
    double left = kMargin + std::min(labels, 0.3 * options_.width) + 12;
    for (const Figure& panel : panels_) {
      left = std::max(left, PanelLeft(panel));
    }
    return std::ceil(left);
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

  // Draws the key of the bars of the chart, unless all are completed.
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
    double x = axis_.left();
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
      DrawSpan({.box = {x, top, x + 26, top + kBarHeight}, .state = state},
               axis_.right(),
               drawing_);
      x += 28 + kTextGap + (state == State::kFailed ? 4 : 0);
      AddText({x, top + kBarHeight / 2 + kTickSize * 0.36},
              name,
              kInk,
              Anchor::kStart);
      x += TextWidth(name, kTickSize) + 22;
    }
    y_ += kKeyHeight;
  }

  void DrawChart() {
    if (chart_.rows.size() > kRowsBelowOneAxis) {
      y_ += kTickSize;
      axis_.DrawTickLabels(y_ - 3, drawing_);
      y_ += 4;
    }
    const double top = y_;
    const double bottom =
        top + kRowHeight * static_cast<double>(chart_.rows.size());
    DrawZebra(top);
    axis_.DrawGrid(top, bottom, drawing_);
    for (const TimelineRow& row : chart_.rows) {
      DrawRow(row);
      y_ += kRowHeight;
    }
    axis_.DrawFrame(top, bottom, drawing_);
    if (chart_.left_out > 0) {
      y_ += kRowHeight;
      AddText({kMargin, y_ - kRowHeight / 2 + kTickSize * 0.36},
              "and " + std::to_string(chart_.left_out) + " more " +
                  (chart_.left_out == 1 ? "row" : "rows"),
              kSoftInk,
              Anchor::kStart);
    }
  }

  // Shades every other row, to guide the eye from a label to its bars.
  void DrawZebra(double top) {
    Area zebra{.outlines = {}, .color = kZebra, .tooltip = {}};
    for (std::size_t i = 0; i < chart_.rows.size(); i += 2) {
      const double y = top + kRowHeight * static_cast<double>(i);
      zebra.outlines.push_back(
          Rectangle{kMargin - 6, y, axis_.right(), y + kRowHeight}.Outline());
    }
    drawing_.shapes.emplace_back(std::move(zebra));
  }

  void DrawRow(const TimelineRow& row) {
    const double middle = y_ + kRowHeight / 2;
    const double x = kMargin + Indent(row);
    const double size = row.is_parent ? kTickSize * kBoldness : kTickSize;
    drawing_.shapes.emplace_back(
        Label{.at = {x, middle + kTickSize * 0.36},
              .text = FittedText(row.label, size, axis_.left() - 12 - x),
              .size = kTickSize,
              .color = kInk,
              .bold = row.is_parent});
    const double half = (row.is_parent ? kWholeHeight : kBarHeight) / 2;
    for (const TimelineBar& bar : MakeTimelineBars(
             timeline_, row, axis_.right() - axis_.left(), kFine)) {
      const TimelineSpan& span = timeline_.spans[bar.first];
      std::string tooltip = TooltipOf(timeline_, bar);
      if (bar.count == 1 && span.end == span.begin) {
        const double at = axis_.left() + bar.left;
        DrawMoment(
            {.box = {at, middle - kBarHeight / 2, at, middle + kBarHeight / 2},
             .state = bar.state,
             .tooltip = std::move(tooltip)},
            drawing_);
        continue;
      }
      // A gap of a pixel separates bars that follow each other.
      const double gap = bar.right - bar.left > 2 * kLeastBar ? 1 : 0;
      const double left =
          std::min(axis_.left() + bar.left, axis_.right() - kLeastBar);
      DrawSpan(
          {.box = {left,
                   middle - half,
                   std::max(axis_.left() + bar.right - gap, left + kLeastBar),
                   middle + half},
           .state = bar.state,
           .is_whole = row.is_parent,
           .tooltip = std::move(tooltip)},
          axis_.right(),
          drawing_);
    }
  }

  void DrawBands() {
    y_ += timeline_.spans.empty() ? 0 : kSectionGap;
    std::vector<TimelineTexts> texts;
    double height = 0;
    for (const TimelineBand& band : timeline_.bands) {
      texts.push_back(MakeTimelineTexts(
          timeline_, band, axis_.right() - axis_.left(), kFine));
      height +=
          kBandHeight + (UnwrittenTexts(texts.back()).empty() ? 0 : kKeyHeight);
    }
    const double top = y_;
    axis_.DrawGrid(top, top + height, drawing_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      DrawBand(timeline_.bands[i], texts[i]);
    }
    axis_.DrawFrame(top, top + height, drawing_);
  }

  [[nodiscard]] static bool Holds(const TimelinePiece& piece,
                                  const std::string& text) {
    return TextWidth(text, kTickSize) <= piece.right - piece.left - 8;
  }

  // Visible texts for which no piece has room.
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
            FittedText(
                CleanText(band.label), kTickSize, axis_.left() - 12 - kMargin),
            kInk,
            Anchor::kStart);
    for (const TimelinePiece& piece : texts.pieces) {
      const std::string& text = texts.texts[piece.text];
      const bool is_one = piece.count == 1;
      const double width = piece.right - piece.left;
      const double left = axis_.left() + piece.left;
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

  // Draws as many as fit in one line.
  void DrawTextKey(const TimelineTexts& band,
                   const std::vector<std::size_t>& texts) {
    constexpr double kSwatch = 12;
    const double more = TextWidth("\u2026", kTickSize);
    const double middle = y_ + kKeyHeight / 2 - 1;
    double x = axis_.left() + 8;
    for (const std::size_t i : texts) {
      const std::string& text = band.texts[i];
      const double end = x + kSwatch + kTextGap + TextWidth(text, kTickSize);
      const bool is_last = i == texts.back();
      if (end + (is_last ? 0 : 18 + more) > axis_.right()) {
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
    const double share = (options_.height - kMargin - TimeAxis::kHeight - y_) /
                             static_cast<double>(panels_.size()) -
                         kSectionGap;
    const double height = std::max(std::floor(share), kLeastPanelHeight);
    const PanelFrame frame = {.left = axis_.left(),
                              .right = axis_.right(),
                              .x = time_,
                              .x_ticks = axis_.ticks()};
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

  void DrawTimeAxis() {
    if (timeline_.spans.empty() && timeline_.bands.empty() && panels_.empty()) {
      axis_.DrawFrame(y_, y_, drawing_);
    }
    axis_.DrawTexts(y_, drawing_);
    drawing_.height = std::ceil(y_ + TimeAxis::kHeight + kMargin);
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
  std::vector<Figure> panels_;  // Clipped to the visible time.
  TimeAxis axis_;
  Drawing drawing_;
  double y_ = 0;  // Below the parts drawn so far.
};

}  // namespace

Drawing MakeTimelineDrawing(const Timeline& timeline,
                            const ImageOptions& options,
                            double most_height) {
  return TimelineLayout(timeline, options, most_height).Make();
}

}  // namespace orrery::plot::internal
