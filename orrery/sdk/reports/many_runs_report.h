#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/experiment/runs/run_table.h"
#include "orrery/sdk/experiments/sensitivity_analysis.h"
#include "orrery/sdk/experiments/sweep_document.h"
#include "orrery/store/store.h"

namespace orrery {

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
  bool has_values = true;            ///< In JSON: those of each run.
  std::int64_t num_carried_out = 0;  ///< In this command; the others were in
                                     ///< the store.
  double run_ms = 0;                 ///< The time of these runs.
};

/// The report of a sweep, a random experiment or a sensitivity analysis.
[[nodiscard]] std::string JsonReport(const ManyRunsReport& report);

/// The document of a series of runs in a store, with the files of the time when
/// it was carried out.
[[nodiscard]] SweepDocument StoredSweep(ExperimentStore& store,
                                        const ExperimentRecord& record);

/// Reads what a store has of many runs, as far as they have ended.
[[nodiscard]] ManyRunsReport ReadManyRuns(ExperimentStore& store,
                                          const ExperimentRecord& record);

/// True if the summary of an experiment is its whole report in JSON. For series
/// of runs it holds their warnings only.
[[nodiscard]] bool HasWholeReport(const ExperimentRecord& record);

}  // namespace orrery
