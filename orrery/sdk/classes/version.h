#pragma once

#include <string_view>

namespace orrery {

/// The version of these headers, with which a program or a plug-in is built.
inline constexpr char kVersion[] = "0.3.0";

/// The version of the loaded library, "1.2.3".
[[nodiscard]] std::string_view Version() noexcept;

}  // namespace orrery
