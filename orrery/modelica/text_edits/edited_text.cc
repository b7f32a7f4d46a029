#include "orrery/modelica/text_edits/edited_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace orrery::modelica {
namespace {

// The last edit comes first; of insertions at one place, too.
void SortBackwards(std::vector<TextEdit>& edits) {
  std::ranges::stable_sort(
      edits, {}, [](const TextEdit& edit) { return edit.span.begin; });
  std::ranges::reverse(edits);
}

// A text that is one number, perhaps with a sign and spaces behind that.
std::optional<double> DrawnNumber(std::string_view written) {
  std::string text;
  for (const char c : written) {
    const bool is_left_out = std::isspace(static_cast<unsigned char>(c)) != 0 ||
                             (c == '+' && text.empty());
    if (!is_left_out) {
      text += c;
    }
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size()
             ? std::optional(value)
             : std::nullopt;
}

// True for two numbers that drawings do not tell apart.
bool AreSameNumber(std::string_view a, std::string_view b) {
  constexpr double kMillionth = 1e-6;
  const auto first = DrawnNumber(a);
  const auto second = DrawnNumber(b);
  return first && second && std::abs(*first - *second) < kMillionth / 2;
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

void EditedText::Apply(std::vector<TextEdit> edits, EditKind kind) {
  SortBackwards(edits);
  for (const TextEdit& edit : edits) {
    Replace(edit, kind);
    text_.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  }
  if (kind == EditKind::kDrawing) {
    RestoreNumbers();
  }
}

void EditedText::RestoreNumbers() {
  bool is_restored = false;
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    const Piece& before = pieces_[i - 1];
    const Piece& after = pieces_[i + 1];
    const bool is_alone = !piece.is_old && before.is_old && after.is_old &&
                          piece.kind == EditKind::kDrawing;
    if (!is_alone) {
      continue;
    }
    const ast::Span gap = {.begin = before.old.end, .end = after.old.begin};
    if (AreSameNumber(
            std::string_view(first_).substr(gap.begin, gap.end - gap.begin),
            piece.added)) {
      piece = {.is_old = true, .old = gap};
      is_restored = true;
    }
  }
  if (!is_restored) {
    return;
  }
  text_.clear();
  for (const Piece& piece : pieces_) {
    text_ += piece.is_old ? first_.substr(piece.old.begin,
                                          piece.old.end - piece.old.begin)
                          : piece.added;
  }
}

void EditedText::Replace(const TextEdit& edit, EditKind kind) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  bool is_added = false;
  const auto add = [&] {
    if (!is_added && !edit.text.empty()) {
      pieces.push_back({.added = edit.text, .kind = kind});
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
        Piece part = {.is_old = piece.is_old, .kind = piece.kind};
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
    // A range that is as it was is no edit.
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
