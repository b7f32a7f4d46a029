#include "orrery/compile/initialization/surplus_conditions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "orrery/base/numbers/random.h"
#include "orrery/compile/sorting/discrete.h"
#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

// A row of a matrix: its entries other than 0, by column.
using SparseRow = std::vector<std::pair<std::uint32_t, double>>;

double Largest(const SparseRow& row) {
  double largest = 0;
  for (const auto& [column, entry] : row) {
    largest = std::max(largest, std::abs(entry));
  }
  return largest;
}

// Linear equations: the product of each row with the unknowns is its right
// side.
struct LinearRows {
  std::vector<SparseRow> rows;
  std::vector<double> right;
};

// Brings the largest entries of rows and columns near 1, since units differ by
// many powers of ten.
// @returns the factors by which the unknowns are multiplied.
std::vector<double> Equilibrate(LinearRows& equations,
                                std::size_t num_columns) {
  constexpr int kPasses = 3;
  std::vector<double> factors(num_columns, 1);
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<double> largest(num_columns);
    for (std::size_t i = 0; i < equations.rows.size(); ++i) {
      const double size = Largest(equations.rows[i]);
      equations.right[i] /= size > 0 ? size : 1;
      for (auto& [column, entry] : equations.rows[i]) {
        entry /= size;
        largest[column] = std::max(largest[column], std::abs(entry));
      }
    }
    for (SparseRow& row : equations.rows) {
      for (auto& [column, entry] : row) {
        entry /= largest[column];
      }
    }
    for (std::size_t j = 0; j < num_columns; ++j) {
      factors[j] *= largest[j] > 0 ? largest[j] : 1;
    }
  }
  return factors;
}

// Eliminates columns of a matrix by pivots in rows, which are chosen for
// stability among those that may be chosen now.
class RowReduction {
 public:
  RowReduction(LinearRows equations, std::size_t num_columns)
      : rows_(std::move(equations.rows)),
        right_(std::move(equations.right)),
        work_(num_columns),
        rows_of_(num_columns) {
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      largest_.push_back(Largest(rows_[i]));
      for (const auto& [column, entry] : rows_[i]) {
        rows_of_[column].push_back(i);
      }
    }
    is_done_.resize(rows_.size());
  }

  // Takes pivots from `rows`, as long as any has an entry left. Where several
  // do nearly as well, the first one has the pivot, or the sparsest one.
  // @returns the rows without a pivot: they depend on rows that have one.
  std::vector<std::uint32_t> Take(std::vector<std::uint32_t> rows,
                                  bool takes_sparsest) {
    constexpr double kNearlyAsWell = 0.1;
    for (;;) {
      double most = kNegligible;
      for (const std::uint32_t row : rows) {
        most = std::max(most, kNearlyAsWell * largest_[row]);
      }
      std::uint32_t best = kNone;
      for (const std::uint32_t row : rows) {
        const bool is_fit = !is_done_[row] && largest_[row] > most;
        if (is_fit &&
            (best == kNone ||
             (takes_sparsest && rows_[row].size() < rows_[best].size()))) {
          best = row;
        }
      }
      if (best == kNone) {
        break;
      }
      Eliminate(best);
      std::erase(rows, best);
    }
    return rows;
  }

  // A solution of the equations that have pivots; unknowns without one are 0.
  [[nodiscard]] std::vector<double> Solution() const {
    std::vector<double> solution(work_.size());
    for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
      double rest = right_[pivot->row];
      for (const auto& [column, entry] : rows_[pivot->row]) {
        rest -= column == pivot->column ? 0 : entry * solution[column];
      }
      solution[pivot->column] = rest / pivot->value;
    }
    return solution;
  }

 private:
  struct Pivot {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    double value = 0;
  };

  // Entries that are rounding of those that were eliminated.
  static constexpr double kNegligible = 1e-10;

  void Eliminate(std::uint32_t row) {
    is_done_[row] = true;
    const auto [column, value] =
        *std::ranges::max_element(rows_[row], {}, [](const auto& entry) {
          return std::abs(entry.second);
        });
    pivots_.push_back({.row = row, .column = column, .value = value});
    for (const std::uint32_t other : rows_of_[column]) {
      if (!is_done_[other]) {
        Subtract(pivots_.back(), other);
      }
    }
  }

  // Leaves the row `other` without an entry in the column of the pivot.
  void Subtract(const Pivot& by, std::uint32_t other) {
    const SparseRow& pivot = rows_[by.row];
    const std::uint32_t at = by.column;
    SparseRow& row = rows_[other];
    const auto met = std::ranges::find(row, at, &SparseRow::value_type::first);
    if (met == row.end()) {
      return;
    }
    const double factor = met->second / by.value;
    right_[other] -= factor * right_[by.row];
    for (const auto& [column, entry] : pivot) {
      work_[column] = -factor * entry;
    }
    work_[at] = 0;
    SparseRow rest;
    for (const auto& [column, entry] : row) {
      const double sum = entry + std::exchange(work_[column], 0);
      if (column != at && std::abs(sum) > kNegligible) {
        rest.emplace_back(column, sum);
      }
    }
    for (const auto& [column, entry] : pivot) {
      const double filled = std::exchange(work_[column], 0);
      if (std::abs(filled) > kNegligible) {
        rest.emplace_back(column, filled);
        rows_of_[column].push_back(other);
      }
    }
    row = std::move(rest);
    largest_[other] = Largest(row);
  }

  std::vector<SparseRow> rows_;
  std::vector<double> right_;
  std::vector<Pivot> pivots_;
  std::vector<double> work_;
  std::vector<std::vector<std::uint32_t>> rows_of_;  // By column; may be more.
  std::vector<double> largest_;                      // Entries, by row.
  std::vector<bool> is_done_;                        // Has a pivot, by row.
};

