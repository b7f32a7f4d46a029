#include "orrery/sdk/model/class_place.h"

#include <cctype>

namespace orrery {
namespace {

// The length of the identifier that a text begins with (specification 3.6,
// section 2.3.1); 0 if it begins with none.
std::size_t IdentifierLength(std::string_view text) {
  if (text.starts_with('\'')) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\'') {
        return i + 1;
      }
      i += text[i] == '\\' ? 1U : 0U;
    }
    return 0;
  }
  std::size_t length = 0;
  while (length < text.size()) {
    const auto letter = static_cast<unsigned char>(text[length]);
    if (letter != '_' && std::isalpha(letter) == 0 &&
        (length == 0 || std::isdigit(letter) == 0)) {
      break;
    }
    ++length;
  }
  return length;
}

}  // namespace

std::string LibraryOf(std::string_view name) {
  const std::size_t first = IdentifierLength(name);
  std::size_t at = first;
  while (at > 0 && at < name.size() && name[at] == '.') {
    const std::size_t next = IdentifierLength(name.substr(at + 1));
    if (next == 0) {
      return {};
    }
    at += next + 1;
  }
  return at == name.size() && first < at ? std::string(name.substr(0, first))
                                         : std::string();
}

std::optional<std::string> FileOfClass(
    std::string_view name, const std::vector<std::string>& folders) {
  const std::string library = LibraryOf(name);
  return library.empty() ? std::nullopt
                         : modelica::FileOfLibrary(library, folders);
}

}  // namespace orrery
