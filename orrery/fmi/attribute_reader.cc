#include "orrery/fmi/attribute_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"

namespace orrery::fmi::internal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Texts in messages are not longer.
std::string Short(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text)
                              : std::string(text.substr(0, kMost)) + "...";
}

std::string_view WithoutPlus(std::string_view text) {
  text = Trim(text, kBlanks);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  return text;
}

template <typename Integer>
std::optional<Integer> ParseInteger(std::string_view text) {
  text = WithoutPlus(text);
  Integer value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

struct Range {
  std::int64_t min;
  std::uint64_t max;
};

template <typename Integer>
constexpr Range RangeOf() {
  return {std::numeric_limits<Integer>::min(),
          std::numeric_limits<Integer>::max()};
}

std::optional<Range> RangeOf(ValueType type) {
  switch (type) {
    case ValueType::kInt8:
      return RangeOf<std::int8_t>();
    case ValueType::kUInt8:
      return RangeOf<std::uint8_t>();
    case ValueType::kInt16:
      return RangeOf<std::int16_t>();
    case ValueType::kUInt16:
      return RangeOf<std::uint16_t>();
    case ValueType::kInt32:
      return RangeOf<std::int32_t>();
    case ValueType::kUInt32:
      return RangeOf<std::uint32_t>();
    case ValueType::kInt64:
    case ValueType::kEnumeration:
      return RangeOf<std::int64_t>();
    case ValueType::kUInt64:
      return Range{0, std::numeric_limits<std::uint64_t>::max()};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = text.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const std::size_t end =
        std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<double> ParseReal(std::string_view text) {
  text = Trim(text, kBlanks);
  if (text == "INF" || text == "-INF") {
    return (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  }
  if (text == "NaN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // Other words for these are none in XML.
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) {
    return std::nullopt;
  }
  return ParseDecimal(WithoutPlus(text));
}

std::optional<std::int64_t> ParseSigned(std::string_view text) {
  return ParseInteger<std::int64_t>(text);
}

std::optional<std::uint64_t> ParseUnsigned(std::string_view text) {
  return ParseInteger<std::uint64_t>(text);
}

std::optional<bool> ParseFlag(std::string_view text) {
  text = Trim(text, kBlanks);
  if (text == "true" || text == "1") {
    return true;
  }
  if (text == "false" || text == "0") {
    return false;
  }
  return std::nullopt;
}

std::optional<Number> ParseNumberOf(ValueType type, std::string_view text) {
  if (IsFloat(type)) {
    const auto value = ParseReal(text);
    return value ? std::optional<Number>(*value) : std::nullopt;
  }
  if (type == ValueType::kBoolean || type == ValueType::kClock) {
    const auto value = ParseFlag(text);
    return value ? std::optional<Number>(std::int64_t{*value ? 1 : 0})
                 : std::nullopt;
  }
  const auto range = RangeOf(type);
  if (!range) {
    return std::nullopt;
  }
  if (type == ValueType::kUInt64) {
    const auto value = ParseUnsigned(text);
    return value ? std::optional<Number>(*value) : std::nullopt;
  }
  const auto value = ParseSigned(text);
  if (!value || *value < range->min ||
      (*value > 0 && static_cast<std::uint64_t>(*value) > range->max)) {
    return std::nullopt;
  }
  return *value;
}

std::string WhyNoNumberOf(ValueType type, std::string_view text) {
  const std::string_view name = NameOf(kValueTypeNames, type);
  const auto range = RangeOf(type);
  if (range && ParseReal(text)) {
    return fmt::format("'{}' does not fit {} ({} to {})",
                       Short(text),
                       name,
                       range->min,
                       range->max);
  }
  return fmt::format("'{}' is no {}", Short(text), name);
}

std::optional<std::string_view> AttributeReader::Find(std::string_view name) {
  known_.push_back(name);
  return element_.Find(name);
}

void AttributeReader::Know(std::initializer_list<std::string_view> names) {
  known_.insert(known_.end(), names.begin(), names.end());
}

std::string AttributeReader::Text(std::string_view name) {
  return std::string(Find(name).value_or(std::string_view()));
}

std::string AttributeReader::Required(std::string_view name) {
  const auto text = Find(name);
  if (!text) {
    Error({},
          fmt::format("<{}> lacks its attribute '{}'", element_.name, name));
  }
  return std::string(text.value_or(std::string_view()));
}

std::uint32_t AttributeReader::RequiredReference(std::string_view name) {
  if (!element_.Find(name)) {
    (void)Required(name);
    return 0;
  }
  return static_cast<std::uint32_t>(Whole(name, UINT32_MAX).value_or(0));
}

std::optional<double> AttributeReader::Real(std::string_view name) {
  const auto text = Find(name);
  const auto value = text ? ParseReal(*text) : std::nullopt;
  if (text && !value) {
    TellWrong(name, *text, "number");
  }
  return value;
}

std::optional<std::uint64_t> AttributeReader::Whole(std::string_view name,
                                                    std::uint64_t max) {
  const auto text = Find(name);
  const auto value = text ? ParseUnsigned(*text) : std::nullopt;
  if (text && (!value || *value > max)) {
    TellWrong(name, *text, fmt::format("whole number from 0 to {}", max));
    return std::nullopt;
  }
  return value;
}

bool AttributeReader::Flag(std::string_view name, bool otherwise) {
  const auto text = Find(name);
  const auto value = text ? ParseFlag(*text) : std::nullopt;
  if (text && !value) {
    Error(name,
          fmt::format(
              "{}: '{}' is neither 'true' nor 'false'", name, Short(*text)));
  }
  return value.value_or(otherwise);
}

std::optional<Number> AttributeReader::NumberOf(ValueType type,
                                                std::string_view name) {
  const auto text = Find(name);
  const auto value = text ? ParseNumberOf(type, *text) : std::nullopt;
  if (text && !value) {
    Error(name, fmt::format("{}: {}", name, WhyNoNumberOf(type, *text)));
  }
  return value;
}

std::vector<std::uint32_t> AttributeReader::References(std::string_view name) {
  std::vector<std::uint32_t> references;
  for (const std::string_view word :
       WordsOf(Find(name).value_or(std::string_view()))) {
    const auto value = ParseUnsigned(word);
    if (!value || *value > UINT32_MAX) {
      TellWrong(
          name, word, fmt::format("whole number from 0 to {}", UINT32_MAX));
      continue;
    }
    references.push_back(static_cast<std::uint32_t>(*value));
  }
  return references;
}

std::optional<std::size_t> AttributeReader::ChoiceOf(
    std::string_view name, const std::vector<std::string_view>& names) {
  const auto text = Find(name);
  if (!text) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(names, Trim(*text, kBlanks));
  if (found != names.end() && !found->empty()) {
    return static_cast<std::size_t>(found - names.begin());
  }
  std::string choices;
  for (const std::string_view choice : names) {
    if (!choice.empty()) {
      choices += (choices.empty() ? "" : ", ") + std::string(choice);
    }
  }
  Error(name,
        fmt::format("{}: there is no '{}'", name, Short(*text)),
        "there are " + choices);
  return std::nullopt;
}

void AttributeReader::WarnOfOthers() {
  for (const XmlAttribute& attribute : element_.attributes) {
    const bool is_of_others =
        attribute.name.find(':') != std::string_view::npos ||
        attribute.name == "xmlns";
    if (!is_of_others &&
        std::ranges::find(known_, attribute.name) == known_.end()) {
      Warning(attribute.name,
              fmt::format(
                  "<{}> has no attribute '{}'", element_.name, attribute.name),
              Suggest(attribute.name,
                      std::vector<std::string>(known_.begin(), known_.end())));
    }
  }
}

void AttributeReader::Error(std::string_view attribute,
                            std::string message,
                            std::string hint) {
  diagnostics_.Error(document_.PlaceOf(element_, attribute),
                     std::move(message),
                     std::move(hint));
}

void AttributeReader::Warning(std::string_view attribute,
                              std::string message,
                              std::string hint) {
  diagnostics_.Warning(document_.PlaceOf(element_, attribute),
                       std::move(message),
                       std::move(hint));
}

void AttributeReader::TellWrong(std::string_view name,
                                std::string_view text,
                                std::string_view wanted) {
  Error(name, fmt::format("{}: '{}' is no {}", name, Short(text), wanted));
}

}  // namespace orrery::fmi::internal
