#include "orrery/queueing/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::queueing {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The quantile of values in ascending order.
double QuantileOf(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

double Monitor::mean() const noexcept {
  return count_ == 0 ? kNone : sum_ / static_cast<double>(count_);
}

double Monitor::deviation() const noexcept {
  return count_ < 2 ? kNone
                    : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

Monitor Sample::Summary() const noexcept {
  Monitor monitor;
  for (const double value : values_) {
    monitor.Add(value);
  }
  return monitor;
}

double Sample::Quantile(double p) const {
  if (values_.empty() || !(p >= 0 && p <= 1)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell the quantile " + ShortestText(p) + " of " +
                    std::to_string(values_.size()) +
                    " observations; there must be one, and it is to be from 0 "
                    "to 1");
  }
  std::vector<double> sorted = values_;
  std::ranges::sort(sorted);
  return QuantileOf(sorted, p);
}

QuantileMonitor::QuantileMonitor(double p) : p_(p) {
  if (!(p > 0 && p < 1)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot watch the quantile " + ShortestText(p) +
                    "; give one above 0 and below 1");
  }
  const double shares[kMarkers] = {0, p / 2, p, (1 + p) / 2, 1};
  for (int i = 0; i < kMarkers; ++i) {
    increments_[i] = shares[i];
    desired_[i] = 4 * shares[i];
  }
}

void QuantileMonitor::Add(double value) noexcept {
  if (count_ < kMarkers) {
    heights_[count_++] = value;
    std::sort(heights_, heights_ + count_);
    return;
  }
  ++count_;
  heights_[0] = std::min(heights_[0], value);
  heights_[4] = std::max(heights_[4], value);
  int cell = 0;
  while (cell < 3 && value >= heights_[cell + 1]) {
    ++cell;
  }
  for (int i = 0; i < kMarkers; ++i) {
    positions_[i] += i > cell ? 1 : 0;
    desired_[i] += increments_[i];
  }
  for (int i = 1; i < 4; ++i) {
    Adjust(i);
  }
}

// Moves a marker by one towards its desired position, along a parabola through
// its neighbours, or a line if the parabola breaks the order.
void QuantileMonitor::Adjust(int i) noexcept {
  const double* q = heights_;
  const double* n = positions_;
  const double off = desired_[i] - n[i];
  if (!(off >= 1 && n[i + 1] - n[i] > 1) &&
      !(off <= -1 && n[i - 1] - n[i] < -1)) {
    return;
  }
  const int d = off > 0 ? 1 : -1;
  double height =
      q[i] +
      d / (n[i + 1] - n[i - 1]) *
          ((n[i] - n[i - 1] + d) * (q[i + 1] - q[i]) / (n[i + 1] - n[i]) +
           (n[i + 1] - n[i] - d) * (q[i] - q[i - 1]) / (n[i] - n[i - 1]));
  if (!(q[i - 1] < height && height < q[i + 1])) {
    height = q[i] + d * (q[i + d] - q[i]) / (n[i + d] - n[i]);
  }
  heights_[i] = height;
  positions_[i] += d;
}

double QuantileMonitor::value() const {
  if (count_ == 0) {
    return kNone;
  }
  if (count_ <= kMarkers) {
    return QuantileOf({heights_, static_cast<std::size_t>(count_)}, p_);
  }
  return heights_[2];
}

BatchMeans::BatchMeans(std::int64_t batch, std::int64_t warm_up)
    : batch_(batch), left_out_(warm_up) {
  if (batch < 1 || warm_up < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take means of batches of " + std::to_string(batch) +
                    " after a warm-up of " + std::to_string(warm_up) +
                    "; give at least one a batch, and no negative warm-up");
  }
}

void BatchMeans::Add(double value) {
  if (left_out_ > 0) {
    --left_out_;
    return;
  }
  sum_ += value;
  if (++count_ == batch_) {
    means_.push_back(sum_ / static_cast<double>(batch_));
    sum_ = 0;
    count_ = 0;
  }
}

double BatchMeans::Correlation() const noexcept {
  if (means_.size() < 3) {
    return kNone;
  }
  double mean = 0;
  for (const double value : means_) {
    mean += value / static_cast<double>(means_.size());
  }
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    squares += (means_[i] - mean) * (means_[i] - mean);
    if (i > 0) {
      products += (means_[i] - mean) * (means_[i - 1] - mean);
    }
  }
  return products / squares;
}

}  // namespace orrery::queueing
