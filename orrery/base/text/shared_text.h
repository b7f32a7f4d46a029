#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// An immutable text that is shared by its copies, for many things with the
/// same text. An empty one takes no memory. It reads as a std::string.
class SharedText {
 public:
  SharedText() = default;

  // NOLINTBEGIN(google-explicit-constructor): a text is a text.
  SharedText(std::string text)
      : text_(text.empty()
                  ? nullptr
                  : std::make_shared<const std::string>(std::move(text))) {}

  SharedText(std::string_view text) : SharedText(std::string(text)) {}

  SharedText(const char* text) : SharedText(std::string(text)) {}

  operator const std::string&() const noexcept { return str(); }

  operator std::string_view() const noexcept { return str(); }

  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const std::string& str() const noexcept {
    static const std::string none;
    return text_ == nullptr ? none : *text_;
  }

  [[nodiscard]] bool empty() const noexcept { return text_ == nullptr; }

  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const SharedText& a, const Text& b) noexcept {
    const std::string_view text = b;
    return a.str() == text;
  }

 private:
  std::shared_ptr<const std::string> text_;  // Null: empty.
};

}  // namespace orrery
