#include "orrery/base/diagnostic.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// Longer lines are cut around the caret.
constexpr std::size_t kMaxExcerpt = 160;

// Limit of the stored part of a line, which may have a megabyte; it is enough
// for Render to see that the line goes on.
constexpr std::size_t kKeptExcerpt = 400;

// Returns the length of the UTF-8 sequence at `text[i]`, 0 if it is broken.
std::size_t SequenceLength(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  std::size_t length = 0;
  if (lead < 0x80) {
    length = 1;
  } else if (lead >= 0xC2 && lead < 0xE0) {
    length = 2;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    length = 3;
  } else if (lead >= 0xF0 && lead < 0xF5) {
    length = 4;
  }
  if (length == 0 || i + length > text.size()) {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80) {
      return 0;
    }
  }
  return length;
}

// Returns the code point of the whole sequence `bytes`.
std::uint32_t CodePoint(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) {
    return lead;
  }
  std::uint32_t code = lead & (0x7FU >> bytes.size());
  for (const char byte : bytes.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return code;
}

// True for C1 controls, and for characters that are invisible or change the
// direction of writing. A line with them does not read as it is.
bool IsHidden(std::uint32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0xAD || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

// A character in printable form, its number of columns, and its bytes.
struct Shown {
  std::string text;
  std::size_t columns = 1;
  std::size_t bytes = 1;
};

Shown Show(std::string_view text, std::size_t i) {
  const std::size_t length = SequenceLength(text, i);
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte == '\t') {
    return {.text = " "};
  }
  if (length == 0 || byte < 0x20 || byte == 0x7F) {
    return {.text = "?"};
  }
  const std::string_view bytes = text.substr(i, length);
  const std::uint32_t code = CodePoint(bytes);
  if (!IsHidden(code)) {
    return {.text = std::string(bytes), .bytes = length};
  }
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string name = "<U+";
  for (int shift = 12; shift >= 0; shift -= 4) {
    name += kDigits[code >> static_cast<unsigned>(shift) & 15U];
  }
  name += '>';
  return {.text = name, .columns = name.size(), .bytes = length};
}

// Makes a message printable, since it may quote the text. Its line ends are our
// own.
std::string Printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const Shown shown = Show(text, i);
    result += text[i] == '\n' ? "\n" : shown.text;
    i += shown.bytes;
  }
  return result;
}

bool IsTail(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

// Returns the range [first, second) of `line` around `column`, about as long as
// `size`, cut between characters.
std::pair<std::size_t, std::size_t> WindowOf(std::string_view line,
                                             std::size_t column,
                                             std::size_t size) {
  if (line.size() <= size) {
    return {0, line.size()};
  }
  std::size_t begin = column > size / 2 ? column - size / 2 : 0;
  std::size_t end = std::min(line.size(), begin + size);
  constexpr int kLongestTail = 3;
  for (int i = 0; i < kLongestTail && begin > 0 && IsTail(line[begin]); ++i) {
    --begin;
  }
  for (int i = 0; i < kLongestTail && end < line.size() && IsTail(line[end]);
       ++i) {
    ++end;
  }
  return {begin, end};
}

struct Excerpt {
  std::string text;   // Printable.
  std::string caret;  // Spaces, '^' and '~' under it.
};

// One column for each visible code point; tabs are one space.
Excerpt Prepare(std::string_view line, std::size_t column, std::size_t length) {
  const auto [begin, end] = WindowOf(line, column, kMaxExcerpt);
  Excerpt result;
  std::string& text = result.text;
  std::string& caret = result.caret;
  if (begin > 0) {
    text = "...";
    caret = "   ";
  }
  for (std::size_t i = begin; i < end;) {
    const Shown shown = Show(line, i);
    const bool is_at = i <= column && column < i + shown.bytes;
    const bool is_under = is_at || (i > column && i < column + length);
    caret.append(shown.columns, is_under ? '~' : ' ');
    if (is_at) {
      caret[caret.size() - shown.columns] = '^';
    }
    text += shown.text;
    i += shown.bytes;
  }
  text += end < line.size() ? "..." : "";
  if (column >= line.size()) {
    caret += '^';
  }
  caret.erase(caret.find_last_not_of(' ') + 1);
  return result;
}

}  // namespace

