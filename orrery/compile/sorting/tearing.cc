#include "orrery/compile/sorting/tearing.h"

#include <algorithm>
#include <compare>
#include <queue>
#include <utility>
#include <vector>

namespace orrery::compile::internal {
namespace {

// Limit of turned equations, which the author wrote for another unknown,
// between the torn unknowns and any other. Each may magnify an error of the
// guess (by 4 in a grid of resistors), and a chain of them is a shooting
// method.
constexpr int kMaxTurned = 2;

// Limit of all equations in such a chain, turned or not. They magnify (gains of
// 2: by 65536) an error of the guess even if it is in the last digit only.
constexpr int kMaxChain = 16;

// Above this many equations none is turned. More unknowns in a sparser matrix
// are solved faster than fewer in a fuller one, and from worse guesses (a grid
// of 40 by 40 diodes: 10 times as fast).
constexpr std::size_t kLargeLoop = 200;

class Tearing {
 public:
  Tearing(System& system,
          Solver& solver,
          std::span<const ScalarEquation> equations,
          std::span<const std::uint32_t> unknowns,
          const std::vector<bool>& preferred)
      : system_(system),
        solver_(solver),
        equations_(equations),
        unknowns_(unknowns),
        rows_of_(unknowns.size()),
        open_unknowns_(equations.size()),
        open_rows_(unknowns.size()),
        is_known_(unknowns.size()),
        is_used_(equations.size()),
        turned_(unknowns.size()),
        chain_(unknowns.size()) {
    const SortProblem problem{.equations = {equations.begin(), equations.end()},
                              .unknowns = {unknowns.begin(), unknowns.end()}};
    incidence_ = FindIncidence(system, problem);
    defines_ = FindDefinitions(system, problem, incidence_);
    for (std::uint32_t row = 0; row < equations.size(); ++row) {
      const auto columns = incidence_.row(row);
      open_unknowns_[row] = columns.size();
      for (const std::uint32_t column : columns) {
        rows_of_[column].push_back(row);
        ++open_rows_[column];
      }
      if (columns.size() == 1) {
        MarkReady(row);
      }
    }
    for (std::uint32_t column = 0; column < unknowns.size(); ++column) {
      candidates_.push({.is_preferred = unknowns[column] < preferred.size() &&
                                        preferred[unknowns[column]],
                        .open = open_rows_[column],
                        .key = ~column});
    }
  }

  AlgebraicLoop Run() {
    for (;;) {
      for (std::uint32_t row = NextReady(); row != kNone; row = NextReady()) {
        TryToSolve(row);
      }
      const std::uint32_t column = NextToTear();
      if (column == kNone) {
        break;
      }
      loop_.torn.push_back(unknowns_[column]);
      MarkKnown(column);
    }
    for (std::uint32_t row = 0; row < equations_.size(); ++row) {
      if (!is_used_[row]) {
        loop_.residual_equations.push_back(equations_[row]);
      }
    }
    return std::move(loop_);
  }

 private:
  // Preferred unknowns first, then those in most open equations, then the one
  // declared first.
  struct Candidate {
    bool is_preferred = false;
    std::size_t open = 0;
    std::uint32_t key = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): it sees a 0 in the comparison.
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  void TryToSolve(std::uint32_t row) {
    const auto columns = incidence_.row(row);
    const auto open = std::ranges::find_if(
        columns, [this](std::uint32_t column) { return !is_known_[column]; });
    if (is_used_[row] || open == columns.end()) {
      return;
    }
    const bool is_scaling = Scales(row);
    const int turned = TurnedFor(row, *open, is_scaling);
    const int chain = MostOfOthers(chain_, row, *open) + (is_scaling ? 0 : 1);
    if (turned > (IsLarge() ? 0 : kMaxTurned) || chain > kMaxChain) {
      return;
    }
    const auto solution = solver_.For(equations_[row], unknowns_[*open]);
    if (!solution || solution->divisor > MostDoubtful(is_scaling)) {
      return;
    }
    loop_.inner.push_back({.scalar = unknowns_[*open],
                           .value = solution->value,
                           .origin = equations_[row].origin});
    is_used_[row] = true;
    turned_[*open] = turned;
    chain_[*open] = chain;
    MarkKnown(*open);
  }

