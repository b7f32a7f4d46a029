#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/crossing_search.h"
#include "orrery/sim/events/event_notes.h"
#include "orrery/sim/events/part_search.h"
#include "orrery/sim/events/tick_plan.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/solver/steps/decimal_grid.h"

namespace orrery::internal {

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

/// Carries out the events of a run and finds the next ones: at known times, and
/// where a relation changes in a step. Time, states and inputs are those in the
/// machine's memory. Belongs to one run.
class EventEngine {
 public:
  /// All must outlive it.
  /// @param stop end of the run; changes just after it are not seen.
  EventEngine(Machine& machine,
              InputSignals& inputs,
              int max_microsteps,
              double stop = std::numeric_limits<double>::infinity());

  [[nodiscard]] bool is_empty() const noexcept { return events_.empty(); }

  /// True if there are relations to watch in steps.
  [[nodiscard]] bool has_relations() const noexcept {
    return !events_.relations.empty();
  }

  /// True if a relation, for the time and states in memory, differs from its
  /// value at the last event.
  [[nodiscard]] bool HasRelationChanged() {
    return !ChangedRelations().empty();
  }

  /// Those relations.
  [[nodiscard]] std::vector<std::size_t> ChangedRelations();

  /// A term of a sum: factor * memory[slot].
  struct TimeTerm {
    std::uint32_t slot = 0;
    double factor = 1;
  };

  /// For each threshold and tick that is due at `t`: the terms of that time.
  [[nodiscard]] std::vector<std::vector<TimeTerm>> DueTimes(double t) const;

  /// A check that warns.
  struct Warning {
    std::size_t check = 0;
    bool is_at_start = false;  ///< It is one of the start.
  };

  /// Runs the initialization from the start values that are in memory and finds
  /// the times of ticks from `t` on.
  EventOutcome Initialize(double t);

  /// Carries out the event at time `t`. Ticks and thresholds may be due,
  /// relations may have changed, inputs may have jumped; or none of that.
  EventOutcome Run(double t);

  /// True if clocks alone make events, which run only handlers and equations
  /// without loops. Then `RunTicks` may replace `Run` at all ticks but those at
  /// the start.
  [[nodiscard]] bool HasOnlyTicks() const;
  EventOutcome RunTicks(double t);

  /// Approximate number of ticks up to time `until`.
  [[nodiscard]] std::size_t CountTicks(double until) const;

  /// Moves the notes out.
  [[nodiscard]] EventLog TakeLog() { return notes_.TakeLog(); }

  /// The notes since the last call.
  [[nodiscard]] NewEvents TakeNewNotes() { return notes_.TakeNew(); }

  /// Makes room for this number of notes.
  void ReserveNotes(std::size_t count) { notes_.Reserve(count); }

  /// The failure behind the last outcome kFailed.
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

  /// As `Run`, with terminal() true.
  EventOutcome RunTerminal(double t);

  /// The next known time of an event after the last one; infinity if there is
  /// none.
  [[nodiscard]] double next_time() const noexcept { return next_time_; }

  /// The first time in (begin, end] at which a relation changes, by the states'
  /// polynomials. Memory is scratch. Precondition: has_relations().
  /// @param may_rearm whether relations may re-arm, which is no change then.
  /// @returns kNever if there is none.
  double FirstChange(const DenseOutput& dense,
                     double begin,
                     double end,
                     bool may_rearm = false);

  /// As FirstChange with re-arming, of the relations that act. Changes nothing:
  /// neither truths nor their consequences by re-arming.
  /// @param kinks_only looks at kinks alone.
  double Foresee(const DenseOutput& dense,
                 double begin,
                 double end,
                 bool kinks_only = false);

  /// As Foresee, in the same step, of the kinks that have not changed at
  /// `but_at`.
  double ForeseeKink(const DenseOutput& dense,
                     double begin,
                     double end,
                     double but_at);

  /// True if some relation acts (`WatchedRelation::acts`).
  [[nodiscard]] bool has_acting() const noexcept {
    return watched_only_.size() < events_.relations.size();
  }

  /// True if each relation acts.
  [[nodiscard]] bool all_act() const noexcept { return watched_only_.empty(); }

  /// True if operands have bounds; else a search takes samples.
  [[nodiscard]] bool has_bounds() const noexcept {
    return events_.watch_section.has_value();
  }

  /// True if relations have re-armed in the last search.
  [[nodiscard]] bool has_rearmed() const noexcept {
    return !search_->rearmed().empty();
  }

  /// The relations that changed in the last event in which one did.
  [[nodiscard]] const std::vector<std::size_t>& last_changed() const noexcept {
    return last_changed_;
  }

  /// True if the operands, in memory, of a relation that changed last are
  /// further apart than `allowed` and than rounding.
  [[nodiscard]] bool AreApart(double allowed);

