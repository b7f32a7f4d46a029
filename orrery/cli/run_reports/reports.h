#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/system/pace.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// Durations, ms.
struct Timing {
  double compile_ms = 0;
  double run_ms = 0;
};

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

/// The time of the last row.
[[nodiscard]] double TimeReached(const RunResult& result);

/// `Circle  2 states  compiled in 0.4 ms`.
[[nodiscard]] std::string HeadLine(const Program& program,
                                   const Timing& timing);

/// `  dopri5: 12 steps, 1 rejected, 3 events`, without parts that do not exist.
[[nodiscard]] std::string SolverText(const Summary& summary);

/// The reasons of an early end, and of changes of the method, a line each.
[[nodiscard]] std::string SolverNotes(const Summary& summary);

/// The final values of all variables that are not constant, in columns.
[[nodiscard]] std::string FinalText(const Trajectory& run);

/// The course of the run and the final values, in columns.
[[nodiscard]] std::string TextReport(const RunResult& result,
                                     const Timing& timing);

/// The events, one a line: time, direction, name.
[[nodiscard]] std::string EventReport(const EventLog& log);

enum class EventList : bool { kWithout, kWith };

/// The lag of a run behind the clock, a line; empty if it did not keep pace.
[[nodiscard]] std::string LagLine(const std::optional<LagReport>& lag);

/// One JSON object.
/// @param lag of a run that kept pace with the clock.
[[nodiscard]] std::string JsonReport(const Program& program,
                                     const RunResult& result,
                                     const Timing& timing,
                                     EventList events,
                                     const std::optional<LagReport>& lag);

/// The JSON report of a run that was not possible, with the same keys: "status"
/// is "error", and keys without a value are null.
[[nodiscard]] std::string JsonReport(const Error& error);

}  // namespace orrery::cli
