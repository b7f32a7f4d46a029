#include "orrery/compile/sorting/sort.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

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
  for (std::uint32_t list = 0; list < incidence.num_shared(); ++list) {
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t column : incidence.shared(list)) {
      rows.push_back(matching.row_of_column[column]);
    }
    edges.AddShared(std::move(rows));
  }
  std::vector<std::uint32_t> row;
  for (std::uint32_t i = 0; i < incidence.num_rows(); ++i) {
    row.clear();
    for (const std::uint32_t column : incidence.own(i)) {
      if (matching.row_of_column[column] != i) {
        row.push_back(matching.row_of_column[column]);
      }
    }
    edges.AddRow(row, incidence.shared_of(i));
  }
  return edges;
}

// Finds the columns of equations. Outputs of one call of a long algorithm share
// those of the call.
class RowFinder {
 public:
  RowFinder(System& system, const SortProblem& problem)
      : system_(system), problem_(problem) {}

  Incidence Run() {
    for (const ScalarEquation& equation : problem_.equations) {
      const std::array sides = {equation.left, equation.right};
      AddRow(system_.walk.ScalarsInParts(sides));
    }
    return std::move(incidence_);
  }

 private:
  // A shorter list costs less than to share it.
  static constexpr std::size_t kLeastShared = 256;

  void AddRow(const FormulaWalk::Parts& parts) {
    const bool may_share = parts.in_call.size() >= kLeastShared;
    row_.clear();
    if (!may_share) {
      together_.clear();
      std::ranges::set_union(
          parts.others, parts.in_call, std::back_inserter(together_));
      AddColumns(together_, row_);
      incidence_.AddRow(row_);
      return;
    }
    const auto [known, is_new] =
        list_of_call_.try_emplace(parts.call.id(), kNone);
    if (is_new) {
      std::vector<std::uint32_t> columns;
      AddColumns(parts.in_call, columns);
      known->second = incidence_.AddShared(std::move(columns));
    }
    together_.clear();
    std::ranges::set_difference(
        parts.others, parts.in_call, std::back_inserter(together_));
    AddColumns(together_, row_);
    incidence_.AddRow(row_, known->second);
  }

  void AddColumns(std::span<const std::uint32_t> scalars,
                  std::vector<std::uint32_t>& columns) const {
    for (const std::uint32_t scalar : scalars) {
      if (system_.column_of[scalar] != kNone) {
        columns.push_back(system_.column_of[scalar]);
      }
    }
  }

  System& system_;
  const SortProblem& problem_;
  Incidence incidence_;
  std::unordered_map<std::uint32_t, std::uint32_t> list_of_call_;  // By id.
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> together_;
};

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
  Incidence incidence = RowFinder(system, problem).Run();
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
    if (columns.size() == 1 && is_fit(columns[0])) {
      result[row] = columns[0];
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
