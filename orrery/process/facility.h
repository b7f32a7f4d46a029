#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/internal/dependent.h"
#include "orrery/process/internal/node.h"
#include "orrery/process/internal/run.h"
#include "orrery/process/internal/wait.h"
#include "orrery/process/member.h"
#include "orrery/process/task.h"

namespace orrery::process {

class Request;

/// What tasks compete for, such as servers, space or goods: it decides at the
/// end of each batch, from all that was asked of it in that batch, who goes on.
/// So who comes first does not depend on the order in which the steps of a
/// batch are carried out. A base for classes; see queueing.
///
/// What others can see of it (`Observe`) is to change in `Settle` only.
class Facility : public Member {
 protected:
  using Member::Member;

  /// In a step of a task, or when a coroutine's frame ends: asks for
  /// `OnPosted(argument)` when the batch is committed; and then to be settled.
  /// Without effect if the run is over.
  /// @throws Error kInvalidArgument if it is in no run.
  void Post(std::uint64_t argument);

  /// Throws `exception` where a task waits, in the next batch; without effect
  /// if it is over by then.
  void Throw(const Handle<>& task, std::exception_ptr exception);

  /// The task whose step is at work; none between steps.
  [[nodiscard]] Handle<> task_at_work() const;

  /// Of what tasks, conditions and resources see of it: notes who depends on
  /// it.
  void Observe() const;

  /// The time of the run; zero without one.
  [[nodiscard]] Duration now() const noexcept;

  [[nodiscard]] bool is_in_run() const noexcept { return run_ != nullptr; }

 private:
  friend class internal::Run;
  friend class Request;

  /// A run begins: the initial state.
  virtual void Reset() = 0;

  /// When a batch is committed, in the order of the steps: a task has begun to
  /// wait for it.
  virtual void OnRequested(Request& request) = 0;

  /// In the order of the steps that posted.
  virtual void OnPosted(std::uint64_t argument) = 0;

  /// All that was asked in the batch is known.
  virtual void Settle() = 0;

  void Bind(internal::Run& run) final;
  void Unbind() noexcept final;

  internal::Run* run_ = nullptr;
  bool needs_settling_ = false;
  mutable internal::Link* dependents_ = nullptr;
};

/// What a task awaits of a facility: `co_await servers.Acquire()`. While the
/// task waits it stays where it is, in the coroutine's frame; if it ends there,
/// the task no longer waits. A base for classes, whose `await_resume` is to
/// throw what was delivered first.
class Request : public internal::Awaitable, public internal::Wait {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  Request& operator=(Request&&) = delete;
  ~Request() override = default;

  void await_suspend(std::coroutine_handle<> /*frame*/) { run_->Wait(*this); }

  void OnWaiting(internal::Run& run, internal::Node& task) final;

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

 private:
  Facility* facility_;
  internal::Node* task_ = nullptr;
};

}  // namespace orrery::process
