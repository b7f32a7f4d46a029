#include "orrery/compile/passes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "orrery/compile/dependency_report.h"
#include "orrery/compile/index/hidden_constraints.h"
#include "orrery/compile/index/index_reduction.h"
#include "orrery/compile/index/preferred_states.h"
#include "orrery/compile/initialization/initial.h"
#include "orrery/compile/initialization/parameters.h"
#include "orrery/compile/pass_watch.h"
#include "orrery/compile/scalarize/aliases.h"
#include "orrery/compile/scalarize/homotopies.h"
#include "orrery/compile/scalarize/scalarize.h"
#include "orrery/compile/scalarize/semi_linear.h"
#include "orrery/compile/sorting/discrete.h"
#include "orrery/compile/sorting/unheld_relations.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

Next StopAtErrors(const Compilation& compilation) {
  return compilation.diagnostics.has_errors() ? Next::kStop : Next::kGoOn;
}

Next Scalarize(Compilation& its) {
  BuildScalars(its.system, its.loops, its.diagnostics);
  SetHomotopiesApart(its.system);
  return StopAtErrors(its);
}

Next Unalias(Compilation& its) {
  EliminateAliases(its.system);
  return Next::kGoOn;
}

Next JoinSemiLinearFlows(Compilation& its) {
  JoinSemiLinear(its.system);
  return Next::kGoOn;
}

// Reports each reinit() of a quantity that is no state under any of its names.
Next CheckReinits(Compilation& its) {
  const System& system = its.system;
  for (std::size_t i = 0; i < system.model.reinits.size(); ++i) {
    const Expr target = system.model.reinits[i].state;
    const std::uint32_t scalar = system.ScalarAt(target);
    const bool is_state =
        scalar != kNone &&
        system.scalars[system.aliases[scalar].scalar].derivative != kNone;
    if (!is_state) {
      its.diagnostics.Add(system.About(
          Severity::kError,
          system.events.reinits[i].origin,
          "cannot reinit '" + ToText(target) +
              "': it is no state, der() is nowhere applied to it",
          "assign it in the when-clause instead, or reinit the state it "
          "depends on"));
    }
  }
  return Next::kGoOn;
}

// Stops if there is no constraint to reveal: the attempt then has no point.
Next Reveal(Compilation& its) {
  return !its.way.reveals_constraints || RevealConstraints(its.system)
             ? Next::kGoOn
             : Next::kStop;
}

Next FindStarts(Compilation& its) {
  its.compiled.starts = StartTable(its.system, its.diagnostics);
  return Next::kGoOn;
}

Next OrderParameters(Compilation& its) {
  its.compiled.parameters = SortParameters(its.system, its.diagnostics);
  return Next::kGoOn;
}

// The equations and the unknowns that they determine in a run.
SortProblem ProblemOf(System& system) {
  SortProblem problem;
  problem.equations = system.equations;
  bool has_discrete = false;
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (system.IsUnknown(i)) {
      problem.unknowns.push_back(i);
      has_discrete = has_discrete || system.scalars[i].is_discrete;
    }
  }
  if (has_discrete) {
    Replace(system.graph,
            {{system.model.initial.id(), system.graph.Boolean(false)}},
            problem.equations);
  }
  return problem;
}

Next MatchEquations(Compilation& its) {
  its.matched = Match(its.system, ProblemOf(its.system));
  return Next::kGoOn;
}

// Asks for variables for the derivatives of preferred states that have none.
Next PreferStates(Compilation& its) {
  if (!its.way.prefers_states ||
      !HasPreferred(its.system, its.compiled.starts)) {
    return Next::kGoOn;
  }
  if (its.system.has_loops) {
    throw Retry{.reason = Retry::Reason::kFewerLoops};
  }
  std::vector<std::uint32_t> variables =
      PreferredStates(its.system, its.matched.problem, its.compiled.starts);
  if (!variables.empty()) {
    throw Retry{.reason = Retry::Reason::kRates,
                .variables = std::move(variables)};
  }
  return Next::kGoOn;
}

// Differentiates equations that bind states, if some are left over.
Next LowerIndex(Compilation& its) {
  if (!its.matched.matching.is_perfect() && !its.system.has_loops &&
      ReduceIndex(its.system, its.matched.problem, its.compiled.starts)) {
    its.compiled.starts = StartTable(its.system, its.diagnostics);
    its.matched = Match(its.system, ProblemOf(its.system));
  }
  return Next::kGoOn;
}

