#include "orrery/fmi/description_parts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi::internal {
namespace {

// Elements for the tools of others.
bool IsAnnotation(std::string_view name) {
  return name == "Annotations" || name == "VendorAnnotations" ||
         name.find(':') != std::string_view::npos;
}

void ReadCapabilities2(AttributeReader& reader, Interface& its) {
  its.can_get_and_set_state = reader.Flag("canGetAndSetFMUstate");
  its.can_serialize_state = reader.Flag("canSerializeFMUstate");
  its.provides_directional_derivatives =
      reader.Flag("providesDirectionalDerivative");
  reader.Know({"canNotUseMemoryManagementFunctions"});
  if (its.kind == InterfaceKind::kModelExchange) {
    its.needs_completed_step = !reader.Flag("completedIntegratorStepNotNeeded");
    return;
  }
  its.can_interpolate_inputs = reader.Flag("canInterpolateInputs");
  its.can_run_asynchronously = reader.Flag("canRunAsynchronuously");
}

void ReadCapabilities3(AttributeReader& reader, Interface& its) {
  its.can_get_and_set_state = reader.Flag("canGetAndSetFMUState");
  its.can_serialize_state = reader.Flag("canSerializeFMUState");
  its.provides_directional_derivatives =
      reader.Flag("providesDirectionalDerivatives");
  its.provides_adjoint_derivatives = reader.Flag("providesAdjointDerivatives");
  its.provides_element_dependencies =
      reader.Flag("providesPerElementDependencies");
  if (its.kind == InterfaceKind::kModelExchange) {
    its.needs_completed_step = reader.Flag("needsCompletedIntegratorStep");
    its.provides_evaluate_discrete_states =
        reader.Flag("providesEvaluateDiscreteStates");
  }
  if (its.kind != InterfaceKind::kCoSimulation) {
    return;
  }
  its.fixed_internal_step = reader.Real("fixedInternalStepSize");
  its.provides_intermediate_update = reader.Flag("providesIntermediateUpdate");
  its.might_return_early = reader.Flag("mightReturnEarlyFromDoStep");
  its.can_return_early = reader.Flag("canReturnEarlyAfterIntermediateUpdate");
  its.has_event_mode = reader.Flag("hasEventMode");
  its.provides_evaluate_discrete_states =
      reader.Flag("providesEvaluateDiscreteStates");
  its.recommended_intermediate_smoothness =
      reader.Real("recommendedIntermediateInputSmoothness");
}

Interface ReadInterface(const ReadingContext& context,
                        const XmlElement& element,
                        InterfaceKind kind) {
  AttributeReader reader = context.At(element);
  Interface its{.kind = kind,
                .model_identifier = reader.Required("modelIdentifier"),
                .begin = element.begin};
  its.needs_execution_tool = reader.Flag("needsExecutionTool");
  its.can_be_instantiated_only_once =
      reader.Flag("canBeInstantiatedOnlyOncePerProcess");
  if (kind == InterfaceKind::kCoSimulation) {
    its.can_handle_variable_step =
        reader.Flag("canHandleVariableCommunicationStepSize");
    its.max_output_derivative_order = static_cast<std::uint32_t>(
        reader.Whole("maxOutputDerivativeOrder", UINT32_MAX).value_or(0));
  }
  if (context.description.version == FmiVersion::k2) {
    ReadCapabilities2(reader, its);
    WarnOfOtherChildren(context, element, {"SourceFiles"});
  } else {
    ReadCapabilities3(reader, its);
    WarnOfOtherChildren(context, element, {});
  }
  reader.WarnOfOthers();
  return its;
}

Unit ReadUnit(const ReadingContext& context, const XmlElement& element) {
  AttributeReader reader = context.At(element);
  Unit unit{.name = reader.Required("name")};
  reader.WarnOfOthers();
  WarnOfOtherChildren(context, element, {"BaseUnit", "DisplayUnit"});
  constexpr std::array<std::string_view, 8> kBases = {
      "kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  for (const XmlElement& child : element.children) {
    AttributeReader part = context.At(child);
    if (child.name == "BaseUnit") {
      unit.has_base = true;
      for (std::size_t i = 0; i < kBases.size(); ++i) {
        const auto exponent = part.NumberOf(ValueType::kInt32, kBases.at(i));
        unit.exponents.at(i) =
            static_cast<int>(AsDouble(exponent.value_or(std::int64_t{0})));
      }
      unit.factor = part.Real("factor").value_or(1);
      unit.offset = part.Real("offset").value_or(0);
      part.WarnOfOthers();
    } else if (child.name == "DisplayUnit") {
      DisplayUnit display{.name = part.Required("name"),
                          .factor = part.Real("factor").value_or(1),
                          .offset = part.Real("offset").value_or(0),
                          .is_inverse = part.Flag("inverse")};
      part.WarnOfOthers();
      unit.display_units.push_back(std::move(display));
    }
  }
  return unit;
}

void ReadItems(const ReadingContext& context,
               const XmlElement& element,
               TypeDefinition& type) {
  std::set<std::string> names;
  std::set<std::int64_t> values;
  for (const XmlElement& child : element.children) {
    if (child.name != "Item") {
      continue;
    }
    AttributeReader reader = context.At(child);
    EnumerationItem item{.name = reader.Required("name"),
                         .description = reader.Text("description")};
    (void)reader.Required("value");
    const auto value = reader.NumberOf(ValueType::kInt64, "value");
    item.value = std::get<std::int64_t>(value.value_or(std::int64_t{0}));
    reader.WarnOfOthers();
    if (!names.insert(item.name).second) {
      reader.Error(
          "name",
          fmt::format(
              "item '{}' of type '{}' is there twice", item.name, type.name));
    } else if (!values.insert(item.value).second) {
      reader.Error("value",
                   fmt::format("two items of type '{}' have the value {}",
                               type.name,
                               item.value));
    }
    type.items.push_back(std::move(item));
  }
}

// The kinds of dependencies, which are as many.
void ReadKinds(AttributeReader& reader, Unknown& unknown) {
  constexpr std::string_view kAttribute = "dependenciesKind";
  const auto text = reader.Find(kAttribute);
  if (!text) {
    return;
  }
  for (const std::string_view word : WordsOf(*text)) {
    const auto found = std::ranges::find(kDependencyKindNames, word);
    if (found == kDependencyKindNames.end()) {
      reader.Error(
          kAttribute,
          fmt::format("there is no kind of dependency '{}'", word),
          fmt::format("there are {}", fmt::join(kDependencyKindNames, ", ")));
      return;
    }
    unknown.kinds.push_back(
        static_cast<DependencyKind>(found - kDependencyKindNames.begin()));
  }
  const std::size_t wanted =
      unknown.dependencies ? unknown.dependencies->size() : 0;
  if (unknown.kinds.size() != wanted) {
    reader.Error(kAttribute,
                 fmt::format("there are {} kinds for {} dependencies",
                             unknown.kinds.size(),
                             wanted));
    unknown.kinds.clear();
  }
}

}  // namespace

