#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/timeline.h"

namespace orrery::plot::internal {

/// @throws Error kInvalidArgument as `RenderTimelineSvg` does.
void CheckTimeline(const Timeline& timeline);

/// The state in one word, as "failed".
[[nodiscard]] std::string_view NameOf(TimelineSpan::State state);

/// A row of a Gantt chart.
struct TimelineRow {
  std::string label;  ///< Valid UTF-8 without control characters.
  std::size_t depth = 0;
  bool is_parent = false;          ///< True if its spans have parts.
  std::vector<std::size_t> spans;  ///< In the order of their begin.
};

struct TimelineRows {
  std::vector<TimelineRow> rows;  ///< From top to bottom.
  std::size_t left_out = 0;  ///< The number of rows left out for lack of room.
};

/// The rows of the visible part of a valid timeline. If there are more than
/// `most`, the deepest are left out. n spans take O(n log n).
[[nodiscard]] TimelineRows MakeTimelineRows(const Timeline& timeline,
                                            std::size_t most);

/// Spans of a row that are drawn as one bar.
struct TimelineBar {
  double left = 0;
  double right = 0;
  /// The most important state.
  TimelineSpan::State state = TimelineSpan::State::kOpen;
  std::size_t first = 0;  ///< Index of the first of its spans.
  std::size_t count = 1;  ///< The number of spans.
};

/// The bars of a row on `width` columns or pixels, by begin. A bar narrower
/// than `fine` is merged with those less than one beside it.
[[nodiscard]] std::vector<TimelineBar> MakeTimelineBars(
    const Timeline& timeline,
    const TimelineRow& row,
    double width,
    double fine);

/// A text from one place to another.
struct TimelinePiece {
  double left = 0;
  double right = 0;
  std::size_t text = 0;   ///< Its number in `TimelineTexts::texts`.
  std::size_t count = 1;  ///< The number of merged pieces.
};

/// A band on `width` columns or pixels.
struct TimelineTexts {
  std::vector<std::string> texts;  ///< Valid UTF-8, in the order of first use.
  std::vector<TimelinePiece> pieces;
};

/// The visible part of a band. Adjacent pieces narrower than `fine` are merged.
[[nodiscard]] TimelineTexts MakeTimelineTexts(const Timeline& timeline,
                                              const TimelineBand& band,
                                              double width,
                                              double fine);

/// The figure of a panel, clipped to `time`.
[[nodiscard]] Figure ClippedPanel(const Figure& figure, Range time);

/// The range of the axis, longer than zero.
[[nodiscard]] Range TimeRange(const Timeline& timeline);

/// The tooltip of a bar: for one span its label, times, state and details.
[[nodiscard]] std::string TooltipOf(const Timeline& timeline,
                                    const TimelineBar& bar);

}  // namespace orrery::plot::internal
