#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "orrery/compile/internal/emit.h"

namespace orrery::internal {
namespace {

// Finds which start values have to hold beside the initial equations.
class InitialProblem {
 public:
  InitialProblem(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        starts_(FindStarts(system)) {}

  std::vector<SortedEquation> Sort() {
    if (!IsNeeded()) {
      return {};
    }
    problem_.equations = system_.equations;
    problem_.equations.insert(problem_.equations.end(),
                              system_.initial_equations.begin(),
                              system_.initial_equations.end());
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.aliases[i].scalar == i) {
        problem_.unknowns.push_back(i);
        if (starts_[i].is_fixed) {
          problem_.equations.push_back(StartEquation(i));
        }
      }
    }
    if (problem_.equations.size() < problem_.unknowns.size()) {
      AddFreeStarts();
    }
    return internal::Sort(system_, problem_, diagnostics_);
  }

 private:
  // Without further conditions every state starts at its start value.
  [[nodiscard]] bool IsNeeded() const {
    if (!system_.initial_equations.empty()) {
      return true;
    }
    for (std::uint32_t i = 0; i < starts_.size(); ++i) {
      if (starts_[i].is_fixed && system_.IsUnknown(i)) {
        return true;
      }
    }
    return false;
  }

  ScalarEquation StartEquation(std::uint32_t scalar) {
    const Variable& variable =
        system_.model.variables[system_.scalars[scalar].variable];
    const auto origin = static_cast<std::uint32_t>(system_.origins.size());
    system_.origins.push_back({variable.span, {}});
    const Expr start = starts_[scalar].value;
    return {.left = system_.scalars[scalar].key,
            .right = start ? start : system_.graph.Constant(0),
            .origin = origin};
  }

  // Lets states keep their start values, those that were given one first, until
  // everything is determined.
  void AddFreeStarts() {
    std::vector<std::uint32_t> free;
    for (const std::uint32_t scalar : problem_.unknowns) {
      if (system_.scalars[scalar].derivative != kNone &&
          !starts_[scalar].is_fixed) {
        free.push_back(scalar);
      }
    }
    std::stable_partition(
        free.begin(), free.end(), [this](std::uint32_t scalar) {
          return static_cast<bool>(starts_[scalar].value);
        });
    const std::size_t known = problem_.equations.size();
    SortProblem all = problem_;
    for (const std::uint32_t scalar : free) {
      all.equations.push_back(StartEquation(scalar));
    }
    const Incidence incidence = FindIncidence(system_, all);
    auto preferred = FindDefinitions(system_, all, incidence);
    std::fill(preferred.begin() + static_cast<std::ptrdiff_t>(known),
              preferred.end(),
              kNone);
    const Matching matching =
        MaximumMatching(incidence, all.unknowns.size(), preferred);
    for (std::size_t row = known; row < all.equations.size(); ++row) {
      if (matching.column_of_row[row] != kNone) {
        problem_.equations.push_back(all.equations[row]);
      }
    }
  }

  System& system_;
  Diagnostics& diagnostics_;
  std::vector<StartValue> starts_;
  SortProblem problem_;
};

}  // namespace

std::vector<StartValue> FindStarts(System& system) {
  std::vector<StartValue> starts(system.scalars.size());
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    const Scalar& scalar = system.scalars[i];
    const Variable& variable = system.model.variables[scalar.variable];
    if (!variable.start || scalar.derivative_of != kNone) {
      continue;
    }
    const Alias alias = system.aliases[i];
    StartValue& start = starts[alias.scalar];
    const bool is_fixed = variable.fixed.value_or(false);
    if (start.value && (start.is_fixed || !is_fixed) && alias.scalar != i) {
      continue;
    }
    const Expr value = variable.start.is_scalar()
                           ? variable.start
                           : system.ElementOf(variable.start, scalar.element);
    start = {.value = alias.sign > 0 ? value : -value,
             .is_fixed = is_fixed || start.is_fixed};
  }
  return starts;
}

std::vector<SortedEquation> SortInitialEquations(System& system,
                                                 Diagnostics& diagnostics) {
  return InitialProblem(system, diagnostics).Sort();
}

}  // namespace orrery::internal
