#include "orrery/base/values/enumeration.h"

#include <algorithm>
#include <cstddef>

namespace orrery {

std::optional<double> NumberOf(const Enumeration& enumeration,
                               std::string_view text) {
  const auto is_meant = [text](const std::string& full) {
    return full == text || full.ends_with("." + std::string(text));
  };
  for (std::size_t i = 0; i < enumeration.literals.size(); ++i) {
    if (std::ranges::any_of(enumeration.names, [&](const std::string& name) {
          return is_meant(name + "." + enumeration.literals[i]);
        })) {
      return static_cast<double>(i + 1);
    }
  }
  return std::nullopt;
}

std::string LiteralsAsText(const Enumeration& enumeration) {
  std::string text;
  for (const std::string& literal : enumeration.literals) {
    text += (text.empty() ? "" : ", ") + literal;
  }
  return text + " of " + enumeration.names.front();
}

}  // namespace orrery
