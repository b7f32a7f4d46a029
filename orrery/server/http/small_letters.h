#pragma once

#include <string>
#include <string_view>

namespace orrery::server {

/// The text with small letters of ASCII for large ones; the rest stays.
[[nodiscard]] std::string InSmallLetters(std::string_view text);

}  // namespace orrery::server
