#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

// The result of what can be awaited together: all that can be awaited alone,
// and handles.
template <typename A>
struct ResultOfAwaiting {};

template <typename A>

requires requires(A& awaited) {
  awaited.await_resume();
}

struct ResultOfAwaiting<A> {
  using Type = decltype(std::declval<A&>().await_resume());
};

template <typename T>
struct ResultOfAwaiting<Handle<T>> {
  using Type = T;
};

template <>
struct ResultOfAwaiting<Delaying> {
  using Type = void;
};

template <typename A>
concept Awaited = requires {
  typename ResultOfAwaiting<std::decay_t<A>>::Type;
};

template <typename A>
using ResultOfAwait =
    std::conditional_t<std::is_void_v<typename ResultOfAwaiting<A>::Type>,
                       std::monostate,
                       std::decay_t<typename ResultOfAwaiting<A>::Type>>;

/// Awaitables whose result can be taken back: ResumeRevocably() returns an
/// object that gives it back when it is destroyed, unless Take() was called.
template <typename A>
concept Revocable = requires(A& awaited) {
  awaited.ResumeRevocably().Take();
};

template <Revocable A>
using RevocableResult = decltype(std::declval<A&>().ResumeRevocably());

/// Awaits a Revocable, with the result of ResumeRevocably().
template <Revocable A>
class AwaitingRevocably : public Awaitable {
 public:
  explicit AwaitingRevocably(A& awaited) noexcept : awaited_(awaited) {}

  [[nodiscard]] bool await_ready() {
    awaited_.SetRun(*run_);
    return awaited_.await_ready();
  }

  void await_suspend(std::coroutine_handle<> frame) {
    awaited_.await_suspend(frame);
  }

  auto await_resume() { return awaited_.ResumeRevocably(); }

 private:
  A& awaited_;
};

template <Revocable A>
Task<RevocableResult<A>> AwaitOne(A awaited) {
  AwaitingRevocably<A> revocably(awaited);
  co_return co_await revocably;
}

template <typename A>
Task<ResultOfAwait<A>> AwaitOne(A awaited) {
  if constexpr (std::is_void_v<typename ResultOfAwaiting<A>::Type>) {
    co_await awaited;
    co_return std::monostate();
  } else {
    co_return co_await awaited;
  }
}

template <typename A>
AwaitedPart MakePart(Run& run, A& awaited) {
  const char* callee = "";
  if constexpr (requires { awaited.callee(); }) {
    callee = awaited.callee();
  }
  return {.callee = callee, .frame = AwaitOne(std::move(awaited)).Release(run)};
}

/// Takes the result of a task of AwaitOne.
template <typename A>
ResultOfAwait<A> TakeResult(const TaskReference& task) {
  if constexpr (Revocable<A>) {
    return ResultOf<RevocableResult<A>>(task).Take();
  } else {
    return std::move(ResultOf<ResultOfAwait<A>>(task));
  }
}

/// The result, or nothing if the task is not over.
template <typename A>
std::optional<ResultOfAwait<A>> TakeResultIfOver(const TaskReference& task) {
  return task.is_over() ? std::optional(TakeResult<A>(task)) : std::nullopt;
}

/// Waits for several things at once, each in a small task of its own, which may
/// outlive this object by one step.
class JointWait : public Awaitable, public Wait {
 public:
  ~JointWait() override = default;

  JointWait(const JointWait&) = delete;
  JointWait& operator=(const JointWait&) = delete;
  JointWait& operator=(JointWait&&) = delete;

  [[nodiscard]] std::string Describe() const override;
  [[nodiscard]] std::uint32_t NumReady() const override;
  [[nodiscard]] bool IsFor(const Node& task) const override;

 protected:
  explicit JointWait(bool is_for_all) noexcept : is_for_all_(is_for_all) {}

  /// Moved only before it is awaited, into another one that awaits it among
  /// others.
  JointWait(JointWait&& other) noexcept : is_for_all_(other.is_for_all_) {}

