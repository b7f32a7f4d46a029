#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A type whose values are literals, numbered from 1.
struct Enumeration {
  /// Dotted, from the top: its own, and that of the type it is short for.
  std::vector<std::string> names;
  std::vector<std::string> literals;
};

/// The number of the literal that `text` is: `Slow`, or with as much of a name
/// of the type before it as is wanted, `Mode.Slow` or `Pump.Mode.Slow`.
[[nodiscard]] std::optional<double> NumberOf(const Enumeration& enumeration,
                                             std::string_view text);

/// "Slow, Fast of Pump.Mode"
[[nodiscard]] std::string LiteralsAsText(const Enumeration& enumeration);

}  // namespace orrery
