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

/// Makes a sweep a job for the workers of a cluster, with all files of the
/// model, including plug-ins: workers need no files of their own.
/// @param series the result of MakeSeries() for the document.
/// @throws Error kIo for a file that cannot be read.
[[nodiscard]] ClusterJob MakeJob(const SweepDocument& document,
                                 const RunSeries& series);

/// The same for the runs of an optimisation, for ClusterRuns.
/// @param document MakeProblem() must accept it.
[[nodiscard]] ClusterJob MakeJob(const OptimisationDocument& document);

/// The same for a calibration: subject `i` is that of data `i`.
/// @param document LoadCalibration() must accept it.
[[nodiscard]] ClusterJob MakeJob(const CalibrationDocument& document);

/// Decides if a worker loads models that are code, from anybody who may submit
/// jobs.
enum class PluginPolicy : std::uint8_t { kRefuse, kLoad };

/// Makes the content of a job in a worker.
/// @param attendant of its runs; may be null.
/// @throws Error kUnsupported for a plug-in that the policy refuses and for an
///     unknown type of job; as MakeSeries, LoadSubject and LoadCalibration.
[[nodiscard]] JobContent MakeContent(
    const ClusterJob& job,
    PluginPolicy plugins,
    const std::shared_ptr<Attendant>& attendant = nullptr);

}  // namespace orrery
