#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/numbers/estimate.h"
#include "orrery/base/time.h"
#include "orrery/process/model/stateful.h"

namespace orrery::queueing {

/// Takes observations, such as times that customers waited, and keeps none.
/// Tasks that observe in one batch do so one after the other: in another order
/// (Options::shuffle) the last bits of sums may differ.
class Monitor {
 public:
  void Add(double value) noexcept {
    ++count_;
    sum_ += value;
    const double off = value - mean_;
    mean_ += off / static_cast<double>(count_);
    squares_ += off * (value - mean_);
    min_ = value < min_ ? value : min_;
    max_ = value > max_ ? value : max_;
  }

  void Reset() noexcept { *this = Monitor(); }

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  [[nodiscard]] double sum() const noexcept { return sum_; }

  /// NaN if there are none.
  [[nodiscard]] double mean() const noexcept;

  /// Of an observation, with the divisor count - 1; NaN for fewer than two.
  /// Welford, "Note on a method for calculating corrected sums of squares and
  /// products", Technometrics 4 (1962) 419-420.
  [[nodiscard]] double deviation() const noexcept;

  /// Infinite if there are none.
  [[nodiscard]] double min() const noexcept { return min_; }

  /// Below all numbers if there are none.
  [[nodiscard]] double max() const noexcept { return max_; }

 private:
  std::int64_t count_ = 0;
  double sum_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Of the distances from the mean.
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

/// Takes observations and keeps them all.
class Sample {
 public:
  void Add(double value) { values_.push_back(value); }

  void Reset() noexcept { values_.clear(); }

  /// In the order in which they came.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

  [[nodiscard]] Monitor Summary() const noexcept;

  /// The value below which the share `p` of the sample lies, by the straight
  /// line between its neighbours: definition 7 of Hyndman & Fan, "Sample
  /// quantiles in statistical packages", Amer. Statist. 50 (1996) 361-365.
  /// @throws Error kInvalidArgument if there are none, or `p` is outside
  ///     [0, 1].
  [[nodiscard]] double Quantile(double p) const;

 private:
  std::vector<double> values_;
};

/// Estimates a quantile of observations that it does not keep: Jain & Chlamtac,
/// "The P2 algorithm for dynamic calculation of quantiles and histograms
/// without storing observations", Comm. ACM 28 (1985) 1076-1085.
class QuantileMonitor {
 public:
  /// @throws Error kInvalidArgument for `p` outside (0, 1).
  explicit QuantileMonitor(double p);

  void Add(double value) noexcept;

  void Reset() noexcept { *this = QuantileMonitor(p_); }

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// Exact for up to five observations; NaN if there are none.
  [[nodiscard]] double value() const;

 private:
  static constexpr int kMarkers = 5;

  void Adjust(int i) noexcept;

  double p_;
  std::int64_t count_ = 0;
  double heights_[kMarkers] = {};
  double positions_[kMarkers] = {0, 1, 2, 3, 4};
  double desired_[kMarkers] = {};
  double increments_[kMarkers] = {};
};

/// A number that holds from one change to the next, such as those that wait.
/// Its averages weigh each value with the time that it held.
class TimeWeighted {
 public:
  /// @param begin of the time that counts.
  explicit TimeWeighted(double value = 0, Duration begin = {}) noexcept
      : value_(value), begin_(begin), since_(begin), min_(value), max_(value) {}

  /// From `now` on it is `value`.
  /// @param now not before the last change.
  void Set(double value, Duration now) noexcept {
    area_ns_ += value_ * static_cast<double>((now - since_).count());
    since_ = now;
    value_ = value;
    min_ = value < min_ ? value : min_;
    max_ = value > max_ ? value : max_;
  }

  void Add(double change, Duration now) noexcept { Set(value_ + change, now); }

  /// What was before does not count: the end of a warm-up.
  void Reset(Duration now) noexcept { *this = TimeWeighted(value_, now); }

  [[nodiscard]] double value() const noexcept { return value_; }

