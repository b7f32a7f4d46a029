#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/sdk/runs/bars_to_draw.h"
#include "orrery/server/results/windows.h"

namespace orrery::server {

/// Request for spans of tasks. Plain data.
struct SpansWanted {
  std::optional<double> from;  ///< s
  std::optional<double> to;
  /// Width of the chart of the range, for BarsToDraw; 0: all spans.
  std::size_t pixels = 0;
  Window window;
};

/// The spans of tasks of a run, read once for many windows.
class SpanTable {
 public:
  /// @param json as WriteSpans writes them in JSON.
  /// @throws Error kIo if it is no such text: it was stored, and is damaged.
  explicit SpanTable(const std::string& json);

  /// Spans that overlap a range, as JSON: `total`, `items`.
  [[nodiscard]] std::string Part(const SpansWanted& wanted) const;

 private:
  [[nodiscard]] std::vector<std::size_t> Overlapping(
      const SpansWanted& wanted) const;

  std::vector<TimedBar> bars_;
  std::vector<std::string> texts_;  // The same, each as it was written.
  double end_ = 0;                  // The last time that is known.
};

}  // namespace orrery::server
