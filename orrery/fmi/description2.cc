#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/fmi/description_parts.h"
#include "orrery/fmi/variable_classes.h"

namespace orrery::fmi::internal {
namespace {

struct TypeName {
  std::string_view name;
  ValueType type;
};

constexpr std::array<TypeName, 5> kTypes2 = {{
    {"Real", ValueType::kFloat64},
    {"Integer", ValueType::kInt32},
    {"Boolean", ValueType::kBoolean},
    {"String", ValueType::kString},
    {"Enumeration", ValueType::kEnumeration},
}};

// The child with the type, and the type; tells if there is none.
std::pair<const XmlElement*, ValueType> TypedPart(const ReadingContext& context,
                                                  const XmlElement& element) {
  for (const XmlElement& child : element.children) {
    const auto found = std::ranges::find(kTypes2, child.name, &TypeName::name);
    if (found != kTypes2.end()) {
      return {&child, found->type};
    }
  }
  context.At(element).Error(
      {},
      fmt::format("a <{}> is of Real, Integer, Boolean, String or Enumeration",
                  element.name));
  return {nullptr, ValueType::kFloat64};
}

void ReadTypes2(const ReadingContext& context) {
  const XmlElement* const list =
      context.document.root().Child("TypeDefinitions");
  if (list == nullptr) {
    return;
  }
  WarnOfOtherChildren(context, *list, {"SimpleType"});
  for (const XmlElement& element : list->children) {
    if (element.name != "SimpleType") {
      continue;
    }
    const auto [typed, type] = TypedPart(context, element);
    if (typed != nullptr) {
      ReadType(context, element, *typed, type);
    }
  }
}

Variable ReadScalar(const ReadingContext& context,
                    const XmlElement& element,
                    const XmlElement& typed,
                    ValueType type) {
  AttributeReader reader = context.At(element);
  AttributeReader values = context.At(typed);
  Variable its = ReadSharedAttributes(context, element, reader, values, type);
  const bool has_start = ReadStart(values, "start", false, its);
  Classify(reader, context.description, has_start, its);
  Inherit(context.description, its);
  reader.WarnOfOthers();
  values.WarnOfOthers();
  return its;
}

// Real, Integer (with Enumeration), Boolean, String: each has value references
// of its own.
int ReferenceSpace(ValueType type) {
  return type == ValueType::kEnumeration ? static_cast<int>(ValueType::kInt32)
                                         : static_cast<int>(type);
}

// Resolves an index, which counts from 1; tells that there is none.
std::optional<VariableIndex> ResolveIndex(const ReadingContext& context,
                                          AttributeReader& reader,
                                          std::string_view attribute,
                                          std::uint64_t index) {
  const std::size_t count = context.description.variables.size();
  if (index == 0 || index > count) {
    reader.Error(attribute,
                 fmt::format("{}: there is no variable {}; they are 1 to {}",
                             attribute,
                             index,
                             count));
    return std::nullopt;
  }
  return static_cast<VariableIndex>(index - 1);
}

// Reads what may point forward.
// @param typed_parts of all variables.
void ReadDerivatives(const ReadingContext& context,
                     const std::vector<const XmlElement*>& typed_parts) {
  for (std::size_t i = 0; i < typed_parts.size(); ++i) {
    Variable& variable = context.description.variables[i];
    if (typed_parts[i]->Find("derivative") && IsFloat(variable.type)) {
      AttributeReader reader = context.At(*typed_parts[i]);
      const auto of = reader.Whole("derivative", UINT32_MAX);
      variable.derivative_of =
          of ? ResolveIndex(context, reader, "derivative", *of) : std::nullopt;
    }
  }
}

void ReadUnknowns(const ReadingContext& context,
                  const XmlElement& structure,
                  std::string_view name,
                  std::vector<Unknown>& unknowns) {
  const XmlElement* const list = structure.Child(name);
  if (list == nullptr) {
    return;
  }
  WarnOfOtherChildren(context, *list, {"Unknown"});
  for (const XmlElement& element : list->children) {
    if (element.name != "Unknown") {
      continue;
    }
    ReadUnknown(
        context,
        element,
        "index",
        [&context](AttributeReader& reader,
                   std::string_view attribute,
                   std::uint32_t index) {
          return ResolveIndex(context, reader, attribute, index);
        },
        unknowns);
  }
}

}  // namespace

void ReadVariables2(const ReadingContext& context) {
  const XmlElement& root = context.document.root();
  WarnOfOtherChildren(context,
                      root,
                      {"ModelExchange",
                       "CoSimulation",
                       "UnitDefinitions",
                       "TypeDefinitions",
                       "LogCategories",
                       "DefaultExperiment",
                       "ModelVariables",
                       "ModelStructure"});
  ReadTypes2(context);
  const XmlElement* const list = root.Child("ModelVariables");
  if (list == nullptr) {
    context.At(root).Error({}, "it has no <ModelVariables>");
    return;
  }
  WarnOfOtherChildren(context, *list, {"ScalarVariable"});
  std::vector<Variable>& variables = context.description.variables;
  std::vector<const XmlElement*> typed_parts;
  std::map<std::pair<int, std::uint32_t>, VariableIndex> firsts;
  for (const XmlElement& element : list->children) {
    if (element.name != "ScalarVariable") {
      continue;
    }
    const auto [typed, type] = TypedPart(context, element);
    if (typed == nullptr) {
      continue;
    }
    typed_parts.push_back(typed);
    Variable variable = ReadScalar(context, element, *typed, type);
    const auto [first, is_new] =
        firsts.try_emplace({ReferenceSpace(type), variable.reference},
                           static_cast<VariableIndex>(variables.size()));
    if (!is_new) {
      variable.alias_of = first->second;
    }
    variables.push_back(std::move(variable));
  }
  ReadDerivatives(context, typed_parts);
}

void ReadStructure2(const ReadingContext& context) {
  const XmlElement& root = context.document.root();
  const XmlElement* const structure = root.Child("ModelStructure");
  if (structure == nullptr) {
    context.At(root).Warning({}, "it has no <ModelStructure>");
    return;
  }
  WarnOfOtherChildren(
      context, *structure, {"Outputs", "Derivatives", "InitialUnknowns"});
  ModelStructure& its = context.description.structure;
  ReadUnknowns(context, *structure, "Outputs", its.outputs);
  ReadUnknowns(context, *structure, "Derivatives", its.derivatives);
  ReadUnknowns(context, *structure, "InitialUnknowns", its.initial_unknowns);
}

}  // namespace orrery::fmi::internal
