#pragma once

#include <cstddef>
#include <string_view>

namespace orrery {

/// The deepest nesting of arrays and objects that texts of JSON from elsewhere
/// may have. Values of JSON are copied and printed by functions that call
/// themselves: hundreds of thousands of levels exhaust the stack.
inline constexpr std::size_t kMostJsonNesting = 100;

/// The deepest nesting of arrays and objects in a text: 2 for `[{}]`. Of a text
/// that is no JSON, it is right up to the first mistake.
[[nodiscard]] std::size_t NestingOfJson(std::string_view text) noexcept;

}  // namespace orrery
