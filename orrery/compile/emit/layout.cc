#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/emit/emit.h"

namespace orrery::compile::internal {

std::uint32_t Layout::Place(Expr symbol) {
  const std::uint32_t ordinal = graph_.SymbolOrdinal(symbol);
  if (ordinal >= slots_.size()) {
    slots_.resize(graph_.num_symbols(), TapeBuilder::kNoSlot);
  }
  if (slots_[ordinal] == TapeBuilder::kNoSlot) {
    slots_[ordinal] = next_;
    next_ += static_cast<std::uint32_t>(NumElements(symbol.shape()));
  }
  return slots_[ordinal];
}

bool Layout::Has(Expr symbol) const {
  const std::uint32_t ordinal = graph_.SymbolOrdinal(symbol);
  return ordinal < slots_.size() && slots_[ordinal] != TapeBuilder::kNoSlot;
}

std::uint32_t Layout::SlotOf(Expr symbol) const {
  ORRERY_CHECK(Has(symbol));
  return slots_[graph_.SymbolOrdinal(symbol)];
}

Reference Layout::PlaceOf(const System& system, std::uint32_t scalar) const {
  const Alias alias = system.aliases[scalar];
  const Scalar& kept = system.scalars[alias.scalar];
  return {.slot = SlotOf(kept.symbol) + kept.element,
          .sign = alias.sign > 0 ? 1.0F : -1.0F};
}

Reference Layout::PlaceOf(const System& system,
                          std::uint32_t scalar,
                          std::uint32_t element) const {
  Reference place = PlaceOf(system, scalar);
  place.slot += element - system.scalars[scalar].element;
  return place;
}

std::vector<std::uint32_t> Layout::Slots() const {
  std::vector<std::uint32_t> slots = slots_;
  slots.resize(graph_.num_symbols(), TapeBuilder::kNoSlot);
  return slots;
}

std::size_t SectionWriter::Add(std::vector<TapeAssignment> assignments,
                               std::vector<ScheduledEquation> equations) {
  sections_.push_back(std::move(assignments));
  program_.section_equations.push_back(std::move(equations));
  return sections_.size() - 1;
}

void SectionWriter::AddTo(Schedule& schedule,
                          std::vector<TapeAssignment> assignments,
                          std::vector<ScheduledEquation> equations) {
  if (assignments.empty()) {
    return;
  }
  const bool follows_section =
      !schedule.empty() && schedule.back().kind == ScheduleStep::Kind::kSection;
  if (follows_section && equations.empty()) {
    auto& section = sections_[schedule.back().index];
    std::ranges::move(assignments, std::back_inserter(section));
    return;
  }
  schedule.push_back(
      {.kind = ScheduleStep::Kind::kSection,
       .index = Add(std::move(assignments), std::move(equations))});
}

void SectionWriter::AddSteps(std::span<const Step> steps, Schedule& schedule) {
  std::vector<TapeAssignment> assignments;
  std::vector<ScheduledEquation> equations;
  assignments.reserve(steps.size());
  equations.reserve(steps.size());
  for (const Step& step : steps) {
    if (step.equation != nullptr) {
      AddAssignment({.target = system_.scalars[step.equation->scalar].key,
                     .value = step.equation->value,
                     .iterators = system_.IteratorsOf(step.equation->scalar)},
                    system_.origins[step.equation->origin],
                    assignments,
                    equations);
      continue;
    }
    AddTo(
        schedule, std::exchange(assignments, {}), std::exchange(equations, {}));
    schedule.push_back(
        {.kind = ScheduleStep::Kind::kBlock, .index = step.block});
  }
  AddTo(schedule, std::move(assignments), std::move(equations));
}

std::span<const Expr> FormulasOf(const Step& step) {
  return step.equation != nullptr ? std::span(&step.equation->value, 1)
                                  : std::span(step.loop->residuals);
}

StepSearch::StepSearch(System& system, std::span<const Step> steps)
    : system_(system),
      steps_(steps),
      step_of_(system.scalars.size(), kNone),
      found_in_(steps.size(), 0) {
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].equation != nullptr) {
      step_of_[steps[i].equation->scalar] = i;
      continue;
    }
    for (const std::uint32_t scalar : steps[i].loop->torn) {
      step_of_[scalar] = i;
    }
  }
}

