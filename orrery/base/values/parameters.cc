#include "orrery/base/values/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/units.h"

namespace orrery {
namespace {

// Descriptions of types.
constexpr const char* kTruth = "true or false";
constexpr const char* kWholeNumber = "a whole number";
constexpr const char* kTime = "a time";

// Values as they are written --------------------------------------------------

std::string Written(bool value) {
  return value ? "true" : "false";
}

std::string Written(const std::string& value) {
  return value;
}

std::string Written(std::int64_t value) {
  return std::to_string(value);
}

std::string Written(double value) {
  return ShortestText(value);
}

std::string Written(Duration value) {
  return ToText(value);
}

template <typename T>
std::string WithLimits(const std::string& type,
                       const ParameterLimits<T>& limits) {
  if (limits.min && limits.max) {
    return type + " from " + Written(*limits.min) + " to " +
           Written(*limits.max);
  }
  if (limits.min) {
    return type + " of " + Written(*limits.min) + " or more";
  }
  return limits.max ? type + " of " + Written(*limits.max) + " or less" : type;
}

template <typename T>
auto IsWithin(const ParameterLimits<T>& limits) {
  return [&limits](const T& value) {
    return !(limits.min && value < *limits.min) &&
           !(limits.max && value > *limits.max);
  };
}

// Texts as values -------------------------------------------------------------

std::optional<std::int64_t> ParseInteger(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  if (const auto [last, error] = std::from_chars(text.data(), end, value);
      error == std::errc() && last == end) {
    return value;
  }
  double number = 0;  // For numbers such as 1e6.
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end || number != std::floor(number) ||
      std::abs(number) > 0x1p53) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

// Reads a number, perhaps with a unit.
std::optional<double> ParseQuantity(const std::string& text,
                                    std::string_view unit) {
  const std::optional<NumberWithUnit> number = SplitUnit(text);
  if (!number) {
    return std::nullopt;
  }
  double value = number->value;
  if (!number->unit.empty()) {
    const std::optional<UnitConversion> conversion =
        ConversionBetween(number->unit, unit);
    if (!conversion) {
      return std::nullopt;
    }
    value = (*conversion)(value);
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

bool IsTruth(const ParameterInfo& info) noexcept {
  return info.type == kTruth;
}

bool IsWhole(const ParameterInfo& info) noexcept {
  return info.type.starts_with(kWholeNumber);
}

bool IsTime(const ParameterInfo& info) noexcept {
  return info.type.starts_with(kTime);
}

Parameters::Parameters(std::vector<ParameterText> texts, OnRefusal on_refusal)
    : texts_(std::move(texts)), on_refusal_(on_refusal) {
  for (auto i = texts_.begin(); i != texts_.end(); ++i) {
    const auto first = std::ranges::find(texts_, i->name, &ParameterText::name);
    if (first != i) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot set '" + i->name + "' twice: to '" + first->value +
                      "' and to '" + i->value + "'; give one of them");
    }
  }
}

void Parameters::SetDefaultStop(Duration stop) {
  if (stop < Duration::zero()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot stop at " + ToText(stop) +
                    ": the run starts at 0 s; give a later time");
  }
  default_stop_ = stop;
}

void Parameters::CheckAllDeclared(std::string_view model) {
  std::vector<std::string> known;
  for (const ParameterInfo& info : declared_) {
    known.push_back(info.name);
  }
  for (const ParameterText& text : texts_) {
    if (std::ranges::find(known, text.name) != known.end()) {
      continue;
    }
    has_refused_ = true;
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot set '" + text.name + "': model " + std::string(model) +
            " has no " +
            (known.empty() ? "parameters; leave it out" : "such parameter") +
            Clause(Suggest(text.name, known)));
  }
}

const std::string* Parameters::TextOf(std::string_view name) const {
  const auto found = std::ranges::find(texts_, name, &ParameterText::name);
  return found == texts_.end() ? nullptr : &found->value;
}

ParameterInfo& Parameters::Declare(const Declaration& declaration,
                                   std::string type,
                                   const std::string& default_value) {
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot declare a parameter '" + std::string(declaration.name) +
                    "': " + why);
  };
  if (declaration.name.empty() ||
      declaration.name.find_first_of("= ") != std::string_view::npos) {
    fail("a name has at least one character, no '=' and no space");
  }
  if (std::ranges::find(declared_, declaration.name, &ParameterInfo::name) !=
      declared_.end()) {
    fail("there is one already; ask for it once and hand on its value");
  }
  declared_.push_back({.name = std::string(declaration.name),
                       .type = std::move(type),
                       .value = default_value,
                       .default_value = default_value,
                       .unit = std::string(declaration.unit),
                       .meaning = std::string(declaration.meaning)});
  return declared_.back();
}

