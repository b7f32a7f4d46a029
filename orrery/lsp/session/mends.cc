#include "orrery/lsp/session/mends.h"

#include <string_view>

namespace orrery::lsp {
namespace {

// The text between the first quotes behind `begin` and before `end`; empty if
// the text does not have both.
std::string Between(std::string_view text,
                    std::string_view begin,
                    std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(from + begin.size());
  const std::size_t to = text.find(end);
  return to == std::string_view::npos ? "" : std::string(text.substr(0, to));
}

// The place of the name that the message quotes within what is underlined; all
// of it if it quotes none of that.
SourceSpan PlaceOfName(const std::string& message, const SourceSpan& span) {
  const std::string_view text =
      span.file->text().substr(span.begin, span.end - span.begin);
  const std::string name = Between(message, "'", "'");
  const std::size_t at =
      name.empty() ? std::string_view::npos : text.rfind(name);
  if (at == std::string_view::npos) {
    return span;
  }
  return {.file = span.file,
          .begin = span.begin + static_cast<std::uint32_t>(at),
          .end = span.begin + static_cast<std::uint32_t>(at + name.size())};
}

}  // namespace

std::optional<Mend> MendOf(const std::string& message,
                           const std::string& hint,
                           const SourceSpan& span) {
  if (span.file == nullptr) {
    return std::nullopt;
  }
  if (const std::string name = Between(hint, "did you mean '", "'?");
      !name.empty()) {
    return Mend{.title = "Write '" + name + "'",
                .replaced = PlaceOfName(message, span),
                .text = name};
  }
  const SourceSpan before = {
      .file = span.file, .begin = span.begin, .end = span.begin};
  if (const std::string text = Between(hint, "add '", "'");
      !text.empty() && hint == "add '" + text + "'") {
    return Mend{
        .title = "Add '" + text + "'", .replaced = before, .text = text};
  }
  if (const std::string text = Between(hint, "write '", "' before it");
      !text.empty() && hint == "write '" + text + "' before it") {
    return Mend{.title = "Write '" + text + "' before it",
                .replaced = before,
                .text = text + "\n"};
  }
  return std::nullopt;
}

}  // namespace orrery::lsp
