#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/fmi/description_parts.h"
#include "orrery/fmi/variable_classes.h"

namespace orrery::fmi::internal {
namespace {

using ByReference = std::map<std::uint32_t, VariableIndex>;

std::optional<ValueType> TypeNamed(std::string_view name) {
  const auto found = std::ranges::find(kValueTypeNames, name);
  return found == kValueTypeNames.end() ? std::nullopt
                                        : std::optional(static_cast<ValueType>(
                                              found - kValueTypeNames.begin()));
}

void ReadTypes3(const ReadingContext& context) {
  constexpr std::string_view kSuffix = "Type";
  const XmlElement* const list =
      context.document.root().Child("TypeDefinitions");
  if (list == nullptr) {
    return;
  }
  for (const XmlElement& element : list->children) {
    const bool has_suffix = element.name.ends_with(kSuffix);
    const auto type = TypeNamed(element.name.substr(
        0, element.name.size() - (has_suffix ? kSuffix.size() : 0)));
    if (!has_suffix || !type) {
      context.At(element).Warning(
          {}, fmt::format("<TypeDefinitions> has no part <{}>", element.name));
      continue;
    }
    ReadType(context, element, element, *type);
  }
}

std::shared_ptr<const ClockTiming> ReadClock(AttributeReader& reader) {
  auto clock = std::make_shared<ClockTiming>();
  (void)reader.Required("intervalVariability");
  if (const auto its =
          reader.Choice("intervalVariability", kIntervalVariabilityNames)) {
    clock->variability = static_cast<IntervalVariability>(*its);
  }
  clock->interval = reader.Real("intervalDecimal");
  clock->shift = reader.Real("shiftDecimal").value_or(0);
  if (const auto priority = reader.Whole("priority", UINT32_MAX)) {
    clock->priority = static_cast<std::uint32_t>(*priority);
  }
  clock->can_be_deactivated = reader.Flag("canBeDeactivated");
  clock->supports_fraction = reader.Flag("supportsFraction");
  clock->resolution = reader.Whole("resolution").value_or(0);
  clock->interval_counter = reader.Whole("intervalCounter").value_or(0);
  clock->shift_counter = reader.Whole("shiftCounter").value_or(0);
  return clock;
}

std::string BytesOf(AttributeReader& reader, std::string_view hexadecimal) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    unsigned byte = 0;
    for (const char c : hexadecimal.substr(i, 2)) {
      const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
      const std::size_t digit = kDigits.find(lower);
      if (digit == std::string_view::npos) {
        reader.Error("value", "value: this is no hexadecimal number");
        return {};
      }
      byte = byte * 16 + static_cast<unsigned>(digit);
    }
    bytes += static_cast<char>(byte);
  }
  if (hexadecimal.size() % 2 != 0) {
    reader.Error("value", "value: bytes have two hexadecimal digits each");
  }
  return bytes;
}

// Starts of Strings and Binaries are elements.
void ReadStarts(const ReadingContext& context,
                const XmlElement& element,
                Variable& variable) {
  std::vector<std::string> starts;
  for (const XmlElement& child : element.children) {
    if (child.name != "Start") {
      continue;
    }
    AttributeReader reader = context.At(child);
    const std::string value = reader.Text("value");
    reader.WarnOfOthers();
    starts.push_back(
        variable.type == ValueType::kBinary ? BytesOf(reader, value) : value);
  }
  if (!starts.empty()) {
    variable.start = std::move(starts);
  }
}

Variable ReadVariable(const ReadingContext& context,
                      const XmlElement& element,
                      ValueType type) {
  AttributeReader reader = context.At(element);
  Variable its = ReadSharedAttributes(context, element, reader, reader, type);
  its.intermediate_update = reader.Flag("intermediateUpdate");
  // Resolved once all variables are known.
  reader.Know({"previous", "clocks"});
  if (type == ValueType::kBinary) {
    reader.Know({"mimeType", "maxSize"});
  }
  if (type == ValueType::kClock) {
    its.clock = ReadClock(reader);
  }
  bool has_start = false;
  if (type == ValueType::kString || type == ValueType::kBinary) {
    ReadStarts(context, element, its);
    has_start = its.start.has_value();
  } else if (type != ValueType::kClock) {
    has_start = ReadStart(reader, "start", true, its);
  }
  Classify(reader, context.description, has_start, its);
  Inherit(context.description, its);
  reader.WarnOfOthers();
  return its;
}

