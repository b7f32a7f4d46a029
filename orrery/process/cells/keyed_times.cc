#include "orrery/process/cells/keyed_times.h"

#include <algorithm>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery::process::internal {

KeyedTimes::KeyedTimes(std::string_view what, std::vector<Duration> times) {
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] <= times[i - 1]) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make " + std::string(what) + ": key " +
                      std::to_string(i + 1) + " at " + ToText(times[i]) +
                      " does not come after the one before, at " +
                      ToText(times[i - 1]) +
                      "; sort the keys by time, one "
                      "for each time");
    }
  }
  times_ = std::make_shared<const std::vector<Duration>>(std::move(times));
  Step(Duration::zero());
}

void KeyedTimes::Step(Duration dt) {
  elapsed_ += dt;
  const auto next = times_->begin() + static_cast<std::ptrdiff_t>(num_past_);
  num_past_ = static_cast<std::size_t>(
      std::upper_bound(next, times_->end(), elapsed_) - times_->begin());
}

std::optional<Duration> KeyedTimes::UntilNext() const {
  if (num_past_ == times_->size()) {
    return std::nullopt;
  }
  return (*times_)[num_past_] - elapsed_;
}

}  // namespace orrery::process::internal
