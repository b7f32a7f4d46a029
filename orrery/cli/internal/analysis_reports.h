#pragma once

#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/sdk/analysis.h"

namespace orrery::cli {

/// What is told of a linear system.
struct LinearReport {
  std::string model;
  std::string at;  ///< "the start", "a steady state", ...
  LinearSystem system;
  std::vector<Channel> channels;
  std::vector<FrequencyResponse> responses;  ///< One a channel.
};

/// Values in columns, or why there are none.
[[nodiscard]] std::string TextReport(const std::string& model,
                                     const SteadyState& state);

/// The operating point, matrices, modes, zeros and responses, in columns.
[[nodiscard]] std::string TextReport(const LinearReport& report);

/// Magnitude and phase over frequency, for the terminal.
[[nodiscard]] std::string PlotReport(const LinearReport& report, bool color);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const std::string& model,
                                     const SteadyState& state);
[[nodiscard]] std::string JsonReport(const LinearReport& report);

/// Likewise, for what could not be done: "status" is "error".
[[nodiscard]] std::string JsonErrorReport(const Error& error);

}  // namespace orrery::cli
