#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orrery/experiment/runs/subject.h"

namespace orrery::experiment::internal {

/// Writes a run without its events, which measures and fits do not use: a line
/// of JSON, then the numbers as they are in memory.
[[nodiscard]] std::string ToBytes(const SubjectRun& run);

/// Reads a run that ToBytes has written, to the last bit; nothing for other
/// bytes.
[[nodiscard]] std::optional<SubjectRun> SubjectRunFrom(std::string_view bytes);

}  // namespace orrery::experiment::internal
