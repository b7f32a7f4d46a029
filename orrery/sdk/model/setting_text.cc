#include "orrery/sdk/model/setting_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/units.h"
#include "orrery/base/values/enumeration.h"
#include "orrery/model/flat_model.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/model/setting_parts.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

std::optional<double> PlainValueOf(std::string_view text) {
  if (text == "true" || text == "false") {
    return text == "true" ? 1 : 0;
  }
  const std::optional<NumberWithUnit> number = SplitUnit(text);
  return number && number->unit.empty() ? std::optional(number->value)
                                        : std::nullopt;
}

[[noreturn]] void Refuse(const ParameterText& text, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot set '" + text.name + "' to '" + text.value + "': " + why);
}

// Converts a number with a unit to the unit of the quantity that `text` sets.
double Converted(const ParameterText& text,
                 const NumberWithUnit& number,
                 const std::string& unit) {
  if (const auto conversion = ConversionBetween(number.unit, unit)) {
    return (*conversion)(number.value);
  }
  const std::variant<Unit, UnitError> its = ParseUnit(number.unit);
  const auto* const error = std::get_if<UnitError>(&its);
  if (unit.empty()) {
    Refuse(text,
           error != nullptr ? "give a number"
                            : "it has no unit; give a number alone");
  }
  Refuse(text,
         (error != nullptr
              ? error->message
              : "it is in '" + unit + "', which '" + std::string(number.unit) +
                    "' cannot be converted to") +
             "; give a number in '" + unit +
             "', or with another unit of its kind");
}

std::string SizeOf(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  }
  return "[" + text + "]";
}

// Returns the elements of {a, b}; none for another text.
std::vector<std::string_view> ElementsOf(std::string_view value) {
  if (!value.starts_with('{') || !value.ends_with('}')) {
    return {};
  }
  return internal::PartsBetweenCommas(value.substr(1, value.size() - 2));
}

// Adds the settings of a text that consists of numbers only, independent of its
// quantity.
// @param at the subscripts so far: "2,".
// @returns false if it is no such text.
bool AddPlain(const std::string& name,
              const std::string& at,
              std::string_view value,
              std::vector<Setting>& settings) {
  if (const auto number = PlainValueOf(value)) {
    settings.push_back(
        {.name = at.empty() ? name : name + "[" + at + "]", .value = *number});
    return true;
  }
  const std::vector<std::string_view> elements = ElementsOf(value);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!AddPlain(name,
                  (at.empty() ? "" : at + ",") + std::to_string(i + 1),
                  elements[i],
                  settings)) {
      return false;
    }
  }
  return !elements.empty();
}

std::vector<Setting> PlainSettingsOf(const ParameterText& text) {
  std::vector<Setting> settings;
  return AddPlain(text.name, "", internal::WithoutBlanks(text.value), settings)
             ? settings
             : std::vector<Setting>();
}

/// Reads one text for a variable of the model.
class SettingReader {
 public:
  // @param name the text's name with numbers as subscripts.
  SettingReader(const ParameterText& text,
                const std::string& name,
                const Variable& variable)
      : text_(text), name_(name), variable_(variable) {}

  std::vector<Setting> Run() {
    const bool is_element = text_.name.ends_with(']');
    if (is_element) {
      AddScalar(text_.name, internal::WithoutBlanks(text_.value));
    } else {
      Add(variable_.symbol.shape(),
          text_.name,
          "",
          internal::WithoutBlanks(text_.value));
    }
    return std::move(settings_);
  }

 private:
  // `at` are the subscripts so far: "2,".
  void Add(std::span<const std::int64_t> shape,
           const std::string& name,
           const std::string& at,
           std::string_view value) {
    if (shape.empty()) {
      AddScalar(at.empty() ? name : name + "[" + at + "]", value);
      return;
    }
    const std::vector<std::string_view> elements = ElementsOf(value);
    if (static_cast<std::int64_t>(elements.size()) != shape.front()) {
      Refuse(text_,
             "it is an array " + SizeOf(variable_.symbol.shape()) +
                 "; give as many values, as in {1, 2}, or set its elements");
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Add(shape.subspan(1),
          name,
          (at.empty() ? "" : at + ",") + std::to_string(i + 1),
          elements[i]);
    }
  }

  void AddScalar(const std::string& name, std::string_view value) {
    const std::optional<double> number = PlainValueOf(value);
    settings_.push_back({.name = name,
                         .value = number ? *number
                                  : variable_.notes->enumeration
                                      ? NumberOfLiteral(value)
                                      : NumberOfQuantity(value)});
  }

