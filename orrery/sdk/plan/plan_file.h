#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/plan.h"

namespace orrery {

/// The contents of a plan file.
struct PlanFile {
  process::Plan plan;
  std::optional<Duration> start;  ///< The start of the run.
  std::optional<Duration> stop;
  /// By directive: the place of its time.
  std::vector<SourceSpan> times;
  std::vector<Diagnostic> left_out;  ///< Warnings of LeaveOut.
};

/// Reads a plan for a model:
///
///     {
///       "start": 0,
///       "stop": "24 h",
///       "without": ["Heat"],
///       "activities": [
///         {"id": "out", "type": "Drive", "start": "2 h",
///          "arguments": {"metres": 12}},
///         {"id": "view", "type": "Panorama", "after": "out"},
///         {"type": "Downlink", "after": "view", "offset": "30 s"},
///         {"type": "Heat", "with": "out", "offset": "-10 min"}
///       ]
///     }
///
/// Times are seconds, or texts with a unit. An activity begins at `start`.
/// Alternatively it begins by `offset` (default 0) later than another one:
/// after that one and all its children are over (`after`), or after that one
/// begins (`with`). Arguments are numbers, Booleans and texts; missing ones
/// have their defaults. The default of `id` is `#1`, `#2`, ... by the place in
/// the list. The activities in `without`, by ids or types, are left out, with
/// all that depend on them.
///
/// @throws Error kInvalidModel with all errors, each with its place in the
///     file: see also process::FindProblems.
[[nodiscard]] PlanFile ReadPlan(const std::shared_ptr<const SourceFile>& source,
                                const process::Model& model);

/// Leaves out activities, by ids or types, and the activities after them. Adds
/// warnings about those that are not named themselves.
/// @throws Error as process::Without.
void LeaveOut(PlanFile& file, std::span<const std::string> names);

/// Returns the warnings of LeaveOut, and of the activities that a run from
/// `start` to `stop` certainly leaves out: those that begin outside of it, or
/// after an activity that is left out. Of many it returns the first ones and
/// the number of others.
[[nodiscard]] std::vector<Diagnostic> FindLeftOut(const PlanFile& file,
                                                  Duration start,
                                                  std::optional<Duration> stop);

}  // namespace orrery
