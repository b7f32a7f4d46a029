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

/// Lets a live run keep pace with a clock: what is to be seen at a time of the
/// run is seen at its wall time. What can be computed ahead is, so that this is
/// late only if a period takes longer than it may; what is behind is made up
/// for.
///
/// One thread has the run and calls RunToEnd. All other functions may be called
/// from any thread, as long as it lasts; they do not wait for the model.
class LivePace {
 public:
  /// Something to be done to the run, or seen of it, between two periods.
  using Act = std::function<void(LiveRun&)>;

  /// @param run is carried on by nobody else. It and `clock` must outlive the
  ///     result.
  /// @throws Error kInvalidArgument as Pace.
  LivePace(LiveRun& run, WallClock& clock, const PaceOptions& options);

  /// How RunToEnd came to its end.
  enum class End : std::uint8_t {
    kReached,  ///< The stop time is reached, or the run has failed.
    kStopped,  ///< Stop() was called.
    kGivenUp   ///< `goes_on` said no.
  };

  /// Carries the run on.
  /// @param look is shown the run at each of its times to look at, and at those
  ///     of what is done to it, the start included, after what was posted has
  ///     been done.
  /// @param goes_on is asked several times a second; may be empty.
  /// @throws Error kInvalidArgument if it is late and that is strict; what acts
  ///     and `look` throw.
  End RunToEnd(const std::function<void(LiveRun&)>& look,
               const std::function<bool()>& goes_on = {});

  /// Has something done at the simulated time that the clock shows: what is
  /// computed ahead meets it at its next time to look at.
  void Post(Act act);

  /// The same not before a simulated time, at which the run is looked at for
  /// that if it has not been passed.
  void Post(Act act, double time);

  /// Holds the run where the clock, or what is computed ahead, is. What is
  /// posted is done meanwhile.
  void Pause();

  /// Lets it go on after a pause.
  void Resume();

  /// Ends a pause, and lets none begin: nobody is left who could end it.
  void LetGo();

  [[nodiscard]] bool is_paused() const;

  [[nodiscard]] double factor() const;

  /// Another pace from now on.
  /// @throws Error kInvalidArgument as Pace.
  void SetFactor(double factor);

  /// Ends RunToEnd where the run is.
  void Stop();

  /// `injections` counts what was posted and done.
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

  mutable std::mutex mutex_;  // Of all below.
  std::condition_variable wake_;
  Pace pace_;
  State state_ = State::kRunning;
  double t_;                         // Up to which it is carried out.
  double held_at_;                   // If it is paused.
  std::multimap<double, Act> acts_;  // By their time.
  bool is_acting_ = false;           // One of them is done.
  bool can_pause_ = true;
  std::int64_t num_done_ = 0;
};

}  // namespace orrery
