#pragma once

#include <optional>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"

namespace orrery::sdk::internal {

/// A time in seconds; infinite for one that never comes (devs::kPassive).
[[nodiscard]] double SecondsIn(Duration time);

/// Returns a value as a number: 0 or 1 for a Boolean, seconds for a duration,
/// NaN for a missing value; nothing for a text.
[[nodiscard]] std::optional<double> NumberIn(const Record::Value& value);

}  // namespace orrery::sdk::internal
