#pragma once

#include <span>
#include <string>

#include "orrery/base/time.h"
#include "orrery/plot/timeline.h"
#include "orrery/process/record/recording.h"
#include "orrery/timeline/timeline.h"

namespace orrery {

/// A run as a timeline, from `start` to `end`: the spans of its tasks as the
/// bars of a Gantt chart, with their attributes as details; profiles of texts
/// and of truths as bands, which are empty where one is false; those of numbers
/// as panels.
/// @param resources the paths of those to be shown, in this order; none: all
///     that were kept.
/// @throws Error kInvalidArgument if neither spans nor profiles were kept, or
///     there is no profile of one of these paths.
[[nodiscard]] Timeline ToTimeline(const process::Recording& recording,
                                  Duration start,
                                  Duration end,
                                  std::span<const std::string> resources = {});

/// A run of a Simulation likewise, from its start to its end, with quantities
/// of its equations as panels.
/// @param names the quantities and the paths of the resources to be shown, in
///     this order, but quantities last; none: all resources that were kept.
/// @throws Error kInvalidArgument if neither spans nor profiles were kept and
/// no
///     quantities are named, or a name is neither's.
[[nodiscard]] Timeline ToTimeline(const TimelineResult& run,
                                  std::span<const std::string> names = {});

}  // namespace orrery
