#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

/// The types of saved analyses.
inline constexpr const char* kSteadyState = "steady-state";
inline constexpr const char* kLinearization = "linearization";
inline constexpr const char* kFrequencyResponse = "frequency-response";

/// Values in columns, or the reason why there are none, and the minimised
/// quantity.
[[nodiscard]] std::string TextReport(const SteadyConditions& conditions,
                                     const std::string& model,
                                     const SteadyState& state);

/// The operating point, matrices, modes, zeros and responses, in columns.
[[nodiscard]] std::string TextReport(const LinearAnalysis& analysis);

/// The responses alone.
[[nodiscard]] std::string ResponseReport(const LinearAnalysis& analysis);

/// With seven digits: `-0.2 + 1.98j`.
[[nodiscard]] std::string ComplexText(std::complex<double> value);

/// Magnitude and phase over frequency, for the terminal.
[[nodiscard]] std::string PlotReport(const LinearAnalysis& analysis,
                                     const TerminalOptions& options);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const std::string& model,
                                     const SteadyState& state);
[[nodiscard]] std::string JsonReport(const LinearAnalysis& analysis);

/// Reads the output of JsonReport, without diagnostics.
[[nodiscard]] SteadyState SteadyStateFromJson(const std::string& text);
[[nodiscard]] LinearAnalysis LinearAnalysisFromJson(const std::string& text);

/// The JSON report of an error: "status" is "error".
[[nodiscard]] std::string JsonErrorReport(const Error& error);

// Saved analyses --------------------------------------------------------------

[[nodiscard]] bool IsAnalysis(const ExperimentRecord& record);

/// The results, in columns.
[[nodiscard]] std::string AnalysisText(const ExperimentRecord& record);

/// A number in which two experiments differ.
struct NumberDifference {
  std::string name;
  std::optional<std::complex<double>> of_a;  ///< Without a value if it has no
                                             ///< such number.
  std::optional<std::complex<double>> of_b;
};

/// Returns the numbers in which two analyses of a kind differ.
/// @throws Error kInvalidArgument if they are of different kinds.
[[nodiscard]] std::vector<NumberDifference> AnalysisDifferences(
    const ExperimentRecord& a, const ExperimentRecord& b);

/// Describes the first difference of the results; empty if they are the same to
/// the last bit.
[[nodiscard]] std::string FirstAnalysisDifference(const ExperimentRecord& was,
                                                  const ExperimentRecord& is);

/// The frequency responses, `magnitude(u:y)` and `phase(u:y)`, over the decimal
/// logarithm of the frequency: the requested ones, otherwise all channels. A
/// steady state has none.
[[nodiscard]] Trajectory ResponseCurves(const ExperimentRecord& record);

[[nodiscard]] Axis FrequencyAxis();

/// Adapts a figure of ResponseCurves, whose abscissa is the logarithm of the
/// frequency.
void PutOverFrequency(Figure& figure);

/// Magnitudes and phases.
[[nodiscard]] std::vector<Figure> AnalysisFigures(
    const ExperimentRecord& record);

/// Writes the numbers: .csv.
/// @throws Error as WriteLinearSystem does.
void ExportAnalysis(const std::string& path, const ExperimentRecord& record);

}  // namespace orrery::cli
