#include "orrery/sdk/reports/saved_analysis.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/plot/plot_spec.h"
#include "orrery/sdk/experiments/experiment_types.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/reports/analysis_report.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;
using internal::ParsePrinted;

namespace {

constexpr std::size_t kMostResponses = 6;  // In a figure.

struct ResultNumber {
  std::string name;
  std::complex<double> value;
};

void AddValues(const std::vector<NamedValue>& values,
               std::vector<ResultNumber>& numbers) {
  for (const NamedValue& value : values) {
    if (std::ranges::find(numbers, value.name, &ResultNumber::name) ==
        numbers.end()) {
      numbers.push_back({value.name, value.value});
    }
  }
}

void AddMatrix(const char* title,
               const Matrix& matrix,
               const std::vector<NamedValue>& rows,
               const std::vector<NamedValue>& columns,
               std::vector<ResultNumber>& numbers) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      numbers.push_back(
          {fmt::format("{}[{},{}]", title, rows[i].name, columns[j].name),
           matrix(i, j)});
    }
  }
}

void AddMargins(const LinearAnalysis& analysis,
                std::vector<ResultNumber>& numbers) {
  for (std::size_t i = 0; i < analysis.channels.size(); ++i) {
    const Channel& channel = analysis.channels[i];
    const std::string name =
        analysis.responses[i].input + ":" + analysis.responses[i].output;
    if (const auto peak = ResonanceOf(analysis.system, channel)) {
      numbers.push_back({"resonance " + name, peak->magnitude});
    }
    const StabilityMargins margins = MarginsOf(analysis.system, channel);
    if (margins.gain) {
      numbers.push_back({"gain margin " + name, *margins.gain});
    }
    if (margins.phase_deg) {
      numbers.push_back({"phase margin " + name, *margins.phase_deg});
    }
  }
}

std::vector<ResultNumber> NumbersOf(const SteadyState& state) {
  std::vector<ResultNumber> numbers;
  AddValues(state.states, numbers);
  AddValues(state.inputs, numbers);
  AddValues(state.outputs, numbers);
  return numbers;
}

std::vector<ResultNumber> NumbersOf(const LinearAnalysis& analysis) {
  const LinearSystem& system = analysis.system;
  std::vector<ResultNumber> numbers;
  AddValues(system.states, numbers);
  AddValues(system.inputs, numbers);
  AddValues(system.outputs, numbers);
  AddMatrix("A", system.a, system.states, system.states, numbers);
  AddMatrix("B", system.b, system.states, system.inputs, numbers);
  AddMatrix("C", system.c, system.outputs, system.states, numbers);
  AddMatrix("D", system.d, system.outputs, system.inputs, numbers);
  AddMatrix("DC gain", DcGain(system), system.outputs, system.inputs, numbers);
  int number = 0;
  for (const Mode& mode : ModesOf(system)) {
    numbers.push_back({fmt::format("pole {}", ++number), mode.eigenvalue});
  }
  number = 0;
  for (const auto& zero : ZerosOf(system)) {
    numbers.push_back({fmt::format("zero {}", ++number), zero});
  }
  return numbers;
}

bool IsSteadyState(const ExperimentRecord& record) {
  return record.info.type == kSteadyState;
}

std::vector<ResultNumber> NumbersOf(const ExperimentRecord& record) {
  if (IsSteadyState(record)) {
    return NumbersOf(SteadyStateFromJson(record.summary));
  }
  const LinearAnalysis analysis = LinearAnalysisFromJson(record.summary);
  std::vector<ResultNumber> numbers = NumbersOf(analysis);
  AddMargins(analysis, numbers);
  return numbers;
}

// The requested responses, or all.
std::vector<FrequencyResponse> ShownResponses(const ExperimentRecord& record) {
  if (IsSteadyState(record)) {
    return {};
  }
  LinearAnalysis analysis = LinearAnalysisFromJson(record.summary);
  return analysis.responses.empty()
             ? ResponsesOf(analysis.system, ChannelsOf(analysis.system))
             : std::move(analysis.responses);
}

}  // namespace

bool IsAnalysis(const ExperimentRecord& record) {
  const std::string& type = record.info.type;
  return type == kSteadyState || type == kLinearization ||
         type == kFrequencyResponse;
}

