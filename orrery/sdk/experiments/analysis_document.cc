#include "orrery/sdk/experiments/analysis_document.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/model/flat_model.h"
#include "orrery/sdk/documents/run_document_json.h"
#include "orrery/sim/simulation.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using internal::Json;

constexpr const char* kFixForm = "NAME=VALUE, as in --fix tank.h=5";
constexpr const char* kBoundForm =
    "NAME=[LOW,HIGH], as in --bound valve.u=[0,1] or --bound h=[0,]";

[[noreturn]] void RefuseCondition(const std::string& option,
                                  const std::string& text,
                                  const std::string& form) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot take " + option + " " + text + ": give " + form);
}

// Splits a text at its first `=`.
std::pair<std::string, std::string> SplitCondition(const std::string& option,
                                                   const std::string& text,
                                                   const char* form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    RefuseCondition(option, text, form);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// Returns nothing unless the whole text is a finite number.
std::optional<double> FiniteNumberIn(std::string_view text) {
  const std::optional<double> number = ParseDecimal(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

QuantityRange FixedRange(const std::string& option, const std::string& text) {
  const auto [name, value] = SplitCondition(option, text, kFixForm);
  const auto number = FiniteNumberIn(value);
  if (!number) {
    RefuseCondition(option, text, kFixForm);
  }
  return {.name = name, .lower = *number, .upper = *number};
}

QuantityRange BoundRange(const std::string& text) {
  const auto [name, range] = SplitCondition("--bound", text, kBoundForm);
  const std::size_t comma = range.find(',');
  if (range.size() < 3 || range.front() != '[' || range.back() != ']' ||
      comma == std::string::npos) {
    RefuseCondition("--bound", text, kBoundForm);
  }
  const auto end_in = [&](const std::string& end, double without) {
    const auto number = end.empty() ? without : FiniteNumberIn(end);
    if (!number) {
      RefuseCondition("--bound", text, kBoundForm);
    }
    return *number;
  };
  return {.name = name,
          .lower = end_in(range.substr(1, comma - 1), -kInfinity),
          .upper = end_in(range.substr(comma + 1, range.size() - comma - 2),
                          kInfinity)};
}

// Inputs that are set keep their values, unless the conditions free them.
SteadyStateOptions OptionsFor(const SteadyConditions& conditions,
                              const CompiledModel& model) {
  SteadyStateOptions options{.moving = conditions.moving,
                             .minimize = conditions.minimize,
                             .maximize = conditions.maximize};
  for (const std::string& text : conditions.fix) {
    options.ranges.push_back(FixedRange("--fix", text));
  }
  for (const std::string& text : conditions.bound) {
    options.ranges.push_back(BoundRange(text));
  }
  const Program& program = *model.program;
  const NameTable names(program);
  const auto slot_of = [&](const std::string& name) {
    return ReferenceOf(program, names.Get(name)).slot;
  };
  std::vector<std::uint32_t> free;
  for (const std::string& text : conditions.free) {
    if (text.find('=') == std::string::npos) {
      free.push_back(slot_of(text));
      continue;
    }
    const QuantityRange guess = FixedRange("--free", text);
    free.push_back(slot_of(guess.name));
    options.guesses.push_back({.name = guess.name, .value = guess.lower});
  }
  for (const Setting& setting : model.settings) {
    const VariableKind kind =
        program.variables[names.Get(setting.name).variable].kind;
    if (kind == VariableKind::kInput &&
        std::ranges::find(free, slot_of(setting.name)) == free.end()) {
      options.ranges.push_back({.name = setting.name,
                                .lower = setting.value,
                                .upper = setting.value});
    }
  }
  return options;
}

OperatingPoint StartOf(const RunDocument& document,
                       const CompiledModel& model) {
  SimulationOptions options;
  options.start = document.options.start;
  return {model.program,
          Resolve(options, model.program->experiment).start,
          model.settings,
          document.options.attendant};
}

// Splits `u:y` into its names.
std::pair<std::string, std::string> ChannelNamesOf(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    RefuseCondition("--bode", text, "INPUT:OUTPUT, as in --bode force:x");
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// Linearises with all outputs of the channels.
LinearSystem SystemAt(OperatingPoint& point,
                      const LinearizationDocument& document) {
  LinearSystem system = Linearize(point, document.between);
  LinearizeOptions options{.inputs = document.between.inputs, .outputs = {}};
  for (const NamedValue& output : system.outputs) {
    options.outputs.push_back(output.name);
  }
  for (const std::string& text : document.channels) {
    const std::string output = ChannelNamesOf(text).second;
    if (std::ranges::find(options.outputs, output) == options.outputs.end()) {
      options.outputs.push_back(output);
    }
  }
  return options.outputs.size() == system.outputs.size()
             ? system
             : Linearize(point, options);
}

// Moves the model to the operating point of the linearisation.
// @returns the name of the operating point.
std::string GoTo(OperatingPoint& point,
                 const LinearizationDocument& document,
                 const CompiledModel& model,
                 std::vector<Diagnostic>& warnings) {
  if (document.at_steady_state) {
    const SteadyState state =
        FindSteadyState(point, OptionsFor(document.conditions, model));
    if (!state.found()) {
      throw Error(ErrorCode::kInvalidModel, state.diagnostics);
    }
    if (state.freedom > 0) {
      std::string names;
      for (const std::string& name : state.undetermined) {
        names += (names.empty() ? "" : ", ") + name;
      }
      warnings.push_back(
          {.severity = Severity::kWarning,
           .message =
               "the steady state is one of many: " + names + " may change",
           .hint = "fix " + std::to_string(state.freedom) + " of them"});
    }
    return "a steady state";
  }
  if (!document.run.options.stop) {
    return "the start";
  }
  SimulationOptions options = SimulationOptionsOf(document.run);
  Simulator simulator(model.program, options);
  if (!simulator.RunUntil(*options.stop)) {
    const RunResult result = simulator.Result();
    static_cast<void>(static_cast<Trajectory>(result));  // Throws if it failed.
    throw Error(ErrorCode::kInvalidModel,
                "cannot linearize at t = " + ShortestText(options.stop->value) +
                    " s: the run " + result.summary.message);
  }
  point.Restore(simulator.context());
  return "the end of a run";
}

std::vector<double> FrequenciesIn(const std::string& text) {
  if (text.empty()) {
    return {};
  }
  const bool is_list = text.find_first_of("({:") == std::string::npos;
  const std::vector<std::string> factor = {"frequency=" +
                                           (is_list ? "{" + text + "}" : text)};
  const Factor read = ParseFactors("--frequencies", factor).front();
  const auto* const values = std::get_if<std::vector<double>>(&read.range);
  if (values == nullptr) {
    RefuseCondition("--frequencies",
                    text,
                    "rad/s as in 0.1,1,10, or logspace(-1,2,200) for 200 from "
                    "0.1 to 100");
  }
  std::vector<double> frequencies = *values;
  std::ranges::sort(frequencies);
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()),
                    frequencies.end());
  return frequencies;
}

// The requested channels, or all.
std::vector<Channel> ChannelsFor(const LinearSystem& system,
                                 const LinearizationDocument& document) {
  std::vector<Channel> channels;
  for (const std::string& text : document.channels) {
    const auto [input, output] = ChannelNamesOf(text);
    channels.push_back({.input = system.InputNumber(input),
                        .output = system.OutputNumber(output)});
  }
  const bool wants_all = document.all_channels ||
                         document.is_frequency_response ||
                         !document.frequencies.empty();
  if (!channels.empty() || !wants_all) {
    return channels;
  }
  channels = ChannelsOf(system);
  if (channels.empty()) {
    const std::string missing = system.inputs.empty() ? "inputs" : "outputs";
    throw Error(ErrorCode::kInvalidArgument,
                "cannot compute a frequency response: the model has no " +
                    missing + "; name some by --" + missing);
  }
  return channels;
}

// JSON ------------------------------------------------------------------------

constexpr auto kConditionFields = [](auto& conditions, auto field) {
  field("fix", conditions.fix);
  field("bound", conditions.bound);
  field("free", conditions.free);
  field("moving", conditions.moving);
  field("minimize", conditions.minimize);
  field("maximize", conditions.maximize);
};

constexpr auto kLinearFields = [](auto& document, auto field) {
  kConditionFields(document.conditions, field);
  field("inputs", document.between.inputs);
  field("outputs", document.between.outputs);
  field("bode", document.channels);
  field("frequencies", document.frequencies);
  field("all_channels", document.all_channels);
};

}  // namespace

CompiledModel CompileModel(const RunDocument& document) {
  std::vector<Setting> settings = SettingsIn(document);
  const Model loaded = LoadModel(document, settings);
  return AsCompiled(loaded, Compile(loaded), std::move(settings));
}

CompiledModel AsCompiled(const Model& model,
                         std::shared_ptr<const Program> program,
                         std::vector<Setting> settings) {
  CompiledModel compiled{.program = std::move(program),
                         .settings = std::move(settings)};
  const auto flat = FlatModelOf(model);
  std::ranges::copy_if(flat->texts,
                       std::back_inserter(compiled.texts),
                       [&](const std::string& name) {
                         return std::ranges::find(flat->fixed_texts, name) ==
                                flat->fixed_texts.end();
                       });
  compiled.warnings = compiled.program->warnings;
  std::ranges::move(CheckSettings(*compiled.program, compiled.settings),
                    std::back_inserter(compiled.warnings));
  return compiled;
}

SteadyState FindSteadyState(const SteadyStateDocument& document,
                            const CompiledModel& model) {
  OperatingPoint point = StartOf(document.run, model);
  return FindSteadyState(point, OptionsFor(document.conditions, model));
}

std::vector<Channel> ChannelsOf(const LinearSystem& system) {
  std::vector<Channel> channels;
  for (std::size_t j = 0; j < system.inputs.size(); ++j) {
    for (std::size_t i = 0; i < system.outputs.size(); ++i) {
      channels.push_back({.input = j, .output = i});
    }
  }
  return channels;
}

std::vector<FrequencyResponse> ResponsesOf(const LinearSystem& system,
                                           const std::vector<Channel>& channels,
                                           std::vector<double> frequencies) {
  if (frequencies.empty()) {
    for (const Channel& channel : channels) {
      const auto own = DefaultFrequencies(system, channel);
      frequencies.insert(frequencies.end(), own.begin(), own.end());
    }
    std::ranges::sort(frequencies);
    frequencies.erase(std::unique(frequencies.begin(), frequencies.end()),
                      frequencies.end());
  }
  std::vector<FrequencyResponse> responses;
  responses.reserve(channels.size());
  for (const Channel& channel : channels) {
    responses.push_back(FrequencyResponseOf(system, channel, frequencies));
  }
  return responses;
}

LinearAnalysis Linearize(const LinearizationDocument& document,
                         const CompiledModel& model) {
  const std::vector<double> frequencies = FrequenciesIn(document.frequencies);
  OperatingPoint point = StartOf(document.run, model);
  LinearAnalysis analysis{.model = model.program->name};
  std::vector<Diagnostic> warnings;
  analysis.at = GoTo(point, document, model, warnings);
  analysis.system = SystemAt(point, document);
  std::ranges::move(warnings, std::back_inserter(analysis.system.warnings));
  analysis.channels = ChannelsFor(analysis.system, document);
  analysis.responses =
      ResponsesOf(analysis.system, analysis.channels, frequencies);
  return analysis;
}

std::string ToJson(const SteadyStateDocument& document) {
  Json json = internal::AsJson(document.run);
  Json steady = Json::object();
  internal::AddFields(document.conditions, kConditionFields, steady);
  json["steady"] = std::move(steady);
  return internal::TextOf(json);
}

std::string ToJson(const LinearizationDocument& document) {
  Json json = internal::AsJson(document.run);
  Json linear = Json::object();
  if (document.at_steady_state) {
    linear["at"] = "steady";
  }
  internal::AddFields(document, kLinearFields, linear);
  json[document.is_frequency_response ? "frequency_response"
                                      : "linearization"] = std::move(linear);
  return internal::TextOf(json);
}

SteadyStateDocument SteadyStateDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    SteadyStateDocument document{.run = internal::RunDocumentOf(json),
                                 .conditions = {}};
    internal::TakeFields(
        json.at("steady"), kConditionFields, document.conditions);
    return document;
  });
}

LinearizationDocument LinearizationDocumentFromJson(const std::string& text) {
  return internal::ReadDocument(text, [](const Json& json) {
    LinearizationDocument document{.run = internal::RunDocumentOf(json)};
    document.is_frequency_response = json.contains("frequency_response");
    const Json& linear =
        json.at(document.is_frequency_response ? "frequency_response"
                                               : "linearization");
    document.at_steady_state = linear.contains("at");
    internal::TakeFields(linear, kLinearFields, document);
    return document;
  });
}

}  // namespace orrery
