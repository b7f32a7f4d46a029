#include "orrery/compile/internal/sort.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace orrery::internal {
namespace {

constexpr std::size_t kMaxListed = 6;

// Rows and columns that an alternating path leads to from those left over.
struct Part {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
};

// What has more equations than unknowns: from an equation left over to its
// unknowns, from each of them to the equation matched with it.
Part OverdeterminedPart(const Incidence& incidence, const Matching& matching) {
  Part part;
  std::vector<bool> row_met(incidence.num_rows());
  std::vector<bool> column_met(matching.row_of_column.size());
  for (std::uint32_t row = 0; row < incidence.num_rows(); ++row) {
    if (matching.column_of_row[row] == kNone) {
      part.rows.push_back(row);
      row_met[row] = true;
    }
  }
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    for (const std::uint32_t column : incidence.row(part.rows[i])) {
      const std::uint32_t row = matching.row_of_column[column];
      if (!column_met[column]) {
        column_met[column] = true;
        part.columns.push_back(column);
      }
      if (row != kNone && !row_met[row]) {
        row_met[row] = true;
        part.rows.push_back(row);
      }
    }
  }
  return part;
}

// What has more unknowns than equations: the same with the two exchanged.
Part UnderdeterminedPart(const Incidence& incidence, const Matching& matching) {
  std::vector<std::vector<std::uint32_t>> rows_of(
      matching.row_of_column.size());
  for (std::uint32_t row = 0; row < incidence.num_rows(); ++row) {
    for (const std::uint32_t column : incidence.row(row)) {
      rows_of[column].push_back(row);
    }
  }
  Incidence transposed;
  for (const auto& rows : rows_of) {
    transposed.AddRow(rows);
  }
  Part part = OverdeterminedPart(transposed,
                                 {.column_of_row = matching.row_of_column,
                                  .row_of_column = matching.column_of_row});
  std::swap(part.rows, part.columns);
  return part;
}

std::string Count(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

class SingularityReport {
 public:
  SingularityReport(const System& system,
                    const SortProblem& problem,
                    Diagnostics& diagnostics)
      : system_(system), problem_(problem), diagnostics_(diagnostics) {}

  void TooManyEquations(Part part) {
    std::ranges::sort(part.rows);
    std::ranges::sort(part.columns);
    const auto equations = EquationsOf(part.rows);
    const auto unknowns = UnknownsOf(part.columns);
    const std::string what =
        unknowns.empty() ? "an equation without unknowns: " +
                               ListEquations(system_, equations)
                         : Count(equations.size(), "equation") + " for " +
                               Count(unknowns.size(), "unknown") + " (" +
                               ListNames(system_, unknowns) +
                               "): " + ListEquations(system_, equations);
    diagnostics_.Add(system_.About(Severity::kError,
                                   equations.back().origin,
                                   "the model is over-determined: " + what,
                                   "remove an equation"));
  }

  void TooFewEquations(Part part) {
    std::ranges::sort(part.rows);
    std::ranges::sort(part.columns);
    const auto equations = EquationsOf(part.rows);
    const auto unknowns = UnknownsOf(part.columns);
    std::string message = "the model is under-determined: ";
    if (equations.empty()) {
      message += "no equation determines " + ListNames(system_, unknowns);
    } else {
      message += Count(unknowns.size(), "unknown") + " (" +
                 ListNames(system_, unknowns) + ") for " +
                 Count(equations.size(), "equation") + ": " +
                 ListEquations(system_, equations);
    }
    const Variable& first =
        system_.model.variables[system_.scalars[unknowns.front()].variable];
    diagnostics_.Add(MakeDiagnostic(
        Severity::kError, first.span, message, "add an equation"));
  }

 private:
  [[nodiscard]] std::vector<ScalarEquation> EquationsOf(
      std::span<const std::uint32_t> rows) const {
    std::vector<ScalarEquation> result;
    for (const std::uint32_t row : rows) {
      result.push_back(problem_.equations[row]);
    }
    return result;
  }

  [[nodiscard]] std::vector<std::uint32_t> UnknownsOf(
      std::span<const std::uint32_t> columns) const {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t column : columns) {
      result.push_back(problem_.unknowns[column]);
    }
    return result;
  }

  const System& system_;
  const SortProblem& problem_;
  Diagnostics& diagnostics_;
};

// Equation a waits for equation b if b is matched with an unknown in a.
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

}  // namespace

std::string ListNames(const System& system,
                      std::span<const std::uint32_t> scalars) {
  std::vector<std::string> names;
  for (const std::uint32_t scalar : scalars) {
    for (std::uint32_t i = 0; i < system.aliases.size(); ++i) {
      if (system.aliases[i].scalar == scalar) {
        names.push_back(system.NameOf(i));
      }
      if (names.size() > kMaxListed) {
        break;
      }
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  return names.size() > kMaxListed || scalars.size() > kMaxListed
             ? text + ", ..."
             : text;
}

std::string ListEquations(const System& system,
                          std::span<const ScalarEquation> equations) {
  std::string text;
  for (std::size_t i = 0; i < std::min(equations.size(), kMaxListed); ++i) {
    text += (i > 0 ? "; " : "") + system.TextOf(equations[i]);
  }
  return equations.size() > kMaxListed ? text + "; ..." : text;
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
    if (columns.size() == 1) {
      result[row] = columns.front();
      continue;
    }
    for (const Expr side : {equation.left, equation.right}) {
      const std::uint32_t scalar = system.ScalarAt(side);
      const auto found = std::ranges::find_if(columns, [&](auto column) {
        return problem.unknowns[column] == scalar;
      });
      if (result[row] == kNone && scalar != kNone && found != columns.end()) {
        result[row] = *found;
      }
    }
  }
  return result;
}

namespace {
void ReportSingular(System& system,
                    const SortProblem& problem,
                    const Incidence& incidence,
                    const Matching& matching,
                    Diagnostics& diagnostics) {
  SingularityReport report(system, problem, diagnostics);
  Part over = OverdeterminedPart(incidence, matching);
  if (!over.rows.empty()) {
    report.TooManyEquations(std::move(over));
  }
  Part under = UnderdeterminedPart(incidence, matching);
  if (!under.columns.empty()) {
    report.TooFewEquations(std::move(under));
  }
}
}  // namespace

std::optional<MatchedProblem> Match(System& system,
                                    SortProblem problem,
                                    Diagnostics& diagnostics) {
  Incidence incidence = FindIncidence(system, problem);
  const auto definitions = FindDefinitions(system, problem, incidence);
  const auto match = [&](const Incidence& candidates) {
    return MaximumMatching(candidates, problem.unknowns.size(), definitions);
  };
  const auto candidates = FindCandidates(system, problem, incidence);
  Matching matching = match(candidates ? *candidates : incidence);
  if (!matching.is_perfect()) {
    ReportSingular(system,
                   problem,
                   candidates ? *candidates : incidence,
                   matching,
                   diagnostics);
    return std::nullopt;
  }
  return MatchedProblem{.problem = std::move(problem),
                        .incidence = std::move(incidence),
                        .matching = std::move(matching)};
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
  LoopSolver solver(system, diagnostics);
  std::vector<ScalarEquation> equations;
  std::vector<std::uint32_t> unknowns;
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    equations.clear();
    unknowns.clear();
    for (const std::uint32_t row : components.row(i)) {
      equations.push_back(problem.equations[row]);
      unknowns.push_back(problem.unknowns[matched.matching.column_of_row[row]]);
    }
    solver.Solve(equations, unknowns, sorted);
  }
  return sorted;
}

}  // namespace orrery::internal
