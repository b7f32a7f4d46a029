#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// The type of saved optimisations.
inline constexpr const char* kOptimization = "optimization";

/// The contents of a report on an optimisation.
struct OptimisationReport {
  const MeasuredProblem& problem;
  const OptimisationOptions& options;
  const OptimisationResult& result;
  std::string first_failure;  ///< The reason of the first failed point.
  double run_ms = 0;
  std::vector<Diagnostic> warnings = {};  ///< Warnings of the run at the
                                          ///< optimum.
};

/// The contents of a report on an optimisation with several objectives.
struct FrontReport {
  const MeasuredProblem& problem;
  const ParetoFront& front;
  std::string first_failure;  ///< The reason of the first failed point.
  double run_ms = 0;
};

/// As for one objective; see below.
[[nodiscard]] std::string MessageOf(const FrontReport& report);
[[nodiscard]] std::string JsonReport(const FrontReport& report);

/// The text of a JSON report.
/// @param report the output of JsonReport.
[[nodiscard]] std::string FrontText(const nlohmann::ordered_json& report);

/// The reason why an optimisation ended early, in one line; empty if it did
/// not.
[[nodiscard]] std::string MessageOf(const OptimisationReport& report);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const OptimisationReport& report);

/// The text of a JSON report.
/// @param json the output of JsonReport.
[[nodiscard]] std::string OptimisationText(const std::string& json);

}  // namespace orrery::cli
