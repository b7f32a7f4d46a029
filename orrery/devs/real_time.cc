#include "orrery/devs/real_time.h"

#include <algorithm>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/simulation/check_injection.h"

namespace orrery::devs {
namespace {

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
      keeps_arrivals_(options.keep_arrivals),
      pace_(run.root().Path(),
            clock,
            {.factor = options.factor,
             .max_lag = options.max_lag,
             .strict = options.strict}),
      reached_(run.now()),
      earliest_(run.now()) {}

bool RealTime::RunUntil(Duration end) {
  const Turn turn(is_running_, root_);
  std::unique_lock lock(mutex_);
  if (run_.now() != reached_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot pace " + root_.Path() + ": its run was left at t = " +
                    ToText(reached_) + " and is at t = " + ToText(run_.now()) +
                    "; make another RealTime where others have moved it");
  }
  if (!pace_.has_begun()) {
    pace_.Anchor(reached_);
  }
  while (!std::exchange(is_to_stop_, false)) {
    HandOver();
    const Duration next = run_.next_time();
    const Duration due = pace_.WallAt(std::min(next, end));
    const Duration wall = clock_.now();
    if (wall < due) {
      clock_.WaitUntil(due, lock, wake_);
    } else if (next > end) {
      Finish(end);
      return true;
    } else {
      RunInstant(next, wall - due, lock);
    }
  }
  return false;
}

void RealTime::RunInstant(Duration time,
                          Duration lag,
                          std::unique_lock<std::mutex>& lock) {
  pace_.Count(time, lag);
  // Messages that arrive while the instant is carried out come after it. So the
  // times of arrival suffice for a repetition.
  reached_ = time;
  earliest_ = time + Duration(1);
  lock.unlock();
  run_.Step();
  lock.lock();
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
  pace_.Anchor(reached_);
  wake_.notify_one();
}

Duration RealTime::now() const {
  const std::lock_guard lock(mutex_);
  return Shown();
}

Duration RealTime::Shown() const {
  return pace_.has_begun() ? pace_.Shown() : reached_;
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
    ++num_injections_;
    if (keeps_arrivals_) {
      kept_.push_back(std::move(message));
    }
    waiting_.pop_front();
  }
}

LagReport RealTime::report() const {
  const std::lock_guard lock(mutex_);
  LagReport report = pace_.report();
  report.injections = num_injections_;
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
