#pragma once

#include <complex>
#include <string>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/reports/analysis_report.h"  // IWYU pragma: export
#include "orrery/sdk/reports/saved_analysis.h"   // IWYU pragma: export
#include "orrery/sdk/results.h"

namespace orrery::cli {

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

/// The results of a saved analysis, in columns.
[[nodiscard]] std::string AnalysisText(const ExperimentRecord& record);

}  // namespace orrery::cli