Next CheckMatching(Compilation& its) {
  static_cast<void>(CheckMatched(its.system, its.matched, its.diagnostics));
  return StopAtErrors(its);
}

// Stops where dependencies are all that is asked for.
Next TellDependencies(Compilation& its) {
  if (its.way.dependencies == nullptr) {
    return Next::kGoOn;
  }
  *its.way.dependencies = DependenciesOf(its.system, its.matched);
  return Next::kStop;
}

Next SortStart(Compilation& its) {
  SortedStart start =
      SortInitialEquations(its.system, its.compiled.starts, its.diagnostics);
  its.compiled.initial = std::move(start.initial);
  its.compiled.homotopy = std::move(start.homotopy);
  return Next::kGoOn;
}

// True if an equation depends on terminal().
bool DependsOnEnd(const System& system) {
  std::vector<Expr> formulas;
  for (const ScalarEquation& equation : system.equations) {
    formulas.insert(formulas.end(), {equation.left, equation.right});
  }
  return std::ranges::binary_search(Reachable(formulas),
                                    system.model.terminal.id());
}

bool HasEventEquations(const Compilation& its) {
  return !its.system.events.empty() ||
         std::ranges::any_of(its.matched.problem.unknowns,
                             [&](std::uint32_t unknown) {
                               return its.system.scalars[unknown].is_discrete;
                             }) ||
         DependsOnEnd(its.system);
}

Next SortContinuous(Compilation& its) {
  its.has_event_equations = HasEventEquations(its);
  its.compiled.equations = its.has_event_equations
                               ? Sort(its.system,
                                      ContinuousPart(its.system, its.matched),
                                      its.diagnostics)
                               : Sort(its.system, its.matched, its.diagnostics);
  return StopAtErrors(its);
}

Next CheckPresentRelations(Compilation& its) {
  if (its.system.unheld_relations.empty() && its.has_event_equations) {
    auto relations = FindUnheldRelations(its.system, its.compiled.equations);
    if (!relations.empty()) {
      throw Retry{.reason = Retry::Reason::kPresentRelations,
                  .relations = std::move(relations)};
    }
  }
  return Next::kGoOn;
}

Next SortEvents(Compilation& its) {
  if (its.has_event_equations) {
    its.compiled.events.iterated =
        BreakLoopsAtRelations(its.system, its.matched);
    its.compiled.events.equations =
        Sort(its.system, its.matched, its.diagnostics);
  }
  return StopAtErrors(its);
}

Next EmitProgram(Compilation& its) {
  its.program = Emit(its.system, its.compiled, its.diagnostics);
  if (its.diagnostics.has_errors()) {
    its.program = nullptr;
  }
  return StopAtErrors(its);
}

constexpr std::array kPasses = {
    Pass{"scalarize", Scalarize},
    Pass{"aliases", Unalias},
    Pass{"semi-linear", JoinSemiLinearFlows},
    Pass{"check-reinits", CheckReinits},
    Pass{"reveal-constraints", Reveal},
    Pass{"starts", FindStarts},
    Pass{"parameters", OrderParameters},
    Pass{"match", MatchEquations},
    Pass{"preferred-states", PreferStates},
    Pass{"index-reduction", LowerIndex},
    Pass{"check-matching", CheckMatching},
    Pass{"dependencies", TellDependencies},
    Pass{"sort-start", SortStart},
    Pass{"sort-continuous", SortContinuous},
    Pass{"present-relations", CheckPresentRelations},
    Pass{"sort-events", SortEvents},
    Pass{"emit", EmitProgram},
};

}  // namespace

Compilation::Compilation(const FlatModel& model,
                         const std::vector<EquationLoop>& kept_loops,
                         const CompileWay& its_way,
                         Diagnostics& found)
    : system(model), loops(kept_loops), way(its_way), diagnostics(found) {
  system.may_ask_for_rates = way.may_ask_for_rates;
  system.unheld_relations = way.unheld_relations;
}

std::span<const Pass> Passes() noexcept {
  return kPasses;
}

}  // namespace orrery::compile::internal

std::vector<std::string_view> orrery::PassNames() {
  std::vector<std::string_view> names;
  for (const compile::internal::Pass& pass : compile::internal::Passes()) {
    names.push_back(pass.name);
  }
  return names;
}
