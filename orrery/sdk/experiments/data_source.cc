#include "orrery/sdk/experiments/data_source.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/sdk/model/setting_parts.h"

namespace orrery::sdk::internal {
namespace {

[[noreturn]] void RefusePart(const std::string& text, std::string_view part) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot take --data '" + text + "': '" + std::string(part) +
                  "' sets nothing; write FILE, NAME=VALUE, as in --data "
                  "'run7.csv, m=2'; a name with commas stands in quotes, as in "
                  "'\"a,b.csv\", m=2'");
}

std::string Unquoted(const std::string& text) {
  const bool is_quoted =
      text.size() > 1 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

void CheckNoMisspeltLabel(const std::string& text,
                          const std::string& value,
                          std::span<const Factor> estimated) {
  std::vector<std::string> names;
  for (const Factor& factor : estimated) {
    names.push_back(factor.name);
  }
  const std::string nearest = Nearest(value, names);
  if (!nearest.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --data '" + text + "': '" + value +
                    "' is no value, and nothing that --vary estimates; did "
                    "you mean '" +
                    nearest + "'?");
  }
}

bool IsLabel(std::span<const DataSource> sources, const std::string& name) {
  return std::ranges::any_of(sources, [&](const DataSource& source) {
    return std::ranges::find(source.labels, name, &ParameterText::value) !=
           source.labels.end();
  });
}

}  // namespace

ParameterText Assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  const bool has_name = equals != std::string_view::npos;
  return {
      .name = std::string(WithoutBlanks(text.substr(0, has_name ? equals : 0))),
      .value =
          std::string(WithoutBlanks(text.substr(has_name ? equals + 1 : 0)))};
}

DataSource ParseData(const std::string& text,
                     std::span<const Factor> estimated) {
  const std::vector<std::string_view> parts = PartsBetweenCommas(text);
  DataSource source{.file = Unquoted(std::string(parts.front()))};
  for (const std::string_view part : std::span(parts).subspan(1)) {
    ParameterText setting = Assignment(part);
    if (setting.name.empty() || setting.value.empty()) {
      RefusePart(text, part);
    }
    if (setting.name == "input") {
      source.input = Unquoted(setting.value);
    } else if (std::ranges::find(estimated, setting.value, &Factor::name) !=
               estimated.end()) {
      source.labels.push_back(std::move(setting));
    } else {
      CheckNoMisspeltLabel(text, setting.value, estimated);
      source.settings.push_back(std::move(setting));
    }
  }
  return source;
}

std::vector<VariedQuantity> VariedIn(const DataSource& source,
                                     std::span<const DataSource> sources,
                                     std::span<const std::string> names) {
  std::vector<VariedQuantity> varied;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!IsLabel(sources, names[k])) {
      varied.push_back({.name = names[k], .index = k});
    }
    for (const ParameterText& label : source.labels) {
      if (label.value == names[k]) {
        varied.push_back({.name = label.name, .index = k});
      }
    }
  }
  return varied;
}

}  // namespace orrery::sdk::internal
