#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/record/recording.h"
#include "orrery/sdk/runs/process_run.h"

namespace orrery::internal {

/// What resources are at a time; nothing for one that has not been read yet.
[[nodiscard]] std::vector<ProcessRunResult::Value> ReadingsAt(
    std::span<const process::Profile> profiles, Duration time);

/// What these resources are at a time.
/// @param model for messages.
/// @throws Error kInvalidArgument for a path of none, with the nearest one.
[[nodiscard]] std::vector<Record::Field> FieldsAt(
    std::span<const process::Profile> profiles,
    Duration time,
    std::span<const std::string> paths,
    const std::string& model);

}  // namespace orrery::internal