  /// Over the time up to `now`; the value, if that is none. Sums of whole
  /// numbers over nanoseconds are exact up to 2^53.
  [[nodiscard]] double Mean(Duration now) const noexcept {
    return now == begin_
               ? value_
               : AreaNs(now) / static_cast<double>((now - begin_).count());
  }

  /// The integral over time up to `now`.
  [[nodiscard]] double AreaSeconds(Duration now) const noexcept {
    return AreaNs(now) / 1e9;
  }

  /// Of the values it had, however short.
  [[nodiscard]] double min() const noexcept { return min_; }

  [[nodiscard]] double max() const noexcept { return max_; }

  /// Of the last change.
  [[nodiscard]] Duration since() const noexcept { return since_; }

 private:
  [[nodiscard]] double AreaNs(Duration now) const noexcept {
    return area_ns_ + value_ * static_cast<double>((now - since_).count());
  }

  double value_;
  double area_ns_ = 0;  // Up to since_.
  Duration begin_;
  Duration since_;
  double min_;
  double max_;
};

/// An interval for the mean of observations that depend on each other, such as
/// waiting times of one long run: means of batches that are long enough to be
/// nearly independent. Law & Carson, "A sequential procedure for determining
/// the length of a steady-state simulation", Oper. Res. 27 (1979) 1011-1025.
class BatchMeans {
 public:
  /// @param batch observations in a batch.
  /// @param warm_up observations that come first and are left out.
  /// @throws Error kInvalidArgument for an empty batch or less than no warm-up.
  explicit BatchMeans(std::int64_t batch, std::int64_t warm_up = 0);

  void Add(double value);

  /// Of the full batches.
  [[nodiscard]] std::span<const double> means() const noexcept {
    return means_;
  }

  /// Its `count` is of batches.
  [[nodiscard]] Estimate estimate() const { return EstimateMean(means_); }

  /// The correlation of each batch with the next, which is to be near 0; if it
  /// is not, batches are too short. NaN for fewer than three batches.
  [[nodiscard]] double Correlation() const noexcept;

 private:
  std::int64_t batch_;
  std::int64_t left_out_;
  std::int64_t count_ = 0;  // In the batch at work.
  double sum_ = 0;
  std::vector<double> means_;
};

/// One of the above as a member of a model: each run begins it anew, and a
/// snapshot of the run keeps it.
///
///     Statistic<Monitor> stays_s{this, "stays_s"};
///     Statistic<TimeWeighted> present{this, "present"};
///     ...
///     present.Add(1);
///     stays_s.Add(Seconds(Now() - arrival).value);
///
/// Between steps and after the run `stays_s.Get().mean()` reads it.
template <std::copyable S>
class Statistic : public process::Stateful {
 public:
  /// @param arguments of S.
  /// @throws Error as Member does.
  template <typename... Arguments>
  Statistic(process::Model* owner,
            std::string_view name,
            Arguments&&... arguments)
      : Stateful(owner, name),
        initial_(std::forward<Arguments>(arguments)...),
        state_(initial_) {}

  /// In a task: an observation or, of a TimeWeighted, a change, now.
  void Add(double value) {
    if constexpr (kIsTimed) {
      state_.Add(value, now());
    } else {
      state_.Add(value);
    }
  }

  /// In a task: from now on it is `value`.
  void Set(double value) requires std::same_as<S, TimeWeighted> {
    state_.Set(value, now());
  }

  /// It begins now: a warm-up is over.
  void ResetStatistics() {
    if constexpr (kIsTimed) {
      state_.Reset(now());
    } else {
      state_ = initial_;
    }
  }

  [[nodiscard]] S Get() const { return Told(state_); }

 private:
  static constexpr bool kIsTimed = std::same_as<S, TimeWeighted>;

  void Reset() override {
    state_ = initial_;
    ResetStatistics();
  }

  [[nodiscard]] std::shared_ptr<const void> Save() const override {
    return std::make_shared<const S>(state_);
  }

  void Restore(const void* saved) override {
    state_ = *static_cast<const S*>(saved);
  }

  S initial_;
  S state_;
};

}  // namespace orrery::queueing
