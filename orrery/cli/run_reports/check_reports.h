#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// The dependencies as text: a matrix and its closure where they are small
/// enough to be looked at, else a line an unknown; then the loops.
[[nodiscard]] std::string DependenciesAsText(const Dependencies& dependencies);

// What models consist of, as one JSON object each.

/// @param dependencies of the unknowns; null where they are not asked for.
/// @param warnings beside those of the program.
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
