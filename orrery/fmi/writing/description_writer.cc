#include "orrery/fmi/writing/description_writer.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/text/number_text.h"
#include "orrery/base/text/xml.h"

namespace orrery::fmi {
namespace {

// A number as XML Schema has it.
std::string NumberOf(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "INF" : "-INF";
  }
  return ShortestText(value);
}

// Attributes of an element, in order.
class Attributes {
 public:
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  void Add(std::string_view name, std::string_view value) {
    text_ +=
        fmt::format(" {}=\"{}\"", name, EscapeXml(value, XmlPlace::kAttribute));
  }

  void AddNumber(std::string_view name, double value) {
    Add(name, NumberOf(value));
  }

  /// Leaves out an empty text.
  void AddGiven(std::string_view name, std::string_view value) {
    if (!value.empty()) {
      Add(name, value);
    }
  }

  void AddGiven(std::string_view name, const std::optional<double>& value) {
    if (value) {
      AddNumber(name, *value);
    }
  }

  void AddGiven(std::string_view name, const std::optional<Number>& value) {
    if (value) {
      Add(name,
          std::visit([](auto number) { return NumberText(number); }, *value));
    }
  }

  /// Leaves out `false`, which is the default.
  void AddTruth(std::string_view name, bool value) {
    if (value) {
      Add(name, "true");
    }
  }

 private:
  static std::string NumberText(double number) { return NumberOf(number); }

  template <typename Whole>
  static std::string NumberText(Whole number) {
    return std::to_string(number);
  }

  std::string text_;
};

std::string StartAttribute(const Variable& variable) {
  return std::visit(
      [&](const auto& values) {
        std::string text;
        for (const auto& value : values) {
          using Value = std::remove_cvref_t<decltype(value)>;
          text += text.empty() ? "" : " ";
          if constexpr (std::is_same_v<Value, std::string>) {
            text += value;
          } else if constexpr (std::is_same_v<Value, double>) {
            text += NumberOf(value);
          } else if (variable.type == ValueType::kBoolean) {
            text += value != 0 ? "true" : "false";
          } else {
            text += std::to_string(value);
          }
        }
        return text;
      },
      *variable.start);
}

class Writer {
 public:
  explicit Writer(const Description& description)
      : its_(description), is_2_(description.version == FmiVersion::k2) {}

  std::string All() {
    Attributes root;
    root.Add("fmiVersion", is_2_ ? "2.0" : "3.0");
    root.Add("modelName", its_.model_name);
    root.Add(is_2_ ? "guid" : "instantiationToken", its_.token);
    root.AddGiven("description", its_.description);
    root.AddGiven("author", its_.author);
    root.AddGiven("version", its_.model_version);
    root.AddGiven("copyright", its_.copyright);
    root.AddGiven("license", its_.license);
    root.AddGiven("generationTool", its_.tool);
    root.AddGiven("generationDateAndTime", its_.generated_at);
    root.Add("variableNamingConvention",
             its_.has_structured_names ? "structured" : "flat");
    if (is_2_) {
      root.Add("numberOfEventIndicators",
               std::to_string(its_.num_event_indicators));
    }
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" +
            root.text() + ">\n";
    for (const Interface& interface : its_.interfaces) {
      PutInterface(interface);
    }
    PutUnits();
    PutTypes();
    PutCategories();
    PutExperiment();
    text_ += "  <ModelVariables>\n";
    for (const Variable& variable : its_.variables) {
      is_2_ ? PutScalar(variable) : PutVariable(variable);
    }
    text_ += "  </ModelVariables>\n";
    is_2_ ? PutStructure2() : PutStructure3();
    return text_ + "</fmiModelDescription>\n";
  }

 private:
  void Put(int depth, std::string_view element, const Attributes& attributes) {
    text_ += fmt::format(
        "{:{}}<{}{}/>\n", "", 2 * depth, element, attributes.text());
  }

