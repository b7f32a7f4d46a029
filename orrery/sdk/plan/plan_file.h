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

/// What a plan file says.
struct PlanFile {
  process::Plan plan;
  std::optional<Duration> start;  ///< Of a run.
  std::optional<Duration> stop;
  /// Of each directive, where it says when it begins.
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
/// Times are seconds, or texts with a unit. An activity begins at `start`, or
/// by `offset` (0 if it is left out) later than another one is over, with all
/// that it spawned (`after`), or begins (`with`). Arguments are numbers, truths
/// and texts; what is left out has its default. An `id` that is left out is
/// `#1`, `#2`, ... by the place in the list. What `without` names, by ids or
/// types, is left out, with all that comes after it.
///
/// @throws Error kInvalidModel with all that is wrong, each with its place in
///     the file: see also process::FindProblems.
[[nodiscard]] PlanFile ReadPlan(const std::shared_ptr<const SourceFile>& source,
                                const process::Model& model);

/// Leaves out activities, by ids or types, and what comes after them; there are
/// warnings of those that are not named themselves.
/// @throws Error as process::Without.
void LeaveOut(PlanFile& file, std::span<const std::string> names);

/// Warnings of LeaveOut, and of the activities that a run from `start` to
/// `stop` leaves out for sure: they begin before or after it, or come after one
/// that is left out. Of many the first, and how many more there are.
[[nodiscard]] std::vector<Diagnostic> FindLeftOut(const PlanFile& file,
                                                  Duration start,
                                                  std::optional<Duration> stop);

}  // namespace orrery
