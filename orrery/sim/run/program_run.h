#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "orrery/base/files/state_stream.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/run/run_state.h"
#include "orrery/sim/run/run_step.h"
#include "orrery/sim/types/run_result.h"

namespace orrery::sim::internal {

/// One run of a program, a step at a time, from its initial values on.
class ProgramRun {
 public:
  /// @param plan must outlive it.
  /// @param settings those of `plan`, with values of their own.
  /// @throws Error kInvalidArgument, kUnsupported as `Simulate` does.
  ProgramRun(const RunPlan& plan, std::span<const Setting> settings);

  /// After `Finish`: resets the run, with these values of the settings.
  /// @returns false if that is impossible; only destruction is allowed then.
  /// @throws Error as the constructor; it may be renewed then.
  [[nodiscard]] bool Renew(std::span<const Setting> settings);

  /// Finds the initial values and completes the instant of the start. Once,
  /// first.
  void Start();

  /// Takes one step towards `limit`, which is hit exactly, or to an event
  /// before it, which is completed.
  /// @returns true if there is more to do before `limit`.
  bool Step(double limit);

  /// Writes the state of a run that may go on, between two steps. The run is
  /// as before, to the last bit.
  /// @throws Error kInvalidArgument for a run that has ended, kUnsupported for
  ///     one with parts that cannot be saved.
  void Save(StateStream& stream);

  /// Reads the state of a run of the same program and records a row there; in
  /// place of `Start`, or later. The run then goes on as the saved one, bit for
  /// bit, unless its method has a history: that begins anew. Rows and events
  /// before are dropped.
  /// @throws Error kInvalidModel for a state that does not fit; only
  ///     destruction and another call are allowed then. kUnsupported as `Save`.
  void Restore(StateStream& stream);

  /// Carries out the last event, in which terminal() is true.
  void Terminate();

  /// Gives the results at the end of the run.
  [[nodiscard]] RunResult Finish();

  // --- For callers that take steps of several runs together.

  /// Plans how far the integrator may go before the next `Step(limit)`, which
  /// continues from its end. None: no steps come next.
  std::optional<StepPlan> PlanStep(double limit);

  // --- For other engines on the same timeline.

  /// Lets the driven input `number` follow `curve` from now on. To be called
  /// before `Start`, or before the `Change` in which the input jumps.
  void Drive(std::size_t number, const Curve& curve) {
    state_.inputs.Drive(state_.program, number, curve, state_.t);
  }

  /// Comparisons that others wait for; made by the first call.
  QuantityWatch& watch();

  /// As `Step` towards `limit`, without a row there. Stops at the next tick of
  /// discrete time after a comparison in `watch` has changed. Events that are
  /// due where it stops are left to `Change`.
  /// @param foreseeable time up to which nobody will change anything, if that
  ///     is after `limit`: a step may reach beyond `limit`.
  /// @returns true if there is more to do before `limit` or that tick.
  bool Advance(double limit, double foreseeable);

  /// True at such a tick.
  [[nodiscard]] bool is_stopped() const noexcept {
    return state_.t == state_.outside.stop;
  }

  /// True if an event of the equations is due at t().
  [[nodiscard]] bool is_due() { return state_.IsEventDue(); }

  /// Carries out an event at t(), in which driven inputs jump and states are
  /// set.
  /// @param states by number; only those given are set.
  bool Change(std::span<const std::pair<std::size_t, double>> states);

  /// Sets parameters and inputs from t() on, in an event that is noted. If no
  /// value differs, only due events take place.
  /// @throws Error kInvalidArgument for a quantity that cannot be set in a run;
  ///     then nothing has changed.
  bool Set(std::span<const Setting> settings);

  /// Leaves the values at t() in memory.
  bool Settle();

  /// Leaves the tick at which it stopped: others have seen the values.
  void ClearStop() noexcept { state_.outside.stop = kNever; }

  /// Records a row at t(), if there is none yet.
  bool RecordNow();

  void Interrupt();

  [[nodiscard]] double t() const noexcept { return state_.t; }

  /// True if the run failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept { return state_.has_ended(); }

  [[nodiscard]] const ResolvedOptions& options() const noexcept {
    return state_.options;
  }

  [[nodiscard]] std::int64_t steps() const noexcept {
    return state_.integrator == nullptr ? 0
                                        : state_.integrator->statistics().steps;
  }

  /// Holds all quantities at `t`, unless a step failed.
  [[nodiscard]] const ProgramEvaluator& evaluator() const noexcept {
    return state_.evaluator;
  }

  /// @param trajectory the recorded rows.
  [[nodiscard]] Summary MakeSummary(const Trajectory& trajectory) const;

  /// Why the run has ended; empty if it has not, or has ended well.
  [[nodiscard]] const std::string& message() const noexcept {
    return state_.summary.message;
  }

  [[nodiscard]] EventLog Events() const { return state_.events.notes().Log(); }

  /// Moves the log out.
  [[nodiscard]] EventLog TakeEvents() { return state_.events.TakeLog(); }

  /// The rows so far.
  [[nodiscard]] Trajectory Recorded() {
    return state_.rows.recorder.Recorded(state_.evaluator.memory());
  }

  /// As Simulator::TakeNewRows.
  [[nodiscard]] NewRows TakeNewRows() {
    return state_.rows.recorder.TakeNewRows(state_.evaluator.memory());
  }

  /// All rows so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows() {
    return state_.rows.recorder.TakeAllRows(state_.evaluator.memory());
  }

  /// As Simulator::TakeNewEvents.
  [[nodiscard]] NewEvents TakeNewEvents() {
    return state_.events.TakeNewNotes();
  }

  /// Moves the rows out.
  [[nodiscard]] Trajectory TakeRecorded() {
    return state_.rows.recorder.Take(state_.evaluator.memory());
  }

 private:
  RunState state_;
};

}  // namespace orrery::sim::internal
