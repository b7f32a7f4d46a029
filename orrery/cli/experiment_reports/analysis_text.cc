#include "orrery/cli/experiment_reports/analysis_text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/run_reports/text_report.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

// Wider matrices are unreadable on a terminal.
constexpr std::size_t kMaxShown = 12;

using Rows = std::vector<std::vector<std::string>>;

// Aligns rows of cells in columns: the first column to the left, the others to
// the right.
std::string Aligned(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) {
      widths[j] = std::max(widths[j], row[j].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t j = 0; j < row.size(); ++j) {
      line += j == 0 ? fmt::format("{:<{}}", row[j], widths[j])
                     : fmt::format("  {:>{}}", row[j], widths[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Number(double value) {
  return fmt::format("{:.7g}", value == 0 ? 0.0 : value);
}

std::string Values(const char* title, const std::vector<NamedValue>& values) {
  if (values.empty()) {
    return "";
  }
  Rows rows;
  rows.reserve(values.size());
  for (const NamedValue& value : values) {
    rows.push_back({value.name, fmt::format("{:.10g}", value.value)});
    if (!value.unit.empty()) {
      rows.back().back() += " " + value.unit;
    }
  }
  return fmt::format("\n{}\n{}", title, Aligned(rows));
}

std::string MatrixText(const char* title,
                       const Matrix& matrix,
                       const std::vector<NamedValue>& columns,
                       const std::vector<std::string>& rows) {
  if (matrix.rows() == 0 || matrix.columns() == 0) {
    return "";
  }
  if (matrix.columns() > kMaxShown || matrix.rows() > 4 * kMaxShown) {
    return fmt::format("\n{}  {} by {} (--json prints it)\n",
                       title,
                       matrix.rows(),
                       matrix.columns());
  }
  Rows cells = {{""}};
  for (const NamedValue& column : columns) {
    cells.front().push_back(column.name);
  }
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    cells.push_back({rows[i]});
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      cells.back().push_back(Number(matrix(i, j)));
    }
  }
  return fmt::format("\n{}\n{}", title, Aligned(cells));
}

std::vector<std::string> NamesOf(const std::vector<NamedValue>& values,
                                 bool are_derivatives) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const NamedValue& value : values) {
    names.push_back(are_derivatives ? "der(" + value.name + ")" : value.name);
  }
  return names;
}

std::string ModesText(const LinearSystem& system) {
  const std::vector<Mode> modes = ModesOf(system);
  if (modes.empty()) {
    return "";
  }
  Rows rows = {
      {"eigenvalue", "frequency [rad/s]", "damping", "time constant [s]"}};
  for (const Mode& mode : modes) {
    rows.push_back({ComplexText(mode.eigenvalue),
                    Number(mode.natural_frequency()),
                    std::isnan(mode.damping()) ? "-" : Number(mode.damping()),
                    std::isinf(mode.time_constant())
                        ? "-"
                        : Number(mode.time_constant())});
  }
  return fmt::format("\nmodes ({})\n{}",
                     IsStable(system) ? "stable" : "not asymptotically stable",
                     Aligned(rows));
}

std::string ZerosText(const LinearSystem& system) {
  if (system.inputs.empty() || system.outputs.empty()) {
    return "";
  }
  std::vector<std::string> zeros;
  for (const auto& zero : ZerosOf(system)) {
    zeros.push_back(ComplexText(zero));
  }
  return fmt::format(
      "\nzeros   {}\nreached by inputs   {} of {} states\nseen in outputs     "
      "{} of {} states\n",
      zeros.empty() ? "none" : fmt::format("{}", fmt::join(zeros, ",  ")),
      ControllableStates(system),
      system.states.size(),
      ObservableStates(system),
      system.states.size());
}

std::string ResponseText(const LinearAnalysis& analysis, std::size_t number) {
  const FrequencyResponse& response = analysis.responses[number];
  const Channel& channel = analysis.channels[number];
  std::string text =
      fmt::format("\nresponse of {} to {}\n", response.output, response.input);
  if (response.frequencies.size() <= 4 * kMaxShown) {
    Rows rows = {{"frequency [rad/s]", "magnitude [dB]", "phase [deg]"}};
    for (std::size_t i = 0; i < response.frequencies.size(); ++i) {
      rows.push_back({Number(response.frequencies[i]),
                      fmt::format("{:.9g}", response.magnitudes_db[i]),
                      fmt::format("{:.9g}", response.phases_deg[i])});
    }
    text += Aligned(rows);
  }
  if (const auto peak = ResonanceOf(analysis.system, channel)) {
    text += fmt::format("  resonance     {} at {} rad/s\n",
                        Number(peak->magnitude),
                        Number(peak->frequency));
  }
  const StabilityMargins margins = MarginsOf(analysis.system, channel);
  if (margins.gain) {
    text += fmt::format("  gain margin   {} ({} dB) at {} rad/s\n",
                        Number(*margins.gain),
                        Number(20 * std::log10(*margins.gain)),
                        Number(margins.gain_frequency));
  }
  if (margins.phase_deg) {
    text += fmt::format("  phase margin  {} deg at {} rad/s\n",
                        Number(*margins.phase_deg),
                        Number(margins.phase_frequency));
  }
  return text;
}

