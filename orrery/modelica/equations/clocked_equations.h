#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "orrery/modelica/equations/clock_partitions.h"
#include "orrery/modelica/equations/clock_ticks.h"
#include "orrery/modelica/equations/clock_variables.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {

/// Finds what is clocked and by which clock, and brings it to equations at
/// events. Reports clocks that do not fit.
void FinishClocks(Session& session);

/// Brings what is clocked to equations at events.
///
/// The equations of clocked partitions stay as they are and hold at all times.
/// Their variables become discrete, since they depend only on quantities that
/// change at ticks: sampled values, previous values and the tick time. So
/// partitions can be solved whatever form their equations have. With a the
/// activation of a clock:
///     sample(u) = if initial() then u elseif a then pre(u) else itself before
///     previous(x) = if a then pre(x), at the first tick its start
///     hold(x) = x from the first tick on, its start before
class ClockedEquations {
 public:
  ClockedEquations(Session& session,
                   std::span<const ClockUse* const> uses,
                   ClockPartitions& partitions)
      : session_(session), uses_(uses), partitions_(partitions) {}

  /// Throws Abandoned after a report.
  void Run();

 private:
  using Kind = ClockUse::Kind;

  void Add(const ClockUse& use);
  void AddTaken(const ClockUse& use);
  void AddPrevious(Expr result, Expr of, ClockTicks& ticks);
  void AddClocks();
  void TakeEquations();
  void TakeInitialEquations();
  void MakeDiscrete();
  void ShowStartsBeforeTicks();
  void BringToTicks(const Equation& equation,
                    ClockTicks& ticks,
                    Substitution& to);
  Expr DerivativeOf(Expr state, const SourceSpan& span, ClockTicks& ticks);
  void AddStep(Expr state,
               Expr derivative,
               const ClockUse& solver,
               ClockTicks& ticks);
  Expr PreviousOf(Expr variable, ClockTicks& ticks);

  Session& session_;
  std::span<const ClockUse* const> uses_;
  ClockPartitions& partitions_;
  ClockVariables variables_{session_};
  TickTable ticks_{session_, partitions_, variables_};
  std::unordered_map<std::uint32_t, Expr> derivatives_;
  std::unordered_map<std::uint32_t, Expr> previous_;
};

}  // namespace orrery::modelica::internal
