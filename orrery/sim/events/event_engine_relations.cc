// Relations between events and in them.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "orrery/sim/events/event_engine.h"

namespace orrery::internal {
namespace {

// A kink of max() and the like is no event of its own.
bool IsEventOfItsOwn(const WatchedRelation& relation) {
  const bool is_written = relation.formula.type() == ValueType::kBoolean;
  return (is_written || !relation.is_kink) && relation.event.empty();
}

}  // namespace

std::optional<Failure> EventEngine::EvaluateOperands() {
  return events_.watch_section ? machine_.RunSection(*events_.watch_section)
                               : machine_.Run(events_.watch_schedule);
}

bool EventEngine::Holds(std::size_t relation) const {
  const Operands& operands = operands_[relation];
  const std::span<const double> memory = machine_.memory();
  const double left = memory[operands.left];
  const double right = memory[operands.right];
  return left < right || (left == right && !operands.is_strict);
}

// The relation's value as the equations of an event have taken it, which
// differs from `holds` where rounding decides.
bool EventEngine::IsTaken(std::size_t relation, bool holds) const {
  const std::uint32_t slot = operands_[relation].truth;
  return slot == kNoSlot || (machine_.memory()[slot] != 0) == holds
             ? holds
             : holds != IsTie(relation);
}

// True if all relations that differ from their copies in the equations are
// ties, as for two diodes in series at the end of a current.
bool EventEngine::DisagreeByRounding() {
  if (EvaluateOperands()) {
    return false;
  }
  bool any = false;
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    const std::uint32_t slot = operands_[k].truth;
    const bool differs =
        slot != kNoSlot && (machine_.memory()[slot] != 0) != Holds(k);
    if (differs && !IsTie(k)) {
      return false;
    }
    any = any || differs;
  }
  return any;
}

// @returns false if too many ties follow each other at one time: then it is not
//     rounding that decides.
bool EventEngine::CountTie() {
  constexpr int kMost = 100;
  constexpr double kOneTime = 1e-13;  // Relative to time.
  const double t = machine_.t();
  ties_ = t - last_tie_ <= kOneTime * std::abs(t) ? ties_ + 1 : 0;
  last_tie_ = t;
  return ties_ <= kMost;
}

bool EventEngine::IsTie(std::size_t relation) const {
  const double left = machine_.memory()[operands_[relation].left];
  const double right = machine_.memory()[operands_[relation].right];
  return std::abs(left - right) <= TieBetween(left, right);
}