void WarnOfOtherChildren(const ReadingContext& context,
                         const XmlElement& element,
                         std::initializer_list<std::string_view> in_order) {
  const std::vector<std::string> names(in_order.begin(), in_order.end());
  std::size_t place = 0;
  for (const XmlElement& child : element.children) {
    if (IsAnnotation(child.name)) {
      continue;
    }
    const auto found = static_cast<std::size_t>(
        std::ranges::find(names, child.name) - names.begin());
    AttributeReader reader = context.At(child);
    if (found == names.size()) {
      reader.Warning({},
                     fmt::format("<{}> has no part <{}> in FMI {}",
                                 element.name,
                                 child.name,
                                 context.description.version_text),
                     Suggest(child.name, names));
    } else if (found < place) {
      reader.Warning(
          {},
          fmt::format(
              "<{}> is to stand before <{}>", child.name, names[place]));
    } else {
      place = found;
    }
  }
}

void ReadHead(const ReadingContext& context) {
  Description& its = context.description;
  AttributeReader reader = context.At(context.document.root());
  reader.Know({"fmiVersion"});
  its.model_name = reader.Required("modelName");
  its.token = reader.Required(
      its.version == FmiVersion::k2 ? "guid" : "instantiationToken");
  its.description = reader.Text("description");
  its.author = reader.Text("author");
  its.model_version = reader.Text("version");
  its.copyright = reader.Text("copyright");
  its.license = reader.Text("license");
  its.tool = reader.Text("generationTool");
  its.generated_at = reader.Text("generationDateAndTime");
  constexpr std::array<std::string_view, 2> kConventions = {"flat",
                                                            "structured"};
  its.has_structured_names =
      reader.Choice("variableNamingConvention", kConventions) == 1;
  if (its.version == FmiVersion::k2) {
    its.num_event_indicators =
        reader.Whole("numberOfEventIndicators").value_or(0);
  }
  reader.WarnOfOthers();
}

