#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/events/event_pace.h"
#include "orrery/sim/events/quantity_watch.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/program_ode.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/motion/constraint_projection.h"
#include "orrery/sim/motion/sensitivities.h"
#include "orrery/sim/motion/sliding.h"
#include "orrery/sim/record/output_refinement.h"
#include "orrery/sim/record/recorder.h"
#include "orrery/sim/run/run_plan.h"
#include "orrery/sim/types/options.h"
#include "orrery/sim/types/summary.h"
#include "orrery/sim/types/time_grid.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// The rows of a run so far, and those to come.
struct RunRows {
  Recorder recorder;
  TimeGrid grid;
  OutputRefinement refinement;
  std::vector<double> refined;  ///< The row up to which rows were refined;
                                ///< empty: it was not computed.
  std::size_t num_final = 0;    ///< Up to the last row with final slopes.
  std::vector<double> x;        ///< Scratch: states at a row.
  double last = -std::numeric_limits<double>::infinity();  ///< Its time.
};

/// Where loops start from at the ends of the step at hand.
struct LoopFollowing {
  std::vector<double> at_begin;    ///< Empty: an event has been since.
  double begin = 0;                ///< Time.
  std::vector<double> at_end;      ///< Empty: not known.
  bool has_lost_solution = false;  ///< By a loop, in this event.
};

/// The motion along a surface; null until it is wanted.
struct SlidingCourse {
  std::unique_ptr<SlidingMotion> motion;
  std::unique_ptr<TimeIntegrator> integrator;
};

/// The constraints between states.
struct ConstraintKeeping {
  std::unique_ptr<ConstraintProjection> projection;  ///< Null: none.
  /// Bound states that were set and that others have to follow.
  std::vector<std::size_t> set_states;
};

/// How others on the same timeline see the run and change it.
struct OutsideView {
  std::unique_ptr<QuantityWatch> watch;  ///< Made when wanted.
  double stop = kNever;                  ///< Tick that others have to see.
  /// Events from there on are left to `ProgramRun::Change`.
  double leave_from = kNever;
  bool is_due = false;             ///< One of these is due.
  std::optional<NameTable> names;  ///< Made when asked for.
  bool has_new_settings = false;   ///< Brought by this event.
};

/// The times that events led to ever faster.
struct ZenoPoint {
  double limit = 0;  ///< s.
  Explanation why;   ///< Used if the run ends there.
};

/// The state of one run of a program. The functions in this folder work on it,
/// by subject.
struct RunState {
  /// As the constructor of ProgramRun, without constraints.
  RunState(const RunPlan& run_plan, std::span<const Setting> given);

  /// True if the run failed, was interrupted or terminated.
  [[nodiscard]] bool has_ended() const noexcept {
    return summary.outcome != RunOutcome::kCompleted;
  }

  /// x without the sensitivities that may follow.
  [[nodiscard]] std::span<const double> states() const noexcept {
    return std::span<const double>(x).first(
        static_cast<std::size_t>(ode.dimension()));
  }

  [[nodiscard]] bool is_sliding() const noexcept {
    return sliding.motion != nullptr && sliding.motion->is_active();
  }

  /// While the result lives, computations include the tangents of the
  /// sensitivities.
  [[nodiscard]] ProgramEvaluator::Following Follow() noexcept {
    return {evaluator,
            sensitivities == nullptr ? nullptr : &sensitivities->tangents()};
  }

  /// The integrator at work; null without states.
  [[nodiscard]] TimeIntegrator* active_integrator() const noexcept {
    return is_sliding() ? sliding.integrator.get() : integrator.get();
  }

  /// The next known time of an event, without jumps of inputs.
  [[nodiscard]] double NextTime() {
    return std::min(events.next_time(), evaluator.delays().next_time());
  }

  /// The next known time of an event or of a jump of inputs.
  [[nodiscard]] double NextChange() {
    return std::min(NextTime(), inputs.next_jump());
  }

  /// True if an event of the equations is due at t.
  [[nodiscard]] bool IsEventDue() {
    return outside.is_due || NextChange() <= t;
  }

  /// True if each step has a row at its end.
  [[nodiscard]] bool HasRowAStep() const noexcept {
    return options.interval == 0 || rows.refinement.AreFollowed();
  }

  /// The tolerance of state `i` by its value in x.
  [[nodiscard]] double ToleranceOf(std::size_t i) const {
    return options.tolerance * std::abs(x[i]) +
           options.absolute_tolerance * program.nominal[i];
  }

  /// The states within the last step.
  const DenseOutput& dense() const;
  void StatesAt(double time, std::span<double> at) const;

  const RunPlan& plan;
  const Program& program;
  const ResolvedOptions& options;
  ProgramEvaluator evaluator;
  InputSignals inputs;
  Settings settings;
  RunRows rows;
  TimeGrid step_ends;
  EventEngine events;
  EventPace pace;
  std::optional<ZenoPoint> zeno;
  ProgramOde ode;
  std::unique_ptr<Sensitivities> sensitivities;  ///< Null: not wanted.
  std::unique_ptr<TimeIntegrator> integrator;    ///< Null without states.
  SlidingCourse sliding;
  ConstraintKeeping constraints;
  LoopFollowing loops;
  OutsideView outside;
  Summary summary;

  double t = 0;
  std::vector<double> x;              ///< States, then sensitivities.
  bool moves;                         ///< Not only time varies between events.
  bool needs_restart = true;          ///< The equations have changed.
  bool has_relation_changed = false;  ///< In the last event.
  bool is_settled = false;            ///< Memory holds the values at t.
  bool has_only_ticks = false;        ///< `PassTick` suffices.
  double resumed = 0;                 ///< Time of the last restart.
  int num_cut = 0;  ///< Steps taken back for a kink since the last event.
  double quiet_until = -kNever;  ///< No relation changes from t up to there.
  /// On the way to a time at which the equations could not be evaluated.
  double barrier = kNever;
  DenseOutput no_states;
};

}  // namespace orrery::sim::internal
