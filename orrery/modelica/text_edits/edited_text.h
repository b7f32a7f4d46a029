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

/// Subject of edits. A number of a drawing, which is written to a
/// millionth, gets its first bytes back when it comes back to its first value.
enum class EditKind : std::uint8_t { kText, kDrawing };

/// A text that is edited step by step. It knows which bytes of the first text
/// are left.
class EditedText {
 public:
  explicit EditedText(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Applies edits of the present text, which do not overlap.
  void Apply(std::vector<TextEdit> edits, EditKind kind = EditKind::kText);

  /// All that changed, as edits of the first text, in its order.
  [[nodiscard]] std::vector<TextEdit> Edits() const;

 private:
  // Bytes of the first text, or new ones.
  struct Piece {
    bool is_old = false;
    ast::Span old;
    std::string added;
    EditKind kind = EditKind::kText;  // That of added bytes.

    [[nodiscard]] std::size_t size() const {
      return is_old ? old.end - old.begin : added.size();
    }
  };

  void Replace(const TextEdit& edit, EditKind kind);
  void RestoreNumbers();

  std::string first_;
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace internal
}  // namespace orrery::modelica
