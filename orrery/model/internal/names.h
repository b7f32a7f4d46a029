#pragma once

#include <string>
#include <string_view>

#include "orrery/symbolic/graph.h"

namespace orrery::internal {

/// What `IsComponentName` asks for, for messages.
inline constexpr const char* kNameRule =
    "use a letter or '_', then letters, digits and '_', perhaps with "
    "subscripts as in mass[3]";

/// Whether `name` may be the name of a block or quantity.
[[nodiscard]] bool IsComponentName(std::string_view name) noexcept;

/// As in "[2, 3]", for messages; "[]" for a scalar.
[[nodiscard]] std::string ShapeText(const Shape& shape);

}  // namespace orrery::internal
