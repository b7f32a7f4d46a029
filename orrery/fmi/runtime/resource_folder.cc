#include "orrery/fmi/runtime/resource_folder.h"

#include <dlfcn.h>

#include <cstddef>
#include <string_view>

namespace orrery::fmi {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string Unescaped(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_be_escape = text[i] == '%' && i + 2 < text.size();
    const int high = may_be_escape ? HexDigit(text[i + 1]) : -1;
    const int low = may_be_escape ? HexDigit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      path += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

// FMU/binaries/PLATFORM/X.so gives FMU/resources.
std::string FolderBesideThis() {
  Dl_info info{};
  const auto* const here = reinterpret_cast<const void*>(&ResourceFolder);
  std::string path = dladdr(here, &info) != 0 && info.dli_fname != nullptr
                         ? info.dli_fname
                         : "";
  for (int i = 0; i < 3; ++i) {
    path.erase(path.find_last_of('/') == std::string::npos
                   ? 0
                   : path.find_last_of('/'));
  }
  return path + "/resources";
}

}  // namespace

std::string ResourceFolder(const char* place) {
  std::string_view text = place == nullptr ? "" : place;
  if (text.empty()) {
    return FolderBesideThis();
  }
  constexpr std::string_view kScheme = "file:";
  if (!text.starts_with(kScheme)) {
    return std::string(text);
  }
  text.remove_prefix(kScheme.size());
  // file:/path and file://host/path
  if (text.starts_with("//")) {
    const std::size_t path = text.find('/', 2);
    text.remove_prefix(path == std::string_view::npos ? text.size() : path);
  }
  return Unescaped(text);
}

}  // namespace orrery::fmi
