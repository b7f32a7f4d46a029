#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/plot/figure.h"
#include "orrery/plot/render.h"

namespace orrery {

/// The time of a task: a bar of a Gantt chart.
struct TimelineSpan {
  enum class State : std::uint8_t {
    kOpen,  ///< It goes on when the timeline ends.
    kCompleted,
    kFailed,
    kCancelled,
  };

  std::string label;

  /// The index of the span that this one is a part of, an earlier one.
  std::optional<std::size_t> parent;

  double begin = 0;           ///< [s]
  std::optional<double> end;  ///< [s], none where it is open.
  State state = State::kOpen;

  /// Said under the mouse, in SVG, after label, times and state; may be empty.
  std::string details;
};

/// A text that changes over time, as a mode does.
struct TimelineBand {
  std::string label;

  /// From which time [s] on it is which text, ascending. The last holds to the
  /// end; of several at one time the last counts; none is shown where it is
  /// empty.
  std::vector<std::pair<double, std::string>> values;
};

/// What happened in a run, over one axis of time: on top a Gantt chart of its
/// tasks, below it texts and curves.
struct Timeline {
  std::string title;
  double begin = 0;  ///< [s] What lies before is not shown.
  double end = 0;    ///< [s] Nor what lies after.
  std::vector<TimelineSpan> spans;
  std::vector<TimelineBand> bands;

  /// Curves over the time in seconds; their x axis and aspect are the
  /// timeline's.
  std::vector<Figure> panels;
};

/// The timeline as an SVG document: the same bytes for the same timeline
/// everywhere.
///
/// Parts stand indented below the whole, in the order of their begin. Spans of
/// one label below one row share a row while they do not overlap. Of more than
/// 500 rows the deepest are left out and counted. What is open has a torn right
/// edge, what failed stripes and a cross, what was cancelled a hollow bar.
///
/// @param options the picture is as high as its parts need: `height` is the
///     least where there are panels, which share what is left of it. 400 is the
///     least width.
/// @throws Error kInvalidArgument if a size is out of range, a time is not
///     finite or out of order, a parent is no earlier span, a span is open and
///     has an end or neither, or a series has fewer y than x, or more.
[[nodiscard]] std::string RenderTimelineSvg(const Timeline& timeline,
                                            const ImageOptions& options = {});

/// The same picture as the bytes of a PNG file.
/// @throws Error likewise, and kInvalidArgument if the image had more than
///     32000 pixels across or upwards.
[[nodiscard]] std::string RenderTimelinePng(const Timeline& timeline,
                                            const ImageOptions& options = {});

/// The timeline as lines of text, each ending in a newline.
/// @param options `height` is of the chart's rows at most; bands and panels
///     stand below it, each panel half as high, but 6 lines at least.
/// @throws Error as `RenderTimelineSvg` does.
[[nodiscard]] std::string RenderTimelineTerminal(
    const Timeline& timeline, const TerminalOptions& options = {});

/// Writes the timeline to the file `path` as `WritePlot` writes figures.
/// @throws Error as that does, and as `RenderTimelinePng` does.
void WriteTimeline(const std::string& path,
                   const Timeline& timeline,
                   const ImageOptions& options = {});

}  // namespace orrery
