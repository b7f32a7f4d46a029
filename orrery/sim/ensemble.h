#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "orrery/base/error.h"
#include "orrery/sim/simulation.h"

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

}  // namespace orrery
