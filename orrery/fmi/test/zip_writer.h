#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::fmi {

/// For tests: an entry of a ZIP archive, as it is claimed to be.
struct ZipEntry {
  std::string name;
  std::string content;
  bool is_deflated = false;
  std::uint32_t mode = 0100644;  ///< In Unix, with the type of file.
  std::uint16_t flags = 0;
  std::uint32_t claimed_size = 0;    ///< 0: that of `content`.
  std::uint32_t claimed_method = 0;  ///< 0: as `is_deflated` says.
};

/// The bytes of an archive with these entries.
[[nodiscard]] std::string MakeZip(const std::vector<ZipEntry>& entries);

}  // namespace orrery::fmi
