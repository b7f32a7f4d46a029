#include "orrery/sim/events/chattering.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "orrery/sim/events/event_iteration.h"
#include "orrery/sim/events/relation_values.h"

namespace orrery::sim::internal {
namespace {

// Microsteps that it observes.
constexpr int kObservedMicrosteps = 20;

// Runs of the equations that turn a quantity and turn it back.
constexpr int kThereAndBack = 2;

bool IsAtOnce(const EventState& state, double before) {
  constexpr double kAtOnce = 1e-11;  // Relative to time.
  return state.evaluator.t() - before <=
         kAtOnce * std::abs(state.evaluator.t());
}

// Values of the relations, if their operands can be computed.
std::vector<std::uint8_t> TruthsHere(EventState& state) {
  std::vector<std::uint8_t> truths = state.truths;
  if (!EvaluateOperands(state)) {
    for (std::size_t k = 0; k < truths.size(); ++k) {
      truths[k] = HoldsNow(state, k) ? 1 : 0;
    }
  }
  return truths;
}

void AddChanged(const EventState& state, std::vector<std::uint32_t>& slots) {
  for (const PreValues& pre : state.events.pre) {
    for (std::uint32_t i = 0; pre.are_discrete && i < pre.count; ++i) {
      if (state.evaluator.Differ(pre.of_slot + i, pre.slot + i, 1)) {
        slots.push_back(pre.of_slot + i);
      }
    }
  }
}

// Adds quantities that differ from their `pre`; if the equations do not agree
// with themselves, all that they turn, relations included.
void AddChattering(EventState& state,
                   const EventOutcome& outcome,
                   std::vector<std::uint32_t>& slots,
                   std::vector<std::uint8_t>& relations) {
  if (outcome.is_done()) {
    AddChanged(state, slots);
    return;
  }
  const std::span<double> memory = state.evaluator.memory();
  const std::vector<std::uint8_t> held = TruthsHere(state);
  const std::vector<double> before(memory.begin(), memory.end());
  if (state.evaluator.Run(state.events.schedule,
                          ProgramEvaluator::LoopStart::kMemory)) {
    return;
  }
  for (std::size_t slot = 0; slot < before.size(); ++slot) {
    if (memory[slot] != before[slot]) {
      slots.push_back(static_cast<std::uint32_t>(slot));
    }
  }
  for (const Iterate& iterate : state.events.iterates) {
    if (memory[iterate.slot] != memory[iterate.result_slot]) {
      slots.push_back(iterate.slot);
    }
    state.evaluator.Copy({.slot = iterate.result_slot}, {.slot = iterate.slot});
  }
  const std::vector<std::uint8_t> holds = TruthsHere(state);
  for (std::size_t k = 0; k < relations.size(); ++k) {
    relations[k] = relations[k] | (held[k] ^ holds[k]);
  }
}

}  // namespace

bool GiveUpChatteringKinks(EventState& state, EventSpacing spacing) {
  constexpr int kMostBack = 10;
  const auto is_kink = [&state](std::size_t k) {
    return state.events.relations[k].is_kink;
  };
  if (state.last_changed.empty() ||
      !std::ranges::all_of(state.last_changed, is_kink)) {
    state.chatter.last_kinks.clear();
    return false;
  }
  const bool are_back = spacing == EventSpacing::kAtOnce &&
                        state.last_changed == state.chatter.last_kinks;
  state.chatter.kinks_back += are_back ? 1 : 0;
  state.chatter.last_kinks = state.last_changed;
  const bool are_restless = spacing == EventSpacing::kWithoutEnd ||
                            (are_back && state.chatter.kinks_back >= kMostBack);
  if (are_restless) {
    state.search->GiveUp(state.last_changed);
    std::ranges::copy_if(state.last_changed,
                         std::back_inserter(state.chatter.given_up),
                         [&state](std::size_t k) {
                           return state.events.relations[k].hold.has_value();
                         });
    ReleaseGivenUp(state);
  }
  return are_restless;
}

void ReleaseGivenUp(EventState& state) {
  for (const std::size_t k : state.chatter.given_up) {
    const WatchedRelation::Hold& hold = *state.events.relations[k].hold;
    state.evaluator.memory()[hold.slot] = hold.steep_branch ? 0 : 1;
  }
}

void CalmChattering(EventState& state) {
  constexpr int kMostBack = 4;
  constexpr double kLong = 1e-5;  // Duration, relative to time.
  const double t = state.evaluator.t();
  const bool any_at_once =
      std::ranges::any_of(state.last_changed, [&state](std::size_t k) {
        return IsAtOnce(state, state.chatter.flips[k].last);
      });
  if (any_at_once && EvaluateOperands(state)) {
    return;
  }
  for (const std::size_t k : state.last_changed) {
    if (state.events.relations[k].is_kink) {
      continue;
    }
    FlipCount& flips = state.chatter.flips[k];
    const bool is_back = IsAtOnce(state, flips.last) &&
                         state.set_slots.empty() && IsTie(state, k);
    flips.changes = is_back ? flips.changes + 1 : 0;
    flips.last = t;
    if (flips.changes >= kMostBack && t - flips.calmed > kLong * std::abs(t)) {
      flips.calmed = t;
      state.search->Calm(k);
    }
  }
}

EventCauses FindChattering(EventState& state) {
  std::vector<std::uint8_t> is_restless(state.truths.size());
  std::vector<std::uint8_t> recurs(state.events.named.size());
  std::vector<std::uint32_t> discrete;
  const std::span<double> memory = state.evaluator.memory();
  const std::vector<double> as_it_ended(memory.begin(), memory.end());
  EventOutcome outcome;
  static_cast<void>(UpdateTruths(state, outcome));
  const std::size_t noted = state.notes.size();
  for (int i = 0; i < kObservedMicrosteps; ++i) {
    const std::vector<std::uint8_t> before = state.truths;
    outcome = {};
    static_cast<void>(RunMicrostep(state, outcome));
    AddChattering(state, outcome, discrete, is_restless);
    if (!outcome.is_done() || !UpdateTruths(state, outcome)) {
      break;
    }
    for (std::size_t k = 0; k < state.truths.size(); ++k) {
      is_restless[k] = is_restless[k] | (before[k] ^ state.truths[k]);
    }
    for (std::size_t k = 0; k < recurs.size(); ++k) {
      if (memory[state.named_conditions[k]] != 0) {
        recurs[k] = 1;
      }
    }
  }
  state.notes.Forget(noted);
  const auto places = [](const std::vector<std::uint8_t>& flags) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < flags.size(); ++k) {
      if (flags[k] != 0) {
        result.push_back(k);
      }
    }
    return result;
  };
  EventCauses causes = {.relations = places(is_restless),
                        .named = places(recurs)};
  if (causes.relations.empty() && causes.named.empty()) {
    if (discrete.empty()) {  // They agree once `pre` has moved on.
      std::ranges::copy(as_it_ended, memory.begin());
      outcome.End(EventOutcome::Kind::kEndless, 0);
      for (int i = 0; i < kThereAndBack; ++i) {
        AddChattering(state, outcome, discrete, is_restless);
      }
    }
    std::ranges::sort(discrete);
    causes.discrete = std::move(discrete);
  }
  return causes;
}

}  // namespace orrery::sim::internal
