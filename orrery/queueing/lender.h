#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/statistics.h"

namespace orrery::queueing {

/// Of numbers or times. Plain data.
struct Summary {
  std::int64_t count = 0;
  double mean = 0;       ///< NaN if there are none.
  double deviation = 0;  ///< NaN for fewer than two.
  double min = 0;        ///< Infinite if there are none; `max` below all.
  double max = 0;
};

/// Of a number over time. Plain data.
struct Average {
  double mean = 0;  ///< Each value weighs as long as it held.
  double min = 0;
  double max = 0;
};

/// What a resource has seen since the start of the run or the last
/// ResetStatistics. Plain data.
struct ResourceStatistics {
  std::int64_t requests = 0;
  std::int64_t granted = 0;
  std::int64_t withdrawn = 0;  ///< Requests that ended before that.
  std::int64_t preempted = 0;  ///< Holdings that were taken away.
  double utilisation = 0;      ///< Units in use by those that there were.
  Average in_use;              ///< Units.
  Average queue;               ///< Requests that wait.
  Summary wait_s;              ///< Of those granted, from their request on.
};

class Holding;

namespace internal {

/// A duration, for sums that are exact up to 2^53 ns.
[[nodiscard]] inline double ToNs(Duration duration) noexcept {
  return static_cast<double>(duration.count());
}

/// Of nanoseconds, in seconds.
[[nodiscard]] Summary SummaryInSeconds(const Monitor& ns) noexcept;

[[nodiscard]] Average AverageOf(const TimeWeighted& number,
                                Duration now) noexcept;

/// A change of the priority of a request: of the task that waits.
struct Reprioritised {
  process::TaskId task;
  double priority = 0;
};

/// What has a number of units that tasks hold for some time, and a line of
/// those that wait for some.
class Lender : public process::Facility {
 public:
  /// Units that there are now, as of the last batch; so is all below.
  /// Conditions may read it: `co_await Until([&] { return servers.in_use() ==
  /// 0;
  /// })`.
  [[nodiscard]] std::int64_t capacity() const {
    return Observe(state_.capacity);
  }

  /// Units that are held.
  [[nodiscard]] std::int64_t in_use() const { return Observe(state_.in_use); }

  /// Less than zero when there are fewer than are held still.
  [[nodiscard]] std::int64_t available() const {
    return Observe(state_.capacity - state_.in_use);
  }

  /// In a task: there are `units` from the next batch on, from none up to as
  /// many as the resource was made with; see Shifts for times of day. Who holds
  /// more keeps them until he gives them back. Of several changes in one batch
  /// the least counts.
  /// @throws Error kInvalidArgument for less or more than that.
  void SetCapacity(std::int64_t units) {
    CheckCapacity(units);
    PostEffect(kOfCapacity | static_cast<std::uint64_t>(units));
  }

  /// Requests that wait.
  [[nodiscard]] std::int64_t queue_length() const {
    return Observe(state_.queue_length);
  }

  /// Up to now or, if there is no run any more, to the last change.
  [[nodiscard]] ResourceStatistics statistics() const;

  /// They begin now: a warm-up is over. Who waits then counts with all the time
  /// of its wait.
  void ResetStatistics() noexcept;

 protected:
  // What is posted beside units that go back.
  static constexpr std::uint64_t kOfCapacity = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kOfPriority = std::uint64_t{1} << 63U;

  /// @throws Error kInvalidArgument unless the capacity is positive.
  Lender(process::Model* owner, std::string_view name, std::int64_t capacity);

  /// @throws Error kInvalidArgument if there are not so many, or fewer than
  ///     one.
  void CheckUnits(std::int64_t units) const;

  /// @throws Error kInvalidArgument unless there may be so many.
  void CheckCapacity(std::int64_t units) const;

  /// @throws Error kInvalidArgument for what is not a number.
  void CheckPriority(double priority) const;

  /// For people: "2 of 'bank.tellers'".
  [[nodiscard]] std::string Wanted(std::int64_t units) const;

  /// All that changes, but for who waits and who holds what.
  struct State {
    std::int64_t capacity = 0;
    std::int64_t in_use = 0;
    std::int64_t queue_length = 0;
    std::int64_t requests = 0;
    std::int64_t withdrawn = 0;
    std::int64_t preempted = 0;
    TimeWeighted capacity_over_time;
    TimeWeighted units_over_time;
    TimeWeighted queue_over_time;
    Monitor waits_ns;
  };

  [[nodiscard]] const State& state() const noexcept { return state_; }

  void Reset() override;

  [[nodiscard]] std::shared_ptr<const void> Save() const override {
    return std::make_shared<const State>(state_);
  }

  void Restore(const void* saved) override {
    state_ = *static_cast<const State*>(saved);
  }

  // What follows is for when a batch is committed.

