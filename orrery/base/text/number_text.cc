#include "orrery/base/text/number_text.h"

#include <charconv>
#include <iterator>

namespace orrery {

std::string ShortestText(double value) {
  char text[32];
  return {text, std::to_chars(std::begin(text), std::end(text), value).ptr};
}

}  // namespace orrery
