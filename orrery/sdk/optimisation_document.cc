#include "orrery/sdk/optimisation_document.h"

#include <utility>

#include "orrery/base/error.h"
#include "orrery/sdk/internal/run_document_json.h"

namespace orrery {
namespace {

using internal::Json;

// Calls `field(name, value)` for each number that may have its default.
template <typename Document, typename Field>
void ForEachNumber(Document& document, Field field) {
  field("runs", document.runs);
  auto& options = document.options;
  field("tolerance", options.tolerance);
  field("feasibility", options.feasibility);
  field("starts", options.starts);
  field("difference_step", options.difference_step);
}

}  // namespace

MeasuredProblem MakeProblem(const OptimisationDocument& document) {
  if (document.objective.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot optimise: it is not said what; give a measure by "
                "--minimize or --maximize, as in --minimize 'integral(e^2)'");
  }
  return MeasuredProblem(LoadSubject(document.run),
                         {.factors = ParseFactors("--vary", document.vary),
                          .goal = document.goal,
                          .objective = document.objective,
                          .constraints = document.constraints,
                          .runs = document.runs,
                          .seed = document.run.seed});
}

OptimisationOptions OptionsOf(const OptimisationDocument& document) {
  OptimisationOptions options = document.options;
  options.seed = document.run.seed;
  return options;
}

std::string ToJson(const OptimisationDocument& document) {
  Json json = internal::AsJson(document.run);
  Json optimisation = {
      {"vary", document.vary},
      {document.goal == OptimisationGoal::kMinimise ? "minimize" : "maximize",
       document.objective}};
  if (!document.constraints.empty()) {
    optimisation["subject_to"] = document.constraints;
  }
  if (document.options.method != OptimisationMethod::kAuto) {
    optimisation["method"] = InfoOf(document.options.method).name;
  }
  if (document.options.max_evaluations) {
    optimisation["max_evaluations"] = *document.options.max_evaluations;
  }
  const OptimisationDocument defaults;
  std::vector<Json> default_values;
  ForEachNumber(defaults, [&](const char*, const auto& value) {
    default_values.emplace_back(value);
  });
  auto default_value = default_values.begin();
  ForEachNumber(document, [&](const char* name, const auto& value) {
    if (Json its = value; its != *default_value++) {
      optimisation[name] = std::move(its);
    }
  });
  json["optimization"] = std::move(optimisation);
  return json.dump();
}

OptimisationDocument OptimisationDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    OptimisationDocument document{.run = internal::RunDocumentOf(json)};
    const Json& optimisation = json.at("optimization");
    const auto take = [&](const char* name, auto& value) {
      if (const auto found = optimisation.find(name);
          found != optimisation.end()) {
        found->get_to(value);
      }
    };
    take("vary", document.vary);
    if (optimisation.contains("maximize")) {
      document.goal = OptimisationGoal::kMaximise;
    }
    take("minimize", document.objective);
    take("maximize", document.objective);
    take("subject_to", document.constraints);
    if (const auto method = optimisation.find("method");
        method != optimisation.end()) {
      document.options.method =
          OptimisationMethodOf(method->get<std::string>());
    }
    if (optimisation.contains("max_evaluations")) {
      take("max_evaluations", document.options.max_evaluations.emplace());
    }
    ForEachNumber(document, take);
    return document;
  });
}

}  // namespace orrery
