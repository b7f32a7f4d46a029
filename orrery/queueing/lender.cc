#include "orrery/queueing/lender.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include "orrery/base/duration.h"
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
    : Facility(owner, name), most_(capacity) {
  state_.capacity = capacity;
  if (capacity < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the resource '" + Path() + "': its capacity is " +
                    std::to_string(capacity) + "; give one of 1 or more");
  }
}

void Lender::CheckUnits(std::int64_t units) const {
  if (units < 1 || units > most_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot acquire " + std::to_string(units) + " of '" + Path() +
                    "': it has " + std::to_string(most_) + "; ask for 1 to " +
                    std::to_string(most_));
  }
}

void Lender::CheckCapacity(std::int64_t units) const {
  if (units < 0 || units > most_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set the capacity of '" + Path() + "' to " +
                    std::to_string(units) + ": it was made with " +
                    std::to_string(most_) + "; give 0 to " +
                    std::to_string(most_) + ", or make it with more");
  }
}

void Lender::OnPosted(std::uint64_t argument) {
  if ((argument & kOfPriority) != 0) {
    OnReprioritised(argument & ~kOfPriority);
  } else if ((argument & kOfCapacity) != 0) {
    const auto units = static_cast<std::int64_t>(argument & ~kOfCapacity);
    next_capacity_ = std::min(units, next_capacity_.value_or(units));
  } else {
    state_.in_use -= static_cast<std::int64_t>(argument);
    state_.withdrawn += argument == 0 ? 1 : 0;
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

void Lender::WarnIfAtOnce(std::int64_t units, std::uint64_t moment) noexcept {
  if (moment == 0 || !is_in_run() || moment != this->moment() ||
      std::uncaught_exceptions() != 0) {
    return;
  }
  Warn(Wanted(units) + " went back at " + ToText(now()) +
       " as soon as a task had it; keep what it is given, as in const auto "
       "held = co_await " +
       name() + ".Acquire()");
}

ResourceStatistics Lender::statistics() const {
  const Duration at = now_or_last();
  return Observe(ResourceStatistics{
      .requests = state_.requests,
      .granted = state_.waits_ns.count(),
      .withdrawn = state_.withdrawn,
      .preempted = state_.preempted,
      .utilisation =
          state_.units_over_time.Mean(at) / state_.capacity_over_time.Mean(at),
      .in_use = AverageOf(state_.units_over_time, at),
      .queue = AverageOf(state_.queue_over_time, at),
      .wait_s = SummaryInSeconds(state_.waits_ns)});
}

void Lender::ResetStatistics() noexcept {
  const Duration at = now_or_last();
  state_.requests = 0;
  state_.withdrawn = 0;
  state_.preempted = 0;
  state_.capacity_over_time.Reset(at);
  state_.units_over_time.Reset(at);
  state_.queue_over_time.Reset(at);
  state_.waits_ns.Reset();
}

void Lender::Reset() {
  ++run_number_;
  state_ = State();
  state_.capacity = most_;
  state_.capacity_over_time = TimeWeighted(static_cast<double>(most_));
  next_capacity_.reset();
  ResetStatistics();
}

}  // namespace orrery::queueing::internal
