#include "orrery/sdk/experiments/calibration_document.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/sdk/documents/factor_text.h"
#include "orrery/sdk/documents/run_document_json.h"
#include "orrery/sdk/experiments/data_source.h"
#include "orrery/sdk/experiments/measured_data.h"
#include "orrery/sdk/model/setting_parts.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::DataSource;
using internal::Json;

// Models that are classes do not integrate.
constexpr double kErrorOfClasses = 1e-9;

[[noreturn]] void Refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

// Estimates may have labels as names, which the data use.
std::vector<Factor> FactorsOf(const CalibrationDocument& document) {
  std::vector<ParameterText> labels;
  for (const std::string& text : document.data) {
    const std::vector<std::string_view> parts =
        internal::PartsBetweenCommas(text);
    for (const std::string_view part : std::span(parts).subspan(1)) {
      labels.push_back(internal::Assignment(part));
    }
  }
  return internal::FactorsOf(document.vary, document.run, labels);
}

// Returns the data sources. A setting to the name of an estimate is a label.
std::vector<DataSource> SourcesOf(const CalibrationDocument& document) {
  const std::vector<Factor> factors = FactorsOf(document);
  std::vector<DataSource> sources;
  for (const std::string& text : document.data) {
    sources.push_back(internal::ParseData(text, factors));
  }
  return sources;
}

void CheckDocument(const CalibrationDocument& document) {
  if (document.data.empty()) {
    Refuse(
        "cannot calibrate: nothing was measured; give data by --data, as in "
        "--data run7.csv");
  }
  if (document.vary.empty()) {
    Refuse(
        "cannot calibrate: nothing is to be estimated; say what by --vary, as "
        "in --vary 'k=1[0.1,10]'");
  }
}

void CheckNotSet(const SearchSpace& space,
                 const std::vector<DataSource>& sources) {
  const auto check = [&](const std::string& file,
                         const std::vector<ParameterText>& settings) {
    for (const ParameterText& setting : settings) {
      if (std::ranges::find(space.names(), setting.name) !=
          space.names().end()) {
        Refuse("cannot set '" + setting.name + "' for " + file +
               ": it is to be estimated; leave out one of them");
      }
    }
  };
  for (const DataSource& source : sources) {
    check(source.file, source.settings);
    check(source.file, source.labels);
  }
}

// Each deviation must belong to a signal of at least one file.
void CheckSigmas(const CalibrationDocument& document,
                 std::span<const std::string> measured) {
  for (const std::string& text : document.sigma) {
    const std::string signal = internal::Assignment(text).name;
    if (!signal.empty() &&
        std::ranges::find(measured, signal) == measured.end()) {
      Refuse(fmt::format(
          "cannot take --sigma '{}': nothing is matched with '{}'{}",
          text,
          signal,
          Clause(Suggest(signal, measured))));
    }
  }
}

void CheckContinuous(const std::string& name, const VariedKind& kind) {
  if (kind.is_whole) {
    Refuse("cannot estimate '" + name +
           "': it takes whole numbers alone, by which a fit has no "
           "derivatives; fix it, as by --set " +
           name + "=1, at each of its values, and take the best fit");
  }
}

// A model without states and delays is not integrated: its error is rounding.
double RelativeErrorOf(const Subject& subject) {
  const auto* const equations = dynamic_cast<const ProgramSubject*>(&subject);
  if (equations == nullptr) {
    return kErrorOfClasses;
  }
  const Program& program = *equations->program();
  return program.state_slots.empty() && program.delays.empty()
             ? std::numeric_limits<double>::epsilon()
             : Resolve(equations->options(), program.experiment).tolerance;
}

constexpr auto kCalibrationFields = [](auto& document, auto field) {
  field("vary", document.vary);
  field("data", document.data);
  field("match", document.match);
  field("sigma", document.sigma);
  field("log", document.is_log);
  field("starts", document.fit.starts);
  field("confidence", document.fit.confidence);
  field("profile", document.fit.takes_profiles);
  field("max_iterations", document.fit.max_iterations);
};

}  // namespace

