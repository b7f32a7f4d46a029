#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/internal/bends.h"
#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/record_layout.h"
#include "orrery/sim/internal/time_grid.h"
#include "orrery/sim/options.h"
#include "orrery/solver/options.h"

namespace orrery::internal {

/// As many numbers are recorded at most: 1.6 GB.
inline constexpr std::size_t kMaxRecorded = 200'000'000;

/// What runs of a program have in common whose options differ at most in the
/// values of settings: names are found, the rest is decided. Immutable.
struct RunPlan {
  /// @param the_program must outlive it.
  /// @param driven numbers of the inputs that are driven by others, which may
  ///     watch its quantities too; none: runs are alone.
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
  bool slides;     ///< If a run has to.
  bool is_driven;  ///< Inputs are, by others.
  std::vector<std::string> sensitivities;
  InputSignals inputs;           ///< As a run begins.
  std::vector<NamedScalar> set;  ///< By setting.
  std::shared_ptr<const RecordLayout> recorded;
  bool rearms;             ///< Nobody looks when relations re-arm.
  bool has_kinks;          ///< Of derivatives, where relations change.
  bool follows_loops;      ///< There are some that no derivative depends on.
  bool has_kinked_loops;   ///< Some of these have kinks, or functions.
  bool leaves_loops_open;  ///< They are solved with the states.
  bool integrates_loops;   ///< Derivatives depend on nonlinear ones.
  TimeGrid grid;           ///< As a run begins.
  TimeGrid step_ends;      ///< Likewise: where steps have to end.
  Bends bends;             ///< Likewise.
  std::size_t rows;        ///< To make room for.
  SolverOptions solver;    ///< Of the states alone.
};

}  // namespace orrery::internal
