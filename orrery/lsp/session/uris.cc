#include "orrery/lsp/session/uris.h"

#include <charconv>
#include <filesystem>
#include <system_error>

#include "orrery/base/text/uri.h"

namespace orrery::lsp {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kUnescaped = "-._~/!$&'()*+,;=@";

}  // namespace

std::optional<std::string> PathOf(std::string_view uri) {
  if (!uri.starts_with(kScheme)) {
    return std::nullopt;
  }
  uri.remove_prefix(kScheme.size());
  const std::size_t begin = uri.find('/');  // Behind a host, mostly none.
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  uri.remove_prefix(begin);
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned int byte = 0;
    const bool is_escape =
        uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, byte, 16).ptr ==
            uri.data() + i + 3;
    if (is_escape && byte != 0) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return std::filesystem::path(path).lexically_normal().string();
}

std::string AbsolutePath(std::string_view path) {
  std::error_code error;
  return (std::filesystem::current_path(error) / path)
      .lexically_normal()
      .string();
}

std::string UriOf(std::string_view path) {
  return FileUri(path, kUnescaped);
}

}  // namespace orrery::lsp
