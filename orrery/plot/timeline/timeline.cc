#include "orrery/plot/timeline.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/plot/axes/time_ticks.h"
#include "orrery/plot/drawing/png.h"
#include "orrery/plot/drawing/svg.h"
#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/terminal.h"
#include "orrery/plot/figures/validate.h"
#include "orrery/plot/timeline/timeline_layout.h"
#include "orrery/plot/timeline/timeline_rows.h"

namespace orrery {

namespace internal = plot::internal;

namespace {

using internal::Drawing;

// The greatest width and height of an image; a limit of cairo.
constexpr double kMostPixels = 32000;

Drawing CheckedDrawing(const Timeline& timeline,
                       const ImageOptions& options,
                       double most_height) {
  internal::CheckTimeline(timeline);
  internal::CheckSize("width", options.width, {400, 20000});
  internal::CheckSize("height", options.height, {150, 20000});
  internal::CheckSize("scale", options.scale, {0.1, 10});
  return internal::MakeTimelineDrawing(timeline, options, most_height);
}

}  // namespace

std::string RenderTimelineSvg(const Timeline& timeline,
                              const ImageOptions& options) {
  constexpr double kAnyHeight = 1e9;
  return internal::ToSvg(CheckedDrawing(timeline, options, kAnyHeight));
}

std::string RenderTimelinePng(const Timeline& timeline,
                              const ImageOptions& options) {
  internal::CheckSize("scale", options.scale, {0.1, 10});
  const Drawing drawing =
      CheckedDrawing(timeline, options, kMostPixels / options.scale);
  if (std::max(drawing.width, drawing.height) * options.scale > kMostPixels) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw the timeline: " + ShortestText(drawing.width) +
                    " by " + ShortestText(drawing.height) +
                    " pixels times the scale of " +
                    ShortestText(options.scale) + " are more than the " +
                    ShortestText(kMostPixels) +
                    " that an image may have; take a smaller scale or SVG");
  }
  return internal::ToPng(drawing, options.scale);
}

void WriteTimeline(const std::string& path,
                   const Timeline& timeline,
                   const ImageOptions& options) {
  const std::string ending = internal::CheckedEnding(path);
  const std::string bytes =
      ending == ".svg"   ? RenderTimelineSvg(timeline, options)
      : ending == ".png" ? RenderTimelinePng(timeline, options)
                         : RenderTimelineTerminal(timeline);
  internal::WriteWhole(path, bytes);
}

namespace {

using internal::CountCodePoints;
using internal::TimelineBar;
using internal::TimelineRow;
using State = TimelineSpan::State;

// The characters of a bar on a terminal.
struct BarGlyphs {
  const char* body;
  const char* last;   // The last cell.
  const char* color;  // An ANSI code.
};

BarGlyphs GlyphsOf(State state, bool is_whole, bool ascii) {
  switch (state) {
    case State::kOpen:
      return ascii ? BarGlyphs{is_whole ? "=" : "#", ">", "34"}
                   : BarGlyphs{is_whole ? "\u2584" : "\u2588", "\u25B6", "34"};
    case State::kCompleted:
      return ascii ? BarGlyphs{is_whole ? "=" : "#", is_whole ? "=" : "#", "34"}
             : is_whole ? BarGlyphs{"\u2584", "\u2584", "39"}
                        : BarGlyphs{"\u2588", "\u2589", "34"};
    case State::kFailed:
      return ascii ? BarGlyphs{"!", "X", "31"}
                   : BarGlyphs{"\u2593", "\u2573", "31"};
    case State::kCancelled:
      break;
  }
  return ascii ? BarGlyphs{"-", "|", "90"}
               : BarGlyphs{"\u2591", "\u2502", "90"};
}

class TerminalTimeline {
 public:
  TerminalTimeline(const Timeline& timeline, const TerminalOptions& options)
      : timeline_(timeline),
        options_(options),
        chart_(internal::MakeTimelineRows(
            timeline, static_cast<std::size_t>(options.height))) {
    axis_.range = internal::TimeRange(timeline);
    for (const Figure& panel : timeline.panels) {
      panels_.push_back(internal::ClippedPanel(panel, axis_.range));
    }
  }

