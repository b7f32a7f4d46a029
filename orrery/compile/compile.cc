#include "orrery/compile/compile.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/dependencies.h"
#include "orrery/compile/internal/check_units.h"
#include "orrery/compile/internal/dependency_report.h"
#include "orrery/compile/internal/emit.h"
#include "orrery/compile/internal/extrema.h"
#include "orrery/compile/internal/hidden_constraints.h"
#include "orrery/compile/internal/index_reduction.h"
#include "orrery/compile/internal/present_relations.h"
#include "orrery/compile/internal/sort.h"
#include "orrery/compile/internal/system.h"
#include "orrery/symbolic/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

// The equations of a run and the unknowns that they determine.
internal::SortProblem ProblemOf(internal::System& system) {
  internal::SortProblem problem;
  problem.equations = system.equations;
  bool has_discrete = false;
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (system.IsUnknown(i)) {
      problem.unknowns.push_back(i);
      has_discrete = has_discrete || system.scalars[i].is_discrete;
    }
  }
  if (has_discrete) {
    internal::Replace(
        system.graph,
        {{system.model.initial.id(), system.graph.Boolean(false)}},
        problem.equations);
  }
  return problem;
}

// True if an equation contains terminal(), which is true in the last event.
bool TellEnd(const internal::System& system) {
  std::vector<Expr> formulas;
  for (const internal::ScalarEquation& equation : system.equations) {
    formulas.insert(formulas.end(), {equation.left, equation.right});
  }
  return std::ranges::binary_search(Reachable(formulas),
                                    system.model.terminal.id());
}

// Reports targets that are no states. A state may have any of its names.
void CheckReinits(const internal::System& system, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < system.model.reinits.size(); ++i) {
    const Expr target = system.model.reinits[i].state;
    const std::uint32_t scalar = system.ScalarAt(target);
    const bool is_state =
        scalar != internal::kNone &&
        system.scalars[system.aliases[scalar].scalar].derivative !=
            internal::kNone;
    if (!is_state) {
      diagnostics.Add(system.About(
          Severity::kError,
          system.events.reinits[i].origin,
          "cannot reinit '" + ToText(target) +
              "': it is no state, der() is nowhere applied to it",
          "assign it in the when-clause instead, or reinit the state it "
          "depends on"));
    }
  }
}

// Matches the equations with the unknowns that they determine; differentiates
// equations where that is necessary. Reports a system that cannot be matched.
internal::MatchedProblem MatchAll(internal::System& system,
                                  internal::CompiledSystem& compiled,
                                  Diagnostics& diagnostics) {
  internal::MatchedProblem matched = internal::Match(system, ProblemOf(system));
  if (!matched.matching.is_perfect() && !system.has_loops &&
      internal::ReduceIndex(system, matched.problem, compiled.starts)) {
    compiled.starts = internal::StartTable(system, diagnostics);
    matched = internal::Match(system, ProblemOf(system));
  }
  static_cast<void>(internal::CheckMatched(system, matched, diagnostics));
  return matched;
}

// Sorts the equations of events, of the time between events and of the start.
void SortAll(internal::System& system,
             internal::MatchedProblem matched,
             internal::CompiledSystem& compiled,
             Diagnostics& diagnostics) {
  const bool has_discrete =
      std::ranges::any_of(matched.problem.unknowns, [&](std::uint32_t unknown) {
        return system.scalars[unknown].is_discrete;
      });
  compiled.initial =
      internal::SortInitialEquations(system, compiled.starts, diagnostics);
  if (!has_discrete && system.events.empty() && !TellEnd(system)) {
    compiled.equations = internal::Sort(system, matched, diagnostics);
    return;
  }
  compiled.equations = internal::Sort(
      system, internal::ContinuousPart(system, matched), diagnostics);
  if (diagnostics.has_errors()) {
    return;
  }
  if (system.present_relations.empty()) {
    auto relations = internal::FindPresentRelations(system, compiled.equations);
    if (!relations.empty()) {
      throw internal::NeedsPresentRelations{std::move(relations)};
    }
  }
  compiled.events.iterated = internal::BreakLoopsAtRelations(system, matched);
  compiled.events.equations = internal::Sort(system, matched, diagnostics);
}

enum class Constraints : std::uint8_t { kAsWritten, kRevealed };

enum class Rates : std::uint8_t { kNone, kAskedFor };

// The options of one compilation.
struct Reading {
  Constraints constraints = Constraints::kAsWritten;
  Rates rates = Rates::kAskedFor;
  std::span<const internal::PresentRelation> present_relations;
  /// Set to true if the program has a loop without exactly one solution.
  bool* is_singular = nullptr;
  /// Gets the dependencies; then no program is made.
  Dependencies* dependencies = nullptr;
};

