#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace orrery::devs::internal {

/// A text that never changes, in 16 bytes; up to 15 characters need no memory
/// beside it. There may be millions of names.
class Name {
 public:
  Name() = default;
  explicit Name(std::string_view text);

  ~Name() {
    if (is_long()) {
      delete[] long_text();
    }
  }

  Name(const Name&) = delete;
  Name(Name&&) = delete;
  Name& operator=(const Name&) = delete;

  Name& operator=(Name&& other) noexcept {
    bytes_.swap(other.bytes_);
    return *this;
  }

  [[nodiscard]] std::string_view view() const noexcept {
    if (!is_long()) {
      return {bytes_.data(), static_cast<std::size_t>(bytes_.back())};
    }
    const char* const text = long_text();
    return {text, std::strlen(text)};
  }

 private:
  static constexpr std::size_t kSize = 16;
  static constexpr char kLong = 127;

  [[nodiscard]] bool is_long() const noexcept { return bytes_.back() == kLong; }

  [[nodiscard]] char* long_text() const noexcept {
    char* text = nullptr;
    std::memcpy(&text, bytes_.data(), sizeof text);
    return text;
  }

  // The last is the size, or kLong behind a pointer to the text.
  alignas(void*) std::array<char, kSize> bytes_{};
};

}  // namespace orrery::devs::internal
