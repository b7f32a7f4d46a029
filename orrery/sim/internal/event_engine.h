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
#include "orrery/sim/internal/crossing_search.h"
#include "orrery/sim/internal/event_notes.h"
#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/internal/part_search.h"
#include "orrery/solver/decimal_grid.h"

namespace orrery::internal {

/// What an event, or the start, came to.
struct EventOutcome {
  enum class Kind : std::uint8_t {
    kDone,
    kFailed,        ///< A schedule could not be run: `EventEngine::failure`.
    kEndless,       ///< Microsteps or iterations without end.
    kAssertion,     ///< Check number `number` does not hold.
    kTerminated,    ///< Check number `number` ends the run.
    kBadInterval,   ///< Tick number `number` is none.
    kTooManyTicks,  ///< Of number `number` in the run: nobody sees its end.
    kBadJitter,     ///< Tick number `number` would go back in time.
    kTwoResets,     ///< Of one state, by reset number `number` and another.
    kBadReset       ///< To what is not finite, by number `number`.
  };

  Kind kind = Kind::kDone;
  std::size_t number = 0;
  double other_value = 0;  ///< That reset `number` gave the state.
  /// Whether the integration has to begin anew: a state was reset or what the
  /// derivatives see has changed.
  bool restarts = false;
  bool changes_held = false;  ///< `EventProgram::held_slots`.
  bool has_changed = false;   ///< A relation that is watched in steps has.
  bool is_at_start = false;   ///< Check `number` is one of the start.

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
  /// @param stop when the run ends: what is to change just after is not seen.
  EventEngine(Machine& machine,
              InputSignals& inputs,
              int max_microsteps,
              double stop = std::numeric_limits<double>::infinity());

  [[nodiscard]] bool is_empty() const noexcept { return events_.empty(); }

  /// Whether relations are to be looked for in steps.
  [[nodiscard]] bool has_relations() const noexcept {
    return !events_.relations.empty();
  }

  /// Whether a relation is not what it was at the last event, for the time and
  /// states in memory.
  [[nodiscard]] bool HasRelationChanged() {
    return !ChangedRelations().empty();
  }

  /// The relations that are not.
  [[nodiscard]] std::vector<std::size_t> ChangedRelations();

  /// A term of a sum: factor * memory[slot].
  struct TimeTerm {
    std::uint32_t slot = 0;
    double factor = 1;
  };

  /// Of what time `t` is the sum, for each threshold and tick that is due then.
  [[nodiscard]] std::vector<std::vector<TimeTerm>> DueTimes(double t) const;

  /// A check that warns.
  struct Warning {
    std::size_t check = 0;
    bool is_at_start = false;  ///< It is one of the start.
  };

  /// Runs the initialization from the start values that are in memory and finds
  /// the times of ticks from `t` on.
  EventOutcome Initialize(double t);

  /// The event at time `t`, at which ticks and thresholds are due, relations
  /// changed, inputs jumped, or none of that.
  EventOutcome Run(double t);

  /// Whether clocks alone make events, and equations without loops and handlers
  /// are all that follows. Then `RunTicks` may take the place of `Run` at
  /// ticks, but for that of the start.
  [[nodiscard]] bool HasOnlyTicks() const;
  EventOutcome RunTicks(double t);

  /// How many ticks are to come up to then, about.
  [[nodiscard]] std::size_t CountTicks(double until) const;

  /// The notes, for good.
  [[nodiscard]] EventLog TakeLog() { return notes_.TakeLog(); }

  /// What was noted since this was called last.
  [[nodiscard]] NewEvents TakeNewNotes() { return notes_.TakeNew(); }

  /// Makes room for so many notes.
  void ReserveNotes(std::size_t count) { notes_.Reserve(count); }

  /// What ended the last event of which an outcome is kFailed.
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

  /// As `Run`, with terminal() true.
  EventOutcome RunTerminal(double t);

  /// The next known time of an event, after that of the last one; infinity if
  /// there is none.
  [[nodiscard]] double next_time() const noexcept { return next_time_; }

  /// The first time in (begin, end] at which a relation changes, by the states'
  /// polynomials. Memory is scratch for it. Precondition: has_relations().
  /// @param may_rearm whether relations may re-arm, which is no change then.
  /// @returns kNever if there is none, as the next two.
  double FirstChange(const DenseOutput& dense,
                     double begin,
                     double end,
                     bool may_rearm = false);

  /// Likewise of relations that act, where they may re-arm, as if to see it:
  /// nothing comes of it.
  /// @param kinks_only of kinks alone.
  double Foresee(const DenseOutput& dense,
                 double begin,
                 double end,
                 bool kinks_only = false);

  /// Likewise in the step that was looked into last, of kinks that have not
  /// changed at `but_at`.
  double ForeseeKink(const DenseOutput& dense,
                     double begin,
                     double end,
                     double but_at);

  /// Whether some relation acts (`WatchedRelation::acts`)...
  [[nodiscard]] bool has_acting() const noexcept {
    return watched_only_.size() < events_.relations.size();
  }

  /// ...and whether each does.
  [[nodiscard]] bool all_act() const noexcept { return watched_only_.empty(); }

