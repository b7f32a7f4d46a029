#pragma once

#include <string_view>

namespace orrery {

/// The version of the library, "1.2.3".
[[nodiscard]] std::string_view Version() noexcept;

}  // namespace orrery
