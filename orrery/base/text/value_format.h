#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// How a value is written in a text, as Modelica's String() says it
/// (specification 3.6, section 3.7.1).
struct ValueFormat {
  int digits = 6;        ///< Significant, of a Real value.
  int least_length = 0;  ///< Blanks make up for what is missing.
  bool is_left = true;   ///< They stand behind the value.
  /// Says all that instead, as for printf: "%8.3f"; empty for none.
  std::string pattern;

  friend bool operator==(const ValueFormat&, const ValueFormat&) = default;
};

[[nodiscard]] std::string RealText(double value, const ValueFormat& format);

/// The pattern of `format` may be one of Reals or of Integers.
[[nodiscard]] std::string IntegerText(std::int64_t value,
                                      const ValueFormat& format);

/// Of anything else: filled up with blanks.
[[nodiscard]] std::string FilledUp(std::string text, const ValueFormat& format);

/// The pattern for a format as Modelica has it, without a percent sign: "8.3f",
/// or "+d" for Integers. None if it is no format of such a value.
[[nodiscard]] std::optional<std::string> PatternOf(std::string_view format,
                                                   bool is_integer);

}  // namespace orrery