// @returns null if there is no program, or if `kRevealed` finds no hidden
//     constraint.
// @throws NeedsRates if variables for derivatives are needed and allowed.
std::shared_ptr<Program> CompileOnce(
    const FlatModel& model,
    const std::vector<internal::EquationLoop>& loops,
    Diagnostics& diagnostics,
    const Reading& reading) {
  internal::System system(model);
  system.may_ask_for_rates = reading.rates == Rates::kAskedFor;
  system.present_relations = reading.present_relations;
  internal::BuildScalars(system, loops, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  internal::EliminateAliases(system);
  internal::JoinSemiLinear(system);
  CheckReinits(system, diagnostics);
  if (reading.constraints == Constraints::kRevealed &&
      !internal::RevealConstraints(system)) {
    return nullptr;
  }
  internal::CompiledSystem compiled{
      .starts = internal::StartTable(system, diagnostics)};
  compiled.parameters = internal::SortParameters(system, diagnostics);
  internal::MatchedProblem matched = MatchAll(system, compiled, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  if (reading.dependencies != nullptr) {
    *reading.dependencies = internal::DependenciesOf(system, matched);
    return nullptr;
  }
  SortAll(system, std::move(matched), compiled, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  if (reading.is_singular != nullptr) {
    *reading.is_singular = system.has_singular_loop;
  }
  auto program = internal::Emit(system, compiled, diagnostics);
  return diagnostics.has_errors() ? nullptr : program;
}

// Number of attempts that give up single loops, before all are given up.
constexpr int kMaxAttempts = 8;

// Returns the program with loops. Null if no loop can stay or there is any
// error; errors are reported for scalars.
std::shared_ptr<Program> CompileWithLoops(const FlatModel& model,
                                          Diagnostics& diagnostics,
                                          const Reading& reading) {
  std::vector<bool> unrolled(model.variables.size());
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    try {
      const auto loops = internal::FindEquationLoops(model, unrolled);
      if (loops.empty()) {
        return nullptr;
      }
      Diagnostics found = diagnostics;
      auto program = CompileOnce(model, loops, found, reading);
      if (program != nullptr) {
        diagnostics = std::move(found);
      }
      return program;
    } catch (const internal::NeedsScalars& needed) {
      for (const std::uint32_t variable : needed.variables) {
        unrolled[variable] = true;
      }
      if (needed.variables.empty()) {
        return nullptr;
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidModel) {
        throw;
      }
      return nullptr;
    }
  }
  return nullptr;
}

// Returns the model with a variable for the derivative of each of these.
FlatModel WithRates(const FlatModel& model,
                    const std::vector<std::uint32_t>& variables) {
  FlatModel result = model;
  ExprGraph& graph = *model.graph;
  for (const std::uint32_t v : variables) {
    const Expr of = model.variables[v].symbol;
    const Expr rate = graph.Symbol({.name = "rate of " + graph.NameOf(of),
                                    .type = ValueType::kReal,
                                    .shape = of.shape()});
    Variable& variable = result.variables.emplace_back();
    variable.symbol = rate;
    variable.is_protected = true;
    variable.is_made_up = true;
    const std::vector<Expr> iterators = MakeIterators(graph, of.shape());
    result.equations.push_back({.left = AtIterators(rate, iterators),
                                .right = graph.Der(AtIterators(of, iterators)),
                                .iterators = iterators,
                                .span = model.variables[v].notes->span,
                                .path = {}});
  }
  return result;
}

// Adds variables for derivatives if the model needs them. Errors are reported
// without them.
std::shared_ptr<Program> CompileScalars(const FlatModel& model,
                                        Diagnostics& diagnostics,
                                        Reading reading) {
  Diagnostics found = diagnostics;
  std::optional<FlatModel> with_rates;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    try {
      auto program =
          CompileOnce(with_rates ? *with_rates : model, {}, found, reading);
      const bool has_told =
          reading.dependencies != nullptr && !found.has_errors();
      if (program != nullptr || !with_rates || has_told) {
        diagnostics = std::move(found);
        return program;
      }
      break;
    } catch (const internal::NeedsRates& needed) {
      with_rates =
          WithRates(with_rates ? *with_rates : model, needed.variables);
      found = diagnostics;
    }
  }
  reading.rates = Rates::kNone;
  return CompileOnce(model, {}, diagnostics, reading);
}

std::shared_ptr<Program> CompileSo(const FlatModel& model,
                                   Diagnostics& diagnostics,
                                   LoopForm loops,
                                   Reading reading) {
  if (loops == LoopForm::kKept) {
    if (const auto apart = internal::WithExtremaApart(model)) {
      if (auto program = CompileWithLoops(*apart, diagnostics, reading)) {
        // The number of the model as written.
        program->num_equations -=
            apart->equations.size() - model.equations.size();
        return program;
      }
    }
    if (auto program = CompileWithLoops(model, diagnostics, reading)) {
      return program;
    }
  }
  bool is_singular = false;
  reading.is_singular = &is_singular;
  Diagnostics found = diagnostics;
  auto program = CompileScalars(model, found, reading);
  if (program == nullptr || is_singular) {
    Diagnostics others = diagnostics;
    reading.constraints = Constraints::kRevealed;
    auto revealed = CompileScalars(model, others, reading);
    if (revealed != nullptr && (program == nullptr || !is_singular)) {
      diagnostics = std::move(others);
      return revealed;
    }
  }
  diagnostics = std::move(found);
  return program;
}

}  // namespace

std::shared_ptr<Program> Compile(const FlatModel& model,
                                 Diagnostics& diagnostics,
                                 LoopForm loops) {
  internal::CheckUnits(model, diagnostics);
  Diagnostics found = diagnostics;
  try {
    auto program = CompileSo(model, found, loops, {});
    diagnostics = std::move(found);
    return program;
  } catch (const internal::NeedsPresentRelations& needed) {
    return CompileSo(
        model, diagnostics, loops, {.present_relations = needed.relations});
  }
}

Dependencies FindDependencies(const FlatModel& model,
                              Diagnostics& diagnostics) {
  Dependencies result;
  Reading reading{.dependencies = &result};
  Diagnostics found = diagnostics;
  CompileScalars(model, found, reading);
  if (found.has_errors()) {
    Diagnostics others = diagnostics;
    reading.constraints = Constraints::kRevealed;
    CompileScalars(model, others, reading);
    if (!result.unknowns.empty()) {
      found = std::move(others);
    }
  }
  diagnostics = std::move(found);
  return result;
}

}  // namespace orrery
