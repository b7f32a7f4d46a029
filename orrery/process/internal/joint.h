#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "orrery/process/internal/run.h"
#include "orrery/process/internal/wait.h"
#include "orrery/process/task.h"

namespace orrery::process::internal {

// What can be awaited together: what is awaited alone, and handles.
template <typename A>
struct ResultOfAwaiting {
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

/// What gives its result as something that has it only until it is destroyed,
/// when what nobody took goes back.
template <typename A>
concept Revocable = requires(A& awaited) {
  awaited.ResumeRevocably().Take();
};

template <Revocable A>
using RevocableResult = decltype(std::declval<A&>().ResumeRevocably());

/// Awaits what is so, and gives that.
template <Revocable A>
class AwaitingRevocably : public Awaitable {
 public:
  explicit AwaitingRevocably(A& awaited) noexcept : awaited_(awaited) {}

  void await_suspend(std::coroutine_handle<> frame) {
    awaited_.SetRun(*run_);
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

/// Several waits at once, each in a small task of its own, which may outlive
/// this by a step.
template <bool kAll, typename... As>
class Joint : public Awaitable, public Wait {
 public:
  explicit Joint(As... awaited) : awaited_(std::move(awaited)...) {}

  /// It moves until it is awaited: into one that awaits it among others.
  Joint(Joint&& other) noexcept(
      std::is_nothrow_move_constructible_v<std::tuple<As...>>)
      : awaited_(std::move(other.awaited_)) {}

  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;
  Joint& operator=(Joint&&) = delete;

  ~Joint() override { StopWaiting(); }

  void await_suspend(std::coroutine_handle<> /*frame*/) {
    Suspend(std::index_sequence_for<As...>());
  }

  auto await_resume() {
    run_->LeaveCall();
    run_->ThrowDelivered();
    StopWaiting();
    using Tuple = decltype(Results(std::index_sequence_for<As...>()));
    Tuple results = run_->LoggedResult<Tuple>(
        [this] { return Results(std::index_sequence_for<As...>()); });
    tasks_ = {};  // They have given away what they had.
    return results;
  }

  [[nodiscard]] std::string Describe() const override {
    std::string list;
    int count = 0;
    for (const TaskReference& task : tasks_) {
      const std::string part =
          task.node() != nullptr && WaitsWithoutTime(*task.node())
              ? task.node()->wait->Describe()
              : "";
      if (!part.empty()) {
        list += (list.empty() ? "" : ", ") + part;
        ++count;
      }
    }
    return count < 2 ? list : (kAll ? "all of (" : "one of (") + list + ")";
  }

  [[nodiscard]] std::uint32_t NumReady() const override {
    return static_cast<std::uint32_t>(
        std::ranges::count(tasks_, TaskState::kReady, [](const auto& task) {
          return task.node()->state;
        }));
  }

 private:
  static constexpr std::size_t kSize = sizeof...(As);

  template <std::size_t... kIndex>
  void Suspend(std::index_sequence<kIndex...> /*indices*/) {
    run_->CheckMaySpawn();
    const std::array<std::coroutine_handle<>, kSize> frames = {
        AwaitOne(std::move(std::get<kIndex>(awaited_))).Release(*run_)...};
    std::array<Node*, kSize> nodes{};
    run_->CallAll(frames, kAll ? kSize : 1, *this, nodes);
    ((tasks_[kIndex] = TaskReference(run_->nodes(), *nodes[kIndex])), ...);
  }

  template <std::size_t... kIndex>
  auto Results(std::index_sequence<kIndex...> /*indices*/) {
    if constexpr (kAll) {
      return std::tuple(Take<As>(tasks_[kIndex])...);
    } else {
      return std::tuple(TakeIfOver<As>(tasks_[kIndex])...);
    }
  }

  template <typename A>
  static ResultOfAwait<A> Take(const TaskReference& task) {
    if constexpr (Revocable<A>) {
      return ResultOf<RevocableResult<A>>(task).Take();
    } else {
      return std::move(ResultOf<ResultOfAwait<A>>(task));
    }
  }

  template <typename A>
  static std::optional<ResultOfAwait<A>> TakeIfOver(const TaskReference& task) {
    return task.is_over() ? std::optional(Take<A>(task)) : std::nullopt;
  }

  void StopWaiting() {
    for (const TaskReference& task : tasks_) {
      Run* run = task.run_if_any();
      if (run != nullptr && !task.is_over()) {
        run->CancelCalled(*task.node());
      }
    }
  }

  std::tuple<As...> awaited_;
  std::array<TaskReference, kSize> tasks_;
};

}  // namespace orrery::process::internal
