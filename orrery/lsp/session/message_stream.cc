#include "orrery/lsp/session/message_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>

namespace orrery::lsp {
namespace {

constexpr std::string_view kEnd = "\r\n\r\n";
constexpr std::size_t kMaxHeader = 4096;

// The number after `Content-Length:`; none if a header has none.
std::optional<std::size_t> LengthIn(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  std::string lower(header);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  std::size_t at = lower.find(kName);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  at = lower.find_first_not_of(' ', at + kName.size());
  std::size_t length = 0;
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const auto read =
      std::from_chars(lower.data() + at, lower.data() + lower.size(), length);
  return read.ec == std::errc() ? std::optional(length) : std::nullopt;
}

}  // namespace

std::optional<std::string> MessageReader::Next() {
  const std::size_t end = buffer_.find(kEnd);
  if (is_broken_ || end == std::string::npos) {
    is_broken_ = is_broken_ || buffer_.size() > kMaxHeader;
    return std::nullopt;
  }
  const auto length = LengthIn({buffer_.data(), end});
  if (!length || *length > kMaxBytes) {
    is_broken_ = true;
    return std::nullopt;
  }
  const std::size_t begin = end + kEnd.size();
  if (buffer_.size() - begin < *length) {
    return std::nullopt;
  }
  std::string message = buffer_.substr(begin, *length);
  buffer_.erase(0, begin + *length);
  return message;
}

void WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) {
      return;
    }
    text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
}

std::string Framed(std::string_view message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" +
         std::string(message);
}

}  // namespace orrery::lsp
