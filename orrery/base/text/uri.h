#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The `file:` URI of an absolute path (RFC 8089). Letters and digits of ASCII
/// and the signs in `plain` stay; other bytes are escaped, as in `%20`.
[[nodiscard]] std::string FileUri(std::string_view path,
                                  std::string_view plain = "-._~/");

}  // namespace orrery
