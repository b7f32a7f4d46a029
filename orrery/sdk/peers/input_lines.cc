#include "orrery/sdk/peers/input_lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace orrery {

InputLines::State InputLines::Next(std::string& line, Duration patience) {
  if (TakeLine(line)) {
    return State::kLine;
  }
  if (is_closed_) {
    return State::kClosed;
  }
  pollfd wanted{.fd = descriptor_, .events = POLLIN, .revents = 0};
  const auto wait =
      std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
  if (poll(&wanted, 1, static_cast<int>(wait)) <= 0) {
    return State::kNone;
  }
  std::array<char, 4096> bytes{};
  const ssize_t count = read(descriptor_, bytes.data(), bytes.size());
  if (count > 0) {
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    is_closed_ = true;
  }
  return TakeLine(line) ? State::kLine
         : is_closed_   ? State::kClosed
                        : State::kNone;
}

bool InputLines::TakeLine(std::string& line) {
  const std::size_t end = buffer_.find('\n');
  const bool is_whole = end != std::string::npos;
  if (!is_whole && buffer_.size() < kMaxLine &&
      !(is_closed_ && !buffer_.empty())) {
    return false;
  }
  line = buffer_.substr(0, end);
  buffer_.erase(0, is_whole ? end + 1 : buffer_.size());
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return true;
}

}  // namespace orrery
