#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::model::internal {

/// The rule of `IsComponentName`, for messages.
inline constexpr const char* kNameRule =
    "use a letter or '_', then letters, digits and '_', perhaps with "
    "subscripts as in mass[3]";

/// True if `name` may be the name of a block or quantity.
[[nodiscard]] bool IsComponentName(std::string_view name) noexcept;

/// The shape as in "[2, 3]", for messages; "[]" for a scalar.
[[nodiscard]] std::string ShapeText(const Shape& shape);

/// The row-major number, from 0, of the element at subscripts from 1, one for
/// each dimension; empty if there is no such element.
[[nodiscard]] std::optional<std::size_t> ElementAt(
    const Shape& shape, const std::vector<std::int64_t>& at) noexcept;

/// The inverse of ElementAt(), for an existing element.
[[nodiscard]] std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                                     std::size_t element);

}  // namespace orrery::model::internal
