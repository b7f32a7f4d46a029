#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::server {

/// A command that a page has asked for, and how far it has come. Plain data.
struct RunState {
  std::int64_t id = 0;
  std::vector<std::string> words;  ///< Without the program.

  /// `waiting`, `running`, `paused`, `completed`, `failed`, `stopped` by the
  /// user, or `interrupted` by its own end.
  std::string state = "waiting";
  std::string phase;  ///< Its present work; may be empty.
  std::string message;
  std::optional<std::int64_t> experiment;  ///< In the store.
  double t = 0;                            ///< s
  double start = 0;
  double stop = 0;
  std::int64_t steps = 0;
  std::string log;  ///< Its output: the end of it, if it is long.
  bool is_to_stop = false;

  [[nodiscard]] bool goes_on() const {
    return state == "waiting" || state == "running" || state == "paused";
  }
};

/// An event that tells something about a run. Plain data.
struct RunEvent {
  std::string type;  ///< `run`, `rows`, `table` or `store`.
  std::string data;  ///< JSON.
};

/// The state as JSON, for the event `run`; with all of it for who asks.
[[nodiscard]] std::string ToJson(const RunState& run, bool has_log);

/// Takes a line of a command's report (`--report-fd`) into the state of its
/// run. A line that is none is left alone.
/// @returns the events that tell it.
[[nodiscard]] std::vector<RunEvent> TakeReport(const std::string& line,
                                               RunState& run);

/// Sets the state of a run whose process has ended.
/// @param signal that ended it; 0 for none.
void TakeEnd(int exit_code, int signal, RunState& run);

/// Adds to what a run has printed.
void TakeLog(const std::string& text, RunState& run);

}  // namespace orrery::server