std::string_view NameOf(Severity severity) noexcept {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

Diagnostic MakeDiagnostic(Severity severity,
                          const SourceSpan& span,
                          std::string message,
                          std::string hint) {
  Diagnostic result{.severity = severity,
                    .message = std::move(message),
                    .hint = std::move(hint)};
  if (span.file == nullptr) {
    return result;
  }
  result.file = span.file->name();
  const auto position = span.file->PositionOf(span.begin);
  const std::string_view line = span.file->Line(position.line);
  result.line = position.line;
  result.column = position.column;
  const auto [begin, end] = WindowOf(
      line, static_cast<std::size_t>(position.column - 1), kKeptExcerpt);
  result.excerpt = std::string(line.substr(begin, end - begin));
  result.excerpt_begin = static_cast<int>(begin);
  const auto rest = static_cast<int>(line.size()) - position.column + 1;
  const auto length =
      span.end > span.begin ? static_cast<int>(span.end - span.begin) : 1;
  result.length = std::max(1, std::min(length, rest));
  return result;
}

std::string Render(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) {
    out += Printable(diagnostic.file) + ":";
    if (diagnostic.line > 0) {
      out += std::to_string(diagnostic.line) + ":" +
             std::to_string(diagnostic.column) + ":";
    }
    out += " ";
  }
  out += std::string(NameOf(diagnostic.severity)) + ": ";
  if (!diagnostic.path.empty()) {
    out += Printable(diagnostic.path) + ": ";
  }
  out += Printable(diagnostic.message);
  const std::string hint = Printable(diagnostic.hint);
  if (diagnostic.line == 0) {
    out += hint.empty() ? "\n" : "; " + hint + "\n";
    return out;
  }
  const int before = diagnostic.excerpt_begin + 1;
  const auto column =
      static_cast<std::size_t>(std::max(0, diagnostic.column - before));
  const auto length = static_cast<std::size_t>(diagnostic.length);
  const Excerpt excerpt = Prepare(diagnostic.excerpt, column, length);
  std::string number = std::to_string(diagnostic.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  const std::string margin(number.size(), ' ');
  out += "\n" + number + " | " + excerpt.text + "\n";
  out += margin + " | " + excerpt.caret;
  out += hint.empty() ? "\n" : " " + hint + "\n";
  return out;
}

std::string Render(std::span<const Diagnostic> diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    out += Render(diagnostic);
  }
  return out;
}

void Diagnostics::Add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError && ++errors_ > kMaxErrors) {
    return;
  }
  list_.push_back(std::move(diagnostic));
}

void Diagnostics::Error(const SourceSpan& span,
                        std::string message,
                        std::string hint) {
  Add(MakeDiagnostic(
      Severity::kError, span, std::move(message), std::move(hint)));
}

void Diagnostics::Warning(const SourceSpan& span,
                          std::string message,
                          std::string hint) {
  Add(MakeDiagnostic(
      Severity::kWarning, span, std::move(message), std::move(hint)));
}

void Diagnostics::ThrowIfErrors() const {
  if (!has_errors()) {
    return;
  }
  std::vector<Diagnostic> all = list_;
  if (errors_ > kMaxErrors) {
    const std::size_t more = errors_ - kMaxErrors;
    all.push_back({.severity = Severity::kNote,
                   .message = "and " + std::to_string(more) +
                              (more == 1 ? " more error" : " more errors")});
  }
  throw orrery::Error(ErrorCode::kInvalidModel, std::move(all));
}

}  // namespace orrery
