#include "orrery/sim/run/run_plan.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/machine/program_dae.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery::sim::internal {
namespace {

// Limit on rows that are reserved in advance.
constexpr std::size_t kMaxReserved = 100'000;

// Factor on the greatest step if no change is short.
constexpr double kLonger = 5;

InputSignals InputsOf(const Program& program,
                      const std::shared_ptr<const Table>& table,
                      std::optional<std::span<const std::size_t>> driven) {
  InputSignals inputs(program, table);
  if (driven) {
    for (const std::size_t number : *driven) {
      inputs.AddDriven(program, number);
    }
  }
  return inputs;
}

// One tolerance for all states if they are equal.
std::vector<double> TolerancesOf(const std::vector<double>& nominal,
                                 double part) {
  const bool are_alike = std::ranges::adjacent_find(
                             nominal, std::not_equal_to<>()) == nominal.end();
  std::vector<double> tolerances(
      nominal.begin(),
      are_alike && !nominal.empty() ? nominal.begin() + 1 : nominal.end());
  for (double& tolerance : tolerances) {
    tolerance = part * tolerance;
  }
  return tolerances;
}

SolverOptions ForSolver(const Program& program,
                        const ResolvedOptions& options,
                        const SimulationOptions& given) {
  SolverOptions solver;
  solver.relative_tolerance = options.tolerance;
  solver.absolute_tolerances =
      TolerancesOf(program.nominal, options.absolute_tolerance);
  solver.max_steps = given.max_steps;
  if (HasFixedStep(options.method)) {
    solver.step = options.step;
  } else {
    const bool may_be_longer =
        !given.max_step && program.degree_of_motion.has_value();
    solver.max_step = (may_be_longer ? kLonger : 1) * options.max_step;
  }
  return solver;
}

// With delays or sensitivities, each change of a relation has to be an event.
bool Rearms(const Program& program,
            const SimulationOptions& options,
            const RecordLayout& recorded) {
  const std::vector<std::uint32_t>& rearmed = program.events.rearmed_slots;
  return !rearmed.empty() && options.sensitivities.empty() &&
         program.delays.empty() &&
         std::ranges::none_of(recorded.column_slots, [&](std::uint32_t slot) {
           return std::ranges::binary_search(rearmed, slot);
         });
}

bool HasLoops(const Schedule& schedule) {
  return std::ranges::any_of(schedule, [](const ScheduleStep& step) {
    return step.kind == ScheduleStep::Kind::kBlock;
  });
}

bool HasNonlinearLoops(const Program& program, const Schedule& schedule) {
  return std::ranges::any_of(schedule, [&](const ScheduleStep& step) {
    return step.kind == ScheduleStep::Kind::kBlock &&
           !program.blocks[step.index].is_linear;
  });
}

bool MayHaveKinks(const Tape::Instruction& instruction) {
  using enum TapeOp;
  constexpr std::array kOps = {
      kAbs, kSign, kMin, kMax, kSelect, kJumpUnless, kCall, kOpaque};
  return std::ranges::find(kOps, instruction.op) != kOps.end();
}

bool HasKinkedLoops(const Program& program) {
  return std::ranges::any_of(
      program.derivatives, [&](const ScheduleStep& step) {
        return step.kind == ScheduleStep::Kind::kBlock &&
               std::ranges::any_of(
                   program.tape->CodeOf(
                       program.blocks[step.index].residual_section),
                   MayHaveKinks);
      });
}

std::vector<double> TimesOfRows(const SimulationOptions& options) {
  std::vector<double> times = options.output_times;
  times.insert(
      times.end(), options.step_times.begin(), options.step_times.end());
  return times;
}

void CheckSize(std::size_t rows, std::size_t numbers, double interval) {
  if (static_cast<double>(rows) * static_cast<double>(numbers) >
      static_cast<double>(kMaxRecorded)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot simulate: {} rows of {} numbers do not "
                            "fit in memory; choose a longer interval than "
                            "{} s or record less",
                            rows,
                            numbers,
                            interval));
  }
}

// A loop that no derivative depends on makes no step shorter. In a long one its
// solution could end and the same branch hold again: steps are never longer
// than by default.
ResolvedOptions OptionsFor(const Program& program,
                           const SimulationOptions& given) {
  ResolvedOptions options = Resolve(given, program.experiment);
  if (given.max_step && HasNonlinearLoops(program, program.outputs)) {
    const SimulationOptions usual{.start = given.start, .stop = given.stop};
    options.max_step =
        std::min(options.max_step, Resolve(usual, program.experiment).max_step);
  }
  return options;
}

void CheckSensitivities(const Program& program,
                        const SimulationOptions& options) {
  if (options.sensitivities.empty()) {
    return;
  }
  if (const std::string why = WhyNotDifferentiable(program, options);
      !why.empty()) {
    throw Error(ErrorCode::kUnsupported, "cannot find sensitivities: " + why);
  }
}

}  // namespace

RunPlan::RunPlan(const Program& the_program,
                 const SimulationOptions& given,
                 std::optional<std::span<const std::size_t>> driven)
    : program(the_program),
      options(OptionsFor(program, given)),
      end(options.stop),
      code(given.code),
      attendant(given.attendant),
      max_consecutive_events(given.max_consecutive_events),
      slides(given.sliding && program.foreign.empty()),
      is_driven(driven && !driven->empty()),
      sensitivities(given.sensitivities),
      inputs(InputsOf(program, given.inputs, driven)),
      set(FindScalars(program, given.settings)),
      recorded(std::make_shared<const RecordLayout>(
          MakeRecordLayout(program, given))),
      rearms(Rearms(program, given, *recorded)),
      has_kinks(std::ranges::any_of(program.events.relations,
                                    [](const WatchedRelation& relation) {
                                      return relation.is_kink && relation.acts;
                                    })),
      follows_loops(HasLoops(program.outputs)),
      has_kinked_loops(HasKinkedLoops(program)),
      leaves_loops_open(options.method == Method::kIda &&
                        HasImplicitForm(program)),
      integrates_loops(HasNonlinearLoops(program, program.derivatives)),
      grid(options.start, options.interval, TimesOfRows(given)),
      step_ends(options.start, 0, given.step_times),
      refinement(*recorded->table, Followed(given), options.tolerance),
      rows(grid.EstimateRows(options.stop)),
      solver(ForSolver(program, options, given)) {
  CheckSensitivities(program, given);
  CheckSize(rows, recorded->table->columns() + 1, options.interval);
  rows = std::min(rows, kMaxReserved);
}

}  // namespace orrery::sim::internal