void ReadInterfaces(const ReadingContext& context) {
  constexpr std::array<std::string_view, 3> kElements = {
      "ModelExchange", "CoSimulation", "ScheduledExecution"};
  const XmlElement& root = context.document.root();
  const std::size_t kinds =
      context.description.version == FmiVersion::k2 ? 2 : kElements.size();
  for (std::size_t i = 0; i < kinds; ++i) {
    if (const XmlElement* element = root.Child(kElements.at(i))) {
      context.description.interfaces.push_back(
          ReadInterface(context, *element, static_cast<InterfaceKind>(i)));
    }
  }
  if (context.description.interfaces.empty()) {
    context.At(root).Error(
        {}, "it is neither for Model Exchange nor for Co-Simulation");
  }
}

void ReadUnits(const ReadingContext& context) {
  const XmlElement* const units =
      context.document.root().Child("UnitDefinitions");
  if (units == nullptr) {
    return;
  }
  std::set<std::string> names;
  for (const XmlElement& element : units->children) {
    if (element.name != "Unit") {
      continue;
    }
    Unit unit = ReadUnit(context, element);
    if (!names.insert(unit.name).second) {
      context.At(element).Error(
          "name", fmt::format("unit '{}' is there twice", unit.name));
    }
    context.description.units.push_back(std::move(unit));
  }
}

void ReadLogCategories(const ReadingContext& context) {
  const XmlElement* const list = context.document.root().Child("LogCategories");
  if (list == nullptr) {
    return;
  }
  for (const XmlElement& element : list->children) {
    if (element.name == "Category") {
      AttributeReader reader = context.At(element);
      context.description.log_categories.push_back(
          {.name = reader.Required("name"),
           .description = reader.Text("description")});
      reader.WarnOfOthers();
    }
  }
}

void ReadExperiment(const ReadingContext& context) {
  const XmlElement* const element =
      context.document.root().Child("DefaultExperiment");
  if (element == nullptr) {
    return;
  }
  AttributeReader reader = context.At(*element);
  DefaultExperiment& its = context.description.experiment;
  its.start = reader.Real("startTime");
  its.stop = reader.Real("stopTime");
  its.tolerance = reader.Real("tolerance");
  its.step = reader.Real("stepSize");
  reader.WarnOfOthers();
}

void ReadType(const ReadingContext& context,
              const XmlElement& named,
              const XmlElement& typed,
              ValueType type) {
  AttributeReader name_reader = context.At(named);
  AttributeReader reader = context.At(typed);
  reader.Know({"name", "description"});
  TypeDefinition its{
      .name = name_reader.Required("name"), .type = type, .begin = named.begin};
  ReadNumberAttributes(reader, its);
  if (type == ValueType::kEnumeration) {
    ReadItems(context, typed, its);
  }
  const auto& types = context.description.types;
  if (std::ranges::find(types, its.name, &TypeDefinition::name) !=
      types.end()) {
    name_reader.Error("name",
                      fmt::format("type '{}' is there twice", its.name));
  }
  context.description.types.push_back(std::move(its));
}

