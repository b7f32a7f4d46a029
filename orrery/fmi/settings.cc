#include "orrery/fmi/settings.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/units.h"
#include "orrery/fmi/attribute_reader.h"

namespace orrery::fmi {
namespace {

constexpr std::string_view kSpaces = " \t";

[[noreturn]] void RefuseSetting(const ParameterText& text,
                                const std::string& why) {
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("cannot set '{}' to '{}': {}", text.name, text.value, why));
}

// Why a variable cannot be set before a run; empty if it can.
std::string WhyFixed(const Variable& variable) {
  if (variable.causality == Causality::kStructuralParameter) {
    return "it decides sizes of arrays, and is set before all else";
  }
  if (variable.variability == Variability::kConstant) {
    return "it is a constant";
  }
  if (variable.type == ValueType::kClock) {
    return "it is a clock";
  }
  if (variable.causality == Causality::kParameter ||
      variable.causality == Causality::kInput ||
      variable.initial == Initial::kExact ||
      variable.initial == Initial::kApprox) {
    return "";
  }
  return fmt::format("the FMU computes it, as its {}",
                     variable.causality == Causality::kIndependent
                         ? "time"
                         : NameOf(kCausalityNames, variable.causality));
}

// The number in a text with a unit, in the variable's. None if no unit is
// given.
std::optional<double> WithUnit(const Variable& variable,
                               const ParameterText& text,
                               std::string_view word) {
  const auto split = SplitUnit(word);
  if (!split || split->unit.empty()) {
    return std::nullopt;
  }
  if (variable.unit.empty()) {
    RefuseSetting(text, "it has no unit; give a number alone");
  }
  const auto conversion = ConversionBetween(split->unit, variable.unit);
  if (!conversion) {
    RefuseSetting(text,
                  fmt::format("it is in '{}', which '{}' cannot be converted "
                              "to; give a number in '{}', or with another unit "
                              "of its kind",
                              variable.unit,
                              split->unit,
                              variable.unit));
  }
  return (*conversion)(split->value);
}

const std::vector<EnumerationItem>* ItemsOf(const Description& description,
                                            const Variable& variable) {
  return variable.type == ValueType::kEnumeration && variable.declared_type
             ? &description.types[*variable.declared_type].items
             : nullptr;
}

Number ReadItem(const std::vector<EnumerationItem>& items,
                const ParameterText& text,
                std::string_view word) {
  const auto number = internal::ParseSigned(word);
  std::vector<std::string> names;
  for (const EnumerationItem& item : items) {
    if (item.name == word || (number && item.value == *number)) {
      return item.value;
    }
    names.push_back(item.name);
  }
  RefuseSetting(text,
                fmt::format("its items are {}{}",
                            fmt::join(names, ", "),
                            Clause(Suggest(word, names))));
}

Number ReadNumber(const Description& description,
                  const Variable& variable,
                  const ParameterText& text,
                  std::string_view word) {
  if (const auto* const items = ItemsOf(description, variable)) {
    return ReadItem(*items, text, word);
  }
  auto number = internal::ParseNumberOf(variable.type, word);
  if (!number && IsFloat(variable.type)) {
    if (const auto converted = WithUnit(variable, text, word)) {
      number = *converted;
    }
  }
  if (!number) {
    RefuseSetting(text, internal::WhyNoNumberOf(variable.type, word));
  }
  if (!IsInRange(variable, *number)) {
    RefuseSetting(text,
                  fmt::format("it must be within {} to {}",
                              variable.min ? TextOf(*variable.min) : "-inf",
                              variable.max ? TextOf(*variable.max) : "inf"));
  }
  return *number;
}

std::string ReadBytes(const ParameterText& text, std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    for (const char c : digits.substr(i, 2)) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos || digits.size() % 2 != 0) {
        RefuseSetting(text, "bytes are pairs of digits 0 to 9 and a to f");
      }
      byte = byte * 16 + static_cast<unsigned>(digit);
    }
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// The values in a list; braces only group them.
std::vector<std::string> WordsOfList(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c == '{' || c == '}') {
      continue;
    }
    if (c == ',') {
      words.emplace_back(Trim(word, kSpaces));
      word.clear();
    } else {
      word += c;
    }
  }
  words.emplace_back(Trim(word, kSpaces));
  return words;
}

