#include "orrery/compile/emit/section_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace orrery::compile::internal {

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

}  // namespace orrery::compile::internal
