#pragma once

#include <span>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/recording.h"
#include "orrery/sdk/process_run.h"

namespace orrery::internal {

/// What resources are at a time; nothing for one that has not been read yet.
[[nodiscard]] std::vector<ProcessRunResult::Value> ReadingsAt(
    std::span<const process::Profile> profiles, Duration time);

}  // namespace orrery::internal
