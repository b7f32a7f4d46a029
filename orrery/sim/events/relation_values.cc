#include "orrery/sim/events/relation_values.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/sim/events/event_iteration.h"

namespace orrery::sim::internal {
namespace {

// A kink of max() and the like is no event of its own.
bool IsEventOfItsOwn(const WatchedRelation& relation) {
  const bool is_written = relation.formula.type() == ValueType::kBoolean;
  return (is_written || !relation.is_kink) && relation.event.empty();
}

// The relation's value as the equations of an event have taken it, which
// differs from `holds` where rounding decides.
bool IsTaken(const EventState& state, std::size_t relation, bool holds) {
  const std::uint32_t slot = state.operands[relation].truth;
  return slot == EventState::kNoSlot ||
                 (state.evaluator.memory()[slot] != 0) == holds
             ? holds
             : holds != IsTie(state, relation);
}

double ForeseePart(EventState& state,
                   const DenseOutput& dense,
                   StepPart part,
                   std::span<const std::size_t> ignored) {
  state.foreseen = state.truths;
  state.search->LetRearm(true);
  state.search->Ignore(ignored);
  const double first = state.search->First(
      dense, part.begin, part.end, state.foreseen, state.evaluator.memory());
  state.search->Ignore({});
  return first;
}

// Only logic follows from re-arming.
void RearmRelations(EventState& state, std::span<const Rearmed> relations) {
  const std::span<double> memory = state.evaluator.memory();
  for (const Rearmed& one : relations) {
    const WatchedRelation& relation = state.events.relations[one.relation];
    memory[relation.rearming->truth_slot] = state.truths[one.relation];
  }
  do {
    CopyPre(state, state.events.rearming_pre);
    static_cast<void>(state.evaluator.Run(state.events.rearming));
  } while (HasPreChanged(state, state.events.rearming_pre));
}

}  // namespace

std::optional<Failure> EvaluateOperands(EventState& state) {
  return state.events.watch_section
             ? state.evaluator.RunSection(*state.events.watch_section)
             : state.evaluator.Run(state.events.watch_schedule);
}

bool HoldsNow(const EventState& state, std::size_t relation) {
  const RelationOperands& operands = state.operands[relation];
  const std::span<const double> memory = state.evaluator.memory();
  const double left = memory[operands.left];
  const double right = memory[operands.right];
  return left < right || (left == right && !operands.is_strict);
}

bool IsTie(const EventState& state, std::size_t relation) {
  const double left = state.evaluator.memory()[state.operands[relation].left];
  const double right = state.evaluator.memory()[state.operands[relation].right];
  return std::abs(left - right) <= TieBetween(left, right);
}

bool DisagreeByRounding(EventState& state) {
  if (EvaluateOperands(state)) {
    return false;
  }
  bool any = false;
  for (std::size_t k = 0; k < state.operands.size(); ++k) {
    const std::uint32_t slot = state.operands[k].truth;
    const bool differs =
        slot != EventState::kNoSlot &&
        (state.evaluator.memory()[slot] != 0) != HoldsNow(state, k);
    if (differs && !IsTie(state, k)) {
      return false;
    }
    any = any || differs;
  }
  return any;
}

bool CountTie(EventState& state) {
  constexpr int kMost = 100;
  constexpr double kOneTime = 1e-13;  // Relative to time.
  const double t = state.evaluator.t();
  state.ties.in_a_row = t - state.ties.last <= kOneTime * std::abs(t)
                            ? state.ties.in_a_row + 1
                            : 0;
  state.ties.last = t;
  return state.ties.in_a_row <= kMost;
}

bool AreOperandsApart(EventState& state, double allowed) {
  if (EvaluateOperands(state)) {
    return false;
  }
  return std::ranges::any_of(state.last_changed, [&](std::size_t k) {
    const double left = state.evaluator.memory()[state.operands[k].left];
    const double right = state.evaluator.memory()[state.operands[k].right];
    return std::abs(left - right) >
           std::max(
               allowed,
               kRoundingOfOperands * std::max(std::abs(left), std::abs(right)));
  });
}

std::vector<std::size_t> ChangedRelations(EventState& state) {
  std::vector<std::size_t> changed;
  if (EvaluateOperands(state)) {
    return changed;
  }
  for (std::size_t k = 0; k < state.truths.size(); ++k) {
    if (HoldsNow(state, k) != (state.truths[k] != 0)) {
      changed.push_back(k);
    }
  }
  return changed;
}

bool UpdateTruths(EventState& state, EventOutcome& outcome) {
  if (!state.has_relations()) {
    return true;
  }
  if (const auto failure = EvaluateOperands(state)) {
    return FailEvent(state, *failure, outcome);
  }
  bool is_first = true;
  for (std::size_t k = 0; k < state.truths.size(); ++k) {
    const bool is_so = HoldsNow(state, k);
    const bool holds = IsTaken(state, k, is_so);
    if (holds != is_so) {
      state.search->Calm(k);  // Else it would change at once.
    }
    if (holds == (state.truths[k] != 0)) {
      continue;
    }
    if (std::exchange(is_first, false)) {
      state.last_changed.clear();
    }
    state.truths[k] = holds ? 1 : 0;
    state.last_changed.push_back(k);
    if (state.has_started && IsEventOfItsOwn(state.events.relations[k])) {
      state.notes.AddRelation(k, holds, state.evaluator.t());
    }
    outcome.restarts = outcome.restarts || (state.events.relations[k].is_kink &&
                                            state.events.relations[k].acts);
    outcome.has_changed = true;
  }
  return true;
}

double FindFirstChange(EventState& state,
                       const DenseOutput& dense,
                       double begin,
                       double end,
                       bool may_rearm) {
  state.search->LetRearm(may_rearm);
  const double first = state.search->First(
      dense, begin, end, state.truths, state.evaluator.memory());
  if (!state.search->rearmed().empty()) {
    RearmRelations(state, state.search->rearmed());
  }
  return first;
}

double ForeseeChange(EventState& state,
                     const DenseOutput& dense,
                     double begin,
                     double end,
                     bool kinks_only) {
  return ForeseePart(state,
                     dense,
                     {begin, end},
                     kinks_only ? state.no_kinks : state.watched_only);
}

double ForeseeKink(EventState& state,
                   const DenseOutput& dense,
                   double begin,
                   double end,
                   double but_at) {
  state.search->LookAt(but_at);
  state.ignored = state.no_kinks;
  for (std::size_t k = 0; k < state.truths.size(); ++k) {
    if (state.events.relations[k].is_kink && state.search->IsDifferent(k)) {
      state.ignored.push_back(k);
    }
  }
  return ForeseePart(state, dense, {begin, end}, state.ignored);
}

}  // namespace orrery::sim::internal
