#include "orrery/server/language/message_frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "orrery/server/http/small_letters.h"
#include "orrery/server/http/target.h"

namespace orrery::server {
namespace {

constexpr std::size_t kMostHead = 4096;

// The length of a message by its head, without the empty line.
std::optional<std::size_t> LengthIn(std::string_view head) {
  constexpr std::string_view kName = "content-length:";
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string line = InSmallLetters(head.substr(0, end));
    head.remove_prefix(std::min(end + 2, head.size()));
    if (line.starts_with(kName)) {
      const std::size_t digits = line.find_first_not_of(' ', kName.size());
      const auto length =
          ParseId(digits == std::string::npos ? "" : line.substr(digits));
      return length ? std::optional(static_cast<std::size_t>(*length))
                    : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string Framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

std::optional<std::string> MessageFrames::Next() {
  const std::size_t end = rest_.find("\r\n\r\n");
  if (is_broken_ || end == std::string::npos) {
    is_broken_ = is_broken_ || rest_.size() > kMostHead;
    return std::nullopt;
  }
  const auto length = LengthIn(std::string_view(rest_).substr(0, end));
  if (!length || *length > kMostBytes) {
    is_broken_ = true;
    return std::nullopt;
  }
  const std::size_t begin = end + 4;
  if (rest_.size() - begin < *length) {
    return std::nullopt;
  }
  std::string message = rest_.substr(begin, *length);
  rest_.erase(0, begin + *length);
  return message;
}

}  // namespace orrery::server
