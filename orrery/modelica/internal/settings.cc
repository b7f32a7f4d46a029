#include "orrery/modelica/internal/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "orrery/modelica/internal/session.h"
#include "orrery/symbolic/print.h"

namespace orrery::modelica::internal {
namespace {

// "2,3"; none if it is anything else.
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

// What the value is not; empty if it fits.
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

SettingTable::SettingTable(std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    const std::string_view name = setting.name;
    const std::size_t open = name.rfind('[');
    if (open != std::string_view::npos && name.ends_with(']')) {
      auto at = ParseSubscripts(name.substr(open + 1, name.size() - open - 2));
      if (at) {
        by_name_[std::string(name.substr(0, open))].push_back(
            {.at = std::move(*at), .value = setting.value});
      }
      continue;
    }
    by_name_[setting.name].push_back({.at = {}, .value = setting.value});
  }
}

void SettingTable::Vary(std::span<const std::string> names) {
  for (const std::string& name : names) {
    varied_.insert(name.ends_with(']') ? name.substr(0, name.rfind('['))
                                       : name);
  }
}

bool SettingTable::Varies(const Component& parameter) const {
  return vary_any() && IsOfModel(parameter) &&
         varied_.contains(parameter.path());
}

const std::vector<SettingTable::Entry>* SettingTable::Find(
    const Component& component) const {
  if (by_name_.empty() || !IsOfModel(component)) {
    return nullptr;
  }
  const auto found = by_name_.find(component.path());
  return found == by_name_.end() ? nullptr : &found->second;
}

bool SettingTable::Apply(Session& session,
                         const Component& parameter,
                         std::vector<double>& numbers) const {
  const std::vector<Entry>* const entries = Find(parameter);
  if (entries == nullptr) {
    return false;
  }
  if (numbers.empty()) {
    numbers.resize(static_cast<std::size_t>(NumElements(parameter.shape)),
                   std::numeric_limits<double>::quiet_NaN());
  }
  bool is_any = false;
  for (const Entry& entry : *entries) {
    // What names no element is refused where the settings are applied.
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
  const std::vector<Entry>* const entries = Find(parameter);
  if (entries == nullptr || parameter.is_final) {
    return false;
  }
  std::set<std::size_t> elements;
  for (const Entry& entry : *entries) {
    if (const auto element = ElementAt(parameter.shape, entry.at)) {
      elements.insert(*element);
    }
  }
  return !elements.empty() &&
         elements.size() ==
             static_cast<std::size_t>(NumElements(parameter.shape));
}

}  // namespace orrery::modelica::internal