void Parameters::Refuse(const ParameterInfo& info,
                        const std::string& text,
                        std::span<const std::string> choices) {
  const std::string near = Nearest(text, choices);
  ParameterRefusal refusal = {
      .name = info.name,
      .message = "cannot set '" + info.name + "' to '" + text + "': it takes " +
                 info.type +
                 (info.unit.empty() ? "" : " in '" + info.unit + "'"),
      .hint = near.empty() ? "its default is " + info.default_value
                           : "did you mean '" + near + "'?"};
  if (on_refusal_ == OnRefusal::kThrow) {
    has_refused_ = true;
    throw Error(ErrorCode::kInvalidArgument,
                refusal.message + "; " + refusal.hint);
  }
  refusals_.push_back(std::move(refusal));
}

template <typename T, typename Fits, typename Parse>
T Parameters::Take(ParameterInfo& info,
                   const T& default_value,
                   Fits fits,
                   Parse parse,
                   std::span<const std::string> choices) {
  if (!fits(default_value)) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot declare a parameter '" + info.name + "': its default " +
                    info.default_value + " is not what it takes, " + info.type);
  }
  values_.push_back({.name = info.name, .value = default_value});
  const std::string* const text = TextOf(info.name);
  if (text == nullptr) {
    return default_value;
  }
  const std::optional<T> value = parse(*text);
  if (!value || !fits(*value)) {
    Refuse(info, *text, choices);
    return default_value;
  }
  info.value = Written(*value);
  values_.back().value = *value;
  return *value;
}

bool Parameters::GetTruth(const Declaration& declaration, bool default_value) {
  return Take(
      Declare(declaration, kTruth, Written(default_value)),
      default_value,
      [](bool) { return true; },
      [](const std::string& text) {
        return text == "true" || text == "false" ? std::optional(text == "true")
                                                 : std::nullopt;
      });
}

std::int64_t Parameters::GetInteger(
    const Declaration& declaration,
    std::int64_t default_value,
    const ParameterLimits<std::int64_t>& limits,
    const ParameterLimits<std::int64_t>& of_type) {
  ParameterInfo& info = Declare(
      declaration, WithLimits(kWholeNumber, limits), Written(default_value));
  const std::int64_t value =
      Take(info, default_value, IsWithin(limits), ParseInteger);
  if (!IsWithin(of_type)(value)) {
    info.type = WithLimits(kWholeNumber,
                           ParameterLimits<std::int64_t>{
                               .min = limits.min ? limits.min : of_type.min,
                               .max = limits.max ? limits.max : of_type.max});
    Refuse(info, *TextOf(info.name));
    info.value = info.default_value;
    values_.back().value = default_value;
    return default_value;
  }
  return value;
}

double Parameters::GetNumber(const Declaration& declaration,
                             double default_value,
                             const ParameterLimits<double>& limits) {
  return Take(
      Declare(
          declaration, WithLimits("a number", limits), Written(default_value)),
      default_value,
      IsWithin(limits),
      [&](const std::string& text) {
        return ParseQuantity(text, declaration.unit);
      });
}

Duration Parameters::GetTime(const Declaration& declaration,
                             Duration default_value,
                             const ParameterLimits<Duration>& limits) {
  return Take(
      Declare(declaration, WithLimits(kTime, limits), Written(default_value)),
      default_value,
      IsWithin(limits),
      ParseDuration);
}

std::string Parameters::GetText(const Declaration& declaration,
                                const std::string& default_value,
                                std::span<const std::string> choices) {
  std::string type = choices.empty() ? "a text" : "";
  for (const std::string& choice : choices) {
    type += type.empty() ? "'" : " or '";
    type += choice;
    type += '\'';
  }
  return Take(
      Declare(declaration, type, default_value),
      default_value,
      [&](const std::string& text) {
        return choices.empty() ||
               std::ranges::find(choices, text) != choices.end();
      },
      [](const std::string& text) { return std::optional(text); },
      choices);
}

}  // namespace orrery
