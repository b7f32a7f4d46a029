#include "orrery/sim/events/event_iteration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "orrery/sim/events/chattering.h"
#include "orrery/sim/events/event_calendar.h"
#include "orrery/sim/events/event_case_search.h"
#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/events/relation_values.h"
#include "orrery/sim/events/start_search.h"

namespace orrery::sim::internal {
namespace {

// After this many ties in one event, no more microsteps follow from it.
constexpr int kMostTies = 4;

// Reads all values before the first state is reset.
// @returns true if a state is reset.
bool MakeResets(EventState& state, EventOutcome& outcome) {
  const std::span<const double> memory =
      std::as_const(state.evaluator).memory();
  const std::size_t stride = state.evaluator.NumbersRead();
  const auto for_due = [&](const auto& act) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < state.events.resets.size(); ++i) {
      if (memory[state.events.resets[i].condition_slot] != 0) {
        act(i, next);
        next += stride;
      }
    }
  };
  state.values.resize(state.events.resets.size() * stride);
  const std::span<double> values(state.values);
  bool is_due = false;
  for_due([&](std::size_t i, std::size_t next) {
    state.evaluator.Read(state.events.resets[i].value_slot,
                         values.subspan(next, stride));
    is_due = true;
  });
  if (!is_due) {
    return false;
  }
  for_due([&](std::size_t i, std::size_t next) {
    if (!std::isfinite(values[next])) {
      outcome.End(EventOutcome::Kind::kBadReset, i);
    }
  });
  if (!outcome.is_done()) {  // The inputs of that value are unchanged.
    return false;
  }
  outcome.restarts = true;
  for_due([&](std::size_t i, std::size_t next) {
    state.evaluator.Write(state.events.resets[i].state,
                          values.subspan(next, stride));
    state.set_slots.push_back(state.events.resets[i].state.slot);
  });
  // The last reset of a state has won.
  for_due([&](std::size_t i, std::size_t next) {
    const double value = state.evaluator.Value(state.events.resets[i].state);
    if (value != values[next] && !std::isnan(value)) {
      outcome.kind = EventOutcome::Kind::kTwoResets;
      outcome.number = i;
      outcome.other_value = values[next];
    }
  });
  return true;
}

void NoteSet(EventState& state,
             std::span<const Handler::Assignment> assignments) {
  for (const Handler::Assignment& assignment : assignments) {
    state.set_slots.push_back(assignment.target.slot);
  }
}

bool RunCheck(EventState& state, std::size_t number, EventOutcome& outcome) {
  const Check& check = state.events.checks[number];
  const bool holds = state.evaluator.memory()[check.condition_slot] != 0;
  if (check.kind == Check::Kind::kAssertion && !holds) {
    return outcome.End(EventOutcome::Kind::kAssertion, number);
  }
  if (check.kind == Check::Kind::kTermination && holds) {
    return outcome.End(EventOutcome::Kind::kTerminated, number);
  }
  if (check.kind == Check::Kind::kWarning && !holds &&
      std::exchange(state.has_warned[number], std::uint8_t{1}) == 0) {
    // A when-clause in an algorithm gives its values only while it is active.
    state.warnings.push_back(
        {.check = number,
         .text = TextOf(state.evaluator, check.message, outcome.is_at_start)});
  }
  return true;
}

// Makes the checks that contain initial(). All else is as the initialization
// has left it.
bool RunStartChecks(EventState& state, EventOutcome& outcome) {
  if (!std::exchange(state.is_start_due, false)) {
    return true;
  }
  double& initial = state.evaluator.memory()[state.events.initial_slot];
  initial = 1;
  outcome.is_at_start = true;
  const std::optional<Failure> failure =
      state.evaluator.RunSection(*state.events.start_check_section);
  const bool goes_on =
      failure
          ? FailEvent(state, *failure, outcome)
          : std::ranges::all_of(state.events.start_checks, [&](std::size_t i) {
              return RunCheck(state, i, outcome);
            });
  initial = failure ? 1 : 0;  // An explanation of the failure runs it once
                              // more.
  outcome.is_at_start = !goes_on;
  return goes_on;
}

