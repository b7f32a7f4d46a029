#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/record/output_refinement.h"
#include "orrery/sim/record/record_layout.h"
#include "orrery/sim/types/options.h"
#include "orrery/sim/types/time_grid.h"
#include "orrery/solver/problem/options.h"

namespace orrery::sim::internal {

/// Limit on recorded numbers: 1.6 GB.
inline constexpr std::size_t kMaxRecorded = 200'000'000;

/// The common part of runs of a program whose options differ only in the values
/// of settings: names are found, all else is decided. Immutable.
struct RunPlan {
  /// @param the_program must outlive it.
  /// @param driven numbers of the inputs that are driven by others, which may
  ///     watch quantities too; none: runs are alone.
  /// @throws Error kInvalidArgument, kUnsupported as `Simulate` does, but for
  ///     the values of settings.
  RunPlan(const Program& the_program,
          const SimulationOptions& given,
          std::optional<std::span<const std::size_t>> driven = {});

  const Program& program;
  ResolvedOptions options;
  double end;  ///< The stop time, or infinity where runs may go on from there.
  CodeChoice code;
  std::shared_ptr<Attendant> attendant;  ///< Null: there is none.
  int max_consecutive_events;
  bool slides;     ///< Along switching surfaces.
  bool is_driven;  ///< Has driven inputs.
  std::vector<std::string> sensitivities;
  InputSignals inputs;           ///< At the start of a run.
  std::vector<NamedScalar> set;  ///< By setting.
  std::shared_ptr<const RecordLayout> recorded;
  bool rearms;             ///< Relations re-arm without events.
  bool has_kinks;          ///< Derivatives have them where relations change.
  bool follows_loops;      ///< Some that no derivative depends on.
  bool has_kinked_loops;   ///< Some of these have kinks, or functions.
  bool leaves_loops_open;  ///< Loops are solved together with the states.
  bool integrates_loops;   ///< Derivatives depend on nonlinear loops.
  TimeGrid grid;           ///< At the start of a run.
  TimeGrid step_ends;      ///< The same: obligatory ends of steps.
  OutputRefinement refinement;  ///< The same.
  std::size_t rows;             ///< Estimate, to make room.
  SolverOptions solver;         ///< For the states alone.
};

}  // namespace orrery::sim::internal
