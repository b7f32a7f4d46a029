#pragma once

#include <string>

#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// The name of a task after those of its ancestors: "day > Drive". Leaves out
/// those in the middle if there are many.
[[nodiscard]] std::string Ancestry(const Run& run, const Node& task);

}  // namespace orrery::process::internal
