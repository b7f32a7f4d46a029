#include "orrery/compile/emit/event_writer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "orrery/compile/emit/acting_relations.h"
#include "orrery/compile/emit/delay_writer.h"
#include "orrery/compile/emit/emit.h"
#include "orrery/compile/emit/rearming.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// Extends the last entry if `one` follows it in memory; else appends it.
void Append(const PreValues& one, std::vector<PreValues>& all) {
  if (!all.empty()) {
    PreValues& last = all.back();
    if (one.of_slot == last.of_slot + last.count &&
        one.slot == last.slot + last.count &&
        one.are_discrete == last.are_discrete) {
      ++last.count;
      return;
    }
  }
  all.push_back(one);
}

}  // namespace

void EventWriter::WriteTicks() {
  std::vector<TapeAssignment> assignments;
  for (const SampleTick& tick : system_.events.ticks) {
    const Origin& origin = system_.origins[tick.origin];
    events_.ticks.push_back(
        {.slot = layout_.Place(tick.truth),
         .start_slot = SlotFor(tick.start, "start", assignments),
         .interval_slot = SlotFor(tick.interval, "interval", assignments),
         .times = tick.times,
         .name = tick.name,
         .span = *origin.span,
         .path = std::string(origin.path)});
  }
  sections_.AddTo(program_.initialization, std::move(assignments));
}

// Returns the slot of the formula's value after `assignments`.
std::uint32_t EventWriter::SlotFor(Expr formula,
                                   std::string name,
                                   std::vector<TapeAssignment>& assignments) {
  return compile::internal::SlotFor(
      system_, layout_, formula, std::move(name), assignments);
}

RunMessage EventWriter::MessageOf(const Message& message,
                                  std::span<const Expr> values,
                                  std::vector<TapeAssignment>& assignments) {
  RunMessage result;
  std::size_t next = 0;
  for (const Message::Part& part : message.parts) {
    RunMessage::Part made{.text = part.text, .format = part.format};
    if (part.value) {
      const Expr value = values[next++];
      made.slot = SlotFor(value, "value", assignments);
      made.type = value.type();
    }
    result.parts.push_back(std::move(made));
  }
  return result;
}

void EventWriter::WriteActions() {
  std::vector<TapeAssignment> assignments;
  std::vector<TapeAssignment> of_messages;
  const EventParts& parts = system_.events;
  const FlatModel& model = system_.model;
  for (std::size_t i = 0; i < parts.reinits.size(); ++i) {
    const EventAction& reset = parts.reinits[i];
    const std::uint32_t state = system_.ScalarAt(model.reinits[i].state);
    events_.resets.push_back(
        {.condition_slot = SlotFor(reset.condition, "condition", assignments),
         .state = layout_.PlaceOf(system_, state),
         .value_slot = SlotFor(reset.value, "reset", assignments)});
  }
  for (std::size_t i = 0; i < parts.named.size(); ++i) {
    events_.named.push_back(
        {.name = model.events[i].name,
         .condition_slot =
             SlotFor(parts.named[i].condition, "event", assignments),
         .is_rising = model.events[i].is_rising});
  }
  for (const EventAction& action : parts.handlers) {
    Handler& handler = events_.handlers.emplace_back();
    handler.condition_slot =
        SlotFor(action.condition, "condition", assignments);
    handler.is_of_each_event =
        model.handlers[events_.handlers.size() - 1].is_of_each_event;
    std::vector<TapeAssignment> values;
    for (std::size_t k = 0; k < action.targets.size(); ++k) {
      handler.assignments.push_back(
          {.target = layout_.PlaceOf(system_, action.targets[k]),
           .value_slot = SlotFor(action.values[k], "value", values)});
    }
    if (!values.empty()) {
      handler.section = sections_.Add(std::move(values));
    }
  }
  std::vector<TapeAssignment> at_start;
  const auto add_check = [&](Check::Kind kind,
                             const EventAction& action,
                             const Message& message) {
    const Origin& origin = system_.origins[action.origin];
    const std::size_t first = assignments.size();
    const std::uint32_t condition =
        SlotFor(action.condition, "condition", assignments);
    const std::array roots = {action.condition};
    if (std::ranges::binary_search(Reachable(roots), model.initial.id())) {
      events_.start_checks.push_back(events_.checks.size());
      at_start.insert(at_start.end(),
                      assignments.begin() + static_cast<std::ptrdiff_t>(first),
                      assignments.end());
    }
    events_.checks.push_back(
        {.kind = kind,
         .condition_slot = condition,
         .message = MessageOf(message, action.values, of_messages),
         .span = *origin.span,
         .path = std::string(origin.path)});
  };
  for (std::size_t i = 0; i < parts.assertions.size(); ++i) {
    add_check(model.assertions[i].is_warning ? Check::Kind::kWarning
                                             : Check::Kind::kAssertion,
              parts.assertions[i],
              model.assertions[i].message);
  }
  for (std::size_t i = 0; i < parts.terminations.size(); ++i) {
    add_check(Check::Kind::kTermination,
              parts.terminations[i],
              model.terminations[i].message);
  }
  for (const StartAgreement& agreement : parts.agreements) {
    add_check(Check::Kind::kAssertion, agreement.action, agreement.message);
  }
  sections_.AddTo(events_.schedule, std::move(assignments));
  if (!at_start.empty()) {
    events_.start_check_section = sections_.Add(std::move(at_start));
  }
  if (!of_messages.empty()) {
    events_.message_section = sections_.Add(std::move(of_messages));
  }
}