  std::string Render() {
    PlaceColumn();
    if (!timeline_.title.empty()) {
      AddLine(Cut(Shown(timeline_.title), Width()));
    }
    WriteKey();
    for (const TimelineRow& row : chart_.rows) {
      WriteRow(row);
    }
    if (chart_.left_out > 0) {
      AddLine("and " + std::to_string(chart_.left_out) + " more " +
              (chart_.left_out == 1 ? "row" : "rows"));
    }
    for (const TimelineBand& band : timeline_.bands) {
      WriteBand(band);
    }
    WritePanels();
    WriteAxis();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t Width() const {
    return static_cast<std::size_t>(options_.width);
  }

  [[nodiscard]] std::string Shown(const std::string& text) const {
    return internal::ShownText(text, options_.ascii);
  }

  [[nodiscard]] std::string Cut(const std::string& text,
                                std::size_t width) const {
    return internal::CutToColumns(text, width, options_.ascii);
  }

  void AddLine(const std::string& line) { out_ += internal::EndedLine(line); }

  [[nodiscard]] std::string Colored(const std::string& text,
                                    const char* color) const {
    return options_.color
               ? "\x1b[" + std::string(color) + "m" + text + "\x1b[0m"
               : text;
  }

  [[nodiscard]] std::size_t Indent(const TimelineRow& row) const {
    return std::min(2 * row.depth, Width() / 8);
  }

  void PlaceColumn() {
    std::size_t labels = 2;
    for (const TimelineRow& row : chart_.rows) {
      labels = std::max(labels, Indent(row) + CountCodePoints(row.label));
    }
    for (const TimelineBand& band : timeline_.bands) {
      labels = std::max(labels, CountCodePoints(Shown(band.label)));
    }
    axis_.margin = std::min(labels + 1, Width() / 3);
    for (const Figure& panel : panels_) {
      axis_.margin = std::max(axis_.margin, internal::TerminalMargin(panel));
    }
    axis_.columns =
        std::max(10, options_.width - static_cast<int>(axis_.margin) - 2);
  }

  // Starts a line with a label in its column, and the axis beside it.
  void StartLine(const std::string& text, std::size_t indent) {
    line_ = std::string(indent, ' ') + Cut(text, axis_.margin - 1 - indent);
    line_ += std::string(axis_.margin - CountCodePoints(line_), ' ');
    line_ += options_.ascii ? "|" : "\u2502";
    cells_.assign(static_cast<std::size_t>(axis_.columns), {});
  }

  void EndLine() {
    const char* color = nullptr;
    for (const Cell& cell : cells_) {
      if (options_.color && cell.color != color) {
        line_ += "\x1b[" + std::string(cell.color ? cell.color : "0") + "m";
        color = cell.color;
      }
      line_ += cell.text.empty() ? std::string(" ") : cell.text;
    }
    AddLine(line_ + (color != nullptr ? "\x1b[0m" : ""));
  }

  void WriteKey() {
    std::string key;
    std::size_t used = 0;  // Columns used so far.
    for (const State state :
         {State::kOpen, State::kFailed, State::kCancelled}) {
      const bool occurs = std::ranges::any_of(
          timeline_.spans,
          [state](const TimelineSpan& span) { return span.state == state; });
      if (occurs) {
        const BarGlyphs glyphs = GlyphsOf(state, false, options_.ascii);
        const std::string name(internal::NameOf(state));
        const std::size_t length = 4 + name.size();
        if (used > 0 && used + 3 + length > Width()) {
          AddLine(key);
          key.clear();
          used = 0;
        }
        key += used > 0 ? "   " : "";
        key += Colored(std::string(glyphs.body) + glyphs.body + glyphs.last,
                       glyphs.color) +
               " " + name;
        used += (used > 0 ? 3 : 0) + length;
      }
    }
    if (used > 0) {
      AddLine(key);
    }
  }

  void WriteRow(const TimelineRow& row) {
    StartLine(Shown(row.label), Indent(row));
    for (const TimelineBar& bar :
         internal::MakeTimelineBars(timeline_, row, axis_.columns, 1)) {
      const BarGlyphs glyphs =
          GlyphsOf(bar.state, row.is_parent, options_.ascii);
      const std::size_t first = std::min(
          static_cast<std::size_t>(std::lround(bar.left)), cells_.size() - 1);
      const std::size_t end =
          std::clamp(static_cast<std::size_t>(std::lround(bar.right)),
                     first + 1,
                     cells_.size());
      for (std::size_t x = first; x < end; ++x) {
        cells_[x] = {.text = x + 1 < end ? glyphs.body : glyphs.last,
                     .color = glyphs.color};
      }
    }
    EndLine();
  }

  // Writes each text between two bars.
  void WriteBand(const TimelineBand& band) {
    StartLine(Shown(band.label), 0);
    const internal::TimelineTexts texts =
        internal::MakeTimelineTexts(timeline_, band, axis_.columns, 1);
    for (const internal::TimelinePiece& piece : texts.pieces) {
      const std::size_t first = std::min(
          static_cast<std::size_t>(std::lround(piece.left)), cells_.size() - 1);
      const std::size_t end =
          std::clamp(static_cast<std::size_t>(std::lround(piece.right)),
                     first + 1,
                     cells_.size());
      for (std::size_t x = first + 1; x < end; ++x) {
        cells_[x] = {};
      }
      cells_[first] = {.text = options_.ascii ? "|" : "\u258F",
                       .color = nullptr};
      const std::string text =
          piece.count == 1
              ? Cut(Shown(texts.texts[piece.text]), end - first - 1)
              : std::string();
      Write(text, first + 1);
    }
    EndLine();
  }

  // Writes a character in each cell; continuation bytes of UTF-8 stay with
  // theirs.
  void Write(const std::string& text, std::size_t at) {
    for (const char c : text) {
      if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80) {
        cells_[at - 1].text += c;
      } else {
        cells_[at++] = {.text = std::string(1, c), .color = nullptr};
      }
    }
  }

