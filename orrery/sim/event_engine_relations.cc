// What relations do between and in events.

#include <algorithm>
#include <utility>

#include "orrery/sim/internal/event_engine.h"

namespace orrery::internal {
namespace {

bool IsEventOfItsOwn(const WatchedRelation& relation) {
  return !relation.is_kink && relation.event.empty();
}

bool IsUnarmed(const WatchedRelation& relation, bool holds) {
  return relation.rearming && relation.rearming->truth != holds;
}

}  // namespace

std::optional<Failure> EventEngine::EvaluateOperands() {
  return events_.watch_section ? machine_.RunSection(*events_.watch_section)
                               : machine_.Run(events_.watch_schedule);
}

bool EventEngine::Holds(std::size_t relation) const {
  const Operands& operands = operands_[relation];
  const double left = machine_.memory()[operands.left];
  const double right = machine_.memory()[operands.right];
  return operands.is_strict ? left < right : left <= right;
}

std::vector<std::size_t> EventEngine::ChangedRelations() {
  std::vector<std::size_t> changed;
  if (EvaluateOperands()) {
    return changed;
  }
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    if (Holds(k) != (truths_[k] != 0)) {
      changed.push_back(k);
    }
  }
  return changed;
}

bool EventEngine::TakeTruths(EventOutcome& outcome) {
  if (!has_relations()) {
    return true;
  }
  if (const auto failure = EvaluateOperands()) {
    return outcome.Fail(*failure);
  }
  bool is_first = true;
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    const bool holds = Holds(k);
    if (holds == (truths_[k] != 0)) {
      continue;
    }
    SetTruth(k, holds);
    if (std::exchange(is_first, false)) {
      last_changed_.clear();
    }
    last_changed_.push_back(k);
    if (has_started_ && IsEventOfItsOwn(events_.relations[k])) {
      notes_.AddRelation(k, holds, machine_.t());
    }
    outcome.restarts = outcome.restarts || events_.relations[k].is_kink;
    outcome.has_changed = true;
  }
  return true;
}

void EventEngine::CountUnarmed() {
  num_unarmed_ = 0;
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    num_unarmed_ += IsUnarmed(events_.relations[k], truths_[k] != 0) ? 1U : 0U;
  }
}

void EventEngine::SetTruth(std::size_t relation, bool holds) {
  const WatchedRelation& watched = events_.relations[relation];
  num_unarmed_ -= IsUnarmed(watched, truths_[relation] != 0) ? 1U : 0U;
  num_unarmed_ += IsUnarmed(watched, holds) ? 1U : 0U;
  truths_[relation] = holds ? 1 : 0;
}

bool EventEngine::Rearm() {
  if (EvaluateOperands()) {
    return false;
  }
  rearmed_.clear();
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    const bool holds = Holds(k);
    if (holds == (truths_[k] != 0)) {
      continue;
    }
    const auto& rearming = events_.relations[k].rearming;
    if (!rearming || rearming->truth != holds) {
      return false;
    }
    rearmed_.push_back(k);
  }
  for (const std::size_t k : rearmed_) {
    const WatchedRelation::Rearming& rearming = *events_.relations[k].rearming;
    SetTruth(k, rearming.truth);
    machine_.memory()[rearming.truth_slot] = rearming.truth ? 1 : 0;
  }
  do {
    TakePre();
    static_cast<void>(machine_.Run(events_.rearming));  // Mere logic.
  } while (HasChanged());
  return true;
}

bool EventEngine::Probe(std::span<std::uint8_t> truths) {
  const std::size_t noted = notes_.size();
  EventOutcome outcome;
  static_cast<void>(Iterate(outcome));
  notes_.Forget(noted);
  std::ranges::fill(is_due_, std::uint8_t{0});
  std::ranges::fill(is_due_next_, std::uint8_t{0});
  num_due_ = 0;
  num_due_next_ = 0;
  if (!outcome.is_done() || outcome.restarts || EvaluateOperands()) {
    return false;
  }
  for (std::size_t k = 0; k < truths.size(); ++k) {
    truths[k] = Holds(k) ? 1 : 0;
  }
  return true;
}

std::optional<double> EventEngine::FirstChange(const DenseOutput& dense,
                                               double begin,
                                               double end) {
  return search_->First(dense, begin, end, truths_, machine_.memory());
}

}  // namespace orrery::internal
