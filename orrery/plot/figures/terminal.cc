#include "orrery/plot/figures/terminal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "orrery/plot/axes/log_axes.h"
#include "orrery/plot/drawing/text.h"
#include "orrery/plot/figures/layout_parts.h"
#include "orrery/plot/figures/validate.h"
#include "orrery/plot/render.h"

namespace orrery {

namespace internal = plot::internal;

namespace {

using internal::Fraction;
using internal::PlaceOf;
using internal::Point;

constexpr int kFewestYTicks = 2;
constexpr int kMostYTicks = 8;

// One sign for each series if neither dots nor colours distinguish them.
constexpr std::string_view kSigns = "*+ox#@%&";

// ANSI colours similar to those of the palette; 39 is the terminal's own.
constexpr std::array<int, 7> kAnsiColors = {34, 31, 32, 35, 33, 36, 39};

// The bits of a braille character, by column and row of its dots: Unicode,
// "Braille Patterns", U+2800 to U+28FF.
constexpr std::array<std::array<std::uint8_t, 4>, 2> kBrailleBits = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

std::string Spaces(std::size_t count) {
  return std::string(count, ' ');
}

// A grid of characters with colours. A cell has braille dots or a text.
class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width),
        height_(height),
        cells_(static_cast<std::size_t>(width) *
               static_cast<std::size_t>(height)) {}

  [[nodiscard]] int width() const { return width_; }

  [[nodiscard]] int height() const { return height_; }

  // `x` and `y` in dots, from the upper left corner.
  void SetDot(int x, int y, std::size_t color) {
    Cell& cell = At(x / 2, y / 4);
    cell.dots |= kBrailleBits[static_cast<std::size_t>(x % 2)]
                             [static_cast<std::size_t>(y % 4)];
    cell.color = color;
  }

  void SetText(int x, int y, std::string text, std::size_t color) {
    At(x, y) = {.text = std::move(text), .color = color};
  }

  [[nodiscard]] std::string Row(int y, bool with_color) const {
    std::string row;
    int current = 0;
    for (int x = 0; x < width_; ++x) {
      const Cell& cell = cells_[Index(x, y)];
      const int color = cell.empty() || !with_color
                            ? 0
                            : kAnsiColors[cell.color % kAnsiColors.size()];
      if (color != current) {
        row += "\x1b[" + std::to_string(color) + "m";
        current = color;
      }
      row += cell.Text();
    }
    row.resize(row.find_last_not_of(' ') + 1);
    return row + (current != 0 ? "\x1b[0m" : "");
  }

 private:
  struct Cell {
    std::string text;
    std::uint8_t dots = 0;
    std::size_t color = 0;

    [[nodiscard]] bool empty() const { return text.empty() && dots == 0; }

    // UTF-8 of U+2800 + dots: E2 A0 80 to E2 A3 BF.
    [[nodiscard]] std::string Text() const {
      if (!text.empty()) {
        return text;
      }
      if (dots == 0) {
        return " ";
      }
      return {'\xE2',
              static_cast<char>(0xA0 + dots / 64),
              static_cast<char>(0x80 + dots % 64)};
    }
  };

  [[nodiscard]] std::size_t Index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  Cell& At(int x, int y) { return cells_[Index(x, y)]; }

  int width_;
  int height_;
  std::vector<Cell> cells_;
};

// Calls `plot` for each cell of a grid on the straight line between two cells.
template <typename Plot>
void Trace(int x0, int y0, int x1, int y1, Plot&& plot) {
  const int steps = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
  for (int i = 0; i <= steps; ++i) {
    const double s = steps == 0 ? 0 : static_cast<double>(i) / steps;
    plot(static_cast<int>(std::lround(std::lerp(x0, x1, s))),
         static_cast<int>(std::lround(std::lerp(y0, y1, s))));
  }
}

class TerminalPlot {
 public:
  TerminalPlot(const Figure& figure,
               const TerminalOptions& options,
               const internal::TerminalAxis* axis = nullptr)
      : figure_(figure),
        options_(options),
        axis_(axis),
        ranges_(internal::FindRanges(figure)),
        colors_(internal::ColorsOf(figure)),
        signs_(options.ascii || (figure.series.size() > 1 && !options.color)) {}

