#include "orrery/sim/types/options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// More rows are surely due to a mistyped interval.
constexpr double kMaxRows = 1e9;

constexpr double kDefaultRows = 500;
constexpr double kLeastSteps = 50;
constexpr double kDefaultAbsoluteTolerance = 1e-9;
constexpr double kLeastTolerance = 1e-15;
constexpr double kLeastAbsoluteTolerance = 1e-100;  // Squares do not overflow.
constexpr double kMostAbsoluteTolerance = 1e100;    // Nor do they vanish.
constexpr double kMostCounted = 0x1p53;  // More are not told apart by time.

double Choose(const std::optional<Seconds>& option,
              double experiment,
              double otherwise) {
  if (option) {
    return option->value;
  }
  return std::isnan(experiment) ? otherwise : experiment;
}

[[noreturn]] void Refuse(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot simulate: " + why);
}

void CheckPositive(std::string_view name, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    Refuse(
        fmt::format("the {} is {}; it must be a positive number", name, value));
  }
}

void CheckSpan(const ResolvedOptions& resolved) {
  if (!std::isfinite(resolved.start) || !std::isfinite(resolved.stop)) {
    Refuse(fmt::format("the run is from {} to {} s; both must be finite",
                       resolved.start,
                       resolved.stop));
  }
  if (resolved.stop < resolved.start) {
    Refuse(fmt::format("the stop time, {} s, is before the start time, {} s",
                       resolved.stop,
                       resolved.start));
  }
  if (!(resolved.interval >= 0) || !std::isfinite(resolved.interval)) {
    Refuse(
        fmt::format("the interval is {}; it must be a positive number, or 0 "
                    "for a row a step",
                    resolved.interval));
  }
  if (resolved.interval > 0) {
    const double rows = (resolved.stop - resolved.start) / resolved.interval;
    if (rows > kMaxRows) {
      Refuse(
          fmt::format("an interval of {} s makes {:.3g} rows; the limit is "
                      "{:.0e}",
                      resolved.interval,
                      rows,
                      kMaxRows));
    }
  }
}

void CheckReached(std::span<const double> times,
                  std::string_view wanted,
                  std::string_view kind,
                  const ResolvedOptions& resolved) {
  for (const double time : times) {
    if (!(time >= resolved.start && time <= resolved.stop)) {
      Refuse(
          fmt::format("{} at {} s, and the run is from {} to {} s; leave that "
                      "{} time out, or run further",
                      wanted,
                      time,
                      resolved.start,
                      resolved.stop,
                      kind));
    }
  }
}

// Checks the number of steps that are needed at least.
void CheckNumberOfSteps(const ResolvedOptions& resolved, double most) {
  const bool is_fixed = HasFixedStep(resolved.method);
  const double step = is_fixed ? resolved.step : resolved.max_step;
  const double steps = (resolved.stop - resolved.start) / step;
  if (steps > most + 1) {  // Beyond all rounding.
    Refuse(
        fmt::format("a {}step of {} s makes {:.3g} steps; the limit is {:.3g}; "
                    "take a longer one, or stop earlier",
                    is_fixed ? "" : "maximum ",
                    step,
                    steps,
                    most));
  }
}

void CheckStep(const ResolvedOptions& resolved, bool step_given) {
  const std::string_view method = NameOf(resolved.method).name;
  if (HasFixedStep(resolved.method)) {
    if (!step_given) {
      Refuse(
          fmt::format("the method {} has a fixed step and none is given; "
                      "give the step (--step)",
                      method));
    }
    CheckPositive("step", resolved.step);
  } else if (step_given) {
    Refuse(
        fmt::format("the method {} chooses its steps itself; leave out the "
                    "step or take a fixed-step method such as rk4",
                    method));
  }
  if (!(resolved.max_step > 0)) {
    Refuse(fmt::format("the maximum step is {}; it must be positive",
                       resolved.max_step));
  }
  CheckNumberOfSteps(resolved, kMostCounted);
}

void CheckTolerances(const ResolvedOptions& resolved) {
  if (!(resolved.tolerance > 0) || !(resolved.tolerance < 1)) {
    Refuse(
        fmt::format("the relative tolerance is {}; it must be between 0 "
                    "and 1",
                    resolved.tolerance));
  }
  if (resolved.tolerance < kLeastTolerance) {
    Refuse(
        fmt::format("the relative tolerance is {}; numbers have no more than "
                    "16 digits, so that {} is the least that can be met",
                    resolved.tolerance,
                    kLeastTolerance));
  }
  CheckPositive("absolute tolerance", resolved.absolute_tolerance);
  if (resolved.absolute_tolerance < kLeastAbsoluteTolerance) {
    Refuse(
        fmt::format("the absolute tolerance is {}; the least that errors can "
                    "be measured by is {}",
                    resolved.absolute_tolerance,
                    kLeastAbsoluteTolerance));
  }
  if (resolved.absolute_tolerance > kMostAbsoluteTolerance) {
    Refuse(
        fmt::format("the absolute tolerance is {}; the most that errors can "
                    "be measured by is {}",
                    resolved.absolute_tolerance,
                    kMostAbsoluteTolerance));
  }
}

}  // namespace

ResolvedOptions Resolve(const SimulationOptions& options,
                        const Program::Experiment& experiment) {
  ResolvedOptions resolved;
  resolved.start = Choose(options.start, experiment.start, 0);
  resolved.stop = Choose(options.stop, experiment.stop, resolved.start + 1);
  const double length = resolved.stop - resolved.start;
  resolved.method = options.method;
  resolved.step = options.step ? options.step->value : 0;
  const bool row_a_step = HasFixedStep(options.method);
  resolved.interval = Choose(options.interval,
                             row_a_step ? std::nan("") : experiment.interval,
                             row_a_step ? 0 : length / kDefaultRows);
  resolved.tolerance = options.tolerance.value_or(
      std::isnan(experiment.tolerance) ? 1e-6 : experiment.tolerance);
  resolved.absolute_tolerance = options.absolute_tolerance.value_or(
      std::min(kDefaultAbsoluteTolerance, resolved.tolerance));
  resolved.max_step = options.max_step ? options.max_step->value
                      : length > 0     ? length / kLeastSteps
                                   : std::numeric_limits<double>::infinity();
  CheckSpan(resolved);
  CheckStep(resolved, options.step.has_value());
  CheckTolerances(resolved);
  if (options.max_steps < 1) {
    Refuse(
        fmt::format("the limit on the number of steps is {}; it must be "
                    "positive",
                    options.max_steps));
  }
  if (options.max_consecutive_events < 1) {
    Refuse(
        fmt::format("the limit on consecutive events is {}; it must be "
                    "positive",
                    options.max_consecutive_events));
  }
  return resolved;
}

void CheckOutputTimes(std::span<const double> times,
                      const ResolvedOptions& resolved) {
  CheckReached(times, "a row is wanted", "output", resolved);
}

void CheckTimes(const SimulationOptions& options,
                const ResolvedOptions& resolved) {
  CheckOutputTimes(options.output_times, resolved);
  CheckReached(options.step_times, "a step is to end", "step", resolved);
}

void CheckSteps(const Program& program,
                const SimulationOptions& options,
                const ResolvedOptions& resolved) {
  const bool may_terminate =
      std::ranges::any_of(program.events.checks, [](const Check& check) {
        return check.kind == Check::Kind::kTermination;
      });
  if (!may_terminate && (options.step || options.max_step)) {
    CheckNumberOfSteps(resolved, static_cast<double>(options.max_steps));
  }
}

}  // namespace orrery
