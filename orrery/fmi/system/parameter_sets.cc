#include "orrery/fmi/system/parameter_sets.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/attribute_reader.h"

namespace orrery::fmi::internal {
namespace {

/// An entry of a mapping.
struct MappingEntry {
  std::string source;
  std::string target;
  SignalTransformation change;
};

// True for numbers with blanks between them: SSP 2.0 has values of arrays.
bool AreReals(const std::string& text) {
  std::istringstream items(text);
  std::string item;
  bool are_reals = static_cast<bool>(items >> item);
  for (; are_reals && items; items >> item) {
    are_reals = ParseReal(item).has_value();
  }
  return are_reals;
}

// The value of a parameter: the element that tells its type.
std::optional<SystemParameter> ParameterOf(const XmlDocument& document,
                                           const XmlElement& element,
                                           Diagnostics& diagnostics) {
  // SSP 1.0, and the names that 2.0 has besides.
  constexpr std::array<std::string_view, 16> kTypes = {"Real",
                                                       "Integer",
                                                       "Boolean",
                                                       "String",
                                                       "Enumeration",
                                                       "Float64",
                                                       "Float32",
                                                       "Int8",
                                                       "UInt8",
                                                       "Int16",
                                                       "UInt16",
                                                       "Int32",
                                                       "UInt32",
                                                       "Int64",
                                                       "UInt64",
                                                       "Binary"};
  const std::string name = AttributeText(element, "name");
  for (const std::string_view type : kTypes) {
    const XmlElement* const value = LocalChild(element, type);
    if (value == nullptr) {
      continue;
    }
    const std::string text = AttributeText(*value, "value");
    if (IsReal(type) && !AreReals(text)) {
      diagnostics.Error(document.PlaceOf(*value, "value"),
                        fmt::format("'{}' is no number", text));
      return std::nullopt;
    }
    const std::string unit = AttributeText(*value, "unit");
    if (!unit.empty() && !IsReal(type)) {
      diagnostics.Error(
          document.PlaceOf(*value, "unit"),
          fmt::format("parameter '{}' is {} and has a unit", name, type),
          "only numbers of type Real, Float64 and Float32 have "
          "one");
      return std::nullopt;
    }
    return SystemParameter{.variable = name,
                           .value = text,
                           .unit = unit,
                           .change = {},
                           .place = document.PlaceOf(*value)};
  }
  diagnostics.Error(document.PlaceOf(element),
                    fmt::format("parameter '{}' has no value of a type that "
                                "can be set",
                                name),
                    "the types are Real, Integer, Boolean, String, "
                    "Enumeration, and those of FMI 3.0");
  return std::nullopt;
}

void AddSet(const XmlDocument& document,
            const XmlElement& set,
            std::vector<SystemParameter>& parameters,
            Diagnostics& diagnostics) {
  const XmlElement* const list = LocalChild(set, "Parameters");
  if (list == nullptr) {
    return;
  }
  for (const XmlElement& element : list->children) {
    if (LocalName(element.name) != "Parameter") {
      continue;
    }
    if (auto parameter = ParameterOf(document, element, diagnostics)) {
      parameters.push_back(std::move(*parameter));
    }
  }
}

std::vector<MappingEntry> EntriesOf(const XmlDocument& document,
                                    const XmlElement& mapping,
                                    Diagnostics& diagnostics) {
  std::vector<MappingEntry> entries;
  for (const XmlElement& element : mapping.children) {
    if (LocalName(element.name) == "MappingEntry") {
      entries.push_back(
          {.source = AttributeText(element, "source"),
           .target = AttributeText(element, "target"),
           .change = TransformationIn(document, element, diagnostics)});
    }
  }
  return entries;
}

// The parameters that a mapping names, under their new names.
std::vector<SystemParameter> Mapped(
    const std::vector<SystemParameter>& parameters,
    const std::vector<MappingEntry>& entries) {
  std::vector<SystemParameter> result;
  for (const MappingEntry& entry : entries) {
    for (const SystemParameter& parameter : parameters) {
      if (parameter.variable == entry.source) {
        result.push_back(parameter);
        result.back().variable = entry.target;
        result.back().change = entry.change;
      }
    }
  }
  return result;
}

double NumberOfText(std::string_view text) {
  return ParseReal(text).value_or(NAN);
}

double NumberOfTruth(std::string_view text) {
  const auto flag = ParseFlag(text);
  return flag ? static_cast<double>(*flag) : NumberOfText(text);
}

// The entries of a transformation by a table.
std::map<double, double> TableIn(const XmlElement& transformation,
                                 double (*number_of)(std::string_view)) {
  std::map<double, double> table;
  for (const XmlElement& entry : transformation.children) {
    table.emplace(number_of(entry.Find("source").value_or("")),
                  number_of(entry.Find("target").value_or("")));
  }
  return table;
}

void AddBinding(const XmlDocument& document,
                const XmlElement& binding,
                SystemTexts& texts,
                std::vector<SystemParameter>& parameters,
                Diagnostics& diagnostics) {
  const auto [values, set] =
      ContentOf(document, binding, "ParameterValues", texts);
  if (set == nullptr) {
    return;
  }
  std::vector<SystemParameter> bound;
  AddSet(*values, *set, bound, diagnostics);
  const std::string prefix = AttributeText(binding, "prefix");
  for (SystemParameter& parameter : bound) {
    parameter.variable = prefix + parameter.variable;
  }
  if (const XmlElement* const mapping =
          LocalChild(binding, "ParameterMapping")) {
    const auto [text, entries] = ContentOf(document, *mapping, "", texts);
    if (entries != nullptr) {
      bound = Mapped(bound, EntriesOf(*text, *entries, diagnostics));
    }
  }
  for (SystemParameter& parameter : bound) {
    parameters.push_back(std::move(parameter));
  }
}

}  // namespace

std::string_view LocalName(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string AttributeText(const XmlElement& element, std::string_view name) {
  return std::string(element.Find(name).value_or(""));
}

bool IsReal(std::string_view type) noexcept {
  return type == "Real" || type == "Float64" || type == "Float32";
}

const XmlElement* LocalChild(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children) {
    if (LocalName(child.name) == name) {
      return &child;
    }
  }
  return nullptr;
}

const XmlDocument* SystemTexts::Read(const std::string& name,
                                     const SourceSpan& place) {
  try {
    return Parse(read_(name));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) {
      throw;
    }
    diagnostics_.Error(place, error.what());
    return nullptr;
  }
}

