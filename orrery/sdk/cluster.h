#pragma once

#include <cstdint>

#include "orrery/experiment/cluster.h"
#include "orrery/experiment/run_series.h"
#include "orrery/sdk/sweep_document.h"

namespace orrery {

/// A sweep for the workers of a cluster, with the files that it is made from,
/// plug-ins too: nothing needs to be on their disks.
/// @param series what MakeSeries() makes of the document.
/// @throws Error kIo for a file that cannot be read.
[[nodiscard]] ClusterJob MakeJob(const SweepDocument& document,
                                 const RunSeries& series);

/// Whether a worker loads models that are code, of whoever may submit jobs.
enum class PluginPolicy : std::uint8_t { kRefuse, kLoad };

/// The series of a job, as a worker makes it.
/// @throws Error kUnsupported for a plug-in that the policy refuses and for a
///     type of job that there is not; as MakeSeries.
[[nodiscard]] RunSeries MakeSeries(const ClusterJob& job, PluginPolicy plugins);

}  // namespace orrery
