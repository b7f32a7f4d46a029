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

/// Statistics of numbers or times. Plain data.
struct Summary {
  std::int64_t count = 0;
  double mean = 0;       ///< NaN without values.
  double deviation = 0;  ///< Standard deviation; NaN for fewer than two values.
  double min = 0;        ///< +infinity without values; `max` is then -infinity.
  double max = 0;
};

/// Statistics of a number over time. Plain data.
struct Average {
  double mean = 0;  ///< Weighted by time.
  double min = 0;
  double max = 0;
};

/// Statistics of a resource since the start of the run or the last
/// ResetStatistics. Plain data.
struct ResourceStatistics {
  std::int64_t requests = 0;
  std::int64_t granted = 0;
  /// Requests that ended before they were granted.
  std::int64_t withdrawn = 0;
  std::int64_t preempted = 0;  ///< Holdings that were preempted.
  double utilisation = 0;      ///< Mean units in use over mean capacity.
  Average in_use;              ///< Units.
  Average queue;               ///< Waiting requests.
  Summary wait_s;              ///< From request to grant, of granted requests.
};

class Holding;

namespace internal {

/// A duration in nanoseconds, for sums that are exact up to 2^53 ns.
[[nodiscard]] inline double ToNs(Duration duration) noexcept {
  return static_cast<double>(duration.count());
}

/// Converts statistics of nanoseconds to seconds.
[[nodiscard]] Summary SummaryInSeconds(const Monitor& ns) noexcept;

[[nodiscard]] Average AverageOf(const TimeWeighted& number,
                                Duration now) noexcept;

/// A change of the priority of the request of a waiting task.
struct Reprioritised {
  process::TaskId task;
  double priority = 0;
};

/// A facility with a number of units that tasks hold for some time, and a line
/// of waiting requests.
class Lender : public process::Facility {
 public:
  /// The number of units. Like all values below, it is that after the last
  /// batch. Conditions may read it:
  /// `co_await Until([&] { return servers.in_use() == 0; })`.
  [[nodiscard]] std::int64_t capacity() const {
    return Observe(state_.capacity);
  }

  /// The number of units that are held.
  [[nodiscard]] std::int64_t in_use() const { return Observe(state_.in_use); }

  /// The number of free units. Negative while more are held than the capacity.
  [[nodiscard]] std::int64_t available() const {
    return Observe(state_.capacity - state_.in_use);
  }

  /// Sets the capacity from the next batch on, from 0 up to the number at
  /// construction; see Shifts for times of day. To be called in a task. A task
  /// that holds more units keeps them until it gives them back. Of several
  /// changes in one batch the least counts.
  /// @throws Error kInvalidArgument for a number out of range.
  void SetCapacity(std::int64_t units) {
    CheckCapacity(units);
    PostEffect(kOfCapacity | static_cast<std::uint64_t>(units));
  }

  /// The number of waiting requests.
  [[nodiscard]] std::int64_t queue_length() const {
    return Observe(state_.queue_length);
  }

  /// Statistics up to now or, after the run, to the last change.
  [[nodiscard]] ResourceStatistics statistics() const;

  /// Restarts the statistics, at the end of a warm-up. Requests that wait count
  /// with their whole wait.
  void ResetStatistics() noexcept;

 protected:
  // Flags of posts other than units that go back.
  static constexpr std::uint64_t kOfCapacity = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kOfPriority = std::uint64_t{1} << 63U;

  /// @throws Error kInvalidArgument unless the capacity is positive.
  Lender(process::Model* owner, std::string_view name, std::int64_t capacity);

  /// @throws Error kInvalidArgument unless `units` is from 1 to the number at
  ///     construction.
  void CheckUnits(std::int64_t units) const;

  /// @throws Error kInvalidArgument unless `units` is from 0 to that number.
  void CheckCapacity(std::int64_t units) const;

