#include "orrery/sdk/runs/bars_to_draw.h"

#include <cmath>
#include <functional>
#include <unordered_map>

#include "orrery/base/error.h"

namespace orrery {

std::optional<std::int64_t> RowOfSpan(std::optional<std::int64_t> parent,
                                      bool is_activity,
                                      std::string_view name) {
  if (parent || is_activity) {
    return parent;
  }
  // Below 0, where no span has its number.
  const std::size_t hash = std::hash<std::string_view>{}(name);
  return -1 - static_cast<std::int64_t>(hash >> 2U);
}

std::vector<std::size_t> BarsToDraw(std::span<const TimedBar> bars,
                                    const DrawnRange& range) {
  const double width = range.to - range.from;
  if (!std::isfinite(width) || width <= 0 || range.pixels == 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw bars: their range of time is empty, or has no "
                "pixels");
  }
  const double pixel = width / static_cast<double>(range.pixels);
  std::unordered_map<std::int64_t, double> drawn;  // The last column by row.
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const TimedBar& bar = bars[i];
    if (bar.begin > range.to || bar.end < range.from) {
      continue;
    }
    if (bar.row && bar.end - bar.begin < pixel) {
      const double column = std::floor((bar.begin - range.from) / pixel);
      const auto [last, is_new] = drawn.try_emplace(*bar.row, column);
      if (!is_new && last->second == column) {
        continue;
      }
      last->second = column;
    }
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace orrery
