#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/internal/wait_queue.h"
#include "orrery/queueing/lender.h"

namespace orrery::queueing {

/// Is thrown where a task waits whose units were given to a more urgent one.
class Preempted : public process::Interrupted {
 public:
  /// @param by the other task, as "day > Repair".
  /// @param since the time at which the units were granted.
  Preempted(const std::string& resource,
            std::string by,
            Duration since,
            Duration now);

  /// The task that has the units now, after its ancestors.
  [[nodiscard]] const std::string& by() const noexcept { return by_; }

  /// The time at which the units were granted.
  [[nodiscard]] Duration since() const noexcept { return since_; }

  /// The time for which they were held.
  [[nodiscard]] Duration usage() const noexcept { return usage_; }

 private:
  std::string by_;
  Duration since_;
  Duration usage_;
};

/// A request that may preempt holdings.
struct PreemptivePriority {
  double priority = 0;  ///< The lower, the sooner.
  bool preempts = true;
  std::int64_t units = 1;
};

class PreemptiveResource;

/// Units of a resource that a task holds until it gives them back or they are
/// preempted. In the latter case it becomes void, and Preempted is thrown where
/// its owner waits: the task that has moved it last (at first, the one that
/// acquired it). If it is the result of one of several things in AllOf or
/// AnyOf, or of a called task, the exception is thrown where that is awaited.
/// If another exception comes first, this one is thrown afterwards, unless the
/// holding is gone by then.
class [[nodiscard]] PreemptibleHolding {
 public:
  /// Holds nothing.
  PreemptibleHolding() = default;

  PreemptibleHolding(PreemptibleHolding&& other) noexcept;
  PreemptibleHolding& operator=(PreemptibleHolding&& other) noexcept;
  PreemptibleHolding(const PreemptibleHolding&) = delete;
  PreemptibleHolding& operator=(const PreemptibleHolding&) = delete;

  ~PreemptibleHolding();

  /// Gives the units back now; waiting requests get them in the next batch.
  /// Without effect if it is void, or after the run.
  void Release() noexcept;

  /// True if it holds units.
  [[nodiscard]] explicit operator bool() const;

  /// The number of units; 0 if it is void.
  [[nodiscard]] std::int64_t units() const {
    return *this ? made_of_.units : 0;
  }

  /// The data for another holding, for snapshots.
  struct Memory {
    PreemptiveResource* resource = nullptr;
    std::int64_t units = 0;
    double priority = 0;
    std::uint64_t order = 0;  ///< The order of its request.
    Duration since{};         ///< The time of the grant.
  };

  [[nodiscard]] const Memory& memory() const noexcept { return made_of_; }

  /// Is called by resources and snapshots.
  explicit PreemptibleHolding(const Memory& memory);

  // Its index in the resource's line of holdings.
  std::size_t position = 0;

 private:
  friend class PreemptiveResource;

  void TakeFrom(PreemptibleHolding& other) noexcept;

  Memory made_of_;
  bool is_taken_ = false;
  std::exception_ptr told_;  // If preempted: the exception for its owner.
  process::TaskId owner_;
  std::uint64_t moment_ = 0;  // The moment at which it was made.
};

/// Units that tasks acquire, hold and give back, and that an urgent request
/// preempts from less urgent holdings: the least urgent first, among equals the
/// latest, and only if that frees enough. Requests wait as at a
/// PriorityResource: behind a request that neither fits nor preempts all less
/// urgent ones wait. A task does not preempt itself, nor tasks that wait for it
/// in a call. A request that could be granted only so fails.
///
///     process::Task<> Job() {
///       try {
///         const PreemptibleHolding held =
///             co_await machine.Acquire({.priority = 2});
///         co_await Delay(10min);
///       } catch (const Preempted& preempted) {
///         left -= preempted.usage();
///       }
///     }
class PreemptiveResource : public internal::Lender {
 public:
  /// A task's wait for units.
  class [[nodiscard]] Acquiring final : public process::Request {
   public:
    Acquiring(PreemptiveResource& resource, const PreemptivePriority& request)
        : Request(resource),
          priority(request.priority),
          resource_(&resource),
          request_(request) {}

    /// Is called before the request is awaited.
    Acquiring(Acquiring&& other) noexcept = default;

