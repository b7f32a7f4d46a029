#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::plot::internal {

/// The width of `text`, valid UTF-8, in the widest font that a renderer uses.
[[nodiscard]] double TextWidth(std::string_view text, double size);

/// `text` as valid UTF-8 without control characters: each bad byte is '?'.
[[nodiscard]] std::string CleanText(std::string_view text);

/// `text`, valid UTF-8, cut to `width` with an ellipsis if it is longer.
[[nodiscard]] std::string FittedText(std::string text,
                                     double size,
                                     double width);

/// `text`, valid UTF-8, with its middle replaced by an ellipsis if it is longer
/// than `width`: names with a common beginning differ at the end.
[[nodiscard]] std::string FittedName(std::string text,
                                     double size,
                                     double width);

/// The number of code points of `text`, valid UTF-8: columns of a terminal for
/// most scripts.
[[nodiscard]] std::size_t CountCodePoints(std::string_view text);

/// The digits of `number` as superscripts: "⁻³".
[[nodiscard]] std::string Superscript(int number);

}  // namespace orrery::plot::internal
