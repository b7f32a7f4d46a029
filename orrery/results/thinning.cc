#include "orrery/results/thinning.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery {
namespace {

constexpr std::size_t kRowsOfPixel = 4;

void CheckRange(const DrawnRange& range) {
  if (!std::isfinite(range.from) || !std::isfinite(range.to) ||
      range.from > range.to || range.pixels == 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw from " + ShortestText(range.from) + " s to " +
                    ShortestText(range.to) + " s on " +
                    std::to_string(range.pixels) +
                    " pixels; give a range of finite times and a pixel");
  }
}

// The column of pixels of a time in the range.
std::size_t PixelOf(double t, const DrawnRange& range) {
  if (!(range.to > range.from)) {
    return 0;
  }
  // Both ends may be large: their difference would not be finite.
  const double part =
      (t / 2 - range.from / 2) / (range.to / 2 - range.from / 2);
  const auto pixel = static_cast<std::size_t>(
      std::max(0.0, part * static_cast<double>(range.pixels)));
  return std::min(pixel, range.pixels - 1);
}

template <typename Function>
void AddExtremes(const Function& signal,
                 std::size_t begin,
                 std::size_t end,
                 std::vector<std::size_t>& rows) {
  std::size_t least = end;
  std::size_t greatest = end;
  std::size_t gap = end;
  double low = 0;
  double high = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const double value = signal(row);
    if (std::isnan(value)) {
      gap = gap == end ? row : gap;
      continue;
    }
    if (least == end || value < low) {
      least = row;
      low = value;
    }
    if (greatest == end || value > high) {
      greatest = row;
      high = value;
    }
  }
  for (const std::size_t row : {least, greatest, gap}) {
    if (row != end) {
      rows.push_back(row);
    }
  }
}

template <typename Functions>
std::vector<std::size_t> Choose(std::span<const double> time,
                                const Functions& signals,
                                const DrawnRange& range) {
  CheckRange(range);
  const auto index = [&](auto place) {
    return static_cast<std::size_t>(place - time.begin());
  };
  const std::size_t begin =
      index(std::lower_bound(time.begin(), time.end(), range.from));
  const std::size_t end =
      index(std::upper_bound(time.begin(), time.end(), range.to));
  std::vector<std::size_t> rows;
  if (begin > 0) {
    rows.push_back(begin - 1);
  }
  if (end - begin <= kRowsOfPixel * range.pixels) {
    for (std::size_t row = begin; row < end; ++row) {
      rows.push_back(row);
    }
  } else {
    for (std::size_t first = begin; first < end;) {
      const std::size_t pixel = PixelOf(time[first], range);
      std::size_t next = first + 1;
      while (next < end && PixelOf(time[next], range) == pixel) {
        ++next;
      }
      const auto known = static_cast<std::ptrdiff_t>(rows.size());
      rows.push_back(first);
      rows.push_back(next - 1);
      for (const auto& signal : signals) {
        AddExtremes(signal, first, next, rows);
      }
      std::sort(rows.begin() + known, rows.end());
      rows.erase(std::unique(rows.begin() + known, rows.end()), rows.end());
      first = next;
    }
  }
  if (end < time.size()) {
    rows.push_back(end);
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> RowsToDraw(
    std::span<const double> time,
    std::span<const std::function<double(std::size_t row)>> signals,
    const DrawnRange& range) {
  return Choose(time, signals, range);
}

std::vector<std::size_t> RowsToDraw(const Trajectory& run,
                                    std::span<const Signal> signals,
                                    const DrawnRange& range) {
  struct Values {
    const Signal* signal;

    double operator()(std::size_t row) const { return (*signal)[row]; }
  };

  std::vector<Values> values;
  for (const Signal& signal : signals) {
    values.push_back({&signal});
  }
  return Choose(run.time(), values, range);
}

}  // namespace orrery
