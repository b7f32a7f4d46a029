#include "orrery/base/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/nearest_file.h"

namespace orrery {
namespace {

[[noreturn]] void FailToRead(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kIo, "cannot read '" + path + "': " + why);
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
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    FailToRead(path, std::generic_category().message(errno));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) {
    FailToRead(path, "reading stopped with an error");
  }
  std::string bytes = std::move(text).str();
  if (bytes.size() >= std::numeric_limits<std::uint32_t>::max()) {
    FailToRead(path, "it is larger than 4 GiB");
  }
  return std::make_shared<const SourceFile>(path, std::move(bytes));
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
