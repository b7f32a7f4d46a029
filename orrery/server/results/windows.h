#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/results.h"
#include "orrery/server/results/signal_tree.h"

namespace orrery::server {

/// A part of a list. Plain data.
struct Window {
  std::size_t offset = 0;
  std::size_t limit = 0;
};

/// A window of the chosen runs of a table, as JSON: `total`, `columns`, `rows`,
/// and a histogram of each column over all chosen runs.
/// @param failures why runs failed, which stands in their rows as `message`.
[[nodiscard]] std::string RunsAsJson(const RunTable& table,
                                     const std::vector<std::size_t>& chosen,
                                     const Window& window,
                                     const std::vector<RunFailure>& failures);

/// The same in binary columns, without histograms: the run, its status (0
/// missing, 1 completed, 2 failed), and its values.
[[nodiscard]] std::string RunsAsBytes(const RunTable& table,
                                      const std::vector<std::size_t>& chosen,
                                      const Window& window);

/// Signals as JSON: `total`, `items`.
/// @param last the rows of the signals of the window, for their last values;
///     may lack some.
[[nodiscard]] std::string SignalsAsJson(const SignalWindow& window,
                                        const Trajectory& last);

/// Request for curves to draw. Plain data.
struct CurvesWanted {
  std::vector<std::string> names;  ///< At least one.
  std::string x;                   ///< Empty for time.
  std::optional<double> from;      ///< s
  std::optional<double> to;
  std::size_t pixels = 1000;
};

/// Curves in binary columns, the x axis first, thinned to what the pixels show
/// (RowsToDraw). The header has `columns` with `name` and `unit`, `rows`,
/// `from` and `to`, and the times `begin` and `end` of the whole run.
[[nodiscard]] std::string CurvesAsBytes(const Trajectory& run,
                                        const CurvesWanted& wanted);

/// Request for events of a run. Plain data.
struct EventsWanted {
  std::optional<double> from;  ///< s
  std::optional<double> to;
  std::string text;  ///< In the name, in small letters or large ones.
  Window window;
};

/// Events as JSON: `total`, `items` with `time`, `kind`, `text`, `component`.
[[nodiscard]] std::string EventsAsJson(const EventLog& events,
                                       const EventsWanted& wanted);

}  // namespace orrery::server
