#pragma once

#include <span>
#include <string>

#include "orrery/base/time.h"
#include "orrery/plot/timeline.h"
#include "orrery/process/record/recording.h"
#include "orrery/timeline/timeline.h"

namespace orrery {

/// Returns a run as a timeline, from `start` to `end`. The spans of its tasks
/// are the bars of a Gantt chart, with their attributes as details. Profiles of
/// texts and Booleans are bands, which are empty while a Boolean is false.
/// Profiles of numbers are panels.
/// @param resources the paths of the shown resources, in this order; empty: all
///     recorded ones.
/// @throws Error kInvalidArgument if neither spans nor profiles were recorded,
///     or there is no profile of one of these paths.
[[nodiscard]] Timeline ToTimeline(const process::Recording& recording,
                                  Duration start,
                                  Duration end,
                                  std::span<const std::string> resources = {});

/// Returns a run of a Simulation as a timeline, from its start to its end, with
/// quantities of its equations as panels.
/// @param names the shown quantities and the paths of the shown resources, in
///     this order, but quantities last; empty: all recorded resources.
/// @throws Error kInvalidArgument if neither spans nor profiles were recorded
///     and no quantities are named, or for an unknown name.
[[nodiscard]] Timeline ToTimeline(const TimelineResult& run,
                                  std::span<const std::string> names = {});

}  // namespace orrery
