#include "orrery/plot/figures/legend.h"

#include <algorithm>
#include <utility>

#include "orrery/plot/drawing/palette.h"
#include "orrery/plot/drawing/text.h"

namespace orrery::plot::internal {
namespace {

constexpr double kLegendLine = 20;
constexpr double kLegendSample = 24;
constexpr double kLegendGap = 22;
constexpr std::size_t kNoSeries = static_cast<std::size_t>(-1);

}  // namespace

void Legend::Place(double width, Rectangle& room) {
  AddEntries();
  if (!TryAbove(room)) {
    PlaceBeside(width, room);
  }
}

void Legend::PlaceAbove(Rectangle& room) {
  constexpr std::size_t kMost = 100;
  AddEntries();
  const double most = room.width() / 2;
  std::size_t left_out = entries_.size() - std::min(entries_.size(), kMost);
  entries_.resize(entries_.size() - left_out);
  for (Entry& entry : entries_) {
    entry.text = FittedName(std::move(entry.text), kTickSize, most);
  }
  if (left_out > 0) {
    entries_.push_back({.series = kNoSeries});
  }
  while (true) {
    if (left_out > 0) {
      entries_.back() = {.text = "and " + std::to_string(left_out) + " more",
                         .series = kNoSeries};
    }
    if (TryAbove(room) || entries_.size() < 2) {
      return;
    }
    if (left_out > 0) {
      entries_.pop_back();
    }
    ++left_out;
  }
}

void Legend::AddEntries() {
  for (std::size_t i = 0; i < figure_.series.size(); ++i) {
    std::string text = CleanText(figure_.series[i].label);
    if (!text.empty()) {
      entries_.push_back({.text = std::move(text), .series = i});
    }
  }
}

// The width of a sample. Beside the plot all texts are aligned; above it a dot
// needs less room.
double Legend::SampleWidth(const Entry& entry) const {
  const bool is_dot =
      entry.series != kNoSeries && !HasLine(figure_.series[entry.series]);
  return is_dot && !is_beside_ ? 8 : kLegendSample;
}

// Places the legend in two lines at most. Returns false if these do not
// suffice.
bool Legend::TryAbove(Rectangle& room) {
  double x = room.left;
  double y = room.top;
  for (Entry& entry : entries_) {
    const double width =
        SampleWidth(entry) + kTextGap + TextWidth(entry.text, kTickSize);
    if (x > room.left && x + width > room.right) {
      x = room.left;
      y += kLegendLine;
    }
    if (x + width > room.right || y > room.top + kLegendLine) {
      return false;
    }
    entry.at = {x, y + kLegendLine / 2};
    x += width + kLegendGap;
  }
  room.top = y + kLegendLine + 8;
  return true;
}

void Legend::PlaceBeside(double width, Rectangle& room) {
  is_beside_ = true;
  const double most = 0.3 * width;
  const auto lines = static_cast<std::size_t>(
      std::max(1.0, (room.height() - 3 * kMargin) / kLegendLine));
  if (entries_.size() > lines) {
    const std::size_t left_out = entries_.size() - lines + 1;
    entries_.resize(lines);
    entries_.back() = {.text = "and " + std::to_string(left_out) + " more",
                       .series = kNoSeries};
  }
  double widest = 0;
  for (Entry& entry : entries_) {
    entry.text = FittedName(std::move(entry.text), kTickSize, most);
    widest = std::max(widest, TextWidth(entry.text, kTickSize));
  }
  room.right -= kLegendSample + kTextGap + widest + kMargin;
  double y = room.top + kLegendLine / 2;
  for (Entry& entry : entries_) {
    entry.at = {room.right + kMargin, y};
    y += kLegendLine;
  }
}

void Legend::Draw(std::span<const SeriesLook> looks, Drawing& drawing) const {
  for (const Entry& entry : entries_) {
    drawing.shapes.emplace_back(
        Label{.at = {entry.at.x + SampleWidth(entry) + kTextGap,
                     entry.at.y + kTickSize * 0.36},
              .text = entry.text,
              .size = kTickSize,
              .color = kInk});
    if (entry.series != kNoSeries) {
      DrawSample(entry, looks[entry.series], drawing);
    }
  }
}

void Legend::DrawSample(const Entry& entry,
                        const SeriesLook& look,
                        Drawing& drawing) const {
  const Series& series = figure_.series[entry.series];
  if (HasLine(series)) {
    drawing.shapes.emplace_back(
        Stroke{.lines = {{entry.at, {entry.at.x + kLegendSample, entry.at.y}}},
               .color = look.color,
               .width = kLineWidth + 0.4,
               .dashes = look.dashes});
  }
  if (HasDots(series)) {
    drawing.shapes.emplace_back(
        Dots{.centers = {{entry.at.x + SampleWidth(entry) / 2, entry.at.y}},
             .color = look.color,
             .radius = 3.6});
  }
}

}  // namespace orrery::plot::internal
