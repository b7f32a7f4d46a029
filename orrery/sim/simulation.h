#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/options.h"
#include "orrery/sim/summary.h"

namespace orrery {

/// Where a run is.
struct Progress {
  double start = 0;
  double t = 0;
  double stop = 0;
  std::int64_t steps = 0;
};

/// Called after every step; false ends the run there.
using Observer = std::function<bool(const Progress&)>;

/// What a run leaves.
struct RunResult {
  Trajectory trajectory;  ///< Up to where the run ended.
  Summary summary;

  /// A recorded signal.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] Signal operator[](std::string_view name) const {
    return trajectory[name];
  }

  /// The trajectory, for who does not look at the summary.
  /// @throws Error kInvalidModel with the summary's diagnostics unless the run
  ///     was completed.
  // NOLINTNEXTLINE(google-explicit-constructor): `Trajectory r = Simulate(...)`
  operator Trajectory() const;
};

/// The signals that a run with these options records, to check names before it.
/// @throws Error kInvalidArgument for a pattern of `record` that fits no name.
[[nodiscard]] std::shared_ptr<const SignalTable> RecordedSignals(
    const Program& program, const SimulationOptions& options = {});

/// Checks the settings of a run before it.
/// @returns warnings: what would not do what its author may expect of it.
/// @throws Error kInvalidArgument for an unknown name or one that cannot be
///     set.
[[nodiscard]] std::vector<Diagnostic> CheckSettings(
    const Program& program, std::span<const Setting> settings);

/// Runs `program` from its initial values to the stop time.
///
/// Between two times at which the equations are known to change (time
/// relations, jumps of inputs) they are smooth and integrated as one piece; at
/// such a time both limits are recorded, as two rows. The nodes of the table
/// of inputs limit the steps, so that no step passes over a kink. The stop time
/// is hit exactly.
///
/// A run is determined by its program and options, bit for bit. Any number of
/// runs may share a program, from any threads.
///
/// @throws Error kInvalidArgument for an option out of range, an unknown name
///     or one that cannot be set. How a run ends is never thrown: see Summary.
[[nodiscard]] RunResult Simulate(const std::shared_ptr<const Program>& program,
                                 const SimulationOptions& options = {},
                                 const Observer& observer = {});

}  // namespace orrery