// Puts the words into elements from `first` on.
void Put(const Description& description,
         const Variable& variable,
         const ParameterText& text,
         const std::vector<std::string>& words,
         std::size_t first,
         Values& values) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (auto* const texts = std::get_if<std::vector<std::string>>(&values)) {
      (*texts)[first + i] = variable.type == ValueType::kBinary
                                ? ReadBytes(text, words[i])
                                : words[i];
      continue;
    }
    std::visit(
        [&](auto value) {
          std::get<std::vector<decltype(value)>>(values)[first + i] = value;
        },
        ReadNumber(description, variable, text, words[i]));
  }
}

void ReadSetting(const Description& description,
                 const ParameterText& text,
                 std::map<VariableIndex, Values>& settings) {
  const auto place = FindPlace(description, text.name);
  if (!place) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot set '{}': {} has no such variable{}",
                    text.name,
                    description.model_name,
                    Clause(Suggest(text.name, VariableNames(description)))));
  }
  const VariableIndex index =
      description.variables[place->variable].alias_of.value_or(place->variable);
  const Variable& variable = description.variables[index];
  if (const std::string why = WhyFixed(variable); !why.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set '{}': {}", text.name, why));
  }
  const bool is_text = variable.type == ValueType::kString;
  std::string value = text.value;
  if (is_text && value.size() > 1 && value.front() == '"' &&
      value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  const std::vector<std::string> words =
      is_text ? std::vector{value} : WordsOfList(value);
  const std::size_t wanted = place->is_element ? 1 : SizeOf(variable);
  if (words.size() != wanted) {
    RefuseSetting(text,
                  fmt::format("it has {} elements, and {} values are given",
                              wanted,
                              words.size()));
  }
  const auto known = settings.find(index);
  Values values = known != settings.end() ? known->second : StartOf(variable);
  Put(description, variable, text, words, place->element, values);
  settings.insert_or_assign(index, std::move(values));
}

// The element that subscripts mean, as `2` or `1,3`.
std::optional<std::size_t> ElementOf(const Variable& variable,
                                     std::string_view subscripts) {
  std::size_t element = 0;
  for (const Dimension& dimension : variable.dimensions) {
    const std::size_t end = std::min(subscripts.find(','), subscripts.size());
    const auto number = ParseWhole(subscripts.substr(0, end), dimension.size);
    if (!number || *number == 0) {
      return std::nullopt;
    }
    element = element * dimension.size + (*number - 1);
    subscripts.remove_prefix(std::min(end + 1, subscripts.size()));
  }
  return subscripts.empty() ? std::optional(element) : std::nullopt;
}

}  // namespace

std::vector<std::string> VariableNames(const Description& description) {
  std::vector<std::string> names;
  for (const Variable& variable : description.variables) {
    names.push_back(variable.name);
  }
  return names;
}

std::optional<VariablePlace> FindPlace(const Description& description,
                                       std::string_view name) {
  const auto& variables = description.variables;
  const auto index_of = [&](std::string_view wanted) {
    return static_cast<std::size_t>(
        std::ranges::find(variables, wanted, &Variable::name) -
        variables.begin());
  };
  std::size_t index = index_of(name);
  if (index < variables.size()) {
    return VariablePlace{.variable = static_cast<VariableIndex>(index)};
  }
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string_view::npos || !name.ends_with(']')) {
    return std::nullopt;
  }
  index = index_of(name.substr(0, bracket));
  if (index == variables.size() || variables[index].dimensions.empty()) {
    return std::nullopt;
  }
  const auto element = ElementOf(
      variables[index], name.substr(bracket + 1, name.size() - bracket - 2));
  return element ? std::optional(VariablePlace{
                       .variable = static_cast<VariableIndex>(index),
                       .element = *element,
                       .is_element = true})
                 : std::nullopt;
}

std::string Subscripts(const Variable& variable, std::size_t element) {
  std::string text;
  for (std::size_t i = variable.dimensions.size(); i-- > 0;) {
    const std::size_t size = variable.dimensions[i].size;
    text =
        std::to_string(element % size + 1) + (text.empty() ? "" : ",") + text;
    element /= size;
  }
  return text.empty() ? text : "[" + text + "]";
}

std::vector<FmuSetting> ReadSettings(const Description& description,
                                     std::span<const ParameterText> texts) {
  std::map<VariableIndex, Values> settings;
  for (const ParameterText& text : texts) {
    ReadSetting(description, text, settings);
  }
  std::vector<FmuSetting> list;
  for (auto& [variable, values] : settings) {
    list.push_back({.variable = variable, .values = std::move(values)});
  }
  return list;
}

}  // namespace orrery::fmi
