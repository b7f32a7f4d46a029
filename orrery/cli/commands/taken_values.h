#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/cli/commands/commands.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// What a saved experiment has found, or tried: where a run takes values from.
struct ValueSource {
  ExperimentId id = 0;
  std::optional<std::int64_t> run;  ///< Of a series, or data; from 0.
};

/// `7`, or `7.13` for its run 13, counted from 1 as tables count.
/// @throws Error kInvalidArgument for another text.
[[nodiscard]] ValueSource ValueSourceOf(const std::string& option,
                                        const std::string& text);

/// Sets what a calibration has estimated, what an optimisation has found best,
/// or what one run of a series varied; but for what the command sets itself.
/// @throws Error kInvalidArgument if the experiment has no such values.
void TakeValues(const ValueSource& source, RunCommand& command);

}  // namespace orrery::cli
