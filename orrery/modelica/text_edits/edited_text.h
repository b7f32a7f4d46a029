#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/syntax/ast.h"

namespace orrery::modelica {

/// Replaces the bytes of `span` by `text`.
struct TextEdit {
  ast::Span span;
  std::string text;

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// The text after edits, which do not overlap.
[[nodiscard]] std::string Edited(std::string_view text,
                                 std::vector<TextEdit> edits);

namespace internal {

/// A text that is edited step by step. It knows which bytes of the first text
/// are left.
class EditedText {
 public:
  explicit EditedText(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Applies edits of the present text, which do not overlap.
  void Apply(std::vector<TextEdit> edits);

  /// All that changed, as edits of the first text, in its order.
  [[nodiscard]] std::vector<TextEdit> Edits() const;

 private:
  // Bytes of the first text, or new ones.
  struct Piece {
    bool is_old = false;
    ast::Span old;
    std::string added;

    [[nodiscard]] std::size_t size() const {
      return is_old ? old.end - old.begin : added.size();
    }
  };

  void Replace(const TextEdit& edit);

  std::string first_;
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace internal
}  // namespace orrery::modelica
