#pragma once

#include <coroutine>
#include <cstdint>
#include <string>

#include "orrery/base/time.h"
#include "orrery/process/run/run.h"

namespace orrery::process {

class Facility;

namespace internal {

/// What a task awaits, in its coroutine.
class Awaitable {
 public:
  void SetRun(Run& run) noexcept { run_ = &run; }

  [[nodiscard]] static bool await_ready() noexcept { return false; }

 protected:
  Run* run_ = nullptr;
};

/// Awaits what stays where it is: g++ 12 copies what await_transform gives by
/// reference.
template <typename A>
class Awaiting {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return {awaited};`
  Awaiting(A& awaited) noexcept : awaited_(awaited) {}

  [[nodiscard]] bool await_ready() const noexcept {
    return awaited_.await_ready();
  }

  void await_suspend(std::coroutine_handle<> frame) {
    awaited_.await_suspend(frame);
  }

  decltype(auto) await_resume() { return awaited_.await_resume(); }

 private:
  A& awaited_;
};

/// What a snapshot keeps of a wait.
struct SavedWait {
  std::uint64_t order = 0;  ///< Among those that may go on together.
  Duration since{};
  std::uint64_t progress = 0;          ///< Only the wait knows of what.
  const Facility* facility = nullptr;  ///< If it is for one.
};

/// What a task waits for that has no time of its own.
class Wait {
 public:
  Wait() = default;
  virtual ~Wait() = default;
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  /// For people: "battery > 80". Empty if it is for times alone.
  [[nodiscard]] virtual std::string Describe() const = 0;

  /// The batch in which `task` began to wait is committed.
  virtual void OnWaiting(Run& /*run*/, Node& /*task*/) {}

  /// It was scheduled, and the time has come.
  /// @returns whether the task goes on now.
  virtual bool OnDue(Run& /*run*/) { return true; }

  /// Of several things: how many tasks that wait for one go on in this batch.
  [[nodiscard]] virtual std::uint32_t NumReady() const { return 0; }

  /// Whether it is for the end of `task`, whose result it will take.
  [[nodiscard]] virtual bool IsFor(const Node& /*task*/) const { return false; }

  /// What a snapshot keeps of it, and how it comes back.
  [[nodiscard]] virtual SavedWait Save() const { return {}; }

  virtual void Restore(Run& /*run*/,
                       Node& /*task*/,
                       const SavedWait& /*saved*/) {}
};

/// Until some time has passed: what `co_await` is given.
struct Delaying {
  Duration delay;
};

/// What it makes of it: as small as can be, since it lies in the frame of each
/// task that sleeps.
class Sleeping {
 public:
  Sleeping(Run& run, Delaying delaying) : run_(run) {
    run.Delay(delaying.delay);
  }

  [[nodiscard]] static bool await_ready() noexcept { return false; }

  static void await_suspend(std::coroutine_handle<> /*frame*/) noexcept {}

  void await_resume() const { run_.ThrowDelivered(); }

 private:
  Run& run_;
};

}  // namespace internal
}  // namespace orrery::process