void EventWriter::FindOrderOfHandlers(std::span<const Step> steps) {
  const auto& handlers = system_.events.handlers;
  if (handlers.empty()) {
    return;
  }
  // By scalar, the first handler that its value depends on.
  std::vector<std::uint32_t> first(system_.scalars.size(), kNone);
  for (std::uint32_t i = 0; i < handlers.size(); ++i) {
    for (const std::uint32_t target : handlers[i].targets) {
      const std::uint32_t scalar = system_.aliases[target].scalar;
      first[scalar] = std::min(first[scalar], i);
      if (const std::uint32_t pre = system_.scalars[scalar].pre; pre != kNone) {
        first[pre] = first[scalar];
      }
    }
  }
  const auto first_in = [&](std::span<const Expr> formulas) {
    std::uint32_t result = kNone;
    for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
      result = std::min(result, first[scalar]);
    }
    return result;
  };
  for (const Step& step : steps) {
    const std::uint32_t found = first_in(FormulasOf(step));
    if (step.equation != nullptr) {
      first[step.equation->scalar] =
          std::min(first[step.equation->scalar], found);
      continue;
    }
    for (const std::uint32_t scalar : step.loop->torn) {
      first[scalar] = std::min(first[scalar], found);
    }
  }
  for (std::uint32_t i = 0; i < handlers.size(); ++i) {
    events_.handlers[i].sees_earlier =
        first_in(handlers[i].values) < i || !events_.iterates.empty();
  }
}

std::optional<WatchedRelation::Hold> EventWriter::HoldOf(
    const Watch& watch) const {
  return watch.hold == kNone
             ? std::nullopt
             : std::optional(WatchedRelation::Hold{
                   .slot = layout_.PlaceOf(system_, watch.hold).slot,
                   .steep_branch = watch.steep_branch});
}

void EventWriter::WriteWatches(std::span<const Step> steps,
                               const DelayWriter& delays) {
  std::vector<TapeAssignment> operands;
  std::vector<Expr> formulas;
  for (const Watch& watch : system_.events.watches) {
    const Origin& origin = system_.origins[watch.origin];
    formulas.push_back(watch.left);
    formulas.push_back(watch.right);
    events_.relations.push_back(
        {.left_slot = SlotFor(watch.left, "left", operands),
         .right_slot = SlotFor(watch.right, "right", operands),
         .is_strict = watch.is_strict,
         .is_kink = watch.is_kink,
         .hold = HoldOf(watch),
         .truth_slot =
             watch.truth == kNone
                 ? std::nullopt
                 : std::optional(layout_.PlaceOf(system_, watch.truth).slot),
         .event = watch.event,
         .formula = watch.label ? watch.label : watch.formula,
         .span = *origin.span,
         .path = std::string(origin.path)});
  }
  if (formulas.empty()) {
    return;
  }
  const auto inside = system_.walk.Scalars(formulas);
  const std::vector<std::uint32_t> scalars(inside.begin(), inside.end());
  const std::vector<bool> is_needed = FindNeeded(system_, steps, scalars);
  std::vector<TapeAssignment> assignments;
  std::vector<Step> needed;
  bool has_loop = delays.AnyVaries(formulas);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_needed[i]) {
      continue;
    }
    needed.push_back(steps[i]);
    has_loop = has_loop || steps[i].loop != nullptr ||
               delays.AnyVaries(FormulasOf(steps[i]));
    if (steps[i].equation != nullptr) {
      assignments.push_back(
          {.target = system_.scalars[steps[i].equation->scalar].key,
           .value = steps[i].equation->value,
           .iterators = system_.IteratorsOf(steps[i].equation->scalar)});
    }
  }
  if (has_loop) {
    sections_.AddSteps(needed, events_.watch_schedule);
    sections_.AddTo(events_.watch_schedule, std::move(operands));
    return;
  }
  assignments.insert(assignments.end(), operands.begin(), operands.end());
  events_.watch_section = sections_.Add(std::move(assignments));
}

