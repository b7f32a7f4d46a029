#include "orrery/base/text/json_nesting.h"

#include <algorithm>

namespace orrery {

std::size_t NestingOfJson(std::string_view text) noexcept {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      is_in_text = !is_in_text;
    } else if (is_in_text) {
      i += c == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace orrery
