#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/events/event_pace.h"
#include "orrery/sim/events/quantity_watch.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/sim/machine/program_ode.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/motion/constraint_projection.h"
#include "orrery/sim/motion/sensitivities.h"
#include "orrery/sim/motion/sliding.h"
#include "orrery/sim/record/bends.h"
#include "orrery/sim/record/recorder.h"
#include "orrery/sim/run/run_plan.h"
#include "orrery/sim/types/options.h"
#include "orrery/sim/types/run_result.h"
#include "orrery/sim/types/summary.h"
#include "orrery/sim/types/time_grid.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::internal {

/// One run of a program, a step at a time, from its initial values on.
class SimulationRun {
 public:
  /// @param plan must outlive it.
  /// @param settings those of `plan`, with values of their own.
  /// @throws Error kInvalidArgument, kUnsupported as `Simulate` does.
  SimulationRun(const RunPlan& plan, std::span<const Setting> settings);

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

  /// Carries out the last event, in which terminal() is true.
  void Terminate();

  /// Gives the results at the end of the run.
  [[nodiscard]] RunResult Finish();

  // --- For callers that take steps of several runs together.

  /// The next integration of `Step`: `until` and `limit` are those of
  /// TimeIntegrator::StepUntil.
  struct Way {
    TimeIntegrator& integrator;
    double until;
    double limit;
  };

  /// The way that the integrator may go before the next `Step(limit)`, which
  /// continues from its end. None: no steps come next.
  std::optional<Way> WayAhead(double limit);

  // --- For other engines on the same timeline.

  /// Lets the driven input `number` follow `curve` from now on. To be called
  /// before `Start`, or before the `Change` in which the input jumps.
  void Drive(std::size_t number, const Curve& curve) {
    inputs_.Drive(program_, number, curve, t_);
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
  [[nodiscard]] bool is_stopped() const noexcept { return t_ == stop_; }

  /// True if an event of the equations is due at t().
  [[nodiscard]] bool is_due() {
    return is_due_ || std::min(NextTime(), inputs_.next_jump()) <= t_;
  }

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
  void GoOn() noexcept { stop_ = kNever; }

  /// Records a row at t(), if there is none yet.
  bool RecordNow();

  void Interrupt();

  [[nodiscard]] double t() const noexcept { return t_; }

  /// True if the run failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept {
    return summary_.outcome != RunOutcome::kCompleted;
  }

  [[nodiscard]] const ResolvedOptions& options() const noexcept {
    return options_;
  }

  [[nodiscard]] std::int64_t steps() const noexcept {
    return integrator_ == nullptr ? 0 : integrator_->statistics().steps;
  }

