#include "orrery/devs/real_time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/number_text.h"
#include "orrery/devs/internal/check_injection.h"

namespace orrery::devs {
namespace {

// With 64 bits every product and quotient of 63 bits that is a whole number is
// exact, and others are off by less than half a nanosecond more than need be.
static_assert(std::numeric_limits<long double>::digits >= 64);

Duration Rounded(long double ticks) {
  return ticks < 0x1p63L ? Duration(std::llround(ticks)) : Duration::max();
}

// Is held while a run is in RunUntil.
class Turn {
 public:
  Turn(std::atomic<bool>& is_taken, const Coupled& root) : is_taken_(is_taken) {
    if (is_taken_.exchange(true)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot run " + root.Path() +
                      ": it is in RunUntil already; wait until that returns, "
                      "or stop it");
    }
  }

  ~Turn() { is_taken_ = false; }

  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& is_taken_;
};

}  // namespace

RealTime::RealTime(Simulator& run, WallClock& clock, RealTimeOptions options)
    : run_(run),
      clock_(clock),
      root_(run.root()),
      options_(options),
      reached_(run.now()),
      earliest_(run.now()) {
  if (!(options_.factor > 0) || !std::isfinite(options_.factor)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + root_.Path() + " by the factor " +
                    ShortestText(options_.factor) +
                    ": it is the wall seconds of a simulated one; give a "
                    "finite number above zero, as 1 for real time");
  }
  if (options_.max_lag < Duration::zero()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + root_.Path() + " with a max_lag of " +
                    ToText(options_.max_lag) +
                    ": nothing begins before its time; give 0 s or more");
  }
}

bool RealTime::RunUntil(Duration end) {
  const Turn turn(is_running_, root_);
  std::unique_lock lock(mutex_);
  if (run_.now() != reached_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + root_.Path() + ": its run was left at t = " +
                    ToText(reached_) + " and is at t = " + ToText(run_.now()) +
                    "; make another RealTime where others have moved it");
  }
  if (!has_begun_) {
    Anchor();
  }
  while (!std::exchange(is_to_stop_, false)) {
    HandOver();
    const Duration next = run_.next_time();
    const Duration due = WallAt(std::min(next, end));
    const Duration wall = clock_.now();
    if (wall < due) {
      clock_.WaitUntil(due, lock, wake_);
    } else if (next > end) {
      Finish(end);
      return true;
    } else {
      CarryOut(next, wall - due, lock);
    }
  }
  return false;
}

void RealTime::CarryOut(Duration time,
                        Duration lag,
                        std::unique_lock<std::mutex>& lock) {
  CheckLag(time, lag);
  ++report_.instants;
  report_.late += lag > options_.max_lag ? 1 : 0;
  sum_of_lags_ += static_cast<double>(lag.count());
  if (lag > report_.max) {
    report_.max = lag;
    report_.max_at = time;
  }
  // What arrives while the instant is carried out comes after it: only so do
  // the times of arrival say all that a repetition needs.
  reached_ = time;
  earliest_ = time + Duration(1);
  lock.unlock();
  run_.Step();
  lock.lock();
}

void RealTime::CheckLag(Duration time, Duration lag) const {
  if (options_.strict && lag > options_.max_lag) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot keep pace with the clock in " + root_.Path() +
                    " at t = " + ToText(time) + ": it is " + ToText(lag) +
                    " behind, and max_lag is " + ToText(options_.max_lag) +
                    "; give a larger factor or max_lag, or do not be strict");
  }
}

void RealTime::Finish(Duration end) {
  if (end >= reached_) {
    run_.RunUntil(end);
    reached_ = end;
    earliest_ = end + Duration(1);
  }
}

void RealTime::Stop() {
  const std::lock_guard lock(mutex_);
  is_to_stop_ = true;
  wake_.notify_one();
}

void RealTime::Synchronize() {
  const std::lock_guard lock(mutex_);
  Anchor();
  wake_.notify_one();
}

void RealTime::Anchor() {
  has_begun_ = true;
  begin_ = reached_;
  wall_begin_ = clock_.now();
}

Duration RealTime::now() const {
  const std::lock_guard lock(mutex_);
  return Shown();
}

Duration RealTime::WallAt(Duration simulated) const {
  if (simulated == kPassive) {
    return Duration::max();
  }
  const auto since =
      static_cast<long double>(std::max(simulated - begin_, {}).count());
  const Duration wall =
      Rounded(since * static_cast<long double>(options_.factor));
  return wall < Duration::max() - wall_begin_ ? wall_begin_ + wall
                                              : Duration::max();
}

Duration RealTime::Shown() const {
  if (!has_begun_) {
    return reached_;
  }
  const auto since =
      static_cast<long double>((clock_.now() - wall_begin_).count());
  const Duration simulated =
      Rounded(since / static_cast<long double>(options_.factor));
  return simulated < kPassive - begin_ ? begin_ + simulated : kPassive;
}

// Messages --------------------------------------------------------------------

Duration RealTime::Accept(const Port& port,
                          std::optional<Duration> at,
                          Send send) {
  const std::lock_guard lock(mutex_);
  const Duration time = at.value_or(std::max(Shown(), earliest_));
  internal::CheckEntry(root_, port, time);
  if (time < earliest_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot inject into " + port.Path() + " at t = " +
                    ToText(time) + ": the run is at t = " + ToText(reached_) +
                    "; give a later time, or none for as soon as can be");
  }
  waiting_.push_back(
      {.arrival = {.port = &port, .time = time}, .send = std::move(send)});
  wake_.notify_one();
  return time;
}

void RealTime::HandOver() {
  while (!waiting_.empty()) {
    Message& message = waiting_.front();
    message.send(run_, message.arrival.time);
    ++report_.injections;
    if (options_.keep_arrivals) {
      kept_.push_back(std::move(message));
    }
    waiting_.pop_front();
  }
}

LagReport RealTime::report() const {
  const std::lock_guard lock(mutex_);
  LagReport report = report_;
  if (report.instants > 0) {
    report.mean = Duration(
        std::llround(sum_of_lags_ / static_cast<double>(report.instants)));
  }
  return report;
}

std::vector<Arrival> RealTime::arrivals() const {
  const std::lock_guard lock(mutex_);
  std::vector<Arrival> arrivals;
  for (const Message& message : kept_) {
    arrivals.push_back(message.arrival);
  }
  return arrivals;
}

void RealTime::Repeat(Simulator& run) const {
  const std::lock_guard lock(mutex_);
  for (const Message& message : kept_) {
    message.send(run, message.arrival.time);
  }
}

}  // namespace orrery::devs