LoadedCalibration LoadCalibration(const CalibrationDocument& document) {
  CheckDocument(document);
  const SearchSpace space(FactorsOf(document));
  const std::vector<DataSource> sources = SourcesOf(document);
  CheckNotSet(space, sources);
  std::vector<MeasuredRun> runs;
  std::vector<std::string> warnings;
  for (const DataSource& source : sources) {
    runs.push_back(internal::ReadMeasured(document, source, warnings));
    runs.back().varied = internal::VariedIn(source, sources, space.names());
  }
  const std::shared_ptr<const Subject> subject = runs.front().subject;
  std::vector<std::string> units(space.names().size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const MeasuredRun& run = runs[i];
    for (const VariedQuantity& varied : run.varied) {
      CheckNotSet(internal::RunOf(document, sources[i]),
                  std::span(&varied.name, 1));
      VariedKind kind = run.subject->KindOfVaried(varied.name);
      CheckContinuous(varied.name, kind);
      units[varied.index] = std::move(kind.unit);
    }
  }
  const CalibrationOptions options{.is_log = document.is_log,
                                   .relative_error = RelativeErrorOf(*subject),
                                   .seed = document.run.seed};
  Calibration calibration(space, std::move(runs), options);
  CheckSigmas(document, calibration.signals());
  return {.model = subject->name(),
          .space = space,
          .units = std::move(units),
          .calibration = std::move(calibration),
          .warnings = std::move(warnings)};
}

std::vector<ParameterText> EstimatesIn(
    const CalibrationDocument& document,
    std::size_t i,
    std::span<const ParameterEstimate> estimates) {
  std::vector<std::string> names;
  for (const ParameterEstimate& estimate : estimates) {
    names.push_back(estimate.name);
  }
  const std::vector<DataSource> sources = SourcesOf(document);
  std::vector<ParameterText> texts;
  for (const VariedQuantity& varied :
       internal::VariedIn(sources.at(i), sources, names)) {
    texts.push_back({.name = varied.name,
                     .value = ShortestText(estimates[varied.index].value)});
  }
  return texts;
}

bool HasLabels(const CalibrationDocument& document) {
  return std::ranges::any_of(SourcesOf(document), [](const DataSource& source) {
    return !source.labels.empty();
  });
}

RunDocument FittedRun(const CalibrationDocument& document,
                      const LoadedCalibration& loaded,
                      std::size_t i,
                      std::span<const ParameterEstimate> estimates) {
  const DataSource source = SourcesOf(document).at(i);
  RunDocument run = internal::RunOf(document, source);
  if (run.input == source.file) {
    run.input_columns =
        internal::InputsOf(*loaded.calibration.runs().at(i).subject);
  }
  for (const ParameterText& estimate : EstimatesIn(document, i, estimates)) {
    std::erase_if(run.settings, [&](const ParameterText& its) {
      return its.name == estimate.name;
    });
    run.settings.push_back(estimate);
  }
  run.options.output_times =
      internal::TimesOf(loaded.calibration.runs().at(i).signals);
  if (!run.options.stop) {
    run.options.stop = run.options.output_times.back();
  }
  return run;
}

std::string ToJson(const CalibrationDocument& document) {
  Json json = internal::AsJson(document.run);
  Json calibration = Json::object();
  internal::AddFields(document, kCalibrationFields, calibration);
  if (document.fit.loss != LossKind::kSquare) {
    calibration["loss"] = NameOf(document.fit.loss);
  }
  if (document.fit.noise != NoiseModel::kCommon) {
    calibration["noise"] = NameOf(document.fit.noise);
  }
  json["calibration"] = std::move(calibration);
  return internal::TextOf(json);
}

CalibrationDocument CalibrationDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    CalibrationDocument document{.run = internal::RunDocumentOf(json)};
    const Json& calibration = json.at("calibration");
    internal::TakeFields(calibration, kCalibrationFields, document);
    document.fit.loss =
        LossKindOf(calibration.value("loss", std::string("square")));
    document.fit.noise =
        NoiseModelOf(calibration.value("noise", std::string("common")));
    return document;
  });
}

}  // namespace orrery
