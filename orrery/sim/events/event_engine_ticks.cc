// The events of runs in which only clocks make events: the relevant part of
// `EventEngine::Run`, in the same order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {

bool EventEngine::HasOnlyTicks() const {
  const auto is_section = [](const ScheduleStep& step) {
    return step.kind == ScheduleStep::Kind::kSection;
  };
  return !events_.ticks.empty() && events_.relations.empty() &&
         events_.thresholds.empty() && events_.resets.empty() &&
         events_.checks.empty() && events_.iterates.empty() &&
         events_.held_slots.empty() && program_.blocks.empty() &&
         program_.delays.empty() &&
         std::ranges::all_of(events_.schedule, is_section);
}

// True if the schedule may assign quantities whose change prolongs an event.
bool EventEngine::ScheduleSets() const {
  const auto is_set = [this](std::uint32_t slot) {
    return std::ranges::any_of(events_.pre, [slot](const PreValues& pre) {
      return slot >= pre.of_slot && slot - pre.of_slot < pre.count;
    });
  };
  const auto sets = [&](const Tape::Instruction& i) {
    const bool is_plain = IsElementwise(i.op) || i.op == TapeOp::kCopy;
    return i.op != TapeOp::kReturn && (!is_plain || is_set(i.target));
  };
  return std::ranges::any_of(events_.schedule, [&](const ScheduleStep& step) {
    return std::ranges::any_of(program_.tape->CodeOf(step.index), sets);
  });
}

EventOutcome EventEngine::RunTicks(double t) {
  if (!schedule_sets_) {
    schedule_sets_ = ScheduleSets();
  }
  set_slots_.clear();
  last_time_ = t;
  machine_.memory()[events_.after_slot] = 0;
  EventOutcome outcome;
  if (RaiseTicks(t, outcome) && IterateTicks(outcome)) {
    next_time_ = std::numeric_limits<double>::infinity();
    for (const TickTimes& times : ticks_) {
      next_time_ = std::min(next_time_, times.next);
    }
  }
  return outcome;
}

// As `Iterate`.
bool EventEngine::IterateTicks(EventOutcome& outcome) {
  bool goes_on = true;
  for (int i = 0; goes_on;) {
    i += num_due_ == 0 ? 1 : 0;
    if (i > max_microsteps_) {
      return outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    TakePre(events_.pre);
    for (const ScheduleStep& step : events_.schedule) {
      if (const auto failure = machine_.RunSection(step.index)) {
        return Fail(*failure, outcome);
      }
    }
    const double* const memory = machine_.memory().data();
    for (std::size_t k = 0; k < named_conditions_.size(); ++k) {
      if (memory[named_conditions_[k]] != 0) {
        notes_.AddNamed(k, machine_.t());
      }
    }
    QueueHandlers();
    const bool has_due = num_due_ > 0;
    if (has_due && !RunHandlers(outcome)) {
      return false;
    }
    const bool had_ticks = LowerTicks();
    goes_on =
        has_due || had_ticks || (*schedule_sets_ && HasChanged(events_.pre));
  }
  return true;
}

std::size_t EventEngine::CountTicks(double until) const {
  double count = 0;
  for (const TickTimes& times : ticks_) {
    if (times.next <= until) {
      count += (until - times.next) / times.grid.step() + 1;
    }
  }
  constexpr double kMost = 1e9;
  return static_cast<std::size_t>(std::min(count, kMost));
}

}  // namespace orrery::internal