bool ReadStart(AttributeReader& reader,
               std::string_view attribute,
               bool is_list,
               Variable& variable) {
  const auto text = reader.Find(attribute);
  if (!text) {
    return false;
  }
  if (variable.type == ValueType::kString) {
    variable.start = std::vector<std::string>{std::string(*text)};
    return true;
  }
  Values values = EmptyOf(variable.type);
  for (const std::string_view word :
       is_list ? WordsOf(*text) : std::vector{*text}) {
    const auto number = ParseNumberOf(variable.type, word);
    if (!number) {
      reader.Error(
          attribute,
          fmt::format("{}: {}", attribute, WhyNoNumberOf(variable.type, word)));
      return true;
    }
    std::visit(
        [&values](auto value) {
          std::get<std::vector<decltype(value)>>(values).push_back(value);
        },
        *number);
  }
  variable.start = std::move(values);
  return true;
}

std::optional<std::uint32_t> FindType(const ReadingContext& context,
                                      AttributeReader& reader,
                                      ValueType type) {
  const auto name = reader.Find("declaredType");
  if (!name) {
    return std::nullopt;
  }
  const auto& types = context.description.types;
  const auto found = std::ranges::find(types, *name, &TypeDefinition::name);
  if (found == types.end()) {
    std::vector<std::string> names;
    names.reserve(types.size());
    for (const TypeDefinition& its : types) {
      names.push_back(its.name);
    }
    reader.Error("declaredType",
                 fmt::format("there is no type '{}'", *name),
                 Suggest(*name, names));
    return std::nullopt;
  }
  if (found->type != type) {
    reader.Error("declaredType",
                 fmt::format("type '{}' is of {}, and the variable of {}",
                             *name,
                             NameOf(kValueTypeNames, found->type),
                             NameOf(kValueTypeNames, type)));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(found - types.begin());
}

Variable ReadSharedAttributes(const ReadingContext& context,
                              const XmlElement& element,
                              AttributeReader& reader,
                              AttributeReader& values,
                              ValueType type) {
  Variable its;
  its.name = reader.Required("name");
  its.reference = reader.RequiredReference("valueReference");
  its.description = reader.Text("description");
  its.type = type;
  its.begin = element.begin;
  its.can_set_often = reader.Flag("canHandleMultipleSetPerTimeInstant");
  its.declared_type = FindType(context, values, type);
  ReadNumberAttributes(values, its);
  // Resolved once all variables are known.
  values.Know({"derivative"});
  if (IsFloat(type)) {
    its.reinit = values.Flag("reinit");
  }
  return its;
}

void Inherit(const Description& description, Variable& variable) {
  if (!variable.declared_type) {
    return;
  }
  const TypeDefinition& type = description.types[*variable.declared_type];
  const auto inherit = [](std::string& text, const std::string& its) {
    if (text.empty()) {
      text = its;
    }
  };
  inherit(variable.unit, type.unit);
  inherit(variable.display_unit, type.display_unit);
  inherit(variable.quantity, type.quantity);
  variable.min = variable.min ? variable.min : type.min;
  variable.max = variable.max ? variable.max : type.max;
  variable.nominal = variable.nominal ? variable.nominal : type.nominal;
}

void ReadUnknown(const ReadingContext& context,
                 const XmlElement& element,
                 std::string_view attribute,
                 const Resolver& resolve,
                 std::vector<Unknown>& unknowns) {
  AttributeReader reader = context.At(element);
  if (!element.Find(attribute)) {
    (void)reader.Required(attribute);
    return;
  }
  const auto variable =
      resolve(reader, attribute, reader.RequiredReference(attribute));
  Unknown unknown{.variable = variable.value_or(0), .begin = element.begin};
  if (element.Find("dependencies")) {
    unknown.dependencies.emplace();
    for (const std::uint32_t on : reader.References("dependencies")) {
      if (const auto its = resolve(reader, "dependencies", on)) {
        unknown.dependencies->push_back(*its);
      }
    }
  }
  ReadKinds(reader, unknown);
  reader.WarnOfOthers();
  if (variable) {
    unknowns.push_back(std::move(unknown));
  }
}

}  // namespace orrery::fmi::internal
