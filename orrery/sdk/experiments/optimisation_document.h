#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/experiment/optimisation/measured_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// All that determines an optimisation of a model. Plain data, and a text in
/// JSON. Its seed is that of the run.
struct OptimisationDocument {
  RunDocument run;                ///< What all runs have in common.
  std::vector<std::string> vary;  ///< NAME=BOUNDS; see ParseFactors.
  OptimisationGoal goal = OptimisationGoal::kMinimise;
  std::string objective;                 ///< A measure.
  std::vector<std::string> constraints;  ///< See Constraint.
  std::vector<Objective> others = {};    ///< See OptimisationTask.
  std::int64_t runs = 1;                 ///< A point; see OptimisationTask.
  OptimisationOptions options;
};

/// The model as the subject of the optimisation; see LoadSubject. Not all that
/// the model gives for what varies need be possible.
[[nodiscard]] std::shared_ptr<const Subject> LoadSubject(
    const OptimisationDocument& document);

/// The problem.
/// @throws Error as LoadSubject, ParseFactors and MeasuredProblem; kInvalid-
///     Argument without an objective.
[[nodiscard]] MeasuredProblem MakeProblem(const OptimisationDocument& document);

/// The same of a subject that is there already, or of one that stands for it.
[[nodiscard]] MeasuredProblem MakeProblem(
    const OptimisationDocument& document,
    std::shared_ptr<const Subject> subject);

/// How its optimum is sought, with the seed.
[[nodiscard]] OptimisationOptions OptionsOf(
    const OptimisationDocument& document);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const OptimisationDocument& document);

/// What ToJson has written.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] OptimisationDocument OptimisationDocumentFromJson(
    const std::string& text);

}  // namespace orrery
