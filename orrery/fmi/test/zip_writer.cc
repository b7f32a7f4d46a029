#include "orrery/fmi/test/zip_writer.h"

#include <zlib.h>

#include <cstddef>

namespace orrery::fmi {
namespace {

void Append(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>((number >> (8 * i)) & 0xffU);
  }
}

// Raw deflate, as archives have it.
std::string Deflated(const std::string& content) {
  constexpr int kNoHeader = -15;
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, kNoHeader, 8, Z_DEFAULT_STRATEGY);
  std::string input = content;
  std::string output(deflateBound(&stream, input.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  return output;
}

}  // namespace

std::string MakeZip(const std::vector<ZipEntry>& entries) {
  std::string bytes;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::string packed =
        entry.is_deflated ? Deflated(entry.content) : entry.content;
    const std::uint32_t method = entry.claimed_method != 0
                                     ? entry.claimed_method
                                     : (entry.is_deflated ? 8U : 0U);
    std::string common;
    Append(common, 20, 2);  // Version needed.
    Append(common, entry.flags, 2);
    Append(common, method, 2);
    Append(common, 0, 4);  // Time of change.
    Append(common,
           crc32(0,
                 reinterpret_cast<const Bytef*>(entry.content.data()),
                 static_cast<uInt>(entry.content.size())),
           4);
    Append(common, packed.size(), 4);
    Append(common,
           entry.claimed_size != 0 ? entry.claimed_size : entry.content.size(),
           4);
    Append(common, entry.name.size(), 2);
    Append(common, 0, 2);  // Extra field.
    const std::size_t place = bytes.size();
    bytes += "PK\3\4" + common + entry.name + packed;
    directory += "PK\1\2";
    Append(directory, (3U << 8U) | 20U, 2);  // Made by Unix.
    directory += common;
    Append(directory, 0, 6);  // Comment, disk, internal attributes.
    Append(directory, std::uint64_t{entry.mode} << 16U, 4);
    Append(directory, place, 4);
    directory += entry.name;
  }
  const std::size_t place = bytes.size();
  bytes += directory + "PK\5\6";
  Append(bytes, 0, 4);  // Disks.
  Append(bytes, entries.size(), 2);
  Append(bytes, entries.size(), 2);
  Append(bytes, directory.size(), 4);
  Append(bytes, place, 4);
  Append(bytes, 0, 2);  // Comment.
  return bytes;
}

}  // namespace orrery::fmi
