#include "orrery/sdk/reports/analysis_report.h"

#include <complex>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::NumberFrom;
using internal::NumberOrNull;
using internal::NumbersAsJson;
using internal::ParsePrinted;
using internal::Print;

namespace {

Json ValuesOf(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& value : values) {
    object[value.name] = NumberOrNull(value.value);
  }
  return object;
}

// The units of values that have one.
void AddUnits(const std::vector<NamedValue>& values, Json& units) {
  for (const NamedValue& value : values) {
    if (!value.unit.empty()) {
      units[value.name] = value.unit;
    }
  }
}

template <typename Values>
Json UnitsOf(const Values& values) {
  Json units = Json::object();
  AddUnits(values.states, units);
  AddUnits(values.inputs, units);
  AddUnits(values.outputs, units);
  return units;
}

Json RowsOf(const Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      row.push_back(NumberOrNull(matrix(i, j)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json ComplexOf(std::complex<double> value) {
  return {{"re", value.real()}, {"im", value.imag()}};
}

Json ResponseOf(const LinearAnalysis& analysis, std::size_t number) {
  const FrequencyResponse& response = analysis.responses[number];
  Json json = {{"input", response.input},
               {"output", response.output},
               {"frequency", NumbersAsJson(response.frequencies)},
               {"magnitude_db", NumbersAsJson(response.magnitudes_db)},
               {"phase_deg", NumbersAsJson(response.phases_deg)}};
  const Channel& channel = analysis.channels[number];
  const auto peak = ResonanceOf(analysis.system, channel);
  json["resonance"] = peak ? Json({{"frequency", peak->frequency},
                                   {"magnitude", peak->magnitude}})
                           : Json(nullptr);
  const StabilityMargins margins = MarginsOf(analysis.system, channel);
  json["gain_margin"] = margins.gain
                            ? Json({{"factor", *margins.gain},
                                    {"frequency", margins.gain_frequency}})
                            : Json(nullptr);
  json["phase_margin"] = margins.phase_deg
                             ? Json({{"degrees", *margins.phase_deg},
                                     {"frequency", margins.phase_frequency}})
                             : Json(nullptr);
  return json;
}

// Reading ---------------------------------------------------------------------

std::vector<NamedValue> ValuesFrom(const Json& values, const Json& units) {
  std::vector<NamedValue> list;
  for (const auto& [name, value] : values.items()) {
    list.push_back({.name = name,
                    .unit = units.value(name, ""),
                    .value = NumberFrom(value)});
  }
  return list;
}

template <typename Values>
void TakeValues(const Json& json, Values& values) {
  const Json& units = json.at("units");
  values.time = json.at("time").get<double>();
  values.states = ValuesFrom(json.at("states"), units);
  values.inputs = ValuesFrom(json.at("inputs"), units);
  values.outputs = ValuesFrom(json.at("outputs"), units);
}

Matrix MatrixFrom(const Json& json, std::size_t rows, std::size_t columns) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix(i, j) = NumberFrom(json.at(i).at(j));
    }
  }
  return matrix;
}

SteadyOutcome OutcomeCalled(const std::string& name) {
  for (const SteadyOutcome outcome : {SteadyOutcome::kFound,
                                      SteadyOutcome::kUnreachable,
                                      SteadyOutcome::kNoConvergence,
                                      SteadyOutcome::kNotFinite,
                                      SteadyOutcome::kInterrupted}) {
    if (name == Describe(outcome)) {
      return outcome;
    }
  }
  return SteadyOutcome::kRestless;
}

}  // namespace