  /// Holds all quantities at `t`, unless a step failed.
  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }

  /// @param trajectory the recorded rows.
  [[nodiscard]] Summary MakeSummary(const Trajectory& trajectory) const;

  /// Why the run has ended; empty if it has not, or has ended well.
  [[nodiscard]] const std::string& message() const noexcept {
    return summary_.message;
  }

  [[nodiscard]] EventLog Events() const { return events_.notes().Log(); }

  /// Moves the log out.
  [[nodiscard]] EventLog TakeEvents() { return events_.TakeLog(); }

  /// The rows so far.
  [[nodiscard]] Trajectory Recorded() {
    return recorder_.Recorded(machine_.memory());
  }

  /// As Simulator::TakeNewRows.
  [[nodiscard]] NewRows TakeNewRows() {
    return recorder_.TakeNewRows(machine_.memory());
  }

  /// All rows so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows() {
    return recorder_.TakeAllRows(machine_.memory());
  }

  /// As Simulator::TakeNewEvents.
  [[nodiscard]] NewEvents TakeNewEvents() { return events_.TakeNewNotes(); }

  /// Moves the rows out.
  [[nodiscard]] Trajectory TakeRecorded() {
    return recorder_.Take(machine_.memory());
  }

 private:
  using LoopStart = Machine::LoopStart;

  void BeginCourse();
  void WarnOfMissingInputs();
  bool PrepareValues();
  bool Initialize();

  // @param beyond states to jump to; empty: they do not jump.
  bool HandleEvent(EventOutcome (EventEngine::*run)(double) = &EventEngine::Run,
                   std::span<const double> beyond = {});
  bool PassFailure();
  bool HasChangedAt(double t, std::span<const double> x);
  [[nodiscard]] bool IsNear(std::span<const double> x, double part) const;
  void TakeWhatIsSet();
  void BeginFollowing();
  void TellWarnings();
  bool PassEvent(EventOutcome (EventEngine::*run)(double),
                 std::span<const double> beyond,
                 bool was_sliding);
  void RecordEvent(bool is_noted);
  [[nodiscard]] bool LeavesRightLimit() const;
  EventOutcome RunEvent(EventOutcome (EventEngine::*run)(double));
  void GetStates();
  bool Take(const EventOutcome& outcome);
  bool AdvanceTo(double limit, double foreseeable);
  void PrepareTicks();
  bool PassTick();
  void BeginPiece();
  [[nodiscard]] double StepLimit(double change, double limit);
  bool Integrate(double limit, double end);
  StepResult TakeStep(double limit, double end);
  StepResult EndAtEvents(StepResult result);
  std::optional<double> TakeBackFor(double change);
  [[nodiscard]] double NextLook(double end) const;
  bool Reach(double reached);

  /// A piece of a step at whose begin loops held a solution. Loops start from
  /// `at_held` and `at_lost` at its ends; empty: no solution there.
  struct LoopPath {
    double held = 0;
    std::vector<double> at_held;
    double lost = 0;
    std::vector<double> at_lost;
  };

  void BeginPath();
  bool KeepLoops(double reached);
  bool RetakeForLoops(double reached);
  bool FollowLoops(double before);
  bool LoopsHold(double t);
  [[nodiscard]] bool IsLost(const Failure& failure) const;
  [[nodiscard]] std::vector<double> SizesOf(const LoopPath& path) const;
  [[nodiscard]] bool AreFar(const LoopPath& path) const;
  bool Narrow(LoopPath& path,
              double least,
              const std::function<bool(double)>& holds_at);
  void GoToEnd(const LoopPath& path);
  bool PassJump(const LoopPath& whole);
  [[nodiscard]] bool IsAlmostAt(double t, std::span<const double> x) const;
  void HalveWay(double t);
  bool PassLostSolution(double t, const std::vector<double>& x);
  [[nodiscard]] bool HasOtherSolution(double t, std::span<const double> x);
  [[nodiscard]] std::optional<std::size_t> FindLoopThatLeft();
  std::optional<std::size_t> ReachOtherSolution(double t,
                                                std::span<const double> x);
  bool TakeOtherSolution(double t, const std::vector<double>& x);

  void LookOutside();
  [[nodiscard]] bool IsNew(const Setting& setting) const;
  void TryParameters(const Settings& changed,
                     std::span<const Setting> settings);
  [[nodiscard]] std::string WhyNotParameters(const Settings& changed);
  [[nodiscard]] std::vector<double> FixedTimes() const;
  void StopFor(double seen);
  bool PassChanges(double reached, double end);
  [[nodiscard]] double AtRow(double change, double reached) const;
  double FirstChange(double begin, double reached);
  double FirstOfEquations(double begin, double reached);
  bool WatchPace();
  bool KeepsRest();
  SlidingMotion& motion();
  bool ResumeSliding(const EventOutcome& outcome, bool was_sliding);
  bool CorrectSliding();
  void PrepareConstraints();
  bool StartOnConstraints();
  bool FollowStartOnConstraints(bool has_moved);
  bool EndAtStart(const std::string& message, const std::string& hint);
  void NoteSetState(std::size_t state);
  void NoteSetStates();
  bool ReturnToConstraints();
  bool KeepConstraints();
  std::optional<Failure> PlaceWithTangents();
  bool TakeProjected(ConstraintProjection::Outcome outcome);
  bool FollowSetStates(std::span<double> x, double allowed);
  bool TakeAlong(std::span<const double> x);
  [[nodiscard]] std::optional<ConstraintProjection::Directions> Along();

  /// x_ without the sensitivities that may follow.
  [[nodiscard]] std::span<const double> states() const noexcept {
    return std::span<const double>(x_).first(
        static_cast<std::size_t>(ode_.dimension()));
  }

  [[nodiscard]] bool is_sliding() const noexcept {
    return motion_ != nullptr && motion_->is_active();
  }

  /// While the result lives, computations include the tangents of the
  /// sensitivities.
  [[nodiscard]] Machine::Following Follow() noexcept {
    return {machine_,
            sensitivities_ == nullptr ? nullptr : &sensitivities_->tangents()};
  }

  /// The integrator at work; null without states.
  [[nodiscard]] TimeIntegrator* integrator() noexcept {
    return is_sliding() ? sliding_integrator_.get() : integrator_.get();
  }

  bool ConfirmDelays(double reached);
  bool RecordDelays();

  /// The next known time of an event, without jumps of inputs.
  [[nodiscard]] double NextTime() {
    return std::min(events_.next_time(), machine_.delays().next_time());
  }

  const DenseOutput& dense();
  void StatesAt(double t, std::span<double> x);

  bool EmitRows(double end);
  bool RecordBends(double t, std::span<const double> x);
  bool RecordBehindBends(double t, std::span<const double> x);
  void RecordBetween(const TimedRow& begin, const TimedRow& end, int divisions);
  void TurnSlopes(std::span<double> begin, double t);
  void FindSlopes(std::span<double> row, double t, double towards);
  std::optional<std::vector<double>> RowAt(double t);
  void RecordJump(const TimedRow& begin, const TimedRow& end);
  void AppendBehindBends(double t, std::span<const double> row);

  /// True if each step has a row at its end.
  [[nodiscard]] bool HasRowAStep() const noexcept {
    return options_.interval == 0 || bends_.AreFollowed();
  }

  bool RecordHere(LoopStart start) { return Record(t_, x_, start); }

  bool Record(double t, std::span<const double> x, LoopStart start);
  bool HasRoom();
  void RecordLast();
  bool Evaluate(double t, std::span<const double> x, LoopStart start);
  std::optional<Explanation> ComputeLeftLimit();
  std::optional<Failure> Place(double t, std::span<const double> x);
  std::optional<Explanation> Compute(double t,
                                     std::span<const double> x,
                                     LoopStart start);
  std::optional<Explanation> ComputeRow(double t, std::span<const double> x);
  std::optional<Failure> RunAll(LoopStart start);

  bool End(const Explanation& why);
  bool EndStep(const StepResult& result);
  [[nodiscard]] std::optional<std::size_t> FindSteep(double t,
                                                     std::span<const double> x);
  [[nodiscard]] Explanation ExplainEnd(const StepResult& result);
  std::optional<Explanation> ExplainPoint(double t, std::span<const double> x);
  std::optional<Tape::Fault> FaultAt(double t, std::span<const double> x);
  double SpeedOut(double t, std::span<const double> x);

  struct Zeno {
    double limit = 0;  // s
    Explanation why;   // Used if the run ends there.
  };

  const RunPlan& plan_;
  const Program& program_;
  const ResolvedOptions& options_;
  Machine machine_;
  InputSignals inputs_;
  Settings settings_;
  Recorder recorder_;
  TimeGrid grid_;
  TimeGrid step_ends_;
  Bends bends_;
  std::vector<double> row_behind_bends_;  // Empty: it was not computed.
  std::size_t rows_behind_bends_ = 0;  // Up to the last row with final slopes.
  EventEngine events_;
  EventPace pace_;
  std::optional<Zeno> zeno_;  // The Zeno point that events led to.
  ProgramOde ode_;
  std::unique_ptr<Sensitivities> sensitivities_;  // Null: not wanted.
  std::unique_ptr<TimeIntegrator> integrator_;    // Null without states.
  std::unique_ptr<SlidingMotion> motion_;         // Made when wanted.
  std::unique_ptr<TimeIntegrator> sliding_integrator_;
  std::unique_ptr<ConstraintProjection> projection_;  // Null: no constraints.
  std::vector<std::size_t> set_states_;  // Bound states that were set and that
                                         // others have to follow.
  Summary summary_;
  double t_ = 0;
  bool needs_restart_ = true;          // The equations have changed.
  bool has_relation_changed_ = false;  // In the last event.
  double resumed_ = 0;                 // Time of the last restart.
  int num_cut_ = 0;  // Steps taken back for a kink since the last event.
  double quiet_until_ = -kNever;  // No relation changes from t_ up to there.
  // On the way to a time at which the equations could not be evaluated.
  double barrier_ = kNever;
  std::unique_ptr<QuantityWatch> watch_;  // Made when wanted.
  double stop_ = kNever;                  // Tick that others have to see.
  // Events from there on are left to `Change`; true if one is due.
  double leave_from_ = kNever;
  bool is_due_ = false;
  std::optional<NameTable> names_;  // Made when asked for.
  bool has_new_settings_ = false;   // Brought by this event.
  bool has_lost_solution_ = false;  // By a loop, in this event.
  bool is_settled_ = false;         // Memory holds the values at t_.
  bool moves_;                      // Not only time varies between events.
  bool has_only_ticks_ = false;     // `PassTick` suffices.
  DenseOutput no_states_;
  std::vector<double> x_;
  std::vector<double> x_row_;
  // Where loops start from where the step at hand began, and when that was;
  // empty: an event has been since.
  std::vector<double> starts_before_;
  double starts_before_t_ = 0;
  std::vector<double> starts_behind_;  // Likewise at its end, if it is known.
  double last_row_ = -std::numeric_limits<double>::infinity();
};

}  // namespace orrery::internal