class SurplusFinder {
 public:
  SurplusFinder(System& system,
                const MatchedProblem& matched,
                const Replacements& numbers)
      : system_(system), problem_(matched.problem), numbers_(numbers) {
    auto narrowed = FindCandidates(system, problem_, matched.incidence);
    candidates_ = narrowed ? std::move(*narrowed) : matched.incidence;
    over_ = OverdeterminedParts(candidates_, matched.matching);
  }

  std::vector<std::uint32_t> Run() {
    for (const Part& part : over_) {
      FindIn(part);
    }
    std::ranges::sort(surplus_);
    return std::move(surplus_);
  }

 private:
  // The order in which equations are taken.
  enum class Turn : std::uint8_t { kModel, kBefore, kInitial, kState, kOther };

  // An equation of a part. A slope or residual that is no number at a point is
  // `any` or 0.
  struct SlopedEquation {
    Turn turn = Turn::kModel;
    Expr residual;  // Empty if the equation is not between Reals.
    std::vector<std::uint32_t> columns;  // In the part.
    std::vector<Expr> slopes;            // Empty ones likewise.
    std::vector<double> any;
  };

  [[nodiscard]] Turn TurnOf(std::uint32_t row) const {
    const ScalarEquation& equation = problem_.equations[row];
    switch (system_.origins[equation.origin].kind) {
      case OriginKind::kInitialEquation:
        return Turn::kInitial;
      case OriginKind::kStart: {
        const std::uint32_t scalar = system_.ScalarAt(equation.left);
        return scalar == kNone                           ? Turn::kOther
               : system_.scalars[scalar].pre_of != kNone ? Turn::kBefore
               : system_.IsState(scalar)                 ? Turn::kState
                                                         : Turn::kOther;
      }
      default:
        return Turn::kModel;
    }
  }

  void FindIn(const Part& part) {
    equations_.clear();
    for (const std::uint32_t row : part.rows) {
      equations_.push_back(SlopesOf(row, part.columns));
    }
    LinearRows equations = AtPointOfModel(part.columns);
    static_cast<void>(Equilibrate(equations, part.columns.size()));
    RowReduction reduction(std::move(equations), part.columns.size());
    for (const Turn turn : {Turn::kModel,
                            Turn::kBefore,
                            Turn::kInitial,
                            Turn::kState,
                            Turn::kOther}) {
      const auto left = reduction.Take(RowsOf(turn), turn == Turn::kModel);
      for (const std::uint32_t i : left) {
        if (turn != Turn::kModel) {
          surplus_.push_back(part.rows[i]);
        }
      }
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> RowsOf(Turn turn) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < equations_.size(); ++i) {
      if (equations_[i].turn == turn) {
        rows.push_back(i);
      }
    }
    return rows;
  }

