#include "orrery/sdk/runs/fields_text.h"

#include <algorithm>
#include <variant>

#include "orrery/base/values/record_text.h"

namespace orrery::sdk::internal {

std::vector<std::pair<std::string_view, const Record::Value*>> DistinctFields(
    std::span<const Record::Field> fields) {
  std::vector<std::pair<std::string_view, const Record::Value*>> distinct;
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    const bool is_last =
        std::find_if(field + 1, fields.end(), [&](const auto& other) {
          return other.name == field->name;
        }) == fields.end();
    if (is_last) {
      distinct.emplace_back(
          field->name.empty() ? std::string_view("value") : field->name,
          &field->value);
    }
  }
  return distinct;
}

std::string FieldsText(std::span<const Record::Field> fields) {
  std::string text;
  for (const auto& [name, value] : DistinctFields(fields)) {
    text += text.empty() ? "" : "; ";
    text += name;
    text += "=";
    if (const auto* words = std::get_if<std::string>(value)) {
      text += *words;
    } else {
      AppendCsvValue(text, *value);
    }
  }
  return text;
}

}  // namespace orrery::sdk::internal
