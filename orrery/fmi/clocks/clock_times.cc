#include "orrery/fmi/clocks/clock_times.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi {
namespace {

bool IsPeriodic(IntervalVariability kind) {
  return kind <= IntervalVariability::kTunable;
}

// Of a fraction and a number the fraction counts: it is exact.
ClockSpan SpanIn(const ClockTiming& timing,
                 std::uint64_t counter,
                 double seconds) {
  return timing.resolution != 0 && timing.interval_counter != 0
             ? FractionSpan(counter, timing.resolution)
             : ClockSpan{.seconds = seconds};
}

}  // namespace

std::vector<InputClock> InputClocksOf(const Description& description,
                                      const std::string& name) {
  std::vector<InputClock> clocks;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.clock == nullptr || variable.alias_of ||
        variable.causality != Causality::kInput) {
      continue;
    }
    const ClockTiming& timing = *variable.clock;
    InputClock clock{.variable = static_cast<VariableIndex>(i),
                     .kind = timing.variability,
                     .priority = timing.priority.value_or(0),
                     .tells_period = TellsPeriod(timing),
                     .shift = {},
                     .interval = {},
                     .ticks = {}};
    if (IsPeriodic(clock.kind) && !clock.tells_period) {
      clock.shift = SpanIn(timing, timing.shift_counter, timing.shift);
      clock.interval =
          SpanIn(timing, timing.interval_counter, timing.interval.value_or(0));
      if (!(clock.interval.seconds > 0)) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("cannot run {}: clock '{}' has no interval",
                                name,
                                variable.name));
      }
    }
    clocks.push_back(std::move(clock));
  }
  std::ranges::stable_sort(clocks, {}, &InputClock::priority);
  return clocks;
}

std::shared_ptr<const Table> TakeTicks(
    const Description& description,
    const std::shared_ptr<const Table>& table,
    double start,
    std::vector<InputClock>& clocks) {
  const std::vector<double>& times = table->times().values;
  std::vector<TableColumn> columns;
  for (const TableColumn& column : table->columns()) {
    const auto clock = std::ranges::find_if(clocks, [&](const InputClock& its) {
      return description.variables[its.variable].name == column.name;
    });
    if (clock == clocks.end()) {
      columns.push_back(column);
      continue;
    }
    if (clock->kind != IntervalVariability::kTriggered) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take '{}' of {} as an input: the clock "
                              "ticks by itself",
                              column.name,
                              table->name()));
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (column.values[i] == 1 && times[i] >= start) {
        clock->ticks.push_back(times[i]);
      }
    }
  }
  return columns.size() > 1
             ? std::make_shared<const Table>(table->name(), std::move(columns))
             : nullptr;
}

ClockTimes::ClockTimes(const Description& description,
                       std::span<const InputClock> clocks)
    : description_(description), clocks_(clocks), states_(clocks.size()) {}

void ClockTimes::Start(double t, ClockCalls& calls) {
  std::ranges::fill(states_, State{});
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    const InputClock& clock = clocks_[i];
    if (IsPeriodic(clock.kind)) {
      StartPeriod(i, t, calls);
    }
    if (IsPeriodic(clock.kind) ||
        clock.kind == IntervalVariability::kTriggered) {
      states_[i].due = DueAfter(i);
    }
  }
  Ask(t, std::vector<std::uint8_t>(clocks_.size(), 1), calls);
}

void ClockTimes::StartPeriod(std::size_t clock, double t, ClockCalls& calls) {
  State& state = states_[clock];
  state.origin = t;
  state.shift = clocks_[clock].shift;
  state.interval = clocks_[clock].interval;
  if (clocks_[clock].tells_period) {
    state.interval = calls.IntervalOf(VariableOf(clock)).span;
    state.shift = calls.ShiftOf(VariableOf(clock));
    CheckInterval(clock, t, state.interval, /*is_positive=*/true);
    CheckInterval(clock, t, state.shift, /*is_positive=*/false);
  }
}

double ClockTimes::next() const noexcept {
  const auto first = std::ranges::min_element(states_, {}, &State::due);
  return first == states_.end() ? kNever : first->due;
}

void ClockTimes::Take(std::size_t clock) {
  ++states_[clock].count;
  states_[clock].due = DueAfter(clock);
}

// Others than periodic and triggered ones are told by the FMU.
double ClockTimes::DueAfter(std::size_t clock) const {
  const InputClock& its = clocks_[clock];
  const State& state = states_[clock];
  if (its.kind == IntervalVariability::kTriggered) {
    return state.count < its.ticks.size() ? its.ticks[state.count] : kNever;
  }
  return IsPeriodic(its.kind)
             ? state.origin + SpanOver(state.shift, state.count, state.interval)
             : kNever;
}

void ClockTimes::Ask(double t,
                     std::span<const std::uint8_t> is_after_tick,
                     ClockCalls& calls) {
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    const InputClock& clock = clocks_[i];
    const bool may_change =
        clock.kind == IntervalVariability::kCountdown ||
        (clock.kind == IntervalVariability::kChanging &&
         is_after_tick[i] != 0) ||
        (clock.kind == IntervalVariability::kTunable && clock.tells_period);
    if (!may_change) {
      continue;
    }
    const ClockInterval its = calls.IntervalOf(VariableOf(i));
    State& state = states_[i];
    const bool is_tunable = clock.kind == IntervalVariability::kTunable;
    const bool is_new =
        its.state == ClockInterval::State::kChanged &&
        (!is_tunable || its.span.seconds != state.interval.seconds);
    if (!is_new) {
      continue;
    }
    CheckInterval(i, t, its.span, is_tunable);
    // An interval counts from now on.
    state = {.origin = t,
             .shift = {},
             .interval = its.span,
             .count = 1,
             .due = t + its.span.seconds};
  }
}

void ClockTimes::CheckInterval(std::size_t clock,
                               double t,
                               const ClockSpan& interval,
                               bool is_positive) const {
  const bool is_right =
      is_positive ? interval.seconds > 0 : interval.seconds >= 0;
  if (!is_right || !std::isfinite(interval.seconds)) {
    throw CallFailure(
        fmt::format("at t = {} s, the interval of clock '{}' is {} s",
                    t,
                    VariableOf(clock).name,
                    interval.seconds),
        CallStatus::kError);
  }
}

}  // namespace orrery::fmi
