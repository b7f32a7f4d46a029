#include "orrery/sim/run/run_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orrery/sim/machine/program_dae.h"

namespace orrery::sim::internal {
namespace {

// True if anything but time changes between events.
bool Moves(const Program& program) {
  return !program.derivatives.empty() || !program.outputs.empty() ||
         !program.state_slots.empty() || !program.input_slots.empty() ||
         !program.delays.empty() || !program.events.relations.empty();
}

// Options with tolerances for the states and their sensitivities.
SolverOptions ForSolver(const RunPlan& plan, std::span<const double> scales) {
  SolverOptions solver = plan.solver;
  std::vector<double>& tolerances = solver.absolute_tolerances;
  const std::size_t num_states = plan.program.state_slots.size();
  tolerances = AbsoluteTolerances(solver, num_states);
  for (const double scale : scales) {
    for (std::size_t i = 0; i < num_states; ++i) {
      tolerances.push_back(tolerances[i] / scale);
    }
  }
  return solver;
}

}  // namespace

RunState::RunState(const RunPlan& run_plan, std::span<const Setting> given)
    : plan(run_plan),
      program(plan.program),
      options(plan.options),
      evaluator(program, plan.code, plan.attendant),
      inputs(plan.inputs),
      settings(program, given, plan.set, inputs),
      rows{.recorder = Recorder(program, plan.recorded),
           .grid = plan.grid,
           .refinement = plan.refinement,
           .refined = {},
           .x = {}},
      step_ends(plan.step_ends),
      events(evaluator, inputs, plan.max_consecutive_events, plan.end),
      pace(plan.max_consecutive_events, options.stop - options.start),
      ode(evaluator, inputs),
      x(program.state_slots.size()),
      moves(Moves(program)) {
  if (plan.is_driven) {
    ode.ExpectEvents();
  }
  if (!plan.sensitivities.empty()) {
    sensitivities = std::make_unique<Sensitivities>(
        evaluator, ode, inputs, events, plan.sensitivities, given);
    rows.recorder.Follow(sensitivities->tangents());
    x.resize(static_cast<std::size_t>(sensitivities->dimension()));
  }
  if (!x.empty()) {
    integrator = sensitivities != nullptr
                     ? MakeIntegrator(options.method,
                                      *sensitivities,
                                      ForSolver(plan, sensitivities->scales()))
                 : plan.leaves_loops_open
                     ? MakeImplicitIntegrator(evaluator,
                                              inputs,
                                              ode,
                                              plan.solver,
                                              options.absolute_tolerance)
                     : MakeIntegrator(options.method, ode, plan.solver);
    if (program.native != nullptr) {
      // Enough steps of several stages for some hundredths of a second, so that
      // observers are asked as often.
      constexpr double kInstructions = 1e6;
      const double cost = program.native->CostOfSlopes(program);
      integrator->LimitAtOnce(static_cast<std::int64_t>(
          std::max(1.0, kInstructions / std::max(cost, 1.0))));
    }
  }
}

const DenseOutput& RunState::dense() const {
  return integrator == nullptr ? no_states : active_integrator()->dense();
}

void RunState::StatesAt(double time, std::span<double> at) const {
  if (integrator == nullptr) {
    return;
  }
  if (time == active_integrator()->t()) {
    std::ranges::copy(active_integrator()->x(), at.begin());
  } else {
    active_integrator()->dense().Evaluate(time, at);
  }
}

}  // namespace orrery::sim::internal
