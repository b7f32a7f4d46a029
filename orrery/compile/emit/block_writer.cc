#include "orrery/compile/emit/block_writer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "orrery/compile/emit/nominal_values.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/solve.h"
#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

void BlockWriter::NoteRelations(const SortedSystem& sorted) {
  std::unordered_map<std::uint32_t, std::uint32_t> truths;  // By result.
  for (const IteratedScalar& iterated : sorted.iterated) {
    truths.emplace(iterated.result, iterated.scalar);
  }
  for (const SortedEquation& item : sorted.equations) {
    const auto* const equation = std::get_if<ExplicitEquation>(&item);
    const auto truth =
        equation == nullptr ? truths.end() : truths.find(equation->scalar);
    if (truth != truths.end()) {
      const Expr key = system_.scalars[truth->second].key;
      relations_.insert_or_assign(key.id(), equation->value);
    }
  }
}

void BlockWriter::WriteHomotopy(const SortedSystem& sorted) {
  if (sorted.equations.empty()) {
    return;
  }
  HomotopyPath& path = program_.homotopy.emplace();
  path.part_slot = layout_.Place(system_.model.homotopy->part);
  NoteRelations(sorted);
  sections_.AddSteps(StepsOf(sorted.equations), path.schedule);
  for (const IteratedScalar& item : sorted.iterated) {
    path.iterates.push_back(
        {.slot = layout_.PlaceOf(system_, item.scalar).slot,
         .result_slot = layout_.PlaceOf(system_, item.result).slot});
  }
}

std::vector<Step> BlockWriter::StepsOf(
    const std::vector<SortedEquation>& sorted) {
  std::vector<Step> steps;
  steps.reserve(sorted.size());
  for (const SortedEquation& item : sorted) {
    if (const auto* equation = std::get_if<ExplicitEquation>(&item)) {
      steps.push_back({.equation = equation});
      continue;
    }
    const auto& loop = std::get<AlgebraicLoop>(item);
    steps.push_back({.loop = &loop, .block = BlockOf(loop)});
    for (const ExplicitEquation& equation : loop.inner) {
      steps.push_back({.equation = &equation});
    }
  }
  return steps;
}

// A loop that two schedules share is one block.
std::size_t BlockWriter::BlockOf(const AlgebraicLoop& loop) {
  std::vector<std::uint32_t> key = loop.torn;
  for (const Expr& residual : loop.residuals) {
    key.push_back(residual.id());
  }
  const auto [found, is_new] = blocks_.try_emplace(std::move(key));
  if (is_new) {
    found->second = WriteBlock(loop);
  }
  return found->second;
}

std::size_t BlockWriter::WriteBlock(const AlgebraicLoop& loop) {
  ResidualBlock block;
  NominalValues nominal(system_);
  block.is_linear = loop.is_linear;
  for (const std::uint32_t scalar : loop.torn) {
    block.unknowns.push_back(system_.scalars[scalar].key);
    block.unknown_slots.push_back(layout_.PlaceOf(system_, scalar).slot);
    block.nominal.push_back(
        nominal.Of(scalar, system_.scalars[scalar].element));
    block.members.push_back(system_.scalars[scalar].key);
  }
  for (const ExplicitEquation& equation : loop.inner) {
    block.members.push_back(system_.scalars[equation.scalar].key);
  }
  WriteResiduals(loop, block);
  WriteTruths(loop, block);
  WriteJacobian(loop, block);
  program_.blocks.push_back(std::move(block));
  return program_.blocks.size() - 1;
}

void BlockWriter::WriteResiduals(const AlgebraicLoop& loop,
                                 ResidualBlock& block) {
  std::vector<TapeAssignment> assignments;
  for (std::size_t i = 0; i < loop.residuals.size(); ++i) {
    const Expr target = system_.graph.Symbol(
        {.name = "residual", .type = ValueType::kReal, .shape = {}});
    block.residual_slots.push_back(layout_.Place(target));
    const Origin& origin = system_.origins[loop.residual_equations[i].origin];
    AddAssignment(
        {.target = target, .value = loop.residuals[i], .iterators = {}},
        origin,
        assignments,
        block.equations);
    block.equations.back().target = loop.residual_equations[i].left;
    block.equations.back().value = loop.residual_equations[i].right;
  }
  block.residual_section =
      sections_.Add(std::move(assignments), block.equations);
}

void BlockWriter::WriteTruths(const AlgebraicLoop& loop, ResidualBlock& block) {
  if (relations_.empty()) {
    return;
  }
  Substitution inner(system_.graph, {});
  for (const ExplicitEquation& equation : loop.inner) {
    inner.Add(system_.scalars[equation.scalar].key,
              inner.Apply(equation.value));
  }
  std::vector<TapeAssignment> assignments;
  for (const std::uint32_t id : Reachable(loop.residuals)) {
    const auto found = relations_.find(id);
    if (found == relations_.end()) {
      continue;
    }
    const std::array relation = {inner.Apply(found->second)};
    const auto nodes = Reachable(relation);
    if (std::ranges::any_of(block.unknowns, [&](Expr unknown) {
          return std::ranges::binary_search(nodes, unknown.id());
        })) {
      assignments.push_back({.target = system_.graph.At(id),
                             .value = relation[0],
                             .iterators = {}});
    }
  }
  if (!assignments.empty()) {
    block.truth_section = sections_.Add(std::move(assignments));
  }
}

void BlockWriter::WriteJacobian(const AlgebraicLoop& loop,
                                ResidualBlock& block) {
  std::vector<TapeAssignment> assignments;
  bool varies = false;
  UnknownFinder finder(system_, block.unknowns);
  for (std::uint32_t row = 0; row < loop.residuals.size(); ++row) {
    const auto found = finder.In({&loop.residuals[row], 1});
    const std::vector<std::uint32_t> columns(found.begin(), found.end());
    std::vector<Expr> unknowns;
    unknowns.reserve(columns.size());
    for (const std::uint32_t column : columns) {
      unknowns.push_back(block.unknowns[column]);
    }
    const std::vector<Expr> gradient = Gradient(loop.residuals[row], unknowns);
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      if (gradient[k].is_constant(0)) {
        continue;
      }
      const Expr target = system_.graph.Symbol(
          {.name = "slope", .type = ValueType::kReal, .shape = {}});
      block.entry_rows.push_back(row);
      block.entry_columns.push_back(columns[k]);
      block.entry_slots.push_back(layout_.Place(target));
      varies = varies || system_.walk.VariesBetweenEvents(gradient[k]);
      assignments.push_back(
          {.target = target, .value = gradient[k], .iterators = {}});
    }
  }
  block.has_constant_matrix = loop.is_linear && !varies;
  block.jacobian_section = sections_.Add(std::move(assignments));
}

}  // namespace orrery::compile::internal
