#include "orrery/sim/run/run_values.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/run_end.h"

namespace orrery::sim::internal {
namespace {

// The sections that may have computed a value.
std::vector<std::size_t> AllSections(const Program& program, bool at_start) {
  std::vector<std::size_t> all;
  const auto add = [&](const Schedule& schedule) {
    const auto sections = SectionsOf(program, schedule);
    all.insert(all.end(), sections.begin(), sections.end());
  };
  if (at_start) {
    add(program.initialization);
  }
  add(program.derivatives);
  add(program.outputs);
  add(program.events.schedule);
  for (const Handler& handler : program.events.handlers) {
    if (handler.section) {
      all.push_back(*handler.section);
    }
  }
  return all;
}

}  // namespace

std::optional<Failure> WritePoint(RunState& run,
                                  double t,
                                  std::span<const double> x) {
  run.evaluator.set_t(t);
  run.evaluator.SetStates(x);
  run.inputs.Apply(t, run.evaluator.memory());
  return run.evaluator.ApplyDelays();
}

std::optional<Explanation> ComputeValues(RunState& run,
                                         double t,
                                         std::span<const double> x,
                                         ProgramEvaluator::LoopStart start) {
  run.is_settled = t == run.t;
  if (run.sensitivities != nullptr) {
    run.sensitivities->Put(x);
  }
  const ProgramEvaluator::Following following = run.Follow();
  if (const auto failure = WritePoint(run, t, x)) {
    return ExplainFailure(run.evaluator, *failure);
  }
  if (const auto failure = RunSchedules(run, start)) {
    return ExplainFailure(run.evaluator, *failure);
  }
  if (const auto scalar =
          run.rows.recorder.FindNotFinite(run.evaluator.memory())) {
    return ExplainNotFinite(run.evaluator,
                            AllSections(run.program, t <= run.options.start),
                            scalar);
  }
  return std::nullopt;
}

std::optional<Explanation> ComputeRowValues(RunState& run,
                                            double t,
                                            std::span<const double> x) {
  if (run.loops.at_begin.empty() || t <= run.loops.begin || t >= run.t) {
    return ComputeValues(run, t, x, ProgramEvaluator::LoopStart::kAccepted);
  }
  std::vector<double>& starts = run.evaluator.context().loop_starts;
  const std::vector<double> at_end = starts;
  const double part = (t - run.loops.begin) / (run.t - run.loops.begin);
  std::size_t k = 0;
  for (const ResidualBlock& block : run.program.blocks) {
    for (std::size_t i = 0; i < block.unknown_slots.size(); ++i, ++k) {
      if (!block.is_linear) {
        starts[k] = std::lerp(run.loops.at_begin[k], starts[k], part);
      }
    }
  }
  const auto why =
      ComputeValues(run, t, x, ProgramEvaluator::LoopStart::kAccepted);
  starts = at_end;
  return why ? ComputeValues(run, t, x, ProgramEvaluator::LoopStart::kAccepted)
             : why;
}

bool ComputeOrEnd(RunState& run,
                  double t,
                  std::span<const double> x,
                  ProgramEvaluator::LoopStart start) {
  const auto why = ComputeValues(run, t, x, start);
  return !why || EndRun(run, *why);
}

std::optional<Failure> RunSchedules(RunState& run,
                                    ProgramEvaluator::LoopStart start) {
  if (run.is_sliding()) {
    return run.sliding.motion->Show(start);
  }
  for (const Schedule* schedule :
       {&run.program.derivatives, &run.program.outputs}) {
    if (const auto failure = run.evaluator.Run(*schedule, start)) {
      return failure;
    }
  }
  return std::nullopt;
}

void ReadStates(RunState& run) {
  run.evaluator.GetStates(run.x);
  if (run.sensitivities != nullptr) {
    run.sensitivities->Get(run.x);
  }
}

}  // namespace orrery::sim::internal