  /// Whether operands have bounds: else a search takes samples.
  [[nodiscard]] bool has_bounds() const noexcept {
    return events_.watch_section.has_value();
  }

  /// Whether relations have re-armed in the last search.
  [[nodiscard]] bool has_rearmed() const noexcept {
    return !search_->rearmed().empty();
  }

  /// The relations that changed in the last event in which one did.
  [[nodiscard]] const std::vector<std::size_t>& last_changed() const noexcept {
    return last_changed_;
  }

  /// Whether the operands of one of these are further apart than that, and than
  /// rounding, in memory.
  [[nodiscard]] bool AreApart(double allowed);

  /// Whether relation `k` holds, as of the last event.
  [[nodiscard]] bool truth(std::size_t k) const noexcept {
    return truths_[k] != 0;
  }

  /// Slots of what resets and handlers have set in the last event: of states,
  /// and maybe of others.
  [[nodiscard]] const std::vector<std::uint32_t>& set_slots() const noexcept {
    return set_slots_;
  }

  /// `EventProgram::held_slots` before the last event.
  [[nodiscard]] std::span<const double> held_before() const noexcept {
    return held_;
  }

  /// What an event at the time and states in memory would lead to, in memory,
  /// and by relation in `truths`. Nothing is noted, the run's own event state
  /// stays. The caller restores memory.
  /// @returns false if it would reset a state, end the run or not end itself.
  bool Probe(std::span<std::uint8_t> truths);

  /// Does not look for changes of these relations, until the next call.
  /// Precondition: has_relations().
  void Ignore(std::span<const std::size_t> relations) {
    search_->Ignore(relations);
  }

  /// How soon an event follows the one before it.
  enum class Pace : std::uint8_t {
    kLater,
    kAtOnce,     ///< At its time.
    kWithoutEnd  ///< Others will follow ever faster, or many have at once.
  };

  /// Behind an event: does not look any more for kinks that come back at once,
  /// again and again. They are less apart than the tolerance, and each event
  /// would hold up the motion that leads away.
  /// @returns whether there are any.
  bool GiveUpRestlessKinks(Pace pace);

  /// Behind an event in which relations have changed: those that go back and
  /// forth soon after each other, over no more than what is a tie, have to get
  /// beyond one before they change again. Rounding of the states decides there,
  /// as of what is in series with a diode whose current ends. What still goes
  /// back and forth is left to it: it chatters.
  void CalmFlickering();

  /// What makes events.
  struct Culprits {
    std::vector<std::size_t> relations;
    std::vector<std::size_t> named;
    /// Slots of what changes though neither of those does, ascending.
    std::vector<std::uint32_t> discrete;
  };

  /// What changes without end: after kEndless.
  [[nodiscard]] Culprits FindRestless();

  /// The checks that warn for the first time since the last call.
  [[nodiscard]] std::vector<Warning> TakeWarnings() {
    return std::exchange(warnings_, {});
  }

  [[nodiscard]] const EventNotes& notes() const noexcept { return notes_; }

  /// Notes that a loop of equations takes another solution at `t`.
  void NoteJump(std::string loop, double t) {
    notes_.AddJump(std::move(loop), t);
  }

  /// Notes that somebody outside has set a value at `t`.
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

  // Of a relation, what is looked at over and over.
  struct Operands {
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t truth;  // What the equations see of it; or kNoSlot.
    bool is_strict;
  };

  // How often a relation has changed soon after it had, and where it did last.
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
  // What return whether they are done tell in `outcome` why not.
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
  // Whether it is so soon behind that time that states have hardly moved.
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
  std::vector<std::size_t> no_kinks_;      // These, and those without a kink.
  std::vector<std::uint32_t> named_conditions_;
  std::vector<std::uint32_t> handler_conditions_;
  std::vector<std::uint8_t> truths_;
  std::vector<std::uint8_t> foreseen_;  // Scratch.
  std::vector<std::size_t> ignored_;    // By a search.
  std::vector<std::size_t> last_changed_;
  std::vector<std::size_t> last_kinks_;   // In the last event, if these alone.
  int kinks_back_ = 0;                    // How often they came back at once.
  std::vector<std::size_t> given_up_;     // With a `hold`.
  std::vector<Flicker> flickers_;         // By relation.
  std::vector<std::size_t> going_round_;  // Iterates, in a microstep.
  std::vector<TickTimes> ticks_;
  std::optional<bool> schedule_sets_;  // Found out by the first `RunTicks`.
  double next_time_ = 0;
  std::vector<std::size_t> due_thresholds_;  // When an event begins.
  bool has_noted_end_ = false;               // The thresholds at `stop_`.
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::vector<double> held_;  // Before the event.
  bool has_started_ = false;
  bool is_start_due_ = false;  // The checks of the start are.
  int ties_in_event_ = 0;  // That rounding has decided in the event at hand.
  int ties_ = 0;           // That rounding has decided, one after the other...
  double last_tie_ =
      -std::numeric_limits<double>::infinity();  // ...until then.
  // By handler: whether it is due now, or after those that are.
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
