#include "orrery/fmi/exchange/exchange_layout.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "orrery/fmi/clocks/running_clocks.h"

namespace orrery::fmi {
namespace {

bool IsSettable(const Variable& variable) {
  return variable.causality == Causality::kParameter &&
         variable.variability != Variability::kConstant;
}

// The variable with the lowest rank stands for all that share its reference.
int RankOf(const Variable& variable, bool is_state) {
  if (is_state) {
    return 0;
  }
  switch (variable.causality) {
    case Causality::kInput:
      return 1;
    case Causality::kParameter:
      return 2;
    case Causality::kOutput:
      return 3;
    default:
      return 4;
  }
}

// By variable, the one that stands for it.
std::vector<VariableIndex> FindRepresentatives(
    const Description& description, const std::vector<bool>& are_states) {
  std::vector<VariableIndex> result(description.variables.size());
  for (VariableIndex i = 0; i < result.size(); ++i) {
    result[i] = i;
  }
  const auto rank = [&](VariableIndex i) {
    return RankOf(description.variables[i], are_states[i]);
  };
  for (VariableIndex i = 0; i < result.size(); ++i) {
    if (const auto& base = description.variables[i].alias_of) {
      VariableIndex& best = result[*base];
      best = rank(i) < rank(best) ? i : best;
    }
  }
  for (VariableIndex i = 0; i < result.size(); ++i) {
    if (const auto& base = description.variables[i].alias_of) {
      result[i] = result[*base];
    }
  }
  return result;
}

// True for what an FMU computes from a start that can be set.
bool HasOwnStart(const Variable& variable) {
  return variable.initial == Initial::kExact && !variable.alias_of &&
         IsNumber(variable.type) && SizeOf(variable) > 0 &&
         variable.variability != Variability::kConstant &&
         (variable.causality == Causality::kOutput ||
          variable.causality == Causality::kLocal);
}

// By variable of a row of inputs, whether an unknown depends directly on it.
// One that is not listed depends on all.
std::vector<std::uint8_t> InputsOf(const Description& description,
                                   const std::vector<Unknown>& unknowns,
                                   const VariableRow& inputs,
                                   VariableIndex unknown) {
  std::vector<std::uint8_t> uses(inputs.variables().size(), 1);
  const auto known = std::ranges::find(unknowns, unknown, &Unknown::variable);
  if (known == unknowns.end() || !known->dependencies) {
    return uses;
  }
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const bool is_used = std::ranges::any_of(
        *known->dependencies, [&](VariableIndex dependency) {
          return description.variables[dependency].reference ==
                     description.variables[inputs.variables()[k]].reference &&
                 description.variables[dependency].type ==
                     description.variables[inputs.variables()[k]].type;
        });
    uses[k] = is_used ? 1 : 0;
  }
  return uses;
}

std::vector<VariableIndex> TriggeredClocksOf(const Description& description) {
  std::vector<VariableIndex> triggered;
  for (const InputClock& clock :
       InputClocksOf(description, description.model_name)) {
    if (clock.kind == IntervalVariability::kTriggered) {
      triggered.push_back(clock.variable);
    }
  }
  return triggered;
}

template <typename T>
std::pair<double, double> LimitsOf() {
  return {static_cast<double>(std::numeric_limits<T>::min()),
          static_cast<double>(std::numeric_limits<T>::max())};
}

}  // namespace

std::optional<std::pair<double, double>> WholeLimits(const Description& its,
                                                     const Variable& variable) {
  switch (variable.type) {
    case ValueType::kInt8:
      return LimitsOf<std::int8_t>();
    case ValueType::kUInt8:
      return LimitsOf<std::uint8_t>();
    case ValueType::kInt16:
      return LimitsOf<std::int16_t>();
    case ValueType::kUInt16:
      return LimitsOf<std::uint16_t>();
    case ValueType::kInt32:
      return LimitsOf<std::int32_t>();
    case ValueType::kUInt32:
      return LimitsOf<std::uint32_t>();
    case ValueType::kEnumeration:
      break;
    default:
      return std::nullopt;
  }
  if (!variable.declared_type ||
      its.types[*variable.declared_type].items.empty()) {
    return std::nullopt;
  }
  const auto [least, greatest] = std::ranges::minmax(
      its.types[*variable.declared_type].items, {}, &EnumerationItem::value);
  return std::pair(static_cast<double>(least.value),
                   static_cast<double>(greatest.value));
}

