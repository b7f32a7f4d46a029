#include "orrery/sdk/live/live_pace.h"

#include <algorithm>
#include <utility>

#include "orrery/base/duration.h"

namespace orrery {
namespace {

// The longest time between two calls of `goes_on`.
constexpr Duration kLongestWait = std::chrono::milliseconds(100);

}  // namespace

LivePace::LivePace(LiveRun& run, WallClock& clock, const PaceOptions& options)
    : run_(run),
      clock_(clock),
      pace_(run.model(), clock, options),
      t_(run.t()),
      held_at_(t_) {}

LivePace::End LivePace::RunToEnd(const std::function<void(LiveRun&)>& look,
                                 const std::function<bool()>& goes_on) {
  std::unique_lock lock(mutex_);
  pace_.Anchor(SinceStart(t_));
  double next = t_;
  while (state_ != State::kStopped) {
    if (goes_on && !goes_on()) {
      return End::kGivenUp;
    }
    if (IsHeld()) {
      DoPosted(lock);
      if (IsHeld() && !HasPosted()) {
        WaitFor(Duration::max(), lock);
      }
      continue;
    }
    next = std::max(t_, std::min(next, NextTime()));
    const Duration due = pace_.WallAt(SinceStart(next));
    const Duration wall = clock_.now();
    if (wall < due) {
      WaitFor(due, lock);
      continue;
    }
    pace_.Count(ToDuration(next), wall - due);
    lock.unlock();
    run_.GoOnTo(next);
    lock.lock();
    t_ = next;
    DoPosted(lock);
    if (IsHeld()) {
      continue;
    }
    next = NextTime();
    const bool is_stopped = state_ == State::kStopped;
    lock.unlock();
    look(run_);
    const bool ends = run_.has_ended();
    if (!ends && !is_stopped) {
      run_.Prepare(next);
    }
    lock.lock();
    if (ends) {
      return End::kReached;
    }
    t_ = std::max(t_, run_.t());
  }
  return End::kStopped;
}

void LivePace::WaitFor(Duration due, std::unique_lock<std::mutex>& lock) {
  clock_.WaitUntil(std::min(due, clock_.now() + kLongestWait), lock, wake_);
}

// Carries out all due actions, in order, including those that they post.
void LivePace::DoPosted(std::unique_lock<std::mutex>& lock) {
  while (HasPosted()) {
    const auto act = acts_.extract(acts_.begin());
    ++num_done_;
    is_acting_ = true;
    lock.unlock();
    act.mapped()(run_);
    lock.lock();
    is_acting_ = false;
  }
}

bool LivePace::HasPosted() const {
  return !acts_.empty() && acts_.begin()->first <= t_;
}

// True if it has reached the time of the pause.
bool LivePace::IsHeld() const {
  return state_ == State::kPaused && t_ >= held_at_;
}

// An action before the next output time makes it earlier.
double LivePace::NextTime() const {
  double next = run_.next_time();
  if (!acts_.empty()) {
    next = std::min(next, acts_.begin()->first);
  }
  return state_ == State::kPaused ? std::min(next, held_at_) : next;
}

// The simulated time that the clock shows.
double LivePace::Shown() const {
  return pace_.has_begun() ? run_.start() + Seconds(pace_.Shown()).value : t_;
}

// The time of an action that is posted now.
double LivePace::ActsAt() const {
  if (state_ != State::kPaused) {
    return Shown();
  }
  return IsHeld() ? t_ : std::min(Shown(), held_at_);
}

// Actions for times up to `shown` take place at the time of the pause, since
// the run does not reach later times.
void LivePace::BringForward(double shown) {
  const auto begin = acts_.upper_bound(held_at_);
  const auto end = acts_.upper_bound(shown);
  std::vector<Act> acts;
  for (auto act = begin; act != end; ++act) {
    acts.push_back(std::move(act->second));
  }
  acts_.erase(begin, end);
  for (Act& act : acts) {
    acts_.emplace(held_at_, std::move(act));
  }
}

Duration LivePace::SinceStart(double t) const {
  return ToDuration(t - run_.start());
}

void LivePace::Post(Act act) {
  Post(std::move(act), run_.start());
}

void LivePace::Post(Act act, double time) {
  const std::lock_guard lock(mutex_);
  acts_.emplace(std::max(time, ActsAt()), std::move(act));
  wake_.notify_one();
}

void LivePace::Pause() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kRunning && can_pause_) {
    state_ = State::kPaused;
    const double shown = Shown();
    held_at_ = is_acting_ ? t_ : shown;
    BringForward(shown);
    wake_.notify_one();
  }
}

void LivePace::Resume() {
  const std::lock_guard lock(mutex_);
  GoOn();
}

void LivePace::LetGo() {
  const std::lock_guard lock(mutex_);
  can_pause_ = false;
  GoOn();
}

void LivePace::GoOn() {
  if (state_ == State::kPaused) {
    if (IsHeld()) {
      pace_.Anchor(SinceStart(t_));
    }
    state_ = State::kRunning;
    wake_.notify_one();
  }
}

bool LivePace::is_paused() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::kPaused;
}

double LivePace::factor() const {
  const std::lock_guard lock(mutex_);
  return pace_.factor();
}

void LivePace::SetFactor(double factor) {
  const std::lock_guard lock(mutex_);
  pace_.ChangeFactor(factor, SinceStart(Shown()));
  wake_.notify_one();
}

void LivePace::Stop() {
  const std::lock_guard lock(mutex_);
  state_ = State::kStopped;
  wake_.notify_one();
}

LagReport LivePace::report() const {
  const std::lock_guard lock(mutex_);
  LagReport report = pace_.report();
  report.injections = num_done_;
  return report;
}

}  // namespace orrery
