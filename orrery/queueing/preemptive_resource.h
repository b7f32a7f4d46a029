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
#include "orrery/queueing/internal/line.h"
#include "orrery/queueing/lender.h"

namespace orrery::queueing {

/// Thrown where a task waits whose units were given to a more urgent one.
class Preempted : public process::Interrupted {
 public:
  /// @param by as "day > Repair".
  /// @param since when the units were granted.
  Preempted(const std::string& resource,
            std::string by,
            Duration since,
            Duration now);

  /// The task that has the units now, with those that spawned it.
  [[nodiscard]] const std::string& by() const noexcept { return by_; }

  /// When the units were granted.
  [[nodiscard]] Duration since() const noexcept { return since_; }

  /// How long they were held.
  [[nodiscard]] Duration usage() const noexcept { return usage_; }

 private:
  std::string by_;
  Duration since_;
  Duration usage_;
};

/// A request for units that others may have to yield.
struct PreemptivePriority {
  double priority = 0;  ///< The lower, the sooner.
  bool preempts = true;
  std::int64_t units = 1;
};

class PreemptiveResource;

/// Units of a resource that a task holds until it gives them back or another
/// takes them: then it is void, and Preempted is thrown where the task waits
/// that has moved it last (at first, the one that acquired it). Where it is one
/// of several things that AllOf or AnyOf await, or the result of a task that is
/// called, it is thrown where that is awaited. Who has been told of something
/// else first is told afterwards, unless the holding is gone by then.
class [[nodiscard]] PreemptibleHolding {
 public:
  /// Of nothing.
  PreemptibleHolding() = default;

  PreemptibleHolding(PreemptibleHolding&& other) noexcept;
  PreemptibleHolding& operator=(PreemptibleHolding&& other) noexcept;
  PreemptibleHolding(const PreemptibleHolding&) = delete;
  PreemptibleHolding& operator=(const PreemptibleHolding&) = delete;

  ~PreemptibleHolding();

  /// Gives the units back now: who waits for them gets them in the next batch.
  /// Without effect on what is void, and after the run.
  void Release() noexcept;

  /// Whether it holds something.
  [[nodiscard]] explicit operator bool() const;

  /// 0 if it is void.
  [[nodiscard]] std::int64_t units() const {
    return *this ? made_of_.units : 0;
  }

  /// What one is made of: for snapshots.
  struct Memory {
    PreemptiveResource* resource = nullptr;
    std::int64_t units = 0;
    double priority = 0;
    std::uint64_t order = 0;  ///< Of the request.
    Duration since{};         ///< When the units were granted.
  };

  [[nodiscard]] const Memory& memory() const noexcept { return made_of_; }

  /// For resources and snapshots.
  explicit PreemptibleHolding(const Memory& memory);

  // Its place among those of the resource.
  std::size_t position = 0;

 private:
  friend class PreemptiveResource;

  void TakeFrom(PreemptibleHolding& other) noexcept;

  Memory made_of_;
  bool is_taken_ = false;
  std::exception_ptr told_;  // If it is taken: what its owner is told.
  process::TaskId owner_;
  std::uint64_t moment_ = 0;  // When it was made.
};

/// Units that tasks acquire, hold and give back, and that a more urgent task
/// takes from less urgent ones: from the least urgent first, among equals from
/// who came last, and only if that makes enough free. Who waits does so as at a
/// PriorityResource: behind a request that neither fits nor preempts wait all
/// that are less urgent. A task does not take from itself, nor from those that
/// wait for it in a call: a request that could be granted only so fails.
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

    /// Before it is awaited.
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

    // Its place in the line.
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

  /// As Resource.
  PreemptiveResource(process::Model* owner,
                     std::string_view name,
                     std::int64_t capacity = 1)
      : Lender(owner, name, capacity) {}

  /// `co_await` gives a PreemptibleHolding.
  /// @throws Error kInvalidArgument for fewer than one, more than there are,
  ///     and for a priority that is not a number.
  [[nodiscard]] Acquiring Acquire(const PreemptivePriority& request = {}) {
    CheckUnits(request.units);
    CheckPriority(request.priority);
    return {*this, request};
  }

  /// As PriorityResource. Who holds units keeps the priority that he had.
  template <typename T>
  void SetPriority(const process::Handle<T>& task, double priority) {
    CheckPriority(priority);
    reprioritised_.push_back(
        {.task = IdOf(task.reference()), .priority = priority});
    PostEffect(kOfPriority | (reprioritised_.size() - 1));
  }

  /// As SetCapacity, but takes units at once from those who hold too many: as a
  /// request that is more urgent than all would, but for `by` of Preempted,
  /// which is "SetCapacity".
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

  // Whose units are taken first: the least urgent, then the latest.
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

  // In a step.
  void Abandon(Acquiring& asking);
  PreemptibleHolding Take(const Acquiring& asking);
  void GiveBack(PreemptibleHolding& holding) noexcept;

  [[nodiscard]] bool IsTaken(const PreemptibleHolding& holding) const {
    return Told(holding.is_taken_);
  }

  // Instead of the number of a change of priority.
  static constexpr std::uint64_t kTakesNow = std::uint64_t{1} << 61U;

  internal::PriorityLine<Acquiring> line_;
  internal::OrderedLine<PreemptibleHolding, LosesBefore> holdings_;
  std::vector<internal::Reprioritised> reprioritised_;  // In the batch.
  bool takes_now_ = false;
};

}  // namespace orrery::queueing
