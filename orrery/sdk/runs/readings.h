#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/record/recording.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery::sdk::internal {

/// The values of resources at a time; nothing for a resource without a reading
/// until then.
[[nodiscard]] std::vector<ProcessRunResult::Value> ReadingsAt(
    std::span<const process::Profile> profiles, Duration time);

/// The values of these resources at a time.
/// @param model for messages.
/// @throws Error kInvalidArgument for an unknown path, with the nearest one.
[[nodiscard]] std::vector<Record::Field> FieldsAt(
    std::span<const process::Profile> profiles,
    Duration time,
    std::span<const std::string> paths,
    const std::string& model);

}  // namespace orrery::sdk::internal
