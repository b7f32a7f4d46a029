#pragma once

#include <concepts>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "orrery/process/run/run.h"
#include "orrery/process/tasks/joint.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process {

/// A wait whose type is known only when the model runs, as in an interpreter or
/// in a list of waits of several types. All have results of one type R. It is
/// awaited once, alone or in AnyOf and AllOf.
///
///     std::vector<AnyWait<int>> waits;
///     waits.push_back(AnyWait<int>::Of(store.Get()));
///     waits.push_back(AnyWait<int>::Of(Delay(5s), [] { return -1; }));
///     const auto results = co_await AnyOf(std::move(waits));
template <typename R>
class [[nodiscard]] AnyWait : public internal::Awaitable {
 public:
  /// The wait itself. Derive from it for waits that lie elsewhere.
  class Part {
   public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    /// Ends the wait, and gives back a result that was not taken.
    virtual ~Part() = default;

    /// @returns true if there is nothing to wait for.
    [[nodiscard]] virtual bool IsReady(internal::Run& /*run*/) { return false; }

    /// Begins to wait, in the step of the task.
    virtual void Suspend(internal::Run& run, std::coroutine_handle<> frame) = 0;

    /// Ends the wait, in the step in which the task goes on, and keeps the
    /// result. Throws what was delivered to the task.
    virtual void Resume() = 0;

    /// The result; once, after Resume.
    virtual R Take() = 0;

    /// The name of the task that it calls, or "".
    [[nodiscard]] virtual const char* callee() const { return ""; }
  };

  /// The wait for an `A`, with the conversion of its result.
  template <typename A, typename F>
  class PartOf;

  explicit AnyWait(std::unique_ptr<Part> part) noexcept
      : part_(std::move(part)) {}

  /// @param awaited all that a task can await.
  /// @param convert makes the result of the one of `awaited`, or of nothing if
  ///     that has none.
  template <internal::Awaited A, typename F = std::identity>
  static AnyWait Of(A&& awaited, F convert = {}) {
    return AnyWait(std::make_unique<PartOf<std::decay_t<A>, F>>(
        std::forward<A>(awaited), std::move(convert)));
  }

  [[nodiscard]] const char* callee() const { return part_->callee(); }

  [[nodiscard]] bool await_ready() const { return part_->IsReady(*run_); }

  void await_suspend(std::coroutine_handle<> frame) {
    part_->Suspend(*run_, frame);
  }

  R await_resume() {
    part_->Resume();
    return part_->Take();
  }

  /// A result that goes back unless it is taken.
  class Result {
   public:
    explicit Result(std::unique_ptr<Part> part) noexcept
        : part_(std::move(part)) {}

    R Take() { return part_->Take(); }

   private:
    std::unique_ptr<Part> part_;
  };

  /// For AnyOf and AllOf.
  Result ResumeRevocably() {
    part_->Resume();
    return Result(std::move(part_));
  }

 private:
  std::unique_ptr<Part> part_;
};

namespace internal {

// The wait of a task: a handle and a delay become waits only in a run.
template <typename A>
struct WaitOf {
  using Type = A;

  static void Prepare(Run& run, A& awaited, std::optional<A>& wait) {
    wait.emplace(std::move(awaited));
    wait->SetRun(run);
  }
};

template <typename T>
struct WaitOf<Handle<T>> {
  using Type = Joining<T>;

  static void Prepare(Run& run,
                      const Handle<T>& handle,
                      std::optional<Type>& wait) {
    wait.emplace(run, handle);
  }
};

template <>
struct WaitOf<Delaying> {
  using Type = Sleeping;

  static void Prepare(Run& run,
                      Delaying delaying,
                      std::optional<Sleeping>& wait) {
    wait.emplace(run, delaying);
  }
};

}  // namespace internal

template <typename R>
template <typename A, typename F>
class AnyWait<R>::PartOf final : public AnyWait<R>::Part {
 public:
  template <typename Given>
  PartOf(Given&& awaited, F convert)
      : awaited_(std::forward<Given>(awaited)), convert_(std::move(convert)) {}

  [[nodiscard]] bool IsReady(internal::Run& run) override {
    internal::WaitOf<A>::Prepare(run, awaited_, wait_);
    return wait_->await_ready();
  }

  void Suspend(internal::Run& /*run*/, std::coroutine_handle<> frame) override {
    wait_->await_suspend(frame);
  }

  void Resume() override {
    if constexpr (internal::Revocable<A>) {
      result_.emplace(wait_->ResumeRevocably());
    } else if constexpr (kIsVoid) {
      wait_->await_resume();
    } else {
      result_.emplace(wait_->await_resume());
    }
  }

  R Take() override {
    if constexpr (internal::Revocable<A>) {
      return Converted([this] { return result_->Take(); });
    } else if constexpr (kIsVoid) {
      return static_cast<R>(std::invoke(convert_));
    } else {
      return static_cast<R>(std::invoke(convert_, *std::move(result_)));
    }
  }

  [[nodiscard]] const char* callee() const override {
    if constexpr (requires(const A& a) { a.callee(); }) {
      return awaited_.callee();
    } else {
      return "";
    }
  }

 private:
  using Plain = typename internal::ResultOfAwaiting<A>::Type;
  static constexpr bool kIsVoid = std::is_void_v<Plain>;

  // A revocable wait without a result gives a std::monostate, or nothing.
  template <typename Taking>
  R Converted(Taking take) {
    if constexpr (kIsVoid) {
      static_cast<void>(take());
      return static_cast<R>(std::invoke(convert_));
    } else {
      return static_cast<R>(std::invoke(convert_, take()));
    }
  }

  static auto KeptResult() {
    if constexpr (internal::Revocable<A>) {
      return std::optional<internal::RevocableResult<A>>();
    } else if constexpr (kIsVoid) {
      return std::monostate();
    } else {
      return std::optional<std::decay_t<Plain>>();
    }
  }

  A awaited_;
  F convert_;
  // Declared before the result, which may refer to it.
  std::optional<typename internal::WaitOf<A>::Type> wait_;
  decltype(KeptResult()) result_;
};

}  // namespace orrery::process
