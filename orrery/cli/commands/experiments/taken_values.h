#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// A saved experiment whose results or inputs are the settings of a run.
struct ValueSource {
  ExperimentId id = 0;
  std::optional<std::int64_t> run;  ///< The run of a series, or a data row;
                                    ///< from 0.
};

/// Reads `7`, or `7.13` for run 13 of it, counted from 1 as in tables.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] ValueSource ValueSourceOf(const std::string& option,
                                        const std::string& text);

/// Sets the estimates of a calibration, the optimum of an optimisation, or the
/// varied values of one run of a series, except those that the command sets
/// itself.
/// @throws Error kInvalidArgument if the experiment has no such values.
void TakeValues(const ValueSource& source, RunCommand& command);

}  // namespace orrery::cli
