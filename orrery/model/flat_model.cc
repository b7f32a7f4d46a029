#include "orrery/model/flat_model.h"

namespace orrery {

std::string ElementName(const std::string& name,
                        const std::vector<std::int64_t>& at) {
  if (at.empty()) {
    return name;
  }
  std::string text = name;
  char separator = '[';
  for (const std::int64_t subscript : at) {
    text += separator + std::to_string(subscript);
    separator = ',';
  }
  return text + "]";
}

}  // namespace orrery
