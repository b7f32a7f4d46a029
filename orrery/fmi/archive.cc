#include "orrery/fmi/archive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/files/unzip_memory.h"

// minizip, of the authors of zlib and kept with it, needs zlib alone. libzip of
// Debian 12 brings libraries for encryption and three further compressions,
// which FMI does not allow, into each start of the command.

namespace orrery::fmi {
namespace {

using internal::BytesAsFile;
using internal::Unzip;

constexpr std::size_t kMaxName = 4096;

// Bits of entries and of files in Unix.
constexpr std::uint32_t kEncrypted = 1;
constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kRegularType = 0100000;
constexpr std::uint32_t kFolderType = 0040000;
constexpr std::uint32_t kLinkType = 0120000;

// Compressions that FMI allows.
constexpr std::uint32_t kStored = 0;
constexpr std::uint32_t kDeflated = 8;

// Systems whose entries have types of files, as "version made by" tells.
constexpr std::uint32_t kUnix = 3;
constexpr std::uint32_t kMac = 19;

[[noreturn]] void RefuseArchive(const std::string& name,
                                const std::string& why) {
  throw Error(ErrorCode::kInvalidModel, "cannot read " + name + ": " + why);
}

// A number of `size` bytes in Intel's order; 0 beyond the end.
std::uint64_t NumberAt(std::string_view bytes,
                       std::size_t place,
                       std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) {
    number =
        (number << 8U) |
        (place + i < bytes.size() ? static_cast<unsigned char>(bytes[place + i])
                                  : 0U);
  }
  return number;
}

// Why bytes without a directory are no archive. The directory stands at the
// end: where there are entries, it was cut off.
std::string WhyNoArchive(std::string_view bytes) {
  constexpr std::uint64_t kHeaderMark = 0x04034b50;
  constexpr std::size_t kHeaderSize = 30;
  std::size_t place = 0;
  std::string last;
  while (NumberAt(bytes, place, 4) == kHeaderMark) {
    const std::size_t name_size = NumberAt(bytes, place + 26, 2);
    const std::size_t name_place = std::min(place + kHeaderSize, bytes.size());
    last = bytes.substr(name_place, std::min(name_size, kMaxName));
    const std::size_t end = place + kHeaderSize + name_size +
                            NumberAt(bytes, place + 28, 2) +
                            NumberAt(bytes, place + 18, 4);
    // Where the size follows the bytes, the next header is looked for.
    const std::size_t next = bytes.find("PK\3\4", end);
    if (end >= bytes.size() || next == std::string_view::npos) {
      break;
    }
    place = next;
  }
  if (last.empty()) {
    return "it is no ZIP archive, as an FMU is";
  }
  return "it ends within entry '" + last +
         "', or behind it: its directory of entries is missing; get the whole "
         "file";
}

// Why a name could lead out of the folder that it is unpacked in.
std::string WhyUnsafe(std::string_view name) {
  if (name.empty()) {
    return "its name has 0 bytes";
  }
  if (name.front() == '/' || (name.size() > 1 && name[1] == ':')) {
    return "its name is absolute";
  }
  for (const char c : name) {
    if (c == '\\') {
      return "its name has a '\\'; folders are divided by '/'";
    }
    if (static_cast<unsigned char>(c) < ' ') {
      return "its name has a control character";
    }
  }
  std::size_t begin = 0;
  while (begin < name.size()) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part == ".." || part == "." || part.empty()) {
      return "its name leads through '" + std::string(part) + "'";
    }
    begin = end + 1;
  }
  return {};
}

std::string WhyUnsafe(const unz_file_info64& info) {
  const std::uint64_t system = info.version >> 8U;
  const auto type =
      static_cast<std::uint32_t>(info.external_fa >> 16U) & kTypeMask;
  if ((system == kUnix || system == kMac) && type != 0 &&
      type != kRegularType && type != kFolderType) {
    return type == kLinkType ? "it is a link" : "it is no file and no folder";
  }
  if ((info.flag & kEncrypted) != 0) {
    return "it is encrypted";
  }
  if (info.compression_method != kStored &&
      info.compression_method != kDeflated) {
    return fmt::format(
        "it is compressed by method {}; an FMU's are stored or deflated",
        info.compression_method);
  }
  return {};
}

