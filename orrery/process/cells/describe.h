#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "orrery/base/values/record.h"

namespace orrery::process::internal {

/// Adds `value` to a record, "..." if its type cannot be recorded.
template <typename T>
void Describe(Record& record, std::string_view name, const T& value) {
  if constexpr (Record::Takes<T>()) {
    record.Add(name, value);
  } else {
    record.Add(name, "...");
  }
}

/// The name of one of `size` values of a kind: "push", or "push.1" of several.
inline std::string NameOfOne(std::string_view kind,
                             std::size_t index,
                             std::size_t size) {
  std::string name(kind);
  if (size > 1) {
    name += '.' + std::to_string(index + 1);
  }
  return name;
}

}  // namespace orrery::process::internal
