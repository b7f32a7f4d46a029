#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/experiment/optimisation/measured_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The full definition of an optimisation of a model. Plain data, and a text in
/// JSON. Its seed is that of the run.
struct OptimisationDocument {
  RunDocument run;                ///< The part that all runs share.
  std::vector<std::string> vary;  ///< NAME=BOUNDS; see ParseFactors.
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string objective;                 ///< A measure.
  std::vector<std::string> constraints;  ///< See Constraint.
  std::vector<Objective> others = {};    ///< See OptimisationTask.
  std::int64_t runs = 1;  ///< For each point; see OptimisationTask.
  OptimisationOptions options;
};

/// Loads the model as the subject of the optimisation; see LoadSubject. The
/// model's own values of the varied quantities need not be possible.
[[nodiscard]] std::shared_ptr<const Subject> LoadSubject(
    const OptimisationDocument& document);

/// The problem.
/// @throws Error as LoadSubject, ParseFactors and MeasuredProblem; kInvalid-
///     Argument without an objective.
[[nodiscard]] MeasuredProblem MakeProblem(const OptimisationDocument& document);

/// The same for an existing subject, or its replacement.
[[nodiscard]] MeasuredProblem MakeProblem(
    const OptimisationDocument& document,
    std::shared_ptr<const Subject> subject);

/// Returns the options of the search, with the seed.
[[nodiscard]] OptimisationOptions OptionsOf(
    const OptimisationDocument& document);

/// Writes JSON; members with their defaults are left out.
[[nodiscard]] std::string ToJson(const OptimisationDocument& document);

/// Reads the output of ToJson.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] OptimisationDocument OptimisationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
