#include "orrery/compile/scalarize/declare.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "orrery/base/error.h"

namespace orrery::compile::internal {
namespace {

bool IsDiscrete(const Variable& variable) {
  return variable.variability == Variability::kDiscrete ||
         variable.symbol.type() != ValueType::kReal;
}

bool IsKnown(const Variable& variable) {
  return IsParameter(variable) || variable.causality == Causality::kInput;
}

// Finds the parameters that the start determines: those with fixed = false and
// those that depend on them.
class HeldParameters {
 public:
  explicit HeldParameters(System& system) : variables_(system.model.variables) {
    const auto is_free = [](const Variable& variable) {
      return variable.variability == Variability::kParameter &&
             !variable.fixed.value_or(true);
    };
    if (std::ranges::none_of(variables_, is_free)) {
      return;
    }
    is_held_.resize(variables_.size());
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (is_free(variables_[v])) {
        Hold(v);
      }
    }
    while (HoldWhatFollows()) {
    }
  }

  [[nodiscard]] bool are_any() const noexcept { return !is_held_.empty(); }

  [[nodiscard]] bool operator[](std::size_t variable) const {
    return are_any() && is_held_[variable];
  }

 private:
  void Hold(std::size_t variable) {
    is_held_[variable] = true;
    symbols_.Set(variables_[variable].symbol.id(), 1);
  }

  bool HoldWhatFollows() {
    bool is_news = false;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (!is_held_[v] && IsParameter(variables_[v]) && variables_[v].binding &&
          Follows(variables_[v].binding)) {
        Hold(v);
        is_news = true;
      }
    }
    return is_news;
  }

  [[nodiscard]] bool Follows(Expr binding) const {
    const std::array roots = {binding};
    return std::ranges::any_of(Reachable(roots), [this](std::uint32_t id) {
      return symbols_[id] != kNone;
    });
  }

  const std::vector<Variable>& variables_;
  std::vector<bool> is_held_;  // By variable; empty if none is.
  NodeMap symbols_;            // Set for the symbols of held parameters.
};

// Returns the slice that each element of the variable is in, or kNone.
std::vector<std::uint32_t> SlicesByElement(
    const System& system,
    std::uint32_t variable,
    const std::vector<std::uint32_t>& slices) {
  const Shape& shape = system.model.variables[variable].symbol.shape();
  std::vector<std::uint32_t> result(
      static_cast<std::size_t>(NumElements(shape)), kNone);
  for (const std::uint32_t slice : slices) {
    ForEachRun(system.slices[slice].box,
               shape,
               [&](std::uint32_t first, std::uint32_t count) {
                 std::fill_n(result.begin() + first, count, slice);
               });
  }
  return result;
}

// Declares one scalar for each element that is in no slice and one for each
// slice, in the order of their first elements.
// @param slice_of by element; empty for a variable without slices.
void DeclareScalarsOf(System& system,
                      std::uint32_t v,
                      const std::vector<std::uint32_t>& slice_of) {
  const Variable& variable = system.model.variables[v];
  const auto count =
      static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
  std::vector<std::uint32_t> met;
  for (std::uint32_t element = 0; element < count; ++element) {
    const std::uint32_t slice = slice_of.empty() ? kNone : slice_of[element];
    if (slice != kNone && std::ranges::find(met, slice) != met.end()) {
      continue;
    }
    Expr key;
    if (slice == kNone) {
      key = system.ElementOf(variable.symbol, element);
    } else {
      met.push_back(slice);
      key =
          system.graph.Index(variable.symbol, system.slices[slice].subscripts);
    }
    system.AddScalar({.key = key,
                      .symbol = variable.symbol,
                      .variable = v,
                      .element = element,
                      .slice = slice,
                      .is_discrete = IsDiscrete(variable)});
  }
}

// Bounds the memory for unknowns that are compiled one by one.
void CheckRoom(const System& system, const Variable& next) {
  constexpr std::size_t kMostScalars = 4'000'000;
  const auto count = static_cast<std::size_t>(NumElements(next.symbol.shape()));
  if (system.scalars.size() + count > kMostScalars) {
    throw Error(ErrorCode::kInvalidModel,
                std::vector{MakeDiagnostic(
                    Severity::kError,
                    next.notes->span,
                    "the model has more than " + std::to_string(kMostScalars) +
                        " unknowns that do not belong to loops of equations",
                    "take smaller arrays")});
  }
}

}  // namespace

void DeclareScalars(
    System& system,
    const std::map<std::uint32_t, std::vector<std::uint32_t>>& slices_of) {
  const FlatModel& model = system.model;
  const HeldParameters held(system);
  system.has_held = held.are_any();
  system.varying_symbols.Set(model.time.id(), 1);
  system.varying_symbols.Set(model.initial.id(), 0);
  system.varying_symbols.Set(model.terminal.id(), 0);
  system.varying_symbols.Set(system.after.id(), 0);
  if (model.homotopy) {
    system.varying_symbols.Set(model.homotopy->is_actual.id(), 0);
    system.varying_symbols.Set(model.homotopy->is_simplified.id(), 0);
    system.varying_symbols.Set(model.homotopy->part.id(), 1);
  }
  system.derivative_symbols.resize(model.variables.size());
  system.scalars.reserve(model.variables.size());
  system.aliases.reserve(model.variables.size());
  system.column_of.reserve(model.variables.size());
  system.first_scalar.reserve(model.variables.size());
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const Variable& variable = model.variables[v];
    if (IsKnown(variable) && !held[v]) {
      system.first_scalar.push_back(kNone);
      if (variable.variability <= Variability::kParameter) {
        system.elements.Keep(variable.symbol);
      } else {
        system.varying_symbols.Set(variable.symbol.id(),
                                   IsDiscrete(variable) ? 0 : 1);
      }
      continue;
    }
    system.first_scalar.push_back(
        static_cast<std::uint32_t>(system.scalars.size()));
    const auto slices = slices_of.find(v);
    if (slices == slices_of.end()) {
      CheckRoom(system, variable);
    }
    DeclareScalarsOf(system,
                     v,
                     slices == slices_of.end()
                         ? std::vector<std::uint32_t>()
                         : SlicesByElement(system, v, slices->second));
  }
}

std::uint32_t DeclareDerivative(System& system, std::uint32_t scalar) {
  const Scalar state = system.scalars[scalar];
  if (state.derivative != kNone) {
    return state.derivative;
  }
  const std::uint32_t array = system.array_of_symbol[state.symbol.id()];
  Expr& symbol = system.derivative_symbols[state.variable];
  if (!symbol) {
    symbol = system.graph.Symbol(
        {.name = "der(" + system.graph.NameOf(state.symbol) + ")",
         .type = ValueType::kReal,
         .shape = state.symbol.shape()});
    if (array != kNone) {
      system.array_of_symbol.Set(
          symbol.id(), static_cast<std::uint32_t>(system.arrays.size()));
      system.arrays.emplace_back();
    }
  }
  const std::uint32_t added =
      system.AddScalar({.key = system.PartOf(symbol, scalar),
                        .symbol = symbol,
                        .variable = state.variable,
                        .element = state.element,
                        .slice = state.slice,
                        .derivative_of = scalar});
  system.scalars[scalar].derivative = added;
  if (array != kNone) {
    system.arrays[system.array_of_symbol[symbol.id()]].push_back(added);
  }
  return added;
}

}  // namespace orrery::compile::internal
