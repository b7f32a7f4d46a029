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

/// The outcome of a run of an ensemble.
struct EnsembleRun {
  RunResult result;
  std::optional<Error> error;  ///< The options were refused: the run did not
                               ///< begin.
};

/// Runs of one program that differ in their settings.
struct Ensemble {
  std::size_t count = 0;
  /// Changes the values of settings in `options` into those of run `i`. Called
  /// once for each run, in order.
  std::function<void(std::size_t i, SimulationOptions& options)> prepare;
  /// Takes the outcome of each run, in any order.
  std::function<void(std::size_t i, EnsembleRun run)> take;
};

/// Carries out all runs; each result is that of `Simulate` with its options,
/// bit for bit. If machine code takes the steps of an explicit method, several
/// runs advance side by side, in the lanes of vectors. Each has its own step
/// length and its own events. A lane whose run has ended takes up the next one.
///
/// @param options the same for all runs, but for the values of settings.
/// @param goes_on asked every now and then; false interrupts the runs at hand
///     and begins no others. May be empty.
/// @returns the number of lanes for such runs, though very few runs may have
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

/// The last values of the runs of an ensemble.
struct EnsembleEnds {
  struct Failure {
    std::size_t run = 0;
    std::string message;
  };

  std::shared_ptr<const SignalTable> table;  ///< The recorded signals.
  /// By signal of the table, then by run: the value recorded last; NaN if a run
  /// could not be begun.
  std::vector<std::vector<double>> values;
  std::vector<Failure> failures;  ///< Runs that were not completed, in order.
  std::int64_t steps = 0;         ///< Sum over all runs.

  /// The last values of a signal, by run.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] const std::vector<double>& operator[](
      std::string_view name) const {
    return values[table->Require(name)];
  }
};

/// Carries out the runs of an ensemble for their last values alone; these are
/// those of `Simulate`, bit for bit.
///
///     const EnsembleEnds ends = SimulateEnds(
///         program, {.stop = 10.0}, {{.name = "rho", .values = rhos}});
///     ends["x"][i]
///
/// Without events, and with an explicit method of fixed step length, the runs
/// are side by side from their parameters to their ends, and cost little more
/// than their steps.
///
/// @param options the same for all runs; rows between start and stop are not
///     recorded.
/// @param varied settings that differ from run to run; each has a value for
///     every run.
/// @throws Error kInvalidArgument, kUnsupported as `Simulate` does for the
///     common options, and if `varied` differ in the number of runs.
[[nodiscard]] EnsembleEnds SimulateEnds(
    const std::shared_ptr<const Program>& program,
    SimulationOptions options,
    const std::vector<VariedSetting>& varied);

}  // namespace orrery