// Adds the other names of a variable as variables.
void AddAliases(const ReadingContext& context,
                const XmlElement& element,
                VariableIndex of) {
  std::vector<Variable>& variables = context.description.variables;
  for (const XmlElement& child : element.children) {
    if (child.name != "Alias") {
      continue;
    }
    AttributeReader reader = context.At(child);
    Variable alias = variables[of];
    alias.name = reader.Required("name");
    alias.description = reader.Text("description");
    if (const auto unit = reader.Find("displayUnit")) {
      alias.display_unit = *unit;
    }
    alias.alias_of = of;
    alias.begin = child.begin;
    reader.WarnOfOthers();
    variables.push_back(std::move(alias));
  }
}

std::optional<VariableIndex> ResolveReference(const ByReference& by_reference,
                                              AttributeReader& reader,
                                              std::string_view attribute,
                                              std::uint32_t reference) {
  const auto found = by_reference.find(reference);
  if (found == by_reference.end()) {
    reader.Error(attribute,
                 fmt::format("{}: no variable has the value reference {}",
                             attribute,
                             reference));
    return std::nullopt;
  }
  return found->second;
}

// The size of a dimension that a variable gives, which has to be read already.
std::uint64_t SizeBy(const Variable& variable, AttributeReader& reader) {
  const auto* const sizes =
      variable.start ? std::get_if<std::vector<std::uint64_t>>(&*variable.start)
                     : nullptr;
  if (variable.type != ValueType::kUInt64 || sizes == nullptr ||
      sizes->empty()) {
    reader.Error("valueReference",
                 fmt::format("the size '{}' is to be a UInt64 with a start "
                             "value",
                             variable.name));
    return Dimension{}.size;
  }
  return sizes->front();
}

void ReadDimensions(const ReadingContext& context,
                    const ByReference& by_reference,
                    const XmlElement& element,
                    Variable& variable) {
  for (const XmlElement& child : element.children) {
    if (child.name != "Dimension") {
      continue;
    }
    AttributeReader reader = context.At(child);
    Dimension dimension;
    const auto start = reader.Whole("start");
    const auto reference = reader.Whole("valueReference", UINT32_MAX);
    reader.WarnOfOthers();
    if (start.has_value() == reference.has_value()) {
      reader.Error({},
                   "a <Dimension> has either a 'start' or a 'valueReference'");
      continue;
    }
    if (reference) {
      dimension.variable =
          ResolveReference(by_reference,
                           reader,
                           "valueReference",
                           static_cast<std::uint32_t>(*reference));
      if (dimension.variable) {
        dimension.size =
            SizeBy(context.description.variables[*dimension.variable], reader);
      }
    } else {
      dimension.size = *start;
    }
    variable.dimensions.push_back(dimension);
  }
}

void ReadReferences(const ReadingContext& context,
                    const ByReference& by_reference,
                    const XmlElement& element,
                    Variable& variable) {
  AttributeReader reader = context.At(element);
  const auto resolve =
      [&](std::string_view name) -> std::optional<VariableIndex> {
    const auto reference = reader.Whole(name, UINT32_MAX);
    return reference ? ResolveReference(by_reference,
                                        reader,
                                        name,
                                        static_cast<std::uint32_t>(*reference))
                     : std::nullopt;
  };
  variable.derivative_of = resolve("derivative");
  variable.previous = resolve("previous");
  for (const std::uint32_t reference : reader.References("clocks")) {
    if (const auto clock =
            ResolveReference(by_reference, reader, "clocks", reference)) {
      if (context.description.variables[*clock].type != ValueType::kClock) {
        reader.Error("clocks",
                     fmt::format("'{}' is no Clock",
                                 context.description.variables[*clock].name));
      }
      variable.clocks.push_back(*clock);
    }
  }
  ReadDimensions(context, by_reference, element, variable);
}

