#pragma once

#include <string_view>

namespace orrery {

/// Whether `pattern` (`*`: any text, `?`: any character) fits all of `name`.
[[nodiscard]] bool FitsPattern(std::string_view pattern, std::string_view name);

/// Whether it fits any name that begins with `beginning`.
[[nodiscard]] bool FitsBeginning(std::string_view pattern,
                                 std::string_view beginning);

}  // namespace orrery
