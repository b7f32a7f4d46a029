#pragma once

#include <string>

#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// How long things took, ms.
struct Timing {
  double compile_ms = 0;
  double run_ms = 0;
};

/// `Circle  2 states  compiled in 0.4 ms`.
[[nodiscard]] std::string HeadLine(const Program& program,
                                   const Timing& timing);

/// How the run went and the final values, in columns.
[[nodiscard]] std::string TextReport(const RunResult& result,
                                     const Timing& timing);

/// One JSON object.
[[nodiscard]] std::string JsonReport(const Program& program,
                                     const RunResult& result,
                                     const Timing& timing);

/// Likewise, for a model that could not be run.
[[nodiscard]] std::string JsonReport(const std::string& file,
                                     const std::vector<Diagnostic>& errors);

}  // namespace orrery::cli
