#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery {

/// How a run ended. The results up to the end are kept in any case.
enum class RunOutcome : std::uint8_t {
  kCompleted,
  kInterrupted,    ///< Somebody asked for it.
  kNotFinite,      ///< A formula has no finite value: sqrt(-1), 1/0.
  kLoopUnsolved,   ///< An algebraic loop has no solution that was found.
  kStepTooSmall,   ///< The tolerance needs steps below rounding.
  kNoConvergence,  ///< An implicit step did not converge.
  kStepLimit,      ///< `max_steps` were taken.
  kAssertion,      ///< An assert, a subscript or a loop of a function failed.
  kTerminated,     ///< The model said so: terminate(). A success.
  kTooManyEvents,  ///< Events follow each other without end.
  kBadClock,       ///< A sample() without a positive interval.
  kConflict,       ///< One state is reset to two values at once.
  kModelFailed     ///< A DEVS model or a task beside the equations has failed.
};

/// "completed", "interrupted", "not finite" and so on.
[[nodiscard]] std::string_view Describe(RunOutcome outcome) noexcept;

/// The outcome of a run. Plain data; the same for the same program and options.
struct Summary {
  RunOutcome outcome = RunOutcome::kCompleted;
  /// The error, its time and its place in one line; empty for a completed run.
  std::string message;
  /// The same, with places in the model's text.
  std::vector<Diagnostic> diagnostics;

  double start = 0;     ///< s
  double end_time = 0;  ///< Reached, s.
  double stop = 0;      ///< Asked for, s.

  std::string solver;  ///< The one at the end, by its command-line name; empty
                       ///< for a model without states.
  std::vector<MethodSwitch> switches;  ///< Made by "auto".
  std::int64_t events = 0;             ///< In the log.
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  std::int64_t rhs_evaluations = 0;
  std::int64_t jacobian_evaluations = 0;
  std::int64_t loop_iterations = 0;  ///< Newton's, over all algebraic loops.

  [[nodiscard]] bool completed() const noexcept {
    return outcome == RunOutcome::kCompleted ||
           outcome == RunOutcome::kTerminated;
  }
};

}  // namespace orrery
