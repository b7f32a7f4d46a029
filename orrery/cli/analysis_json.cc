#include <complex>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/cli/internal/analysis_reports.h"
#include "orrery/cli/internal/json_values.h"

namespace orrery::cli {
namespace {

Json ValuesOf(const std::vector<NamedValue>& values) {
  Json object = Json::object();
  for (const NamedValue& value : values) {
    object[value.name] = NumberOrNull(value.value);
  }
  return object;
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

Json NumbersOf(const std::vector<double>& values) {
  Json numbers = Json::array();
  for (const double value : values) {
    numbers.push_back(NumberOrNull(value));
  }
  return numbers;
}

Json ComplexOf(std::complex<double> value) {
  return {{"re", value.real()}, {"im", value.imag()}};
}

Json ResponseOf(const LinearReport& report, std::size_t number) {
  const FrequencyResponse& response = report.responses[number];
  Json json = {{"input", response.input},
               {"output", response.output},
               {"frequency", NumbersOf(response.frequencies)},
               {"magnitude_db", NumbersOf(response.magnitudes_db)},
               {"phase_deg", NumbersOf(response.phases_deg)}};
  const Channel& channel = report.channels[number];
  const auto peak = ResonanceOf(report.system, channel);
  json["resonance"] = peak ? Json({{"frequency", peak->frequency},
                                   {"magnitude", peak->magnitude}})
                           : Json(nullptr);
  const StabilityMargins margins = MarginsOf(report.system, channel);
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
                {"residual", NumberOrNull(state.residual)},
                {"objective", NumberOrNull(state.objective)},
                {"iterations", state.iterations},
                {"freedom", state.freedom},
                {"undetermined", state.undetermined},
                {"unmet", std::move(unmet)},
                {"diagnostics", DiagnosticsAsJson(state.diagnostics)}});
}

std::string JsonReport(const LinearReport& report) {
  const LinearSystem& system = report.system;
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
  for (std::size_t i = 0; i < report.responses.size(); ++i) {
    responses.push_back(ResponseOf(report, i));
  }
  return Print({{"status", "completed"},
                {"message", ""},
                {"model", report.model},
                {"at", report.at},
                {"time", system.time},
                {"states", ValuesOf(system.states)},
                {"inputs", ValuesOf(system.inputs)},
                {"outputs", ValuesOf(system.outputs)},
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

std::string JsonErrorReport(const Error& error) {
  return Print(ErrorAsJson(error, {}));
}

}  // namespace orrery::cli
