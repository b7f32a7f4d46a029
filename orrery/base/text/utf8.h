#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// True if `text` is well-formed UTF-8 (The Unicode Standard, table 3-7): no
/// overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool IsUtf8(std::string_view text) noexcept;

/// Returns `text` with '?' in place of each byte that belongs to no well-formed
/// sequence; all other bytes keep their places.
[[nodiscard]] std::string ToUtf8(std::string_view text);

}  // namespace orrery
