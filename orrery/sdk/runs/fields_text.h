#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/values/record.h"

namespace orrery::sdk::internal {

/// Returns the fields as those of an object: the last one of several with the
/// same name, and `value` for one without a name. Valid as long as they are.
[[nodiscard]] std::vector<std::pair<std::string_view, const Record::Value*>>
DistinctFields(std::span<const Record::Field> fields);

/// The same fields as "a=1; b=some words".
[[nodiscard]] std::string FieldsText(std::span<const Record::Field> fields);

}  // namespace orrery::sdk::internal
