#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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

/// What is told of one with several objectives.
struct FrontReport {
  const MeasuredProblem& problem;
  const ParetoFront& front;
  std::string first_failure;  ///< Why the first point that failed did.
  double run_ms = 0;
};

/// Likewise.
[[nodiscard]] std::string MessageOf(const FrontReport& report);
[[nodiscard]] std::string JsonReport(const FrontReport& report);

/// The same for people.
/// @param report what JsonReport has written.
[[nodiscard]] std::string FrontText(const nlohmann::ordered_json& report);

/// How an optimisation has ended, in one line; empty if well.
[[nodiscard]] std::string MessageOf(const OptimisationReport& report);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const OptimisationReport& report);

/// The same for people.
/// @param json what JsonReport has written.
[[nodiscard]] std::string OptimisationText(const std::string& json);

}  // namespace orrery::cli
