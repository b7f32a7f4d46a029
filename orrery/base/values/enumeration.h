#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A type whose values are literals, numbered from 1.
struct Enumeration {
  /// Qualified names from the top: its own, and that of the type it is an alias
  /// of.
  std::vector<std::string> names;
  std::vector<std::string> literals;
};

/// Returns the number of a literal: `Slow`, or with any number of components of
/// the type's name before it, `Mode.Slow` or `Pump.Mode.Slow`.
[[nodiscard]] std::optional<double> NumberOf(const Enumeration& enumeration,
                                             std::string_view text);

/// "Slow, Fast of Pump.Mode"
[[nodiscard]] std::string LiteralsAsText(const Enumeration& enumeration);

}  // namespace orrery
