#include "orrery/queueing/lender.h"

#include <cmath>
#include <string>

#include "orrery/base/error.h"

namespace orrery::queueing::internal {

Summary SummaryInSeconds(const Monitor& ns) noexcept {
  return {.count = ns.count(),
          .mean = ns.mean() / 1e9,
          .deviation = ns.deviation() / 1e9,
          .min = ns.min() / 1e9,
          .max = ns.max() / 1e9};
}

Average AverageOf(const TimeWeighted& number, Duration now) noexcept {
  return {.mean = number.Mean(now), .min = number.min(), .max = number.max()};
}

Lender::Lender(process::Model* owner,
               std::string_view name,
               std::int64_t capacity)
    : Facility(owner, name), capacity_(capacity) {
  if (capacity < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the resource '" + Path() + "': its capacity is " +
                    std::to_string(capacity) + "; give one of 1 or more");
  }
}

void Lender::CheckUnits(std::int64_t units) const {
  if (units < 1 || units > capacity_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot acquire " + std::to_string(units) + " of '" + Path() +
                    "': it has " + std::to_string(capacity_) +
                    "; ask for 1 to " + std::to_string(capacity_));
  }
}

void Lender::CheckPriority(double priority) const {
  if (std::isnan(priority)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot acquire units of '" + Path() +
                    "': the priority is not a number; give one, the lower the "
                    "sooner");
  }
}

std::string Lender::Wanted(std::int64_t units) const {
  return std::to_string(units) + " of '" + Path() + "'";
}

ResourceStatistics Lender::statistics() const {
  const Duration at = now_or_last();
  return Observe(ResourceStatistics{
      .requests = state_.requests,
      .granted = state_.waits_ns.count(),
      .withdrawn = state_.withdrawn,
      .preempted = state_.preempted,
      .utilisation =
          state_.units_over_time.Mean(at) / static_cast<double>(capacity_),
      .in_use = AverageOf(state_.units_over_time, at),
      .queue = AverageOf(state_.queue_over_time, at),
      .wait_s = SummaryInSeconds(state_.waits_ns)});
}

void Lender::ResetStatistics() noexcept {
  const Duration at = now_or_last();
  state_.requests = 0;
  state_.withdrawn = 0;
  state_.preempted = 0;
  state_.units_over_time.Reset(at);
  state_.queue_over_time.Reset(at);
  state_.waits_ns.Reset();
}

void Lender::Reset() {
  ++run_number_;
  state_ = State();
  ResetStatistics();
}

}  // namespace orrery::queueing::internal