// Value references; tells those that two variables have. `elements` are those
// of the variables.
ByReference IndexReferences(const ReadingContext& context,
                            const std::vector<const XmlElement*>& elements) {
  ByReference by_reference;
  const std::vector<Variable>& variables = context.description.variables;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Variable& variable = variables[i];
    const auto [first, is_new] = by_reference.try_emplace(
        variable.reference, static_cast<VariableIndex>(i));
    if (!is_new) {
      context.At(*elements[i])
          .Error("valueReference",
                 fmt::format("'{}' has the value reference {} of '{}'",
                             variable.name,
                             variable.reference,
                             variables[first->second].name),
                 "other names are <Alias> elements");
    }
  }
  return by_reference;
}

}  // namespace

void ReadVariables3(const ReadingContext& context) {
  const XmlElement& root = context.document.root();
  WarnOfOtherChildren(context,
                      root,
                      {"ModelExchange",
                       "CoSimulation",
                       "ScheduledExecution",
                       "UnitDefinitions",
                       "TypeDefinitions",
                       "LogCategories",
                       "DefaultExperiment",
                       "ModelVariables",
                       "ModelStructure"});
  ReadTypes3(context);
  const XmlElement* const list = root.Child("ModelVariables");
  if (list == nullptr) {
    context.At(root).Error({}, "it has no <ModelVariables>");
    return;
  }
  std::vector<Variable>& variables = context.description.variables;
  std::vector<const XmlElement*> elements;  // Elements of the variables.
  for (const XmlElement& element : list->children) {
    const auto type = TypeNamed(element.name);
    if (!type) {
      context.At(element).Warning(
          {},
          fmt::format("<ModelVariables> has no part <{}> in FMI 3.0",
                      element.name));
      continue;
    }
    variables.push_back(ReadVariable(context, element, *type));
    elements.push_back(&element);
    WarnOfOtherChildren(context, element, {"Dimension", "Start", "Alias"});
  }
  // References may point forward.
  const ByReference by_reference = IndexReferences(context, elements);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ReadReferences(context, by_reference, *elements[i], variables[i]);
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    AddAliases(context, *elements[i], static_cast<VariableIndex>(i));
  }
}

void ReadStructure3(const ReadingContext& context) {
  constexpr std::array<std::string_view, 5> kNames = {
      "Output",
      "ContinuousStateDerivative",
      "ClockedState",
      "InitialUnknown",
      "EventIndicator"};
  const XmlElement& root = context.document.root();
  const XmlElement* const structure = root.Child("ModelStructure");
  if (structure == nullptr) {
    context.At(root).Warning({}, "it has no <ModelStructure>");
    return;
  }
  WarnOfOtherChildren(context,
                      *structure,
                      {kNames[0], kNames[1], kNames[2], kNames[3], kNames[4]});
  ByReference by_reference;
  const std::vector<Variable>& variables = context.description.variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    by_reference.try_emplace(variables[i].reference,
                             static_cast<VariableIndex>(i));
  }
  ModelStructure& its = context.description.structure;
  const std::array<std::vector<Unknown>*, 5> lists = {&its.outputs,
                                                      &its.derivatives,
                                                      &its.clocked_states,
                                                      &its.initial_unknowns,
                                                      &its.event_indicators};
  const auto resolve = [&by_reference](AttributeReader& reader,
                                       std::string_view attribute,
                                       std::uint32_t reference) {
    return ResolveReference(by_reference, reader, attribute, reference);
  };
  for (const XmlElement& element : structure->children) {
    const auto found = std::ranges::find(kNames, element.name);
    if (found != kNames.end()) {
      ReadUnknown(context,
                  element,
                  "valueReference",
                  resolve,
                  *lists.at(static_cast<std::size_t>(found - kNames.begin())));
    }
  }
  for (const Unknown& indicator : its.event_indicators) {
    context.description.num_event_indicators +=
        SizeOf(variables[indicator.variable]);
  }
}

}  // namespace orrery::fmi::internal
