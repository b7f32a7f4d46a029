#pragma once

#include <concepts>
#include <coroutine>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process {

/// Is thrown where a task waits, after another task has interrupted it.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(std::string reason) : reason_(std::move(reason)) {}

  [[nodiscard]] const char* what() const noexcept override {
    return reason_.c_str();
  }

 private:
  std::string reason_;
};

/// Is thrown where a task waits for the result of a task that was cancelled.
class Cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "the task was cancelled";
  }
};

template <typename T>
class Task;
template <typename T>
class Handle;

namespace internal {

template <typename T>
inline constexpr bool kIsNever = false;

/// True if Promise can await an `A`, or refuses it with a message of its own
/// (Task).
template <typename A>
inline constexpr bool kHasTransform =
    std::derived_from<A, Awaitable> || std::same_as<A, Delaying>;

template <typename T>
inline constexpr bool kHasTransform<Task<T>> = true;

template <typename T>
inline constexpr bool kHasTransform<Handle<T>> = true;

template <typename T>
class Joining;

/// The part of a promise that is the same for tasks of all results.
class Promise {
 public:
  static std::suspend_always initial_suspend() noexcept { return {}; }

  static std::suspend_always final_suspend() noexcept { return {}; }

  void unhandled_exception() const {
    origin_.run->step.OnException(std::current_exception());
  }

  /// Lets tasks await the Awaitables of this library only.
  template <typename A>
  requires std::derived_from<std::remove_reference_t<A>, Awaitable>
      Awaiting<std::remove_reference_t<A>> await_transform(A&& awaited)
  const noexcept {
    awaited.SetRun(*origin_.run);
    return {awaited};
  }

  [[nodiscard]] Sleeping await_transform(Delaying delaying) const {
    return {*origin_.run, delaying};
  }

  template <typename T>
  Joining<T> await_transform(const Handle<T>& handle) const {
    return Joining<T>(*origin_.run, handle);
  }

  template <typename T>
  std::suspend_never await_transform(const Task<T>& /*task*/) const {
    static_assert(kIsNever<T>,
                  "a task is not awaited by itself: co_await Call(task) waits "
                  "for its end, Spawn(task) lets it run beside this one");
    return {};
  }

  template <typename A>
  requires(!kHasTransform<std::remove_cvref_t<A>>) std::suspend_never
      await_transform(A&& /*awaited*/)
  const {
    static_assert(kIsNever<A>,
                  "tasks await Delay(time), Until(condition), Call(task), "
                  "handles of Spawn, AnyOf, AllOf and what facilities give, as "
                  "resource.Acquire()");
    return {};
  }

  /// Valid until the task starts.
  [[nodiscard]] const char* name() const noexcept { return origin_.name; }

  /// Valid until SetName: the object that the coroutine was called on, if the
  /// compiler tells.
  [[nodiscard]] const void* object() const noexcept { return origin_.object; }

  void SetObject(const void* object) noexcept { origin_.object = object; }

  void SetName(const char* name) noexcept { origin_.name = name; }

  /// Is called when the task starts.
  void SetRun(Run& run) noexcept { origin_.run = &run; }

 private:
  union Origin {
    const void* object;  // Until SetName.
    const char* name;    // Until the task starts.
    Run* run;            // From then on.
  };

  Origin origin_{.object = nullptr};
};

template <typename T>
class PromiseOf : public Promise {
 public:
  template <std::convertible_to<T> U>
  void return_value(U&& value) {
    result_.emplace(std::forward<U>(value));
  }

  [[nodiscard]] T& result() { return *result_; }

 private:
  std::optional<T> result_;
};

template <>
class PromiseOf<void> : public Promise {
 public:
  void return_void() noexcept {}
};

/// @throws Error kInvalidArgument if the task was given away.
void CheckIsGiven(bool has_task);

/// True if a coroutine of this name is a lambda or a call operator.
[[nodiscard]] inline bool IsLambda(const char* name) noexcept {
  static constexpr std::string_view kOperator = "operator()";
  return std::strncmp(name, kOperator.data(), kOperator.size() + 1) == 0;
}

/// A counted reference to a task of a run. It stays valid when the task or the
/// run is over.
class TaskReference {
 public:
  TaskReference() = default;

  TaskReference(NodePool& pool, Node& node) noexcept
      : pool_(&pool), node_(&node) {
    ++pool.uses;
    ++node.handles;
  }

  TaskReference(const TaskReference& other) noexcept;
  TaskReference(TaskReference&& other) noexcept;
  TaskReference& operator=(const TaskReference& other) noexcept;
  TaskReference& operator=(TaskReference&& other) noexcept;