// Reads the bytes of the entry that `unzip` is at, in parts.
template <typename Consumer>
void Unpack(const Unzip& unzip,
            const std::string& archive,
            const Archive::Entry& entry,
            const Consumer& consume) {
  const auto fail = [&] {
    RefuseArchive(archive,
                  "the bytes of entry '" + entry.name +
                      "' are damaged; get the file once more");
  };
  std::array<char, std::size_t{1} << 16U> part{};
  if (unzOpenCurrentFile(unzip.get()) != UNZ_OK) {
    fail();
  }
  std::uint64_t size = 0;
  while (true) {
    const int got = unzReadCurrentFile(
        unzip.get(), part.data(), static_cast<unsigned>(part.size()));
    if (got < 0) {
      fail();
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::uint64_t>(got);
    consume(std::string_view(part.data(), static_cast<std::size_t>(got)));
  }
  // Compares the checksums.
  if (unzCloseCurrentFile(unzip.get()) != UNZ_OK || size != entry.size) {
    fail();
  }
}

void GoTo(const Unzip& unzip,
          const std::string& archive,
          const Archive::Entry& entry) {
  const unz64_file_pos place{.pos_in_zip_directory = entry.place,
                             .num_of_file = entry.index};
  if (unzGoToFilePos64(unzip.get(), &place) != UNZ_OK) {
    RefuseArchive(archive, "it has no entry '" + entry.name + "' any more");
  }
}

// Collects the entries of an archive and refuses those that are not safe.
class DirectoryReader {
 public:
  DirectoryReader(const std::string& archive, std::uint64_t archive_size)
      : archive_(archive),
        room_(Archive::kMaxSize + Archive::kMaxGrowth * archive_size) {}

  void Add(const Unzip& unzip) {
    unz_file_info64 info{};
    std::array<char, kMaxName + 1> name{};
    if (unzGetCurrentFileInfo64(unzip.get(),
                                &info,
                                name.data(),
                                name.size(),
                                nullptr,
                                0,
                                nullptr,
                                0) != UNZ_OK) {
      RefuseArchive(archive_, "its directory of entries is damaged");
    }
    unz64_file_pos place{};
    unzGetFilePos64(unzip.get(), &place);
    Archive::Entry entry{
        .name = std::string(
            name.data(), std::min<std::size_t>(info.size_filename, kMaxName)),
        .size = info.uncompressed_size,
        .place = place.pos_in_zip_directory,
        .index = place.num_of_file};
    std::string why =
        info.size_filename > kMaxName
            ? fmt::format("its name has {} bytes", info.size_filename)
            : WhyUnsafe(entry.name);
    if (why.empty()) {
      why = WhyUnsafe(info);
    }
    if (why.empty() && entry.size > room_) {
      why = fmt::format(
          "with it, {} bytes or more would be unpacked, too many for its size",
          entry.size);
    }
    if (!why.empty()) {
      RefuseArchive(archive_,
                    "entry '" + entry.name + "' is refused: " + why +
                        "; nothing has been unpacked");
    }
    room_ -= entry.size;
    Keep(std::move(entry));
  }

  // Adds the folders of all entries.
  void Finish(std::vector<Archive::Entry>& files,
              std::vector<std::string>& folders) {
    for (const Archive::Entry& entry : files_) {
      if (folders_.contains(entry.name)) {
        RefuseTwice(entry.name);
      }
    }
    files = std::move(files_);
    folders.assign(folders_.begin(), folders_.end());
  }

 private:
  [[noreturn]] void RefuseTwice(const std::string& name) const {
    RefuseArchive(
        archive_,
        "entry '" + name + "' is there twice; nothing has been unpacked");
  }

  void Keep(Archive::Entry entry) {
    const bool is_folder = entry.name.back() == '/';
    if (is_folder) {
      entry.name.pop_back();
    }
    for (std::size_t end = entry.name.find('/'); end != std::string::npos;
         end = entry.name.find('/', end + 1)) {
      folders_.insert(entry.name.substr(0, end));
    }
    if (is_folder) {
      folders_.insert(std::move(entry.name));
      return;
    }
    if (!names_.insert(entry.name).second) {
      RefuseTwice(entry.name);
    }
    files_.push_back(std::move(entry));
  }

  const std::string& archive_;
  std::uint64_t room_;
  std::vector<Archive::Entry> files_;
  std::set<std::string> names_;
  std::set<std::string> folders_;
};

}  // namespace

Archive::Archive(std::shared_ptr<const SourceFile> file)
    : file_(std::move(file)) {
  BytesAsFile bytes{.bytes = file_->text()};
  const Unzip unzip = internal::OpenUnzip(bytes);
  if (unzip == nullptr) {
    RefuseArchive(name(), WhyNoArchive(file_->text()));
  }
  unz_global_info64 info{};
  unzGetGlobalInfo64(unzip.get(), &info);
  DirectoryReader directory(name(), file_->text().size());
  for (std::uint64_t i = 0; i < info.number_entry; ++i) {
    if ((i == 0 ? unzGoToFirstFile(unzip.get())
                : unzGoToNextFile(unzip.get())) != UNZ_OK) {
      RefuseArchive(name(), "its directory of entries is damaged");
    }
    directory.Add(unzip);
  }
  directory.Finish(files_, folders_);
}

const Archive::Entry* Archive::Find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(files_, name, &Entry::name);
  return found == files_.end() ? nullptr : &*found;
}

std::string Archive::Read(const Entry& entry) const {
  BytesAsFile bytes{.bytes = file_->text()};
  const Unzip unzip = internal::OpenUnzip(bytes);
  ORRERY_CHECK(unzip != nullptr);
  GoTo(unzip, name(), entry);
  std::string content;
  Unpack(unzip, name(), entry, [&content](std::string_view part) {
    content += part;
  });
  return content;
}

void Archive::ExtractTo(const std::string& folder) const {
  const auto fail = [this](const std::string& path) {
    throw Error(ErrorCode::kIo,
                "cannot unpack " + name() + ": " + path +
                    " cannot be written; is there room on the disk?");
  };
  for (const std::string& its : folders_) {
    std::error_code error;
    std::filesystem::create_directories(folder + "/" + its, error);
    if (error) {
      fail(folder + "/" + its);
    }
  }
  BytesAsFile bytes{.bytes = file_->text()};
  const Unzip unzip = internal::OpenUnzip(bytes);
  ORRERY_CHECK(unzip != nullptr);
  for (const Entry& entry : files_) {
    const std::string path = folder + "/" + entry.name;
    std::ofstream stream(path, std::ios::binary);
    GoTo(unzip, name(), entry);
    Unpack(unzip, name(), entry, [&stream](std::string_view part) {
      stream.write(part.data(), static_cast<std::streamsize>(part.size()));
    });
    stream.close();
    if (!stream) {
      fail(path);
    }
  }
}

}  // namespace orrery::fmi
