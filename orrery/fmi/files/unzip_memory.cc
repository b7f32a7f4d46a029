#include "orrery/fmi/files/unzip_memory.h"

#include <algorithm>
#include <cstring>

#include <minizip/ioapi.h>

namespace orrery::fmi::internal {
namespace {

BytesAsFile& FileOf(voidpf stream) {
  return *static_cast<BytesAsFile*>(stream);
}

// The name of the file is the file.
voidpf OpenBytes(voidpf /*opaque*/, const void* name, int /*mode*/) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): passed through.
  return const_cast<void*>(name);
}

uLong ReadBytes(voidpf /*opaque*/, voidpf stream, void* target, uLong size) {
  BytesAsFile& file = FileOf(stream);
  const std::string_view part =
      file.bytes.substr(std::min(file.place, file.bytes.size()), size);
  if (!part.empty()) {
    std::memcpy(target, part.data(), part.size());
  }
  file.place += part.size();
  return part.size();
}

uLong WriteBytes(voidpf /*opaque*/,
                 voidpf /*stream*/,
                 const void* /*source*/,
                 uLong /*size*/) {
  return 0;
}

ZPOS64_T TellBytes(voidpf /*opaque*/, voidpf stream) {
  return FileOf(stream).place;
}

// 0 for success, as fseek.
long SeekBytes(voidpf /*opaque*/,  // NOLINT(google-runtime-int)
               voidpf stream,
               ZPOS64_T offset,
               int origin) {
  BytesAsFile& file = FileOf(stream);
  ZPOS64_T place = offset;
  if (origin == ZLIB_FILEFUNC_SEEK_CUR) {
    place += file.place;
  } else if (origin == ZLIB_FILEFUNC_SEEK_END) {
    place += file.bytes.size();
  }
  if (place > file.bytes.size()) {
    return -1;
  }
  file.place = place;
  return 0;
}

int CloseBytes(voidpf /*opaque*/, voidpf /*stream*/) {
  return 0;
}

int ErrorOfBytes(voidpf /*opaque*/, voidpf /*stream*/) {
  return 0;
}

}  // namespace

Unzip OpenUnzip(BytesAsFile& file) {
  zlib_filefunc64_def functions{.zopen64_file = OpenBytes,
                                .zread_file = ReadBytes,
                                .zwrite_file = WriteBytes,
                                .ztell64_file = TellBytes,
                                .zseek64_file = SeekBytes,
                                .zclose_file = CloseBytes,
                                .zerror_file = ErrorOfBytes,
                                .opaque = nullptr};
  return Unzip(unzOpen2_64(&file, &functions));
}

}  // namespace orrery::fmi::internal
