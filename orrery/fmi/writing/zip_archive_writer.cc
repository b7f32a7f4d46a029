// ZIP: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
#include "orrery/fmi/writing/zip_archive_writer.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "orrery/base/error.h"

namespace orrery::fmi {
namespace {

void AppendNumber(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) {
    bytes +=
        static_cast<char>((number >> (8U * static_cast<unsigned>(i))) & 0xffU);
  }
}

const Bytef* DataOf(const std::string& text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

// Raw deflate, without a header, as archives have it.
std::string Deflated(const std::string& content) {
  constexpr int kNoHeader = -15;
  constexpr int kMemory = 8;
  z_stream stream{};
  ORRERY_CHECK(deflateInit2(&stream,
                            Z_DEFAULT_COMPRESSION,
                            Z_DEFLATED,
                            kNoHeader,
                            kMemory,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  std::string output(deflateBound(&stream, content.size()), '\0');
  stream.next_in = const_cast<Bytef*>(DataOf(content));  // NOLINT: only read.
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  const int end = deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  ORRERY_CHECK(end == Z_STREAM_END);
  return output;
}

void CheckSize(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max() / 2) {
    throw Error(ErrorCode::kUnsupported,
                "cannot write an FMU of more than 2 GB");
  }
}

}  // namespace

std::string ArchiveOf(const std::vector<ArchivedFile>& files) {
  constexpr std::uint64_t kVersion = 20;
  constexpr std::uint64_t kUnix = 3U << 8U;
  constexpr std::uint64_t kNamesAreUtf8 = 1U << 11U;
  constexpr std::uint64_t kDay = (1U << 5U) | 1U;  // 1 January 1980.
  constexpr std::uint64_t kMode = 0100644;
  std::string bytes;
  std::string directory;
  for (const ArchivedFile& file : files) {
    CheckSize(file.content.size());
    const std::string packed = Deflated(file.content);
    std::string common;
    AppendNumber(common, kVersion, 2);
    AppendNumber(common, kNamesAreUtf8, 2);
    AppendNumber(common, Z_DEFLATED, 2);
    AppendNumber(common, 0, 2);  // Midnight.
    AppendNumber(common, kDay, 2);
    AppendNumber(
        common,
        crc32(0, DataOf(file.content), static_cast<uInt>(file.content.size())),
        4);
    AppendNumber(common, packed.size(), 4);
    AppendNumber(common, file.content.size(), 4);
    AppendNumber(common, file.name.size(), 2);
    AppendNumber(common, 0, 2);  // Extra field.
    const std::size_t place = bytes.size();
    bytes += "PK\3\4" + common + file.name + packed;
    CheckSize(bytes.size());
    directory += "PK\1\2";
    AppendNumber(directory, kUnix | kVersion, 2);
    directory += common;
    AppendNumber(directory, 0, 6);  // Comment, disk, internal attributes.
    AppendNumber(directory, kMode << 16U, 4);
    AppendNumber(directory, place, 4);
    directory += file.name;
  }
  const std::size_t place = bytes.size();
  bytes += directory + "PK\5\6";
  AppendNumber(bytes, 0, 4);  // Disks.
  AppendNumber(bytes, files.size(), 2);
  AppendNumber(bytes, files.size(), 2);
  AppendNumber(bytes, directory.size(), 4);
  AppendNumber(bytes, place, 4);
  AppendNumber(bytes, 0, 2);  // Comment.
  return bytes;
}

}  // namespace orrery::fmi