  double NumberOfQuantity(std::string_view value) {
    if (variable_.symbol.type() == ValueType::kBoolean) {
      Refuse(text_, "it is a Boolean; give true or false");
    }
    const std::optional<NumberWithUnit> number = SplitUnit(value);
    if (!number) {
      Refuse(
          text_,
          variable_.symbol.shape().empty() ? "give a number" : "give numbers");
    }
    return Converted(text_,
                     *number,
                     UnitOfElement(variable_.notes->unit.str(),
                                   FirstElement() + settings_.size()));
  }

  // Returns the row-major number of the element that the text names; else 0.
  [[nodiscard]] std::size_t FirstElement() const {
    std::size_t number = 0;
    std::string_view rest = name_;
    rest.remove_prefix(std::min(rest.rfind('['), rest.size()));
    for (const std::int64_t extent : variable_.symbol.shape()) {
      std::size_t subscript = 1;
      rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
      const auto read =
          std::from_chars(rest.data(), rest.data() + rest.size(), subscript);
      rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
      number = number * static_cast<std::size_t>(extent) + subscript - 1;
    }
    return number;
  }

  double NumberOfLiteral(std::string_view value) {
    const Enumeration* const enumeration = variable_.notes->enumeration.get();
    const std::optional<double> number = NumberOf(*enumeration, value);
    if (!number) {
      Refuse(text_, "its values are " + LiteralsAsText(*enumeration));
    }
    return *number;
  }

  const ParameterText& text_;
  const std::string& name_;
  const Variable& variable_;
  std::vector<Setting> settings_;
};

// True if the text may be meant for a String: it is no number, truth or array.
bool MayBeString(const ParameterText& text) {
  return !PlainValueOf(text.value) && !SplitUnit(text.value) &&
         ElementsOf(internal::WithoutBlanks(text.value)).empty();
}

std::vector<Setting> SettingsFrom(const ParameterText& text,
                                  const FlatModel& flat) {
  if (MayBeString(text) && internal::IsString(flat, text.name)) {
    Refuse(text, "it is a String; give its text where the model is loaded");
  }
  internal::RefuseText(
      flat, text.name, "set '" + text.name + "' to '" + text.value + "'");
  if (const auto number = PlainValueOf(text.value)) {
    return {{.name = text.name, .value = *number}};
  }
  const Variable* const variable = internal::VariableOf(flat, text.name);
  if (variable == nullptr) {
    Refuse(text,
           "there is no such quantity in " + flat.name +
               Clause(Suggest(text.name, internal::NamesIn(flat))));
  }
  return SettingReader(
             text, flat.element_names.WithNumbers(text.name), *variable)
      .Run();
}

std::vector<Setting> SettingsFrom(std::span<const ParameterText> texts,
                                  const FlatModel& flat) {
  std::vector<Setting> settings;
  for (const ParameterText& text : texts) {
    std::ranges::copy(SettingsFrom(text, flat), std::back_inserter(settings));
  }
  return settings;
}

// Returns the settings that may determine sizes of arrays, as far as they are
// known; settings that do not fit yet are left out.
std::vector<Setting> SizingOf(std::span<const ParameterText> texts,
                              const FlatModel& flat) {
  std::vector<Setting> settings;
  for (const ParameterText& text : texts) {
    try {
      std::ranges::copy(SettingsFrom(text, flat), std::back_inserter(settings));
    } catch (const Error&) {
      std::ranges::copy(PlainSettingsOf(text), std::back_inserter(settings));
    }
  }
  return settings;
}

std::vector<Setting> SizingSettings(std::span<const ParameterText> texts) {
  std::vector<Setting> settings;
  for (const ParameterText& text : texts) {
    std::ranges::copy(PlainSettingsOf(text), std::back_inserter(settings));
  }
  return settings;
}

}  // namespace

std::vector<Setting> SettingsOf(std::span<const ParameterText> texts,
                                const std::string& file,
                                const std::string& class_name,
                                const FileSet& files) {
  std::vector<Setting> known = SizingSettings(texts);
  if (std::ranges::all_of(texts, [](const ParameterText& text) {
        return PlainValueOf(text.value).has_value();
      })) {
    return known;
  }
  const auto read = [&] {
    return FlatModelOf(LoadFile(file, class_name, known, files));
  };
  auto flat = read();
  // The size of an array may depend on other settings: in the worst case each
  // on the next one.
  for (std::size_t i = 1; i < texts.size(); ++i) {
    std::vector<Setting> sizing = SizingOf(texts, *flat);
    if (sizing == known) {
      break;
    }
    known = std::move(sizing);
    flat = read();
  }
  std::vector<ParameterText> others(texts.begin(), texts.end());
  std::erase_if(others, [&flat](const ParameterText& text) {
    return MayBeString(text) && internal::IsString(*flat, text.name);
  });
  return SettingsFrom(others, *flat);
}

