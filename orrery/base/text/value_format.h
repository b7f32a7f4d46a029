#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// The format of a value in a text, as that of Modelica's String()
/// (specification 3.6, section 3.7.1).
struct ValueFormat {
  int digits = 6;        ///< Significant digits of a Real value.
  int least_length = 0;  ///< Shorter texts are padded with blanks.
  bool is_left = true;   ///< The padding follows the value.
  /// Replaces all of that, as for printf: "%8.3f"; empty for none.
  std::string pattern;

  friend bool operator==(const ValueFormat&, const ValueFormat&) = default;
};

[[nodiscard]] std::string RealText(double value, const ValueFormat& format);

/// The pattern of `format` may be one for Reals or for Integers.
[[nodiscard]] std::string IntegerText(std::int64_t value,
                                      const ValueFormat& format);

/// Pads any other text with blanks.
[[nodiscard]] std::string FilledUp(std::string text, const ValueFormat& format);

/// Converts a format of Modelica, without a percent sign, to a pattern: "8.3f",
/// or "+d" for Integers. Returns nothing if it is no format for such a value.
[[nodiscard]] std::optional<std::string> PatternOf(std::string_view format,
                                                   bool is_integer);

}  // namespace orrery