  /// The value of relation `k` as of the last event.
  [[nodiscard]] bool truth(std::size_t k) const noexcept {
    return truths_[k] != 0;
  }

  /// Slots that resets and handlers have set in the last event: of states, and
  /// perhaps of others.
  [[nodiscard]] const std::vector<std::uint32_t>& set_slots() const noexcept {
    return set_slots_;
  }

  /// `EventProgram::held_slots` before the last event.
  [[nodiscard]] std::span<const double> held_before() const noexcept {
    return held_;
  }

  /// Computes in memory what an event at the time and states there would lead
  /// to, and the values of the relations in `truths`. Nothing is noted. The
  /// run's own event state stays. The caller restores memory.
  /// @returns false if the event would reset a state, end the run or have no
  ///     end.
  bool Probe(std::span<std::uint8_t> truths);

  /// Ignores changes of these relations until the next call. Precondition:
  /// has_relations().
  void Ignore(std::span<const std::size_t> relations) {
    search_->Ignore(relations);
  }

  /// The time between an event and the one before it.
  enum class Pace : std::uint8_t {
    kLater,
    kAtOnce,     ///< At the same time.
    kWithoutEnd  ///< Others will follow ever faster, or many have at once.
  };

  /// After an event: gives up watching kinks that come back at once, again and
  /// again. Their operands are less apart than the tolerance, and each event
  /// would hold up the motion that leads away.
  /// @returns true if there are such kinks.
  bool GiveUpRestlessKinks(Pace pace);

  /// After an event in which relations have changed: calms those that flicker
  /// within a tie, so that they change again only beyond one. Rounding of the
  /// states decides there, as for elements in series with a diode whose current
  /// ends. A relation that flickers nevertheless is left to chatter.
  void CalmFlickering();

  /// Causes of events.
  struct Culprits {
    std::vector<std::size_t> relations;
    std::vector<std::size_t> named;
    /// Other discrete slots that change, ascending.
    std::vector<std::uint32_t> discrete;
  };

  /// After kEndless: the quantities that change without end.
  [[nodiscard]] Culprits FindRestless();

  /// The checks that have warned for the first time since the last call.
  [[nodiscard]] std::vector<Warning> TakeWarnings() {
    return std::exchange(warnings_, {});
  }

  [[nodiscard]] const EventNotes& notes() const noexcept { return notes_; }

  /// Notes that an algebraic loop takes another solution at `t`.
  void NoteJump(std::string loop, double t) {
    notes_.AddJump(std::move(loop), t);
  }

  /// Notes that a value was set from outside at `t`.
  void NoteSetting(const Setting& setting, double t) {
    notes_.AddSetting(setting, t);
  }

 private:
  struct TickTimes {
    DecimalGrid grid;
    std::int64_t index = 0;  // k of the next tick.
    std::int64_t count = 0;  // Ticks before it, in this run.
    double next = 0;         // Infinity: there is none.
  };

  // Ticks that were due together.
  struct TickGroup {
    std::uint64_t clocks = 0;  // Bit i: clock i.
    int count = 0;             // How often, up to the time of the plan.
    std::optional<TickPlan> plan;
  };

  // A relation, as it is evaluated over and over.
  struct Operands {
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t truth;  // Its copy in the equations; or kNoSlot.
    bool is_strict;
  };