  ~TaskReference() {
    if (pool_ != nullptr) {
      Release();
    }
  }

  [[nodiscard]] Node* node() const noexcept { return node_; }

  [[nodiscard]] bool is_over() const noexcept {
    return node_ == nullptr || node_->state == TaskState::kEnded;
  }

  /// @throws Error kInvalidArgument if it refers to no task, or the run is
  ///     over.
  [[nodiscard]] Run& run(const char* purpose) const;

  /// Null once the run is over.
  [[nodiscard]] Run* run_if_any() const noexcept {
    return pool_ == nullptr ? nullptr : pool_->run;
  }

 private:
  void Release() noexcept {
    --node_->handles;
    if (pool_->run != nullptr) {
      pool_->run->tasks.OnUnused(*node_);
    }
    pool_->Release();
  }

  NodePool* pool_ = nullptr;
  Node* node_ = nullptr;
};

}  // namespace internal

/// The return type of coroutines that act on cells and wait. A task does
/// nothing until it is given, once, to `Call` or `Spawn`.
///
///     process::Task<> Drive(double metres) {
///       mode.Set(Mode::kDriving);
///       co_await Delay(metres * 20s);
///       mode.Set(Mode::kIdle);
///     }
///
/// Keep data that others need in cells, and only the progress of the task in
/// locals. Take arguments by value: what a reference refers to may be gone when
/// the task runs. So may the captures of a lambda; let it take arguments
/// instead. A task has the name of its coroutine.
template <typename T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : internal::PromiseOf<T> {
    promise_type() = default;

    /// For member functions and lambdas: g++ gives the object as an rvalue, and
    /// no other argument so.
    template <typename Object, typename... Arguments>

    requires(!std::is_lvalue_reference_v<Object>)
        // NOLINTNEXTLINE(google-explicit-constructor): the language calls it.
        promise_type(Object&& object, Arguments&&... /*arguments*/)
    noexcept { SetIfCapturing(object); }

    Task get_return_object(const char* name = __builtin_FUNCTION()) noexcept {
      const void* const object = this->object();
      this->SetName(name);
      return Task(std::coroutine_handle<promise_type>::from_promise(*this),
                  internal::IsLambda(name) ? object : nullptr);
    }

   private:
    // Deduces the type anew: g++ 12 gives a lambda a type of its own in the
    // constructor, which is never empty.
    template <typename Object>
    void SetIfCapturing(const Object& object) noexcept {
      if constexpr (!std::is_empty_v<Object>) {
        this->SetObject(std::addressof(object));
      }
    }
  };

  Task(Task&& other) noexcept
      : frame_(std::exchange(other.frame_, nullptr)), lambda_(other.lambda_) {}

  Task& operator=(Task&& other) noexcept {
    std::swap(frame_, other.frame_);
    std::swap(lambda_, other.lambda_);
    return *this;
  }

  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  ~Task() {
    if (frame_) {
      frame_.destroy();
    }
  }

  /// Valid until the task is given away.
  [[nodiscard]] const char* name() const {
    internal::CheckIsGiven(frame_ != nullptr);
    return frame_.promise().name();
  }

  /// Gives it another name than that of its coroutine. To be called before it
  /// is given away.
  /// @param name must outlive the run.
  void SetName(const char* name) {
    internal::CheckIsGiven(frame_ != nullptr);
    frame_.promise().SetName(name);
  }

  /// The lambda with captures whose coroutine this is; null if there is none.
  [[nodiscard]] const void* lambda() const noexcept { return lambda_; }

  /// Gives the coroutine to a run, which owns it from then on.
  /// @throws Error kInvalidArgument if it was given away already.
  std::coroutine_handle<> Release(internal::Run& run) {
    internal::CheckIsGiven(frame_ != nullptr);
    frame_.promise().SetRun(run);
    return std::exchange(frame_, nullptr);
  }

 private:
  Task(std::coroutine_handle<promise_type> frame, const void* lambda) noexcept
      : frame_(frame), lambda_(lambda) {}

  std::coroutine_handle<promise_type> frame_;
  const void* lambda_;
};

/// A task that was spawned. `co_await handle` waits for its end and gives its
/// result, or throws the exception that it threw. Copies refer to the same
/// task.
template <typename T = void>
class Handle {
 public:
  Handle() = default;

  /// Is called by runs.
  explicit Handle(internal::TaskReference task) : task_(std::move(task)) {}

  /// True if the task had ended before this batch.
  [[nodiscard]] bool is_over() const {
    internal::Run* run = task_.run_if_any();
    return run == nullptr ? task_.is_over()
                          : run->step.LoggedResult<bool>(
                                [this] { return task_.is_over(); });
  }

