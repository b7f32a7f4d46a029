#include "orrery/sim/run/run_start.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/explain/start_checks.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_events.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_ticks.h"
#include "orrery/sim/run/run_values.h"

namespace orrery::sim::internal {
namespace {

// Rows reserved for events: some leave two each.
constexpr std::size_t kRowsOfEvents = 32;

void WarnOfMissingInputs(RunState& run) {
  for (std::size_t i = 0; i < run.program.input_slots.size(); ++i) {
    const std::uint32_t slot = run.program.input_slots[i];
    if (run.program.input_has_default[i] == 0 && !run.inputs.Gives(slot) &&
        !run.inputs.IsDriven(slot) && !run.settings.Gives(slot)) {
      run.summary.diagnostics.push_back(
          MakeDiagnostic(Severity::kWarning,
                         {},
                         fmt::format("input '{}' is not given; {} is used",
                                     run.program.input_names[i],
                                     run.evaluator.memory()[slot]),
                         "set it, or give a table of inputs"));
    }
  }
}

// Finds parameters and start values.
bool PrepareValues(RunState& run) {
  run.summary.diagnostics.insert(run.summary.diagnostics.end(),
                                 run.settings.warnings().begin(),
                                 run.settings.warnings().end());
  auto section = run.settings.ApplyParameters(run.evaluator);
  if (!section) {
    section = run.settings.ApplyStarts(run.evaluator);
  }
  if (section) {
    return EndRun(run,
                  ExplainNotFinite(run.evaluator, std::span(&*section, 1), {}));
  }
  const auto refusal = CheckStart(run.evaluator, run.settings);
  return !refusal || EndRun(run, *refusal);
}

// Adds to the reason of a start that was not found how far homotopy() led.
void TellHomotopy(RunState& run) {
  const std::optional<double>& end = run.events.homotopy_end();
  if (!end || run.summary.completed() ||
      run.summary.outcome == RunOutcome::kInterrupted) {
    return;
  }
  const std::string what =
      *end == 0 ? "with the simplified formulas of homotopy() no start was "
                  "found either"
                : fmt::format(
                      "from the simplified formulas of homotopy(), "
                      "solutions lead up to {:.3g} % of the way to the "
                      "actual ones",
                      100 * *end);
  run.summary.message += "; " + what;
  run.summary.diagnostics.push_back(MakeDiagnostic(Severity::kNote, {}, what));
}

// Leaves the initial values in memory.
bool Initialize(RunState& run) {
  const ProgramEvaluator::Following following = run.Follow();
  if (!PrepareValues(run)) {
    return false;
  }
  run.evaluator.ForgetMatrices();
  run.evaluator.NoteHeldChange();
  run.inputs.GoTo(run.t);
  run.inputs.Apply(run.t, run.evaluator.memory());
  return FinishEvent(run, run.events.Initialize(run.t)) &&
         StartOnConstraints(run);
}

}  // namespace

void ResetRun(RunState& run) {
  run.rows.recorder.Reserve(run.events.is_empty()
                                ? run.plan.rows
                                : std::max(run.plan.rows, kRowsOfEvents));
  run.summary = {};
  run.summary.start = run.options.start;
  run.summary.stop = run.options.stop;
  run.t = run.options.start;
  run.needs_restart = true;
  run.barrier = kNever;
  run.quiet_until = -kNever;
  run.is_settled = false;
  run.rows.last = -std::numeric_limits<double>::infinity();
}

void StartRun(RunState& run) {
  WarnOfMissingInputs(run);
  run.evaluator.set_t(run.t);
  if (!Initialize(run)) {
    TellHomotopy(run);
    return;
  }
  if (auto failure = run.evaluator.delays().Start(
          run.t,
          run.options.stop - run.options.start,
          {run.options.tolerance, run.options.absolute_tolerance})) {
    EndRun(run, ExplainFailure(run.evaluator, *failure));
    return;
  }
  ReadStates(run);
  if (!RecordHere(run, ProgramEvaluator::LoopStart::kMemory)) {
    TellHomotopy(run);
    return;
  }
  if (!run.events.is_empty()) {
    HandleEvent(run);
  }
  run.rows.grid.SkipTo(run.t);
  PrepareTicks(run);
}

}  // namespace orrery::sim::internal