  void WritePanels() {
    TerminalOptions options = options_;
    options.height = std::max(6, options_.height / 2);
    for (const Figure& panel : panels_) {
      out_ += internal::TerminalPanel(panel, options, axis_);
    }
  }

  void WriteAxis() {
    const internal::TimeTicks ticks =
        internal::MakeTimeTicks(axis_.range, std::max(2, axis_.columns / 12));
    out_ +=
        internal::AxisLines(axis_, ticks.values, ticks.labels, options_.ascii);
    std::string unit = ticks.unit;
    if (options_.ascii && unit == "\u00B5s") {
      unit = "us";
    }
    std::string title = "time [" + unit + "]";
    if (ticks.exponent != 0) {
      title += " x 10^" + std::to_string(ticks.exponent);
    }
    const auto count = static_cast<std::size_t>(axis_.columns);
    AddLine(std::string(
                axis_.margin + 1 + (count - std::min(count, title.size())) / 2,
                ' ') +
            Cut(title, count));
  }

  struct Cell {
    std::string text;  // A character; empty: a blank.
    const char* color = nullptr;
  };

  const Timeline& timeline_;
  const TerminalOptions& options_;
  internal::TimelineRows chart_;
  std::vector<Figure> panels_;  // Clipped to the visible time.
  internal::TerminalAxis axis_;
  std::string line_;
  std::vector<Cell> cells_;  // The cells right of the axis.
  std::string out_;
};

}  // namespace

std::string RenderTimelineTerminal(const Timeline& timeline,
                                   const TerminalOptions& options) {
  internal::CheckTimeline(timeline);
  internal::CheckSize("width", options.width, {30, 1000});
  internal::CheckSize("height", options.height, {8, 1000});
  return TerminalTimeline(timeline, options).Render();
}

}  // namespace orrery
