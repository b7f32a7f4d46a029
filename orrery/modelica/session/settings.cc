#include "orrery/modelica/session/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/session/texts.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica::internal {
namespace {

// Parses "2,3"; none for another text.
std::optional<std::vector<std::int64_t>> ParseSubscripts(
    std::string_view text) {
  std::vector<std::int64_t> at;
  while (true) {
    std::int64_t subscript = 0;
    const auto [rest, error] =
        std::from_chars(text.data(), text.data() + text.size(), subscript);
    if (error != std::errc()) {
      return std::nullopt;
    }
    at.push_back(subscript);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (text.empty()) {
      return at;
    }
    if (text.front() != ',') {
      return std::nullopt;
    }
    text.remove_prefix(1);
  }
}

// A name of an array and the subscripts behind it, none for a scalar.
struct ElementOfArray {
  std::string array;
  std::vector<std::int64_t> at;
};

// Returns nothing for a name whose last subscripts are no numbers.
std::optional<ElementOfArray> SplitName(std::string_view name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string_view::npos || !name.ends_with(']')) {
    return ElementOfArray{.array = std::string(name), .at = {}};
  }
  auto at = ParseSubscripts(name.substr(open + 1, name.size() - open - 2));
  return at ? std::optional(
                  ElementOfArray{.array = std::string(name.substr(0, open)),
                                 .at = *std::move(at)})
            : std::nullopt;
}

std::string WithoutSubscripts(std::string_view name) {
  return std::string(name.ends_with(']') ? name.substr(0, name.rfind('['))
                                         : name);
}

// True if subscripts of the name are no numbers.
bool HasLiterals(std::string_view name) {
  for (std::size_t open = name.find('['); open != std::string_view::npos;
       open = name.find('[', open + 1)) {
    const std::string_view list =
        name.substr(open + 1, name.find(']', open) - open - 1);
    if (list.find_first_not_of("0123456789,") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The row-major number of the element; none if there is no such element.
std::optional<std::size_t> ElementAt(const Shape& shape,
                                     const std::vector<std::int64_t>& at) {
  if (at.size() != shape.size()) {
    return std::nullopt;
  }
  std::size_t element = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 1 || at[i] > shape[i]) {
      return std::nullopt;
    }
    element = element * static_cast<std::size_t>(shape[i]) +
              static_cast<std::size_t>(at[i] - 1);
  }
  return element;
}

// The error in a value; empty if it fits.
std::string_view Mismatch(ValueType type, double value) {
  if (!std::isfinite(value)) {
    return "it is not a finite number";
  }
  if (type == ValueType::kBoolean && value != 0 && value != 1) {
    return "the parameter is a Boolean; give true or false";
  }
  if (type == ValueType::kInteger && value != std::round(value)) {
    return "the parameter is an Integer; give a whole number";
  }
  if (type == ValueType::kInteger && std::abs(value) > kMaxInteger) {
    return "the parameter is an Integer, and those lie between -2^53 and 2^53";
  }
  return {};
}

bool IsOfModel(const Component& component) {
  return component.variability == Variability::kParameter &&
         !component.owner->is_function && !component.owner->holds_constants;
}

}  // namespace

SettingTable::SettingTable(std::span<const Setting> settings,
                           const ElementNames& names)
    : names_(names) {
  for (const Setting& setting : settings) {
    if (HasLiterals(setting.name)) {
      with_literals_.push_back(setting);
    } else if (auto element = SplitName(setting.name)) {
      by_name_[element->array].push_back(
          {.at = std::move(element->at), .value = setting.value});
    }
  }
}

void SettingTable::Give(std::span<const ParameterText> texts) {
  texts_.assign(texts.begin(), texts.end());
}

std::vector<SettingTable::TextEntry> SettingTable::FindTexts(
    const Component& component) const {
  std::vector<TextEntry> entries;
  if (texts_.empty() || !IsOfModel(component)) {
    return entries;
  }
  const std::string path = component.path();
  for (const ParameterText& text : texts_) {
    auto element = SplitName(names_.WithNumbers(text.name));
    if (element && element->array == path) {
      entries.push_back({.at = std::move(element->at), .text = text.value});
    }
  }
  return entries;
}

