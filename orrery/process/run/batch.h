#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <unordered_map>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// The ways in which a step of a task ends.
enum class StepEnd : std::uint8_t {
  kNone,
  kDelayed,
  kWaiting,
  kJoining,
  kCalling,
  kEnded
};

/// A step of a batch.
struct Step {
  Node* task = nullptr;
  /// The step of this batch that spawned the task.
  std::uint32_t parent = kNoIndex;
  std::uint32_t base = kNoIndex;  ///< The last segment of others that it sees.
  StepEnd end = StepEnd::kNone;
  std::uint32_t joined = kNoIndex;  ///< If kJoining: the task it waits for.
  Duration delay{};                 ///< If kDelayed.
};

/// A request of a step to cancel or interrupt another task.
struct Operation {
  std::uint32_t step;
  std::uint32_t target;
  std::exception_ptr reason;  ///< To be thrown; null: cancel.
  bool is_of_call = false;    ///< Made by a caller that no longer waits.
};

/// An exception that the coroutine of a task did not catch.
struct Thrown {
  std::exception_ptr exception;
  bool is_left = false;  ///< The caller stopped waiting in the same batch.
};

/// The batch at work: the steps that are due at one time, and their requests.
struct Batch {
  /// True if the batch has only one step.
  [[nodiscard]] bool is_alone() const noexcept { return steps.size() == 1; }

  std::vector<Step> steps;
  /// The number of steps of due tasks, at the front of `steps`; spawned ones
  /// follow.
  std::size_t num_due = 0;
  /// Small batches since there was memory for a large one.
  std::size_t num_small_batches = 0;
  std::vector<Operation> operations;
  std::unordered_map<std::uint32_t, Thrown> thrown;  ///< By task.
};

}  // namespace orrery::process::internal
