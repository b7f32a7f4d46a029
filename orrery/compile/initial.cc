#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "orrery/compile/internal/emit.h"
#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

// Finds which start values have to hold beside the initial equations.
class InitialProblem {
 public:
  InitialProblem(System& system, StartTable& starts, Diagnostics& diagnostics)
      : system_(system), starts_(starts), diagnostics_(diagnostics) {}

  std::vector<SortedEquation> Sort() {
    if (!IsNeeded()) {
      for (std::uint32_t i = 0; i < starts_.size(); ++i) {
        starts_[i].holds = system_.scalars[i].derivative != kNone;
      }
      return {};
    }
    problem_.is_of_start = true;
    problem_.equations = system_.equations;
    problem_.equations.insert(problem_.equations.end(),
                              system_.initial_equations.begin(),
                              system_.initial_equations.end());
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.aliases[i].scalar == i) {
        problem_.unknowns.push_back(i);
        if (starts_[i].is_fixed) {
          problem_.equations.push_back(StartEquation(i));
          starts_[i].holds = true;
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
    if (!system_.initial_equations.empty() || system_.has_held) {
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
    return {.left = system_.scalars[scalar].key,
            .right = starts_.KeyOf(system_, scalar),
            .origin = system_.AddOrigin(OriginKind::kStart, variable.span)};
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
        starts_[free[row - known]].holds = true;
      }
    }
  }

  System& system_;
  StartTable& starts_;
  Diagnostics& diagnostics_;
  SortProblem problem_;
};

// Two names of one quantity may both fix its start value, to the same one.
void CheckAgreement(const System& system,
                    std::uint32_t scalar,
                    Expr a,
                    Expr b,
                    Diagnostics& diagnostics) {
  if (!a.is_constant() || !b.is_constant() || a.value() == b.value()) {
    return;
  }
  const Alias alias = system.aliases[scalar];
  diagnostics.Error(
      system.model.variables[system.scalars[scalar].variable].span,
      "'" + system.NameOf(scalar) + "' cannot start at " +
          ToText(alias.sign > 0 ? b : -b, 40) + ": it is " +
          (alias.sign > 0 ? "" : "minus ") + "'" + system.NameOf(alias.scalar) +
          "' by the equations, whose start is fixed at " + ToText(a, 40),
      "fix the start of one of them");
}

}  // namespace

StartTable::StartTable(System& system, Diagnostics& diagnostics)
    : of_scalar_(system.scalars.size()),
      symbols_(system.model.variables.size()) {
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    const Scalar& scalar = system.scalars[i];
    const Variable& variable = system.model.variables[scalar.variable];
    if (!variable.start || scalar.derivative_of != kNone) {
      continue;
    }
    const Alias alias = system.aliases[i];
    ScalarStart& start = of_scalar_[alias.scalar];
    const bool is_fixed = variable.fixed.value_or(false);
    const Expr given = variable.start.is_scalar()
                           ? variable.start
                           : system.ElementOf(variable.start, scalar.element);
    const Expr value = alias.sign > 0 ? given : -given;
    if (is_fixed && start.is_fixed) {
      CheckAgreement(system, i, start.value, value, diagnostics);
    }
    const bool is_stronger = is_fixed && !start.is_fixed;
    const bool is_own = is_fixed == start.is_fixed && alias.scalar == i;
    if (!start.value || is_stronger || is_own) {
      start = {.value = value, .is_fixed = is_fixed};
    }
  }
}

Expr StartTable::SymbolOf(System& system, std::uint32_t variable) {
  Expr& symbol = symbols_[variable];
  if (!symbol) {
    const Expr of = system.model.variables[variable].symbol;
    symbol =
        system.graph.Symbol({.name = system.graph.InfoOf(of).name + ".start",
                             .type = of.type(),
                             .shape = of.shape()});
  }
  return symbol;
}

Expr StartTable::KeyOf(System& system, std::uint32_t scalar) {
  const Scalar& quantity = system.scalars[scalar];
  return system.ElementOf(SymbolOf(system, quantity.variable),
                          quantity.element);
}

std::vector<SortedEquation> SortInitialEquations(System& system,
                                                 StartTable& starts,
                                                 Diagnostics& diagnostics) {
  return InitialProblem(system, starts, diagnostics).Sort();
}

}  // namespace orrery::internal