std::vector<std::uint32_t> StepSearch::For(std::vector<std::uint32_t> scalars) {
  ++search_;
  std::vector<std::uint32_t> found;
  while (!scalars.empty()) {
    const std::uint32_t step = step_of_[scalars.back()];
    scalars.pop_back();
    if (step == kNone || found_in_[step] == search_) {
      continue;
    }
    found_in_[step] = search_;
    found.push_back(step);
    const auto inside = system_.walk.Scalars(FormulasOf(steps_[step]));
    scalars.insert(scalars.end(), inside.begin(), inside.end());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<bool> FindNeeded(System& system,
                             std::span<const Step> steps,
                             std::span<const std::uint32_t> scalars) {
  std::vector<bool> is_needed(steps.size());
  StepSearch search(system, steps);
  for (const std::uint32_t i : search.For({scalars.begin(), scalars.end()})) {
    is_needed[i] = true;
  }
  return is_needed;
}

std::uint32_t SlotFor(System& system,
                      Layout& layout,
                      Expr formula,
                      std::string name,
                      std::vector<TapeAssignment>& assignments) {
  if (const std::uint32_t scalar = system.ScalarAt(formula); scalar != kNone) {
    return layout.PlaceOf(system, scalar).slot;
  }
  const Expr target = system.graph.Symbol(
      {.name = std::move(name), .type = formula.type(), .shape = {}});
  assignments.push_back({.target = target, .value = formula, .iterators = {}});
  return layout.Place(target);
}

void AddAssignment(TapeAssignment assignment,
                   const Origin& origin,
                   std::vector<TapeAssignment>& assignments,
                   std::vector<ScheduledEquation>& equations) {
  equations.push_back(
      {.target = assignment.target,
       .value = assignment.value,
       .iterators = assignment.iterators,
       .span = origin.span != nullptr ? *origin.span : SourceSpan{},
       .path = origin.path});
  assignments.push_back(std::move(assignment));
}

void SectionWriter::Finish(const Layout& layout) {
  TapeBuilder builder(system_.graph, layout.Slots(), layout.num_slots());
  for (std::size_t v = 0; v < system_.model.variables.size(); ++v) {
    const Variable& variable = system_.model.variables[v];
    if (IsParameter(variable) && system_.first_scalar[v] == kNone &&
        !variable.symbol.is_scalar()) {
      builder.Settle(variable.symbol);
    }
  }
  for (auto& section : sections_) {
    builder.AddSection(std::exchange(section, {}));
  }
  program_.tape = std::make_shared<const Tape>(std::move(builder).Finish());
}

namespace {

// Returns the ranges of adjacent marked slots.
std::vector<SlotRange> RangesOf(const std::vector<bool>& is_marked) {
  std::vector<SlotRange> ranges;
  for (std::uint32_t slot = 0; slot < is_marked.size(); ++slot) {
    if (!is_marked[slot]) {
      continue;
    }
    if (slot == 0 || !is_marked[slot - 1]) {
      ranges.push_back({.begin = slot});
    }
    ranges.back().end = slot + 1;
  }
  return ranges;
}

}  // namespace

void FindSlotsOfVariables(Program& program) {
  std::vector<bool> is_constant(program.initial_memory.size());
  std::vector<bool> varies(program.initial_memory.size());
  for (const ProgramVariable& variable : program.variables) {
    const auto references =
        std::span(program.references)
            .subspan(variable.first_reference,
                     static_cast<std::size_t>(NumElements(variable.shape)));
    for (const Reference& at : references) {
      if (variable.kind <= VariableKind::kParameter) {
        is_constant[at.slot] = true;
      } else if (!std::isnan(program.initial_memory[at.slot])) {
        varies[at.slot] = true;
      }
    }
    program.has_integers =
        program.has_integers || variable.type == ValueType::kInteger;
  }
  program.constant_slots = RangesOf(is_constant);
  program.varying_slots = RangesOf(varies);
}

}  // namespace orrery::compile::internal
