#include "orrery/server/files/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <linux/openat2.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/text/utf8.h"
#include "orrery/server/http/gate.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

constexpr const char* kTrash = ".orrery/trash";

[[noreturn]] void FailWith(int error,
                           std::string_view verb,
                           std::string_view path) {
  const auto fail = [&](int status, const char* code, std::string why) {
    throw HttpError{.status = status,
                    .code = code,
                    .message = fmt::format(
                        "cannot {} '{}': {}", verb, path, std::move(why)),
                    .hint = ""};
  };
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      fail(404, "missing", "there is no such file");
      break;
    case EXDEV:
    case ELOOP:
      fail(400, "path", "it leads out of the folder");
      break;
    case ENOSPC:
    case EDQUOT:
      fail(507, "full", "the disk is full");
      break;
    default:
      break;
  }
  fail(403, "refused", std::generic_category().message(error));
  std::terminate();
}

int OpenBeneath(int folder, const std::string& path, int flags, int mode) {
  open_how how{};
  how.flags = static_cast<__u64>(flags | O_CLOEXEC);
  how.mode = static_cast<__u64>(mode);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(
      syscall(SYS_openat2, folder, path.c_str(), &how, sizeof(how)));
}

// Everything that can be read, up to one byte more than `most`.
std::string ReadAll(int file, std::size_t most, const std::string& path) {
  std::string bytes;
  std::array<char, 1U << 16U> buffer{};
  while (bytes.size() <= most) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count == 0) {
      break;
    }
    if (count < 0 && errno != EINTR) {
      FailWith(errno, "read", path);
    }
    bytes.append(buffer.data(),
                 static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  return bytes;
}

void WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) {
      FailWith(errno, "write", path);
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

std::string ParentOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// A new file beside the one that it is to replace.
class NewFile {
 public:
  NewFile(int parent, std::string path)
      : parent_(parent),
        path_(std::move(path)),
        name_("." + NameOf(path_) + "." + NewSecret().substr(0, 8)),
        file_(openat(parent,
                     name_.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     0666)) {
    if (!file_) {
      FailWith(errno, "write", path_);
    }
  }

  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  ~NewFile() {
    if (!is_committed_) {
      unlinkat(parent_, name_.c_str(), 0);
    }
  }

  void Write(std::string_view text, std::optional<mode_t> mode) {
    WriteAll(file_.number(), text, path_);
    if ((mode && fchmod(file_.number(), *mode) != 0) ||
        fsync(file_.number()) != 0) {
      FailWith(errno, "write", path_);
    }
  }

  void Commit() {
    if (renameat(parent_, name_.c_str(), parent_, NameOf(path_).c_str()) != 0) {
      FailWith(errno, "write", path_);
    }
    is_committed_ = true;
    fsync(parent_);
  }

 private:
  int parent_;
  std::string path_;
  std::string name_;
  Descriptor file_;
  bool is_committed_ = false;
};

}  // namespace

void CheckPath(std::string_view path) {
  const auto refuse = [&](const char* why) {
    throw HttpError{
        .status = 400,
        .code = "path",
        .message = fmt::format("cannot take '{}': {}", path, why),
        .hint = "give a path below the folder, as in parts/motor.mo"};
  };
  constexpr std::size_t kLongest = 1024;
  if (path.empty() || path.size() > kLongest) {
    refuse("a path has 1 to 1024 bytes");
  }
  for (std::string_view rest = path;;) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (end == 0) {
      refuse("it begins or ends with '/', or has two of them");
    }
    if (rest.front() == '.') {
      refuse("names that begin with '.' are left alone");
    }
    if (end == rest.size()) {
      return;
    }
    rest.remove_prefix(end + 1);
  }
}

std::string EtagOf(std::string_view text) {
  return fmt::format("\"{:016x}-{:x}\"", StableHash(text), text.size());
}

Folder::Folder(const std::string& path) {
  std::error_code failed;
  path_ = std::filesystem::canonical(path, failed);
  if (!failed) {
    folder_ =
        Descriptor(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  if (!folder_) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot open the folder '{}': it is none, or may "
                            "not be read",
                            path));
  }
  const Descriptor probe(OpenBeneath(folder_.number(), ".", O_PATH, 0));
  if (!probe && errno == ENOSYS) {
    throw Error(ErrorCode::kUnsupported,
                "cannot serve a folder: this system cannot keep paths within "
                "it (openat2); Linux 5.6 and newer can");
  }
}

Descriptor Folder::Open(const std::string& path, int flags) const {
  Descriptor file(OpenBeneath(folder_.number(), path, flags, 0));
  if (!file) {
    FailWith(errno, "open", path);
  }
  return file;
}

Descriptor Folder::OpenParent(const std::string& path) const {
  return Open(ParentOf(path), O_RDONLY | O_DIRECTORY);
}

std::vector<FileInfo> Folder::List(const std::string& under) const {
  if (!under.empty()) {
    CheckPath(under);
  }
  Descriptor opened = Open(under.empty() ? "." : under, O_RDONLY | O_DIRECTORY);
  const int number = dup(opened.number());
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(number),
                                                    closedir);
  if (entries == nullptr) {
    close(number);
    FailWith(errno, "list", under);
  }
  std::vector<FileInfo> files;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): each caller has its own stream.
  while (const dirent* entry = readdir(entries.get())) {
    const std::string name = &entry->d_name[0];

    struct stat status {};

    if (name.front() == '.' ||
        fstatat(opened.number(), name.c_str(), &status, 0) != 0 ||
        !(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode))) {
      continue;
    }
    if (files.size() == kMostEntries) {
      throw HttpError{.status = 413,
                      .code = "size",
                      .message = fmt::format("cannot list '{}': it has more "
                                             "than {} entries",
                                             under,
                                             kMostEntries),
                      .hint = ""};
    }
    files.push_back({.path = under.empty() ? name : under + "/" + name,
                     .is_folder = S_ISDIR(status.st_mode),
                     .size = status.st_size});
  }
  std::ranges::sort(files, [](const FileInfo& a, const FileInfo& b) {
    return std::tuple(!a.is_folder, a.path) < std::tuple(!b.is_folder, b.path);
  });
  return files;
}

