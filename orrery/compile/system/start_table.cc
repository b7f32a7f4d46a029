#include "orrery/compile/system/start_table.h"

#include <algorithm>
#include <string>

#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

// Two names of one quantity may both fix its start value, to the same one. What
// is discrete has one before the start, which often matters to nobody: that of
// the name that stands for both counts.
void CheckAgreement(const System& system,
                    std::uint32_t scalar,
                    Expr a,
                    Expr b,
                    Diagnostics& diagnostics) {
  if (!a.is_constant() || !b.is_constant() || a.value() == b.value()) {
    return;
  }
  const Alias alias = system.aliases[scalar];
  const std::string start = ToText(alias.sign > 0 ? b : -b, 40);
  const std::string other = std::string(alias.sign > 0 ? "" : "minus ") + "'" +
                            system.NameOf(alias.scalar) +
                            "' by the equations, whose start is fixed at " +
                            ToText(a, 40);
  const SourceSpan& where =
      system.model.variables[system.scalars[scalar].variable].notes->span;
  const std::string name = "'" + system.NameOf(scalar) + "'";
  const std::string hint = "fix the start of one of them";
  if (system.scalars[alias.scalar].is_discrete) {
    diagnostics.Warning(
        where, name + " does not start at " + start + ": it is " + other, hint);
  } else {
    diagnostics.Error(
        where, name + " cannot start at " + start + ": it is " + other, hint);
  }
}

// That a quantity be a state counts more than that it be none.
StateSelect Stronger(StateSelect a, StateSelect b) {
  const auto [low, high] = std::minmax(a, b);
  return high > StateSelect::kDefault ? high : low;
}

}  // namespace

StartTable::StartTable(System& system, Diagnostics& diagnostics)
    : of_scalar_(system.scalars.size()) {
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    const Scalar& scalar = system.scalars[i];
    if (scalar.variable == kNone) {
      continue;
    }
    const Variable& variable = system.model.variables[scalar.variable];
    StateSelect& select = of_scalar_[system.aliases[i].scalar].select;
    if (scalar.derivative_of == kNone && scalar.pre_of == kNone) {
      select = Stronger(select, variable.state_select);
    }
    if (!variable.start || scalar.derivative_of != kNone ||
        scalar.pre_of != kNone) {
      continue;
    }
    const Alias alias = system.aliases[i];
    ScalarStart& start = of_scalar_[alias.scalar];
    // A parameter that is fixed has its value, which may follow from others
    // that the start determines.
    const bool is_fixed =
        variable.fixed.value_or(false) && !IsParameter(variable);
    const Expr given = variable.start.is_scalar()
                           ? variable.start
                           : system.PartOf(variable.start, i);
    const Expr value = alias.sign > 0 ? given : -given;
    if (is_fixed && start.is_fixed) {
      CheckAgreement(system, i, start.value, value, diagnostics);
    }
    const bool is_stronger = is_fixed && !start.is_fixed;
    const bool is_own = is_fixed == start.is_fixed && alias.scalar == i;
    if (!start.value || is_stronger || is_own) {
      start.value = value;
      start.is_fixed = is_fixed;
    }
  }
}

Expr StartTable::SymbolOf(System& system, std::uint32_t variable) {
  const std::uint32_t known = symbols_.Find(variable);
  if (known != NodeIndex::kNone) {
    return system.graph.At(known);
  }
  const Expr of = system.model.variables[variable].symbol;
  const Expr symbol =
      system.graph.Symbol({.name = system.graph.NameOf(of) + ".start",
                           .type = of.type(),
                           .shape = of.shape()});
  symbols_.Set(variable, symbol.id());
  return symbol;
}

Expr StartTable::KeyOf(System& system, std::uint32_t scalar) {
  return system.PartOf(SymbolOf(system, system.scalars[scalar].variable),
                       scalar);
}

}  // namespace orrery::compile::internal