    Acquiring& operator=(Acquiring&&) = delete;
    Acquiring(const Acquiring&) = delete;
    Acquiring& operator=(const Acquiring&) = delete;

    ~Acquiring() override { Withdraw(); }

    [[nodiscard]] PreemptibleHolding await_resume() {
      ThrowDelivered([this] { Withdraw(); });
      state_ = State::kNew;
      return Give<PreemptibleHolding>(
          [this] { return resource_->Take(*this); });
    }

    [[nodiscard]] std::string Describe() const override {
      return resource_->Wanted(request_.units);
    }

    // Its key and index in the line.
    double priority;
    std::size_t position = 0;

   private:
    friend class PreemptiveResource;

    enum class State : std::uint8_t { kNew, kWaiting, kGranted };

    [[nodiscard]] std::uint64_t progress() const noexcept override {
      return std::bit_cast<std::uint64_t>(priority);
    }

    void SetProgress(std::uint64_t progress) noexcept override {
      priority = std::bit_cast<double>(progress);
    }

    void Withdraw() {
      if (state_ != State::kNew) {
        resource_->Abandon(*this);
        state_ = State::kNew;
      }
    }

    PreemptiveResource* resource_;
    PreemptivePriority request_;
    Duration granted_{};
    State state_ = State::kNew;
  };

  /// As the constructor of Resource.
  PreemptiveResource(process::Model* owner,
                     std::string_view name,
                     std::int64_t capacity = 1)
      : Lender(owner, name, capacity) {}

  /// `co_await` gives a PreemptibleHolding.
  /// @throws Error kInvalidArgument for a number of units below 1 or above the
  ///     capacity, and for a priority that is NaN.
  [[nodiscard]] Acquiring Acquire(const PreemptivePriority& request = {}) {
    CheckUnits(request.units);
    CheckPriority(request.priority);
    return {*this, request};
  }

  /// As PriorityResource::SetPriority. Holdings keep their priority.
  template <typename T>
  void SetPriority(const process::Handle<T>& task, double priority) {
    CheckPriority(priority);
    reprioritised_.push_back(
        {.task = IdOf(task.reference()), .priority = priority});
    PostEffect(kOfPriority | (reprioritised_.size() - 1));
  }

  /// Like SetCapacity, but preempts holdings beyond the capacity at once, as a
  /// most urgent request would. `by` of Preempted is "SetCapacity".
  /// @throws Error as SetCapacity.
  void SetCapacityNow(std::int64_t units) {
    SetCapacity(units);
    PostEffect(kOfPriority | kTakesNow);
  }

 private:
  friend class PreemptibleHolding;

  struct Saved {
    State state;
    std::vector<std::uint64_t> held;  // The orders of holdings.
  };

  // The order of preemption: the least urgent, then the latest first.
  struct LosesBefore {
    bool operator()(const PreemptibleHolding& a,
                    const PreemptibleHolding& b) const noexcept {
      return a.made_of_.priority != b.made_of_.priority
                 ? a.made_of_.priority > b.made_of_.priority
                 : a.made_of_.order > b.made_of_.order;
    }
  };

  void Reset() override;
  [[nodiscard]] std::shared_ptr<const void> Save() const override;
  void Restore(const void* saved) override;
  void OnRequested(process::Request& request) override;
  void OnReprioritised(std::uint64_t number) override;
  void Settle() override;

  enum class Room : std::uint8_t { kMade, kNone, kOwn };

  Room MakeRoom(const Acquiring& asking);
  void RefuseOwn(Acquiring& asking);
  void Preempt(PreemptibleHolding& holding, const std::string& by);

  // --- For use in a step.
  void Abandon(Acquiring& asking);
  PreemptibleHolding Take(const Acquiring& asking);
  void GiveBack(PreemptibleHolding& holding) noexcept;

  [[nodiscard]] bool IsTaken(const PreemptibleHolding& holding) const {
    return Told(holding.is_taken_);
  }

  // Posted in the place of the number of a change of priority.
  static constexpr std::uint64_t kTakesNow = std::uint64_t{1} << 61U;

  internal::PriorityWaitQueue<Acquiring> queue_;
  internal::OrderedWaitQueue<PreemptibleHolding, LosesBefore> holdings_;
  // Posted in the batch at work.
  std::vector<internal::Reprioritised> reprioritised_;
  bool takes_now_ = false;
};

}  // namespace orrery::queueing