  void PutInterface(const Interface& its) {
    Attributes attributes;
    attributes.Add("modelIdentifier", its.model_identifier);
    attributes.AddTruth("needsExecutionTool", its.needs_execution_tool);
    attributes.AddTruth("canBeInstantiatedOnlyOncePerProcess",
                        its.can_be_instantiated_only_once);
    const auto either = [this](const char* of_2, const char* of_3) {
      return is_2_ ? of_2 : of_3;
    };
    attributes.AddTruth(either("canGetAndSetFMUstate", "canGetAndSetFMUState"),
                        its.can_get_and_set_state);
    attributes.AddTruth(either("canSerializeFMUstate", "canSerializeFMUState"),
                        its.can_serialize_state);
    attributes.AddTruth(either("providesDirectionalDerivative",
                               "providesDirectionalDerivatives"),
                        its.provides_directional_derivatives);
    if (its.kind == InterfaceKind::kModelExchange) {
      is_2_ ? attributes.AddTruth("completedIntegratorStepNotNeeded",
                                  !its.needs_completed_step)
            : attributes.AddTruth("needsCompletedIntegratorStep",
                                  its.needs_completed_step);
      Put(1, "ModelExchange", attributes);
      return;
    }
    attributes.AddTruth("canHandleVariableCommunicationStepSize",
                        its.can_handle_variable_step);
    if (!is_2_) {
      attributes.AddGiven("fixedInternalStepSize", its.fixed_internal_step);
      attributes.AddTruth("hasEventMode", its.has_event_mode);
      attributes.AddTruth("mightReturnEarlyFromDoStep", its.might_return_early);
    }
    Put(1, "CoSimulation", attributes);
  }

  void PutUnits() {
    if (its_.units.empty()) {
      return;
    }
    text_ += "  <UnitDefinitions>\n";
    for (const Unit& unit : its_.units) {
      Attributes name;
      name.Add("name", unit.name);
      if (!unit.has_base && unit.display_units.empty()) {
        Put(2, "Unit", name);
        continue;
      }
      text_ += "    <Unit" + name.text() + ">\n";
      if (unit.has_base) {
        PutBase(unit);
      }
      for (const DisplayUnit& display : unit.display_units) {
        Attributes attributes;
        attributes.Add("name", display.name);
        attributes.AddNumber("factor", display.factor);
        attributes.AddNumber("offset", display.offset);
        Put(3, "DisplayUnit", attributes);
      }
      text_ += "    </Unit>\n";
    }
    text_ += "  </UnitDefinitions>\n";
  }