std::string Folder::ReadBytes(const std::string& path, std::size_t most) const {
  CheckPath(path);
  // A pipe would let us wait for ever.
  const Descriptor file = Open(path, O_RDONLY | O_NONBLOCK);

  struct stat status {};

  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw HttpError{.status = 415,
                    .code = "type",
                    .message = "cannot read '" + path + "': it is no file",
                    .hint = ""};
  }
  std::string bytes = ReadAll(file.number(), most, path);
  if (bytes.size() > most) {
    throw HttpError{.status = 413,
                    .code = "size",
                    .message = fmt::format(
                        "cannot read '{}': it is larger than {} MB, which is "
                        "as much as the studio shows",
                        path,
                        most / 1'000'000),
                    .hint = ""};
  }
  return bytes;
}

FileText Folder::Read(const std::string& path) const {
  std::string text = ReadBytes(path, kMostBytes);
  if (!IsUtf8(text)) {
    throw HttpError{.status = 415,
                    .code = "type",
                    .message = "cannot show '" + path + "': it is no text",
                    .hint = ""};
  }
  std::string etag = EtagOf(text);
  return {.text = std::move(text), .etag = std::move(etag)};
}

bool Folder::Contains(const std::string& path) const {
  CheckPath(path);
  const Descriptor file(OpenBeneath(folder_.number(), path, O_PATH, 0));
  return static_cast<bool>(file);
}

// The path of a file with links followed, so that a link stays one.
std::string Folder::Followed(const std::string& path) const {
  const Descriptor file(OpenBeneath(folder_.number(), path, O_PATH, 0));
  if (!file) {
    if (errno != ENOENT) {
      FailWith(errno, "write", path);
    }
    return path;
  }
  std::error_code failed;
  const std::string real = std::filesystem::read_symlink(
      fmt::format("/proc/self/fd/{}", file.number()), failed);
  const std::string prefix = path_ == "/" ? path_ : path_ + "/";
  if (failed || !real.starts_with(prefix)) {
    FailWith(EXDEV, "write", path);
  }
  return real.substr(prefix.size());
}

std::optional<std::string> Folder::Write(
    const std::string& path,
    std::string_view text,
    const std::optional<std::string>& known) {
  CheckPath(path);
  if (text.size() > kMostBytes || !IsUtf8(text)) {
    throw HttpError{
        .status = text.size() > kMostBytes ? 413 : 415,
        .code = "type",
        .message = "cannot write '" + path + "': it is no text of at most 5 MB",
        .hint = ""};
  }
  const std::lock_guard lock(writing_);
  const bool is_there = Contains(path);
  if (is_there != known.has_value()) {
    return std::nullopt;
  }
  if (!is_there) {
    MakeParent(path);
  }
  const std::string place = Followed(path);
  const Descriptor parent = OpenParent(place);
  std::optional<mode_t> mode;

  struct stat status {};

  if (is_there && fstatat(parent.number(),
                          NameOf(place).c_str(),
                          &status,
                          AT_SYMLINK_NOFOLLOW) == 0) {
    if (faccessat(parent.number(), NameOf(place).c_str(), W_OK, 0) != 0) {
      FailWith(errno, "write", path);
    }
    mode = status.st_mode & 07777U;
  }
  NewFile file(parent.number(), place);
  file.Write(text, mode);
  if (is_there && EtagOf(ReadBytes(path, kMostBytes)) != *known) {
    return std::nullopt;
  }
  file.Commit();
  return EtagOf(text);
}

void Folder::MakeParent(const std::string& path) const {
  for (std::size_t end = path.find('/'); end != std::string::npos;
       end = path.find('/', end + 1)) {
    const std::string folder = path.substr(0, end);
    const Descriptor parent = OpenParent(folder);
    if (mkdirat(parent.number(), NameOf(folder).c_str(), 0777) != 0 &&
        errno != EEXIST) {
      FailWith(errno, "make the folder", folder);
    }
  }
}

void Folder::MoveAnywhere(const std::string& from,
                          const std::string& to) const {
  MakeParent(to);
  const Descriptor old_parent = OpenParent(from);
  const Descriptor new_parent = OpenParent(to);
  if (renameat2(old_parent.number(),
                NameOf(from).c_str(),
                new_parent.number(),
                NameOf(to).c_str(),
                RENAME_NOREPLACE) == 0) {
    return;
  }
  if (errno == EEXIST) {
    throw HttpError{.status = 409,
                    .code = "taken",
                    .message = fmt::format("cannot move '{}' to '{}': there "
                                           "is something of that name",
                                           from,
                                           to),
                    .hint = ""};
  }
  FailWith(errno, "move", from);
}

void Folder::Move(const std::string& from, const std::string& to) {
  CheckPath(from);
  CheckPath(to);
  const std::lock_guard lock(writing_);
  MoveAnywhere(from, to);
}

std::string Folder::Remove(const std::string& path) {
  CheckPath(path);
  const std::lock_guard lock(writing_);
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  std::string place =
      fmt::format("{}/{}-{}", kTrash, now.count(), NameOf(path));
  MoveAnywhere(path, place);
  return place;
}

}  // namespace orrery::server
