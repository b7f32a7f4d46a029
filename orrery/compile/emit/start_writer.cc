#include "orrery/compile/emit/start_writer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/compile/emit/section_writer.h"

namespace orrery::compile::internal {

void StartWriter::WriteStarts(StartTable& starts) {
  std::vector<bool> is_loop_unknown(layout_.num_slots());
  for (const ResidualBlock& block : program_.blocks) {
    for (const std::uint32_t slot : block.unknown_slots) {
      is_loop_unknown[slot] = true;
    }
  }
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    const Scalar& scalar = system_.scalars[i];
    if (system_.aliases[i].scalar != i || scalar.derivative_of != kNone ||
        scalar.pre_of != kNone || scalar.variable == kNone) {
      continue;
    }
    const std::uint32_t slot =
        layout_.SlotOf(system_.model.variables[scalar.variable].symbol) +
        scalar.element;
    if (system_.IsState(i) || starts[i].value || starts[i].holds ||
        is_loop_unknown[slot]) {
      WriteStart(starts, i);
    }
  }
  FinishBinding();
  std::ranges::sort(program_.starts, {}, &StartValue::target);
}

void StartWriter::WriteStart(StartTable& starts, std::uint32_t scalar) {
  const ScalarStart& start = starts[scalar];
  const Scalar& quantity = system_.scalars[scalar];
  const Expr all = starts.SymbolOf(system_, quantity.variable);
  const std::uint32_t start_slot = layout_.Place(all);
  const std::uint32_t own_slot =
      layout_.SlotOf(system_.model.variables[quantity.variable].symbol);
  const bool is_state = system_.IsState(scalar);
  const bool is_number = start.value && start.value.is_constant();
  if (system_.IsSlice(scalar)) {
    program_.starts.reserve(
        program_.starts.size() +
        static_cast<std::size_t>(system_.slices[quantity.slice].size()));
  }
  system_.ForEachRunOf(scalar, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
      program_.starts.push_back({.target = own_slot + i,
                                 .slot = start_slot + i,
                                 .role = start.holds ? StartValue::Role::kHolds
                                         : is_state
                                             ? StartValue::Role::kOverruled
                                             : StartValue::Role::kFirstGuess,
                                 .is_given = static_cast<bool>(start.value)});
    }
    if (is_number) {
      constants_.push_back({.slot = start_slot + first,
                            .count = count,
                            .value = start.value.value()});
    }
  });
  if (!start.value || is_number) {
    return;
  }
  CheckVaries(quantity.variable, start.value, "start value");
  if (binding_variable_ != quantity.variable) {
    FinishBinding();
    binding_variable_ = quantity.variable;
  }
  const Expr key = starts.KeyOf(system_, scalar);
  AddAssignment(
      {.target = key,
       .value = start.value,
       .iterators = system_.IteratorsOf(scalar)},
      {.span = &system_.model.variables[quantity.variable].notes->span,
       .path = {}},
      binding_.assignments,
      binding_.equations);
}

void StartWriter::FinishBinding() {
  if (!binding_.assignments.empty()) {
    Formulas formulas = std::exchange(binding_, {});
    program_.start_bindings.push_back(
        {.variable = binding_variable_,
         .section = sections_.Add(std::move(formulas.assignments),
                                  std::move(formulas.equations))});
  }
}

void StartWriter::CheckVaries(std::uint32_t variable,
                              Expr value,
                              std::string_view what) {
  if (!system_.walk.Varies(value)) {
    return;
  }
  const Variable& owner = system_.model.variables[variable];
  diagnostics_.Error(owner.notes->span,
                     "the " + std::string(what) + " of '" +
                         system_.graph.NameOf(owner.symbol) +
                         "' depends on a quantity that changes in a run",
                     what == "start value"
                         ? "use constants and parameters, or an initial "
                           "equation"
                         : "use constants and parameters");
}

void StartWriter::WriteLimits() {
  const auto& variables = system_.model.variables;
  for (std::uint32_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    const bool has_value =
        IsParameter(variable) || system_.first_scalar[v] != kNone;
    if ((variable.min || variable.max) && has_value) {
      AddLimits(v);
    }
  }
  if (!bounds_.assignments.empty()) {
    program_.limit_section = sections_.Add(std::move(bounds_.assignments),
                                           std::move(bounds_.equations));
  }
}

void StartWriter::AddLimits(std::uint32_t v) {
  const Variable& variable = system_.model.variables[v];
  Limits limits{.variable = v};
  if (variable.min) {
    limits.min = WriteBound(v, variable.min, "minimum");
  }
  if (variable.max) {
    limits.max = WriteBound(v, variable.max, "maximum");
  }
  program_.limits.push_back(limits);
}

Limits::Bound StartWriter::WriteBound(std::uint32_t variable,
                                      Expr value,
                                      std::string_view what) {
  const Variable& owner = system_.model.variables[variable];
  const auto name = system_.graph.NameOf(owner.symbol) +
                    (what == "minimum" ? ".min" : ".max");
  const auto place = [&] {
    return system_.graph.Symbol(
        {.name = name, .type = value.type(), .shape = value.shape()});
  };
  if (value.is_constant()) {
    const auto [found, is_new] = constant_slots_.try_emplace(value.value());
    if (is_new) {
      found->second = layout_.Place(place());
      constants_.push_back({.slot = found->second, .value = value.value()});
    }
    return {.slot = found->second};
  }
  CheckVaries(variable, value, what);
  const Expr target = place();
  bounds_.assignments.push_back(
      {.target = target, .value = value, .iterators = {}});
  bounds_.equations.push_back({.target = target,
                               .value = value,
                               .iterators = {},
                               .span = owner.notes->span,
                               .path = {}});
  return {.slot = layout_.Place(target), .stride = value.is_scalar() ? 0U : 1U};
}

void StartWriter::Evaluate() {
  std::vector<double>& memory = program_.initial_memory;
  for (const Constants& constants : constants_) {
    std::fill_n(
        memory.begin() + constants.slot, constants.count, constants.value);
  }
  for (const ParameterBinding& binding : program_.start_bindings) {
    program_.tape->Run(binding.section, memory.data());
  }
  for (const StartValue& start : program_.starts) {
    memory[start.target] = memory[start.slot];
  }
}

}  // namespace orrery::compile::internal