  // Returns the worst divisor that is allowed. A parameter may be 0, as a gain
  // or an element of a matrix is. Only large loops take it for a resistance;
  // else the currents of a grid would be torn unknowns beside its potentials.
  [[nodiscard]] Coefficient MostDoubtful(bool is_scaling) const {
    return is_scaling && IsLarge() ? Coefficient::kParameter
                                   : Coefficient::kNonzero;
  }

  [[nodiscard]] bool IsLarge() const { return equations_.size() > kLargeLoop; }

  // Returns the number of turned equations in the chain if `row` gives
  // `column`. An equation that the author wrote for it, or that merely scales
  // another unknown, is not turned.
  [[nodiscard]] int TurnedFor(std::uint32_t row,
                              std::uint32_t column,
                              bool is_scaling) const {
    const int most = MostOfOthers(turned_, row, column);
    return defines_[row] == column || is_scaling ? most : most + 1;
  }

  // Returns the greatest of `counts` among the unknowns of `row` but `column`.
  [[nodiscard]] int MostOfOthers(const std::vector<int>& counts,
                                 std::uint32_t row,
                                 std::uint32_t column) const {
    int most = 0;
    for (const std::uint32_t other : incidence_.row(row)) {
      most = std::max(most, other == column ? 0 : counts[other]);
    }
    return most;
  }

  // True if `row` only says that two unknowns are proportional: the relative
  // error stays the same.
  [[nodiscard]] bool Scales(std::uint32_t row) {
    if (incidence_.row(row).size() > 2) {
      return false;
    }
    std::vector<Expr> keys;
    for (const std::uint32_t column : incidence_.row(row)) {
      keys.push_back(system_.scalars[unknowns_[column]].key);
    }
    const auto form = solver_.AsLinear(equations_.subspan(row, 1), keys);
    return form && form->constants.front().is_constant(0);
  }

  void MarkKnown(std::uint32_t column) {
    is_known_[column] = true;
    for (const std::uint32_t row : rows_of_[column]) {
      if (!is_used_[row] && --open_unknowns_[row] == 1) {
        MarkReady(row);
      }
    }
  }

  void MarkReady(std::uint32_t row) {
    const std::uint32_t defined = defines_[row];
    const bool is_turned = defined == kNone || is_known_[defined];
    (IsLarge() && is_turned ? doubtful_ : ready_).push(row);
  }

  std::uint32_t NextReady() {
    std::queue<std::uint32_t>& rows = ready_.empty() ? doubtful_ : ready_;
    if (rows.empty()) {
      return kNone;
    }
    const std::uint32_t row = rows.front();
    rows.pop();
    return row;
  }

  std::uint32_t NextToTear() {
    while (!candidates_.empty()) {
      Candidate candidate = candidates_.top();
      candidates_.pop();
      const std::uint32_t column = ~candidate.key;
      if (is_known_[column]) {
        continue;
      }
      const auto open = static_cast<std::size_t>(std::ranges::count_if(
          rows_of_[column],
          [this](std::uint32_t row) { return !is_used_[row]; }));
      if (open == candidate.open) {
        return column;
      }
      candidate.open = open;
      candidates_.push(candidate);
    }
    return kNone;
  }

  System& system_;
  Solver& solver_;
  std::span<const ScalarEquation> equations_;
  std::span<const std::uint32_t> unknowns_;
  Incidence incidence_;
  std::vector<std::vector<std::uint32_t>> rows_of_;
  std::vector<std::size_t> open_unknowns_;
  std::vector<std::size_t> open_rows_;
  std::vector<bool> is_known_;
  std::vector<bool> is_used_;
  std::vector<int> turned_;             // By column; see TurnedFor.
  std::vector<int> chain_;              // Likewise, without scaling ones.
  std::vector<std::uint32_t> defines_;  // By row: FindDefinitions.
  // Equations with one unknown left. In large loops those that may divide by a
  // parameter wait in `doubtful_` until there is no other.
  std::queue<std::uint32_t> ready_;
  std::queue<std::uint32_t> doubtful_;
  std::priority_queue<Candidate> candidates_;
  AlgebraicLoop loop_;
};

}  // namespace

AlgebraicLoop Tear(System& system,
                   Solver& solver,
                   std::span<const ScalarEquation> equations,
                   std::span<const std::uint32_t> unknowns,
                   const std::vector<bool>& preferred) {
  return Tearing(system, solver, equations, unknowns, preferred).Run();
}

}  // namespace orrery::compile::internal
