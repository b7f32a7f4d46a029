#include "orrery/sdk/live_pace.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/duration.h"

namespace orrery {
namespace {

// How long nobody is asked whether to go on.
constexpr Duration kLongestWait = std::chrono::milliseconds(100);

constexpr double kAtOnce = -std::numeric_limits<double>::infinity();

}  // namespace

LivePace::LivePace(LiveRun& run, WallClock& clock, const PaceOptions& options)
    : run_(run),
      clock_(clock),
      pace_(run.program().name, clock, options),
      t_(run.t()) {}

LivePace::End LivePace::RunToEnd(
    const std::function<void(const LiveRun&)>& look,
    const std::function<bool()>& goes_on) {
  std::unique_lock lock(mutex_);
  pace_.Anchor(Elapsed());
  while (state_ != State::kStopped) {
    if (goes_on && !goes_on()) {
      return End::kGivenUp;
    }
    if (state_ == State::kPaused) {
      DoPosted(lock);
      if (state_ == State::kPaused && !HasPosted()) {
        WaitFor(Duration::max(), lock);
      }
      continue;
    }
    const Duration due = pace_.WallAt(Elapsed());
    const Duration wall = clock_.now();
    if (wall < due) {
      WaitFor(due, lock);
      continue;
    }
    pace_.Count(ToDuration(t_), wall - due);
    DoPosted(lock);
    if (state_ == State::kPaused) {
      continue;
    }
    const double next = NextTime();
    const bool is_stopped = state_ == State::kStopped;
    lock.unlock();
    look(run_);
    const bool ends = run_.has_ended();
    if (!ends && !is_stopped) {
      run_.GoOnTo(next);
    }
    lock.lock();
    t_ = run_.t();
    if (ends) {
      return End::kReached;
    }
  }
  return End::kStopped;
}

void LivePace::WaitFor(Duration due, std::unique_lock<std::mutex>& lock) {
  clock_.WaitUntil(std::min(due, clock_.now() + kLongestWait), lock, wake_);
}

// All that is due, in order; also what is posted meanwhile.
void LivePace::DoPosted(std::unique_lock<std::mutex>& lock) {
  while (HasPosted()) {
    const auto act = acts_.extract(acts_.begin());
    ++num_done_;
    lock.unlock();
    act.mapped()(run_);
    lock.lock();
  }
}

bool LivePace::HasPosted() const {
  return !acts_.empty() && acts_.begin()->first <= t_;
}

// What was posted for a time before the next period brings it forward.
double LivePace::NextTime() const {
  return acts_.empty() ? run_.next_time()
                       : std::min(acts_.begin()->first, run_.next_time());
}

// The simulated time since the start.
Duration LivePace::Elapsed() const {
  return ToDuration(t_ - run_.start());
}

void LivePace::Post(Act act) {
  Post(std::move(act), kAtOnce);
}

void LivePace::Post(Act act, double time) {
  const std::lock_guard lock(mutex_);
  acts_.emplace(time, std::move(act));
  wake_.notify_one();
}

void LivePace::Pause() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kRunning) {
    state_ = State::kPaused;
    wake_.notify_one();
  }
}

void LivePace::Resume() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kPaused) {
    state_ = State::kRunning;
    pace_.Anchor(Elapsed());
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
  pace_.ChangeFactor(factor, pace_.has_begun() ? pace_.Shown() : Elapsed());
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
