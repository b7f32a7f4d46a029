#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orrery/experiment/runs/subject.h"

namespace orrery::internal {

/// What a run left, but for its events, which measures and fits do not see: a
/// line of JSON, then the numbers as they stand in memory.
[[nodiscard]] std::string ToBytes(const SubjectRun& run);

/// What ToBytes has written, to the last bit; nothing for other bytes.
[[nodiscard]] std::optional<SubjectRun> SubjectRunFrom(std::string_view bytes);

}  // namespace orrery::internal
