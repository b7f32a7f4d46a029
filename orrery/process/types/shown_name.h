#pragma once

#include <string_view>

namespace orrery::process::internal {

/// A coroutine as it is written: without the arguments of a template.
inline std::string_view ShownName(std::string_view name) {
  if (name.starts_with("operator")) {
    return "a lambda";
  }
  return name.substr(0, name.find('<'));
}

}  // namespace orrery::process::internal
