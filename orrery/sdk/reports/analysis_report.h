#pragma once

#include <string>

#include "orrery/sdk/experiments/analysis_document.h"

namespace orrery {

/// The report of a search for a steady state.
[[nodiscard]] std::string JsonReport(const std::string& model,
                                     const SteadyState& state);

/// The report of a linearisation, or of frequency responses.
[[nodiscard]] std::string JsonReport(const LinearAnalysis& analysis);

/// Reads the output of JsonReport, without diagnostics.
/// @throws Error kIo if it is no JSON: it was stored, and is damaged.
[[nodiscard]] SteadyState SteadyStateFromJson(const std::string& text);
[[nodiscard]] LinearAnalysis LinearAnalysisFromJson(const std::string& text);

}  // namespace orrery
