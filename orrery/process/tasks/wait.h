#pragma once

#include <coroutine>
#include <cstdint>
#include <string>

#include "orrery/base/time.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

class Facility;

namespace internal {

/// A base of all that a task awaits; it lies in its coroutine.
class Awaitable {
 public:
  void SetRun(Run& run) noexcept { run_ = &run; }

  [[nodiscard]] static bool await_ready() noexcept { return false; }

 protected:
  Run* run_ = nullptr;
};

/// Awaits an object by reference: g++ 12 copies the result of await_transform
/// otherwise.
template <typename A>
class Awaiting {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return {awaited};`
  Awaiting(A& awaited) noexcept : awaited_(awaited) {}

  [[nodiscard]] bool await_ready() const { return awaited_.await_ready(); }

  void await_suspend(std::coroutine_handle<> frame) {
    awaited_.await_suspend(frame);
  }

  decltype(auto) await_resume() { return awaited_.await_resume(); }

 private:
  A& awaited_;
};

/// A wait in a snapshot.
struct SavedWait {
  std::uint64_t order = 0;  ///< Among waits that may go on together.
  Duration since{};
  std::uint64_t progress = 0;          ///< Has a meaning for the wait only.
  const Facility* facility = nullptr;  ///< The facility it is for, or null.
};

/// A wait that has no time of its own.
class Wait {
 public:
  Wait() = default;
  virtual ~Wait() = default;
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  /// A text for users: "battery > 80". Empty if only times are awaited.
  [[nodiscard]] virtual std::string Describe() const = 0;

  /// Is called when the batch in which `task` began to wait is committed.
  virtual void OnWaiting(Run& /*run*/, Node& /*task*/) {}

  /// Is called at the time for which the wait was scheduled.
  /// @returns true if the task goes on now.
  virtual bool OnDue(Run& /*run*/) { return true; }

  /// For several waits at once: how many of their tasks go on in this batch.
  [[nodiscard]] virtual std::uint32_t NumReady() const { return 0; }

  /// True if it waits for the end of `task` and will take its result.
  [[nodiscard]] virtual bool IsFor(const Node& /*task*/) const { return false; }

  /// Saves the wait in a snapshot, and restores it.
  [[nodiscard]] virtual SavedWait Save() const { return {}; }

  virtual void Restore(Run& /*run*/,
                       Node& /*task*/,
                       const SavedWait& /*saved*/) {}
};

/// A wait for some time to pass: the operand of `co_await`.
struct Delaying {
  Duration delay;
};

/// The awaiter of a Delaying. It is small, since it lies in the frame of each
/// task that sleeps.
class Sleeping {
 public:
  Sleeping(Run& run, Delaying delaying) : run_(run) {
    run.step.Delay(delaying.delay);
  }

  [[nodiscard]] static bool await_ready() noexcept { return false; }

  static void await_suspend(std::coroutine_handle<> /*frame*/) noexcept {}

  void await_resume() const { run_.step.ThrowDelivered(); }

 private:
  Run& run_;
};

}  // namespace internal
}  // namespace orrery::process
