#include "orrery/experiment/statistics/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/statistics/distribution.h"

namespace orrery {
namespace {

void Require(bool holds,
             const std::string& what,
             double value,
             const std::string& range) {
  if (!holds) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot sample until the mean is known: " + what + " is " +
                    ShortestText(value) + "; it must be " + range);
  }
}

}  // namespace

SortedSample::SortedSample(std::span<const double> values) {
  std::ranges::copy_if(values, std::back_inserter(values_), [](double x) {
    return std::isfinite(x);
  });
  missing_ = static_cast<std::int64_t>(values.size() - values_.size());
  std::ranges::sort(values_);
}

double SortedSample::Quantile(double p) const {
  ORRERY_CHECK(p >= 0 && p <= 1);
  if (values_.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double h = static_cast<double>(values_.size() - 1) * p;
  const auto below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, values_.size() - 1);
  return std::lerp(
      values_[below], values_[above], h - static_cast<double>(below));
}

// The number N of values up to the quantile is binomial. Let k be the least
// number with P(N <= k) >= alpha / 2. Then P(N < k) < alpha / 2, so that the
// k-th value is above the quantile with a lower probability, too. Likewise at
// the other end.
ConfidenceInterval SortedSample::QuantileInterval(double p,
                                                  double confidence) const {
  ORRERY_CHECK(p > 0 && p < 1 && confidence > 0 && confidence < 1);
  ConfidenceInterval interval{.low = -kInfinity, .high = kInfinity};
  if (values_.empty()) {
    return interval;
  }
  const auto size = static_cast<double>(values_.size());
  const Distribution up_to("binomial", {size, p});
  const double lower = up_to.Quantile((1 - confidence) / 2);
  const double upper = up_to.Quantile((1 + confidence) / 2) + 1;
  if (lower >= 1) {
    interval.low = values_[static_cast<std::size_t>(lower) - 1];
  }
  if (upper <= size) {
    interval.high = values_[static_cast<std::size_t>(upper) - 1];
  }
  return interval;
}

SequentialMean::SequentialMean(const StoppingRule& rule) : rule_(rule) {
  Require(
      rule.absolute >= 0, "the absolute bound", rule.absolute, "at least 0");
  Require(
      rule.relative >= 0, "the relative bound", rule.relative, "at least 0");
  Require(rule.absolute > 0 || rule.relative > 0,
          "either bound",
          0,
          "positive for one of absolute and relative");
  Require(rule.confidence > 0 && rule.confidence < 1,
          "the confidence",
          rule.confidence,
          "between 0 and 1, as 0.95");
  Require(rule.batch >= 2,
          "the number of runs in a batch",
          static_cast<double>(rule.batch),
          "at least 2");
  Require(rule.most_runs >= 1,
          "the largest number of runs",
          static_cast<double>(rule.most_runs),
          "at least 1");
}

void SequentialMean::Add(double outcome) {
  if (has_ended()) {
    return;
  }
  ++runs_;
  if (std::isfinite(outcome)) {
    ++count_;
    const double from_mean = outcome - mean_;
    mean_ += from_mean / static_cast<double>(count_);
    squares_ += from_mean * (outcome - mean_);
  }
  if (runs_ % rule_.batch == 0) {
    const double bound =
        std::max(rule_.absolute, rule_.relative * std::abs(mean_));
    is_satisfied_ = estimate().half_width <= bound;
  }
}

Estimate SequentialMean::estimate() const {
  Estimate result{.count = count_,
                  .mean = mean_,
                  .deviation = std::numeric_limits<double>::quiet_NaN(),
                  .half_width = kInfinity};
  if (count_ == 0) {
    result.mean = std::numeric_limits<double>::quiet_NaN();
  }
  if (count_ > 1) {
    result.deviation = std::sqrt(squares_ / static_cast<double>(count_ - 1));
    result.half_width =
        StudentQuantile(rule_.confidence, count_ - 1) * result.standard_error();
  }
  return result;
}

}  // namespace orrery
