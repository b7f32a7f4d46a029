#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "orrery/base/source_file.h"
#include "orrery/modelica/equations/clock_partitions.h"
#include "orrery/modelica/equations/clock_rates.h"
#include "orrery/modelica/equations/clock_variables.h"
#include "orrery/modelica/session/clocks.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

/// The ticks of one clock, as formulas. Some are made on demand.
struct ClockTicks {
  const TickTimes* times = nullptr;
  std::string name;
  SourceSpan span;
  Expr active;    ///< True in the first pass of a tick's event.
  Expr ticked;    ///< True once a tick has occurred.
  Expr interval;  ///< s
  Expr time;      ///< s, of the latest tick.
  Expr is_first;  ///< True if the latest tick is the first.
};

/// The ticks of all clocks, as formulas. They are made on demand.
class TickTable {
 public:
  TickTable(Session& session,
            ClockPartitions& partitions,
            ClockVariables& variables)
      : session_(session), partitions_(partitions), variables_(variables) {}

  /// The ticks of the clock of a variable.
  ClockTicks& Of(Expr variable, const SourceSpan& span);

  ClockTicks& Of(const TickTimes& times, const SourceSpan& span);

  /// See ClockTicks::time, interval and is_first.
  Expr TimeOf(ClockTicks& ticks);
  Expr IntervalOf(ClockTicks& ticks);
  Expr IsFirst(ClockTicks& ticks);

  /// `value` at ticks; between ticks the variable keeps its value.
  [[nodiscard]] Expr IfActive(const ClockTicks& ticks,
                              Expr value,
                              Expr variable);

 private:
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

  void SetActive(ClockTicks& ticks);
  Expr ActiveOfEvent(const ClockUse& source);
  Parts& PartsOf(const ClockUse& source);
  void AdvanceParts(const Parts& parts, const ClockUse& source);
  [[nodiscard]] Expr FirstIntervalOf(const TickTimes& times);
  void TakeEvery(ClockTicks& ticks, const ClockRate& rate);
  Expr Hidden(std::string name,
              ValueType type,
              const ClockTicks& ticks,
              Expr start = {});

  Session& session_;
  ClockPartitions& partitions_;
  ClockVariables& variables_;
  std::map<std::tuple<const ClockUse*, Rational, Rational>, ClockTicks> ticks_;
  std::unordered_map<const ClockUse*, Parts> parts_;  // Varying clocks.
};

}  // namespace orrery::modelica::internal
