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
    kOpen,  ///< Not over at the end of the timeline.
    kCompleted,
    kFailed,
    kCancelled,
  };

  std::string label;

  /// The index of the span that this one is a part of, which is an earlier one.
  std::optional<std::size_t> parent;

  double begin = 0;           ///< [s]
  std::optional<double> end;  ///< [s]; none for an open span.
  State state = State::kOpen;

  /// Shown under the mouse, in SVG, after label, times and state; may be empty.
  std::string details;
};

/// A text that changes over time, such as a mode.
struct TimelineBand {
  std::string label;

  /// Texts with the times [s] from which on they hold, ascending. The last
  /// holds to the end. Of several at one time the last counts. An empty text is
  /// not shown.
  std::vector<std::pair<double, std::string>> values;
};

/// The tasks, texts and curves of a run over one time axis: on top a Gantt
/// chart of its tasks, below it texts and curves.
struct Timeline {
  std::string title;
  double begin = 0;  ///< [s] Earlier times are not shown.
  double end = 0;    ///< [s] Later times are not shown.
  std::vector<TimelineSpan> spans;
  std::vector<TimelineBand> bands;

  /// Curves over the time in seconds, with the x axis of the timeline.
  std::vector<Figure> panels;
};

/// The timeline as an SVG document: the same bytes for the same timeline
/// everywhere.
///
/// Parts are indented below the whole, in the order of their begin. Spans of
/// one label below one row share a row as long as they do not overlap. If there
/// are more than 500 rows, the deepest are left out and counted. An open span
/// has a torn right edge, a failed one stripes and a cross, a cancelled one a
/// hollow bar.
///
/// @param options the picture is as high as its parts need. With panels it has
///     at least `height`, and they share the remaining height. The least width
///     is 400.
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
/// @param options `height` is the most lines of the chart. Bands and panels
///     follow below it, each panel half as high, but 6 lines at least.
/// @throws Error as `RenderTimelineSvg` does.
[[nodiscard]] std::string RenderTimelineTerminal(
    const Timeline& timeline, const TerminalOptions& options = {});

/// Writes the timeline to the file `path` as `WritePlot` writes figures.
/// @throws Error as that does, and as `RenderTimelinePng` does.
void WriteTimeline(const std::string& path,
                   const Timeline& timeline,
                   const ImageOptions& options = {});

}  // namespace orrery
