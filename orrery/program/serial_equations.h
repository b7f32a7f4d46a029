#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/program/serial_fields.h"

namespace orrery::program::internal {

[[nodiscard]] inline bool IsPattern(const SparsityPattern& pattern) {
  if (pattern.column_starts.empty()) {
    return pattern.columns == 0 && pattern.row_indices.empty();
  }
  const std::vector<int>& starts = pattern.column_starts;
  bool holds =
      pattern.rows >= 0 && pattern.columns >= 0 &&
      starts.size() - 1 == static_cast<std::size_t>(pattern.columns) &&
      starts.front() == 0 &&
      static_cast<std::size_t>(starts.back()) == pattern.row_indices.size() &&
      std::is_sorted(starts.begin(), starts.end());
  for (const int row : pattern.row_indices) {
    holds = holds && row >= 0 && row < pattern.rows;
  }
  return holds;
}

template <typename Stream>
void One(FieldStream<Stream>& fields, ParameterBinding& binding) {
  fields.Variable(binding.variable);
  fields.Section(binding.section);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, StartValue& start) {
  fields.Slot(start.target);
  fields.Slot(start.slot);
  fields.stream().Choice(start.role, StartValue::Role::kFirstGuess);
  fields.stream().Truth(start.is_given);
}

template <typename Stream>
void Bound(FieldStream<Stream>& fields, Limits::Bound& bound) {
  fields.SlotOrNone(bound.slot);
  fields.stream().Number(bound.stride);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Limits& limits) {
  fields.Variable(limits.variable);
  Bound(fields, limits.min);
  Bound(fields, limits.max);
  const auto count = static_cast<std::size_t>(
      NumElements(fields.program().variables[limits.variable].shape));
  for (const Limits::Bound& bound : {limits.min, limits.max}) {
    fields.stream().Expect(
        bound.slot == Limits::kNone ||
            (bound.stride <= 1 && bound.slot + bound.stride * count <=
                                      fields.program().tape->memory_size()),
        "a place outside");
  }
}

template <typename Stream>
void One(FieldStream<Stream>& fields, LoopDeterminant::Gain& gain) {
  fields.Formula(gain.parameter);
  fields.Slot(gain.slot);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, LoopDeterminant& determinant) {
  fields.Slot(determinant.slot);
  fields.Slot(determinant.terms_slot);
  fields.stream().Truth(determinant.is_of_start);
  fields.stream().Truth(determinant.is_homogeneous);
  fields.All(determinant.gains);
  fields.All(determinant.equations);
  fields.All(determinant.members);
}

template <typename Stream>
void Starts(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.All(p.parameter_bindings);
  fields.All(p.starts);
  fields.All(p.start_bindings);
  fields.All(p.limits);
  fields.Section(p.limit_section);
  fields.All(p.determinants);
  // It is none without determinants.
  fields.stream().Number(p.determinant_section);
  fields.stream().Expect(
      p.determinants.empty() || p.determinant_section < p.tape->num_sections(),
      "a number outside");
}

template <typename Stream>
void One(FieldStream<Stream>& fields, ResidualBlock& block) {
  fields.Slots(block.unknown_slots);
  fields.Slots(block.residual_slots);
  fields.Section(block.residual_section);
  fields.Section(block.truth_section);
  fields.Section(block.jacobian_section);
  fields.stream().Numbers(block.entry_rows);
  fields.stream().Numbers(block.entry_columns);
  fields.Slots(block.entry_slots);
  fields.stream().Numbers(block.nominal);
  fields.stream().Truth(block.is_linear);
  fields.stream().Truth(block.has_constant_matrix);
  fields.All(block.equations);
  fields.All(block.unknowns);
  fields.All(block.members);
  const std::size_t size = block.unknown_slots.size();
  fields.stream().Expect(
      block.residual_slots.size() == size && block.nominal.size() == size &&
          block.entry_rows.size() == block.entry_slots.size() &&
          block.entry_columns.size() == block.entry_slots.size(),
      "a loop of other sizes");
  for (std::size_t k = 0; k < block.entry_slots.size(); ++k) {
    fields.stream().Expect(
        block.entry_rows[k] < size && block.entry_columns[k] < size,
        "an entry outside of its matrix");
  }
}

template <typename Stream>
void Schedules(FieldStream<Stream>& fields) {
  Program& p = fields.program();
  fields.Steps(p.initialization);
  if (fields.Has(p.homotopy)) {
    fields.Steps(p.homotopy->schedule);
    fields.All(p.homotopy->iterates);
    fields.Slot(p.homotopy->part_slot);
  }
  fields.Steps(p.derivatives);
  fields.Steps(p.outputs);
  fields.All(p.constraints.constraints);
  fields.Steps(p.constraints.schedule);
  fields.stream().Numbers(p.constraints.is_start_fixed);
  fields.stream().Numbers(p.constraints.state_levels);
  for (const auto* of_states :
       {&p.constraints.is_start_fixed, &p.constraints.state_levels}) {
    fields.stream().Expect(
        of_states->empty() || of_states->size() == p.state_slots.size(),
        "constraints of other states");
  }
  fields.stream().Expect(
      p.constraints.constraints.empty() || !p.constraints.state_levels.empty(),
      "constraints of other states");
}

template <typename Stream>
void One(FieldStream<Stream>& fields, StateConstraint& constraint) {
  fields.Slot(constraint.residual_slot);
  One(fields, constraint.equation);
  fields.stream().Number(constraint.level);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, TangentProgram::Block& block) {
  fields.IndexBelow(block.block, fields.program().blocks.size());
  fields.Section(block.rhs_section);
  fields.Slots(block.rhs_slots);
  fields.Slots(block.tangent_slots);
  const std::size_t size =
      fields.program().blocks[block.block].unknown_slots.size();
  fields.stream().Expect(
      block.rhs_slots.size() == size && block.tangent_slots.size() == size,
      "a loop of other sizes");
}

template <typename Stream>
void TangentsOf(FieldStream<Stream>& fields, TangentProgram& tangents) {
  fields.Slots(tangents.seed_slots);
  fields.All(tangents.results);
  fields.All(tangents.blocks);
  fields.Steps(tangents.at_point);
  fields.Steps(tangents.schedule, tangents.blocks.size());
}

template <typename Stream>
void Pattern(FieldStream<Stream>& fields, SparsityPattern& pattern) {
  fields.stream().Number(pattern.rows);
  fields.stream().Number(pattern.columns);
  fields.stream().Numbers(pattern.column_starts);
  fields.stream().Numbers(pattern.row_indices);
  fields.stream().Expect(IsPattern(pattern), "a pattern of no matrix");
}

}  // namespace orrery::program::internal
