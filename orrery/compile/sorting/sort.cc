#include "orrery/compile/sorting/sort.h"

#include <algorithm>
#include <array>
#include <string>

#include "orrery/compile/sorting/discrete.h"
#include "orrery/compile/sorting/loops.h"
#include "orrery/compile/sorting/singularity.h"

namespace orrery::compile::internal {
namespace {

constexpr std::size_t kMaxScalarsListed = 6;

// Equation a depends on equation b if b is matched with an unknown in a.
Incidence FindDependencies(const Incidence& incidence,
                           const Matching& matching) {
  Incidence edges;
  std::vector<std::uint32_t> row;
  for (std::uint32_t i = 0; i < incidence.num_rows(); ++i) {
    row.clear();
    for (const std::uint32_t column : incidence.row(i)) {
      if (matching.row_of_column[column] != i) {
        row.push_back(matching.row_of_column[column]);
      }
    }
    edges.AddRow(row);
  }
  return edges;
}

// Returns the variables that the equations with loops determine.
std::vector<std::uint32_t> VariablesWithLoops(
    const System& system, std::span<const ScalarEquation> equations) {
  std::vector<std::uint32_t> variables;
  for (const ScalarEquation& equation : equations) {
    if (equation.has_loops) {
      variables.push_back(
          system.scalars[system.ScalarAt(equation.left)].variable);
    }
  }
  return variables;
}

}  // namespace

std::string ListNames(const System& system,
                      std::span<const std::uint32_t> scalars) {
  std::vector<std::string> names;
  for (const std::uint32_t scalar : scalars) {
    for (std::uint32_t i = 0; i < system.aliases.size(); ++i) {
      if (system.aliases[i].scalar == scalar) {
        names.push_back(system.NameOf(i));
      }
      if (names.size() > kMaxScalarsListed) {
        break;
      }
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxScalarsListed); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  return names.size() > kMaxScalarsListed || scalars.size() > kMaxScalarsListed
             ? text + ", ..."
             : text;
}

Incidence FindIncidence(System& system, const SortProblem& problem) {
  for (std::uint32_t i = 0; i < problem.unknowns.size(); ++i) {
    system.column_of[problem.unknowns[i]] = i;
  }
  Incidence incidence;
  std::vector<std::uint32_t> row;
  for (const ScalarEquation& equation : problem.equations) {
    const std::array sides = {equation.left, equation.right};
    row.clear();
    for (const std::uint32_t scalar : system.walk.Scalars(sides)) {
      if (system.column_of[scalar] != kNone) {
        row.push_back(system.column_of[scalar]);
      }
    }
    incidence.AddRow(row);
  }
  for (const std::uint32_t unknown : problem.unknowns) {
    system.column_of[unknown] = kNone;
  }
  return incidence;
}

std::vector<std::uint32_t> FindDefinitions(const System& system,
                                           const SortProblem& problem,
                                           const Incidence& incidence) {
  std::vector<std::uint32_t> result(problem.equations.size(), kNone);
  for (std::uint32_t row = 0; row < result.size(); ++row) {
    const ScalarEquation& equation = problem.equations[row];
    const auto columns = incidence.row(row);
    const auto is_fit = [&](std::uint32_t column) {
      return equation.has_loops || !system.IsSlice(problem.unknowns[column]);
    };
    if (columns.size() == 1 && is_fit(columns.front())) {
      result[row] = columns.front();
      continue;
    }
    for (const Expr side : {equation.left, equation.right}) {
      const std::uint32_t scalar = system.ScalarAt(side);
      const auto found = std::ranges::find_if(columns, [&](auto column) {
        return problem.unknowns[column] == scalar;
      });
      if (result[row] == kNone && scalar != kNone && found != columns.end() &&
          is_fit(*found)) {
        result[row] = *found;
      }
    }
  }
  return result;
}

MatchedProblem Match(System& system, SortProblem problem) {
  Incidence incidence = FindIncidence(system, problem);
  const auto definitions = FindDefinitions(system, problem, incidence);
  const auto candidates = FindCandidates(system, problem, incidence);
  Matching matching = MaximumMatching(candidates ? *candidates : incidence,
                                      problem.unknowns.size(),
                                      definitions);
  return {.problem = std::move(problem),
          .incidence = std::move(incidence),
          .matching = std::move(matching)};
}

bool CheckMatched(System& system,
                  const MatchedProblem& matched,
                  Diagnostics& diagnostics) {
  if (matched.matching.is_perfect()) {
    return true;
  }
  if (system.has_loops) {
    throw Retry{.reason = Retry::Reason::kFewerLoops};
  }
  const auto candidates =
      FindCandidates(system, matched.problem, matched.incidence);
  ReportSingular(system,
                 matched.problem,
                 candidates ? *candidates : matched.incidence,
                 matched.matching,
                 diagnostics);
  return false;
}

Incidence FindComponents(const MatchedProblem& problem) {
  return StrongComponents(
      FindDependencies(problem.incidence, problem.matching));
}

std::vector<SortedEquation> Sort(System& system,
                                 const MatchedProblem& matched,
                                 Diagnostics& diagnostics) {
  const SortProblem& problem = matched.problem;
  const Incidence components = FindComponents(matched);
  std::vector<SortedEquation> sorted;
  sorted.reserve(components.num_rows());
  ComponentSolver solver(system, problem.is_of_start, diagnostics);
  std::vector<ScalarEquation> equations;
  std::vector<std::uint32_t> unknowns;
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    equations.clear();
    unknowns.clear();
    for (const std::uint32_t row : components.row(i)) {
      equations.push_back(problem.equations[row]);
      unknowns.push_back(problem.unknowns[matched.matching.column_of_row[row]]);
    }
    const bool has_loops =
        std::ranges::any_of(equations, &ScalarEquation::has_loops);
    if (!has_loops) {
      solver.Solve(equations, unknowns, sorted);
    } else if (unknowns.size() == 1) {
      sorted.emplace_back(ExplicitEquation{.scalar = unknowns[0],
                                           .value = equations[0].right,
                                           .origin = equations[0].origin});
    } else {
      throw Retry{.reason = Retry::Reason::kFewerLoops,
                  .variables = VariablesWithLoops(system, equations)};
    }
  }
  return sorted;
}

}  // namespace orrery::compile::internal
