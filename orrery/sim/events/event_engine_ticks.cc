// The events of runs in which only clocks make events: the relevant part of
// `EventEngine::Run`, in the same order.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {
namespace {

constexpr std::size_t kMostClocks = 64;  // With plans; bits of a set of them.
constexpr std::size_t kMostGroups = 64;
// Ticks of a group after which a plan has paid.
constexpr int kTicksBeforePlan = 50;

}  // namespace

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
  set_slots_.clear();
  last_time_ = t;
  machine_.memory()[events_.after_slot] = 0;
  EventOutcome outcome;
  if (!RaiseTicks(t, outcome)) {
    return outcome;
  }
  const TickPlan* const plan = FindPlan();
  if (plan != nullptr ? RunPlan(*plan, outcome) : IterateTicks(outcome)) {
    next_time_ = std::numeric_limits<double>::infinity();
    for (const TickTimes& times : ticks_) {
      next_time_ = std::min(next_time_, times.next);
    }
  }
  return outcome;
}

// The plan for the clocks that tick; null: there is none, or none yet.
const TickPlan* EventEngine::FindPlan() {
  const auto is_it = [this](const TickGroup& group) {
    return group.clocks == ticking_;
  };
  if (last_group_ == tick_groups_.size() || !is_it(tick_groups_[last_group_])) {
    const auto found = std::ranges::find_if(tick_groups_, is_it);
    last_group_ = static_cast<std::size_t>(found - tick_groups_.begin());
    if (found == tick_groups_.end()) {
      if (ticks_.size() > kMostClocks || last_group_ == kMostGroups) {
        return nullptr;
      }
      tick_groups_.push_back({.clocks = ticking_});
    }
  }
  TickGroup& group = tick_groups_[last_group_];
  if (group.count < kTicksBeforePlan && ++group.count == kTicksBeforePlan) {
    group.plan = MakePlan(group.clocks);
  }
  return group.plan ? &*group.plan : nullptr;
}

std::optional<TickPlan> EventEngine::MakePlan(std::uint64_t clocks) const {
  std::vector<std::size_t> ticking;
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    if ((clocks >> i & 1U) != 0) {
      ticking.push_back(i);
    }
  }
  std::optional<TickPlan> plan = PlanTicks(program_, ticking);
  return plan && plan->num_microsteps <= max_microsteps_ ? std::move(plan)
                                                         : std::nullopt;
}

// As `IterateTicks`, without what changes nothing.
bool EventEngine::RunPlan(const TickPlan& plan, EventOutcome& outcome) {
  int num_not_finite = 0;
  for (const TickPlan::Stage& stage : plan.stages) {
    TakePre(stage.pre);
    if (stage.runs_schedule && !RunSchedule(outcome)) {
      return false;
    }
    double* const memory = machine_.memory().data();
    for (const TickPlan::Constant& constant : stage.constants) {
      memory[constant.slot] = constant.value;
    }
    for (const std::size_t k : stage.named) {
      notes_.AddNamed(k, machine_.t());
    }
    for (const TickPlan::Action& action : stage.actions) {
      if (const auto failure = RunAction(action, num_not_finite)) {
        return Fail(*failure, outcome);
      }
    }
    if (&stage == plan.stages.data()) {
      static_cast<void>(LowerTicks());
    }
  }
  outcome.leaves_finite = plan.only_moves && num_not_finite == 0;
  return true;
}

// As `RunHandler`.
// @param num_not_finite counts moved values that are not finite.
std::optional<Failure> EventEngine::RunAction(const TickPlan::Action& action,
                                              int& num_not_finite) {
  if (action.moves.empty()) {
    return RunHandler(action.handler);
  }
  const std::optional<std::size_t> section =
      events_.handlers[action.handler].section;
  if (section) {
    if (auto failure = machine_.RunSection(*section)) {
      return failure;
    }
  }
  double* const memory = machine_.memory().data();
  for (const auto& [from, to, previous, sign] : action.moves) {
    const double value = sign * memory[from];
    memory[to] = value;
    memory[previous] = value;
    num_not_finite += std::isfinite(value) ? 0 : 1;
  }
  return std::nullopt;
}

bool EventEngine::RunSchedule(EventOutcome& outcome) {
  for (const ScheduleStep& step : events_.schedule) {
    if (const auto failure = machine_.RunSection(step.index)) {
      return Fail(*failure, outcome);
    }
  }
  return true;
}

// As `Iterate`.
bool EventEngine::IterateTicks(EventOutcome& outcome) {
  if (!schedule_sets_) {
    schedule_sets_ = ScheduleSets();
  }
  bool goes_on = true;
  for (int i = 0; goes_on;) {
    i += num_due_ == 0 ? 1 : 0;
    if (i > max_microsteps_) {
      return outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    TakePre(events_.pre);
    if (!RunSchedule(outcome)) {
      return false;
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
