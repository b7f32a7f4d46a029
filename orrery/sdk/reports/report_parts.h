#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "orrery/base/system/pace.h"
#include "orrery/base/values/parameters.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sim/simulation.h"

namespace orrery::sdk::internal {

// Parts of several reports.

/// The final values of all signals, by name.
[[nodiscard]] Json FinalAsJson(const Trajectory& run);

[[nodiscard]] Json EventsAsJson(const EventLog& log);

/// The work of the solver of equations.
[[nodiscard]] Json WorkAsJson(const Summary& summary);

/// The lag of a run behind the clock; times in seconds.
[[nodiscard]] Json LagAsJson(const LagReport& lag);

[[nodiscard]] Json StatisticsAsJson(const devs::Statistics& statistics);
[[nodiscard]] Json StatisticsAsJson(const process::Statistics& statistics);

/// Values by name.
[[nodiscard]] Json ParametersAsJson(std::span<const ParameterInfo> parameters);
[[nodiscard]] Json ValuesAsJson(
    std::span<const ProcessRunResult::Value> values);

[[nodiscard]] Json WaitingAsJson(std::span<const process::WaitingTask> waiting);

}  // namespace orrery::sdk::internal
