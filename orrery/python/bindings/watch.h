#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/base/system/attendant.h"

namespace orrery::python {

/// Looks after work of the engines in this thread. Takes the GIL at most 20
/// times a second: then Python's signals are handled, as Ctrl-C, and the
/// progress is told; it is told the end, too. An exception from there stops the
/// work. Signals are handled until the work has ended; the last exception
/// counts.
class Watch {
 public:
  /// @param progress called as progress(t); None for nobody. With the GIL.
  explicit Watch(pybind11::object progress);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Tells the progress to another one, before the work begins. With the GIL.
  void set_progress(pybind11::object progress) {
    progress_ = std::move(progress);
  }

  /// With or without the GIL, as often as the work likes.
  /// @returns false if it is to stop.
  bool GoesOn(double t) noexcept {
    t_ = t;
    return GoesOn();
  }

  bool GoesOn() noexcept {
    if (Clock::now() >= next_look_) {
      Look();
    }
    return !*has_stopped_;
  }

  /// Handles the signals that have come, now.
  void LookNow() noexcept;

  /// Tells the progress where the work has ended, unless an exception stopped
  /// it. With the GIL.
  void TellEnd() noexcept;

  /// GoesOn() of the watch over this thread's work; true without one.
  [[nodiscard]] static bool LetsGoOn() noexcept;

  /// Asks this watch whether the work goes on: also in other threads that work
  /// for it. May outlive the watch.
  [[nodiscard]] std::shared_ptr<Attendant> MakeAttendant() const;

  /// The exception that stopped the work; else None. With the GIL.
  [[nodiscard]] pybind11::object exception() const { return exception_; }

  /// Raises the exception that stopped the work, if one has; an
  /// orrery.Interrupted for the one of Ctrl-C. With the GIL.
  void RaiseException() const;

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::chrono::milliseconds kBetweenLooks{50};

  void Look() noexcept;
  void AskPython();
  // Returns false if an exception was raised.
  [[nodiscard]] bool TellProgress();

  pybind11::object progress_;
  pybind11::object exception_ = pybind11::none();
  Clock::time_point next_look_ = Clock::now() + kBetweenLooks;
  std::optional<double> t_;     // The work is there.
  std::optional<double> told_;  // The progress was told last.
  std::shared_ptr<std::atomic<bool>> has_stopped_ =
      std::make_shared<std::atomic<bool>>(false);
  Watch* outer_;
};

/// Stops all watched work of other threads, as the process ends, and waits at
/// most two seconds for it. A thread that comes back from such work later finds
/// no interpreter. Without the GIL.
void StopWatchedWork();

}  // namespace orrery::python
