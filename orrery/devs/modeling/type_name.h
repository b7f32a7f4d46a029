#pragma once

#include <string>
#include <typeinfo>

namespace orrery::devs::internal {

/// The name of a type as one writes it.
[[nodiscard]] std::string TypeName(const std::type_info& type);

}  // namespace orrery::devs::internal