std::string ResponsesText(const LinearAnalysis& analysis) {
  std::string text;
  for (std::size_t i = 0; i < analysis.responses.size(); ++i) {
    text += ResponseText(analysis, i);
  }
  return text;
}

}  // namespace

std::string ComplexText(std::complex<double> value) {
  if (value.imag() == 0) {
    return Number(value.real());
  }
  return fmt::format("{} {} {}j",
                     Number(value.real()),
                     value.imag() < 0 ? '-' : '+',
                     Number(std::abs(value.imag())));
}

std::string TextReport(const SteadyConditions& conditions,
                       const std::string& model,
                       const SteadyState& state) {
  std::string text =
      fmt::format("{}  {} at t = {:.6g} s after {}; largest residual {:.2g}\n",
                  model,
                  state.found() ? "steady" : "not steady",
                  state.time,
                  Counted(state.iterations, "iteration", "iterations"),
                  state.residual);
  text += Values("states", state.states);
  text += Values("inputs", state.inputs);
  text += Values("outputs", state.outputs);
  const bool is_minimum = !conditions.minimize.empty();
  if (state.found() && (is_minimum || !conditions.maximize.empty())) {
    text += fmt::format("\n{} of {}: {}\n",
                        is_minimum ? "minimum" : "maximum",
                        is_minimum ? conditions.minimize : conditions.maximize,
                        Number(state.objective));
  }
  if (state.freedom > 0) {
    text += fmt::format(
        "\none of many: {} may change; fix {} of them for another\n",
        fmt::join(state.undetermined, ", "),
        state.freedom);
  }
  return text;
}

std::string TextReport(const LinearAnalysis& analysis) {
  const LinearSystem& system = analysis.system;
  std::string text = fmt::format("{}  linearised at {}, t = {:.6g} s\n",
                                 analysis.model,
                                 analysis.at,
                                 system.time);
  text += Values("states", system.states);
  text += Values("inputs", system.inputs);
  text += Values("outputs", system.outputs);
  const auto derivatives = NamesOf(system.states, true);
  const auto outputs = NamesOf(system.outputs, false);
  text += MatrixText("A", system.a, system.states, derivatives);
  text += MatrixText("B", system.b, system.inputs, derivatives);
  text += MatrixText("C", system.c, system.states, outputs);
  text += MatrixText("D", system.d, system.inputs, outputs);
  text += ModesText(system) + ZerosText(system);
  text += MatrixText("DC gain", DcGain(system), system.inputs, outputs);
  return text + ResponsesText(analysis);
}

std::string ResponseReport(const LinearAnalysis& analysis) {
  return fmt::format("{}  frequency response at {}, t = {:.6g} s\n{}",
                     analysis.model,
                     analysis.at,
                     analysis.system.time,
                     ResponsesText(analysis));
}

std::string PlotReport(const LinearAnalysis& analysis,
                       const TerminalOptions& options) {
  Figure magnitude{.x = FrequencyAxis(),
                   .y = {.label = "magnitude", .unit = "dB"}};
  Figure phase{.x = magnitude.x, .y = {.label = "phase", .unit = "deg"}};
  for (const FrequencyResponse& response : analysis.responses) {
    Series series{.label = response.input + ":" + response.output,
                  .x = response.frequencies,
                  .y = response.magnitudes_db};
    magnitude.series.push_back(series);
    series.y = response.phases_deg;
    phase.series.push_back(std::move(series));
  }
  return "\n" + RenderTerminal(magnitude, options) + "\n" +
         RenderTerminal(phase, options);
}

std::string AnalysisText(const ExperimentRecord& record) {
  if (record.info.type == kSteadyState) {
    return TextReport(SteadyStateDocumentFromJson(record.document).conditions,
                      record.info.model,
                      SteadyStateFromJson(record.summary));
  }
  const LinearAnalysis analysis = LinearAnalysisFromJson(record.summary);
  return record.info.type == kFrequencyResponse ? ResponseReport(analysis)
                                                : TextReport(analysis);
}

}  // namespace orrery::cli
