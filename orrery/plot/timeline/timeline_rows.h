#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/timeline.h"

namespace orrery::internal {

/// @throws Error kInvalidArgument as `RenderTimelineSvg` says.
void CheckTimeline(const Timeline& timeline);

/// "failed"; one word.
[[nodiscard]] std::string_view NameOf(TimelineSpan::State state);

/// A row of a Gantt chart.
struct TimelineRow {
  std::string label;  ///< Clean.
  std::size_t depth = 0;
  bool is_parent = false;          ///< Whether its spans have parts.
  std::vector<std::size_t> spans;  ///< By begin.
};

struct TimelineRows {
  std::vector<TimelineRow> rows;  ///< From top to bottom.
  std::size_t left_out = 0;       ///< For want of room.
};

/// The rows of what is seen of a valid timeline: of more than `most` the
/// deepest are left out. n spans take O(n log n).
[[nodiscard]] TimelineRows MakeTimelineRows(const Timeline& timeline,
                                            std::size_t most);

/// Spans of a row that are drawn as one bar.
struct TimelineBar {
  double left = 0;
  double right = 0;
  TimelineSpan::State state = TimelineSpan::State::kOpen;  ///< The worst.
  std::size_t first = 0;  ///< The first of its spans.
  std::size_t count = 1;  ///< How many.
};

/// The bars of a row on `width` columns or pixels, by begin. Those narrower
/// than `fine` are one with what lies less than one beside them.
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
  std::size_t count = 1;  ///< Of the pieces that it stands for.
};

/// A band on `width` columns or pixels.
struct TimelineTexts {
  std::vector<std::string> texts;  ///< Clean, as they come for the first time.
  std::vector<TimelinePiece> pieces;
};

/// What is seen of a band. Pieces narrower than `fine` are one with those
/// beside them that are as narrow.
[[nodiscard]] TimelineTexts MakeTimelineTexts(const Timeline& timeline,
                                              const TimelineBand& band,
                                              double width,
                                              double fine);

/// The figure of a panel with what lies within `time`.
[[nodiscard]] Figure ClippedPanel(const Figure& figure, Range time);

/// What the axis shows: longer than nothing.
[[nodiscard]] Range TimeRange(const Timeline& timeline);

/// What is said of a bar: of one span its label, times, state and details.
[[nodiscard]] std::string TooltipOf(const Timeline& timeline,
                                    const TimelineBar& bar);

}  // namespace orrery::internal
