#include "orrery/process/run/task_log.h"

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

namespace orrery::process::internal {

namespace {

std::uint64_t HashOf(const Record::Value& value) {
  const std::uint64_t hash = std::visit(
      [](const auto& held) -> std::uint64_t {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return 0;
        } else if constexpr (std::is_same_v<T, std::string>) {
          return StableHash(held);
        } else if constexpr (std::is_same_v<T, Duration>) {
          return static_cast<std::uint64_t>(held.count());
        } else if constexpr (std::is_same_v<T, double>) {
          return std::bit_cast<std::uint64_t>(held);
        } else {
          return static_cast<std::uint64_t>(held);
        }
      },
      value);
  return MixKeys(value.index(), hash);
}

}  // namespace

void TaskLogHash::Add(const Record& shown) {
  for (const Record::Field& field : shown.fields()) {
    Add(field.name);
    Add(HashOf(field.value));
  }
}

}  // namespace orrery::process::internal
