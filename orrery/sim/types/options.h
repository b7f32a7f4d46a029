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

/// How a model is to be run. What is not given comes from the model's
/// experiment annotation, then from the default named here. Plain data.
struct SimulationOptions {
  std::optional<Seconds> start;  ///< Default 0.
  std::optional<Seconds> stop;   ///< Default `start` + 1 s.

  /// Relative tolerance of the adaptive methods; default 1e-6.
  std::optional<double> tolerance;
  /// Their absolute tolerance, in units of each state's nominal value; default
  /// 1e-9, or `tolerance` if that is less.
  std::optional<double> absolute_tolerance;

  Method method = Method::kAuto;
  std::optional<Seconds> step;  ///< Of the fixed-step methods, which need it.

  /// Between recorded rows, whatever the steps; 0: a row a step. Default: a
  /// row a step for the fixed-step methods, else (stop - start) / 500.
  std::optional<Seconds> interval;
  /// Times of further rows, in any order; those outside of the run are ignored
  /// (see CheckTimes).
  std::vector<double> output_times;
  /// Times at which steps end, with a row each, in any order; as above, those
  /// outside of the run are ignored. Rows at `output_times` are interpolated.
  std::vector<double> step_times;

  /// Of the adaptive methods; default (stop - start) / 50, so that a short
  /// change in the equations is not stepped over, and (stop - start) / 10 where
  /// there is none: where all moves as polynomials do between events.
  std::optional<Seconds> max_step;
  std::int64_t max_steps = 100'000'000;  ///< A run that needs more ends.
  /// Events that follow each other in an instant; a run that has more ends.
  int max_consecutive_events = 1000;
  /// Where the equations on both sides of a switching surface push the state
  /// to it: goes on along the surface, by Filippov's rule. If not, the run ends
  /// there and says so.
  bool sliding = false;

  /// What evaluates the equations; the results are the same.
  CodeChoice code = CodeChoice::kAuto;
  /// Makes native code beside the run, and ends the run, interrupted, wherever
  /// that is; null: nobody does.
  std::shared_ptr<Attendant> attendant;

  std::vector<Setting> settings;

  /// Inputs over time: a column `time` (else the first column is the time) that
  /// never decreases, and a column for each input that is given so. Between
  /// rows inputs are interpolated linearly, outside of them held; two rows at
  /// one time are a jump. Columns in other units than the inputs are converted.
  std::shared_ptr<const Table> inputs;

  /// Names of parameters, starts of states and inputs that are held: beside
  /// each recorded signal x the run has signals `d(x)/d(k)`, how x moves with
  /// each of these, exact to the tolerance, also where events move with them;
  /// `d(time)/d(k)` says how the time of an event's right limit does. See
  /// SensitivityName, WhyNotDifferentiable.
  std::vector<std::string> sensitivities;

  /// Patterns of the names to be recorded (`*`: any text, `?`: any character);
  /// empty: all that the model does not protect.
  std::vector<std::string> record;

  /// Patterns of the names of recorded signals that rows have to tell all of:
  /// where these bend between two rows there are more, so that interpolation is
  /// off by about the tolerance: 1e-9 to 1e-6 of the range of a signal. Those
  /// whose derivatives are not recorded have signals `der(x)` for them, found
  /// by differences. Of the adaptive methods: the others have a row a step.
  std::vector<std::string> follow;
};

/// The options as they apply to one program: everything decided.
struct ResolvedOptions {
  double start = 0;
  double stop = 0;
  double tolerance = 0;
  double absolute_tolerance = 0;
  Method method = Method::kAuto;
  double step = 0;      ///< 0 where there is none.
  double interval = 0;  ///< 0: a row a step.
  double max_step = 0;

  friend bool operator==(const ResolvedOptions&,
                         const ResolvedOptions&) = default;
};

/// Takes what `options` leaves open from `experiment`, then from the defaults.
/// @throws Error kInvalidArgument naming the option that is out of range.
[[nodiscard]] ResolvedOptions Resolve(const SimulationOptions& options,
                                      const Program::Experiment& experiment);

/// @throws Error kInvalidArgument for a time of `times` that the run does not
///     come to.
void CheckOutputTimes(std::span<const double> times,
                      const ResolvedOptions& resolved);

/// As CheckOutputTimes, of both kinds of times in `options`.
void CheckTimes(const SimulationOptions& options,
                const ResolvedOptions& resolved);

/// @throws Error kInvalidArgument for a step, or a maximum step, by which the
///     run would not come to its stop time within the limit on steps, unless
///     the model may terminate it before.
void CheckSteps(const Program& program,
                const SimulationOptions& options,
                const ResolvedOptions& resolved);

}  // namespace orrery
