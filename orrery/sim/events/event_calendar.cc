#include "orrery/sim/events/event_calendar.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace orrery::sim::internal {
namespace {

// Computes the time of the next tick from its number.
void FindTick(EventState& state, std::size_t tick) {
  const ClockTimes& clock = state.events.ticks[tick].times;
  ClockTicks& times = state.calendar.clocks[tick];
  times.next = times.grid.At(times.index);
  if (clock.jitter) {
    times.next += clock.jitter(times.count);
  }
  if (!(times.next <= clock.end)) {
    times.next = std::numeric_limits<double>::infinity();
  }
}

}  // namespace

EventOutcome::Kind StartTicks(EventState& state, std::size_t tick, double t) {
  const Tick& clock = state.events.ticks[tick];
  const double start = state.evaluator.memory()[clock.start_slot];
  const double interval = state.evaluator.memory()[clock.interval_slot];
  constexpr double kMaxTicks = 0x1p52;  // More cannot be told apart.
  if (!(interval > 0 && std::isfinite(interval) && std::isfinite(start) &&
        std::abs(t - start) < kMaxTicks * interval)) {
    return EventOutcome::Kind::kBadInterval;
  }
  constexpr double kMostInRun = 1e10;  // Hours of computing.
  const double end = std::min(state.stop, clock.times.end);
  if (std::isfinite(end) && end - std::max(t, start) > kMostInRun * interval) {
    return EventOutcome::Kind::kTooManyTicks;
  }
  ClockTicks& times = state.calendar.clocks[tick];
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
  FindTick(state, tick);
  while (times.next < t) {
    ++times.index;
    FindTick(state, tick);
  }
  return EventOutcome::Kind::kDone;
}

bool RaiseTicks(EventState& state, double t, EventOutcome& outcome) {
  state.calendar.ticking = 0;
  for (std::size_t i = 0; i < state.calendar.clocks.size(); ++i) {
    ClockTicks& times = state.calendar.clocks[i];
    if (times.next > t) {
      continue;
    }
    state.evaluator.memory()[state.events.ticks[i].slot] = 1;
    state.calendar.ticking |= std::uint64_t{1} << (i % 64);
    state.notes.AddTick(i, t);
    ++times.index;
    ++times.count;
    FindTick(state, i);
    if (times.next <= t) {
      return outcome.End(EventOutcome::Kind::kBadJitter, i);
    }
  }
  return true;
}

bool LowerTicks(EventState& state) {
  bool any = false;
  for (const Tick& tick : state.events.ticks) {
    double& truth = state.evaluator.memory()[tick.slot];
    any = any || truth != 0;
    truth = 0;
  }
  return any;
}

std::size_t CountTicks(const EventState& state, double until) {
  double count = 0;
  for (const ClockTicks& times : state.calendar.clocks) {
    if (times.next <= until) {
      count += (until - times.next) / times.grid.step() + 1;
    }
  }
  constexpr double kMost = 1e9;
  return static_cast<std::size_t>(std::min(count, kMost));
}

void FindNextTime(EventState& state, double t) {
  state.next_time = std::numeric_limits<double>::infinity();
  for (const ClockTicks& times : state.calendar.clocks) {
    state.next_time = std::min(state.next_time, times.next);
  }
  for (const Threshold& threshold : state.events.thresholds) {
    const double time = state.evaluator.memory()[threshold.slot];
    if (time > t) {
      state.next_time = std::min(state.next_time, time);
    }
  }
}

void FindDueThresholds(EventState& state, double t) {
  state.due_thresholds.clear();
  for (std::size_t i = 0; i < state.events.thresholds.size(); ++i) {
    const Threshold& threshold = state.events.thresholds[i];
    if (threshold.event.empty() && !threshold.is_after &&
        state.evaluator.memory()[threshold.slot] == t) {
      state.due_thresholds.push_back(i);
    }
  }
}

void NoteMovedThresholds(EventState& state, double t) {
  for (const std::size_t i : state.due_thresholds) {
    if (state.evaluator.memory()[state.events.thresholds[i].slot] != t) {
      state.notes.AddThreshold(i, t);
    }
  }
}

void NoteThresholds(EventState& state, double t) {
  for (std::size_t i = 0; i < state.events.thresholds.size(); ++i) {
    const Threshold& threshold = state.events.thresholds[i];
    if (threshold.event.empty() &&
        state.evaluator.memory()[threshold.slot] == t &&
        !(threshold.is_after && t >= state.stop)) {
      state.notes.AddThreshold(i, t);
    }
  }
}

bool IsThreshold(const EventState& state, double t) {
  return std::ranges::any_of(
      state.events.thresholds, [&](const Threshold& threshold) {
        return state.evaluator.memory()[threshold.slot] == t;
      });
}

std::vector<std::vector<TimeTerm>> DueTimes(const EventState& state, double t) {
  std::vector<std::vector<TimeTerm>> due;
  for (const Threshold& threshold : state.events.thresholds) {
    if (std::as_const(state.evaluator).memory()[threshold.slot] == t) {
      due.push_back({{.slot = threshold.slot}});
    }
  }
  for (std::size_t i = 0; i < state.calendar.clocks.size(); ++i) {
    if (state.calendar.clocks[i].next <= t) {
      due.push_back(
          {{.slot = state.events.ticks[i].start_slot},
           {.slot = state.events.ticks[i].interval_slot,
            .factor = static_cast<double>(state.calendar.clocks[i].index)}});
    }
  }
  return due;
}

}  // namespace orrery::sim::internal
