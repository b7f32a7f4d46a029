#include "orrery/sim/events/quantity_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/sim/crossings/part_search.h"

namespace orrery::sim::internal {
namespace {

// The slots of what is computed by the schedules, beside the states.
std::vector<bool> FindComputed(const Program& program) {
  std::vector<bool> is_computed(program.initial_memory.size());
  for (const ProgramVariable& variable : program.variables) {
    if (variable.kind != VariableKind::kAlgebraic &&
        variable.kind != VariableKind::kDerivative) {
      continue;
    }
    const auto size = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; i < size; ++i) {
      is_computed[program.references[variable.first_reference + i].slot] = true;
    }
  }
  for (const auto* slots : {&program.state_slots, &program.input_slots}) {
    for (const std::uint32_t slot : *slots) {
      is_computed[slot] = false;
    }
  }
  return is_computed;
}

// The sections that compute all; none if loops have to be solved in between.
std::optional<std::vector<std::size_t>> FindSections(const Program& program) {
  std::vector<std::size_t> sections;
  for (const Schedule* schedule : {&program.derivatives, &program.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      if (step.kind != ScheduleStep::Kind::kSection) {
        return std::nullopt;
      }
      sections.push_back(step.index);
    }
  }
  return sections;
}

}  // namespace

QuantityWatch::QuantityWatch(ProgramEvaluator& evaluator,
                             InputSignals& inputs,
                             std::function<void()> evaluate)
    : evaluator_(evaluator),
      is_computed_(FindComputed(evaluator.program())),
      sections_(FindSections(evaluator.program())),
      search_(
          {.runner = &evaluator.sections(),
           .sections = std::vector<std::size_t>(),
           .evaluate = std::move(evaluate),
           .time_slot = evaluator.program().time_slot,
           .state_slots = evaluator.program().state_slots,
           .inputs = &inputs,
           .input_slots = evaluator.program().input_slots,
           .delays = evaluator.delays().empty() ? nullptr : &evaluator.delays(),
           .relations = {},
           .bounds = {}}) {}

QuantityWatch::Entry& QuantityWatch::Add(const QuantityRelation& relation) {
  is_new_ = true;
  entries_.push_back(std::make_unique<Entry>());
  entries_.back()->relation = relation;
  entries_.back()->holds = Holds(relation);
  return *entries_.back();
}

bool QuantityWatch::Holds(const QuantityRelation& relation) const noexcept {
  const double value = std::as_const(evaluator_).memory()[relation.slot];
  const double bound = relation.bound.At(evaluator_.t());
  return (relation.is_strict ? value < bound : value <= bound) !=
         relation.is_inverted;
}

bool QuantityWatch::HasChanged() const noexcept {
  return std::ranges::any_of(entries_, [this](const auto& entry) {
    return entry->has_passed || Holds(entry->relation) != entry->holds;
  });
}

void QuantityWatch::NotePassed() noexcept {
  for (const auto& entry : entries_) {
    entry->has_passed =
        entry->has_passed || Holds(entry->relation) != entry->holds;
  }
}

void QuantityWatch::NoteSeen() noexcept {
  for (const auto& entry : entries_) {
    const QuantityRelation& relation = entry->relation;
    const double value = std::as_const(evaluator_).memory()[relation.slot];
    const double bound = relation.bound.At(evaluator_.t());
    const double rounding =
        kRoundingOfOperands * std::max(std::abs(value), std::abs(bound));
    const bool is_back =
        Holds(relation) == entry->holds && std::abs(value - bound) > rounding;
    const bool was_seen = std::exchange(entry->was_seen, false);
    entry->has_passed = entry->has_passed || (was_seen && is_back);
  }
}

void QuantityWatch::Renew() {
  std::vector<WatchedRelation> relations;
  std::vector<Curve> bounds;
  bool needs_sections = false;
  for (const auto& entry : entries_) {
    WatchedRelation& relation = relations.emplace_back();
    relation.left_slot = entry->relation.slot;
    relation.is_strict = entry->relation.is_strict;
    bounds.push_back(entry->relation.bound);
    needs_sections = needs_sections || is_computed_[entry->relation.slot];
  }
  search_.Watch(std::move(relations),
                std::move(bounds),
                needs_sections ? sections_ : std::vector<std::size_t>());
  truths_.resize(entries_.size());
  is_new_ = false;
}

double QuantityWatch::First(const DenseOutput& dense,
                            double begin,
                            double end) {
  if (entries_.empty()) {
    return kNever;
  }
  if (is_new_) {
    Renew();
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    truths_[i] =
        entries_[i]->holds != entries_[i]->relation.is_inverted ? 1 : 0;
  }
  const double first =
      search_.First(dense, begin, end, truths_, evaluator_.memory());
  if (first < kNever) {
    search_.LookAt(first);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i]->was_seen = search_.IsDifferent(i);
    }
  }
  return first;
}

}  // namespace orrery::sim::internal
