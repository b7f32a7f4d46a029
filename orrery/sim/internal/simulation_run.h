#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
#include "orrery/sim/internal/bends.h"
#include "orrery/sim/internal/constraint_projection.h"
#include "orrery/sim/internal/event_engine.h"
#include "orrery/sim/internal/event_pace.h"
#include "orrery/sim/internal/explain.h"
#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/internal/program_ode.h"
#include "orrery/sim/internal/quantity_watch.h"
#include "orrery/sim/internal/recorder.h"
#include "orrery/sim/internal/run_plan.h"
#include "orrery/sim/internal/sensitivities.h"
#include "orrery/sim/internal/settings.h"
#include "orrery/sim/internal/sliding.h"
#include "orrery/sim/internal/time_grid.h"
#include "orrery/sim/options.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/summary.h"
#include "orrery/solver/integrator.h"

namespace orrery::internal {

/// One run of a program, a step at a time, from its initial values on.
class SimulationRun {
 public:
  /// @param plan must outlive it.
  /// @param settings those that it was made for, but for their values.
  /// @throws Error kInvalidArgument, kUnsupported as `Simulate` does.
  SimulationRun(const RunPlan& plan, std::span<const Setting> settings);

  /// After `Finish`: it is as if it had just been made with these values.
  /// @returns false if it cannot be; only destruction is allowed then.
  /// @throws Error as the constructor; it may be renewed then.
  [[nodiscard]] bool Renew(std::span<const Setting> settings);

  /// Finds the initial values and completes the instant of the start. Once,
  /// first.
  void Start();

  /// One step towards `limit`, or up to an event before it, which is completed.
  /// The limit is hit exactly.
  /// @returns whether there is more to do before `limit`.
  bool Step(double limit);

  /// The last event, in which terminal() is true.
  void Terminate();

  /// What there is when it has come to its end.
  [[nodiscard]] RunResult Finish();

  // --- For who takes its steps beside those of others.

  /// What the next `Step` is going to begin with: `until` and `limit` as of
  /// TimeIntegrator::StepUntil.
  struct Way {
    TimeIntegrator& integrator;
    double until;
    double limit;
  };

  /// The integrator may go that way before the next `Step(limit)`, which takes
  /// it from where the integrator is then. None: no steps come next.
  std::optional<Way> WayAhead(double limit);

  // --- For who joins it with other engines.

  /// Input `number`, a driven one, follows `curve` from now on: before `Start`,
  /// or up to the next `Change`.
  void Drive(std::size_t number, const Curve& curve) {
    inputs_.Drive(program_, number, curve, t_);
  }

  /// What others wait for, made when it is asked for.
  QuantityWatch& watch();

  /// Towards `limit`, as `Step`, without a row there; up to the next tick of
  /// discrete time after one of the comparisons in `watch` has changed. What is
  /// due where it ends is left to `Change`.
  /// @param foreseeable up to where nobody will change anything, if that is
  ///     later: a step may reach beyond `limit`.
  /// @returns whether there is more to do before `limit` or that tick.
  bool Advance(double limit, double foreseeable);

  /// Whether it is at such a tick.
  [[nodiscard]] bool is_stopped() const noexcept { return t_ == stop_; }

  /// Whether an event of the equations is due at t().
  [[nodiscard]] bool is_due() {
    return is_due_ || std::min(NextTime(), inputs_.next_jump()) <= t_;
  }

  /// An event at t(), in which driven inputs jump and states are set.
  /// @param states by number; only those given are set.
  bool Change(std::span<const std::pair<std::size_t, double>> states);

  /// New values of parameters and inputs from t() on, in an event that is
  /// noted; without any that differs, only what is due takes place.
  /// @throws Error kInvalidArgument for what cannot be set in a run; then
  ///     nothing has changed.
  bool Set(std::span<const Setting> settings);

  /// Leaves the values at t() in memory.
  bool Settle();

  /// They have been seen; looks for the next.
  void GoOn() noexcept { stop_ = kNever; }

  /// Records where it is, if it has not yet.
  bool RecordNow();

  void Interrupt();

  [[nodiscard]] double t() const noexcept { return t_; }

  /// Whether it cannot go on: it failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept {
    return summary_.outcome != RunOutcome::kCompleted;
  }

  [[nodiscard]] const ResolvedOptions& options() const noexcept {
    return options_;
  }

  [[nodiscard]] std::int64_t steps() const noexcept {
    return integrator_ == nullptr ? 0 : integrator_->statistics().steps;
  }

  /// Of all quantities at `t`, unless a step failed.
  [[nodiscard]] const Machine& machine() const noexcept { return machine_; }

