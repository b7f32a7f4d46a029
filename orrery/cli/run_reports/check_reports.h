#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// The dependencies as text: a matrix and its closure if they are small enough
/// to read, otherwise a line for each unknown; then the loops.
[[nodiscard]] std::string DependenciesAsText(const Dependencies& dependencies);

// The structure of models, as one JSON object each.

/// @param dependencies of the unknowns; null if not requested.
/// @param warnings in addition to those of the program.
[[nodiscard]] std::string CheckJson(const Program& program,
                                    const Dependencies* dependencies,
                                    const std::vector<Diagnostic>& warnings);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const DevsRun& run);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const ProcessRun& run);

[[nodiscard]] std::string CheckJson(const std::string& model,
                                    const JointRun& run);

}  // namespace orrery::cli