Value SettingTable::Apply(Session& session,
                          const Component& parameter,
                          const std::function<Value()>& own) const {
  const std::vector<TextEntry> entries = FindTexts(parameter);
  if (entries.empty()) {
    return own();
  }
  const auto fail = [&](const TextEntry& entry, const std::string& why) {
    session.Fail(parameter.member->scope,
                 parameter.member->span,
                 "cannot set '" + ElementName(parameter.path(), entry.at) +
                     "' to '" + entry.text + "': " + why);
  };
  if (parameter.is_final) {
    fail(entries.front(), "it is final: the model gives its text for good");
  }
  if (parameter.shape.empty()) {
    return {.text = std::make_shared<const std::string>(entries.back().text)};
  }
  const Value value = own();
  auto numbers =
      AreTexts(value) ? TryEvaluate(session, value.expr) : std::nullopt;
  if (!numbers) {
    fail(entries.front(), "the other texts of the array are not known");
  }
  for (const TextEntry& entry : entries) {
    // Names of nonexistent elements are refused where texts are read.
    if (const auto element = ElementAt(value.expr.shape(), entry.at)) {
      (*numbers)[*element] =
          static_cast<double>(session.text_numbers.NumberOf(entry.text));
    }
  }
  return NumberValue(
      ConstantOf(
          session.graph, *numbers, value.expr.shape(), ValueType::kInteger),
      value.enumeration);
}

void SettingTable::Vary(std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (HasLiterals(name)) {
      varied_with_literals_.push_back(name);
    } else {
      varied_.insert(WithoutSubscripts(name));
    }
  }
}

bool SettingTable::Varies(const Component& parameter) const {
  if (!vary_any() || !IsOfModel(parameter)) {
    return false;
  }
  const std::string path = parameter.path();
  return varied_.contains(path) ||
         std::ranges::any_of(
             varied_with_literals_, [&](const std::string& name) {
               return WithoutSubscripts(names_.WithNumbers(name)) == path;
             });
}

std::vector<SettingTable::Entry> SettingTable::Find(
    const Component& component) const {
  if ((by_name_.empty() && with_literals_.empty()) || !IsOfModel(component)) {
    return {};
  }
  const std::string path = component.path();
  const auto found = by_name_.find(path);
  std::vector<Entry> entries =
      found == by_name_.end() ? std::vector<Entry>() : found->second;
  for (const Setting& setting : with_literals_) {
    auto element = SplitName(names_.WithNumbers(setting.name));
    if (element && element->array == path) {
      entries.push_back({.at = std::move(element->at), .value = setting.value});
    }
  }
  return entries;
}

bool SettingTable::Apply(Session& session,
                         const Component& parameter,
                         std::vector<double>& numbers) const {
  const std::vector<Entry> entries = Find(parameter);
  if (entries.empty()) {
    return false;
  }
  if (numbers.empty()) {
    numbers.resize(static_cast<std::size_t>(NumElements(parameter.shape)),
                   std::numeric_limits<double>::quiet_NaN());
  }
  bool is_any = false;
  for (const Entry& entry : entries) {
    // Names of nonexistent elements are refused where the settings are applied.
    const auto element = ElementAt(parameter.shape, entry.at);
    if (!element) {
      continue;
    }
    const std::string_view mismatch =
        parameter.is_final ? "it is final: the model gives its value for good"
                           : Mismatch(parameter.symbol.type(), entry.value);
    if (!mismatch.empty()) {
      session.Fail(parameter.member->scope,
                   parameter.member->span,
                   "cannot set '" + ElementName(parameter.path(), entry.at) +
                       "' to " + ToText(session.graph.Constant(entry.value)) +
                       ": " + std::string(mismatch));
    }
    numbers[*element] = entry.value;
    is_any = true;
  }
  return is_any;
}

bool SettingTable::Replaces(const Component& parameter) const {
  const std::vector<Entry> entries = Find(parameter);
  if (entries.empty() || parameter.is_final) {
    return false;
  }
  std::set<std::size_t> elements;
  for (const Entry& entry : entries) {
    if (const auto element = ElementAt(parameter.shape, entry.at)) {
      elements.insert(*element);
    }
  }
  return !elements.empty() &&
         elements.size() ==
             static_cast<std::size_t>(NumElements(parameter.shape));
}

}  // namespace orrery::modelica::internal