const XmlDocument* SystemTexts::Parse(std::shared_ptr<const SourceFile> file) {
  auto document = XmlDocument::Parse(std::move(file), diagnostics_);
  if (document == nullptr) {
    return nullptr;
  }
  documents_.push_back(std::move(document));
  return documents_.back().get();
}

std::pair<const XmlDocument*, const XmlElement*> ContentOf(
    const XmlDocument& document,
    const XmlElement& element,
    std::string_view holder,
    SystemTexts& texts) {
  const std::string source = AttributeText(element, "source");
  if (!source.empty()) {
    const XmlDocument* const file =
        texts.Read(source, document.PlaceOf(element, "source"));
    return {file, file == nullptr ? nullptr : &file->root()};
  }
  const XmlElement* const within =
      holder.empty() ? &element : LocalChild(element, holder);
  return {&document,
          within == nullptr || within->children.empty()
              ? nullptr
              : &within->children.front()};
}

SignalTransformation TransformationIn(const XmlDocument& document,
                                      const XmlElement& element,
                                      Diagnostics& diagnostics) {
  SignalTransformation change;
  for (const XmlElement& child : element.children) {
    const std::string_view kind = LocalName(child.name);
    if (kind == "LinearTransformation") {
      change.factor =
          ParseReal(child.Find("factor").value_or("1")).value_or(NAN);
      change.offset =
          ParseReal(child.Find("offset").value_or("0")).value_or(NAN);
    } else if (kind == "BooleanMappingTransformation") {
      change.table = TableIn(child, NumberOfTruth);
    } else if (kind == "IntegerMappingTransformation") {
      change.table = TableIn(child, NumberOfText);
    } else if (kind == "EnumerationMappingTransformation") {
      for (const XmlElement& entry : child.children) {
        change.items.emplace(AttributeText(entry, "source"),
                             AttributeText(entry, "target"));
      }
    }
  }
  if (!std::isfinite(change.factor) || !std::isfinite(change.offset)) {
    diagnostics.Error(document.PlaceOf(element),
                      "factor and offset of a transformation are numbers");
  }
  return change;
}

std::vector<SystemParameter> ParametersBoundIn(const XmlDocument& document,
                                               const XmlElement& element,
                                               SystemTexts& texts,
                                               Diagnostics& diagnostics) {
  std::vector<SystemParameter> parameters;
  const XmlElement* const bindings = LocalChild(element, "ParameterBindings");
  if (bindings != nullptr) {
    for (const XmlElement& binding : bindings->children) {
      if (LocalName(binding.name) == "ParameterBinding") {
        AddBinding(document, binding, texts, parameters, diagnostics);
      }
    }
  }
  return parameters;
}

}  // namespace orrery::fmi::internal
