#include "orrery/fmi/message_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "orrery/base/text/utf8.h"
#include "orrery/fmi/attribute_reader.h"

namespace orrery::fmi {
namespace {

// True for variables of the type that a letter of FMI 2.0 stands for.
bool IsOf(char letter, ValueType type) {
  switch (letter) {
    case 'r':
      return type == ValueType::kFloat64;
    case 'i':
      return type == ValueType::kInt32 || type == ValueType::kEnumeration;
    case 'b':
      return type == ValueType::kBoolean;
    case 's':
      return type == ValueType::kString;
    default:
      return false;
  }
}

std::string WithNames(const Description& description, std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end =
        text[at] == '#' ? text.find('#', at + 1) : std::string_view::npos;
    if (end == std::string_view::npos || end < at + 2) {
      // Two signs stand for one.
      at += end == at + 1 ? 1U : 0U;
      result += text[at++];
      continue;
    }
    const auto reference =
        internal::ParseUnsigned(text.substr(at + 2, end - at - 2));
    const auto found = std::ranges::find_if(
        description.variables, [&](const Variable& variable) {
          return reference && variable.reference == *reference &&
                 IsOf(text[at + 1], variable.type);
        });
    if (found == description.variables.end()) {
      result += text[at++];
      continue;
    }
    result += found->name;
    at = end + 1;
  }
  return result;
}

}  // namespace

std::string_view NameOf(CallStatus status) noexcept {
  constexpr std::array<std::string_view, 6> kNames = {
      "OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "an unknown status";
}

void MessageLog::Add(CallStatus status,
                     std::string_view category,
                     std::string_view message) {
  std::string text(message);
  if (description_.version == FmiVersion::k2) {
    text = WithNames(description_, message);
  }
  while (!text.empty() &&
         std::isspace(static_cast<unsigned char>(text.back()))) {
    text.pop_back();
  }
  lines_.push_back(
      ToUtf8(fmt::format("{} ({}): {}", NameOf(status), category, text)));
  if (lines_.size() > kMost) {
    lines_.pop_front();
  }
}

std::string MessageLog::AsHint() const {
  std::string text;
  for (const std::string& line : lines_) {
    text += "\n  " + line;
  }
  return text.empty() ? text : "; its last messages:" + text;
}

void MessageLog::Check(int status, std::string_view function, double t) const {
  const auto its = static_cast<CallStatus>(status);
  if (its == CallStatus::kOk || its == CallStatus::kWarning) {
    return;
  }
  throw CallFailure(fmt::format("{} of '{}' returned {} at t = {} s{}",
                                function,
                                name_,
                                NameOf(its),
                                t,
                                AsHint()),
                    its);
}

}  // namespace orrery::fmi
