#pragma once

#include <string>
#include <vector>

#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// The type of saved optimisations.
inline constexpr const char* kOptimization = "optimization";

/// What is told of an optimisation.
struct OptimisationReport {
  const MeasuredProblem& problem;
  const OptimisationOptions& options;
  const OptimisationResult& result;
  std::string first_failure;  ///< Why the first point that failed did.
  double run_ms = 0;
  std::vector<Diagnostic> warnings = {};  ///< Of the run at the optimum.
};

/// How an optimisation has ended, in one line; empty if well.
[[nodiscard]] std::string MessageOf(const OptimisationReport& report);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const OptimisationReport& report);

/// The same for people.
/// @param json what JsonReport has written.
[[nodiscard]] std::string OptimisationText(const std::string& json);

}  // namespace orrery::cli
