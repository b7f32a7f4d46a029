#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/base/text/value_format.h"
#include "orrery/base/values/clock_times.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// A relation left < right (strict) or left <= right whose change is an event.
/// Between events the equations see its value at the last one.
struct WatchedRelation {
  std::uint32_t left_slot = 0;
  std::uint32_t right_slot = 0;
  bool is_strict = true;
  bool is_kink = false;  ///< Equations have a kink where it changes.
  /// True if its changes may affect the motion of the states, or end the run.
  /// Else it is only watched.
  bool acts = true;

  /// If the relation chooses between a branch with a root that ends there and
  /// another one, the equations see its present value, unless the value in
  /// `slot` at the last event keeps to the first branch.
  struct Hold {
    std::uint32_t slot = 0;
    bool steep_branch = false;  ///< Value of the relation on that branch.
  };

  std::optional<Hold> hold;
  /// Its copy in the equations, if there is only one.
  std::optional<std::uint32_t> truth_slot;

  /// If only edges matter, as in a when-clause, nothing happens when the
  /// relation becomes `truth` again: that is no event.
  struct Rearming {
    std::uint32_t truth_slot = 0;  ///< Its copy in the equations.
    bool truth = false;
  };

  std::optional<Rearming> rearming;  ///< None: its changes are events.

  // For people.
  std::string event;  ///< The named event it makes; empty: its own.
  Expr formula;       ///< As the author wrote it.
  SourceSpan span;
  std::string path;
};

/// A relation between time and a value that changes at events only. It changes
/// once, when the time in `slot` is reached.
struct Threshold {
  std::uint32_t slot = 0;  ///< s
  bool is_rising = true;   ///< From false to true.
  bool is_after = false;   ///< Changes just after it, as `time > s`.

  // For people.
  std::string event;  ///< The named event it makes; empty: its own.
  Expr formula;       ///< As the author wrote it.
};

/// An event that a block declares: its times are noted in the log.
struct NamedEvent {
  std::string name;
  std::uint32_t condition_slot = 0;  ///< True in one microstep.
  bool is_rising = true;
};

/// Event times start + k*interval. The Boolean is true in the first microstep
/// of the event only.
struct Tick {
  std::uint32_t slot = 0;
  std::uint32_t start_slot = 0;     ///< s; a parameter.
  std::uint32_t interval_slot = 0;  ///< s; a parameter, positive.
  ClockTimes times;
  std::string name;  ///< For people: of the clock, or as the author wrote it.
  SourceSpan span;
  std::string path;
};

/// Values of adjacent slots before an event, or before this microstep.
struct PreValues {
  std::uint32_t of_slot = 0;
  std::uint32_t slot = 0;
  std::uint32_t count = 1;
  bool are_discrete = true;  ///< The event goes on while one changes.
};

/// A quantity that a schedule reads before it computes it. The schedule runs
/// until `slot` and `result_slot` agree.
struct Iterate {
  std::uint32_t slot = 0;
  std::uint32_t result_slot = 0;
};

/// state := value after a microstep in which the condition holds.
struct StateReset {
  std::uint32_t condition_slot = 0;
  Reference state;
  std::uint32_t value_slot = 0;
};

/// The action of a block at an event: assigns values to states and discrete
/// variables. All are computed before the first is assigned.
struct Handler {
  struct Assignment {
    Reference target;
    std::uint32_t value_slot = 0;
  };

  std::uint32_t condition_slot = 0;
  std::optional<std::size_t> section;  ///< Computes values; none: not needed.
  std::vector<Assignment> assignments;
  /// True if a value depends on assignments of earlier handlers in the list.
  bool sees_earlier = false;
  /// It is due in the first microstep of each event, too.
  bool is_of_each_event = false;
};

/// A text with values of a run: for each part its text, then its value if it
/// has one.
struct RunMessage {
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Part {
    std::string text;
    std::uint32_t slot = kNone;
    ValueType type = ValueType::kReal;
    ValueFormat format;
  };

  std::vector<Part> parts;
};

/// A message that is due if a condition does, or does not, hold after an event.
struct Check {
  enum class Kind : std::uint8_t {
    kAssertion,   ///< Ends the run if it does not hold.
    kWarning,     ///< Is reported, once, if it does not hold.
    kTermination  ///< Completes the run if it holds.
  };

  Kind kind = Kind::kAssertion;
  std::uint32_t condition_slot = 0;
  RunMessage message;
  SourceSpan span;
  std::string path;
};

/// The causes of events and their effects.
///
/// Before the first event, `start_checks` are made. In an event at time t, the
/// left limits are the values after the last step. Ticks due at t become true.
/// Then microsteps follow for the time t itself and, if t is a threshold, once
/// more for the values just after it. In a microstep, `pre` takes the present
/// values. `schedule` runs, again while an iterate changes. The resets whose
/// conditions hold are made. Ticks become false. The handlers whose conditions
/// hold are due then, in order. Before one that sees earlier ones a microstep
/// begins, so that `schedule` has run since. Handlers that become due meanwhile
/// follow after all of these. The event is over when no discrete value differs
/// from its `pre`, nothing was reset and no handler is due.
///
/// If relations change only by re-arming, there is no event: their copies are
/// set, and `rearming` runs, with `pre`, until no discrete value differs from
/// its `pre`.
struct EventProgram {
  Schedule schedule;  ///< All equations, with discrete ones, conditions,
                      ///< values.
  std::vector<Iterate> iterates;
  std::vector<Iterate> initial_iterates;  ///< In `Program::initialization`.
  std::vector<PreValues> pre;

  std::vector<WatchedRelation> relations;
  /// Computes the operands of `relations` from time, inputs and states.
  std::optional<std::size_t> watch_section;
  /// Does so instead if they depend on algebraic loops.
  Schedule watch_schedule;
  Schedule rearming;  ///< Consequences of relations that re-arm.
  std::vector<PreValues> rearming_pre;  ///< The part of `pre` that it changes.
  std::vector<std::uint32_t> rearmed_slots;  ///< Slots that it changes,
                                             ///< ascending.

  std::vector<Threshold> thresholds;
  std::vector<Tick> ticks;
  std::vector<NamedEvent> named;
  std::vector<StateReset> resets;
  std::vector<Handler> handlers;
  std::vector<Check> checks;
  std::optional<std::size_t> message_section;  ///< Values in messages.
  /// The checks whose conditions contain initial(), ascending. With initial()
  /// true, `start_check_section` computes the conditions. It exists if there
  /// are such checks.
  std::vector<std::size_t> start_checks;
  std::optional<std::size_t> start_check_section;

  /// Runs once after each step of the integration. Where a value in
  /// `step_slots` is not 0 then, an event takes place.
  Schedule after_step;
  std::vector<std::uint32_t> step_slots;

  /// Discrete values that the continuous equations depend on. If an event
  /// changes none of them, the integration goes on as if there had been no
  /// event.
  std::vector<std::uint32_t> held_slots;
  std::uint32_t initial_slot = 0;   ///< initial()
  std::uint32_t terminal_slot = 0;  ///< terminal()
  std::uint32_t after_slot = 0;     ///< True if thresholds are passed.

  [[nodiscard]] bool empty() const noexcept {
    return schedule.empty() && ticks.empty();
  }
};

}  // namespace orrery
