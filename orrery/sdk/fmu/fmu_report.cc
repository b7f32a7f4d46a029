#include "orrery/sdk/fmu/fmu_report.h"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;

namespace {

std::string TextOf(const std::string& value, fmi::ValueType type) {
  if (type != fmi::ValueType::kBinary) {
    return "'" + value + "'";
  }
  std::string digits;
  for (const char c : value) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return digits;
}

template <typename Number>
std::string TextOf(Number value, fmi::ValueType type) {
  if (type == fmi::ValueType::kBoolean) {
    return value == Number{0} ? "false" : "true";
  }
  return fmt::format("{}", value);
}

Json NumberAsJson(const std::optional<fmi::Number>& number) {
  if (!number) {
    return nullptr;
  }
  return std::visit([](auto value) { return Json(value); }, *number);
}

Json VariableAsJson(const fmi::Description& its,
                    const fmi::Variable& variable) {
  Json json = {
      {"name", variable.name},
      {"type", fmi::NameOf(fmi::kValueTypeNames, variable.type)},
      {"reference", variable.reference},
      {"causality", fmi::NameOf(fmi::kCausalityNames, variable.causality)},
      {"variability",
       fmi::NameOf(fmi::kVariabilityNames, variable.variability)},
      {"start", variable.start ? Json(StartText(variable)) : Json(nullptr)},
      {"unit", variable.unit},
      {"min", NumberAsJson(variable.min)},
      {"max", NumberAsJson(variable.max)},
      {"nominal", variable.nominal ? Json(*variable.nominal) : Json(nullptr)},
      {"description", variable.description}};
  if (!variable.dimensions.empty()) {
    Json& sizes = json["dimensions"] = Json::array();
    for (const fmi::Dimension& dimension : variable.dimensions) {
      sizes.push_back(dimension.size);
    }
  }
  if (variable.derivative_of) {
    json["derivative_of"] = its.variables[*variable.derivative_of].name;
  }
  if (variable.alias_of) {
    json["alias_of"] = its.variables[*variable.alias_of].name;
  }
  return json;
}

Json InterfaceAsJson(const fmi::Interface& its) {
  Json json = {
      {"kind", fmi::NameOf(fmi::kInterfaceNames, its.kind)},
      {"identifier", its.model_identifier},
      {"needs_tool", its.needs_execution_tool},
      {"once_per_process", its.can_be_instantiated_only_once},
      {"state", its.can_get_and_set_state},
      {"serialized_state", its.can_serialize_state},
      {"directional_derivatives", its.provides_directional_derivatives}};
  if (its.kind == fmi::InterfaceKind::kCoSimulation) {
    json["variable_step"] = its.can_handle_variable_step;
    json["internal_step"] = its.fixed_internal_step
                                ? Json(*its.fixed_internal_step)
                                : Json(nullptr);
    json["event_mode"] = its.has_event_mode;
    json["early_return"] = its.might_return_early;
    json["output_derivative_order"] = its.max_output_derivative_order;
  }
  return json;
}

}  // namespace

std::string StartText(const fmi::Variable& variable) {
  std::string text;
  if (variable.start) {
    std::visit(
        [&](const auto& values) {
          for (const auto& value : values) {
            text += (text.empty() ? "" : " ") + TextOf(value, variable.type);
          }
        },
        *variable.start);
  }
  return text;
}

std::string FmuReport(const fmi::Fmu& fmu,
                      const std::vector<Diagnostic>& findings) {
  const fmi::Description& its = *fmu.description;
  Json json = {{"status", "correct"},
               {"model", its.model_name},
               {"fmi", its.version_text},
               {"description", its.description},
               {"tool", its.tool},
               {"token", its.token},
               {"platforms", fmu.platforms},
               {"sources", fmu.has_sources}};
  Json& interfaces = json["interfaces"] = Json::array();
  for (const fmi::Interface& interface : its.interfaces) {
    interfaces.push_back(InterfaceAsJson(interface));
  }
  json["states"] = its.structure.derivatives.size();
  json["event_indicators"] = its.num_event_indicators;
  Json& variables = json["variables"] = Json::array();
  for (const fmi::Variable& variable : its.variables) {
    variables.push_back(VariableAsJson(its, variable));
  }
  json["diagnostics"] = internal::DiagnosticsAsJson(findings);
  return internal::Print(json);
}

}  // namespace orrery
