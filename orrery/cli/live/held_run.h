#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/peers/line_listener.h"

namespace orrery::cli {

/// The requests of a program to a run without a clock: lines of JSON on the
/// standard input that pause it, let it go on, set values, or end it
/// (ParseJsonRequest). What cannot be done is told on the standard error, and
/// as a warning in the report.
class HeldRun {
 public:
  /// @param program the beginning of messages.
  /// @param report_fd of the ReportStream.
  HeldRun(std::string program, int report_fd);

  /// Carries out what was asked for since the last call.
  void CarryOutOn(LiveRun& run);

  /// True during a pause; then it has waited for a moment or for a line.
  [[nodiscard]] bool Waits();

  [[nodiscard]] bool is_stopped() const noexcept { return is_stopped_; }

 private:
  void CarryOut(const std::string& line, LiveRun& run);

  std::string program_;
  int report_fd_;
  bool is_paused_ = false;
  bool is_stopped_ = false;

  std::mutex mutex_;  // Guards what follows, except the listener.
  std::condition_variable news_;
  std::deque<std::string> lines_;
  bool is_ended_ = false;  // No line will come.

  LineListener listener_;  // Ends first.
};

}  // namespace orrery::cli