std::vector<ParameterText> StringsIn(std::span<const ParameterText> texts,
                                     const std::string& file,
                                     const std::string& class_name,
                                     const FileSet& files) {
  if (std::ranges::none_of(texts, MayBeString)) {
    return {};
  }
  const auto flat =
      FlatModelOf(LoadFile(file, class_name, SizingSettings(texts), files));
  std::vector<ParameterText> strings;
  for (const ParameterText& text : texts) {
    if (!MayBeString(text) || !internal::IsString(*flat, text.name)) {
      continue;
    }
    internal::RefuseFixedText(*flat, text.name, "set '" + text.name + "'");
    strings.push_back(
        {.name = text.name, .value = internal::WithoutQuotes(text.value)});
  }
  return strings;
}

std::vector<Setting> SettingsOf(std::span<const ParameterText> texts,
                                const Model& model) {
  return SettingsFrom(texts, *FlatModelOf(model));
}

std::string_view internal::WithoutBlanks(std::string_view text) {
  return Trim(text, " ");
}

std::vector<std::string_view> internal::PartsBetweenCommas(
    std::string_view text) {
  std::vector<std::string_view> parts;
  bool is_quoted = false;
  int depth = 0;  // Number of open brackets.
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    is_quoted = is_quoted != (c == '"');
    if (i == text.size() || (c == ',' && !is_quoted && depth <= 0)) {
      parts.push_back(internal::WithoutBlanks(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (!is_quoted && (c == '{' || c == '[')) {
      ++depth;
    } else if (!is_quoted && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return parts;
}

const Variable* internal::VariableOf(const FlatModel& flat,
                                     std::string_view called) {
  std::string name = flat.element_names.WithNumbers(called);
  if (name.ends_with(']')) {
    name.resize(name.rfind('['));
  }
  const auto found =
      std::ranges::find_if(flat.variables, [&](const Variable& variable) {
        return flat.graph->NameOf(variable.symbol) == name;
      });
  return found == flat.variables.end() ? nullptr : &*found;
}

std::vector<std::string> internal::NamesIn(const FlatModel& flat) {
  std::vector<std::string> names;
  for (const Variable& variable : flat.variables) {
    names.push_back(flat.graph->NameOf(variable.symbol));
  }
  names.insert(names.end(), flat.texts.begin(), flat.texts.end());
  return names;
}

bool internal::IsString(const FlatModel& flat, const std::string& name) {
  const std::string numbered = flat.element_names.WithNumbers(name);
  return std::ranges::find(flat.texts, numbered) != flat.texts.end();
}

void internal::RefuseText(const FlatModel& flat,
                          const std::string& name,
                          const std::string& what) {
  const std::string numbered = flat.element_names.WithNumbers(name);
  const auto element =
      std::ranges::find_if(flat.texts, [&](const std::string& text) {
        return text.ends_with(']') &&
               text.substr(0, text.rfind('[')) == numbered;
      });
  if (element != flat.texts.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + what +
                    ": it is an array of Strings; give the texts of elements, "
                    "as of '" +
                    *element + "'");
  }
  if (IsString(flat, name)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + what +
                    ": it is a String; give a text, in double quotes if it "
                    "looks like a number");
  }
}

void internal::RefuseFixedText(const FlatModel& flat,
                               const std::string& name,
                               const std::string& what) {
  const std::string numbered = flat.element_names.WithNumbers(name);
  const auto& fixed = flat.fixed_texts;
  if (std::ranges::find(fixed, numbered) != fixed.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + what +
                    ": it is a constant or final: the model gives its text for "
                    "good");
  }
}

std::string internal::WithoutQuotes(std::string_view text) {
  const bool is_quoted =
      text.size() > 1 && text.starts_with('"') && text.ends_with('"');
  return std::string(is_quoted ? text.substr(1, text.size() - 2) : text);
}

Setting internal::ToSetting(const ParameterText& text,
                            const std::string& unit) {
  if (const auto plain = PlainValueOf(text.value)) {
    return {.name = text.name, .value = *plain};
  }
  const std::optional<NumberWithUnit> number = SplitUnit(text.value);
  if (!number) {
    Refuse(text,
           "it is a quantity of the equations; give a number, true or false");
  }
  return {.name = text.name, .value = Converted(text, *number, unit)};
}

}  // namespace orrery
