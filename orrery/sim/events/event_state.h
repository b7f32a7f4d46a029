#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/sim/crossings/crossing_search.h"
#include "orrery/sim/crossings/part_search.h"
#include "orrery/sim/events/event_notes.h"
#include "orrery/sim/events/tick_plan.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/solver/steps/decimal_grid.h"

namespace orrery::sim::internal {

/// The outcome of an event, or of the start.
struct EventOutcome {
  enum class Kind : std::uint8_t {
    kDone,
    kFailed,        ///< A schedule failed: see `EventEngine::failure`.
    kEndless,       ///< Microsteps or iterations without end.
    kAssertion,     ///< Check number `number` does not hold.
    kTerminated,    ///< Check number `number` ends the run.
    kBadInterval,   ///< Tick `number` has no valid interval.
    kTooManyTicks,  ///< Tick `number` is due too often to reach the end.
    kBadJitter,     ///< Tick `number` would go back in time.
    kTwoResets,     ///< Reset `number` and another one of the state differ.
    kBadReset       ///< Reset `number` gives a value that is not finite.
  };

  Kind kind = Kind::kDone;
  std::size_t number = 0;
  double other_value = 0;  ///< The value that reset `number` gives.
  /// True if the integration has to begin anew: a state was reset, or a
  /// discrete value that the derivatives depend on has changed.
  bool restarts = false;
  bool changes_held = false;  ///< Some `EventProgram::held_slots` changed.
  bool has_changed = false;   ///< A watched relation changed.
  bool is_at_start = false;   ///< Check `number` is one of the start.
  /// All values are finite if they were before: this was found out on the way.
  bool leaves_finite = false;

  [[nodiscard]] bool is_done() const noexcept { return kind == Kind::kDone; }

  /// @returns false.
  bool End(Kind why, std::size_t which) {
    kind = why;
    number = which;
    return false;
  }
};

/// A term of a sum: factor * memory[slot].
struct TimeTerm {
  std::uint32_t slot = 0;
  double factor = 1;
};

/// A check that warns.
struct CheckWarning {
  std::size_t check = 0;
  std::string text;  ///< With the values when it was due.
};

/// The time between an event and the one before it.
enum class EventSpacing : std::uint8_t {
  kLater,
  kAtOnce,     ///< At the same time.
  kWithoutEnd  ///< Others will follow ever faster, or many have at once.
};

/// Causes of events.
struct EventCauses {
  std::vector<std::size_t> relations;
  std::vector<std::size_t> named;
  /// Other discrete slots that change, ascending.
  std::vector<std::uint32_t> discrete;
};

/// The ticks of a clock.
struct ClockTicks {
  DecimalGrid grid;
  std::int64_t index = 0;  ///< k of the next tick.
  std::int64_t count = 0;  ///< Ticks before it, in this run.
  double next = 0;         ///< Infinity: there is none.
};

/// The clocks of a run.
struct TickCalendar {
  std::vector<ClockTicks> clocks;
  std::uint64_t ticking = 0;  ///< Bit i: clock i, of the first 64, is due.
};

/// Ticks that were due together.
struct TickGroup {
  std::uint64_t clocks = 0;  ///< Bit i: clock i.
  int count = 0;             ///< How often, up to the time of the plan.
  std::optional<TickPlan> plan;
};

/// The courses of events that only clocks make.
struct TickCourses {
  std::vector<TickGroup> groups;
  std::size_t last_group = 0;
  std::optional<bool> schedule_sets;  ///< Found out by the first event.
};

/// A relation, as it is evaluated over and over.
struct RelationOperands {
  std::uint32_t left;
  std::uint32_t right;
  std::uint32_t truth;  ///< Its copy in the equations; or kNoSlot.
  bool is_strict;
};

/// Counts how often a relation has changed soon after a change.
struct FlipCount {
  int changes = 0;
  double last = -std::numeric_limits<double>::infinity();
  double calmed = -std::numeric_limits<double>::infinity();
};

/// Record of relations that chatter.
struct ChatterRecord {
  std::vector<std::size_t> last_kinks;  ///< Kinks, if the last event had only
                                        ///< these.
  int kinks_back = 0;                   ///< How often these came back at once.
  std::vector<std::size_t> given_up;    ///< With a `hold`.
  std::vector<FlipCount> flips;         ///< By relation.
};

/// Ties that rounding decides.
struct TieCount {
  int in_event = 0;  ///< In this event.
  int in_a_row = 0;
  double last = -std::numeric_limits<double>::infinity();  ///< Time.
};

/// Handlers: due now, or after those that are.
struct HandlerQueue {
  std::vector<std::uint32_t> conditions;
  std::vector<std::uint8_t> is_due;
  std::vector<std::uint8_t> is_due_next;
  std::vector<std::uint8_t> sets_state;
  std::vector<std::size_t> of_each_event;
  std::size_t num_due = 0;
  std::size_t num_due_next = 0;
};

/// The state of the events of a run. The functions over it are grouped by
/// subject: calendar, iteration, relations, chattering, ticks.
struct EventState {
  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  /// As the constructor of EventEngine.
  EventState(ProgramEvaluator& evaluator,
             InputSignals& inputs,
             int max_microsteps,
             double stop);
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  ~EventState() = default;

  /// Writes what later events depend on, or reads it. The notes are forgotten
  /// then.
  void Transfer(StateStream& stream);

  /// True if there are relations to watch in steps.
  [[nodiscard]] bool has_relations() const noexcept {
    return !events.relations.empty();
  }

  ProgramEvaluator& evaluator;
  InputSignals& inputs;
  const Program& program;
  const EventProgram& events;
  int max_microsteps;
  double stop;
  std::optional<CrossingSearch> search;  ///< Empty without relations.
  EventNotes notes;
  Failure failure;
  std::vector<std::uint32_t> named_conditions;
  TickCalendar calendar;
  TickCourses courses;
  ChatterRecord chatter;
  TieCount ties;
  HandlerQueue handlers;

  std::vector<RelationOperands> operands;  ///< By relation.
  std::vector<std::size_t> watched_only;   ///< Relations that do not act.
  std::vector<std::size_t> no_kinks;       ///< These, and those without a kink.
  std::vector<std::uint8_t> truths;
  std::vector<std::uint8_t> foreseen;  ///< Scratch.
  std::vector<std::size_t> ignored;    ///< Scratch: ignored in a search.
  std::vector<std::size_t> last_changed;
  std::vector<std::size_t> going_round;  ///< Iterates, in a microstep.

  double next_time = std::numeric_limits<double>::infinity();
  double last_time = -std::numeric_limits<double>::infinity();
  std::vector<std::size_t> due_thresholds;  ///< When an event begins.
  bool has_noted_end = false;               ///< The thresholds at `stop`.
  std::vector<double> held;  ///< Values of held slots before the event.
  bool has_started = false;
  bool is_start_due = false;  ///< Checks of the start.
  /// The part of the way from simplified formulas of homotopy() that the last
  /// search of a start came to; none: it needed none or came to the end.
  std::optional<double> homotopy_end;
  std::vector<std::uint32_t> set_slots;
  std::vector<double> values;            ///< Scratch.
  std::vector<std::uint8_t> has_warned;  ///< By check.
  std::vector<CheckWarning> warnings;
};

}  // namespace orrery::sim::internal
