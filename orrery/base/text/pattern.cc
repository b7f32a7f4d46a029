#include "orrery/base/text/pattern.h"

#include <cstddef>

namespace orrery {

bool FitsPattern(std::string_view pattern, std::string_view name) {
  // On a mismatch the last star takes one character more.
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t at = 0;
  std::size_t star = kNone;
  std::size_t resume = 0;
  for (std::size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = i;
    } else if (at < pattern.size() &&
               (pattern[at] == '?' || pattern[at] == name[i])) {
      ++at;
      ++i;
    } else if (star != kNone) {
      at = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == kNone;
}

bool FitsBeginning(std::string_view pattern, std::string_view beginning) {
  for (std::size_t i = 0; i < beginning.size(); ++i) {
    if (i < pattern.size() && pattern[i] == '*') {
      return true;
    }
    if (i == pattern.size() ||
        (pattern[i] != '?' && pattern[i] != beginning[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace orrery
