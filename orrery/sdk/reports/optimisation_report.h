#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/values/parameters.h"
#include "orrery/experiment/optimisation/measured_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/optimisation/pareto_search.h"

namespace orrery {

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

/// The reason why an optimisation ended early, in one line; empty if it did
/// not.
[[nodiscard]] std::string MessageOf(const OptimisationReport& report);
[[nodiscard]] std::string MessageOf(const FrontReport& report);

/// The report of an optimisation.
[[nodiscard]] std::string JsonReport(const OptimisationReport& report);
[[nodiscard]] std::string JsonReport(const FrontReport& report);

// Reports that were stored ----------------------------------------------------

/// A quantity at an optimum, or the value of an objective.
struct StoredValue {
  std::string name;
  std::string unit;
  double value = 0;
  std::string value_name;  ///< Empty if the value has none.
  std::string bound;       ///< "low" or "high" if it is at a bound, else empty.
};

/// A constraint at an optimum.
struct StoredConstraint {
  std::string text;
  double missed_by = 0;
  bool holds = false;
  bool is_active = false;
};

/// The number of searches that ended for a reason.
struct StoredSearchEnd {
  std::string why;
  std::int64_t searches = 0;
};

/// The report of an optimisation, read from JSON. Plain data.
struct StoredOptimisation {
  std::string model;
  std::string message;
  std::string goal;  ///< "minimize" or "maximize".
  std::string objective;
  double objective_value = 0;
  /// Nothing if there is no optimum.
  std::optional<std::vector<StoredValue>> values;
  std::vector<StoredConstraint> constraints;
  std::string method;
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;
  std::int64_t slope_evaluations = 0;
  std::int64_t searches = 0;
  std::int64_t best_search = 0;  ///< From 1.
  std::vector<StoredSearchEnd> ends;
  double run_ms = 0;
};

/// A point of a front.
struct StoredFrontPoint {
  std::int64_t run = 0;  ///< From 1.
  std::vector<double> objectives;
  std::vector<double> values;
};

/// The report of an optimisation with several objectives, read from JSON. Plain
/// data.
struct StoredFront {
  struct Objective {
    std::string name;
    std::string goal;  ///< "minimize" or "maximize".
  };

  std::string model;
  std::string message;
  std::vector<Objective> objectives;
  std::vector<std::string> names;  ///< The values', if there is a point.
  std::vector<StoredFrontPoint> points;
  std::string method;
  std::int64_t evaluations = 0;
  std::int64_t failed = 0;
  double run_ms = 0;
};

/// Reads the output of JsonReport.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] std::variant<StoredOptimisation, StoredFront>
OptimisationFromJson(const std::string& report);

/// The values of the quantities at the optimum of a report, exactly; nothing if
/// there is none, or a front.
[[nodiscard]] std::optional<std::vector<ParameterText>> OptimumIn(
    const std::string& report);

}  // namespace orrery
