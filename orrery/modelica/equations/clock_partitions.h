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

/// The tick times of a clock.
struct TickTimes {
  /// The constructor of its base clock; null if `rate` counts seconds from the
  /// start.
  const ClockUse* source = nullptr;
  ClockRate rate;
  const ClockUse* solver = nullptr;  ///< Sets a solver method; may be null.
};

/// Finds the clocked variables of a model and the clock of each.
///
/// Variables in one equation belong to one partition, unless they are on
/// different sides of sample(), hold() or a clock conversion (specification
/// 3.6, section 16.7). A partition has one clock.
class ClockPartitions {
 public:
  /// @param uses the relevant ones; they must outlive this.
  ClockPartitions(Session& session, std::span<const ClockUse* const> uses);

  /// Runs the search. Removes the equations between clocks from the model.
  /// Throws Abandoned, after a report, if clocks do not fit.
  void Find();

  /// The clock of a variable, of an element of one or of a clock symbol; null
  /// if it is not clocked.
  [[nodiscard]] const TickTimes* ClockOf(Expr variable);

  /// The number of equal parts into which an interval of the clock `source`
  /// must be divided so that every clock measured by it ticks at the end of a
  /// part.
  [[nodiscard]] Rational PartsOf(const ClockUse& source) const;

  /// The clock of an equation; null if it is not clocked.
  [[nodiscard]] const TickTimes* ClockOf(const Equation& equation);

 private:
  using Kind = ClockUse::Kind;

  /// The reason why a partition is clocked or continuous: a use and its
  /// variable.
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
  void GiveClocks();
  void SetTimes(Partition& partition);
  [[noreturn]] void FailConflict(const ClockUse& use);

  Session& session_;
  std::span<const ClockUse* const> uses_;
  std::unordered_set<std::uint32_t> variables_;  // Symbols.
  std::unordered_map<std::uint32_t, std::size_t> index_;
  DisjointSets joined_;
  std::unordered_map<std::size_t, Partition> partitions_;  // By the set's root.
  ClockRates rates_;
  std::map<std::size_t, const ClockUse*> bases_;              // By rate.
  std::unordered_map<std::uint32_t, std::size_t> intervals_;  // Base clocks.
  std::optional<std::size_t> seconds_;
};

}  // namespace orrery::modelica::internal
