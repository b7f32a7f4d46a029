#include "orrery/sim/events/event_engine.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/sim/events/chattering.h"
#include "orrery/sim/events/event_calendar.h"
#include "orrery/sim/events/event_iteration.h"
#include "orrery/sim/events/relation_values.h"
#include "orrery/sim/events/tick_course.h"

namespace orrery::sim::internal {

EventEngine::EventEngine(ProgramEvaluator& evaluator,
                         InputSignals& inputs,
                         int max_microsteps,
                         double stop)
    : state_(evaluator, inputs, max_microsteps, stop) {}

std::vector<std::size_t> EventEngine::ChangedRelations() {
  return sim::internal::ChangedRelations(state_);
}

std::vector<std::vector<TimeTerm>> EventEngine::DueTimes(double t) const {
  return sim::internal::DueTimes(state_, t);
}

EventOutcome EventEngine::Initialize(double t) {
  return InitializeEvents(state_, t);
}

EventOutcome EventEngine::Run(double t) {
  return RunEvent(state_, t);
}

bool EventEngine::HasOnlyTicks() const {
  return sim::internal::HasOnlyTicks(state_);
}

EventOutcome EventEngine::RunTicks(double t) {
  return RunTickEvent(state_, t);
}

std::size_t EventEngine::CountTicks(double until) const {
  return sim::internal::CountTicks(state_, until);
}

EventOutcome EventEngine::RunTerminal(double t) {
  state_.evaluator.memory()[state_.events.terminal_slot] = 1;
  return RunEvent(state_, t);
}

double EventEngine::FirstChange(const DenseOutput& dense,
                                double begin,
                                double end,
                                bool may_rearm) {
  return FindFirstChange(state_, dense, begin, end, may_rearm);
}

double EventEngine::Foresee(const DenseOutput& dense,
                            double begin,
                            double end,
                            bool kinks_only) {
  return ForeseeChange(state_, dense, begin, end, kinks_only);
}

double EventEngine::ForeseeKink(const DenseOutput& dense,
                                double begin,
                                double end,
                                double but_at) {
  return sim::internal::ForeseeKink(state_, dense, begin, end, but_at);
}

bool EventEngine::AreApart(double allowed) {
  return AreOperandsApart(state_, allowed);
}

bool EventEngine::LookAtRelations(std::vector<LookedAt>& seen) {
  seen.clear();
  if (!has_relations()) {
    return true;
  }
  if (EvaluateOperands(state_)) {
    return false;
  }
  const std::span<const double> memory = state_.evaluator.memory();
  for (std::size_t k = 0; k < state_.operands.size(); ++k) {
    seen.push_back({.left = memory[state_.operands[k].left],
                    .right = memory[state_.operands[k].right],
                    .holds = truth(k)});
  }
  return true;
}

bool EventEngine::Probe(std::span<std::uint8_t> truths) {
  return ProbeEvent(state_, truths);
}

bool EventEngine::GiveUpChatteringKinks(EventSpacing spacing) {
  return sim::internal::GiveUpChatteringKinks(state_, spacing);
}

void EventEngine::CalmChattering() {
  sim::internal::CalmChattering(state_);
}

EventCauses EventEngine::FindChattering() {
  return sim::internal::FindChattering(state_);
}

}  // namespace orrery::sim::internal
