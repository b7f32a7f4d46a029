#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/system/attendant.h"
#include "orrery/base/time.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/native_code.h"
#include "orrery/program/program.h"
#include "orrery/results/csv.h"
#include "orrery/solver/method.h"

namespace orrery {

/// Options of a run. Those that are not given come from the model's experiment
/// annotation, then from the defaults named here. Plain data.
struct SimulationOptions {
  std::optional<Seconds> start;  ///< Default 0.
  std::optional<Seconds> stop;   ///< Default `start` + 1 s.

  /// Relative tolerance of the adaptive methods; default 1e-6.
  std::optional<double> tolerance;
  /// Their absolute tolerance, in units of each state's nominal value; default
  /// 1e-9, or `tolerance` if that is less.
  std::optional<double> absolute_tolerance;

  Method method = Method::kAuto;
  std::optional<Seconds> step;  ///< Required by fixed-step methods; not for
                                ///< others.

  /// Interval of recorded rows, whatever the steps; 0: a row at each step.
  /// Default: 0 for fixed-step methods, else (stop - start) / 500.
  std::optional<Seconds> interval;
  /// Times of further rows, in any order. Times outside of the run are ignored
  /// (see CheckTimes).
  std::vector<double> output_times;
  /// Times at which steps end, with a row each, in any order; those outside of
  /// the run are ignored. Rows at `output_times` are interpolated.
  std::vector<double> step_times;

  /// For adaptive methods. Default (stop - start) / 50, so that a short change
  /// in the equations is not stepped over; (stop - start) / 10 if all moves as
  /// polynomials between events, where no change is short. Solutions of
  /// nonlinear loops that no derivative depends on are followed in steps that
  /// are no longer than by default.
  std::optional<Seconds> max_step;
  std::int64_t max_steps = 100'000'000;  ///< A run that needs more ends.
  /// Limit on events that follow each other in an instant; a run with more
  /// ends.
  int max_consecutive_events = 1000;
  /// If the equations on both sides of a switching surface push the state to
  /// it: true lets the run slide along the surface, by Filippov's rule; false
  /// ends it there with a message.
  bool sliding = false;

  /// How the equations are evaluated; the results are the same.
  CodeChoice code = CodeChoice::kAuto;
  /// Lets native code be made beside the run, and can interrupt the run at any
  /// point; may be null.
  std::shared_ptr<Attendant> attendant;

  std::vector<Setting> settings;

  /// Inputs over time: a column `time` (else the first column is the time) that
  /// never decreases, and a column for each input that is given so. Inputs are
  /// interpolated linearly between rows and constant outside of them. Two rows
  /// at one time are a jump. Columns in other units than the inputs are
  /// converted.
  std::shared_ptr<const Table> inputs;

  /// Names of parameters, start values of states and constant inputs to
  /// differentiate by. For each recorded signal x and each such name k the run
  /// has a signal `d(x)/d(k)`, the derivative of x by k, exact to the
  /// tolerance, also if events move with k. `d(time)/d(k)` is that of an
  /// event's time, at its right limit. See SensitivityName,
  /// WhyNotDifferentiable.
  std::vector<std::string> sensitivities;

  /// Patterns of the names to be recorded (`*`: any text, `?`: any character),
  /// protected or not; empty: all variables that the model does not protect.
  std::vector<std::string> record;
  /// Without `record`: protected variables are recorded, too.
  bool record_protected = false;

  /// Patterns of the names of recorded signals that rows have to represent
  /// fully. Rows are added where these bend, so that interpolation is off by
  /// about the tolerance: 1e-9 to 1e-6 of the range of a signal. A signal
  /// without a recorded derivative gets one, `der(x)`, found by differences.
  /// For adaptive methods; the others have a row at each step.
  std::vector<std::string> follow;
};

/// The options for one program, with everything decided.
struct ResolvedOptions {
  double start = 0;
  double stop = 0;
  double tolerance = 0;
  double absolute_tolerance = 0;
  Method method = Method::kAuto;
  double step = 0;      ///< 0 where there is none.
  double interval = 0;  ///< 0: a row at each step.
  double max_step = 0;

  friend bool operator==(const ResolvedOptions&,
                         const ResolvedOptions&) = default;
};

/// Completes `options` from `experiment`, then from the defaults.
/// @throws Error kInvalidArgument naming the option that is out of range.
[[nodiscard]] ResolvedOptions Resolve(const SimulationOptions& options,
                                      const Program::Experiment& experiment);

/// @throws Error kInvalidArgument for a time of `times` outside of the run.
void CheckOutputTimes(std::span<const double> times,
                      const ResolvedOptions& resolved);

/// As CheckOutputTimes, for both kinds of times in `options`.
void CheckTimes(const SimulationOptions& options,
                const ResolvedOptions& resolved);

/// @throws Error kInvalidArgument for a step, or a maximum step, that cannot
///     reach the stop time within the limit on steps, unless the model may
///     terminate the run before.
void CheckSteps(const Program& program,
                const SimulationOptions& options,
                const ResolvedOptions& resolved);

}  // namespace orrery
