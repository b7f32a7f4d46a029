#include "orrery/sim/events/event_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/base/files/state_number.h"
#include "orrery/sim/events/relation_values.h"
#include "orrery/sim/explain/explain.h"

namespace orrery::sim::internal {
namespace {

// The slots that each microstep looks at, apart from all else.
template <typename T>
std::vector<std::uint32_t> ConditionsOf(const std::vector<T>& list) {
  std::vector<std::uint32_t> slots;
  slots.reserve(list.size());
  for (const T& item : list) {
    slots.push_back(item.condition_slot);
  }
  return slots;
}

void PrepareHandlers(EventState& state) {
  std::vector<std::uint32_t> states = state.program.state_slots;
  std::ranges::sort(states);
  for (const Handler& handler : state.events.handlers) {
    state.handlers.sets_state.push_back(std::ranges::any_of(
        handler.assignments, [&](const Handler::Assignment& assignment) {
          return std::ranges::binary_search(states, assignment.target.slot);
        }));
    if (handler.is_of_each_event) {
      state.handlers.of_each_event.push_back(state.handlers.sets_state.size() -
                                             1);
    }
  }
}

void TransferClocks(TickCalendar& calendar, StateStream& stream) {
  for (ClockTicks& ticks : calendar.clocks) {
    double start = ticks.grid.start();
    double step = ticks.grid.step();
    stream.Number(start);
    stream.Number(step);
    TransferCount(stream, ticks.index);
    TransferCount(stream, ticks.count);
    stream.Number(ticks.next);
    if (stream.reads()) {
      ticks.grid = DecimalGrid(start, step);
    }
  }
}

void TransferChatter(EventState& state, StateStream& stream) {
  ChatterRecord& record = state.chatter;
  stream.Indices(record.last_kinks, state.truths.size());
  TransferCount(stream, record.kinks_back);
  stream.Indices(record.given_up, state.truths.size());
  for (const std::size_t k : record.given_up) {
    stream.Expect(state.events.relations[k].hold.has_value(),
                  "a kink that cannot be given up");
  }
  for (FlipCount& flips : record.flips) {
    TransferCount(stream, flips.changes);
    stream.Number(flips.last);
    stream.Number(flips.calmed);
  }
}

WatchList MakeWatchList(EventState& state) {
  WatchList list;
  list.runner = &state.evaluator.sections();
  if (state.events.watch_section) {
    list.sections = {*state.events.watch_section};
  }
  list.evaluate = [&state] {
    static_cast<void>(EvaluateOperands(state));
  };
  list.other_sections = SectionsOf(state.program, state.events.watch_schedule);
  for (const ScheduleStep& step : state.events.watch_schedule) {
    if (step.kind == ScheduleStep::Kind::kBlock) {
      const auto& unknowns = state.program.blocks[step.index].unknown_slots;
      list.loop_slots.insert(
          list.loop_slots.end(), unknowns.begin(), unknowns.end());
    }
  }
  list.time_slot = state.program.time_slot;
  list.state_slots = state.program.state_slots;
  list.inputs = state.program.input_slots.empty() ? nullptr : &state.inputs;
  list.input_slots = state.program.input_slots;
  list.delays =
      state.evaluator.delays().empty() ? nullptr : &state.evaluator.delays();
  list.relations = state.events.relations;
  return list;
}

}  // namespace

EventState::EventState(ProgramEvaluator& its_evaluator,
                       InputSignals& its_inputs,
                       int its_max_microsteps,
                       double its_stop)
    : evaluator(its_evaluator),
      inputs(its_inputs),
      program(evaluator.program()),
      events(program.events),
      max_microsteps(its_max_microsteps),
      stop(its_stop),
      notes(events),
      named_conditions(ConditionsOf(events.named)),
      truths(events.relations.size()),
      held(events.held_slots.size()),
      has_warned(events.checks.size()) {
  calendar.clocks.resize(events.ticks.size());
  handlers.conditions = ConditionsOf(events.handlers);
  handlers.is_due.resize(events.handlers.size());
  handlers.is_due_next.resize(events.handlers.size());
  if (has_relations()) {
    search.emplace(MakeWatchList(*this));
  }
  for (const WatchedRelation& relation : events.relations) {
    operands.push_back({.left = relation.left_slot,
                        .right = relation.right_slot,
                        .truth = relation.truth_slot.value_or(kNoSlot),
                        .is_strict = relation.is_strict});
  }
  for (std::size_t k = 0; k < events.relations.size(); ++k) {
    const WatchedRelation& relation = events.relations[k];
    if (!relation.acts) {
      watched_only.push_back(k);
    }
    if (!relation.acts || !relation.is_kink) {
      no_kinks.push_back(k);
    }
  }
  ignored.reserve(2 * truths.size());
  last_changed.reserve(truths.size());
  chatter.flips.resize(truths.size());
  values.reserve(events.resets.size());
  if (!events.handlers.empty()) {
    PrepareHandlers(*this);
  }
}

void EventState::Transfer(StateStream& stream) {
  if (search) {
    search->Transfer(stream);
  }
  TransferClocks(calendar, stream);
  TransferChatter(*this, stream);
  TransferCount(stream, ties.in_event);
  TransferCount(stream, ties.in_a_row);
  stream.Number(ties.last);
  stream.SameTruths(truths);
  stream.Indices(last_changed, truths.size());
  stream.Number(next_time);
  stream.Number(last_time);
  stream.Truth(has_noted_end);
  stream.Same(held);
  stream.Truth(has_started);
  stream.Truth(is_start_due);
  stream.Indices(set_slots, evaluator.memory().size());
  stream.SameTruths(has_warned);
  if (stream.reads()) {
    notes.Forget(0);
    warnings.clear();
    courses = {};
  }
}

}  // namespace orrery::sim::internal
