#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orrery::lsp {

/// The path of a `file:` URI, normalized; none for another kind of URI.
[[nodiscard]] std::optional<std::string> PathOf(std::string_view uri);

/// The `file:` URI of an absolute path.
[[nodiscard]] std::string UriOf(std::string_view path);

}  // namespace orrery::lsp
