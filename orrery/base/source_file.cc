#include "orrery/base/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/nearest_file.h"
#include "orrery/base/text/utf8.h"

namespace orrery {
namespace {

// Positions in a text have 32 bits.
constexpr std::size_t kMaxSize = std::numeric_limits<std::uint32_t>::max();
constexpr const char* kTooLarge = "it is larger than 4 GiB";

[[noreturn]] void FailToRead(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kIo, "cannot read '" + path + "': " + why);
}

// True if the bytes are no text, but numbers or code, which contain zeros.
bool IsBinary(std::string_view bytes) {
  return bytes.find('\0') != std::string_view::npos;
}

// An open file. Streams of the standard library would bring its locales into
// each exported FMU.
using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Also reads files of apparent size 0, such as those of /proc.
std::string ReadAtMost(std::FILE* file, std::size_t most) {
  constexpr std::size_t kPart = std::size_t{1} << 16U;
  std::string bytes;
  std::size_t count = kPart;
  while (count == kPart && bytes.size() < most) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kPart);
    count = std::fread(&bytes[size], 1, kPart, file);
    bytes.resize(size + count);
  }
  return bytes;
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') {
      line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
}

std::shared_ptr<const SourceFile> SourceFile::Read(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    FailToRead(path, "there is no such file" + Clause(SuggestFile(path)));
  }
  if (std::filesystem::is_directory(status)) {
    FailToRead(path, "it is a folder; name a file in it");
  }
  // A device may never end, and a pipe may never begin.
  if (!std::filesystem::is_regular_file(status)) {
    FailToRead(path,
               "it is a pipe or a device; write what comes from it to a file, "
               "and name that");
  }
  if (std::filesystem::file_size(path, error) >= kMaxSize) {
    FailToRead(path, kTooLarge);
  }
  const OpenFile file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) {
    FailToRead(path, std::generic_category().message(errno));
  }
  std::string bytes = ReadAtMost(file.get(), kMaxSize);
  if (std::ferror(file.get()) != 0) {
    FailToRead(path, "reading stopped with an error");
  }
  if (bytes.size() >= kMaxSize) {
    FailToRead(path, kTooLarge);
  }
  return std::make_shared<const SourceFile>(
      path,
      IsBinary(bytes) || IsUtf8(bytes) ? std::move(bytes) : ToUtf8(bytes));
}

SourceFile::Position SourceFile::PositionOf(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const auto line = next - line_starts_.begin();
  return {.line = static_cast<int>(line),
          .column = static_cast<int>(offset - *(next - 1)) + 1};
}

std::string_view SourceFile::Line(int line) const {
  const auto count = static_cast<int>(line_starts_.size());
  if (line < 1 || line > count) {
    return {};
  }
  const auto index = static_cast<std::size_t>(line) - 1;
  const std::size_t begin = line_starts_[index];
  std::size_t end = line == count ? text_.size() : line_starts_[index + 1] - 1;
  if (end > begin && text_[end - 1] == '\r') {
    --end;
  }
  const std::string_view text = text_;
  return text.substr(begin, end - begin);
}

}  // namespace orrery
