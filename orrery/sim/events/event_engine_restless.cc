// The search for quantities that change without end.

#include <algorithm>
#include <utility>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {
namespace {

// Microsteps that it observes.
constexpr int kObservedMicrosteps = 20;

// Runs of the equations that turn a quantity and turn it back.
constexpr int kThereAndBack = 2;

}  // namespace

EventEngine::Culprits EventEngine::FindRestless() {
  std::vector<std::uint8_t> is_restless(truths_.size());
  std::vector<std::uint8_t> recurs(events_.named.size());
  std::vector<std::uint32_t> discrete;
  const std::span<double> memory = machine_.memory();
  const std::vector<double> as_it_ended(memory.begin(), memory.end());
  EventOutcome outcome;
  static_cast<void>(TakeTruths(outcome));
  const std::size_t noted = notes_.size();
  for (int i = 0; i < kObservedMicrosteps; ++i) {
    const std::vector<std::uint8_t> before = truths_;
    outcome = {};
    static_cast<void>(Microstep(outcome));
    AddRestless(outcome, discrete, is_restless);
    if (!outcome.is_done() || !TakeTruths(outcome)) {
      break;
    }
    for (std::size_t k = 0; k < truths_.size(); ++k) {
      is_restless[k] = is_restless[k] | (before[k] ^ truths_[k]);
    }
    for (std::size_t k = 0; k < recurs.size(); ++k) {
      if (memory[named_conditions_[k]] != 0) {
        recurs[k] = 1;
      }
    }
  }
  notes_.Forget(noted);
  const auto places = [](const std::vector<std::uint8_t>& flags) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < flags.size(); ++k) {
      if (flags[k] != 0) {
        result.push_back(k);
      }
    }
    return result;
  };
  Culprits culprits = {.relations = places(is_restless),
                       .named = places(recurs)};
  if (culprits.relations.empty() && culprits.named.empty()) {
    if (discrete.empty()) {  // They agree once `pre` has moved on.
      std::ranges::copy(as_it_ended, memory.begin());
      outcome.End(EventOutcome::Kind::kEndless, 0);
      for (int i = 0; i < kThereAndBack; ++i) {
        AddRestless(outcome, discrete, is_restless);
      }
    }
    std::ranges::sort(discrete);
    culprits.discrete = std::move(discrete);
  }
  return culprits;
}

// Adds quantities that differ from their `pre`; if the equations do not agree
// with themselves, all that they turn, relations included.
void EventEngine::AddRestless(const EventOutcome& outcome,
                              std::vector<std::uint32_t>& slots,
                              std::vector<std::uint8_t>& relations) {
  if (outcome.is_done()) {
    AddChanged(slots);
    return;
  }
  const std::span<double> memory = machine_.memory();
  const std::vector<std::uint8_t> held = TruthsHere();
  const std::vector<double> before(memory.begin(), memory.end());
  if (machine_.Run(events_.schedule, Machine::LoopStart::kMemory)) {
    return;
  }
  for (std::size_t slot = 0; slot < before.size(); ++slot) {
    if (memory[slot] != before[slot]) {
      slots.push_back(static_cast<std::uint32_t>(slot));
    }
  }
  for (const orrery::Iterate& iterate : events_.iterates) {
    if (memory[iterate.slot] != memory[iterate.result_slot]) {
      slots.push_back(iterate.slot);
    }
    machine_.Copy({.slot = iterate.result_slot}, {.slot = iterate.slot});
  }
  const std::vector<std::uint8_t> holds = TruthsHere();
  for (std::size_t k = 0; k < relations.size(); ++k) {
    relations[k] = relations[k] | (held[k] ^ holds[k]);
  }
}

// Values of the relations, if their operands can be computed.
std::vector<std::uint8_t> EventEngine::TruthsHere() {
  std::vector<std::uint8_t> truths = truths_;
  if (!EvaluateOperands()) {
    for (std::size_t k = 0; k < truths.size(); ++k) {
      truths[k] = Holds(k) ? 1 : 0;
    }
  }
  return truths;
}

void EventEngine::AddChanged(std::vector<std::uint32_t>& slots) const {
  for (const PreValues& pre : events_.pre) {
    for (std::uint32_t i = 0; pre.are_discrete && i < pre.count; ++i) {
      if (machine_.Differ(pre.of_slot + i, pre.slot + i, 1)) {
        slots.push_back(pre.of_slot + i);
      }
    }
  }
}

}  // namespace orrery::internal
