#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "orrery/base/system/pace.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/sdk/live/live_run.h"

namespace orrery {

/// Lets a live run keep pace with a clock: outputs at a time of the run appear
/// at the corresponding wall time. Outputs are computed ahead if possible, so
/// that they are late only if the computation of a period takes too long.
/// Delays are made up for.
///
/// One thread owns the run and calls RunToEnd. Any thread may call the other
/// functions during it; they do not wait for the model.
class LivePace {
 public:
  /// An action on the run, or an observation of it, between two periods.
  using Act = std::function<void(LiveRun&)>;

  /// @param run has no other user. It and `clock` must outlive the result.
  /// @throws Error kInvalidArgument as Pace.
  LivePace(LiveRun& run, WallClock& clock, const PaceOptions& options);

  /// The reason why RunToEnd ended.
  enum class End : std::uint8_t {
    kReached,  ///< The stop time is reached, or the run has failed.
    kStopped,  ///< Stop() was called.
    kGivenUp   ///< `goes_on` returned false.
  };

  /// Carries the run on.
  /// @param look called with the run at each of its output times and at the
  ///     times of actions, including the start, after the posted actions.
  /// @param goes_on called several times a second; may be empty.
  /// @throws Error kInvalidArgument if it is late and the pace is strict;
  ///     whatever actions and `look` throw.
  End RunToEnd(const std::function<void(LiveRun&)>& look,
               const std::function<bool()>& goes_on = {});

  /// Posts an action for the simulated time that the clock shows. If the run
  /// has been computed ahead, the action takes place at its next output time.
  void Post(Act act);

  /// Posts an action for a simulated time or later. The run gets an output at
  /// this time, unless it has passed it.
  void Post(Act act, double time);

  /// Pauses the run at the time of the clock, or at the time that it has been
  /// computed ahead to. Posted actions still take place.
  void Pause();

  /// Ends a pause.
  void Resume();

  /// Ends a pause, and prevents new ones: no partner is left who could end
  /// them.
  void LetGo();

  [[nodiscard]] bool is_paused() const;

  [[nodiscard]] double factor() const;

  /// Changes the pace from now on.
  /// @throws Error kInvalidArgument as Pace.
  void SetFactor(double factor);

  /// Ends RunToEnd at the present time of the run.
  void Stop();

  /// `injections` counts the actions that have taken place.
  [[nodiscard]] LagReport report() const;

 private:
  enum class State : std::uint8_t { kRunning, kPaused, kStopped };

  void WaitFor(Duration due, std::unique_lock<std::mutex>& lock);
  void DoPosted(std::unique_lock<std::mutex>& lock);
  void GoOn();
  [[nodiscard]] bool HasPosted() const;
  [[nodiscard]] bool IsHeld() const;
  [[nodiscard]] double NextTime() const;
  [[nodiscard]] double Shown() const;
  [[nodiscard]] double ActsAt() const;
  void BringForward(double shown);
  [[nodiscard]] Duration SinceStart(double t) const;

  LiveRun& run_;
  WallClock& clock_;

  mutable std::mutex mutex_;  // Guards all below.
  std::condition_variable wake_;
  Pace pace_;
  State state_ = State::kRunning;
  double t_;        // The time up to which it has been computed.
  double held_at_;  // Valid if it is paused.
  std::multimap<double, Act> acts_;  // By time.
  bool is_acting_ = false;           // An action is taking place.
  bool can_pause_ = true;
  std::int64_t num_done_ = 0;
};

}  // namespace orrery
