#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "orrery/server/children/child.h"

namespace orrery::server {

/// The process of a run, as its reader sees it. For one thread, except Send().
class RunProcess {
 public:
  /// @throws Error kIo if it cannot be started.
  RunProcess(std::int64_t id, const ChildOptions& options);

  [[nodiscard]] std::int64_t id() const noexcept { return id_; }

  /// Asks it to end: by an interrupt, and later by force.
  void Stop();

  /// Sends a line to it.
  void Send(const std::string& line);

  /// Takes what it has written, after waiting for some of it, for its end, or
  /// for what comes at `wake`.
  /// @param report called with each line of its report.
  /// @param log called with what it has printed.
  void Read(int wake,
            const std::function<void(const std::string&)>& report,
            const std::function<void(const std::string&)>& log);

  /// How it has ended, once it has and all that it wrote is taken.
  [[nodiscard]] std::optional<ChildEnd> Ended();

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t id_;
  Child child_;
  std::string line_;  // The beginning of a line of the report.
  std::optional<Clock::time_point> force_at_;
};

}  // namespace orrery::server
