#include "orrery/modelica/text_edits/edited_text.h"

#include <algorithm>
#include <utility>

namespace orrery::modelica {
namespace {

// The last edit comes first; of insertions at one place, too.
void SortBackwards(std::vector<TextEdit>& edits) {
  std::ranges::stable_sort(
      edits, {}, [](const TextEdit& edit) { return edit.span.begin; });
  std::ranges::reverse(edits);
}

}  // namespace

std::string Edited(std::string_view text, std::vector<TextEdit> edits) {
  SortBackwards(edits);
  std::string result(text);
  for (const TextEdit& edit : edits) {
    result.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  }
  return result;
}

namespace internal {

EditedText::EditedText(std::string text)
    : first_(std::move(text)), text_(first_) {
  pieces_.push_back(
      {.is_old = true,
       .old = {.begin = 0, .end = static_cast<std::uint32_t>(first_.size())}});
}

void EditedText::Apply(std::vector<TextEdit> edits) {
  SortBackwards(edits);
  for (const TextEdit& edit : edits) {
    Replace(edit);
    text_.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  }
}

void EditedText::Replace(const TextEdit& edit) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  bool is_added = false;
  const auto add = [&] {
    if (!is_added && !edit.text.empty()) {
      pieces.push_back({.added = edit.text});
    }
    is_added = true;
  };
  // The part of a piece between two offsets of the present text.
  const auto keep =
      [&](const Piece& piece, std::size_t begin, std::size_t end) {
        if (begin >= end) {
          return;
        }
        const std::size_t from = begin - at;
        Piece part = {.is_old = piece.is_old};
        if (piece.is_old) {
          part.old = {
              .begin = piece.old.begin + static_cast<std::uint32_t>(from),
              .end = piece.old.begin + static_cast<std::uint32_t>(end - at)};
        } else {
          part.added = piece.added.substr(from, end - begin);
        }
        pieces.push_back(std::move(part));
      };
  for (const Piece& piece : pieces_) {
    const std::size_t end = at + piece.size();
    keep(piece, at, std::min<std::size_t>(end, edit.span.begin));
    if (end >= edit.span.begin && at <= edit.span.end &&
        (end > edit.span.begin || edit.span.begin == edit.span.end)) {
      add();
    }
    keep(piece, std::max<std::size_t>(at, edit.span.end), end);
    at = end;
  }
  add();
  pieces_ = std::move(pieces);
}

std::vector<TextEdit> EditedText::Edits() const {
  std::vector<TextEdit> edits;
  std::uint32_t at = 0;
  std::string added;
  const auto close = [&](std::uint32_t next) {
    // What is as it was is no edit.
    if (std::string_view(first_).substr(at, next - at) != added) {
      edits.push_back({.span = {.begin = at, .end = next}, .text = added});
    }
    added.clear();
  };
  for (const Piece& piece : pieces_) {
    if (piece.is_old) {
      close(piece.old.begin);
      at = piece.old.end;
    } else {
      added += piece.added;
    }
  }
  close(static_cast<std::uint32_t>(first_.size()));
  return edits;
}

}  // namespace internal
}  // namespace orrery::modelica
