#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/devs_run.h"
#include "orrery/sdk/joint_run.h"
#include "orrery/sdk/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

// What models consist of, as one JSON object each.

/// Loops of the equations themselves, not of the initial ones.
[[nodiscard]] std::vector<const ResidualBlock*> LoopsOf(const Program& program);

/// @param warnings beside those of the program.
[[nodiscard]] std::string CheckJson(const Program& program,
                                    const std::vector<Diagnostic>& warnings);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const DevsRun& run);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const ProcessRun& run);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const JointRun& run);

}  // namespace orrery::cli
