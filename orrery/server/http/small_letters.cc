#include "orrery/server/http/small_letters.h"

#include <algorithm>
#include <cctype>

namespace orrery::server {

std::string InSmallLetters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return small;
}

}  // namespace orrery::server
