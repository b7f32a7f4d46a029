#include "orrery/results/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr std::size_t kBytesAtOnce = std::size_t{1} << 16;
constexpr int kMaxAttempts = 1000;

// Adds advice on the common reasons, which strerror lacks.
std::string Reason(int code, const std::string& folder) {
  switch (code) {
    case ENOENT:
      return "there is no folder '" + folder + "'";
    case ENOTDIR:
      return "'" + folder + "' is not a folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "the folder '" + folder + "' is not writable";
    case ENOSPC:
    case EDQUOT:
      return "the disk is full";
    default:
      return std::generic_category().message(code);
  }
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string FormatEnding(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending;
}

void RefuseEnding(const std::string& what,
                  const std::string& ending,
                  const std::string& known) {
  throw Error(ErrorCode::kInvalidArgument,
              what + ": " +
                  (ending.empty()
                       ? "its name has no ending"
                       : "the ending '" + ending + "' names no known format") +
                  "; known endings: " + known);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) {
    Fail("its name is empty");
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  if (std::filesystem::is_directory(status)) {
    Fail("it is a folder; name a file in it");
  }
  target_ = path_;
  if (std::filesystem::is_symlink(path_, ignored)) {
    target_ = std::filesystem::weakly_canonical(path_, ignored);
  }
  buffer_.reserve(kBytesAtOnce);
  if (!std::filesystem::exists(status)) {
    OpenBeside(0666);
  } else if (access(target_.c_str(), W_OK) != 0) {
    Fail("it is write-protected");
  } else if (std::filesystem::is_regular_file(status)) {
    OpenBeside(static_cast<unsigned>(status.permissions()) & 0777U);
  } else {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      Fail(std::generic_category().message(errno));
    }
  }
}

// Does not open a pipe, whose reader would see an end.
void OutputFile::Check(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || !std::filesystem::is_other(status)) {
    const OutputFile file(path);
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
  if (!temporary_.empty() && !committed_) {
    unlink(temporary_.c_str());
  }
}

// O_EXCL: never overwrites another file, even of a concurrent process.
void OutputFile::OpenBeside(unsigned mode) {
  const std::string prefix =
      FolderOf(target_) + "/.orrery-" + std::to_string(getpid()) + "-";
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string name = prefix + std::to_string(attempt);
    descriptor_ =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0) {
      temporary_ = std::move(name);
      break;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  if (descriptor_ < 0) {
    FailWithErrno(errno);
  }
}

void OutputFile::Write(std::string_view bytes) {
  ORRERY_CHECK(!committed_);
  if (buffer_.size() + bytes.size() > kBytesAtOnce) {
    Flush();
  }
  buffer_.append(bytes);
}

void OutputFile::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      FailWithErrno(errno);
    }
  }
  buffer_.clear();
}

void OutputFile::Commit() {
  ORRERY_CHECK(!committed_);
  Flush();
  if (!temporary_.empty()) {
    if (fsync(descriptor_) != 0 ||
        std::rename(temporary_.c_str(), target_.c_str()) != 0) {
      FailWithErrno(errno);
    }
  }
  committed_ = true;
}

void OutputFile::Fail(const std::string& why) const {
  throw Error(ErrorCode::kIo, "cannot write '" + path_ + "': " + why);
}

void OutputFile::FailWithErrno(int code) const {
  Fail(Reason(code, FolderOf(target_)));
}

}  // namespace orrery
