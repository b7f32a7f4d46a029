#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "orrery/base/numbers/random.h"

namespace orrery::process::internal {

class Run;
class Wait;

/// No task, step or segment.
inline constexpr std::uint32_t kNoIndex =
    std::numeric_limits<std::uint32_t>::max();

/// Combines two numbers into one that differs from those of similar pairs: a
/// step of SplitMix64. Steele, Lea & Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014.
constexpr std::uint64_t MixKeys(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t z = a + (b + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// Hashes names of tasks, and remembers the last one, since a name often
/// repeats. Names are constants: the same address is the same name.
class NameHash {
 public:
  [[nodiscard]] std::uint64_t Of(const char* name) {
    if (name != name_) {
      name_ = name;
      hash_ = StableHash(name);
    }
    return hash_;
  }

 private:
  const char* name_ = nullptr;
  std::uint64_t hash_ = 0;
};

/// Counts the uses of each name. Most tasks use one or two.
class NameCounts {
 public:
  /// Counts a use of a name.
  /// @param name the hash of the name.
  /// @returns how often it has been used, this time included.
  std::uint32_t Next(std::uint64_t name) {
    for (std::size_t i = 0; i < kFirst; ++i) {
      if (counts_[i] == 0 || names_[i] == name) {
        names_[i] = name;
        return ++counts_[i];
      }
    }
    if (others_ == nullptr) {
      others_ = std::make_shared<Others>();
    } else if (others_.use_count() > 1) {  // A snapshot shares it.
      others_ = std::make_shared<Others>(*others_);
    }
    return ++(*others_)[name];
  }

 private:
  static constexpr std::size_t kFirst = 2;
  using Others = std::unordered_map<std::uint64_t, std::uint32_t>;

  std::array<std::uint64_t, kFirst> names_{};
  std::array<std::uint32_t, kFirst> counts_{};
  std::shared_ptr<Others> others_;
};

/// Makes the coroutine of a task.
using Recipe = std::function<std::coroutine_handle<>(Run&)>;

using ExceptionsByTask = std::unordered_map<std::uint32_t, std::exception_ptr>;
using InterruptsByTask =
    std::unordered_map<std::uint32_t, std::vector<std::exception_ptr>>;

/// The state of a task.
enum class TaskState : std::uint8_t {
  kFree,     ///< The record is unused.
  kReady,    ///< Due in the next batch, or in this one and not yet at work.
  kRunning,  ///< Its step is at work or was part of this batch.
  kDelayed,  ///< In the list of events.
  kCalling,  ///< Waits for the end of its call.
  kWaiting,  ///< Waits for somebody to wake it; see `wait`.
  kEnded
};

/// The record of a task, beside its coroutine. It stays until all tasks that
/// the task spawned are over, and as long as handles refer to it.
struct Node {
  // The members that every step needs come first, to share a cache line.
  std::coroutine_handle<> frame;
  Wait* wait = nullptr;
  std::uint32_t index = kNoIndex;
  /// Stamp of its entry in the list of events; 0: none.
  std::uint32_t stamp = 0;
  TaskState state = TaskState::kFree;
  /// An exception is to be thrown where it waits.
  bool has_exception : 1 = false;
  bool is_cancelled : 1 = false;
  bool has_joiners : 1 = false;
  bool has_failed : 1 = false;
  bool is_planned : 1 = false;       ///< An activity of a plan.
  bool is_to_begin : 1 = false;      ///< Waits for the time of its first step.
  bool is_from_outside : 1 = false;  ///< No task spawned it.
  /// Its call ends with the first of several parts.
  bool awaits_first : 1 = false;
  std::uint32_t live = 1;  ///< Itself and its children that are not over.
  std::uint64_t key = 0;   ///< Seeds its random numbers.
  const char* name = "";
  std::uint32_t parent = kNoIndex;
  /// The task that waits for this one in its call number `call`.
  std::uint32_t caller = kNoIndex;
  std::uint32_t call = 0;
  std::uint32_t calls = 0;  ///< Number of calls that it has made.
  /// Number of tasks that its call still waits for.
  std::uint32_t blocked = 0;
  std::uint32_t handles = 0;
  NameCounts names;  ///< Uses of names: tasks it spawned, random streams.
};

/// True if the task waits and no time is known at which it goes on.
[[nodiscard]] inline bool WaitsWithoutTime(const Node& node) noexcept {
  return node.stamp == 0 && (node.state == TaskState::kCalling ||
                             node.state == TaskState::kWaiting);
}

/// A coroutine that becomes a task.
struct NewTask {
  std::coroutine_handle<> frame;
  const char* name = "";
  std::uint64_t key = 0;  ///< Seeds its random numbers.
};

/// A part of AnyOf or AllOf: the small task that awaits it.
struct AwaitedPart {
  const char* callee;  ///< The name of the task that it calls, or "".
  std::coroutine_handle<> frame;
};

/// The nodes of a run in a snapshot.
struct NodeTable {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> free;
};

/// The nodes of a run, at fixed addresses. Handles keep it alive beyond the
/// run.
class NodePool {
 public:
  NodePool() = default;

  /// Restores the nodes, without coroutines, waits and handles.
  explicit NodePool(const NodeTable& table);
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  Node& operator[](std::uint32_t index) {
    return (*chunks_[index / kChunk])[index % kChunk];
  }

  const Node& operator[](std::uint32_t index) const {
    return (*chunks_[index / kChunk])[index % kChunk];
  }

  Node& New();

  void Free(Node& node) {
    const std::uint32_t index = node.index;
    std::destroy_at(&node);
    std::construct_at(&node)->index = index;
    free_.push_back(index);
  }

  /// The number of nodes ever made, free ones included.
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

  [[nodiscard]] NodeTable table() const;

  /// Orders the free list, once all nodes outside of the table are free, so
  /// that new nodes get the same places as after the table was made.
  void OrderFree(const NodeTable& table);

  Run* run = nullptr;      ///< Null once the run is over.
  std::uint64_t uses = 1;  ///< References by the run and by handles.

  void Release() noexcept {
    if (--uses == 0) {
      delete this;
    }
  }

 private:
  static constexpr std::uint32_t kChunk = 512;
  using Chunk = std::array<Node, kChunk>;

  ~NodePool() = default;

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
};

/// Releases the run's reference to the pool; handles may keep it alive.
struct ReleaseNodePool {
  void operator()(NodePool* pool) const noexcept { pool->Release(); }
};

}  // namespace orrery::process::internal
