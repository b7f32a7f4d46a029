#include "orrery/base/diagnostic.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// More than this of a line is cut away around the caret.
constexpr std::size_t kMaxExcerpt = 160;

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

// The length of the UTF-8 sequence at `text[i]`, 0 if it is broken.
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

struct Excerpt {
  std::string text;   // Fit for a terminal.
  std::string caret;  // Spaces, '^' and '~' under it.
};

// One printed column for each code point; tabs are one space.
Excerpt Prepare(std::string_view line, std::size_t column, std::size_t length) {
  std::size_t begin = 0;
  std::size_t end = line.size();
  if (line.size() > kMaxExcerpt) {
    begin = column > kMaxExcerpt / 2 ? column - kMaxExcerpt / 2 : 0;
    end = std::min(line.size(), begin + kMaxExcerpt);
  }
  Excerpt result;
  std::string& text = result.text;
  std::string& caret = result.caret;
  if (begin > 0) {
    text = "...";
    caret = "   ";
  }
  for (std::size_t i = begin; i < end;) {
    const std::size_t sequence = SequenceLength(line, i);
    const auto byte = static_cast<unsigned char>(line[i]);
    if (sequence == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7F) {
      text += '?';
    } else if (byte == '\t') {
      text += ' ';
    } else {
      text += line.substr(i, sequence);
    }
    if (i <= column && column < i + std::max<std::size_t>(sequence, 1)) {
      caret += '^';
    } else {
      caret += i > column && i < column + length ? '~' : ' ';
    }
    i += std::max<std::size_t>(sequence, 1);
  }
  text += end < line.size() ? "..." : "";
  if (column >= line.size()) {
    caret += '^';
  }
  caret.erase(caret.find_last_not_of(' ') + 1);
  return result;
}

}  // namespace

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
  result.excerpt = std::string(line);
  const auto rest = static_cast<int>(line.size()) - position.column + 1;
  const auto length =
      span.end > span.begin ? static_cast<int>(span.end - span.begin) : 1;
  result.length = std::max(1, std::min(length, rest));
  return result;
}

std::string Render(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) {
    out += diagnostic.file + ":";
    if (diagnostic.line > 0) {
      out += std::to_string(diagnostic.line) + ":" +
             std::to_string(diagnostic.column) + ":";
    }
    out += " ";
  }
  out += std::string(Name(diagnostic.severity)) + ": ";
  if (!diagnostic.path.empty()) {
    out += diagnostic.path + ": ";
  }
  out += diagnostic.message;
  if (diagnostic.line == 0) {
    out += diagnostic.hint.empty() ? "\n" : "; " + diagnostic.hint + "\n";
    return out;
  }
  const auto column = static_cast<std::size_t>(diagnostic.column - 1);
  const auto length = static_cast<std::size_t>(diagnostic.length);
  const Excerpt excerpt = Prepare(diagnostic.excerpt, column, length);
  std::string number = std::to_string(diagnostic.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  const std::string margin(number.size(), ' ');
  out += "\n" + number + " | " + excerpt.text + "\n";
  out += margin + " | " + excerpt.caret;
  out += diagnostic.hint.empty() ? "\n" : " " + diagnostic.hint + "\n";
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
  if (has_errors()) {
    throw orrery::Error(ErrorCode::kInvalidModel, list_);
  }
}

}  // namespace orrery
