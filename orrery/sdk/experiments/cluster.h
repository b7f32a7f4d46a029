#pragma once

#include <cstdint>
#include <memory>

#include "orrery/base/system/attendant.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/sdk/experiments/optimisation_document.h"
#include "orrery/sdk/experiments/sweep_document.h"

namespace orrery {

/// A sweep for the workers of a cluster, with the files that it is made from,
/// plug-ins too: nothing needs to be on their disks.
/// @param series what MakeSeries() makes of the document.
/// @throws Error kIo for a file that cannot be read.
[[nodiscard]] ClusterJob MakeJob(const SweepDocument& document,
                                 const RunSeries& series);

/// Likewise the runs of an optimisation, for ClusterRuns.
/// @param document which MakeProblem() has made a problem of.
[[nodiscard]] ClusterJob MakeJob(const OptimisationDocument& document);

/// Likewise those of a calibration: subject `i` is that of data `i`.
/// @param document which LoadCalibration() has loaded.
[[nodiscard]] ClusterJob MakeJob(const CalibrationDocument& document);

/// Whether a worker loads models that are code, of whoever may submit jobs.
enum class PluginPolicy : std::uint8_t { kRefuse, kLoad };

/// What a job consists of, as a worker makes it.
/// @param attendant of its runs; may be null.
/// @throws Error kUnsupported for a plug-in that the policy refuses and for a
///     type of job that there is not; as MakeSeries, LoadSubject and
///     LoadCalibration.
[[nodiscard]] JobContent MakeContent(
    const ClusterJob& job,
    PluginPolicy plugins,
    const std::shared_ptr<Attendant>& attendant = nullptr);

}  // namespace orrery
