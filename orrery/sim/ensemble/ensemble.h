#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/types/options.h"
#include "orrery/sim/types/run_result.h"

namespace orrery {

/// A run of an ensemble.
struct EnsembleRun {
  RunResult result;
  std::optional<Error> error;  ///< Of its options: it was not begun then.
};

/// Runs of one program that differ in their settings.
struct Ensemble {
  std::size_t count = 0;
  /// Changes the values of settings in `options` into those of run `i`. Called
  /// once for each run, in order.
  std::function<void(std::size_t i, SimulationOptions& options)> prepare;
  /// Gets what each run comes to, in any order.
  std::function<void(std::size_t i, EnsembleRun run)> take;
};

/// Carries out all runs; each is what `Simulate` makes of its options, bit for
/// bit. Where machine code takes the steps of an explicit method, those of
/// several runs are taken side by side, in the lanes of vectors: each has its
/// own step length and its own events, and a lane whose run has ended takes up
/// the next one.
///
/// @param options the same for all runs, but for the values of settings.
/// @param goes_on asked every now and then; false ends the runs at hand, as
///     interrupted ones, and begins no others. May be empty.
/// @returns how many lanes there are for such runs, though very few may have
///     been carried out one by one; 1: there are none, or they do not pay yet.
std::size_t Simulate(const std::shared_ptr<const Program>& program,
                     SimulationOptions options,
                     const Ensemble& ensemble,
                     const std::function<bool()>& goes_on = {});

/// A setting whose values differ from run to run.
struct VariedSetting {
  std::string name;
  std::vector<double> values;  ///< By run.
};

/// How the runs of an ensemble end.
struct EnsembleEnds {
  struct Failure {
    std::size_t run = 0;
    std::string message;
  };

  std::shared_ptr<const SignalTable> table;  ///< What is recorded.
  /// By signal of the table, then by run: what was recorded last; NaN where a
  /// run could not be begun.
  std::vector<std::vector<double>> values;
  std::vector<Failure> failures;  ///< Runs that were not completed, in order.
  std::int64_t steps = 0;         ///< Of all runs.

  /// Of a signal, by run.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] const std::vector<double>& operator[](
      std::string_view name) const {
    return values[table->Require(name)];
  }
};

/// Carries out the runs of an ensemble of which nothing but the ends is of
/// interest; each ends as that of `Simulate` does, bit for bit.
///
///     const EnsembleEnds ends = SimulateEnds(
///         program, {.stop = 10.0}, {{.name = "rho", .values = rhos}});
///     ends["x"][i]
///
/// Where there are no events and an explicit method takes steps of a fixed
/// length, the runs are side by side from their parameters to their ends, and
/// cost little more than their steps.
///
/// @param options the same for all runs; rows between start and stop are not
///     recorded.
/// @param varied are set besides, all for as many runs.
/// @throws Error kInvalidArgument, kUnsupported as `Simulate` does for what all
///     runs have in common, and if `varied` are not for as many runs.
[[nodiscard]] EnsembleEnds SimulateEnds(
    const std::shared_ptr<const Program>& program,
    SimulationOptions options,
    const std::vector<VariedSetting>& varied);

}  // namespace orrery
