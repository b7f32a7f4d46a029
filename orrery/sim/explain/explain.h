#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/sim/types/summary.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::internal {

/// Why a run ended, for people: names, values, equations and their places.
struct Explanation {
  RunOutcome outcome = RunOutcome::kCompleted;
  std::string message;
  std::vector<Diagnostic> diagnostics;
  /// The operand of a function that is not defined everywhere, as sqrt(x), and
  /// was evaluated outside of that; empty: it is something else.
  std::string outside;
};

/// The first operation of `sections` whose result is not finite.
[[nodiscard]] std::optional<Tape::Fault> FindFirstFault(
    const Machine& machine, std::span<const std::size_t> sections);

/// Of a schedule that could not be run to its end, from the memory as the
/// failure left it.
[[nodiscard]] Explanation ExplainFailure(const Machine& machine,
                                         const Failure& failure);

/// Of the first operation of `sections` whose result is not finite: what is not
/// spreads. None: all are finite.
[[nodiscard]] std::optional<Explanation> ExplainFirstFault(
    const Machine& machine, std::span<const std::size_t> sections);

/// Of a value that is not finite: the first operation of `sections` whose
/// result was not finite; of `scalar` itself where there is none.
[[nodiscard]] Explanation ExplainNotFinite(
    const Machine& machine,
    std::span<const std::size_t> sections,
    const std::optional<NamedScalar>& scalar);

/// Of a step that failed at `t`, naming the state to blame and its equation.
[[nodiscard]] Explanation ExplainStep(const Program& program,
                                      const StepResult& result,
                                      double t,
                                      double last_step);

/// Of a step that failed at `t`, where the derivative of `state` is finite but
/// changes without bound, with a state or with time.
[[nodiscard]] Explanation ExplainSteep(const Program& program,
                                       std::size_t state,
                                       double t,
                                       std::string_view method);

/// Adds that the solution ends where `why` has it, since what is outside moves
/// on at `speed` where its function ends.
void ExplainEndOfSolution(double speed, Explanation& why);

/// To be thrown: what is wrong with its place, if that is known.
[[nodiscard]] Error AsError(const Explanation& why);

/// The sections that `schedule` runs, in order, those of loops included.
[[nodiscard]] std::vector<std::size_t> SectionsOf(
    const Program& program, std::span<const ScheduleStep> schedule);

}  // namespace orrery::internal
