#include "orrery/plot/figures/layout_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "orrery/plot/drawing/palette.h"
#include "orrery/plot/drawing/text.h"

namespace orrery::plot::internal {

Ranges FindRanges(const Figure& figure) {
  RangeFinder x;
  RangeFinder y;
  for (const Series& series : figure.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        x.Add(series.x[i]);
        y.Add(series.y[i]);
      }
    }
  }
  return {x.Find(), y.Find()};
}

bool AreAlike(const Ranges& ranges, double factor) {
  const double across = ranges.x.high - ranges.x.low;
  const double up = ranges.y.high - ranges.y.low;
  return across < factor * up && up < factor * across;
}

Ranges WithEqualAspect(Ranges ranges, double width, double height) {
  const double across = ranges.x.high - ranges.x.low;
  const double up = ranges.y.high - ranges.y.low;
  if (!AreAlike(ranges, 100)) {
    return ranges;
  }
  const double scale = std::min(width / across, height / up);
  ranges.x = Padded(ranges.x, (width / (scale * across) - 1) / 2);
  ranges.y = Padded(ranges.y, (height / (scale * up) - 1) / 2);
  return ranges;
}

bool HasLine(const Series& series) {
  return series.style != SeriesStyle::kPoints;
}

bool HasDots(const Series& series) {
  return series.style == SeriesStyle::kPoints ||
         series.style == SeriesStyle::kLineAndPoints;
}

bool NeedsLegend(const Figure& figure) {
  return figure.series.size() > 1 ||
         (figure.series.size() == 1 && !figure.series[0].label.empty() &&
          figure.series[0].label != figure.y.label);
}

std::vector<std::size_t> ColorsOf(const Figure& figure) {
  std::vector<std::size_t> colors;
  std::size_t next = 0;
  for (const Series& series : figure.series) {
    colors.push_back(series.color == Series::kNextColor
                         ? next
                         : static_cast<std::size_t>(series.color));
    next = std::max(next, colors.back() + 1);
  }
  return colors;
}

std::vector<SeriesLook> LooksOf(const Figure& figure) {
  const std::vector<std::vector<double>> dashes = {{}, {7, 4}, {2, 4}};
  std::vector<SeriesLook> looks;
  for (const std::size_t color : ColorsOf(figure)) {
    looks.push_back(
        {.color = kPalette[color % kPalette.size()],
         .dashes = dashes[color / kPalette.size() % dashes.size()]});
  }
  return looks;
}

std::vector<std::vector<Point>> LinesOf(const Series& series) {
  std::vector<std::vector<Point>> lines(1);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Point point = {series.x[i], series.y[i]};
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
      if (!lines.back().empty()) {
        lines.emplace_back();
      }
      continue;
    }
    if (series.style == SeriesStyle::kStep && !lines.back().empty()) {
      lines.back().push_back({point.x, lines.back().back().y});
    }
    lines.back().push_back(point);
  }
  if (lines.back().empty()) {
    lines.pop_back();
  }
  return lines;
}

std::string AxisTitle(const Axis& axis) {
  if (axis.unit.empty()) {
    return axis.label;
  }
  return axis.label + (axis.label.empty() ? "[" : " [") + axis.unit + "]";
}

std::string WithMinusSign(std::string label) {
  if (label.starts_with('-')) {
    label.replace(0, 1, "\u2212");
  }
  return label;
}

double LabelMiddle(const std::string& label, double x, double width) {
  const double half = TextWidth(WithMinusSign(label), kTickSize) / 2;
  return std::min(x, width - half - 2);
}

bool LabelsFit(std::span<const std::string> labels,
               std::span<const double> x,
               double width) {
  double end = -width;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double half = TextWidth(WithMinusSign(labels[i]), kTickSize) / 2;
    const double middle = LabelMiddle(labels[i], x[i], width);
    if (middle - half < end + 1.2 * kTickSize) {
      return false;
    }
    end = middle + half;
  }
  return true;
}

}  // namespace orrery::plot::internal
