#pragma once

#include <string_view>

namespace orrery {

/// True if `pattern` (`*`: any text, `?`: any character) matches all of `name`.
[[nodiscard]] bool FitsPattern(std::string_view pattern, std::string_view name);

/// True if it matches any name that begins with `beginning`.
[[nodiscard]] bool FitsBeginning(std::string_view pattern,
                                 std::string_view beginning);

}  // namespace orrery
