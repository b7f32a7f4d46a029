#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orrery::lsp {

/// The path of a `file:` URI, normalized; none for another kind of URI.
[[nodiscard]] std::optional<std::string> PathOf(std::string_view uri);

/// The path from the root, normalized; a relative one begins in the current
/// folder.
[[nodiscard]] std::string AbsolutePath(std::string_view path);

/// The `file:` URI of an absolute path.
[[nodiscard]] std::string UriOf(std::string_view path);

}  // namespace orrery::lsp
