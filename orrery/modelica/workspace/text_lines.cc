#include "orrery/modelica/workspace/text_lines.h"

#include <algorithm>

namespace orrery::modelica::internal {
namespace {

bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::string LineEndOf(std::string_view text) {
  return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

std::string IndentAt(std::string_view text, std::uint32_t offset) {
  const std::size_t end =
      offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
  std::size_t at = begin;
  while (at < text.size() && IsBlank(text[at])) {
    ++at;
  }
  return std::string(text.substr(begin, at - begin));
}

bool IsFirstInLine(std::string_view text, std::uint32_t offset) {
  std::size_t at = offset;
  while (at > 0 && IsBlank(text[at - 1])) {
    --at;
  }
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}

std::uint32_t BehindComment(std::string_view text, std::uint32_t end) {
  std::size_t at = end;
  while (at < text.size() && IsBlank(text[at])) {
    ++at;
  }
  if (text.substr(at, 2) != "//") {
    return end;
  }
  return static_cast<std::uint32_t>(
      std::min(text.find_first_of("\r\n", at), text.size()));
}

ast::Span WithLines(std::string_view text, const ast::Span& item) {
  std::size_t behind = BehindComment(text, item.end);
  while (behind < text.size() && IsBlank(text[behind])) {
    ++behind;
  }
  const bool ends_line =
      behind == text.size() || text[behind] == '\n' || text[behind] == '\r';
  std::uint32_t begin = item.begin;
  if (!IsFirstInLine(text, begin) || !ends_line) {
    const bool has_space =
        begin > 0 && text[begin - 1] == ' ' &&
        (item.end == text.size() || text[item.end] == ' ' || ends_line);
    return {.begin = has_space ? begin - 1 : begin, .end = item.end};
  }
  while (begin > 0 && IsBlank(text[begin - 1])) {
    --begin;
  }
  if (behind < text.size() && text[behind] == '\r') {
    ++behind;
  }
  if (behind < text.size() && text[behind] == '\n') {
    ++behind;
  }
  return {.begin = begin, .end = static_cast<std::uint32_t>(behind)};
}

}  // namespace orrery::modelica::internal