bool RunChecks(EventState& state, EventOutcome& outcome) {
  for (std::size_t i = 0; i < state.events.checks.size(); ++i) {
    if (!RunCheck(state, i, outcome)) {
      return false;
    }
  }
  return true;
}

// Lets a handler be due after those that are.
void QueueHandler(EventState& state, std::size_t number) {
  if (std::exchange(state.handlers.is_due_next[number], std::uint8_t{1}) == 0) {
    ++state.handlers.num_due_next;
  }
}

// Runs microsteps until nothing changes.
// @returns false after an error, told in `outcome`.
bool IterateMicrosteps(EventState& state, EventOutcome& outcome) {
  bool goes_on = true;
  state.ties.in_event = 0;
  for (int i = 0; goes_on;) {
    i += state.handlers.num_due == 0
             ? 1
             : 0;  // Handlers that are due together count once.
    if (i > state.max_microsteps) {
      return outcome.End(EventOutcome::Kind::kEndless, 0);
    }
    goes_on = RunMicrostep(state, outcome);
  }
  return outcome.is_done();
}

}  // namespace

EventOutcome InitializeEvents(EventState& state, double t) {
  EventOutcome outcome;
  state.is_start_due = state.events.start_check_section.has_value();
  if (!SearchStart(state, outcome)) {
    return outcome;
  }
  for (std::size_t i = 0; i < state.calendar.clocks.size(); ++i) {
    const EventOutcome::Kind kind = StartTicks(state, i, t);
    if (kind != EventOutcome::Kind::kDone) {
      return {.kind = kind, .number = i};
    }
  }
  return {};
}

EventOutcome RunEvent(EventState& state, double t) {
  const std::span<const double> memory = state.evaluator.memory();
  for (std::size_t i = 0; i < state.held.size(); ++i) {
    state.held[i] = memory[state.events.held_slots[i]];
  }
  state.set_slots.clear();
  double& after = state.evaluator.memory()[state.events.after_slot];
  if (std::exchange(state.last_time, t) != t) {
    after = 0;
  }
  FindDueThresholds(state, t);
  for (const std::size_t handler : state.handlers.of_each_event) {
    QueueHandler(state, handler);
  }
  EventOutcome outcome;
  const bool is_done = RunStartChecks(state, outcome) &&
                       RaiseTicks(state, t, outcome) &&
                       IterateMicrosteps(state, outcome);
  NoteMovedThresholds(state, t);
  if (is_done && after == 0 && IsThreshold(state, t)) {
    if (t < state.stop) {
      after = 1;
      NoteThresholds(state, t);
      static_cast<void>(IterateMicrosteps(state, outcome));
    } else if (!std::exchange(state.has_noted_end, true)) {
      NoteThresholds(state, t);
    }
  }
  if (outcome.kind == EventOutcome::Kind::kAssertion ||
      outcome.kind == EventOutcome::Kind::kTerminated) {
    EventOutcome as_it_ends;
    static_cast<void>(
        UpdateTruths(state, as_it_ends));  // That is an event, too.
  }
  if (!outcome.is_done()) {
    return outcome;
  }
  ReleaseGivenUp(state);
  for (std::size_t i = 0; i < state.held.size(); ++i) {
    outcome.changes_held = outcome.changes_held ||
                           state.held[i] != memory[state.events.held_slots[i]];
  }
  outcome.restarts = outcome.restarts || outcome.changes_held;
  FindNextTime(state, t);
  state.has_started = UpdateTruths(state, outcome) || state.has_started;
  return outcome;
}

