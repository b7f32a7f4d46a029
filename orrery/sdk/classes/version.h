#pragma once

#include <string_view>

namespace orrery {

/// The version of these headers: what a program or a plug-in is built with.
inline constexpr char kVersion[] = "0.1.0";

/// The version of the library that is at work, "1.2.3".
[[nodiscard]] std::string_view Version() noexcept;

}  // namespace orrery
