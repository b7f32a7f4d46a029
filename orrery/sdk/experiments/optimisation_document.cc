#include "orrery/sdk/experiments/optimisation_document.h"

#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/experiment/design/search_space.h"
#include "orrery/sdk/documents/factor_text.h"
#include "orrery/sdk/documents/run_document_json.h"
#include "orrery/sdk/documents/varied_subject.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::Json;

constexpr auto kOptimisationFields = [](auto& document, auto field) {
  field("vary", document.vary);
  field("subject_to", document.constraints);
  field("runs", document.runs);
  auto& options = document.options;
  field("max_evaluations", options.max_evaluations);
  field("tolerance", options.tolerance);
  field("feasibility", options.feasibility);
  field("starts", options.starts);
  field("difference_step", options.difference_step);
};

const char* NameOf(OptimisationGoal goal) {
  return goal == OptimisationGoal::kMinimise ? "minimize" : "maximize";
}

}  // namespace

std::shared_ptr<const Subject> LoadSubject(
    const OptimisationDocument& document) {
  return internal::LoadSearched(document.run, document.vary);
}

MeasuredProblem MakeProblem(const OptimisationDocument& document) {
  return MakeProblem(document, LoadSubject(document));
}

MeasuredProblem MakeProblem(const OptimisationDocument& document,
                            std::shared_ptr<const Subject> subject) {
  if (document.objective.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot optimise: it is not said what; give a measure by "
                "--minimize or --maximize, as in --minimize 'integral(e^2)'");
  }
  std::vector<Factor> factors =
      internal::FactorsOf(document.vary, document.run);
  CheckNotSet(document.run, SearchSpace(factors).names());
  return MeasuredProblem(std::move(subject),
                         {.factors = std::move(factors),
                          .goal = document.goal,
                          .objective = document.objective,
                          .constraints = document.constraints,
                          .others = document.others,
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
  Json optimisation = {{NameOf(document.goal), document.objective}};
  for (const Objective& other : document.others) {
    optimisation["others"].push_back({{NameOf(other.goal), other.measure}});
  }
  if (document.options.method != OptimisationMethod::kAuto) {
    optimisation["method"] = InfoOf(document.options.method).name;
  }
  internal::AddFields(document, kOptimisationFields, optimisation);
  json["optimization"] = std::move(optimisation);
  return internal::TextOf(json);
}

OptimisationDocument OptimisationDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    OptimisationDocument document{.run = internal::RunDocumentOf(json)};
    const Json& optimisation = json.at("optimization");
    internal::TakeFields(optimisation, kOptimisationFields, document);
    if (optimisation.contains("maximize")) {
      document.goal = OptimisationGoal::kMaximise;
    }
    optimisation.at(NameOf(document.goal)).get_to(document.objective);
    for (const Json& other : optimisation.value("others", Json::array())) {
      const bool is_least = other.contains("minimize");
      document.others.push_back({.goal = is_least ? OptimisationGoal::kMinimise
                                                  : OptimisationGoal::kMaximise,
                                 .measure = other.front().get<std::string>()});
    }
    if (const auto method = optimisation.find("method");
        method != optimisation.end()) {
      document.options.method =
          OptimisationMethodOf(method->get<std::string>());
    }
    return document;
  });
}

}  // namespace orrery
