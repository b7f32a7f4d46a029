#include "orrery/server/results/name_filter.h"

#include "orrery/base/text/pattern.h"
#include "orrery/server/http/small_letters.h"

namespace orrery::server {

NameFilter::NameFilter(std::string_view text)
    : is_pattern_(text.find_first_of("*?") != std::string_view::npos),
      wanted_(is_pattern_ ? std::string(text) : InSmallLetters(text)) {}

bool NameFilter::Fits(std::string_view name) const {
  return is_pattern_ ? FitsPattern(wanted_, name)
                     : InSmallLetters(name).find(wanted_) != std::string::npos;
}

}  // namespace orrery::server