bool RunMicrostep(EventState& state, EventOutcome& outcome) {
  CopyPre(state, state.events.pre);
  if (!SolveEventEquations(
          state, state.events.schedule, state.events.iterates, outcome)) {
    return false;
  }
  const std::span<const double> memory = state.evaluator.memory();
  for (std::size_t i = 0; i < state.named_conditions.size(); ++i) {
    if (memory[state.named_conditions[i]] != 0) {
      state.notes.AddNamed(i, state.evaluator.t());
    }
  }
  if (!state.events.checks.empty() && !RunChecks(state, outcome)) {
    return false;
  }
  QueueHandlers(state);
  const bool has_reset =
      !state.events.resets.empty() && MakeResets(state, outcome);
  const bool has_due = state.handlers.num_due > 0;
  if (!outcome.is_done() || (has_due && !RunHandlers(state, outcome))) {
    return false;
  }
  const bool had_ticks = LowerTicks(state);
  const bool is_decided =
      state.ties.in_event < kMostTies;  // Else one is as good.
  return has_reset || has_due || had_ticks ||
         (is_decided && HasPreChanged(state, state.events.pre));
}

void CopyPre(EventState& state, std::span<const PreValues> all) {
  for (const PreValues& pre : all) {
    state.evaluator.Copy(pre.of_slot, pre.slot, pre.count);
  }
}

bool HasPreChanged(const EventState& state, std::span<const PreValues> all) {
  return std::ranges::any_of(all, [&state](const PreValues& pre) {
    return pre.are_discrete &&
           state.evaluator.Differ(pre.of_slot, pre.slot, pre.count);
  });
}

void QueueHandlers(EventState& state) {
  const std::span<const double> memory = state.evaluator.memory();
  for (std::size_t i = 0; i < state.handlers.conditions.size(); ++i) {
    if (memory[state.handlers.conditions[i]] != 0) {
      QueueHandler(state, i);
    }
  }
  if (state.handlers.num_due == 0 && state.handlers.num_due_next > 0) {
    std::swap(state.handlers.is_due, state.handlers.is_due_next);
    std::swap(state.handlers.num_due, state.handlers.num_due_next);
  }
}

bool RunHandlers(EventState& state, EventOutcome& outcome) {
  auto due = state.handlers.is_due.begin();
  for (bool is_first = true; state.handlers.num_due > 0; is_first = false) {
    due = std::find(due, state.handlers.is_due.end(), 1);
    const auto number =
        static_cast<std::size_t>(due - state.handlers.is_due.begin());
    if (!is_first && state.events.handlers[number].sees_earlier) {
      break;
    }
    *due = 0;
    --state.handlers.num_due;
    if (const auto failure = RunHandler(state, number)) {
      return FailEvent(state, *failure, outcome);
    }
    if (state.handlers.sets_state[number] != 0) {
      outcome.restarts = true;
      NoteSet(state, state.events.handlers[number].assignments);
    }
  }
  return true;
}

std::optional<Failure> RunHandler(EventState& state, std::size_t number) {
  const Handler& handler = state.events.handlers[number];
  if (handler.section) {
    if (auto failure = state.evaluator.RunSection(*handler.section)) {
      return failure;
    }
  }
  state.evaluator.Assign(handler.assignments);
  return std::nullopt;
}

bool FailEvent(EventState& state,
               const Failure& failure,
               EventOutcome& outcome) {
  state.failure = failure;
  return outcome.End(EventOutcome::Kind::kFailed, 0);
}

bool ProbeEvent(EventState& state, std::span<std::uint8_t> truths) {
  const std::size_t noted = state.notes.size();
  EventOutcome outcome;
  static_cast<void>(IterateMicrosteps(state, outcome));
  state.notes.Forget(noted);
  std::ranges::fill(state.handlers.is_due, std::uint8_t{0});
  std::ranges::fill(state.handlers.is_due_next, std::uint8_t{0});
  state.handlers.num_due = 0;
  state.handlers.num_due_next = 0;
  if (!outcome.is_done() || outcome.restarts || EvaluateOperands(state)) {
    return false;
  }
  for (std::size_t k = 0; k < truths.size(); ++k) {
    truths[k] = HoldsNow(state, k) ? 1 : 0;
  }
  return true;
}

}  // namespace orrery::sim::internal
