#include "orrery/fmi/exchange/block_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/text/number_text.h"
#include "orrery/base/units.h"
#include "orrery/fmi/exchange/communication_step.h"
#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/fmi/library.h"

namespace orrery::fmi {
namespace {

// Specification 3.6, section 2.3.3; `time` and the types are predefined.
constexpr std::array<std::string_view, 67> kKeywords = {
    "algorithm", "and",          "annotation",    "assert",
    "block",     "break",        "class",         "connect",
    "connector", "constant",     "constrainedby", "der",
    "discrete",  "each",         "else",          "elseif",
    "elsewhen",  "encapsulated", "end",           "enumeration",
    "equation",  "expandable",   "extends",       "external",
    "false",     "final",        "flow",          "for",
    "function",  "if",           "import",        "impure",
    "in",        "initial",      "inner",         "input",
    "loop",      "model",        "not",           "operator",
    "or",        "outer",        "output",        "package",
    "parameter", "partial",      "protected",     "public",
    "pure",      "record",       "redeclare",     "replaceable",
    "return",    "stream",       "then",          "true",
    "type",      "when",         "while",         "within",
    "time",      "Real",         "Integer",       "Boolean",
    "String",    "Clock",        "Modelica"};

bool IsIdentifier(std::string_view name) {
  const auto is_letter = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, is_letter) &&
         std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

// A name as Modelica writes it: `u`, or `'a.b[1]'`.
std::string Quoted(const std::string& name) {
  if (IsIdentifier(name) &&
      std::ranges::find(kKeywords, name) == kKeywords.end()) {
    return name;
  }
  std::string text = "'";
  for (const char c : name) {
    text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return text + "'";
}

std::string TextLiteral(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    literal += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return literal + "\"";
}

bool IsUnit(const std::string& text) {
  return !text.empty() && std::holds_alternative<orrery::Unit>(ParseUnit(text));
}

/// Writes the text.
class BlockWriter {
 public:
  BlockWriter(const Fmu& fmu, const BlockNames& names, InterfaceKind kind)
      : its_(*fmu.description), names_(names), layout_(its_, kind) {
    if (layout_.is_stepped && HasCommunicationParameter(its_)) {
      step_ = UsualStep(fmu);
    }
    for (std::size_t k = 0; k < layout_.are_starts_exact.size(); ++k) {
      if (layout_.are_starts_exact[k] != 0) {
        exact_.insert(layout_.states.variables()[k]);
      }
    }
  }

  std::string Write() {
    text_ = fmt::format(
        "block {} {}\n", names_.block, TextLiteral(DescriptionText()));
    AddTypes();
    if (step_) {
      text_ += fmt::format("  parameter Real {}(unit = \"s\") = {} \"{}\";\n",
                           kCommunication,
                           ShortestText(*step_),
                           kCommunicationText);
    }
    for (const Causality causality : {Causality::kParameter,
                                      Causality::kInput,
                                      Causality::kOutput,
                                      Causality::kLocal}) {
      AddAll(causality);
    }
    text_ += fmt::format(
        "  annotation(\n"
        "    __Orrery(fmu = {}, kind = \"{}\"),\n"
        "    Icon(graphics = {{\n"
        "      Rectangle(extent = {{{{-100, -100}}, {{100, 100}}}},\n"
        "                fillColor = {{255, 255, 255}},\n"
        "                fillPattern = FillPattern.Solid),\n"
        "      Text(extent = {{{{-100, -30}}, {{100, 30}}}},\n"
        "           textString = \"%class\")}}){});\n"
        "end {};\n",
        TextLiteral(names_.file),
        layout_.is_stepped ? "CoSimulation" : "ModelExchange",
        ExperimentText(),
        names_.block);
    return text_;
  }

 private:
  [[nodiscard]] std::string DescriptionText() const {
    return fmt::format("{}{}written by orrery fmu wrap {}",
                       its_.description,
                       its_.description.empty() ? "" : "; ",
                       names_.file);
  }

  [[nodiscard]] std::string ExperimentText() const {
    return its_.experiment.stop && std::isfinite(*its_.experiment.stop)
               ? fmt::format(",\n    experiment(StopTime = {})",
                             ShortestText(*its_.experiment.stop))
               : "";
  }

  // True for an enumeration whose items are numbered from 1, as in Modelica.
  [[nodiscard]] bool IsEnumeration(const Variable& variable) const {
    if (variable.type != ValueType::kEnumeration || !variable.declared_type) {
      return false;
    }
    std::int64_t number = 0;
    return std::ranges::all_of(
        its_.types[*variable.declared_type].items,
        [&](const EnumerationItem& item) { return item.value == ++number; });
  }

  // True if a variable is declared as `causality`.
  [[nodiscard]] bool IsDeclared(VariableIndex i, Causality causality) const {
    const Variable& variable = its_.variables[i];
    if (variable.causality != causality ||
        variable.variability == Variability::kConstant) {
      return false;
    }
    if (variable.type == ValueType::kString) {
      return causality == Causality::kParameter && variable.dimensions.empty();
    }
    const bool is_rate =
        variable.derivative_of &&
        variable.name ==
            "der(" + its_.variables[*variable.derivative_of].name + ")";
    return IsNumber(variable.type) && SizeOf(variable) > 0 && !is_rate &&
           (causality != Causality::kLocal || exact_.contains(i));
  }

  void AddTypes() {
    std::set<std::uint32_t> written;
    for (const Variable& variable : its_.variables) {
      if (!IsEnumeration(variable) ||
          !written.insert(*variable.declared_type).second) {
        continue;
      }
      const TypeDefinition& type = its_.types[*variable.declared_type];
      std::string items;
      for (const EnumerationItem& item : type.items) {
        items += fmt::format("{}{}{}",
                             items.empty() ? "" : ", ",
                             Quoted(item.name),
                             NoteText(item.description));
      }
      text_ +=
          fmt::format("  type {} = enumeration({});\n", TypeName(type), items);
    }
  }

  // A type has no name of a variable.
  [[nodiscard]] static std::string TypeName(const TypeDefinition& type) {
    return Quoted(type.name + " type");
  }

  [[nodiscard]] static std::string NoteText(const std::string& text) {
    return text.empty() ? "" : " " + TextLiteral(text);
  }

  void AddAll(Causality causality) {
    std::vector<VariableIndex> all;
    for (VariableIndex i = 0; i < its_.variables.size(); ++i) {
      if (IsDeclared(i, causality)) {
        all.push_back(i);
      }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Variable& variable = its_.variables[all[k]];
      text_ += fmt::format("  {}{}{}{}{}{};\n",
                           TypeText(variable),
                           Quoted(variable.name) + SizeText(variable),
                           AttributesText(all[k]),
                           ValueText(variable),
                           NoteText(variable.description),
                           PlaceText(causality, k, all.size()));
    }
  }

  // `parameter Real `, or a connector of the standard library.
  [[nodiscard]] std::string TypeText(const Variable& variable) const {
    const std::string type = IsFloat(variable.type)                 ? "Real"
                             : variable.type == ValueType::kBoolean ? "Boolean"
                             : variable.type == ValueType::kString  ? "String"
                             : IsEnumeration(variable)
                                 ? TypeName(its_.types[*variable.declared_type])
                                 : "Integer";
    const bool has_connector = !IsEnumeration(variable);
    switch (variable.causality) {
      case Causality::kParameter:
        return "parameter " + type + " ";
      case Causality::kInput:
      case Causality::kOutput: {
        const bool is_input = variable.causality == Causality::kInput;
        const std::string prefix =
            IsFloat(variable.type) &&
                    variable.variability != Variability::kContinuous
                ? "discrete "
                : "";
        return prefix + (has_connector
                             ? "Modelica.Blocks.Interfaces." + type +
                                   (is_input ? "Input " : "Output ")
                             : (is_input ? "input " : "output ") + type + " ");
      }
      default:
        return type + " ";
    }
  }

  [[nodiscard]] static std::string SizeText(const Variable& variable) {
    std::string sizes;
    for (const Dimension& dimension : variable.dimensions) {
      sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", dimension.size);
    }
    return sizes.empty() ? "" : "[" + sizes + "]";
  }

  // `(unit = "V", min = 0)`.
  [[nodiscard]] std::string AttributesText(VariableIndex i) const {
    const Variable& variable = its_.variables[i];
    std::string text;
    const std::string each = variable.dimensions.empty() ? "" : "each ";
    const auto add = [&](const std::string& attribute) {
      text += (text.empty() ? "" : ", ") + attribute;
    };
    if (IsFloat(variable.type) && IsUnit(variable.unit)) {
      add(each + "unit = " + TextLiteral(variable.unit));
      if (IsUnit(variable.display_unit)) {
        add(each + "displayUnit = " + TextLiteral(variable.display_unit));
      }
    }
    const auto add_limit = [&](const char* name,
                               const std::optional<Number>& limit) {
      if (limit && std::isfinite(AsDouble(*limit))) {
        add(fmt::format("{}{} = {}", each, name, TextOf(*limit)));
      }
    };
    if (!IsEnumeration(variable) && variable.type != ValueType::kBoolean) {
      add_limit("min", variable.min);
      add_limit("max", variable.max);
    }
    if (IsFloat(variable.type) && variable.nominal) {
      add(each + "nominal = " + ShortestText(std::abs(*variable.nominal)));
    }
    if (exact_.contains(i)) {
      add("start = " + NumbersText(variable));
      add(each + "fixed = true");
    }
    return text.empty() ? "" : "(" + text + ")";
  }

  [[nodiscard]] std::string ValueText(const Variable& variable) const {
    if (variable.causality != Causality::kParameter) {
      return "";
    }
    if (variable.type == ValueType::kString) {
      const Values start = StartOf(variable);
      return " = " +
             TextLiteral(std::get<std::vector<std::string>>(start).at(0));
    }
    return " = " + NumbersText(variable);
  }

  [[nodiscard]] std::string NumberText(const Variable& variable,
                                       double number) const {
    if (variable.type == ValueType::kBoolean) {
      return number == 0 ? "false" : "true";
    }
    if (IsEnumeration(variable)) {
      const TypeDefinition& type = its_.types[*variable.declared_type];
      const auto count = static_cast<double>(type.items.size());
      const double item = std::clamp(number, 1.0, std::max(1.0, count));
      return TypeName(type) + "." +
             Quoted(type.items.at(static_cast<std::size_t>(item) - 1).name);
    }
    return IsFloat(variable.type) ? ShortestText(number)
                                  : fmt::format("{:.0f}", number);
  }

  // `1`, or `{{1, 2}, {3, 4}}` for an array.
  [[nodiscard]] std::string NumbersText(const Variable& variable) const {
    const std::vector<double> numbers = StartNumbers(variable);
    std::size_t next = 0;
    return NestText(variable, numbers, 0, next);
  }

  [[nodiscard]] std::string NestText(const Variable& variable,
                                     std::span<const double> numbers,
                                     std::size_t dimension,
                                     std::size_t& next) const {
    if (dimension == variable.dimensions.size()) {
      return NumberText(variable, numbers[next++]);
    }
    std::string text;
    for (std::uint64_t i = 0; i < variable.dimensions[dimension].size; ++i) {
      text += (text.empty() ? "{" : ", ") +
              NestText(variable, numbers, dimension + 1, next);
    }
    return text + "}";
  }

  // Inputs are at the left side of the icon, outputs at the right.
  [[nodiscard]] static std::string PlaceText(Causality causality,
                                             std::size_t k,
                                             std::size_t count) {
    if (causality != Causality::kInput && causality != Causality::kOutput) {
      return "";
    }
    constexpr double kHeight = 200;
    const double y =
        std::round(kHeight / 2 - kHeight * (static_cast<double>(k) + 1.0 / 2) /
                                     static_cast<double>(count));
    const bool is_input = causality == Causality::kInput;
    const double size = std::floor(std::min(
        is_input ? 20.0 : 10.0, kHeight / 2 / static_cast<double>(count)));
    const double x = is_input ? -100 - size : 100 + size;
    return fmt::format(
        "\n    annotation(Placement(transformation(extent = {{{{{}, {}}}, "
        "{{{}, "
        "{}}}}})))",
        x - size,
        y - size,
        x + size,
        y + size);
  }

  const Description& its_;
  const BlockNames& names_;
  ExchangeLayout layout_;
  std::optional<double> step_;     // Between communication points, if it is
                                   // a parameter.
  std::set<VariableIndex> exact_;  // States whose starts can be set.
  std::string text_;
};

}  // namespace

std::string AsIdentifier(const std::string& name) {
  std::string result;
  for (const char c : name) {
    result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  const bool begins_so =
      !result.empty() &&
      std::isdigit(static_cast<unsigned char>(result.front())) == 0;
  const bool is_taken = std::ranges::find(kKeywords, result) != kKeywords.end();
  return begins_so && !is_taken ? result : "_" + result;
}

std::string BlockText(const Fmu& fmu, const BlockNames& names) {
  const bool is_for_exchange =
      fmu.description->Find(InterfaceKind::kModelExchange) != nullptr;
  const bool is_for_steps =
      fmu.description->Find(InterfaceKind::kCoSimulation) != nullptr;
  const InterfaceKind kind = names.kind.value_or(
      is_for_steps && !is_for_exchange ? InterfaceKind::kCoSimulation
                                       : InterfaceKind::kModelExchange);
  static_cast<void>(InterfaceFor(fmu, kind));
  return BlockWriter(fmu, names, kind).Write();
}

}  // namespace orrery::fmi
