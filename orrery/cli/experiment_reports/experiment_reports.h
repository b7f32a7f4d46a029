#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/cli/run_reports/json_values.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// The contents of a report on many runs.
struct ManyRunsReport {
  std::string model;
  RunTable table;
  std::vector<RunFailure> failures;              ///< By run.
  std::vector<Diagnostic> warnings;              ///< See Told.
  std::vector<NumberSensitivity> sensitivities;  ///< If requested.
  std::int64_t replications = 1;                 ///< For each point.
  bool is_drawn = false;                         ///< The points are a sample...
  bool are_independent = false;  ///< ...and means over it have intervals.
  bool is_interrupted = false;
  std::int64_t num_carried_out = 0;  ///< In this command; the others were in
                                     ///< the store.
  double run_ms = 0;                 ///< The time of these runs.
};

/// The course of the runs; the table if it is short, otherwise statistics of
/// its columns; the reasons why runs failed.
[[nodiscard]] std::string TextReport(const ManyRunsReport& report);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const ManyRunsReport& report);

/// The results of a sensitivity analysis.
[[nodiscard]] std::string SensitivityText(
    const std::vector<NumberSensitivity>& sensitivities);
[[nodiscard]] Json SensitivityJson(
    const std::vector<NumberSensitivity>& sensitivities);

}  // namespace orrery::cli