  /// Ends the task where it waits, in the next batch: its locals are destroyed,
  /// and tasks that wait for it get a Cancelled. Tasks that it spawned go on.
  /// Without effect if the task is over by then.
  /// @throws Error kInvalidArgument unless a task of the run is at work, or if
  ///     it is this one.
  void Cancel() const {
    task_.run("cancel a task").step.Stop(*task_.node(), nullptr);
  }

  /// Throws Interrupted where the task waits, in the next batch. Without effect
  /// if the task is over by then. Of several interrupts in one batch each wait
  /// throws one. A task that has yet to begin does so at its time, and is
  /// interrupted where it first waits.
  /// @throws as Cancel.
  void Interrupt(std::string reason) const {
    task_.run("interrupt a task")
        .step.Stop(*task_.node(),
                   std::make_exception_ptr(Interrupted(std::move(reason))));
  }

  [[nodiscard]] const internal::TaskReference& reference() const noexcept {
    return task_;
  }

 private:
  internal::TaskReference task_;
};

namespace internal {

/// The result of a task that is over.
template <typename T>
T& ResultOf(const TaskReference& task) {
  return std::coroutine_handle<typename Task<T>::promise_type>::from_address(
             task.node()->frame.address())
      .promise()
      .result();
}

template <typename T>
class Joining : public Awaitable, public Wait {
  static_assert(std::is_void_v<T> || std::copy_constructible<T>,
                "a handle gives each who awaits it a copy of the result; to "
                "take one that cannot be copied, co_await Call(task) instead "
                "of spawning it");

 public:
  Joining(Run& run, const Handle<T>& handle) : task_(handle.reference()) {
    SetRun(run);
    static_cast<void>(task_.run("wait for a task"));
  }

  Joining(const Joining&) = delete;
  Joining& operator=(const Joining&) = delete;

  [[nodiscard]] bool await_ready() const {
    return run_->step.LoggedResult<bool>([this] { return task_.is_over(); });
  }

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    run_->step.Join(*task_.node(), *this);
    is_registered_ = true;
  }

  ~Joining() override {
    Run* run = task_.run_if_any();
    if (is_registered_ && run != nullptr && !task_.is_over()) {
      run->step.StopJoining(*task_.node());
    }
  }

  // NOLINTNEXTLINE(modernize-use-nodiscard): the end alone may be awaited.
  T await_resume() const {
    run_->step.ThrowDelivered();
    if (const auto failure = run_->step.LoggedResult<std::exception_ptr>(
            [this] { return run_->tasks.FailureOf(*task_.node()); })) {
      std::rethrow_exception(failure);
    }
    if constexpr (!std::is_void_v<T>) {
      return run_->step.LoggedResult<T>([this] { return ResultOf<T>(task_); });
    }
  }

  [[nodiscard]] std::string Describe() const override {
    std::string text = "the end of '";
    text += task_.node()->name;
    return text + "'";
  }

 private:
  TaskReference task_;
  bool is_registered_ = false;
};

template <typename T>
class Calling : public Awaitable, public Wait {
 public:
  explicit Calling(Task<T> task) noexcept : task_(std::move(task)) {}

  /// Is called before the task is awaited.
  Calling(Calling&& other) noexcept : task_(std::move(other.task_)) {}

  /// The name of the task, before it is awaited.
  [[nodiscard]] const char* callee() const { return task_.name(); }

  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;
  Calling& operator=(Calling&&) = delete;

  // When the caller is stopped, the task that it called is stopped too.
  ~Calling() override {
    Run* run = called_.run_if_any();
    if (run != nullptr && !called_.is_over()) {
      run->step.CancelCalled(*called_.node());
    }
  }

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    const char* name = task_.name();
    run_->step.CheckMaySpawn();
    run_->step.CheckOutlives(task_.lambda());
    called_ = TaskReference(
        run_->nodes(), run_->step.Call({task_.Release(*run_), name}, *this));
  }

  T await_resume() {
    run_->step.LeaveCall();
    run_->step.ThrowDelivered();
    if constexpr (!std::is_void_v<T>) {
      T result = run_->step.LoggedResult<T>(
          [this] { return std::move(ResultOf<T>(called_)); });
      called_ = {};  // The result was moved out.
      return result;
    }
  }

  [[nodiscard]] std::string Describe() const override {
    std::string text = "the end of '";
    text += called_.node()->name;
    return text + "' and all that it spawned";
  }

  [[nodiscard]] bool IsFor(const Node& task) const override {
    return called_.node() == &task;
  }

 private:
  Task<T> task_;
  TaskReference called_;
};

}  // namespace internal

}  // namespace orrery::process