  /// All that was posted is known.
  void TakeCapacity() noexcept {
    state_.capacity = next_capacity_.value_or(state_.capacity);
    next_capacity_.reset();
  }

  [[nodiscard]] bool Fits(std::int64_t units) const noexcept {
    return units <= state_.capacity - state_.in_use;
  }

  /// The one of `requests` that is `task`'s, or that of a task that it has
  /// called; null if none is.
  template <typename R>
  [[nodiscard]] R* FindOf(const process::TaskId& task,
                          std::span<R* const> requests) const {
    const auto found = std::ranges::find_if(
        requests, [&](const R* request) { return IsOf(task, *request); });
    return found == requests.end() ? nullptr : *found;
  }

  void CountRequest() noexcept { ++state_.requests; }

  void CountWithdrawal() noexcept { ++state_.withdrawn; }

  void Lend(std::int64_t units, Duration waited) noexcept {
    state_.in_use += units;
    state_.waits_ns.Add(ToNs(waited));
  }

  void TakeAway(std::int64_t units) noexcept {
    state_.in_use -= units;
    ++state_.preempted;
  }

  /// When a holding ends: tells if it was made just then, as one is that has no
  /// name.
  /// @param moment at which it was made.
  void WarnIfAtOnce(std::int64_t units, std::uint64_t moment) noexcept;

  /// All is decided: this is what others see.
  void Show(std::size_t queue_length) noexcept {
    state_.queue_length = static_cast<std::int64_t>(queue_length);
    state_.capacity_over_time.Set(static_cast<double>(state_.capacity), now());
    state_.units_over_time.Set(static_cast<double>(state_.in_use), now());
    state_.queue_over_time.Set(static_cast<double>(state_.queue_length), now());
  }

  /// In a step: a request ends before it is granted.
  void PostWithdrawal() { Post(0); }

  /// In a step: units that a request was granted, and that are not wanted.
  void PostRelease(std::int64_t units) {
    Post(static_cast<std::uint64_t>(units));
  }

 private:
  friend class queueing::Holding;

  void OnPosted(std::uint64_t argument) override;

  /// The priority of a request is to change: by the number of the change.
  virtual void OnReprioritised(std::uint64_t /*number*/) {}

  [[nodiscard]] Duration now_or_last() const noexcept {
    return is_in_run() ? now() : state_.queue_over_time.since();
  }

  std::int64_t most_;                          // That there may be.
  std::optional<std::int64_t> next_capacity_;  // Of the batch at work.
  std::uint64_t run_number_ = 0;  // Holdings of earlier runs are void.
  State state_;
};

}  // namespace internal

/// Units of a resource that a task holds; they go back when it ends. To be
/// moved, not copied. It must not outlive the model of the resource.
class [[nodiscard]] Holding {
 public:
  /// Of nothing.
  Holding() = default;

  Holding(Holding&& other) noexcept
      : lender_(std::exchange(other.lender_, nullptr)),
        units_(other.units_),
        run_(other.run_),
        moment_(other.moment_) {}

  Holding& operator=(Holding&& other) noexcept {
    Holding taken(std::move(other));
    std::swap(lender_, taken.lender_);
    std::swap(units_, taken.units_);
    std::swap(run_, taken.run_);
    std::swap(moment_, taken.moment_);
    return *this;
  }

  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  ~Holding() {
    if (lender_ != nullptr) {
      lender_->WarnIfAtOnce(units_, moment_);
    }
    Release();
  }

  /// What one is made of: for snapshots.
  struct Memory {
    internal::Lender* lender = nullptr;
    std::int64_t units = 0;
  };

  [[nodiscard]] Memory memory() const noexcept { return {lender_, units_}; }

  /// For resources and snapshots.
  explicit Holding(const Memory& memory) noexcept
      : lender_(memory.lender),
        units_(memory.units),
        run_(lender_ == nullptr ? 0 : lender_->run_number_),
        moment_(lender_ == nullptr ? 0 : lender_->moment()) {}

  /// Gives the units back now: who waits for them gets them in the next batch.
  /// Without effect on what is void, and after the run.
  void Release() noexcept {
    internal::Lender* lender = std::exchange(lender_, nullptr);
    if (lender != nullptr && lender->is_in_run() &&
        lender->run_number_ == run_) {
      lender->PostRelease(units_);
    }
  }

  /// Whether it holds something.
  [[nodiscard]] explicit operator bool() const noexcept {
    return lender_ != nullptr;
  }

  /// 0 if it is void.
  [[nodiscard]] std::int64_t units() const noexcept {
    return lender_ == nullptr ? 0 : units_;
  }

 private:
  internal::Lender* lender_ = nullptr;
  std::int64_t units_ = 0;
  std::uint64_t run_ = 0;
  std::uint64_t moment_ = 0;  // When it was made.
};

}  // namespace orrery::queueing