  SlopedEquation SlopesOf(std::uint32_t row,
                          std::span<const std::uint32_t> columns) {
    const ScalarEquation& equation = problem_.equations[row];
    SlopedEquation sloped{.turn = TurnOf(row)};
    std::vector<Expr> keys;
    for (const std::uint32_t column : candidates_.row(row)) {
      const auto at = std::ranges::lower_bound(columns, column);
      keys.push_back(system_.scalars[problem_.unknowns[column]].key);
      sloped.columns.push_back(
          static_cast<std::uint32_t>(at - columns.begin()));
      sloped.any.push_back(AnyNumber());
    }
    sloped.slopes.resize(keys.size());
    // 0 may be an Integer.
    if (equation.left.type() == ValueType::kReal ||
        equation.right.type() == ValueType::kReal) {
      sloped.residual = equation.left - equation.right;
      sloped.slopes = Gradient(sloped.residual, keys);
    }
    return sloped;
  }

  // Linearizes the equations at a point that obeys those of the model, near one
  // in no particular relation; at that one if Newton's method finds none.
  LinearRows AtPointOfModel(std::span<const std::uint32_t> columns) {
    constexpr int kMostSteps = 12;
    constexpr double kNear = 1e-10;
    std::vector<double> values(columns.size());
    for (double& value : values) {
      value = AnyNumber();
    }
    LinearRows first = Linearize(columns, values);
    LinearRows here = first;
    for (int step = 0; step < kMostSteps; ++step) {
      const std::vector<double> factors = Equilibrate(here, values.size());
      RowReduction reduction(std::move(here), values.size());
      static_cast<void>(reduction.Take(RowsOf(Turn::kModel), true));
      const std::vector<double> moves = reduction.Solution();
      double size = 0;
      for (std::size_t j = 0; j < values.size(); ++j) {
        const double move = moves[j] / factors[j];
        values[j] += move;
        size =
            std::max(size, std::abs(move) / std::max(1.0, std::abs(values[j])));
      }
      if (!std::isfinite(size)) {
        break;
      }
      here = Linearize(columns, values);
      if (size <= kNear) {
        return here;
      }
    }
    return first;
  }

  LinearRows Linearize(std::span<const std::uint32_t> columns,
                       std::span<const double> values) {
    Substitution point(system_.graph, numbers_);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Expr key = system_.scalars[problem_.unknowns[columns[j]]].key;
      if (key.type() == ValueType::kReal) {
        point.Add(key, system_.graph.Constant(values[j]));
      }
    }
    const auto number = [&point](Expr formula, double otherwise) {
      const Expr value = formula ? point.Apply(formula) : Expr();
      return value && value.is_constant() && std::isfinite(value.value())
                 ? value.value()
                 : otherwise;
    };
    LinearRows result;
    for (const SlopedEquation& sloped : equations_) {
      SparseRow& row = result.rows.emplace_back();
      for (std::size_t k = 0; k < sloped.columns.size(); ++k) {
        const double entry = number(sloped.slopes[k], sloped.any[k]);
        if (entry != 0) {
          row.emplace_back(sloped.columns[k], entry);
        }
      }
      result.right.push_back(-number(sloped.residual, 0));
    }
    return result;
  }

  double AnyNumber() { return random_.Uniform(0.5, 1.5); }

  System& system_;
  const SortProblem& problem_;
  const Replacements& numbers_;
  RandomStream random_{0, "a point in no particular relation"};
  Incidence candidates_;
  std::vector<Part> over_;
  std::vector<SlopedEquation> equations_;  // The part that is looked at.
  std::vector<std::uint32_t> surplus_;
};

}  // namespace

std::vector<std::uint32_t> FindSurplusConditions(System& system,
                                                 const MatchedProblem& matched,
                                                 const Replacements& numbers) {
  return SurplusFinder(system, matched, numbers).Run();
}

}  // namespace orrery::compile::internal
