#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orrery/base/source_file.h"
#include "orrery/modelica/assist/places.h"

namespace orrery::modelica::internal {

/// The name in the file `package.order` of a folder; none if it has no such
/// line, or there is no such file (specification 3.6, section 13.4.1).
[[nodiscard]] std::optional<SourceSpan> OrderLineOf(const std::string& folder,
                                                    std::string_view name);

/// The edit that takes that line away; none without one.
[[nodiscard]] std::optional<ReplacedSpan> WithoutOrderLine(
    const std::string& folder, std::string_view name);

/// The edit that adds a line at the end; none without such a file.
[[nodiscard]] std::optional<ReplacedSpan> NewOrderLine(
    const std::string& folder, std::string_view name);

}  // namespace orrery::modelica::internal