  std::string Render() {
    const int above = (figure_.title.empty() ? 0 : 1) + 1;
    const int below = axis_ != nullptr ? 0 : 3;
    const int rows = std::max(3, options_.height - above - below);
    const int most = std::clamp(rows / 3, kFewestYTicks, kMostYTicks);
    if (figure_.equal_aspect && axis_ == nullptr) {
      // A character is about twice as high as wide.
      ranges_ =
          internal::WithEqualAspect(ranges_, options_.width - 8, 2.0 * rows);
    } else {
      ranges_.y = internal::RoundedOn(figure_.y, ranges_.y, most);
    }
    y_ticks_ = internal::TicksOf(figure_.y, ranges_.y, most);
    for (const std::string& label : y_ticks_.labels) {
      margin_ = std::max(margin_, label.size() + 1);
    }
    int columns = std::max(10, options_.width - static_cast<int>(margin_) - 2);
    if (axis_ != nullptr) {
      margin_ = axis_->margin;
      columns = axis_->columns;
      ranges_.x = axis_->range;
    }
    x_ticks_ =
        internal::TicksOf(figure_.x, ranges_.x, std::max(2, columns / 12));
    Canvas canvas(columns, rows);
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      DrawLines(i, canvas);
    }
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      DrawDots(i, canvas);
    }
    WriteHead();
    WriteRows(canvas);
    if (axis_ == nullptr) {
      WriteFoot(columns);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string Glyph(const char* fine, const char* plain) const {
    return options_.ascii ? plain : fine;
  }

  void AddLine(const std::string& line) { out_ += internal::EndedLine(line); }

  [[nodiscard]] std::string Shown(const std::string& text) const {
    return internal::ShownText(text, options_.ascii);
  }

  [[nodiscard]] std::string Title(const Axis& axis, int exponent) const {
    std::string title = Shown(internal::AxisTitle(axis));
    if (exponent != 0) {
      title += (title.empty() ? "x 10^" : " x 10^") + std::to_string(exponent);
    }
    return title;
  }

  [[nodiscard]] std::string XTitle() const {
    return Title(figure_.x, x_ticks_.exponent);
  }

  [[nodiscard]] std::string SignOf(std::size_t series) const {
    return std::string(1, kSigns[colors_[series] % kSigns.size()]);
  }

  void DrawLines(std::size_t index, Canvas& canvas) const {
    const Series& series = figure_.series[index];
    if (!internal::HasLine(series)) {
      return;
    }
    const int width = signs_ ? canvas.width() : 2 * canvas.width();
    const int height = signs_ ? canvas.height() : 4 * canvas.height();
    const auto plot = [&](int x, int y) {
      if (signs_) {
        canvas.SetText(x, y, SignOf(index), colors_[index]);
      } else {
        canvas.SetDot(x, y, colors_[index]);
      }
    };
    for (const std::vector<Point>& line : internal::LinesOf(series)) {
      const Point* last = &line.front();
      for (const Point& point : line) {
        Trace(PlaceOf(Fraction(ranges_.x, last->x), width),
              PlaceOf(1 - Fraction(ranges_.y, last->y), height),
              PlaceOf(Fraction(ranges_.x, point.x), width),
              PlaceOf(1 - Fraction(ranges_.y, point.y), height),
              plot);
        last = &point;
      }
    }
  }

  void DrawDots(std::size_t index, Canvas& canvas) const {
    const Series& series = figure_.series[index];
    if (!internal::HasDots(series)) {
      return;
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        canvas.SetText(
            PlaceOf(Fraction(ranges_.x, series.x[i]), canvas.width()),
            PlaceOf(1 - Fraction(ranges_.y, series.y[i]), canvas.height()),
            DotOf(index),
            colors_[index]);
      }
    }
  }

  // The sign of measured data, which differs from that of the curve of their
  // colour.
  [[nodiscard]] std::string DotOf(std::size_t index) const {
    if (!signs_) {
      return "\u25CF";
    }
    constexpr std::string_view kDots = "O@#%";
    return std::string(1, kDots[colors_[index] % kDots.size()]);
  }

  void WriteHead() {
    const auto width = static_cast<std::size_t>(options_.width);
    if (!figure_.title.empty()) {
      AddLine(
          internal::CutToColumns(Shown(figure_.title), width, options_.ascii));
    }
    std::string head = Title(figure_.y, y_ticks_.exponent);
    head = internal::CutToColumns(head, width / 2, options_.ascii);
    std::size_t used = internal::CountCodePoints(head);
    for (std::size_t i = 0;
         internal::NeedsLegend(figure_) && i < figure_.series.size();
         ++i) {
      std::string entry =
          LegendSample(i) + " " + Shown(figure_.series[i].label);
      const std::size_t length = internal::CountCodePoints(entry);
      const std::size_t gap = used == 0 ? 0 : 3;
      const bool is_last = i + 1 == figure_.series.size();
      const std::size_t reserved = is_last ? 0 : kMoreWidth;
      if (used + gap + length + reserved > width) {
        head += " " + Glyph("\u2026", "...");
        break;
      }
      used += gap + length;
      head += Spaces(gap) + Colored(entry, i);
    }
    AddLine(head);
  }

  [[nodiscard]] std::string LegendSample(std::size_t index) const {
    const Series& series = figure_.series[index];
    if (!internal::HasLine(series)) {
      return DotOf(index);
    }
    return signs_ ? SignOf(index) : "\u2500\u2500";
  }

  [[nodiscard]] std::string Colored(const std::string& text,
                                    std::size_t index) const {
    if (!options_.color) {
      return text;
    }
    const int color = kAnsiColors[colors_[index] % kAnsiColors.size()];
    return "\x1b[" + std::to_string(color) + "m" + text + "\x1b[0m";
  }

  void WriteRows(const Canvas& canvas) {
    std::vector<std::string> labels(static_cast<std::size_t>(canvas.height()));
    for (std::size_t i = 0; i < y_ticks_.values.size(); ++i) {
      const double fraction = Fraction(ranges_.y, y_ticks_.values[i]);
      labels[static_cast<std::size_t>(PlaceOf(1 - fraction, canvas.height()))] =
          y_ticks_.labels[i];
    }
    for (int y = 0; y < canvas.height(); ++y) {
      const std::string& label = labels[static_cast<std::size_t>(y)];
      const std::string axis =
          label.empty() ? Glyph("\u2502", "|") : Glyph("\u2524", "+");
      std::string line = Spaces(margin_ - 1 - label.size());
      line += label;
      line += " ";
      line += axis;
      line += canvas.Row(y, options_.color);
      AddLine(line);
    }
  }

  void WriteFoot(int columns) {
    out_ += internal::AxisLines(
        {.margin = margin_, .columns = columns, .range = ranges_.x},
        x_ticks_.values,
        x_ticks_.labels,
        options_.ascii);
    const auto count = static_cast<std::size_t>(columns);
    const std::string title =
        internal::CutToColumns(XTitle(), margin_ + count, options_.ascii);
    const std::size_t length = internal::CountCodePoints(title);
    if (length > 0) {
      AddLine(Spaces(margin_ + 1 + (count - std::min(count, length)) / 2) +
              title);
    }
  }

  static constexpr std::size_t kMoreWidth = 4;  // Width of " ...".

  const Figure& figure_;
  const TerminalOptions& options_;
  const internal::TerminalAxis* axis_;  // Null for an axis of its own.
  internal::Ranges ranges_;
  std::vector<std::size_t> colors_;
  bool signs_;  // True for a sign for each series, false for braille.
  internal::Ticks x_ticks_;
  internal::Ticks y_ticks_;
  std::size_t margin_ = 2;  // Columns left of the axis.
  std::string out_;
};

}  // namespace

