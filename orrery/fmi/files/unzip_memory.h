#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <minizip/unzip.h>

namespace orrery::fmi::internal {

/// Bytes that minizip reads as a file.
struct BytesAsFile {
  std::string_view bytes;
  std::size_t place = 0;
};

struct CloseUnzip {
  void operator()(unzFile file) const { unzClose(file); }
};

/// An archive that minizip has open.
using Unzip = std::unique_ptr<void, CloseUnzip>;

/// Opens the archive in `file`, which must outlive the result; null if it has
/// no directory of entries.
[[nodiscard]] Unzip OpenUnzip(BytesAsFile& file);

}  // namespace orrery::fmi::internal
