#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/system/pace.h"
#include "orrery/sdk/reports/run_report.h"  // IWYU pragma: export
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// "0.4 ms", "12 ms" or "14.2 s".
[[nodiscard]] std::string Milliseconds(double ms);

/// "1 step" or "2 steps".
[[nodiscard]] std::string Counted(std::int64_t count,
                                  const char* one,
                                  const char* many);

template <std::integral Count>
[[nodiscard]] std::string Counted(Count count,
                                  const char* one,
                                  const char* many) {
  return Counted(static_cast<std::int64_t>(count), one, many);
}

/// `Circle  2 states  compiled in 0.4 ms`.
[[nodiscard]] std::string HeadLine(const Program& program,
                                   const RunTiming& timing);

/// `  dopri5: 12 steps, 1 rejected, 3 events`, without parts that do not exist.
[[nodiscard]] std::string SolverText(const Summary& summary);

/// The reasons of an early end, and of changes of the method, a line each.
[[nodiscard]] std::string SolverNotes(const Summary& summary);

/// The final values of all variables that are not constant, in columns.
[[nodiscard]] std::string FinalText(const Trajectory& run);

/// The course of the run and the final values, in columns.
[[nodiscard]] std::string TextReport(const RunResult& result,
                                     const RunTiming& timing);

/// The events, one a line: time, direction, name.
[[nodiscard]] std::string EventReport(const EventLog& log);

/// The lag of a run behind the clock, a line; empty if it did not keep pace.
[[nodiscard]] std::string LagLine(const std::optional<LagReport>& lag);

}  // namespace orrery::cli