  // Counts how often a relation has changed soon after a change.
  struct Flicker {
    int changes = 0;
    double last = -std::numeric_limits<double>::infinity();
    double calmed = -std::numeric_limits<double>::infinity();
  };

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  WatchList MakeWatchList();
  void PrepareHandlers();
  [[nodiscard]] EventOutcome::Kind StartTicks(std::size_t tick, double t);
  void FindTick(std::size_t tick);
  // Those that return bool return false after an error, told in `outcome`.
  bool RaiseTicks(double t, EventOutcome& outcome);
  bool LowerTicks();
  void FindNextTime(double t);
  void FindDueThresholds(double t);
  void NoteMovedThresholds(double t);
  void NoteThresholds(double t);
  [[nodiscard]] bool IsThreshold(double t) const;
  bool RunToAgreement(const Schedule& schedule,
                      std::span<const Iterate> iterates,
                      EventOutcome& outcome);
  [[nodiscard]] std::optional<Failure> RunOnce(const Schedule& schedule);
  // @returns false.
  bool Fail(const Failure& failure, EventOutcome& outcome);
  [[nodiscard]] bool Agrees(std::span<const orrery::Iterate> iterates);
  void NoteChanging(std::span<const orrery::Iterate> iterates, bool is_first);
  bool SearchAgreement(const Schedule& schedule,
                       std::span<const orrery::Iterate> iterates);
  bool TryCase(std::uint32_t truths,
               const Schedule& schedule,
               std::span<const orrery::Iterate> iterates);
  bool Iterate(EventOutcome& outcome);
  bool IterateTicks(EventOutcome& outcome);
  [[nodiscard]] const TickPlan* FindPlan();
  [[nodiscard]] std::optional<TickPlan> MakePlan(std::uint64_t clocks) const;
  bool RunPlan(const TickPlan& plan, EventOutcome& outcome);
  std::optional<Failure> RunAction(const TickPlan::Action& action,
                                   int& num_not_finite);
  bool RunSchedule(EventOutcome& outcome);
  [[nodiscard]] bool ScheduleSets() const;
  bool Microstep(EventOutcome& outcome);
  void TakePre(std::span<const PreValues> all);
  [[nodiscard]] bool HasChanged(std::span<const PreValues> all) const;
  void AddRestless(const EventOutcome& outcome,
                   std::vector<std::uint32_t>& slots,
                   std::vector<std::uint8_t>& relations);
  [[nodiscard]] std::vector<std::uint8_t> TruthsHere();
  void AddChanged(std::vector<std::uint32_t>& slots) const;
  bool MakeResets(EventOutcome& outcome);
  void QueueHandlers();
  bool RunHandlers(EventOutcome& outcome);
  std::optional<Failure> RunHandler(std::size_t number);
  void NoteSet(std::span<const Handler::Assignment> assignments);
  bool RunStartChecks(EventOutcome& outcome);
  bool RunChecks(EventOutcome& outcome);
  bool RunCheck(std::size_t number, EventOutcome& outcome);
  bool TakeTruths(EventOutcome& outcome);
  void Rearm(std::span<const Rearmed> relations);
  void Release();
  double Foresee(const DenseOutput& dense,
                 StepPart part,
                 std::span<const std::size_t> ignored);
  std::optional<Failure> EvaluateOperands();
  [[nodiscard]] bool Holds(std::size_t relation) const;
  [[nodiscard]] bool IsTaken(std::size_t relation, bool holds) const;
  [[nodiscard]] bool IsTie(std::size_t relation) const;
  [[nodiscard]] bool DisagreeByRounding();
  [[nodiscard]] bool CountTie();
  // True so soon after `before` that states have hardly moved.
  [[nodiscard]] bool IsAtOnce(double before) const;

  Machine& machine_;
  InputSignals& inputs_;
  const Program& program_;
  const EventProgram& events_;
  int max_microsteps_;
  double stop_;
  std::optional<CrossingSearch> search_;  // Empty without relations.
  EventNotes notes_;
  Failure failure_;
  std::vector<Operands> operands_;         // By relation.
  std::vector<std::size_t> watched_only_;  // Relations that do not act.
  std::vector<std::size_t> no_kinks_;  // `watched_only_`, and those without a
                                       // kink.
  std::vector<std::uint32_t> named_conditions_;
  std::vector<std::uint32_t> handler_conditions_;
  std::vector<std::uint8_t> truths_;
  std::vector<std::uint8_t> foreseen_;  // Scratch.
  std::vector<std::size_t> ignored_;    // Scratch: ignored in a search.
  std::vector<std::size_t> last_changed_;
  std::vector<std::size_t> last_kinks_;   // Kinks, if the last event had only
                                          // these.
  int kinks_back_ = 0;                    // How often these came back at once.
  std::vector<std::size_t> given_up_;     // With a `hold`.
  std::vector<Flicker> flickers_;         // By relation.
  std::vector<std::size_t> going_round_;  // Iterates, in a microstep.
  std::vector<TickTimes> ticks_;
  std::uint64_t ticking_ = 0;  // Bit i: clock i, of the first 64, is due.
  std::vector<TickGroup> tick_groups_;
  std::size_t last_group_ = 0;
  std::optional<bool> schedule_sets_;  // Found out by the first `IterateTicks`.
  double next_time_ = 0;
  std::vector<std::size_t> due_thresholds_;  // When an event begins.
  bool has_noted_end_ = false;               // The thresholds at `stop_`.
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::vector<double> held_;  // Values of held slots before the event.
  bool has_started_ = false;
  bool is_start_due_ = false;  // Checks of the start.
  int ties_in_event_ = 0;      // Decided by rounding, in this event.
  int ties_ = 0;               // Ties in a row, decided by rounding...
  double last_tie_ =
      -std::numeric_limits<double>::infinity();  // ...until then.
  // By handler: due now, or after those that are.
  std::vector<std::uint8_t> is_due_;
  std::vector<std::uint8_t> is_due_next_;
  std::vector<std::uint8_t> sets_state_;  // By handler.
  std::vector<std::uint32_t> set_slots_;
  std::vector<double> values_;            // Scratch.
  std::vector<std::uint8_t> has_warned_;  // By check.
  std::vector<Warning> warnings_;
  std::size_t num_due_ = 0;
  std::size_t num_due_next_ = 0;
};

}  // namespace orrery::internal
