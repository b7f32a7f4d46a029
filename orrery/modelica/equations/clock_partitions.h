#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/modelica/equations/clock_rates.h"
#include "orrery/modelica/session/clocks.h"

namespace orrery {
struct Equation;
}

namespace orrery::modelica::internal {

/// When a clock ticks.
struct TickTimes {
  /// Its constructor or that of the clock it is measured by; null: seconds from
  /// the start on.
  const ClockUse* source = nullptr;
  ClockRate rate;
  const ClockUse* solver = nullptr;  ///< What gives a method; may be null.
};

/// Which variables of a model are clocked, and by which clock.
///
/// Variables that equations bind are of one partition, but for those on
/// different sides of sample(), hold() and the conversions of clocks
/// (specification 3.6, section 16.7). A partition has one clock.
class ClockPartitions {
 public:
  /// @param uses those that matter; they outlive this.
  ClockPartitions(Session& session, std::span<const ClockUse* const> uses);

  /// Takes what only says that clocks are the same out of the model's
  /// equations. Throws Abandoned, after a report, if clocks do not fit.
  void Find();

  /// The clock of a variable or an element of one, or of a clock; null if it is
  /// not clocked.
  [[nodiscard]] const TickTimes* ClockOf(Expr variable);

  /// In how many equal parts an interval of the clock `source` is to be
  /// divided, so that all clocks that are measured by it tick at their ends.
  [[nodiscard]] Rational PartsOf(const ClockUse& source) const;

  /// The clock of an equation, likewise.
  [[nodiscard]] const TickTimes* ClockOf(const Equation& equation);

 private:
  using Kind = ClockUse::Kind;

  /// What says of a partition that it is clocked, or that it is not.
  struct Mark {
    const ClockUse* use = nullptr;
    Expr what;
  };

  struct Partition {
    Mark clocked;
    Mark continuous;
    const ClockUse* solver = nullptr;
    std::optional<std::size_t> clock;  ///< Its number in `rates_`.
    std::optional<TickTimes> times;
  };

  void FindVariables();
  std::size_t IndexOf(Expr variable);
  void Join(Expr a, Expr b);
  void JoinAll(std::span<const Expr> formulas);
  std::vector<Expr> VariablesIn(std::span<const Expr> formulas) const;

  Partition& PartitionOf(Expr variable) {
    return partitions_[joined_.Find(IndexOf(variable))];
  }

  void JoinUse(const ClockUse& use);
  void JoinClause(const ClockUse& use);
  void TakeClockEquations();
  bool JoinClocks(Expr left, Expr right, const SourceSpan& span);
  void MarkUse(const ClockUse& use);
  void CheckMarks();

  void FindTimes();
  std::size_t RateOf(Expr variable);
  std::size_t SecondsFrom();
  void AddSource(const ClockUse& use);
  void Derive(const ClockUse& use);
  bool Infer(const ClockUse& use);
  void SetTimes(Partition& partition);
  [[noreturn]] void FailConflict(const ClockUse& use);

  Session& session_;
  std::span<const ClockUse* const> uses_;
  std::unordered_set<std::uint32_t> variables_;  // Symbols.
  std::unordered_map<std::uint32_t, std::size_t> index_;
  DisjointSets joined_;
  std::unordered_map<std::size_t, Partition> partitions_;  // By the set.
  ClockRates rates_;
  std::map<std::size_t, const ClockUse*> bases_;              // Of `rates_`.
  std::unordered_map<std::uint32_t, std::size_t> intervals_;  // Bases.
  std::optional<std::size_t> seconds_;
};

}  // namespace orrery::modelica::internal
