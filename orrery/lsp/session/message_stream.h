#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::lsp {

/// Cuts a stream of bytes into messages: `Content-Length: N`, an empty line and
/// N bytes each (LSP 3.17, base protocol).
class MessageReader {
 public:
  /// The largest message; a longer one ends the stream.
  static constexpr std::size_t kMaxBytes = std::size_t{64} * 1024 * 1024;

  void Add(std::string_view bytes) { buffer_ += bytes; }

  /// The next whole message; none if it has not come yet.
  std::optional<std::string> Next();

  /// True once a header was read that is none: nothing more can be understood.
  [[nodiscard]] bool is_broken() const noexcept { return is_broken_; }

 private:
  std::string buffer_;
  bool is_broken_ = false;
};

/// Writes all of a text to a descriptor, unless its other end is gone.
void WriteAll(int descriptor, std::string_view text);

/// A message with its header.
[[nodiscard]] std::string Framed(std::string_view message);

}  // namespace orrery::lsp
