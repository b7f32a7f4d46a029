#include "orrery/fmi/stepping/communication_points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi {
namespace {

constexpr double kDefaultSteps = 500;
constexpr double kMostSteps = 1e8;

[[noreturn]] void RefuseRun(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot run {}: {}", name, why));
}

// True if `step` fits `length` a whole number of times, up to rounding.
bool Divides(double step, double length) {
  constexpr double kRounding = 1e-9;
  const double count = length / step;
  return std::abs(count - std::round(count)) <= kRounding * count;
}

}  // namespace

CommunicationPoints::CommunicationPoints(const std::string& name,
                                         const RunTimes& times,
                                         std::optional<double> given,
                                         std::optional<double> own,
                                         const std::string& fixed)
    : start_(times.start), stop_(times.stop) {
  const double length = stop_ - start_;
  if (!(length >= 0) || !std::isfinite(length)) {
    RefuseRun(name,
              fmt::format("its run is from {} to {} s; give a stop time after "
                          "the start",
                          start_,
                          stop_));
  }
  step_ = given.value_or(own.value_or(length > 0 ? length / kDefaultSteps : 1));
  if (!given && length > 0) {
    step_ = std::min(step_, length);
  }
  if (!(step_ > 0) || !std::isfinite(step_)) {
    RefuseRun(name,
              fmt::format("the communication step is {} s; it must be positive",
                          step_));
  }
  if (step_ > length && length > 0) {
    RefuseRun(name,
              fmt::format("the communication step is {} s, and the run only {} "
                          "s long; give a step of at most that",
                          step_,
                          length));
  }
  if (length / step_ > kMostSteps) {
    RefuseRun(name,
              fmt::format("communication steps of {} s are {:.3g}; the limit "
                          "is {:.0e}",
                          step_,
                          length / step_,
                          kMostSteps));
  }
  is_whole_ = Divides(step_, length);
  if (!fixed.empty() && !is_whole_) {
    RefuseRun(name,
              fmt::format("{} are all equally long, and {} s are no multiple "
                          "of {} s; take {} s",
                          fixed,
                          length,
                          step_,
                          length / std::round(length / step_)));
  }
  count_ = static_cast<std::int64_t>(is_whole_ ? std::round(length / step_)
                                               : std::ceil(length / step_));
}

double CommunicationPoints::At(std::int64_t k) const noexcept {
  return k == count_ ? stop_ : start_ + static_cast<double>(k) * step_;
}

double CommunicationPoints::StepTo(std::int64_t k) const noexcept {
  return k == count_ && !is_whole_ ? stop_ - At(k - 1) : step_;
}

}  // namespace orrery::fmi
