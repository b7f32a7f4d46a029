#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "orrery/server/events/event_ring.h"
#include "orrery/server/files/descriptor.h"
#include "orrery/server/runs/run_state.h"

namespace orrery::server {

class RunProcess;

/// Carries out commands, one at a time, as each of them uses all processors;
/// the others wait in their order. Tells how they go on by events `run`,
/// `rows`, `table` and `store`. Any thread may call the functions.
class RunQueue {
 public:
  struct Options {
    std::string command;          ///< The path of `orrery`.
    std::string folder;           ///< Where it works.
    std::size_t most_memory = 0;  ///< Bytes that a command may use.
  };

  RunQueue(Options options, EventRing& events);
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  /// Ends all commands.
  ~RunQueue();

  /// Adds a command: `run`, `a.mo`, ...
  /// @returns its number: 1, 2, ...
  std::int64_t Add(std::vector<std::string> words);

  /// Ends a command: by an interrupt, and after five seconds by force. A
  /// command that waits is never begun. No effect once it has ended.
  /// @returns false if there is no such command.
  bool Stop(std::int64_t id);

  /// Sends a line to a command.
  /// @returns false if it does not go on.
  bool Send(std::int64_t id, const std::string& line);

  /// The newest first.
  [[nodiscard]] std::vector<RunState> All() const;
  [[nodiscard]] std::optional<RunState> Find(std::int64_t id) const;

 private:
  void Work();
  void StartNext();
  void Publish(const RunState& run);
  [[nodiscard]] RunState* Known(std::int64_t id);
  void Wake() const;

  Options options_;
  EventRing& events_;
  Descriptor wake_;

  mutable std::mutex mutex_;   // Guards what follows, except the thread.
  std::deque<RunState> runs_;  // The oldest first.
  std::int64_t newest_ = 0;
  std::unique_ptr<RunProcess> process_;  // That goes on; of the thread alone,
                                         // except for what is sent to it.
  bool is_ended_ = false;

  std::thread thread_;
};

}  // namespace orrery::server