  void PutBase(const Unit& unit) {
    constexpr std::array<std::string_view, 8> kBases = {
        "kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    Attributes attributes;
    for (std::size_t i = 0; i < kBases.size(); ++i) {
      if (unit.exponents.at(i) != 0) {
        attributes.Add(kBases.at(i), std::to_string(unit.exponents.at(i)));
      }
    }
    if (unit.factor != 1) {
      attributes.AddNumber("factor", unit.factor);
    }
    if (unit.offset != 0) {
      attributes.AddNumber("offset", unit.offset);
    }
    Put(3, "BaseUnit", attributes);
  }

  void PutTypes() {
    if (its_.types.empty()) {
      return;
    }
    text_ += "  <TypeDefinitions>\n";
    for (const TypeDefinition& type : its_.types) {
      Attributes name;
      name.Add("name", type.name);
      text_ += is_2_ ? "    <SimpleType" + name.text() + "><Enumeration>\n"
                     : "    <EnumerationType" + name.text() + ">\n";
      for (const EnumerationItem& item : type.items) {
        Attributes attributes;
        attributes.Add("name", item.name);
        attributes.Add("value", std::to_string(item.value));
        attributes.AddGiven("description", item.description);
        Put(3, "Item", attributes);
      }
      text_ += is_2_ ? "    </Enumeration></SimpleType>\n"
                     : "    </EnumerationType>\n";
    }
    text_ += "  </TypeDefinitions>\n";
  }

  void PutCategories() {
    if (its_.log_categories.empty()) {
      return;
    }
    text_ += "  <LogCategories>\n";
    for (const LogCategory& category : its_.log_categories) {
      Attributes attributes;
      attributes.Add("name", category.name);
      attributes.AddGiven("description", category.description);
      Put(2, "Category", attributes);
    }
    text_ += "  </LogCategories>\n";
  }

  void PutExperiment() {
    const DefaultExperiment& its = its_.experiment;
    Attributes attributes;
    attributes.AddGiven("startTime", its.start);
    attributes.AddGiven("stopTime", its.stop);
    attributes.AddGiven("tolerance", its.tolerance);
    attributes.AddGiven("stepSize", its.step);
    if (!attributes.text().empty()) {
      Put(1, "DefaultExperiment", attributes);
    }
  }

  // The attributes of a variable in both versions, without its type.
  [[nodiscard]] static Attributes Shared(const Variable& variable) {
    Attributes attributes;
    attributes.Add("name", variable.name);
    attributes.Add("valueReference", std::to_string(variable.reference));
    attributes.AddGiven("description", variable.description);
    attributes.Add("causality", NameOf(kCausalityNames, variable.causality));
    attributes.Add("variability",
                   NameOf(kVariabilityNames, variable.variability));
    if (variable.initial != Initial::kNone &&
        variable.causality != Causality::kInput) {
      attributes.Add("initial", NameOf(kInitialNames, variable.initial));
    }
    return attributes;
  }

  void AddTyped(const Variable& variable, Attributes& attributes) const {
    if (variable.declared_type) {
      attributes.Add("declaredType", its_.types[*variable.declared_type].name);
    }
    attributes.AddGiven("unit", variable.unit);
    attributes.AddGiven("displayUnit", variable.display_unit);
    attributes.AddGiven("min", variable.min);
    attributes.AddGiven("max", variable.max);
    attributes.AddGiven("nominal", variable.nominal);
    if (variable.start && !HasStartElement(variable)) {
      attributes.Add("start", StartAttribute(variable));
    }
  }

  // FMI 3.0 gives the start of a text in an element (its section 2.4.7.4).
  [[nodiscard]] bool HasStartElement(const Variable& variable) const {
    return its_.version == FmiVersion::k3 && variable.start &&
           variable.type == ValueType::kString;
  }

  void PutScalar(const Variable& variable) {
    Attributes typed;
    AddTyped(variable, typed);
    if (variable.derivative_of) {
      typed.Add("derivative", std::to_string(*variable.derivative_of + 1));
    }
    text_ += "    <ScalarVariable" + Shared(variable).text() + ">\n";
    Put(3, TypeName2(variable.type), typed);
    text_ += "    </ScalarVariable>\n";
  }

  static std::string_view TypeName2(ValueType type) {
    switch (type) {
      case ValueType::kFloat64:
        return "Real";
      case ValueType::kBoolean:
        return "Boolean";
      case ValueType::kString:
        return "String";
      case ValueType::kEnumeration:
        return "Enumeration";
      default:
        return "Integer";
    }
  }

  void PutVariable(const Variable& variable) {
    Attributes attributes = Shared(variable);
    AddTyped(variable, attributes);
    if (variable.derivative_of) {
      attributes.Add(
          "derivative",
          std::to_string(its_.variables[*variable.derivative_of].reference));
    }
    const std::string_view type = NameOf(kValueTypeNames, variable.type);
    if (!HasStartElement(variable)) {
      return Put(2, type, attributes);
    }
    Attributes start;
    start.Add("value", StartAttribute(variable));
    text_ += "    <String" + attributes.text() + ">\n";
    Put(3, "Start", start);
    text_ += "    </String>\n";
  }

  // The number of a variable in the structure, from 1 or its reference.
  [[nodiscard]] std::string Numbered(VariableIndex index) const {
    return std::to_string(is_2_ ? index + 1 : its_.variables[index].reference);
  }

  void PutUnknown(int depth, std::string_view element, const Unknown& unknown) {
    Attributes attributes;
    attributes.Add(is_2_ ? "index" : "valueReference",
                   Numbered(unknown.variable));
    if (unknown.dependencies) {
      std::string list;
      std::string kinds;
      for (std::size_t i = 0; i < unknown.dependencies->size(); ++i) {
        list += (i == 0 ? "" : " ") + Numbered((*unknown.dependencies)[i]);
        if (!unknown.kinds.empty()) {
          kinds += i == 0 ? "" : " ";
          kinds += NameOf(kDependencyKindNames, unknown.kinds[i]);
        }
      }
      attributes.Add("dependencies", list);
      attributes.AddGiven("dependenciesKind", kinds);
    }
    Put(depth, element, attributes);
  }

  void PutList2(std::string_view name, const std::vector<Unknown>& unknowns) {
    if (unknowns.empty()) {
      return;
    }
    text_ += fmt::format("    <{}>\n", name);
    for (const Unknown& unknown : unknowns) {
      PutUnknown(3, "Unknown", unknown);
    }
    text_ += fmt::format("    </{}>\n", name);
  }

  void PutStructure2() {
    text_ += "  <ModelStructure>\n";
    PutList2("Outputs", its_.structure.outputs);
    PutList2("Derivatives", its_.structure.derivatives);
    PutList2("InitialUnknowns", its_.structure.initial_unknowns);
    text_ += "  </ModelStructure>\n";
  }

  void PutList3(std::string_view element,
                const std::vector<Unknown>& unknowns) {
    for (const Unknown& unknown : unknowns) {
      PutUnknown(2, element, unknown);
    }
  }

  void PutStructure3() {
    text_ += "  <ModelStructure>\n";
    PutList3("Output", its_.structure.outputs);
    PutList3("ContinuousStateDerivative", its_.structure.derivatives);
    PutList3("InitialUnknown", its_.structure.initial_unknowns);
    PutList3("EventIndicator", its_.structure.event_indicators);
    text_ += "  </ModelStructure>\n";
  }

  const Description& its_;
  bool is_2_;
  std::string text_;
};

}  // namespace

std::string DescriptionText(const Description& description) {
  return Writer(description).All();
}

}  // namespace orrery::fmi
