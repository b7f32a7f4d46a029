#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/compile/system/incidence.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery::internal {

/// A relation whose change is an event.
struct Watch {
  Expr left;
  Expr right;
  bool is_strict = true;  ///< left < right, else left <= right.
  bool is_kink = false;   ///< Nothing holds its truth.
  /// The scalar that holds its truth, if it is watched for nothing else.
  std::uint32_t truth = kNone;
  /// The scalar that keeps to a branch of which a root is, and its value for
  /// that branch.
  std::uint32_t hold = kNone;
  bool steep_branch = false;
  Expr formula;       ///< As the author wrote it.
  std::string event;  ///< The named one that it makes; may be empty.
  std::uint32_t origin = 0;
};

/// A relation between time and what events set, in `scalar`.
struct HeldThreshold {
  std::uint32_t scalar = 0;
  bool is_rising = true;
  bool is_after = false;  ///< It changes just after it.
  Expr formula;           ///< As the author wrote it.
  std::string event;      ///< The named one that it makes; may be empty.
};

/// Where `truth` stands for sample(start, interval) or a clock.
struct SampleTick {
  Expr truth;
  Expr start;
  Expr interval;
  ClockTimes times;
  std::string name;
  std::uint32_t origin = 0;
};

/// Symbols that stand for delay(operand, time, most).
struct DelayPart {
  Expr value;  ///< The operand some time ago.
  // Where the delay time varies between events; else empty.
  Expr rate;   ///< How fast the value moves with the time that it is of.
  Expr used;   ///< How long ago it is of.
  Expr begin;  ///< Of the smooth piece of the past that it is in.
  Expr end;
  Expr operand;
  Expr time;
  Expr most;
  bool is_discrete = false;  ///< The operand changes at events only.
  Expr formula;              ///< As the author wrote it.
  std::uint32_t origin = 0;
};

/// The formulas of one entry of `FlatModel::reinits`, `events`, `handlers`,
/// `assertions` or `terminations`.
struct EventAction {
  Expr condition;
  Expr value;                ///< Of a reinit.
  std::vector<Expr> values;  ///< Of a handler's assignments, or of a message's
                             ///< parts that have one.
  std::vector<std::uint32_t> targets;  ///< Scalars: what a handler assigns.
  std::uint32_t origin = 0;
};

/// What equations of the start that are left out say must hold nevertheless.
struct StartAgreement {
  EventAction action;
  Message message;
};

/// What of a system makes events and what happens in them.
struct EventParts {
  std::vector<Watch> watches;
  std::vector<HeldThreshold> thresholds;
  std::vector<SampleTick> ticks;
  std::vector<DelayPart> delays;  ///< No events by themselves.
  // One for each entry of the model's list.
  std::vector<EventAction> reinits;
  std::vector<EventAction> named;
  std::vector<EventAction> handlers;
  std::vector<EventAction> assertions;
  std::vector<EventAction> terminations;
  std::vector<StartAgreement> agreements;  ///< Of the start alone.

  /// Whether there are none.
  [[nodiscard]] bool empty() const noexcept {
    return watches.empty() && thresholds.empty() && ticks.empty() &&
           reinits.empty() && handlers.empty() && assertions.empty() &&
           terminations.empty() && agreements.empty();
  }
};

/// Calls `use(Expr&, origin)` for all formulas of `events`.
template <typename Use>
void ForEachFormula(EventParts& events, Use use) {
  for (Watch& watch : events.watches) {
    use(watch.left, watch.origin);
    use(watch.right, watch.origin);
  }
  for (DelayPart& delay : events.delays) {
    use(delay.operand, delay.origin);
    use(delay.time, delay.origin);
    use(delay.most, delay.origin);
  }
  for (auto* actions : {&events.reinits,
                        &events.named,
                        &events.handlers,
                        &events.assertions,
                        &events.terminations}) {
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

}  // namespace orrery::internal
