#pragma once

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/stateful.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process {

namespace internal {
class TaskReference;
}  // namespace internal

class Request;

/// A task of a run, be it over by now or not.
struct TaskId {
  std::uint32_t index = internal::kNoIndex;
  std::uint64_t key = 0;

  /// Whether there is one.
  [[nodiscard]] explicit operator bool() const noexcept {
    return index != internal::kNoIndex;
  }
};

/// What tasks compete for, such as servers, space or goods: it decides at the
/// end of each batch, from all that was asked of it in that batch, who goes on.
/// So who comes first does not depend on the order in which the steps of a
/// batch are carried out. A base for classes; see queueing.
///
/// What others can see of it (`Observe`) is to change in `Settle` only.
class Facility : public Stateful {
 protected:
  using Stateful::Stateful;

  /// In a step of a task, or when a coroutine's frame ends: asks for
  /// `OnPosted(argument)` when the batch is committed; and then to be settled.
  /// Without effect if the run is over.
  /// @throws Error kInvalidArgument if it is in no run.
  void Post(std::uint64_t argument);

  /// The same for what is undone with all that the step did if it throws, such
  /// as goods that are put; `Post` is for what goes back then, too, such as
  /// units that the task held.
  void PostEffect(std::uint64_t argument);

  /// Throws `exception` where a task waits, in the next batch; if it is over,
  /// where another waits that called it, alone or by AllOf or AnyOf, and has
  /// not yet taken its result. Without effect if that is over by then.
  void Throw(const TaskId& task, std::exception_ptr exception);

  /// Does not, if the task has yet to be told of it since it is told of
  /// something else first.
  void Unthrow(const std::exception_ptr& exception);

  /// Whether `task`, or who takes its result, makes `request` or waits for the
  /// task that does.
  [[nodiscard]] bool IsOf(const TaskId& task, const Request& request) const;

  /// Of a handle.
  [[nodiscard]] static TaskId IdOf(const internal::TaskReference& task);

  /// A number of what the step at work has read, changed and spawned so far; 0
  /// between steps.
  [[nodiscard]] std::uint64_t moment() const noexcept;

  /// Of what is done with it, to whom looks at the run.
  void Warn(std::string text);

  /// The task whose step is at work; none between steps.
  [[nodiscard]] TaskId task_at_work() const;

  /// Of what tasks, conditions and resources see of it: gives `value`, and
  /// notes who depends on it.
  template <typename T>
  [[nodiscard]] T Observe(T value) const {
    NoteDependent();
    return Told(std::move(value));
  }

 private:
  friend class internal::Run;
  friend class Request;

  // Who is told in the place of a task; null if nobody is.
  [[nodiscard]] internal::Node* Heir(const TaskId& task) const;

  /// When a batch is committed, in the order of the steps: a task has begun to
  /// wait for it. When a run is restored, in the same order, those that waited
  /// do so again, before `Restore`.
  virtual void OnRequested(Request& request) = 0;

  /// In the order of the steps that posted.
  virtual void OnPosted(std::uint64_t argument) = 0;

  /// All that was asked in the batch is known.
  virtual void Settle() = 0;

  void NoteDependent() const;

  void Unbind() noexcept final {
    Stateful::Unbind();
    needs_settling_ = false;
  }

  bool needs_settling_ = false;
  mutable internal::Link* dependents_ = nullptr;
};

/// What a task awaits of a facility: `co_await servers.Acquire()`. While the
/// task waits it stays where it is, in the coroutine's frame; if it ends there,
/// the task no longer waits. A base for classes, whose `await_resume` is to
/// throw what was delivered first. What is given may come to nothing where it
/// is awaited beside other things: it should go back when it is destroyed; or
/// be given by a `ResumeRevocably()`, too, as something that does so, unless
/// its `Take()` has given it.
class Request : public internal::Awaitable, public internal::Wait {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  Request& operator=(Request&&) = delete;
  ~Request() override = default;

  void await_suspend(std::coroutine_handle<> /*frame*/) { run_->Wait(*this); }

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

  /// It comes after those of the run whose order is less.
  [[nodiscard]] std::uint64_t order() const noexcept { return order_; }

  /// Since when the task waits.
  [[nodiscard]] Duration asked() const noexcept { return asked_; }

  /// Whether nothing else has made the task go on: nobody has woken, cancelled
  /// or interrupted it in this batch.
  [[nodiscard]] bool is_waiting() const noexcept {
    return task_->state == internal::TaskState::kWaiting;
  }

  /// Lets the task go on, in the next batch.
  void Wake() { run_->WakeNow(*task_); }

  /// Throws `exception` where the task waits, in the next batch.
  void Fail(std::exception_ptr exception) {
    run_->Deliver(*task_, std::move(exception));
  }

  /// The task with those that spawned it: "day > Drive".
  [[nodiscard]] std::string TaskText() const { return run_->Ancestry(*task_); }

 protected:
  explicit Request(Facility& facility) noexcept : facility_(&facility) {}

  /// Before it is awaited.
  Request(Request&& other) noexcept : facility_(other.facility_) {}

  void ThrowDelivered() const { run_->ThrowDelivered(); }

  /// The same; calls `withdraw` before, if something is thrown: a request that
  /// has a name may live on, and be awaited again.
  template <std::invocable F>
  void ThrowDelivered(F withdraw) const {
    try {
      run_->ThrowDelivered();
    } catch (...) {
      withdraw();
      throw;
    }
  }

  /// What the task is given: what `compute` gives or, where the task does again
  /// what it did, what it was given then. Of what cannot be copied, but has a
  /// `T::Memory`, given by `memory()`, another is made from that.
  template <typename T, typename F>
  [[nodiscard]] T Give(F compute) const {
    return run_->LoggedResult<T>(std::move(compute));
  }

 private:
  friend class Facility;

  /// What else a snapshot is to keep of it while it waits.
  [[nodiscard]] virtual std::uint64_t progress() const noexcept { return 0; }

  virtual void SetProgress(std::uint64_t /*progress*/) noexcept {}

  Facility* facility_;
  internal::Node* task_ = nullptr;
  std::uint64_t order_ = 0;
  Duration asked_{};
};

}  // namespace orrery::process
