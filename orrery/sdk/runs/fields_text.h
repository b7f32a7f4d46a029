#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/values/record.h"

namespace orrery::internal {

/// Fields as those of an object: of several with one name the last counts, and
/// what has no name is called `value`. It holds as long as they do.
[[nodiscard]] std::vector<std::pair<std::string_view, const Record::Value*>>
DistinctFields(std::span<const Record::Field> fields);

/// The same as "a=1; b=some words".
[[nodiscard]] std::string FieldsText(std::span<const Record::Field> fields);

}  // namespace orrery::internal
