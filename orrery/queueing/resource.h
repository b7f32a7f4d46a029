#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/internal/wait_queue.h"
#include "orrery/queueing/lender.h"

namespace orrery::queueing {

namespace internal {

template <template <typename> typename LineOf>
class Servers;

/// A task's wait for units.
template <template <typename> typename LineOf>
class [[nodiscard]] Acquiring final : public process::Request {
 public:
  Acquiring(Servers<LineOf>& servers, std::int64_t units, double urgency)
      : Request(servers),
        priority(urgency),
        servers_(&servers),
        units_(units) {}

  /// Is called before it is awaited.
  Acquiring(Acquiring&& other) noexcept = default;

  Acquiring& operator=(Acquiring&&) = delete;
  Acquiring(const Acquiring&) = delete;
  Acquiring& operator=(const Acquiring&) = delete;

  ~Acquiring() override { Withdraw(); }

  [[nodiscard]] Holding await_resume() {
    ThrowDelivered([this] { Withdraw(); });
    state_ = State::kNew;
    return Holding({.lender = servers_, .units = units_});
  }

  [[nodiscard]] std::string Describe() const override {
    return servers_->Wanted(units_);
  }

  // Its neighbours, or its key and index, in the line.
  Acquiring* previous = nullptr;
  Acquiring* next = nullptr;
  double priority;
  std::size_t position = 0;

 private:
  friend class Servers<LineOf>;

  [[nodiscard]] std::uint64_t progress() const noexcept override {
    return std::bit_cast<std::uint64_t>(priority);
  }

  void SetProgress(std::uint64_t progress) noexcept override {
    priority = std::bit_cast<double>(progress);
  }

  enum class State : std::uint8_t { kNew, kWaiting, kGranted };

  void Withdraw() {
    if (state_ != State::kNew) {
      servers_->Abandon(*this);
      state_ = State::kNew;
    }
  }

  Servers<LineOf>* servers_;
  std::int64_t units_;
  State state_ = State::kNew;
};

/// Units that are lent to the first in a line.
template <template <typename> typename LineOf>
class Servers : public Lender {
 protected:
  using Lender::Lender;

  using Asking = Acquiring<LineOf>;

  Asking NewRequest(std::int64_t units, double priority) {
    CheckUnits(units);
    return {*this, units, priority};
  }

  /// To be called in a step.
  void Reprioritise(process::TaskId task, double priority) {
    reprioritised_.push_back({.task = task, .priority = priority});
    PostEffect(kOfPriority | (reprioritised_.size() - 1));
  }

 private:
  friend Asking;

  void OnRequested(process::Request& request) final {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-static-cast-downcast)
    auto& asking = static_cast<Asking&>(request);
    asking.state_ = Asking::State::kWaiting;
    queue_.Add(asking);
    CountRequest();
  }

  void Settle() final {
    TakeCapacity();
    reprioritised_.clear();
    for (Asking* first = queue_.first(); first != nullptr;
         first = queue_.first()) {
      if (!first->is_waiting()) {
        queue_.Remove(*first);
        first->state_ = Asking::State::kNew;
        CountWithdrawal();
        continue;
      }
      if (!Fits(first->units_)) {
        break;
      }
      queue_.Remove(*first);
      first->state_ = Asking::State::kGranted;
      Lend(first->units_, now() - first->asked());
      first->Wake();
    }
    Show(queue_.size());
  }

  void OnReprioritised(std::uint64_t number) final {
    if constexpr (std::same_as<LineOf<Asking>, PriorityWaitQueue<Asking>>) {
      const auto [task, priority] = reprioritised_[number];
      if (Asking* asking = FindOf(task, queue_.all())) {
        queue_.Remove(*asking);
        asking->priority = priority;
        queue_.Add(*asking);
      }
    }
  }

  // To be called in a step.
  void Abandon(Asking& asking) {
    if (asking.state_ == Asking::State::kGranted) {
      PostRelease(asking.units_);
    } else {
      queue_.Remove(asking);
      PostWithdrawal();
    }
  }

  LineOf<Asking> queue_;
  std::vector<Reprioritised> reprioritised_;  // Posted in the batch at work.
};

}  // namespace internal

/// Units, such as tellers or machines, that tasks acquire, hold for some time
/// and give back.
///
///     Resource tellers{this, "tellers", 2};
///
///     process::Task<> Customer() {
///       const Holding held = co_await tellers.Acquire();
///       co_await Delay(5min);
///     }
///
/// First come, first served: a request for several units waits until they are
/// free, and all behind it wait too, even for fewer. Requests of one batch come
/// in the order of their steps; units given back in a batch serve requests of
/// that batch. A request ends when its wait does (the task is cancelled or
/// interrupted, another of AnyOf came first); granted units go back.
class Resource : public internal::Servers<internal::WaitQueue> {
 public:
  /// @throws Error kInvalidArgument unless the capacity is positive; and as
  ///     Member does.
  Resource(process::Model* owner,
           std::string_view name,
           std::int64_t capacity = 1)
      : Servers(owner, name, capacity) {}

  /// `co_await` gives a Holding.
  /// @throws Error kInvalidArgument for a number of units below 1 or above the
  ///     number at construction.
  [[nodiscard]] Asking Acquire(std::int64_t units = 1) {
    return NewRequest(units, 0);
  }
};

/// The priority and size of a request.
struct Priority {
  double priority = 0;  ///< The lower, the sooner.
  std::int64_t units = 1;
};

/// A Resource where the most urgent request comes first; among equals the
/// first. Holdings are not preempted. The priority of a waiting request may
/// change.
class PriorityResource : public internal::Servers<internal::PriorityWaitQueue> {
 public:
  /// As the constructor of Resource.
  PriorityResource(process::Model* owner,
                   std::string_view name,
                   std::int64_t capacity = 1)
      : Servers(owner, name, capacity) {}

  /// `co_await machine.Acquire({.priority = 1})` gives a Holding.
  /// @throws Error kInvalidArgument as Resource::Acquire, and for a priority
  ///     that is NaN.
  [[nodiscard]] Asking Acquire(Priority request = {}) {
    CheckPriority(request.priority);
    return NewRequest(request.units, request.priority);
  }

  /// Changes the priority of the request with which `task`, or a task that it
  /// has called, waits here; without effect if there is none. To be called in a
  /// task.
  /// @throws Error kInvalidArgument for NaN.
  template <typename T>
  void SetPriority(const process::Handle<T>& task, double priority) {
    CheckPriority(priority);
    Reprioritise(IdOf(task.reference()), priority);
  }
};

}  // namespace orrery::queueing
