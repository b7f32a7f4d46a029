#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/cli/run_reports/json_values.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// What is told of many runs.
struct ManyRunsReport {
  std::string model;
  RunTable table;
  std::vector<RunFailure> failures;              ///< By run.
  std::vector<Diagnostic> warnings;              ///< See Told.
  std::vector<NumberSensitivity> sensitivities;  ///< If they were asked for.
  std::int64_t replications = 1;                 ///< Of each point.
  bool is_drawn = false;                         ///< The points are a sample...
  bool are_independent = false;  ///< ...of which means have intervals.
  bool is_interrupted = false;
  std::int64_t num_carried_out = 0;  ///< Now; the others were there.
  double run_ms = 0;                 ///< For these.
};

/// How it went; the table if it is short, else what its columns come to; why
/// runs failed.
[[nodiscard]] std::string TextReport(const ManyRunsReport& report);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const ManyRunsReport& report);

/// What the numbers of a sensitivity analysis answer to.
[[nodiscard]] std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities);
[[nodiscard]] Json SensitivityJson(
    const std::vector<NumberSensitivity>& sensitivities);

}  // namespace orrery::cli
