#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "orrery/base/system/pace.h"
#include "orrery/base/values/parameters.h"
#include "orrery/cli/run_reports/json_values.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

// What several reports say.

/// The final values of all signals, by name.
[[nodiscard]] Json FinalAsJson(const Trajectory& run);

/// The numbers that a run came to beside its trajectory, as its report in JSON
/// says, by name.
[[nodiscard]] Json FinalBeside(const Trajectory& run,
                               const std::string& report);

[[nodiscard]] Json EventsAsJson(const EventLog& log);

/// What the solver of equations did.
[[nodiscard]] Json WorkAsJson(const Summary& summary);

/// How well a run kept pace with the clock; times in seconds.
[[nodiscard]] Json LagAsJson(const LagReport& lag);

[[nodiscard]] Json StatisticsAsJson(const devs::Statistics& statistics);
[[nodiscard]] Json StatisticsAsJson(const process::Statistics& statistics);

/// Values by name.
[[nodiscard]] Json ParametersAsJson(std::span<const ParameterInfo> parameters);
[[nodiscard]] Json ValuesAsJson(
    std::span<const ProcessRunResult::Value> values);

[[nodiscard]] Json WaitingAsJson(std::span<const process::WaitingTask> waiting);

}  // namespace orrery::cli
