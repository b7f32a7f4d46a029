#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/time.h"

namespace orrery::process {

/// What of a run is kept. What is not costs nothing.
struct Records {
  bool profiles = false;  ///< Of resources.
  bool spans = false;     ///< The times of tasks.
  bool events = false;    ///< All effects, with what caused what.
};

/// How a model of tasks is to be run. Plain data.
struct Options {
  /// Of all streams of random numbers.
  std::uint64_t seed = 1;
  /// More batches at one time than these are taken for endless. At least 1.
  std::int64_t max_microsteps = 1'000'000;
  /// A run without an end (`Simulator::Run`) to which more times than these
  /// belong is taken for endless. At least 1.
  std::int64_t max_instants = 10'000'000;
  /// A step of a task that reads, acts and spawns more often than this is taken
  /// for one that never waits. At least 1.
  std::int64_t max_operations = 100'000'000;
  /// More tasks than these, spawned or called in one batch, are taken for
  /// endless: those that spawn themselves before they wait. At least 1.
  std::int64_t max_spawned = 10'000'000;
  /// Carries out the steps of a batch in an order drawn from this number. What
  /// the run comes to is the same, unless tasks share what is no cell: a test
  /// of models.
  std::optional<std::uint64_t> shuffle = {};
  Records records = {};
  /// The time at which it begins; may be less than zero.
  Duration start{};
  /// Whether the run can be saved: it then keeps what tasks read.
  bool snapshots = false;
};

/// Counts since the start of a run.
struct Statistics {
  std::int64_t instants = 0;     ///< Times at which something was done.
  std::int64_t microsteps = 0;   ///< Batches.
  std::int64_t steps = 0;        ///< Of tasks.
  std::int64_t spawned = 0;      ///< Tasks.
  std::int64_t evaluations = 0;  ///< Of conditions.
  std::int64_t samples = 0;      ///< Of resources.

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// What a cell has done: nothing until somebody reads it.
struct CellCounts {
  std::int64_t steps = 0;    ///< Calls of `Step`.
  std::int64_t applies = 0;  ///< Calls of `Apply`.
  std::int64_t copies = 0;   ///< Copies of the state, forced by concurrency.

  friend bool operator==(const CellCounts&, const CellCounts&) = default;
};

/// An activity of a plan that has not begun since what it comes after is at
/// work.
struct UnbegunActivity {
  std::string id;
  std::string after;  ///< The one that is at work.

  /// What there is to say of it when the run is at `end`.
  [[nodiscard]] std::string Text(Duration end) const;

  friend bool operator==(const UnbegunActivity&,
                         const UnbegunActivity&) = default;
};

/// A task that waits for something without a time.
struct WaitingTask {
  std::string task;    ///< With those that spawned it: "day > Drive".
  std::string awaits;  ///< In words.

  friend bool operator==(const WaitingTask&, const WaitingTask&) = default;
};

}  // namespace orrery::process
