#pragma once

#include <span>
#include <string>
#include <vector>

namespace orrery::server {

/// Columns of numbers in the form `u32 length, JSON header, Float64 columns`,
/// little endian; the length is that of the header. Its blanks make the columns
/// begin at a multiple of 8 bytes.
[[nodiscard]] std::string BinaryTable(
    std::string header, std::span<const std::vector<double>> columns);

}  // namespace orrery::server
