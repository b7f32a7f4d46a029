#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/compile/system/incidence.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// A relation whose change is an event.
struct Watch {
  Expr left;
  Expr right;
  bool is_strict = true;  ///< left < right, else left <= right.
  bool is_kink = false;   ///< Its value is not held.
  /// The scalar that holds its value; kNone if it is watched for another
  /// reason, too.
  std::uint32_t truth = kNone;
  /// The scalar that keeps the branch with a root until the event, and the
  /// relation's value for that branch.
  std::uint32_t hold = kNone;
  bool steep_branch = false;
  Expr formula;       ///< As the author wrote it.
  std::string event;  ///< The named event that it makes; may be empty.
  Expr label;         ///< What the log calls it; empty: its formula.
  std::uint32_t origin = 0;
};

/// A relation between time and discrete quantities. It changes at the time (s)
/// in `scalar`.
struct HeldThreshold {
  std::uint32_t scalar = 0;
  bool is_rising = true;
  bool is_after = false;  ///< It changes just after the threshold.
  Expr formula;           ///< As the author wrote it.
  std::string event;      ///< The named event that it makes; may be empty.
  Expr label;             ///< What the log calls it; empty: its formula.
};

/// The symbol `truth` stands for sample(start, interval) or the pulse of a
/// clock.
struct SampleTick {
  Expr truth;
  Expr start;
  Expr interval;
  ClockTimes times;
  std::string name;
  std::uint32_t origin = 0;
};

/// Symbols that stand for delay(operand, time, most), or for a quantity that is
/// transported along a way: there, `time` is the position, and the end of the
/// way that is seen takes the part of the time.
struct DelayPart {
  /// A way, and what is on it at the start.
  struct Way {
    double end = 0;  ///< From which it is seen: 0 or 1.
    std::vector<Expr> places;
    std::vector<Expr> values;
  };

  Expr value;  ///< The delayed value of the operand.
  // Only for a delay time that varies between events; else empty.
  Expr rate;   ///< d(value)/d(time) in the past, 1/s.
  Expr used;   ///< The delay (s) at which `value` was read.
  Expr begin;  ///< Start (s) of the smooth piece of the past it is in.
  Expr end;
  Expr operand;
  Expr time;
  Expr most;
  std::optional<Way> way;
  bool is_discrete = false;  ///< The operand changes at events only.
  Expr formula;              ///< As the author wrote it.
  std::uint32_t origin = 0;

  /// The value at the start of the run.
  [[nodiscard]] Expr at_start() const {
    return !way            ? operand
           : way->end == 0 ? way->values.front()
                           : way->values.back();
  }
};

/// The formulas of one entry of `FlatModel::reinits`, `events`, `handlers`,
/// `assertions` or `terminations`.
struct EventAction {
  Expr condition;
  Expr value;                ///< New value for a reinit.
  std::vector<Expr> values;  ///< Values of a handler's assignments, or of the
                             ///< parts of a message that have one.
  std::vector<std::uint32_t> targets;  ///< The scalars that a handler assigns.
  std::uint32_t origin = 0;
};

/// A check that an equation left out of the start holds nevertheless.
struct StartAgreement {
  EventAction action;
  Message message;
};

/// The events of a system and their actions.
struct EventParts {
  std::vector<Watch> watches;
  std::vector<HeldThreshold> thresholds;
  std::vector<SampleTick> ticks;
  std::vector<DelayPart> delays;  ///< Make no events by themselves.
  // One for each entry of the model's list.
  std::vector<EventAction> reinits;
  std::vector<EventAction> named;
  std::vector<EventAction> handlers;
  std::vector<EventAction> assertions;
  std::vector<EventAction> terminations;
  std::vector<StartAgreement> agreements;  ///< Checked at the start only.
  /// Conditions of events after steps.
  std::vector<EventAction> after_steps;

  /// True if there are no events, actions and checks; delays do not count.
  [[nodiscard]] bool empty() const noexcept {
    return watches.empty() && thresholds.empty() && ticks.empty() &&
           reinits.empty() && handlers.empty() && assertions.empty() &&
           terminations.empty() && agreements.empty();
  }
};

/// Calls `use(Expr&, origin)` for all formulas of `delay`.
template <typename Use>
void ForEachFormula(DelayPart& delay, Use use) {
  use(delay.operand, delay.origin);
  use(delay.time, delay.origin);
  use(delay.most, delay.origin);
  if (delay.way) {
    for (std::vector<Expr>* all : {&delay.way->places, &delay.way->values}) {
      for (Expr& formula : *all) {
        use(formula, delay.origin);
      }
    }
  }
}

/// Calls `use(Expr&, origin)` for all formulas of `events`.
template <typename Use>
void ForEachFormula(EventParts& events, Use use) {
  for (Watch& watch : events.watches) {
    use(watch.left, watch.origin);
    use(watch.right, watch.origin);
  }
  for (DelayPart& delay : events.delays) {
    ForEachFormula(delay, use);
  }
  for (auto* actions : {&events.reinits,
                        &events.named,
                        &events.handlers,
                        &events.assertions,
                        &events.terminations,
                        &events.after_steps}) {
    for (EventAction& action : *actions) {
      use(action.condition, action.origin);
      if (action.value) {
        use(action.value, action.origin);
      }
      for (Expr& value : action.values) {
        use(value, action.origin);
      }
    }
  }
}

}  // namespace orrery::compile::internal
