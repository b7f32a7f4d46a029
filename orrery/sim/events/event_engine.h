#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Carries out the events of a run and finds the next ones: at known times, and
/// where a relation changes in a step. Time, states and inputs are those in the
/// evaluator's memory. Belongs to one run.
class EventEngine {
 public:
  /// All must outlive it.
  /// @param stop end of the run; changes just after it are not seen.
  EventEngine(ProgramEvaluator& evaluator,
              InputSignals& inputs,
              int max_microsteps,
              double stop = std::numeric_limits<double>::infinity());

  [[nodiscard]] bool is_empty() const noexcept { return state_.events.empty(); }

  /// True if there are relations to watch in steps.
  [[nodiscard]] bool has_relations() const noexcept {
    return state_.has_relations();
  }

  /// True if a relation, for the time and states in memory, differs from its
  /// value at the last event.
  [[nodiscard]] bool HasRelationChanged() {
    return !ChangedRelations().empty();
  }

  /// Those relations.
  [[nodiscard]] std::vector<std::size_t> ChangedRelations();

  /// For each threshold and tick that is due at `t`: the terms of that time.
  [[nodiscard]] std::vector<std::vector<TimeTerm>> DueTimes(double t) const;

  /// Runs the initialization from the start values that are in memory and finds
  /// the times of ticks from `t` on.
  EventOutcome Initialize(double t);

  /// After `Initialize` found no start: the part of the way from the simplified
  /// formulas of homotopy() to the actual ones at which solutions end. None:
  /// the model has no such way.
  [[nodiscard]] const std::optional<double>& homotopy_end() const noexcept {
    return state_.homotopy_end;
  }

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
  [[nodiscard]] EventLog TakeLog() { return state_.notes.TakeLog(); }

  /// The notes since the last call.
  [[nodiscard]] NewEvents TakeNewNotes() { return state_.notes.TakeNew(); }

  /// Makes room for this number of notes.
  void ReserveNotes(std::size_t count) { state_.notes.Reserve(count); }

  /// The failure behind the last outcome kFailed.
  [[nodiscard]] const Failure& failure() const noexcept {
    return state_.failure;
  }

  /// As `Run`, with terminal() true.
  EventOutcome RunTerminal(double t);

  /// Writes what later events depend on, or reads it. The notes are forgotten
  /// then.
  void Transfer(StateStream& stream) { state_.Transfer(stream); }

  /// A relation and its operands, for the time and states in memory.
  struct LookedAt {
    double left = 0;
    double right = 0;
    bool holds = false;  ///< As of the last event.
  };

  /// Looks at all relations, in their order.
  /// @returns false if their operands cannot be computed.
  bool LookAtRelations(std::vector<LookedAt>& seen);

  /// The next known time of an event after the last one; infinity if there is
  /// none.
  [[nodiscard]] double next_time() const noexcept { return state_.next_time; }

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
    return state_.watched_only.size() < state_.events.relations.size();
  }

  /// True if each relation acts.
  [[nodiscard]] bool all_act() const noexcept {
    return state_.watched_only.empty();
  }

  /// True if operands have bounds; else a search takes samples.
  [[nodiscard]] bool has_bounds() const noexcept {
    return state_.events.watch_section.has_value();
  }

  /// True if relations have re-armed in the last search.
  [[nodiscard]] bool has_rearmed() const noexcept {
    return !state_.search->rearmed().empty();
  }

  /// The relations that changed in the last event in which one did.
  [[nodiscard]] const std::vector<std::size_t>& last_changed() const noexcept {
    return state_.last_changed;
  }

  /// True if the operands, in memory, of a relation that changed last are
  /// further apart than `allowed` and than rounding.
  [[nodiscard]] bool AreApart(double allowed);

  /// The value of relation `k` as of the last event.
  [[nodiscard]] bool truth(std::size_t k) const noexcept {
    return state_.truths[k] != 0;
  }

  /// Slots that resets and handlers have set in the last event: of states, and
  /// perhaps of others.
  [[nodiscard]] const std::vector<std::uint32_t>& set_slots() const noexcept {
    return state_.set_slots;
  }

  /// `EventProgram::held_slots` before the last event.
  [[nodiscard]] std::span<const double> held_before() const noexcept {
    return state_.held;
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
    state_.search->Ignore(relations);
  }

  /// After an event: gives up watching kinks that come back at once, again and
  /// again. Their operands are less apart than the tolerance, and each event
  /// would hold up the motion that leads away.
  /// @returns true if there are such kinks.
  bool GiveUpChatteringKinks(EventSpacing spacing);

  /// After an event in which relations have changed: calms those that flicker
  /// within a tie, so that they change again only beyond one. Rounding of the
  /// states decides there, as for elements in series with a diode whose current
  /// ends. A relation that flickers nevertheless is left to chatter.
  void CalmChattering();

  /// After kEndless: the quantities that change without end.
  [[nodiscard]] EventCauses FindChattering();

  /// The checks that have warned for the first time since the last call.
  [[nodiscard]] std::vector<CheckWarning> TakeWarnings() {
    return std::exchange(state_.warnings, {});
  }

  [[nodiscard]] const EventNotes& notes() const noexcept {
    return state_.notes;
  }

  /// Notes that an algebraic loop takes another solution at `t`.
  void NoteJump(std::string loop, double t) {
    state_.notes.AddJump(std::move(loop), t);
  }

  /// Notes that a value was set from outside at `t`.
  void NoteSetting(const Setting& setting, double t) {
    state_.notes.AddSetting(setting, t);
  }

 private:
  EventState state_;
};

}  // namespace orrery::sim::internal
