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

/// Statistics of observations, such as waiting times, which it does not keep.
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

  /// NaN without observations.
  [[nodiscard]] double mean() const noexcept;

  /// The standard deviation of an observation, with the divisor count - 1; NaN
  /// for fewer than two. Welford, "Note on a method for calculating corrected
  /// sums of squares and products", Technometrics 4 (1962) 419-420.
  [[nodiscard]] double deviation() const noexcept;

  /// +infinity without observations.
  [[nodiscard]] double min() const noexcept { return min_; }

  /// -infinity without observations.
  [[nodiscard]] double max() const noexcept { return max_; }

 private:
  std::int64_t count_ = 0;
  double sum_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Sum of squared distances from the mean.
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

/// Keeps all observations.
class Sample {
 public:
  void Add(double value) { values_.push_back(value); }

  void Reset() noexcept { values_.clear(); }

  /// In the order of observation.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

  [[nodiscard]] Monitor Summary() const noexcept;

  /// The value below which the share `p` of the sample lies, interpolated
  /// linearly: definition 7 of Hyndman & Fan, "Sample quantiles in statistical
  /// packages", Amer. Statist. 50 (1996) 361-365.
  /// @throws Error kInvalidArgument without observations, or if `p` is outside
  ///     [0, 1].
  [[nodiscard]] double Quantile(double p) const;

 private:
  std::vector<double> values_;
};

/// Estimates a quantile of observations without keeping these: Jain & Chlamtac,
/// "The P2 algorithm for dynamic calculation of quantiles and histograms
/// without storing observations", Comm. ACM 28 (1985) 1076-1085.
class QuantileMonitor {
 public:
  /// @throws Error kInvalidArgument for `p` outside (0, 1).
  explicit QuantileMonitor(double p);

  void Add(double value) noexcept;

  void Reset() noexcept { *this = QuantileMonitor(p_); }

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// The estimate. Exact for up to five observations; NaN without any.
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

/// A piecewise constant number, such as that of waiting customers. Averages are
/// weighted by time.
class TimeWeighted {
 public:
  /// @param begin the time from which on it counts.
  explicit TimeWeighted(double value = 0, Duration begin = {}) noexcept
      : value_(value), begin_(begin), since_(begin), min_(value), max_(value) {}

  /// Sets the value from `now` on.
  /// @param now not before the last change.
  void Set(double value, Duration now) noexcept {
    area_ns_ += value_ * static_cast<double>((now - since_).count());
    since_ = now;
    value_ = value;
    min_ = value < min_ ? value : min_;
    max_ = value > max_ ? value : max_;
  }

  void Add(double change, Duration now) noexcept { Set(value_ + change, now); }

  /// Forgets the time before: the end of a warm-up.
  void Reset(Duration now) noexcept { *this = TimeWeighted(value_, now); }

  [[nodiscard]] double value() const noexcept { return value_; }

  /// The time average up to `now`; the value, if no time has passed. Sums of
  /// whole numbers over nanoseconds are exact up to 2^53.
  [[nodiscard]] double Mean(Duration now) const noexcept {
    return now == begin_
               ? value_
               : AreaNs(now) / static_cast<double>((now - begin_).count());
  }

  /// The integral up to `now`, in seconds times units.
  [[nodiscard]] double AreaSeconds(Duration now) const noexcept {
    return AreaNs(now) / 1e9;
  }

  /// The extremes, values of no duration included.
  [[nodiscard]] double min() const noexcept { return min_; }

  [[nodiscard]] double max() const noexcept { return max_; }

  /// The time of the last change.
  [[nodiscard]] Duration since() const noexcept { return since_; }

 private:
  [[nodiscard]] double AreaNs(Duration now) const noexcept {
    return area_ns_ + value_ * static_cast<double>((now - since_).count());
  }

  double value_;
  double area_ns_ = 0;  // Integral up to since_.
  Duration begin_;
  Duration since_;
  double min_;
  double max_;
};

/// A confidence interval for the mean of correlated observations, such as
/// waiting times of one long run: uses means of batches that are long enough to
/// be nearly independent. Law & Carson, "A sequential procedure for determining
/// the length of a steady-state simulation", Oper. Res. 27 (1979) 1011-1025.
class BatchMeans {
 public:
  /// @param batch observations in a batch.
  /// @param warm_up observations at the start that are left out.
  /// @throws Error kInvalidArgument for an empty batch or a negative warm-up.
  explicit BatchMeans(std::int64_t batch, std::int64_t warm_up = 0);

  void Add(double value);

  /// The means of full batches.
  [[nodiscard]] std::span<const double> means() const noexcept {
    return means_;
  }

  /// The estimate of the mean; its `count` is that of batches.
  [[nodiscard]] Estimate estimate() const { return EstimateMean(means_); }

  /// The correlation of consecutive batches, which should be near 0; otherwise
  /// batches are too short. NaN for fewer than three batches.
  [[nodiscard]] double Correlation() const noexcept;

 private:
  std::int64_t batch_;
  std::int64_t left_out_;
  std::int64_t count_ = 0;  // Observations in the batch at work.
  double sum_ = 0;
  std::vector<double> means_;
};

/// One of the classes above as a member of a model. Each run restarts it, and
/// it is part of snapshots.
///
///     Statistic<Monitor> stays_s{this, "stays_s"};
///     Statistic<TimeWeighted> present{this, "present"};
///     ...
///     present.Add(1);
///     stays_s.Add(Seconds(Now() - arrival).value);
///
/// Between steps and after the run read it by `stays_s.Get().mean()`.
template <std::copyable S>
class Statistic : public process::Stateful {
 public:
  /// @param arguments of the constructor of S.
  /// @throws Error as Member does.
  template <typename... Arguments>
  Statistic(process::Model* owner,
            std::string_view name,
            Arguments&&... arguments)
      : Stateful(owner, name),
        initial_(std::forward<Arguments>(arguments)...),
        state_(initial_) {}

  /// Adds an observation or, for a TimeWeighted, a change, now. To be called in
  /// a task.
  void Add(double value) {
    if constexpr (kIsTimed) {
      state_.Add(value, now());
    } else {
      state_.Add(value);
    }
  }

  /// Sets the value from now on. To be called in a task.
  void Set(double value) requires std::same_as<S, TimeWeighted> {
    state_.Set(value, now());
  }

  /// Restarts it, at the end of a warm-up.
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
