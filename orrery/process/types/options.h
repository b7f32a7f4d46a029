#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/time.h"

namespace orrery::process {

/// Selects what a run records. Nothing that is off costs anything.
struct Records {
  bool profiles = false;  ///< Profiles of resources.
  bool spans = false;     ///< The spans (begin and end) of tasks.
  bool events = false;    ///< All effects, with their causal order.
};

/// Options of a run of a model of tasks. Plain data.
struct Options {
  /// The seed of all streams of random numbers.
  std::uint64_t seed = 1;
  /// The most batches at one time. A run that needs more is refused as endless.
  /// At least 1.
  std::int64_t max_microsteps = 1'000'000;
  /// The most times (instants) of a run without an end (`Simulator::Run`). A
  /// run that needs more is refused as endless. At least 1.
  std::int64_t max_instants = 10'000'000;
  /// The most reads, effects and spawned tasks of one step. A step with more is
  /// refused: its task never waits. At least 1.
  std::int64_t max_operations = 100'000'000;
  /// The most tasks that are spawned or called in one batch. A batch with more
  /// is refused as endless: its tasks spawn themselves before they wait. At
  /// least 1.
  std::int64_t max_spawned = 10'000'000;
  /// Runs the steps of a batch in a random order, drawn from this number. The
  /// result of the run is the same, unless tasks share data that is not in a
  /// cell: a test of models.
  std::optional<std::uint64_t> shuffle = {};
  Records records = {};
  /// The time at which the run begins; may be negative.
  Duration start{};
  /// True if the run can be saved. It then keeps all values that tasks read.
  bool snapshots = false;
};

/// Counts since the start of a run.
struct Statistics {
  std::int64_t instants = 0;     ///< The times at which something was due.
  std::int64_t microsteps = 0;   ///< Batches.
  std::int64_t steps = 0;        ///< Steps of tasks.
  std::int64_t spawned = 0;      ///< Tasks that were spawned.
  std::int64_t evaluations = 0;  ///< Evaluations of conditions.
  std::int64_t samples = 0;      ///< Samples of resources.

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// Counts of the work of a cell. A cell that nobody reads does none.
struct CellCounts {
  std::int64_t steps = 0;    ///< Calls of `Step`.
  std::int64_t applies = 0;  ///< Calls of `Apply`.
  std::int64_t copies = 0;   ///< Copies of the state, forced by concurrency.

  friend bool operator==(const CellCounts&, const CellCounts&) = default;
};

/// An activity of a plan that has not begun because the activity before it is
/// not over.
struct UnbegunActivity {
  std::string id;
  std::string after;  ///< The id of the activity before it.

  /// A sentence for users about it, when the run has come to `end`.
  [[nodiscard]] std::string Text(Duration end) const;

  friend bool operator==(const UnbegunActivity&,
                         const UnbegunActivity&) = default;
};

/// A task that waits for something other than a time.
struct WaitingTask {
  std::string task;  ///< Its name after those of its ancestors: "day > Drive".
  std::string awaits;  ///< A text for users, such as "level > 3".

  friend bool operator==(const WaitingTask&, const WaitingTask&) = default;
};

}  // namespace orrery::process
