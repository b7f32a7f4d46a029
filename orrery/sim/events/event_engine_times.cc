// Events at known times: ticks of clocks, and thresholds of time.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {

EventOutcome::Kind EventEngine::StartTicks(std::size_t tick, double t) {
  const Tick& clock = events_.ticks[tick];
  const double start = machine_.memory()[clock.start_slot];
  const double interval = machine_.memory()[clock.interval_slot];
  constexpr double kMaxTicks = 0x1p52;  // More cannot be told apart.
  if (!(interval > 0 && std::isfinite(interval) && std::isfinite(start) &&
        std::abs(t - start) < kMaxTicks * interval)) {
    return EventOutcome::Kind::kBadInterval;
  }
  constexpr double kMostInRun = 1e10;  // Hours of computing.
  const double end = std::min(stop_, clock.times.end);
  if (std::isfinite(end) && end - std::max(t, start) > kMostInRun * interval) {
    return EventOutcome::Kind::kTooManyTicks;
  }
  TickTimes& times = ticks_[tick];
  times.grid = DecimalGrid(start, interval);
  const std::int64_t first = clock.times.runs_before_start
                                 ? std::numeric_limits<std::int64_t>::min()
                                 : 0;
  const auto passed =
      static_cast<std::int64_t>(std::floor((t - start) / interval));
  times.index = std::max(passed, first);
  while (times.index > first && times.grid.At(times.index - 1) >= t) {
    --times.index;
  }
  FindTick(tick);
  while (times.next < t) {
    ++times.index;
    FindTick(tick);
  }
  return EventOutcome::Kind::kDone;
}

// Computes the time of the next tick from its number.
void EventEngine::FindTick(std::size_t tick) {
  const ClockTimes& clock = events_.ticks[tick].times;
  TickTimes& times = ticks_[tick];
  times.next = times.grid.At(times.index);
  if (clock.jitter) {
    times.next += clock.jitter(times.count);
  }
  if (!(times.next <= clock.end)) {
    times.next = std::numeric_limits<double>::infinity();
  }
}

bool EventEngine::RaiseTicks(double t, EventOutcome& outcome) {
  ticking_ = 0;
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    TickTimes& times = ticks_[i];
    if (times.next > t) {
      continue;
    }
    machine_.memory()[events_.ticks[i].slot] = 1;
    ticking_ |= std::uint64_t{1} << (i % 64);
    notes_.AddTick(i, t);
    ++times.index;
    ++times.count;
    FindTick(i);
    if (times.next <= t) {
      return outcome.End(EventOutcome::Kind::kBadJitter, i);
    }
  }
  return true;
}

bool EventEngine::LowerTicks() {
  bool any = false;
  for (const Tick& tick : events_.ticks) {
    double& truth = machine_.memory()[tick.slot];
    any = any || truth != 0;
    truth = 0;
  }
  return any;
}

void EventEngine::FindNextTime(double t) {
  next_time_ = std::numeric_limits<double>::infinity();
  for (const TickTimes& times : ticks_) {
    next_time_ = std::min(next_time_, times.next);
  }
  for (const Threshold& threshold : events_.thresholds) {
    const double time = machine_.memory()[threshold.slot];
    if (time > t) {
      next_time_ = std::min(next_time_, time);
    }
  }
}

void EventEngine::FindDueThresholds(double t) {
  due_thresholds_.clear();
  for (std::size_t i = 0; i < events_.thresholds.size(); ++i) {
    const Threshold& threshold = events_.thresholds[i];
    if (threshold.event.empty() && !threshold.is_after &&
        machine_.memory()[threshold.slot] == t) {
      due_thresholds_.push_back(i);
    }
  }
}

// Notes due thresholds that the event has moved, as one that moves its next
// time.
void EventEngine::NoteMovedThresholds(double t) {
  for (const std::size_t i : due_thresholds_) {
    if (machine_.memory()[events_.thresholds[i].slot] != t) {
      notes_.AddThreshold(i, t);
    }
  }
}

// Notes thresholds that are reached, without changes just after the run's end.
void EventEngine::NoteThresholds(double t) {
  for (std::size_t i = 0; i < events_.thresholds.size(); ++i) {
    const Threshold& threshold = events_.thresholds[i];
    if (threshold.event.empty() && machine_.memory()[threshold.slot] == t &&
        !(threshold.is_after && t >= stop_)) {
      notes_.AddThreshold(i, t);
    }
  }
}

bool EventEngine::IsThreshold(double t) const {
  return std::ranges::any_of(events_.thresholds,
                             [&](const Threshold& threshold) {
                               return machine_.memory()[threshold.slot] == t;
                             });
}

std::vector<std::vector<EventEngine::TimeTerm>> EventEngine::DueTimes(
    double t) const {
  std::vector<std::vector<TimeTerm>> due;
  for (const Threshold& threshold : events_.thresholds) {
    if (std::as_const(machine_).memory()[threshold.slot] == t) {
      due.push_back({{.slot = threshold.slot}});
    }
  }
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    if (ticks_[i].next <= t) {
      due.push_back({{.slot = events_.ticks[i].start_slot},
                     {.slot = events_.ticks[i].interval_slot,
                      .factor = static_cast<double>(ticks_[i].index)}});
    }
  }
  return due;
}

}  // namespace orrery::internal
