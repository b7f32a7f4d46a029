#include "orrery/compile/sorting/discrete.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/compile/sorting/sort.h"

namespace orrery::compile::internal {
namespace {

bool IsReal(const ScalarEquation& equation) {
  return equation.left.type() == ValueType::kReal ||
         equation.right.type() == ValueType::kReal;
}

// Returns the formula of the equation `scalar := relation`; else empty.
Expr RelationOf(const System& system,
                const ScalarEquation& equation,
                std::uint32_t scalar) {
  for (const auto& [target, formula] :
       {std::pair(equation.left, equation.right),
        std::pair(equation.right, equation.left)}) {
    const Op op = formula.op();
    if (system.ScalarAt(target) == scalar &&
        (op == Op::kLess || op == Op::kLessEqual || op == Op::kFloor ||
         op == Op::kCeil)) {
      return formula;
    }
  }
  return {};
}

// The kinds of unknowns that an equation may determine.
class Determination {
 public:
  Determination(System& system, const SortProblem& problem)
      : system_(system), is_of_start_(problem.is_of_start) {}

  struct Kinds {
    bool discrete = true;
    bool continuous = true;
  };

  Kinds Of(const ScalarEquation& equation) {
    if (!IsReal(equation)) {
      return {.discrete = true, .continuous = false};
    }
    const std::array sides = {equation.left, equation.right};
    const bool rounds = std::ranges::any_of(sides, [&](Expr side) {
      const std::uint32_t scalar = system_.ScalarAt(side);
      return scalar != kNone && system_.scalars[scalar].is_discrete &&
             RelationOf(system_, equation, scalar);
    });
    if (rounds) {
      return {.discrete = true, .continuous = false};
    }
    const FormulaWalk::Parts read = system_.walk.ScalarsInParts(sides);
    const bool is_discrete = AreDiscrete(read.others) && IsDiscrete(read);
    const bool assigns = std::ranges::any_of(sides, [&](Expr side) {
      // The assigned quantity may have become the negative of another name.
      const std::uint32_t scalar =
          system_.ScalarAt(side.op() == Op::kNegate ? side.operand(0) : side);
      if (scalar == kNone || !system_.scalars[scalar].is_discrete) {
        return false;
      }
      const std::uint32_t pre = system_.scalars[scalar].pre;
      return is_of_start_ || std::ranges::binary_search(read.others, pre) ||
             std::ranges::binary_search(read.in_call, pre);
    });
    return {.discrete = is_discrete || assigns,
            .continuous = !is_discrete && (!assigns || is_of_start_)};
  }

 private:
  bool AreDiscrete(std::span<const std::uint32_t> scalars) const {
    return std::ranges::all_of(scalars, [this](std::uint32_t scalar) {
      return system_.scalars[scalar].is_discrete ||
             (!is_of_start_ && system_.IsHeld(scalar));
    });
  }

  // Outputs of one call follow each other: what it reads is looked at once.
  bool IsDiscrete(const FormulaWalk::Parts& read) {
    if (read.call != latest_call_) {
      latest_call_ = read.call;
      is_latest_discrete_ = AreDiscrete(read.in_call);
    }
    return is_latest_discrete_;
  }