  /// @param trajectory what was recorded.
  [[nodiscard]] Summary MakeSummary(const Trajectory& trajectory) const;

  /// Why the run has ended; empty: it has not, or well.
  [[nodiscard]] const std::string& message() const noexcept {
    return summary_.message;
  }

  [[nodiscard]] EventLog Events() const { return events_.notes().Log(); }

  /// The same, for good.
  [[nodiscard]] EventLog TakeEvents() { return events_.TakeLog(); }

  /// What was recorded so far.
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

  /// What was recorded, for good.
  [[nodiscard]] Trajectory TakeRecorded() {
    return recorder_.Take(machine_.memory());
  }

 private:
  using LoopStart = Machine::LoopStart;

  void BeginCourse();
  void WarnOfMissingInputs();
  bool PrepareValues();
  bool Initialize();

  // The states jump to `beyond`, unless it is empty.
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

  /// A piece of a step at whose begin loops held a solution, and what they
  /// start from at both ends; empty: they have none there.
  struct LoopPath {
    double held = 0;
    std::vector<double> at_held;
    double lost = 0;
    std::vector<double> at_lost;
  };

  bool FollowLoops(double before);
  bool LoopsHold(double t);
  [[nodiscard]] bool IsLost(const Failure& failure) const;
  [[nodiscard]] bool IsSmooth(const LoopPath& path);
  void GoToEnd(const LoopPath& path);
  bool PassJump(const LoopPath& whole);
  bool PassLostSolution(double t, const std::vector<double>& x);
  [[nodiscard]] bool HasOtherSolution(double t, std::span<const double> x);
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

  /// Of x_, without the sensitivities that may follow.
  [[nodiscard]] std::span<const double> states() const noexcept {
    return std::span<const double>(x_).first(
        static_cast<std::size_t>(ode_.dimension()));
  }

  [[nodiscard]] bool is_sliding() const noexcept {
    return motion_ != nullptr && motion_->is_active();
  }

  /// What computes leaves the tangents of all that is asked for as well.
  [[nodiscard]] Machine::Following Follow() noexcept {
    return {machine_,
            sensitivities_ == nullptr ? nullptr : &sensitivities_->tangents()};
  }

  /// What integrates now; null without states.
  [[nodiscard]] TimeIntegrator* integrator() noexcept {
    return is_sliding() ? sliding_integrator_.get() : integrator_.get();
  }

  bool ConfirmDelays(double reached);
  bool RecordDelays();

  /// The next known time of an event but for jumps of inputs.
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

  /// Whether each step has a row at its end.
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
    Explanation why;   // The run ends there, if it does.
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
  std::size_t rows_behind_bends_ = 0;     // Up to the last one with its slopes.
  EventEngine events_;
  EventPace pace_;
  std::optional<Zeno> zeno_;  // Events have led to such a point.
  ProgramOde ode_;
  std::unique_ptr<Sensitivities> sensitivities_;  // Null: not asked for.
  std::unique_ptr<TimeIntegrator> integrator_;    // Null without states.
  std::unique_ptr<SlidingMotion> motion_;         // Null: was not asked for.
  std::unique_ptr<TimeIntegrator> sliding_integrator_;
  std::unique_ptr<ConstraintProjection> projection_;  // Null: no constraints.
  std::vector<std::size_t> set_states_;  // Of those in constraints; not yet
                                         // followed by others.
  Summary summary_;
  double t_ = 0;
  bool needs_restart_ = true;          // The equations are not what they were.
  bool has_relation_changed_ = false;  // In the last event.
  double resumed_ = 0;                 // When that was so last.
  int num_cut_ = 0;  // Steps taken back for a kink since the last event.
  double quiet_until_ = -kNever;  // No relation changes from t_ up to there.
  // A way to go before a time at which the equations could not be evaluated.
  double barrier_ = kNever;
  std::unique_ptr<QuantityWatch> watch_;  // Null: was not asked for.
  double stop_ = kNever;  // The tick at which others have to see something.
  // Events from there on are left to `Change`, and whether one is due.
  double leave_from_ = kNever;
  bool is_due_ = false;
  std::optional<NameTable> names_;  // Made when asked for.
  bool has_new_settings_ = false;   // The event at hand brings them.
  bool has_lost_solution_ = false;  // Of a loop: that is the event at hand.
  bool is_settled_ = false;         // Memory holds the values at t_.
  bool moves_;                      // Between events, anything but time.
  bool has_only_ticks_ = false;     // `PassTick` will do for them.
  DenseOutput no_states_;
  std::vector<double> x_;
  std::vector<double> x_row_;
  double last_row_ = -std::numeric_limits<double>::infinity();
};

}  // namespace orrery::internal