std::vector<NumberDifference> AnalysisDifferences(const ExperimentRecord& a,
                                                  const ExperimentRecord& b) {
  if (!IsAnalysis(a) || !IsAnalysis(b) ||
      IsSteadyState(a) != IsSteadyState(b)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot compare experiments {} and {}: one is of "
                            "type {}, the other of type {}; take two of a kind",
                            a.info.id,
                            b.info.id,
                            a.info.type,
                            b.info.type));
  }
  const std::vector<ResultNumber> of_a = NumbersOf(a);
  const std::vector<ResultNumber> of_b = NumbersOf(b);
  std::vector<NumberDifference> differences;
  for (const ResultNumber& number : of_a) {
    const auto other =
        std::ranges::find(of_b, number.name, &ResultNumber::name);
    if (other == of_b.end()) {
      differences.push_back({number.name, number.value, std::nullopt});
    } else if (number.value != other->value &&
               !(std::isnan(number.value.real()) &&
                 std::isnan(other->value.real()))) {
      differences.push_back({number.name, number.value, other->value});
    }
  }
  for (const ResultNumber& number : of_b) {
    if (std::ranges::find(of_a, number.name, &ResultNumber::name) ==
        of_a.end()) {
      differences.push_back({number.name, std::nullopt, number.value});
    }
  }
  return differences;
}

std::string FirstAnalysisDifference(const ExperimentRecord& was,
                                    const ExperimentRecord& is) {
  const Json old = ParsePrinted(was.summary);
  const Json now = ParsePrinted(is.summary);
  for (const auto& [name, value] : old.items()) {
    if (value != now.value(name, Json())) {
      return fmt::format("'{}' is another", name);
    }
  }
  return "";
}

Trajectory ResponseCurves(const ExperimentRecord& record) {
  const std::vector<FrequencyResponse> responses = ShownResponses(record);
  std::vector<SignalInfo> signals;
  int column = 0;
  for (const FrequencyResponse& response : responses) {
    const std::string channel = response.input + ":" + response.output;
    signals.push_back({.name = "magnitude(" + channel + ")",
                       .unit = "dB",
                       .column = column++});
    signals.push_back(
        {.name = "phase(" + channel + ")", .unit = "deg", .column = column++});
  }
  TrajectoryBuilder builder(std::move(signals));
  const std::size_t rows =
      responses.empty() ? 0 : responses.front().frequencies.size();
  std::vector<double> row;
  for (std::size_t i = 0; i < rows; ++i) {
    row.clear();
    for (const FrequencyResponse& response : responses) {
      row.push_back(response.magnitudes_db[i]);
      row.push_back(response.phases_deg[i]);
    }
    builder.Append(std::log10(responses.front().frequencies[i]), row);
  }
  return builder.Take();
}

Axis FrequencyAxis() {
  return {.label = "frequency", .unit = "rad/s", .is_logarithmic = true};
}

void PutOverFrequency(Figure& figure) {
  figure.x = FrequencyAxis();
  for (Series& series : figure.series) {
    for (double& x : series.x) {
      x = std::pow(10.0, x);
    }
  }
}

std::vector<Figure> AnalysisFigures(const ExperimentRecord& record) {
  const Trajectory curves = ResponseCurves(record);
  std::vector<Figure> figures;
  for (const char* part : {"magnitude(", "phase("}) {
    PlotSpec spec;
    for (const SignalInfo& signal : curves.signals()) {
      if (signal.name.starts_with(part) &&
          spec.curves.size() < kMostResponses) {
        spec.curves.push_back({.y = signal.name});
      }
    }
    if (!spec.curves.empty()) {
      figures.push_back(MakeFigure(curves, spec));
      PutOverFrequency(figures.back());
    }
  }
  return figures;
}

void ExportAnalysis(const std::string& path, const ExperimentRecord& record) {
  if (IsSteadyState(record)) {
    WriteSteadyState(path, SteadyStateFromJson(record.summary));
    return;
  }
  const LinearAnalysis analysis = LinearAnalysisFromJson(record.summary);
  if (record.info.type == kFrequencyResponse) {
    WriteFrequencyResponses(path, analysis.responses);
  } else {
    WriteLinearSystem(path, analysis.system);
  }
}

}  // namespace orrery
