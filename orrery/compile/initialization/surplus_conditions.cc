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

// Brings the largest entries of rows and columns near 1, since units differ by
// many powers of ten.
void Equilibrate(std::vector<SparseRow>& rows, std::size_t num_columns) {
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<double> largest(num_columns);
    for (SparseRow& row : rows) {
      const double size = Largest(row);
      for (auto& [column, entry] : row) {
        entry /= size;
        largest[column] = std::max(largest[column], std::abs(entry));
      }
    }
    for (SparseRow& row : rows) {
      for (auto& [column, entry] : row) {
        entry /= largest[column];
      }
    }
  }
}

// Eliminates columns of a matrix by pivots in rows, which are chosen for
// stability among those that may be chosen now.
class RowReduction {
 public:
  explicit RowReduction(std::vector<SparseRow> rows, std::size_t num_columns)
      : rows_(std::move(rows)), work_(num_columns), rows_of_(num_columns) {
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

 private:
  // Entries that are rounding of those that were eliminated.
  static constexpr double kNegligible = 1e-10;

  void Eliminate(std::uint32_t row) {
    is_done_[row] = true;
    const SparseRow& pivot = rows_[row];
    const auto [at, value] = *std::ranges::max_element(
        pivot, {}, [](const auto& entry) { return std::abs(entry.second); });
    for (const std::uint32_t other : rows_of_[at]) {
      if (!is_done_[other]) {
        Subtract(pivot, at, value, other);
      }
    }
  }

  // Leaves the row `other` without an entry in the column `at`.
  void Subtract(const SparseRow& pivot,
                std::uint32_t at,
                double value,
                std::uint32_t other) {
    SparseRow& row = rows_[other];
    const auto met = std::ranges::find(row, at, &SparseRow::value_type::first);
    if (met == row.end()) {
      return;
    }
    const double factor = met->second / value;
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
      : system_(system), problem_(matched.problem), point_(system.graph) {
    for (const auto& [node, value] : numbers) {
      point_.Add(system.graph.At(node), value);
    }
    for (const std::uint32_t unknown : problem_.unknowns) {
      const Expr key = system.scalars[unknown].key;
      if (key.type() == ValueType::kReal) {
        point_.Add(key, system.graph.Constant(AnyNumber()));
      }
    }
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
    std::vector<SparseRow> gradients;
    gradients.reserve(part.rows.size());
    for (const std::uint32_t row : part.rows) {
      gradients.push_back(GradientOf(row, part.columns));
    }
    Equilibrate(gradients, part.columns.size());
    RowReduction reduction(std::move(gradients), part.columns.size());
    for (const Turn turn : {Turn::kModel,
                            Turn::kBefore,
                            Turn::kInitial,
                            Turn::kState,
                            Turn::kOther}) {
      std::vector<std::uint32_t> now;
      for (std::uint32_t i = 0; i < part.rows.size(); ++i) {
        if (TurnOf(part.rows[i]) == turn) {
          now.push_back(i);
        }
      }
      const bool is_model = turn == Turn::kModel;
      for (const std::uint32_t i : reduction.Take(std::move(now), is_model)) {
        if (!is_model) {
          surplus_.push_back(part.rows[i]);
        }
      }
    }
  }

  // In the columns of a part. What is no number there is any number.
  SparseRow GradientOf(std::uint32_t row,
                       std::span<const std::uint32_t> columns) {
    const ScalarEquation& equation = problem_.equations[row];
    const auto own = candidates_.row(row);
    const std::vector<std::uint32_t> candidates(own.begin(), own.end());
    std::vector<Expr> slopes(candidates.size());
    if (equation.left.type() == ValueType::kReal &&
        equation.right.type() == ValueType::kReal) {
      std::vector<Expr> keys;
      for (const std::uint32_t column : candidates) {
        keys.push_back(system_.scalars[problem_.unknowns[column]].key);
      }
      slopes = Gradient(equation.left - equation.right, keys);
    }
    SparseRow result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Expr slope = slopes[i] ? point_.Apply(slopes[i]) : Expr();
      const bool is_number =
          slope && slope.is_constant() && std::isfinite(slope.value());
      const double entry = is_number ? slope.value() : AnyNumber();
      const auto at = std::ranges::lower_bound(columns, candidates[i]);
      if (entry != 0 && at != columns.end() && *at == candidates[i]) {
        result.emplace_back(static_cast<std::uint32_t>(at - columns.begin()),
                            entry);
      }
    }
    return result;
  }

  double AnyNumber() { return random_.Uniform(0.5, 1.5); }

  System& system_;
  const SortProblem& problem_;
  Substitution point_;
  RandomStream random_{0, "a point in no particular relation"};
  Incidence candidates_;
  std::vector<Part> over_;
  std::vector<std::uint32_t> surplus_;
};

}  // namespace

std::vector<std::uint32_t> FindSurplusConditions(System& system,
                                                 const MatchedProblem& matched,
                                                 const Replacements& numbers) {
  return SurplusFinder(system, matched, numbers).Run();
}

}  // namespace orrery::compile::internal
