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
/// Between events the equations see what it was at the last one.
struct WatchedRelation {
  std::uint32_t left_slot = 0;
  std::uint32_t right_slot = 0;
  bool is_strict = true;
  bool is_kink = false;  ///< Equations have a kink where it changes.
  /// Whether its changes may matter to the motion of the states, or end the
  /// run. Else it is only watched.
  bool acts = true;

  /// Where it chooses between a branch with a root that ends there and another
  /// one, the equations see it as it is, unless what was in `slot` at the last
  /// event keeps to the first.
  struct Hold {
    std::uint32_t slot = 0;
    bool steep_branch = false;  ///< What the relation is for that branch.
  };

  std::optional<Hold> hold;
  /// What the equations see of it, if that is of one use.
  std::optional<std::uint32_t> truth_slot;

  /// Where only edges are of interest, as in a when-clause, nothing happens
  /// when the relation becomes `truth` again: then that is no event.
  struct Rearming {
    std::uint32_t truth_slot = 0;  ///< What the equations see of it.
    bool truth = false;
  };

  std::optional<Rearming> rearming;  ///< None: its changes are events.

  // For people.
  std::string event;  ///< The named one that it makes; empty: it is its own.
  Expr formula;       ///< As the author wrote it.
  SourceSpan span;
  std::string path;
};

/// A relation between time and what events set. It changes, once, when the time
/// in `slot` is reached.
struct Threshold {
  std::uint32_t slot = 0;  ///< s
  bool is_rising = true;   ///< From false to true.
  bool is_after = false;   ///< Just after it, as `time > s` does.

  // For people.
  std::string event;  ///< The named one that it makes; empty: it is its own.
  Expr formula;       ///< As the author wrote it.
};

/// What a block declares as an event: notes in the log where it took place.
struct NamedEvent {
  std::string name;
  std::uint32_t condition_slot = 0;  ///< True in one microstep.
  bool is_rising = true;
};

/// Times start + k*interval at which an event takes place. The Boolean is true
/// in its first microstep only.
struct Tick {
  std::uint32_t slot = 0;
  std::uint32_t start_slot = 0;     ///< s; a parameter.
  std::uint32_t interval_slot = 0;  ///< s; a parameter, positive.
  ClockTimes times;
  std::string name;  ///< For people: of the clock, or as the author wrote it.
  SourceSpan span;
  std::string path;
};

/// Values of neighbours before an event, or before the microstep at hand.
struct PreValues {
  std::uint32_t of_slot = 0;
  std::uint32_t slot = 0;
  std::uint32_t count = 1;
  bool are_discrete = true;  ///< The event goes on while one changes.
};

/// A quantity that a schedule reads before it computes it: the schedule is run
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

/// What a block does at an event: assigns values to states and discrete
/// quantities, all computed before the first is assigned.
struct Handler {
  struct Assignment {
    Reference target;
    std::uint32_t value_slot = 0;
  };

  std::uint32_t condition_slot = 0;
  std::optional<std::size_t> section;  ///< Values; none: they are there.
  std::vector<Assignment> assignments;
  /// Whether a value depends on what a handler before it in the list assigns.
  bool sees_earlier = false;
};

/// A text with values of a run in it: each part's text, then its value if it
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

/// Something to be said when a condition does, or does not, hold after an
/// event.
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

/// What makes events and what happens in them.
///
/// Before the first event, `start_checks` are made. In an event at time t: the
/// left limits are what the last step left. Ticks due at t become true. Then,
/// once for the time t itself and, if t is a threshold, once more for what is
/// so just after it, microstep by microstep: `pre` takes the values that there
/// are; `schedule` runs, again while an iterate changes; the resets whose
/// conditions hold are made; ticks become false. The handlers whose conditions
/// hold are due then, in order; before one that sees earlier ones a microstep
/// begins, so that `schedule` has run since. Those that become due meanwhile
/// follow when all of these are done. The event is over when no discrete value
/// differs from its `pre`, nothing was reset and no handler is due.
///
/// Where no relations change but to re-arm, there is no event: their truths are
/// set, and `rearming` runs, with `pre`, until no discrete value differs from
/// its `pre`.
struct EventProgram {
  Schedule schedule;  ///< All equations, discrete ones too; conditions, values.
  std::vector<Iterate> iterates;
  std::vector<Iterate> initial_iterates;  ///< Of `Program::initialization`.
  std::vector<PreValues> pre;

  std::vector<WatchedRelation> relations;
  /// Computes the operands of `relations` from time, inputs and states alone...
  std::optional<std::size_t> watch_section;
  /// ...or, if they depend on algebraic loops, by a schedule.
  Schedule watch_schedule;
  Schedule rearming;  ///< What follows from relations that re-arm.
  std::vector<PreValues> rearming_pre;       ///< Those of `pre` that do so.
  std::vector<std::uint32_t> rearmed_slots;  ///< What changes so, ascending.

  std::vector<Threshold> thresholds;
  std::vector<Tick> ticks;
  std::vector<NamedEvent> named;
  std::vector<StateReset> resets;
  std::vector<Handler> handlers;
  std::vector<Check> checks;
  std::optional<std::size_t> message_section;  ///< Values in messages.
  /// The checks whose conditions contain initial(), ascending. With that true,
  /// `start_check_section` computes the conditions; there is one if there are
  /// such checks.
  std::vector<std::size_t> start_checks;
  std::optional<std::size_t> start_check_section;

  /// What is held between events and seen by the continuous equations: if it is
  /// after an event what it was before, the integration goes on as if there had
  /// been none.
  std::vector<std::uint32_t> held_slots;
  std::uint32_t initial_slot = 0;   ///< initial()
  std::uint32_t terminal_slot = 0;  ///< terminal()
  std::uint32_t after_slot = 0;     ///< Whether thresholds are passed.

  [[nodiscard]] bool empty() const noexcept {
    return schedule.empty() && ticks.empty();
  }
};

}  // namespace orrery
