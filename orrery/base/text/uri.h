#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The `file:` URI of an absolute path (RFC 8089). Letters and digits of ASCII
/// and the characters of `plain` stand for themselves; other bytes are escaped.
[[nodiscard]] std::string FileUri(std::string_view path,
                                  std::string_view plain = "-._~/");

}  // namespace orrery
