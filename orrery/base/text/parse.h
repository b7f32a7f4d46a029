#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// `text` without the characters of `blanks` at its ends.
[[nodiscard]] std::string_view Trim(std::string_view text,
                                    std::string_view blanks) noexcept;

/// The part of a name after its last dot, without regard to dots in quoted
/// identifiers; the whole name if it has none.
[[nodiscard]] std::string_view LastPart(std::string_view name) noexcept;

/// Reads a number, which must be the whole `text`, as std::stod does; infinity
/// is one.
[[nodiscard]] std::optional<double> ParseNumber(const std::string& text);

/// Reads a decimal number as std::from_chars does: without a plus sign, and in
/// any locale. It must be the whole `text`.
[[nodiscard]] std::optional<double> ParseDecimal(std::string_view text);

/// Reads a whole number from 0 to `max`, which must be the whole `text`.
[[nodiscard]] std::optional<std::uint64_t> ParseWhole(std::string_view text,
                                                      std::uint64_t max);

}  // namespace orrery