namespace plot::internal {

std::string CutToColumns(const std::string& text,
                         std::size_t width,
                         bool ascii) {
  if (CountCodePoints(text) <= width) {
    return text;
  }
  const std::string end =
      ascii ? std::string(std::min<std::size_t>(width, 3), '.')
            : (width > 0 ? "\u2026" : "");
  const std::size_t room = width - CountCodePoints(end);
  std::size_t columns = 0;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80;
    if (starts && columns++ == room) {
      break;
    }
  }
  return text.substr(0, i) + end;
}

std::string ShownText(const std::string& text, bool ascii) {
  std::string clean = CleanText(text);
  if (ascii) {
    std::ranges::replace_if(
        clean,
        [](char c) { return static_cast<unsigned char>(c) >= 0x80; },
        '?');
  }
  return clean;
}

std::string EndedLine(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

int PlaceOf(double fraction, int size) {
  return std::clamp(
      static_cast<int>(std::lround(fraction * (size - 1))), 0, size - 1);
}

std::string AxisLines(const TerminalAxis& axis,
                      const std::vector<double>& ticks,
                      const std::vector<std::string>& labels,
                      bool ascii) {
  const auto count = static_cast<std::size_t>(axis.columns);
  std::vector<std::string> cells(count, ascii ? "-" : "\u2500");
  std::string below = Spaces(axis.margin + 1 + count);
  std::size_t end = 0;  // End of the last label, with a blank.
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const auto x = static_cast<std::size_t>(
        PlaceOf(Fraction(axis.range, ticks[i]), axis.columns));
    cells[x] = ascii ? "+" : "\u252C";
    const std::string& label = labels[i];
    const std::size_t middle = axis.margin + 1 + x;
    const std::size_t begin = middle - std::min(middle, label.size() / 2);
    const std::size_t last =
        below.size() - std::min(below.size(), label.size());
    const std::size_t at = std::min(begin, last);
    if (at >= end) {
      below.replace(at, label.size(), label);
      end = at + label.size() + 1;
    }
  }
  std::string line = Spaces(axis.margin) + (ascii ? "+" : "\u2514");
  for (const std::string& cell : cells) {
    line += cell;
  }
  return EndedLine(line) + EndedLine(below);
}

std::size_t TerminalMargin(const Figure& figure) {
  const Range range = FindRanges(figure).y;
  std::size_t margin = 2;
  for (int most = kFewestYTicks; most <= kMostYTicks; ++most) {
    for (const std::string& label :
         MakeTicks(RoundedToTicks(range, most), most).labels) {
      margin = std::max(margin, label.size() + 1);
    }
  }
  return margin;
}

std::string TerminalPanel(const Figure& figure,
                          const TerminalOptions& options,
                          const TerminalAxis& axis) {
  return TerminalPlot(figure, options, &axis).Render();
}

}  // namespace plot::internal

std::string RenderTerminal(const Figure& figure,
                           const TerminalOptions& options) {
  internal::CheckFigure(figure);
  internal::CheckSize("width", options.width, {30, 1000});
  internal::CheckSize("height", options.height, {8, 1000});
  const Figure drawn = internal::OnAxes(figure);
  return TerminalPlot(drawn, options).Render();
}

}  // namespace orrery
