#include "orrery/sim/events/tick_course.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/sim/events/event_calendar.h"
#include "orrery/sim/events/event_iteration.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMostClocks = 64;  // With plans; bits of a set of them.
constexpr std::size_t kMostGroups = 64;
// Ticks of a group after which a plan has paid.
constexpr int kTicksBeforePlan = 50;

// True if the schedule may assign quantities whose change prolongs an event.
bool ScheduleSets(const EventState& state) {
  const auto is_set = [&state](std::uint32_t slot) {
    return std::ranges::any_of(state.events.pre, [slot](const PreValues& pre) {
      return slot >= pre.of_slot && slot - pre.of_slot < pre.count;
    });
  };
  const auto sets = [&](const Tape::Instruction& i) {
    const bool is_plain = IsElementwise(i.op) || i.op == TapeOp::kCopy;
    return i.op != TapeOp::kReturn && (!is_plain || is_set(i.target));
  };
  return std::ranges::any_of(
      state.events.schedule, [&](const ScheduleStep& step) {
        return std::ranges::any_of(state.program.tape->CodeOf(step.index),
                                   sets);
      });
}

std::optional<TickPlan> MakePlan(const EventState& state,
                                 std::uint64_t clocks) {
  std::vector<std::size_t> ticking;
  for (std::size_t i = 0; i < state.calendar.clocks.size(); ++i) {
    if ((clocks >> i & 1U) != 0) {
      ticking.push_back(i);
    }
  }
  std::optional<TickPlan> plan = PlanTicks(state.program, ticking);
  return plan && plan->num_microsteps <= state.max_microsteps ? std::move(plan)
                                                              : std::nullopt;
}

// The plan for the clocks that tick; null: there is none, or none yet.
const TickPlan* FindPlan(EventState& state) {
  const auto is_it = [&state](const TickGroup& group) {
    return group.clocks == state.calendar.ticking;
  };
  if (state.courses.last_group == state.courses.groups.size() ||
      !is_it(state.courses.groups[state.courses.last_group])) {
    const auto found = std::ranges::find_if(state.courses.groups, is_it);
    state.courses.last_group =
        static_cast<std::size_t>(found - state.courses.groups.begin());
    if (found == state.courses.groups.end()) {
      if (state.calendar.clocks.size() > kMostClocks ||
          state.courses.last_group == kMostGroups) {
        return nullptr;
      }
      state.courses.groups.push_back({.clocks = state.calendar.ticking});
    }
  }
  TickGroup& group = state.courses.groups[state.courses.last_group];
  if (group.count < kTicksBeforePlan && ++group.count == kTicksBeforePlan) {
    group.plan = MakePlan(state, group.clocks);
  }
  return group.plan ? &*group.plan : nullptr;
}

// As `RunHandler`.
// @param num_not_finite counts moved values that are not finite.
std::optional<Failure> RunAction(EventState& state,
                                 const TickPlan::Action& action,
                                 int& num_not_finite) {
  if (action.moves.empty()) {
    return RunHandler(state, action.handler);
  }
  const std::optional<std::size_t> section =
      state.events.handlers[action.handler].section;
  if (section) {
    if (auto failure = state.evaluator.RunSection(*section)) {
      return failure;
    }
  }
  double* const memory = state.evaluator.memory().data();
  for (const auto& [from, to, previous, sign] : action.moves) {
    const double value = sign * memory[from];
    memory[to] = value;
    memory[previous] = value;
    num_not_finite += std::isfinite(value) ? 0 : 1;
  }
  return std::nullopt;
}

bool RunSchedule(EventState& state, EventOutcome& outcome) {
  for (const ScheduleStep& step : state.events.schedule) {
    if (const auto failure = state.evaluator.RunSection(step.index)) {
      return FailEvent(state, *failure, outcome);
    }
  }
  return true;
}

// As `IterateTicks`, without what changes nothing.
bool RunPlan(EventState& state, const TickPlan& plan, EventOutcome& outcome) {
  int num_not_finite = 0;
  for (const TickPlan::Stage& stage : plan.stages) {
    CopyPre(state, stage.pre);
    if (stage.runs_schedule && !RunSchedule(state, outcome)) {
      return false;
    }
    double* const memory = state.evaluator.memory().data();
    for (const TickPlan::Constant& constant : stage.constants) {
      memory[constant.slot] = constant.value;
    }
    for (const std::size_t k : stage.named) {
      state.notes.AddNamed(k, state.evaluator.t());
    }
    for (const TickPlan::Action& action : stage.actions) {
      if (const auto failure = RunAction(state, action, num_not_finite)) {
        return FailEvent(state, *failure, outcome);
      }
    }
    if (&stage == plan.stages.data()) {
      static_cast<void>(LowerTicks(state));
    }
  }
  outcome.leaves_finite = plan.only_moves && num_not_finite == 0;
  return true;
}

// As `IterateMicrosteps`.
bool IterateTicks(EventState& state, EventOutcome& outcome) {
  if (!state.courses.schedule_sets) {
    state.courses.schedule_sets = ScheduleSets(state);
  }
  bool goes_on = true;
  for (int i = 0; goes_on;) {
    i += state.handlers.num_due == 0 ? 1 : 0;
    if (i > state.max_microsteps) {
      return outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    CopyPre(state, state.events.pre);
    if (!RunSchedule(state, outcome)) {
      return false;
    }
    const double* const memory = state.evaluator.memory().data();
    for (std::size_t k = 0; k < state.named_conditions.size(); ++k) {
      if (memory[state.named_conditions[k]] != 0) {
        state.notes.AddNamed(k, state.evaluator.t());
      }
    }
    QueueHandlers(state);
    const bool has_due = state.handlers.num_due > 0;
    if (has_due && !RunHandlers(state, outcome)) {
      return false;
    }
    const bool had_ticks = LowerTicks(state);
    goes_on = has_due || had_ticks ||
              (*state.courses.schedule_sets &&
               HasPreChanged(state, state.events.pre));
  }
  return true;
}

}  // namespace

bool HasOnlyTicks(const EventState& state) {
  const auto is_section = [](const ScheduleStep& step) {
    return step.kind == ScheduleStep::Kind::kSection;
  };
  return !state.events.ticks.empty() && state.events.relations.empty() &&
         state.events.thresholds.empty() && state.events.resets.empty() &&
         state.events.checks.empty() && state.events.iterates.empty() &&
         state.events.held_slots.empty() && state.program.blocks.empty() &&
         state.handlers.of_each_event.empty() && state.program.delays.empty() &&
         std::ranges::all_of(state.events.schedule, is_section);
}

EventOutcome RunTickEvent(EventState& state, double t) {
  state.set_slots.clear();
  state.last_time = t;
  state.evaluator.memory()[state.events.after_slot] = 0;
  EventOutcome outcome;
  if (!RaiseTicks(state, t, outcome)) {
    return outcome;
  }
  const TickPlan* const plan = FindPlan(state);
  if (plan != nullptr ? RunPlan(state, *plan, outcome)
                      : IterateTicks(state, outcome)) {
    FindNextTime(state, t);
  }
  return outcome;
}

}  // namespace orrery::sim::internal
