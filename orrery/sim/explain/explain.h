#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/types/summary.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::sim::internal {

/// Why a run ended, for people: names, values, equations and their places.
struct Explanation {
  RunOutcome outcome = RunOutcome::kCompleted;
  std::string message;
  std::vector<Diagnostic> diagnostics;
  /// The operand of a function with a limited domain, as sqrt(x), that was
  /// evaluated outside of it; empty if the cause is another one.
  std::string outside;
};

/// The first operation of `sections` whose result is not finite.
[[nodiscard]] std::optional<Tape::Fault> FindFirstFault(
    const ProgramEvaluator& evaluator, std::span<const std::size_t> sections);

/// Explains the failure of a schedule, from the memory that it left.
[[nodiscard]] Explanation ExplainFailure(const ProgramEvaluator& evaluator,
                                         const Failure& failure);

/// Explains the first operation of `sections` whose result is not finite; such
/// values spread. None: all are finite.
[[nodiscard]] std::optional<Explanation> ExplainFirstFault(
    const ProgramEvaluator& evaluator, std::span<const std::size_t> sections);

/// Explains a value that is not finite by the first operation of `sections`
/// whose result is not finite; by `scalar` itself if there is none.
[[nodiscard]] Explanation ExplainNotFinite(
    const ProgramEvaluator& evaluator,
    std::span<const std::size_t> sections,
    const std::optional<NamedScalar>& scalar);

/// Explains a step that failed at `t`: names the state to blame and its
/// equation.
[[nodiscard]] Explanation ExplainStep(const Program& program,
                                      const StepResult& result,
                                      double t,
                                      double last_step);

/// Explains a step that failed at `t` because the derivative of `state`, though
/// finite, changes without bound with a state or with time.
[[nodiscard]] Explanation ExplainSteep(const Program& program,
                                       std::size_t state,
                                       double t,
                                       std::string_view method);

/// Adds to `why` that the solution ends there: an operand moves on at `speed`
/// where the domain of its function ends.
void ExplainEndOfSolution(double speed, Explanation& why);

/// Converts to an error to be thrown, with the place if known.
[[nodiscard]] Error AsError(const Explanation& why);

/// The sections that `schedule` runs, in order, those of loops included.
[[nodiscard]] std::vector<std::size_t> SectionsOf(
    const Program& program, std::span<const ScheduleStep> schedule);

}  // namespace orrery::sim::internal
