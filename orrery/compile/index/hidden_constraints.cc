#include "orrery/compile/index/hidden_constraints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// Greatest number of terms to combine: more is not worth the wait for a
// message.
constexpr std::size_t kMostTerms = 2'000'000;

using Combination = std::map<std::uint32_t, double>;

// @returns the number of terms added.
std::size_t AddTo(Combination& sum, const Combination& terms, double factor) {
  constexpr double kNegligible = 1e-12;
  for (const auto& [number, value] : terms) {
    const auto place = sum.try_emplace(number, 0).first;
    place->second += factor * value;
    if (std::abs(place->second) < kNegligible) {
      sum.erase(place);
    }
  }
  return terms.size();
}

// Gaussian elimination of all unknowns from the equations in which their
// factors are numbers. Unknowns that are in none of the other equations go
// first.
class Elimination {
 public:
  explicit Elimination(System& system) : system_(system) {}

  bool Run() {
    MakeRows();
    bool has_revealed = false;
    for (std::uint32_t i = 0; i < rows_.size() && num_terms_ <= kMostTerms;
         ++i) {
      if (rows_[i]) {
        has_revealed = Take(*rows_[i], i) || has_revealed;
      }
    }
    return has_revealed;
  }

 private:
  struct Row {
    Combination unknowns;   // By rank.
    Combination equations;  // The combined equations, by number.
  };

  void MakeRows() {
    const auto count = static_cast<std::uint32_t>(system_.scalars.size());
    std::vector<std::uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    for (std::uint32_t i = 0; i < system_.equations.size(); ++i) {
      if (!rows_.emplace_back(RowOf(i))) {
        for (const std::uint32_t scalar : system_.walk.Scalars(std::array{
                 system_.equations[i].left, system_.equations[i].right})) {
          ranks[scalar] = scalar + count;
        }
      }
    }
    for (std::optional<Row>& row : rows_) {
      Combination ranked;
      for (const auto& [scalar, factor] : row ? row->unknowns : Combination{}) {
        ranked.emplace(ranks[scalar], factor);
      }
      if (row) {
        row->unknowns = std::move(ranked);
      }
    }
    first_shared_ = count;
  }

  // Returns the equation with its unknowns by scalar, if their factors are
  // numbers.
  std::optional<Row> RowOf(std::uint32_t number) {
    const ScalarEquation& equation = system_.equations[number];
    if (equation.left.type() != ValueType::kReal) {
      return std::nullopt;
    }
    const std::array sides = {equation.left, equation.right};
    std::vector<std::uint32_t> unknowns;
    std::vector<Expr> keys;
    for (const std::uint32_t scalar : system_.walk.Scalars(sides)) {
      if (!system_.IsUnknown(scalar)) {
        continue;
      }
      const Expr key = system_.scalars[scalar].key;
      if (key.type() != ValueType::kReal) {
        return std::nullopt;
      }
      unknowns.push_back(scalar);
      keys.push_back(key);
    }
    const Expr residual = equation.left - equation.right;
    const std::vector<Expr> slopes = Gradient(residual, keys);
    Row row{.unknowns = {}, .equations = {{number, 1}}};
    Substitution without(system_.graph);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!slopes[i].is_constant()) {
        return std::nullopt;
      }
      if (slopes[i].value() != 0) {
        row.unknowns.emplace(unknowns[i], slopes[i].value());
      }
      without.Add(keys[i], system_.graph.Constant(0));
    }
    rests_.emplace(number, without.Apply(residual));
    return row;
  }

  // Keeps the remainder of equation `number` for the elimination of others.
  // @returns true if the remainder replaces the equation.
  bool Take(Row row, std::uint32_t number) {
    Reduce(row, first_shared_);
    const Row without_own = row;
    Reduce(row, kNone);
    if (row.unknowns.empty()) {
      return Reveal(row, number);
    }
    const std::uint32_t pivot = row.unknowns.begin()->first;
    pivots_.emplace(pivot, std::move(row));
    if (pivot < first_shared_ || !HasCancelled(without_own)) {
      return false;
    }
    Replace(without_own, number);
    return true;
  }

  // Eliminates the first unknowns of the row, those that rank below `end`.
  void Reduce(Row& row, std::uint32_t end) {
    while (!row.unknowns.empty()) {
      const auto [rank, factor] = *row.unknowns.begin();
      const auto pivot = pivots_.find(rank);
      if (rank >= end || pivot == pivots_.end()) {
        return;
      }
      const Row& by = pivot->second;
      const double share = -factor / by.unknowns.begin()->second;
      row.unknowns.erase(row.unknowns.begin());
      Combination others = by.unknowns;
      others.erase(others.begin());
      num_terms_ += AddTo(row.unknowns, others, share) +
                    AddTo(row.equations, by.equations, share);
    }
  }

  // True if unknowns that the other equations share have cancelled.
  [[nodiscard]] bool HasCancelled(const Row& row) const {
    std::set<std::uint32_t> shared;
    for (const auto& [number, factor] : row.equations) {
      for (const auto& [rank, slope] : rows_[number]->unknowns) {
        if (rank >= first_shared_) {
          shared.insert(rank);
        }
      }
    }
    return shared.size() > row.unknowns.size();
  }

  // Replaces equation `number`, which is part of the row, by the row's
  // remainder.
  // @returns false if no states are left.
  bool Reveal(const Row& row, std::uint32_t number) {
    const auto [left, right] = SidesOf(row);
    const std::array sides = {left, right};
    const bool has_states = std::ranges::any_of(
        system_.walk.Scalars(sides),
        [&](std::uint32_t s) { return system_.IsState(s); });
    if (!has_states || (left - right).is_constant()) {
      return false;
    }
    Replace(row, number);
    return true;
  }

  void Replace(const Row& row, std::uint32_t number) {
    ScalarEquation& equation = system_.equations[number];
    std::tie(equation.left, equation.right) = SidesOf(row);
    equation.homotopy = kNone;
  }

  [[nodiscard]] std::pair<Expr, Expr> SidesOf(const Row& row) const {
    Expr left = system_.graph.Constant(0);
    Expr right = left;
    const auto add = [&](double factor, Expr term) {
      Expr& side = factor > 0 ? left : right;
      side = side + std::abs(factor) * term;
    };
    for (const auto& [rank, factor] : row.unknowns) {
      add(factor, system_.scalars[rank % first_shared_].key);
    }
    for (const auto& [part, factor] : row.equations) {
      add(factor, rests_.at(part));
    }
    return {left, right};
  }

  System& system_;
  std::vector<std::optional<Row>> rows_;  // The equations as they are.
  std::uint32_t first_shared_ = 0;        // Least rank of shared unknowns.
  std::unordered_map<std::uint32_t, Row> pivots_;  // By their first unknown.
  std::unordered_map<std::uint32_t, Expr> rests_;  // Without unknowns.
  std::size_t num_terms_ = 0;
};

}  // namespace

bool RevealConstraints(System& system) {
  return Elimination(system).Run();
}

}  // namespace orrery::compile::internal
