#include "orrery/server/results/binary_table.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace orrery::server {

std::string BinaryTable(std::string header,
                        std::span<const std::vector<double>> columns) {
  static_assert(std::endian::native == std::endian::little);
  while ((header.size() + sizeof(std::uint32_t)) % sizeof(double) != 0) {
    header += ' ';
  }
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  bytes += header;
  for (const std::vector<double>& column : columns) {
    bytes.append(reinterpret_cast<const char*>(column.data()),
                 column.size() * sizeof(double));
  }
  return bytes;
}

}  // namespace orrery::server