  /// @throws Error kInvalidArgument for NaN.
  void CheckPriority(double priority) const;

  /// A text for users: "2 of 'bank.tellers'".
  [[nodiscard]] std::string Wanted(std::int64_t units) const;

  /// The state, without requests and holdings.
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

  // --- For use when a batch is committed.

  /// Sets the posted capacity. To be called after all posts.
  void TakeCapacity() noexcept {
    state_.capacity = next_capacity_.value_or(state_.capacity);
    next_capacity_.reset();
  }

  [[nodiscard]] bool Fits(std::int64_t units) const noexcept {
    return units <= state_.capacity - state_.in_use;
  }

  /// The request of `requests` that `task`, or a task that it has called, waits
  /// with; null if there is none.
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

  /// Warns if a holding ends at the moment at which it was made, as an unnamed
  /// one does. To be called when a holding ends.
  /// @param moment the moment at which it was made.
  void WarnIfAtOnce(std::int64_t units, std::uint64_t moment) noexcept;

  /// Shows others the decided state.
  void Show(std::size_t queue_length) noexcept {
    state_.queue_length = static_cast<std::int64_t>(queue_length);
    state_.capacity_over_time.Set(static_cast<double>(state_.capacity), now());
    state_.units_over_time.Set(static_cast<double>(state_.in_use), now());
    state_.queue_over_time.Set(static_cast<double>(state_.queue_length), now());
  }

  /// Posts that a request ended before it was granted. To be called in a step.
  void PostWithdrawal() { Post(0); }

  /// Posts that units go back. To be called in a step.
  void PostRelease(std::int64_t units) {
    Post(static_cast<std::uint64_t>(units));
  }

 private:
  friend class queueing::Holding;

  void OnPosted(std::uint64_t argument) override;

  /// Changes the priority of a request, by the number of the change.
  virtual void OnReprioritised(std::uint64_t /*number*/) {}

  [[nodiscard]] Duration now_or_last() const noexcept {
    return is_in_run() ? now() : state_.queue_over_time.since();
  }

  std::int64_t most_;                          // The greatest capacity.
  std::optional<std::int64_t> next_capacity_;  // Posted in the batch at work.
  std::uint64_t run_number_ = 0;  // Holdings of earlier runs are void.
  State state_;
};

}  // namespace internal

/// Units of a resource that a task holds. They go back when it is destroyed.
/// Movable, not copyable. It must not outlive the model of the resource.
class [[nodiscard]] Holding {
 public:
  /// Holds nothing.
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

  /// The data for another holding, for snapshots.
  struct Memory {
    internal::Lender* lender = nullptr;
    std::int64_t units = 0;
  };

  [[nodiscard]] Memory memory() const noexcept { return {lender_, units_}; }

  /// Is called by resources and snapshots.
  explicit Holding(const Memory& memory) noexcept
      : lender_(memory.lender),
        units_(memory.units),
        run_(lender_ == nullptr ? 0 : lender_->run_number_),
        moment_(lender_ == nullptr ? 0 : lender_->moment()) {}

  /// Gives the units back now; waiting requests get them in the next batch.
  /// Without effect if it is void, or after the run.
  void Release() noexcept {
    internal::Lender* lender = std::exchange(lender_, nullptr);
    if (lender != nullptr && lender->is_in_run() &&
        lender->run_number_ == run_) {
      lender->PostRelease(units_);
    }
  }

  /// True if it holds units.
  [[nodiscard]] explicit operator bool() const noexcept {
    return lender_ != nullptr;
  }

  /// The number of units; 0 if it is void.
  [[nodiscard]] std::int64_t units() const noexcept {
    return lender_ == nullptr ? 0 : units_;
  }

 private:
  internal::Lender* lender_ = nullptr;
  std::int64_t units_ = 0;
  std::uint64_t run_ = 0;
  std::uint64_t moment_ = 0;  // The moment at which it was made.
};

}  // namespace orrery::queueing
