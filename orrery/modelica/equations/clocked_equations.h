#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "orrery/modelica/equations/clock_partitions.h"
#include "orrery/symbolic/transform.h"

namespace orrery {
struct Variable;
}  // namespace orrery

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

  /// The ticks of one clock, as formulas. Some are made on demand.
  struct Ticks {
    const TickTimes* times = nullptr;
    std::string name;
    SourceSpan span;
    Expr active;    ///< True in the first pass of a tick's event.
    Expr ticked;    ///< True once a tick has occurred.
    Expr interval;  ///< s
    Expr time;      ///< s, of the latest tick.
    Expr is_first;  ///< True if the latest tick is the first.
  };

  /// The intervals of a varying clock, divided into equal parts. All clocks
  /// measured by it tick at the ends of parts.
  struct Parts {
    Rational count = 1;
    Expr is_over;  ///< True in the first pass of the event at its end.
    Expr number;   ///< The current part's number in its interval, from 0.
    Expr end;      ///< s, the end of the current part.
    Expr first;    ///< s, of the first tick.
    Expr origin;   ///< The begin of the interval, in units after `first`.
    Expr length;   ///< The length of the interval, in units.
  };

  Ticks& TicksOf(Expr variable, const SourceSpan& span);
  Ticks& TicksOf(const TickTimes& times, const SourceSpan& span);
  void SetActive(Ticks& ticks);
  Expr ActiveOfEvent(const ClockUse& source);
  Parts& PartsOf(const ClockUse& source);
  void AdvanceParts(const Parts& parts, const ClockUse& source);
  [[nodiscard]] Expr FirstIntervalOf(const TickTimes& times);
  void TakeEvery(Ticks& ticks, const ClockRate& rate);
  Expr TimeOf(Ticks& ticks);
  Expr IntervalOf(Ticks& ticks);
  Expr IsFirst(Ticks& ticks);

  void Add(const ClockUse& use);
  void AddTaken(const ClockUse& use);
  void AddPrevious(Expr result, Expr of, Ticks& ticks);
  void AddClocks();
  void TakeEquations();
  void TakeInitialEquations();
  void MakeDiscrete();
  void BringToTicks(const Equation& equation, Ticks& ticks, Substitution& to);
  Expr DerivativeOf(Expr state, const SourceSpan& span, Ticks& ticks);
  void AddStep(Expr state,
               Expr derivative,
               const ClockUse& solver,
               Ticks& ticks);
  Expr PreviousOf(Expr variable, Ticks& ticks);

  Expr Hidden(std::string name,
              ValueType type,
              const Ticks& ticks,
              Expr start = {});
  Expr IfActive(const Ticks& ticks, Expr value, Expr variable);
  Variable& Declare(Expr symbol, const SourceSpan& at);
  Variable& DeclareLike(Expr like, Expr symbol, const SourceSpan& at);
  void Equate(Expr left, Expr right, const SourceSpan& span);
  Variable* Declared(Expr variable);
  Expr StartOf(Expr variable);

  Session& session_;
  std::span<const ClockUse* const> uses_;
  ClockPartitions& partitions_;
  std::map<std::tuple<const ClockUse*, Rational, Rational>, Ticks> ticks_;
  std::unordered_map<const ClockUse*, Parts> parts_;  // Varying clocks.
  std::unordered_map<std::uint32_t, Expr> starts_;    // By symbol.
  std::unordered_map<std::uint32_t, Expr> derivatives_;
  std::unordered_map<std::uint32_t, Expr> previous_;
};

}  // namespace orrery::modelica::internal
