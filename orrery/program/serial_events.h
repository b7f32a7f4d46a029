#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/program/serial_fields.h"

namespace orrery::program::internal {

template <typename Stream>
void One(FieldStream<Stream>& fields, WatchedRelation& relation) {
  fields.Slot(relation.left_slot);
  fields.Slot(relation.right_slot);
  fields.stream().Truth(relation.is_strict);
  fields.stream().Truth(relation.is_kink);
  fields.stream().Truth(relation.acts);
  if (fields.Has(relation.hold)) {
    fields.Slot(relation.hold->slot);
    fields.stream().Truth(relation.hold->steep_branch);
  }
  if (fields.Has(relation.truth_slot)) {
    fields.Slot(*relation.truth_slot);
  }
  if (fields.Has(relation.rearming)) {
    fields.Slot(relation.rearming->truth_slot);
    fields.stream().Truth(relation.rearming->truth);
  }
  fields.stream().Text(relation.event);
  fields.Formula(relation.formula);
  fields.NoSpan(relation.span);
  fields.stream().Text(relation.path);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Threshold& threshold) {
  fields.Slot(threshold.slot);
  fields.stream().Truth(threshold.is_rising);
  fields.stream().Truth(threshold.is_after);
  fields.stream().Text(threshold.event);
  fields.Formula(threshold.formula);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Tick& tick) {
  fields.Slot(tick.slot);
  fields.Slot(tick.start_slot);
  fields.Slot(tick.interval_slot);
  fields.stream().Number(tick.times.end);
  fields.stream().Truth(tick.times.runs_before_start);
  fields.stream().Text(tick.name);
  fields.NoSpan(tick.span);
  fields.stream().Text(tick.path);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, NamedEvent& event) {
  fields.stream().Text(event.name);
  fields.Slot(event.condition_slot);
  fields.stream().Truth(event.is_rising);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, PreValues& pre) {
  fields.Slot(pre.of_slot);
  fields.Slot(pre.slot);
  fields.stream().Number(pre.count);
  fields.stream().Truth(pre.are_discrete);
  const std::size_t size = fields.program().tape->memory_size();
  fields.stream().Expect(
      pre.count <= size - pre.of_slot && pre.count <= size - pre.slot,
      "a place outside");
}

template <typename Stream>
void One(FieldStream<Stream>& fields, StateReset& reset) {
  fields.Slot(reset.condition_slot);
  fields.Place(reset.state);
  fields.Slot(reset.value_slot);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Handler::Assignment& assignment) {
  fields.Place(assignment.target);
  fields.Slot(assignment.value_slot);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Handler& handler) {
  fields.Slot(handler.condition_slot);
  fields.Section(handler.section);
  fields.All(handler.assignments);
  fields.stream().Truth(handler.sees_earlier);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, RunMessage::Part& part) {
  fields.stream().Text(part.text);
  fields.SlotOrNone(part.slot);
  fields.stream().Choice(part.type, ValueType::kBoolean);
  fields.stream().Number(part.format.digits);
  fields.stream().Number(part.format.least_length);
  fields.stream().Truth(part.format.is_left);
  fields.stream().Text(part.format.pattern);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Check& check) {
  fields.stream().Choice(check.kind, Check::Kind::kTermination);
  fields.Slot(check.condition_slot);
  fields.All(check.message.parts);
  fields.NoSpan(check.span);
  fields.stream().Text(check.path);
}

template <typename Stream>
void Events(FieldStream<Stream>& fields) {
  EventProgram& e = fields.program().events;
  fields.Steps(e.schedule);
  fields.All(e.iterates);
  fields.All(e.initial_iterates);
  fields.All(e.pre);
  fields.All(e.relations);
  fields.Section(e.watch_section);
  fields.Steps(e.watch_schedule);
  fields.Steps(e.rearming);
  fields.All(e.rearming_pre);
  fields.Slots(e.rearmed_slots);
  fields.All(e.thresholds);
  fields.All(e.ticks);
  fields.All(e.named);
  fields.All(e.resets);
  fields.All(e.handlers);
  fields.All(e.checks);
  fields.Section(e.message_section);
  fields.stream().Numbers(e.start_checks);
  for (const std::size_t check : e.start_checks) {
    fields.stream().Expect(check < e.checks.size(), "a number outside");
  }
  fields.Section(e.start_check_section);
  fields.Slots(e.held_slots);
  fields.Slot(e.initial_slot);
  fields.Slot(e.terminal_slot);
  fields.Slot(e.after_slot);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Delay& delay) {
  fields.Slot(delay.operand_slot);
  fields.Slot(delay.time_slot);
  fields.Slot(delay.most_slot);
  fields.Slot(delay.value_slot);
  fields.stream().Truth(delay.is_discrete);
  fields.SlotOrNone(delay.rate_slot);
  fields.SlotOrNone(delay.used_slot);
  fields.SlotOrNone(delay.begin_slot);
  fields.SlotOrNone(delay.end_slot);
  for (const std::uint32_t slot :
       {delay.used_slot, delay.begin_slot, delay.end_slot}) {
    fields.stream().Expect((slot == Delay::kNone) == delay.is_held(),
                           "a delay without its places");
  }
  if (fields.Has(delay.way)) {
    fields.stream().Number(delay.way->end);
    fields.Slots(delay.way->place_slots);
    fields.Slots(delay.way->value_slots);
    fields.stream().Expect(
        !delay.is_held() && !delay.way->place_slots.empty() &&
            delay.way->place_slots.size() == delay.way->value_slots.size(),
        "a way without its places");
  }
  fields.Steps(delay.schedule);
  fields.stream().Numbers(delay.passes);
  fields.stream().Truth(delay.follows_inputs);
  fields.Formula(delay.formula);
  fields.NoSpan(delay.span);
  fields.stream().Text(delay.path);
}

template <typename Stream>
void Delays(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.All(p.delays);
  for (const Delay& delay : p.delays) {
    for (const std::uint32_t passed : delay.passes) {
      fields.stream().Expect(passed < p.delays.size(), "a number outside");
    }
  }
  fields.Steps(p.delay_operands);
  fields.Section(p.delay_operand_section);
}

}  // namespace orrery::program::internal
