#include "orrery/modelica/assist/package_order.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "orrery/modelica/workspace/text_lines.h"

namespace orrery::modelica::internal {
namespace {

// Null if there is none.
std::shared_ptr<const SourceFile> OrderIn(const std::string& folder) {
  const auto path = std::filesystem::path(folder) / "package.order";
  return std::filesystem::exists(path) ? SourceFile::Read(path.string())
                                       : nullptr;
}

}  // namespace

std::optional<SourceSpan> OrderLineOf(const std::string& folder,
                                      std::string_view name) {
  const auto order = OrderIn(folder);
  const std::string_view text =
      order == nullptr ? std::string_view() : order->text();
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end =
        std::min(text.find_first_of("\r\n", begin), text.size());
    if (text.substr(begin, end - begin) == name) {
      return SourceSpan{.file = order,
                        .begin = static_cast<std::uint32_t>(begin),
                        .end = static_cast<std::uint32_t>(end)};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<ReplacedSpan> WithoutOrderLine(const std::string& folder,
                                             std::string_view name) {
  const auto line = OrderLineOf(folder, name);
  if (!line) {
    return std::nullopt;
  }
  ReplacedSpan edit = {.span = *line};
  const std::string_view text = line->file->text();
  for (const char c : {'\r', '\n'}) {
    if (edit.span.end < text.size() && text[edit.span.end] == c) {
      ++edit.span.end;
    }
  }
  return edit;
}

std::optional<ReplacedSpan> NewOrderLine(const std::string& folder,
                                         std::string_view name) {
  const auto order = OrderIn(folder);
  if (order == nullptr) {
    return std::nullopt;
  }
  const std::string_view text = order->text();
  const std::string end = LineEndOf(text);
  const bool is_open = !text.empty() && text.back() != '\n';
  const auto at = static_cast<std::uint32_t>(text.size());
  return ReplacedSpan{
      .span = {.file = order, .begin = at, .end = at},
      .text = is_open ? end + std::string(name) : std::string(name) + end};
}

}  // namespace orrery::modelica::internal