bool EventEngine::AreApart(double allowed) {
  if (EvaluateOperands()) {
    return false;
  }
  return std::ranges::any_of(last_changed_, [&](std::size_t k) {
    const double left = machine_.memory()[operands_[k].left];
    const double right = machine_.memory()[operands_[k].right];
    return std::abs(left - right) >
           std::max(
               allowed,
               kRoundingOfOperands * std::max(std::abs(left), std::abs(right)));
  });
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

bool EventEngine::GiveUpRestlessKinks(Pace pace) {
  constexpr int kMostBack = 10;
  const auto is_kink = [this](std::size_t k) {
    return events_.relations[k].is_kink;
  };
  if (last_changed_.empty() || !std::ranges::all_of(last_changed_, is_kink)) {
    last_kinks_.clear();
    return false;
  }
  const bool are_back = pace == Pace::kAtOnce && last_changed_ == last_kinks_;
  kinks_back_ += are_back ? 1 : 0;
  last_kinks_ = last_changed_;
  const bool are_restless =
      pace == Pace::kWithoutEnd || (are_back && kinks_back_ >= kMostBack);
  if (are_restless) {
    search_->GiveUp(last_changed_);
    std::ranges::copy_if(
        last_changed_, std::back_inserter(given_up_), [this](std::size_t k) {
          return events_.relations[k].hold.has_value();
        });
    Release();
  }
  return are_restless;
}

// Lets the equations see relations that are given up as they are.
void EventEngine::Release() {
  for (const std::size_t k : given_up_) {
    const WatchedRelation::Hold& hold = *events_.relations[k].hold;
    machine_.memory()[hold.slot] = hold.steep_branch ? 0 : 1;
  }
}

bool EventEngine::IsAtOnce(double before) const {
  constexpr double kAtOnce = 1e-11;  // Relative to time.
  return machine_.t() - before <= kAtOnce * std::abs(machine_.t());
}

void EventEngine::CalmFlickering() {
  constexpr int kMostBack = 4;
  constexpr double kLong = 1e-5;  // Duration, relative to time.
  const double t = machine_.t();
  const bool any_at_once = std::ranges::any_of(
      last_changed_,
      [this](std::size_t k) { return IsAtOnce(flickers_[k].last); });
  if (any_at_once && EvaluateOperands()) {
    return;
  }
  for (const std::size_t k : last_changed_) {
    if (events_.relations[k].is_kink) {
      continue;
    }
    Flicker& flicker = flickers_[k];
    const bool is_back =
        IsAtOnce(flicker.last) && set_slots_.empty() && IsTie(k);
    flicker.changes = is_back ? flicker.changes + 1 : 0;
    flicker.last = t;
    if (flicker.changes >= kMostBack &&
        t - flicker.calmed > kLong * std::abs(t)) {
      flicker.calmed = t;
      search_->Calm(k);
    }
  }
}

bool EventEngine::TakeTruths(EventOutcome& outcome) {
  if (!has_relations()) {
    return true;
  }
  if (const auto failure = EvaluateOperands()) {
    return Fail(*failure, outcome);
  }
  bool is_first = true;
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    const bool is_so = Holds(k);
    const bool holds = IsTaken(k, is_so);
    if (holds != is_so) {
      search_->Calm(k);  // Else it would change at once.
    }
    if (holds == (truths_[k] != 0)) {
      continue;
    }
    if (std::exchange(is_first, false)) {
      last_changed_.clear();
    }
    truths_[k] = holds ? 1 : 0;
    last_changed_.push_back(k);
    if (has_started_ && IsEventOfItsOwn(events_.relations[k])) {
      notes_.AddRelation(k, holds, machine_.t());
    }
    outcome.restarts = outcome.restarts || (events_.relations[k].is_kink &&
                                            events_.relations[k].acts);
    outcome.has_changed = true;
  }
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

double EventEngine::FirstChange(const DenseOutput& dense,
                                double begin,
                                double end,
                                bool may_rearm) {
  search_->LetRearm(may_rearm);
  const double first =
      search_->First(dense, begin, end, truths_, machine_.memory());
  if (!search_->rearmed().empty()) {
    Rearm(search_->rearmed());
  }
  return first;
}

double EventEngine::Foresee(const DenseOutput& dense,
                            double begin,
                            double end,
                            bool kinks_only) {
  return Foresee(dense, {begin, end}, kinks_only ? no_kinks_ : watched_only_);
}

double EventEngine::Foresee(const DenseOutput& dense,
                            StepPart part,
                            std::span<const std::size_t> ignored) {
  foreseen_ = truths_;
  search_->LetRearm(true);
  search_->Ignore(ignored);
  const double first =
      search_->First(dense, part.begin, part.end, foreseen_, machine_.memory());
  search_->Ignore({});
  return first;
}

double EventEngine::ForeseeKink(const DenseOutput& dense,
                                double begin,
                                double end,
                                double but_at) {
  search_->LookAt(but_at);
  ignored_ = no_kinks_;
  for (std::size_t k = 0; k < truths_.size(); ++k) {
    if (events_.relations[k].is_kink && search_->IsDifferent(k)) {
      ignored_.push_back(k);
    }
  }
  return Foresee(dense, {begin, end}, ignored_);
}

// Only logic follows from re-arming.
void EventEngine::Rearm(std::span<const Rearmed> relations) {
  const std::span<double> memory = machine_.memory();
  for (const Rearmed& one : relations) {
    const WatchedRelation& relation = events_.relations[one.relation];
    memory[relation.rearming->truth_slot] = truths_[one.relation];
  }
  do {
    TakePre(events_.rearming_pre);
    static_cast<void>(machine_.Run(events_.rearming));
  } while (HasChanged(events_.rearming_pre));
}

}  // namespace orrery::internal