void VariableRow::Add(const Description& description, VariableIndex variable) {
  variables_.push_back(variable);
  places_.push_back(size_);
  const std::vector<ReferenceGroup> groups =
      GroupByType(description, {&variable, 1}, {&size_, 1});
  single_.push_back(groups.front());
  size_ += SizeOf(description.variables[variable]);
}

std::vector<ReferenceGroup> VariableRow::Groups(
    const Description& description) const {
  return GroupByType(description, variables_, places_);
}

std::vector<std::uint32_t> VariableRow::References(
    const Description& description) const {
  std::vector<std::uint32_t> references;
  for (const VariableIndex variable : variables_) {
    references.push_back(description.variables[variable].reference);
  }
  return references;
}

std::vector<double> VariableRow::Starts(const Description& description) const {
  std::vector<double> starts;
  for (const VariableIndex variable : variables_) {
    const auto numbers = StartNumbers(description.variables[variable]);
    starts.insert(starts.end(), numbers.begin(), numbers.end());
  }
  return starts;
}

ExchangeLayout::ExchangeLayout(const Description& description,
                               InterfaceKind kind)
    : is_stepped(kind == InterfaceKind::kCoSimulation),
      triggered_clocks(TriggeredClocksOf(description)),
      told_clocks(ToldClocksOf(description)) {
  AddStates(description);
  std::vector<bool> are_states(description.variables.size());
  std::map<VariableIndex, std::size_t> number_of;  // Numbers of states.
  for (std::size_t k = 0; k < states.variables().size(); ++k) {
    are_states[states.variables()[k]] = true;
    number_of.emplace(states.variables()[k], k);
  }
  std::vector<VariableIndex> others;
  const std::vector<VariableIndex> representatives =
      FindRepresentatives(description, are_states);
  for (VariableIndex i = 0; i < are_states.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (are_states[i] || !IsNumber(variable.type) || SizeOf(variable) == 0 ||
        variable.causality == Causality::kIndependent) {
      continue;
    }
    if (representatives[i] != i) {
      aliases.emplace_back(i, representatives[i]);
    } else if (variable.variability == Variability::kConstant ||
               variable.causality == Causality::kStructuralParameter) {
      constants.push_back(i);
    } else if (IsSettable(variable)) {
      parameters.Add(description, i);
    } else if (variable.causality == Causality::kInput) {
      (variable.variability == Variability::kContinuous ? continuous_inputs
                                                        : discrete_inputs)
          .Add(description, i);
    } else if (variable.derivative_of && !is_stepped &&
               number_of.contains(*variable.derivative_of)) {
      derivatives.emplace_back(i, number_of.at(*variable.derivative_of));
    } else if (variable.variability != Variability::kContinuous &&
               !is_stepped) {
      discrete.Add(description, i);
    } else {
      others.push_back(i);
    }
  }
  GroupResults(description, others);
}

// States, or what a stepped FMU has starts of.
void ExchangeLayout::AddStates(const Description& description) {
  if (is_stepped) {
    for (VariableIndex i = 0; i < description.variables.size(); ++i) {
      if (HasOwnStart(description.variables[i])) {
        states.Add(description, i);
        are_starts_exact.push_back(1);
      }
    }
    return;
  }
  std::vector<bool> are_known(description.variables.size());
  for (const Unknown& unknown : description.structure.derivatives) {
    const auto& state = description.variables[unknown.variable].derivative_of;
    if (state && !are_known[*state]) {
      are_known[*state] = true;
      states.Add(description, *state);
      rates.Add(description, unknown.variable);
      are_starts_exact.push_back(
          description.variables[*state].initial == Initial::kExact ? 1 : 0);
    }
  }
}

void ExchangeLayout::GroupResults(const Description& description,
                                  std::span<const VariableIndex> variables) {
  for (const VariableIndex i : variables) {
    const bool is_output =
        description.variables[i].causality == Causality::kOutput;
    const std::vector<std::uint8_t> uses =
        InputsOf(description,
                 is_stepped ? description.structure.initial_unknowns
                            : description.structure.outputs,
                 continuous_inputs,
                 i);
    auto group = std::ranges::find_if(results, [&](const ResultGroup& its) {
      return its.are_outputs == is_output && its.uses == uses;
    });
    if (group == results.end()) {
      results.push_back({.row = {}, .uses = uses, .are_outputs = is_output});
      group = results.end() - 1;
    }
    group->row.Add(description, i);
  }
}

}  // namespace orrery::fmi