  System& system_;
  bool is_of_start_;
  Expr latest_call_;
  bool is_latest_discrete_ = true;
};

}  // namespace

std::optional<Incidence> FindCandidates(System& system,
                                        const SortProblem& problem,
                                        const Incidence& incidence) {
  const auto is_discrete = [&](std::uint32_t scalar) {
    return system.scalars[scalar].is_discrete;
  };
  const bool has_discrete = std::ranges::any_of(problem.unknowns, is_discrete);
  const bool has_loops =
      std::ranges::any_of(problem.equations, &ScalarEquation::has_loops);
  if (!has_discrete && !has_loops) {
    return std::nullopt;
  }
  Determination determination(system, problem);
  Incidence candidates;
  // By list of the incidence and kinds of unknowns.
  std::map<std::tuple<std::uint32_t, bool, bool>, std::uint32_t> lists;
  std::vector<std::uint32_t> row;
  for (std::uint32_t i = 0; i < problem.equations.size(); ++i) {
    const ScalarEquation& equation = problem.equations[i];
    const auto kinds =
        has_discrete ? determination.Of(equation) : Determination::Kinds{};
    const std::uint32_t own =
        equation.has_loops ? system.ScalarAt(equation.left) : kNone;
    const auto add_fitting = [&](const auto& columns,
                                 std::vector<std::uint32_t>& fitting) {
      for (const std::uint32_t column : columns) {
        const std::uint32_t unknown = problem.unknowns[column];
        const bool is_fit =
            own == kNone ? !system.IsSlice(unknown) : unknown == own;
        if (is_fit &&
            (is_discrete(unknown) ? kinds.discrete : kinds.continuous)) {
          fitting.push_back(column);
        }
      }
    };
    const std::uint32_t shared = incidence.shared_of(i);
    row.clear();
    if (shared == kNone || own != kNone) {
      add_fitting(incidence.row(i), row);
      candidates.AddRow(row);
      continue;
    }
    const auto [list, is_new] =
        lists.try_emplace({shared, kinds.discrete, kinds.continuous}, kNone);
    if (is_new) {
      std::vector<std::uint32_t> fitting;
      add_fitting(incidence.shared(shared), fitting);
      list->second = candidates.AddShared(std::move(fitting));
    }
    add_fitting(incidence.own(i), row);
    candidates.AddRow(row, list->second);
  }
  return candidates;
}

MatchedProblem ContinuousPart(System& system, const MatchedProblem& all) {
  MatchedProblem part;
  std::vector<std::uint32_t> column_in_part(all.problem.unknowns.size(), kNone);
  for (std::uint32_t i = 0; i < column_in_part.size(); ++i) {
    const std::uint32_t unknown = all.problem.unknowns[i];
    if (!system.scalars[unknown].is_discrete) {
      column_in_part[i] =
          static_cast<std::uint32_t>(part.problem.unknowns.size());
      part.problem.unknowns.push_back(unknown);
    }
  }
  part.matching.row_of_column.resize(part.problem.unknowns.size());
  std::vector<std::uint32_t> row;
  for (std::uint32_t i = 0; i < all.problem.equations.size(); ++i) {
    const std::uint32_t column = column_in_part[all.matching.column_of_row[i]];
    if (column == kNone) {
      continue;
    }
    row.clear();
    for (const std::uint32_t other : all.incidence.row(i)) {
      if (column_in_part[other] != kNone) {
        row.push_back(column_in_part[other]);
      }
    }
    part.incidence.AddRow(row);
    part.matching.row_of_column[column] =
        static_cast<std::uint32_t>(part.problem.equations.size());
    part.matching.column_of_row.push_back(column);
    part.problem.equations.push_back(all.problem.equations[i]);
  }
  return part;
}

namespace {

// Returns the formula of the equation `scalar := formula`, which is not Real
// and does not contain the scalar; else empty.
Expr ChoiceOf(System& system,
              const ScalarEquation& equation,
              std::uint32_t scalar) {
  if (system.scalars[scalar].key.type() == ValueType::kReal) {
    return {};
  }
  for (const auto& [target, formula] :
       {std::pair(equation.left, equation.right),
        std::pair(equation.right, equation.left)}) {
    if (system.ScalarAt(target) == scalar) {
      const std::array read = {formula};
      const auto scalars = system.walk.Scalars(read);
      return std::ranges::binary_search(scalars, scalar) ? Expr() : formula;
    }
  }
  return {};
}

// Breaks the loops of matched equations where `formula_of` gives a formula.
template <typename FormulaOf>
void BreakLoops(System& system,
                MatchedProblem& matched,
                std::vector<IteratedScalar>& iterated,
                const FormulaOf& formula_of) {
  SortProblem& problem = matched.problem;
  const std::size_t known = iterated.size();
  const Incidence components = FindComponents(matched);
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    const auto& rows = components.row(i);
    if (rows.size() == 1) {
      continue;
    }
    for (const std::uint32_t row : rows) {
      ScalarEquation& equation = problem.equations[row];
      const std::uint32_t column = matched.matching.column_of_row[row];
      const std::uint32_t scalar = problem.unknowns[column];
      const Expr formula = formula_of(rows, equation, scalar);
      if (!formula) {
        continue;
      }
      const std::uint32_t result = system.AddScalar(
          system.NameOf(scalar), formula.type(), /*is_discrete=*/true);
      equation.left = system.scalars[result].key;
      equation.right = formula;
      problem.unknowns[column] = result;
      iterated.push_back({.scalar = scalar, .result = result});
    }
  }
  if (iterated.size() > known) {
    matched.incidence = FindIncidence(system, problem);
  }
}

}  // namespace

std::vector<IteratedScalar> BreakLoopsAtRelations(System& system,
                                                  MatchedProblem& matched) {
  std::vector<IteratedScalar> iterated;
  BreakLoops(
      system,
      matched,
      iterated,
      [&system](const auto&, const ScalarEquation& equation, auto scalar) {
        return RelationOf(system, equation, scalar);
      });
  const auto is_mixed = [&](const auto& rows) {
    return std::ranges::any_of(rows, [&](std::uint32_t row) {
      const std::uint32_t column = matched.matching.column_of_row[row];
      const Scalar& scalar = system.scalars[matched.problem.unknowns[column]];
      return scalar.key.type() == ValueType::kReal;
    });
  };
  BreakLoops(
      system,
      matched,
      iterated,
      [&](const auto& rows, const ScalarEquation& equation, auto scalar) {
        const Expr choice = ChoiceOf(system, equation, scalar);
        return choice && is_mixed(rows) ? choice : Expr();
      });
  return iterated;
}

}  // namespace orrery::compile::internal
