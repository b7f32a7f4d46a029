#include "orrery/process/cells/laws.h"

#include <variant>

#include "orrery/base/duration.h"
#include "orrery/base/text/number_text.h"

namespace orrery::process::internal {
namespace {

struct ToWords {
  std::string operator()(std::monostate /*none*/) const { return "none"; }

  std::string operator()(bool value) const { return value ? "true" : "false"; }

  std::string operator()(std::int64_t value) const {
    return std::to_string(value);
  }

  std::string operator()(double value) const { return ShortestText(value); }

  std::string operator()(Duration value) const { return orrery::ToText(value); }

  std::string operator()(const std::string& value) const {
    return '"' + value + '"';
  }
};

}  // namespace

std::string SampleText(std::string_view kind,
                       std::size_t index,
                       const Record& record) {
  std::string text(kind);
  text += ' ' + std::to_string(index);
  std::string_view separator = " {";
  for (const Record::Field& field : record.fields()) {
    text += separator;
    text += field.name.empty() ? "" : field.name + ": ";
    text += std::visit(ToWords(), field.value);
    separator = ", ";
  }
  text += record.fields().empty() ? "" : "}";
  return text;
}

std::string AfterText(Duration elapsed) {
  return elapsed == Duration::zero() ? "" : " after " + orrery::ToText(elapsed);
}

}  // namespace orrery::process::internal
