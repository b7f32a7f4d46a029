#pragma once

#include <string>
#include <vector>

namespace orrery::fmi {

/// A file for an archive.
struct ArchivedFile {
  std::string name;  ///< With folders, by `/`.
  std::string content;
};

/// The bytes of a ZIP archive with these files, packed by deflate and without
/// times: equal files give equal bytes.
/// @throws Error kUnsupported for more than 4 GB.
[[nodiscard]] std::string ArchiveOf(const std::vector<ArchivedFile>& files);

}  // namespace orrery::fmi
