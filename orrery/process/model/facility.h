#pragma once

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/stateful.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process {

namespace internal {
class TaskReference;
}  // namespace internal

class Request;

/// The identity of a task of a run. It stays valid when the task is over.
struct TaskId {
  std::uint32_t index = internal::kNoIndex;
  std::uint64_t key = 0;

  /// True if it identifies a task.
  [[nodiscard]] explicit operator bool() const noexcept {
    return index != internal::kNoIndex;
  }
};

/// A base for what tasks compete for, such as servers, space or goods; see
/// queueing. At the end of each batch it decides, from all requests of that
/// batch, which tasks go on. So the decision does not depend on the order of
/// the steps in a batch.
///
/// State that others can see (`Observe`) changes in `Settle` only.
class Facility : public Stateful {
 protected:
  using Stateful::Stateful;

  /// Calls `OnPosted(argument)` when the batch is committed, and then Settle.
  /// To be called in a step of a task, or when a coroutine's frame ends.
  /// Without effect if the run is over.
  /// @throws Error kInvalidArgument if the facility is in no run.
  void Post(std::uint64_t argument);

  /// Like Post, but undone if the step throws: for effects, such as goods that
  /// are put. Post itself holds even then: for what the task gives back, such
  /// as units that it held.
  void PostEffect(std::uint64_t argument);

  /// Throws `exception` where the task waits, in the next batch. If the task is
  /// over but its caller (by Call, AllOf or AnyOf) has not taken its result
  /// yet, throws it where the caller waits. Without effect if that is over,
  /// too.
  /// @returns true if there is a task that it is thrown at.
  bool Throw(const TaskId& task, std::exception_ptr exception);

  /// Withdraws an exception of Throw that the task has not been told of yet,
  /// because another one comes first.
  void Unthrow(const std::exception_ptr& exception);

  /// True if `request` is made by `task`, by the caller that takes its result,
  /// or by a task that one of these waits for.
  [[nodiscard]] bool IsOf(const TaskId& task, const Request& request) const;

  /// The identity of the task that a handle refers to.
  [[nodiscard]] static TaskId IdOf(const internal::TaskReference& task);

  /// A number that changes with each read, effect and spawned task of the step
  /// at work; 0 between steps.
  [[nodiscard]] std::uint64_t moment() const noexcept;

  /// Adds a warning to the run.
  void Warn(std::string text);

  /// The task whose step is at work; none between steps.
  [[nodiscard]] TaskId task_at_work() const;

  /// Returns `value`, and notes that the condition or resource at work depends
  /// on this facility. To be used wherever others see the state.
  template <typename T>
  [[nodiscard]] T Observe(T value) const {
    NoteDependent();
    return Told(std::move(value));
  }

 private:
  friend class internal::FacilityQueue;
  friend class Request;

  // The task itself or, if it is over, the caller that takes its result; null
  // if there is neither.
  [[nodiscard]] internal::Node* Heir(const TaskId& task) const;

  /// A task has begun to wait. Is called when a batch is committed, in the
  /// order of the steps. When a run is restored, it is called in the same order
  /// for all requests that waited, before `Restore`.
  virtual void OnRequested(Request& request) = 0;

  /// Is called in the order of the steps that posted.
  virtual void OnPosted(std::uint64_t argument) = 0;

  /// Decides. All requests and posts of the batch are known by then.
  virtual void Settle() = 0;

  void NoteDependent() const;

  void Unbind() noexcept final {
    Stateful::Unbind();
    needs_settling_ = false;
  }

  bool needs_settling_ = false;
  mutable internal::Link* dependents_ = nullptr;
};

/// A base for what a task awaits of a facility: `co_await servers.Acquire()`.
/// It stays at its place, in the coroutine's frame, while the task waits; if it
/// ends there, the task no longer waits. Its `await_resume` must begin with
/// ThrowDelivered.
///
/// Nobody may take the result where the request is awaited beside others
/// (AnyOf). So the result must either give back what it holds when it is
/// destroyed; or the class has a `ResumeRevocably()`, which returns an object
/// that does so unless its `Take()` was called.
class Request : public internal::Awaitable, public internal::Wait {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  Request& operator=(Request&&) = delete;
  ~Request() override = default;

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    run_->step.Wait(*this);
  }

  void OnWaiting(internal::Run& run, internal::Node& task) final;

  [[nodiscard]] internal::SavedWait Save() const final {
    return {.order = order_,
            .since = asked_,
            .progress = progress(),
            .facility = facility_};
  }

  void Restore(internal::Run& run,
               internal::Node& task,
               const internal::SavedWait& saved) final;

  /// The request comes after those of the run with a lower order.
  [[nodiscard]] std::uint64_t order() const noexcept { return order_; }

  /// The time at which the task began to wait.
  [[nodiscard]] Duration asked() const noexcept { return asked_; }

  /// True as long as nobody has woken, cancelled or interrupted the task in
  /// this batch.
  [[nodiscard]] bool is_waiting() const noexcept {
    return task_->state == internal::TaskState::kWaiting;
  }

  /// Lets the task go on, in the next batch.
  void Wake() { run_->tasks.WakeNow(*task_); }

  /// Throws `exception` where the task waits, in the next batch.
  void Fail(std::exception_ptr exception) {
    run_->exceptions.Deliver(*task_, std::move(exception));
  }

  /// The name of the task after those of its ancestors: "day > Drive".
  [[nodiscard]] std::string TaskText() const {
    return internal::Ancestry(*run_, *task_);
  }

 protected:
  explicit Request(Facility& facility) noexcept : facility_(&facility) {}

  /// Is called before the request is awaited.
  Request(Request&& other) noexcept : facility_(other.facility_) {}

  void ThrowDelivered() const { run_->step.ThrowDelivered(); }

  /// The same, but calls `withdraw` before it throws: a request in a variable
  /// may live on, and be awaited again.
  template <std::invocable F>
  void ThrowDelivered(F withdraw) const {
    try {
      run_->step.ThrowDelivered();
    } catch (...) {
      withdraw();
      throw;
    }
  }

  /// Returns the result of `compute` or, when the task is replayed, the result
  /// that it was given then. A result that cannot be copied needs a
  /// `T::Memory`, as its `memory()` returns it, from which another can be made.
  template <typename T, typename F>
  [[nodiscard]] T Give(F compute) const {
    return run_->step.LoggedResult<T>(std::move(compute));
  }

 private:
  friend class Facility;

  /// State of the request that a snapshot must keep while it waits.
  [[nodiscard]] virtual std::uint64_t progress() const noexcept { return 0; }

  virtual void SetProgress(std::uint64_t /*progress*/) noexcept {}

  Facility* facility_;
  internal::Node* task_ = nullptr;
  std::uint64_t order_ = 0;
  Duration asked_{};
};

}  // namespace orrery::process