void EventWriter::WriteAfterStep(std::span<const Step> steps) {
  std::vector<TapeAssignment> assignments;
  std::vector<Expr> formulas;
  for (const EventAction& action : system_.events.after_steps) {
    formulas.push_back(action.condition);
    events_.step_slots.push_back(
        SlotFor(action.condition, "after step", assignments));
  }
  if (formulas.empty()) {
    return;
  }
  const auto inside = system_.walk.Scalars(formulas);
  const std::vector<std::uint32_t> scalars(inside.begin(), inside.end());
  const std::vector<bool> is_needed = FindNeeded(system_, steps, scalars);
  std::vector<Step> needed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_needed[i]) {
      needed.push_back(steps[i]);
    }
  }
  sections_.AddSteps(needed, events_.after_step);
  sections_.AddTo(events_.after_step, std::move(assignments));
}

void EventWriter::WriteRearming(std::span<const Step> steps) {
  const Rearming found = FindRearming(system_, steps);
  for (std::size_t k = 0; k < found.truths.size(); ++k) {
    if (found.truths[k] != kNone) {
      const std::uint32_t slot = layout_.PlaceOf(system_, found.truths[k]).slot;
      events_.relations[k].rearming = {.truth_slot = slot,
                                       .truth = found.rearmed[k]};
      events_.rearmed_slots.push_back(slot);
    }
  }
  for (const Step& step : found.following) {
    events_.rearmed_slots.push_back(
        layout_.PlaceOf(system_, step.equation->scalar).slot);
  }
  std::ranges::sort(events_.rearmed_slots);
  sections_.AddSteps(found.following, events_.rearming);
}

std::vector<std::uint32_t> HeldScalars(System& system,
                                       std::span<const Step> steps) {
  std::vector<bool> is_held(system.scalars.size());
  for (const Step& step : steps) {
    for (const std::uint32_t scalar : system.walk.Scalars(FormulasOf(step))) {
      is_held[scalar] = system.scalars[scalar].is_discrete;
    }
  }
  for (std::uint32_t i = 0; i < is_held.size(); ++i) {
    const std::uint32_t same = system.aliases[i].scalar;
    if (system.scalars[i].derivative_of != kNone &&
        system.scalars[same].is_discrete) {
      is_held[same] = true;
    }
  }
  std::vector<std::uint32_t> held;
  for (std::uint32_t i = 0; i < is_held.size(); ++i) {
    if (is_held[i]) {
      held.push_back(i);
    }
  }
  return held;
}

void EventWriter::WriteHeld(std::span<const Step> steps) {
  for (const std::uint32_t scalar : HeldScalars(system_, steps)) {
    events_.held_slots.push_back(layout_.PlaceOf(system_, scalar).slot);
  }
}

void EventWriter::WriteActing(const CompiledSystem& compiled,
                              std::span<const Step> in_event,
                              std::span<const Step> of_derivatives) {
  if (events_.relations.empty()) {
    return;
  }
  const std::vector<bool> acting =
      FindActing(system_, compiled, in_event, of_derivatives);
  for (std::size_t k = 0; k < acting.size(); ++k) {
    events_.relations[k].acts = acting[k];
  }
}

void EventWriter::WriteDiscrete(const CompiledSystem& compiled) {
  events_.initial_slot = layout_.SlotOf(system_.model.initial);
  events_.terminal_slot = layout_.SlotOf(system_.model.terminal);
  events_.after_slot = layout_.SlotOf(system_.after);
  for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
    const std::uint32_t pre = system_.scalars[i].pre;
    if (pre != kNone && system_.aliases[i].scalar == i) {
      const PreValues one = {.of_slot = layout_.PlaceOf(system_, i).slot,
                             .slot = layout_.PlaceOf(system_, pre).slot,
                             .are_discrete = system_.scalars[i].is_discrete};
      Append(one, events_.pre);
      if (std::ranges::binary_search(events_.rearmed_slots, one.of_slot)) {
        Append(one, events_.rearming_pre);
      }
    }
  }
  for (const HeldThreshold& threshold : system_.events.thresholds) {
    events_.thresholds.push_back(
        {.slot = layout_.PlaceOf(system_, threshold.scalar).slot,
         .is_rising = threshold.is_rising,
         .is_after = threshold.is_after,
         .event = threshold.event,
         .formula = threshold.label ? threshold.label : threshold.formula});
  }
  const auto write = [this](const std::vector<IteratedScalar>& iterated,
                            std::vector<Iterate>& iterates) {
    for (const IteratedScalar& item : iterated) {
      iterates.push_back(
          {.slot = layout_.PlaceOf(system_, item.scalar).slot,
           .result_slot = layout_.PlaceOf(system_, item.result).slot});
    }
  };
  write(compiled.initial.iterated, events_.initial_iterates);
  write(compiled.events.iterated, events_.iterates);
}

}  // namespace orrery::compile::internal
