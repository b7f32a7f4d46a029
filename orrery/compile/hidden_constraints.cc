#include "orrery/compile/internal/hidden_constraints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/symbolic/derivative.h"
#include "orrery/symbolic/transform.h"

namespace orrery::internal {
namespace {

// Terms that are combined at most: more is not worth the wait for a message.
constexpr std::size_t kMostTerms = 2'000'000;

using Combination = std::map<std::uint32_t, double>;

// @returns how many terms were added.
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

// Gaussian elimination of all unknowns from the equations in which they have
// numbers as factors.
class Elimination {
 public:
  explicit Elimination(System& system) : system_(system) {}

  bool Run() {
    bool has_revealed = false;
    for (std::uint32_t i = 0; i < system_.equations.size(); ++i) {
      if (num_terms_ > kMostTerms) {
        break;
      }
      auto row = RowOf(i);
      if (!row) {
        continue;
      }
      Reduce(*row);
      if (row->unknowns.empty()) {
        has_revealed = Reveal(*row, i) || has_revealed;
      } else {
        pivots_.emplace(row->unknowns.begin()->first, std::move(*row));
      }
    }
    return has_revealed;
  }

 private:
  struct Row {
    Combination unknowns;   // By scalar.
    Combination equations;  // That it is made of, by number.
  };

  // The equation, if its unknowns have numbers as factors.
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

  void Reduce(Row& row) {
    while (!row.unknowns.empty()) {
      const auto [scalar, factor] = *row.unknowns.begin();
      const auto pivot = pivots_.find(scalar);
      if (pivot == pivots_.end()) {
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

  // Puts what is left of it in the place of equation `number`, which is of it.
  // @returns false if no states are left.
  bool Reveal(const Row& row, std::uint32_t number) {
    Expr left = system_.graph.Constant(0);
    Expr right = left;
    for (const auto& [part, factor] : row.equations) {
      Expr& side = factor > 0 ? left : right;
      side = side + std::abs(factor) * rests_.at(part);
    }
    const std::array sides = {left, right};
    const bool has_states = std::ranges::any_of(
        system_.walk.Scalars(sides),
        [&](std::uint32_t s) { return system_.IsState(s); });
    if (!has_states || (left - right).is_constant()) {
      return false;
    }
    system_.equations[number].left = left;
    system_.equations[number].right = right;
    return true;
  }

  System& system_;
  std::unordered_map<std::uint32_t, Row> pivots_;  // By their first unknown.
  std::unordered_map<std::uint32_t, Expr> rests_;  // Without unknowns.
  std::size_t num_terms_ = 0;
};

}  // namespace

bool RevealConstraints(System& system) {
  return Elimination(system).Run();
}

}  // namespace orrery::internal