std::string JsonReport(const std::string& model, const SteadyState& state) {
  Json unmet = Json::array();
  for (const UnmetCondition& condition : state.unmet) {
    unmet.push_back({{"name", condition.wanted.name},
                     {"value", NumberOrNull(condition.value)},
                     {"lower", NumberOrNull(condition.wanted.lower)},
                     {"upper", NumberOrNull(condition.wanted.upper)}});
  }
  return Print({{"status", Describe(state.outcome)},
                {"message", state.message},
                {"model", model},
                {"time", state.time},
                {"states", ValuesOf(state.states)},
                {"inputs", ValuesOf(state.inputs)},
                {"outputs", ValuesOf(state.outputs)},
                {"units", UnitsOf(state)},
                {"residual", NumberOrNull(state.residual)},
                {"objective", NumberOrNull(state.objective)},
                {"iterations", state.iterations},
                {"freedom", state.freedom},
                {"undetermined", state.undetermined},
                {"unmet", std::move(unmet)},
                {"diagnostics", DiagnosticsAsJson(state.diagnostics)}});
}

std::string JsonReport(const LinearAnalysis& analysis) {
  const LinearSystem& system = analysis.system;
  Json modes = Json::array();
  for (const Mode& mode : ModesOf(system)) {
    Json entry = ComplexOf(mode.eigenvalue);
    entry["frequency"] = mode.natural_frequency();
    entry["damping"] = NumberOrNull(mode.damping());
    entry["time_constant"] = NumberOrNull(mode.time_constant());
    modes.push_back(std::move(entry));
  }
  Json zeros = Json::array();
  for (const auto& zero : ZerosOf(system)) {
    zeros.push_back(ComplexOf(zero));
  }
  Json responses = Json::array();
  for (std::size_t i = 0; i < analysis.responses.size(); ++i) {
    responses.push_back(ResponseOf(analysis, i));
  }
  return Print({{"status", "completed"},
                {"message", ""},
                {"model", analysis.model},
                {"at", analysis.at},
                {"time", system.time},
                {"states", ValuesOf(system.states)},
                {"inputs", ValuesOf(system.inputs)},
                {"outputs", ValuesOf(system.outputs)},
                {"units", UnitsOf(system)},
                {"A", RowsOf(system.a)},
                {"B", RowsOf(system.b)},
                {"C", RowsOf(system.c)},
                {"D", RowsOf(system.d)},
                {"modes", std::move(modes)},
                {"zeros", std::move(zeros)},
                {"dc_gain", RowsOf(DcGain(system))},
                {"stable", IsStable(system)},
                {"controllable_states", ControllableStates(system)},
                {"observable_states", ObservableStates(system)},
                {"responses", std::move(responses)},
                {"diagnostics", DiagnosticsAsJson(system.warnings)}});
}

SteadyState SteadyStateFromJson(const std::string& text) {
  const Json json = ParsePrinted(text);
  SteadyState state{.outcome = OutcomeCalled(json.at("status")),
                    .message = json.at("message"),
                    .diagnostics = {}};
  TakeValues(json, state);
  state.residual =
      NumberFrom(json.at("residual"), std::numeric_limits<double>::infinity());
  state.objective = NumberFrom(json.at("objective"));
  json.at("iterations").get_to(state.iterations);
  json.at("freedom").get_to(state.freedom);
  json.at("undetermined").get_to(state.undetermined);
  return state;
}

LinearAnalysis LinearAnalysisFromJson(const std::string& text) {
  const Json json = ParsePrinted(text);
  LinearAnalysis analysis{.model = json.at("model"), .at = json.at("at")};
  LinearSystem& system = analysis.system;
  TakeValues(json, system);
  const std::size_t states = system.states.size();
  const std::size_t inputs = system.inputs.size();
  const std::size_t outputs = system.outputs.size();
  system.a = MatrixFrom(json.at("A"), states, states);
  system.b = MatrixFrom(json.at("B"), states, inputs);
  system.c = MatrixFrom(json.at("C"), outputs, states);
  system.d = MatrixFrom(json.at("D"), outputs, inputs);
  std::vector<double> frequencies;
  for (const Json& response : json.at("responses")) {
    analysis.channels.push_back(
        {.input = system.InputNumber(response.at("input").get<std::string>()),
         .output =
             system.OutputNumber(response.at("output").get<std::string>())});
    response.at("frequency").get_to(frequencies);
  }
  analysis.responses = ResponsesOf(system, analysis.channels, frequencies);
  return analysis;
}

}  // namespace orrery
