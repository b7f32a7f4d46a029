#pragma once

#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery {

// The structure of models that are correct, as one JSON object each.

/// @param dependencies of the unknowns; null if not requested.
/// @param warnings in addition to those of the program.
[[nodiscard]] std::string ModelReport(const Program& program,
                                      const Dependencies* dependencies,
                                      const std::vector<Diagnostic>& warnings);

[[nodiscard]] std::string ModelReport(const std::string& model,
                                      const DevsRun& run);

[[nodiscard]] std::string ModelReport(const std::string& model,
                                      const ProcessRun& run);

[[nodiscard]] std::string ModelReport(const std::string& model,
                                      const JointRun& run);

}  // namespace orrery