  /// @throws Error kInvalidArgument the second time: its parts were given to
  ///     the small tasks.
  void CheckIsNew();

  /// @param nodes scratch space, one for each part.
  /// @param tasks receives the small tasks; must stay valid until End.
  void Begin(std::span<const AwaitedPart> parts,
             std::span<Node*> nodes,
             std::span<TaskReference> tasks);

  /// Ends the waits that are not over, and throws an exception that was
  /// delivered. To be called on resumption.
  void End();

  /// To be called also before `tasks` are destroyed.
  void StopWaiting();

 private:
  bool is_for_all_;
  bool is_awaited_ = false;
  std::span<TaskReference> tasks_;
};

/// Waits for a fixed number of things of any types.
template <bool kAll, typename... As>
class Joint : public JointWait {
 public:
  explicit Joint(As... awaited)
      : JointWait(kAll), awaited_(std::move(awaited)...) {}

  Joint(Joint&& other) noexcept(
      std::is_nothrow_move_constructible_v<std::tuple<As...>>)
      : JointWait(std::move(other)), awaited_(std::move(other.awaited_)) {}

  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;
  Joint& operator=(Joint&&) = delete;

  ~Joint() override { StopWaiting(); }

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    CheckIsNew();
    std::apply(
        [this](As&... awaited) {
          const std::array<AwaitedPart, kSize> parts = {
              MakePart(*run_, awaited)...};
          std::array<Node*, kSize> nodes{};
          Begin(parts, nodes, tasks_);
        },
        awaited_);
  }

  auto await_resume() {
    End();
    using Tuple = decltype(Results(std::index_sequence_for<As...>()));
    Tuple results = run_->step.LoggedResult<Tuple>(
        [this] { return Results(std::index_sequence_for<As...>()); });
    tasks_ = {};  // Their results were moved out.
    return results;
  }

 private:
  static constexpr std::size_t kSize = sizeof...(As);

  template <std::size_t... kIndex>
  auto Results(std::index_sequence<kIndex...> /*indices*/) {
    if constexpr (kAll) {
      return std::tuple(TakeResult<As>(tasks_[kIndex])...);
    } else {
      return std::tuple(TakeResultIfOver<As>(tasks_[kIndex])...);
    }
  }

  std::tuple<As...> awaited_;
  std::array<TaskReference, kSize> tasks_;
};

/// Waits for a list of things of one type. An empty list goes on at once.
template <bool kAll, typename A>
class JointList : public JointWait {
 public:
  explicit JointList(std::vector<A> awaited)
      : JointWait(kAll), awaited_(std::move(awaited)) {}

  JointList(JointList&& other) noexcept
      : JointWait(std::move(other)), awaited_(std::move(other.awaited_)) {}

  JointList(const JointList&) = delete;
  JointList& operator=(const JointList&) = delete;
  JointList& operator=(JointList&&) = delete;

  ~JointList() override { StopWaiting(); }

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    CheckIsNew();
    if (awaited_.empty()) {
      run_->step.Delay(Duration(0));
      return;
    }
    std::vector<AwaitedPart> parts;
    parts.reserve(awaited_.size());
    for (A& awaited : awaited_) {
      parts.push_back(MakePart(*run_, awaited));
    }
    std::vector<Node*> nodes(parts.size());
    tasks_.resize(parts.size());
    Begin(parts, nodes, tasks_);
  }

  auto await_resume() {
    End();
    using List = std::vector<decltype(Result(std::declval<TaskReference>()))>;
    List results = run_->step.LoggedResult<List>([this] {
      List list;
      list.reserve(tasks_.size());
      for (const TaskReference& task : tasks_) {
        list.push_back(Result(task));
      }
      return list;
    });
    tasks_.clear();  // Their results were moved out.
    return results;
  }

 private:
  static auto Result(const TaskReference& task) {
    if constexpr (kAll) {
      return TakeResult<A>(task);
    } else {
      return TakeResultIfOver<A>(task);
    }
  }

  std::vector<A> awaited_;
  std::vector<TaskReference> tasks_;
};

}  // namespace orrery::process::internal
