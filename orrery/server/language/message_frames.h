#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::server {

/// A message of the Language Server Protocol with its head.
[[nodiscard]] std::string Framed(std::string_view message);

/// Takes messages out of what a language server writes.
class MessageFrames {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

  void Add(std::string_view bytes) { rest_ += bytes; }

  /// The next message that is complete.
  [[nodiscard]] std::optional<std::string> Next();

  /// True if what was written has no head, or a message that is too long: no
  /// message can be found any more.
  [[nodiscard]] bool is_broken() const noexcept { return is_broken_; }

 private:
  std::string rest_;
  bool is_broken_ = false;
};

}  // namespace orrery::server
