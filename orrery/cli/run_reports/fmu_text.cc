#include "orrery/cli/run_reports/fmu_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/fmu/fmu_report.h"

namespace orrery::cli {
namespace {

// Abilities of one kind of use, in words.
std::string Abilities(const fmi::Interface& its) {
  const std::array<std::pair<bool, std::string>, 10> abilities = {{
      {its.can_get_and_set_state, "saves and restores its state"},
      {its.can_serialize_state, "writes its state as bytes"},
      {its.provides_directional_derivatives, "gives derivatives"},
      {its.can_handle_variable_step, "steps of any length"},
      {its.has_event_mode, "event mode"},
      {its.might_return_early, "may return early"},
      {its.provides_intermediate_update, "tells values within steps"},
      {its.fixed_internal_step.has_value(),
       fmt::format("inner step {} s", its.fixed_internal_step.value_or(0))},
      {its.can_be_instantiated_only_once, "one instance a process"},
      {its.needs_execution_tool, "needs its tool"},
  }};
  std::string text;
  for (const auto& [has, words] : abilities) {
    if (has) {
      text += (text.empty() ? "" : ", ") + words;
    }
  }
  return text;
}

std::string CodeText(const fmi::Fmu& fmu) {
  return (fmu.platforms.empty()
              ? "no code"
              : fmt::format("code for {}", fmt::join(fmu.platforms, ", "))) +
         (fmu.has_sources ? "; sources" : "");
}

std::string CountLine(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("  {:>6} {}\n", count, count == 1 ? one : many);
}

// Elements of variables that `wanted` holds for, without other names of one.
template <typename Wanted>
std::uint64_t CountElements(const fmi::Description& its, const Wanted& wanted) {
  std::uint64_t count = 0;
  for (const fmi::Variable& variable : its.variables) {
    if (!variable.alias_of && wanted(variable)) {
      count += fmi::SizeOf(variable);
    }
  }
  return count;
}

std::string Counts(const fmi::Description& its) {
  std::uint64_t states = 0;
  for (const fmi::Unknown& derivative : its.structure.derivatives) {
    states += fmi::SizeOf(its.variables[derivative.variable]);
  }
  const auto of = [](fmi::Causality causality) {
    return [causality](const fmi::Variable& variable) {
      return variable.causality == causality;
    };
  };
  const auto is_parameter = [](const fmi::Variable& variable) {
    return variable.causality == fmi::Causality::kParameter ||
           variable.causality == fmi::Causality::kStructuralParameter;
  };
  return CountLine(states, "state", "states") +
         CountLine(
             its.num_event_indicators, "event indicator", "event indicators") +
         CountLine(
             CountElements(its, is_parameter), "parameter", "parameters") +
         CountLine(CountElements(its, of(fmi::Causality::kInput)),
                   "input",
                   "inputs") +
         CountLine(CountElements(its, of(fmi::Causality::kOutput)),
                   "output",
                   "outputs") +
         CountLine(CountElements(its, of(fmi::Causality::kLocal)),
                   "local variable",
                   "local variables");
}

std::string NameWithSizes(const fmi::Variable& variable) {
  std::string sizes;
  for (const fmi::Dimension& dimension : variable.dimensions) {
    sizes += (sizes.empty() ? "" : ",") + std::to_string(dimension.size);
  }
  return variable.name + (sizes.empty() ? "" : "[" + sizes + "]");
}

Row VariableRow(const fmi::Variable& variable) {
  std::string start = StartText(variable);
  if (!variable.unit.empty()) {
    start += (start.empty() ? "" : " ") + variable.unit;
  }
  return {
      NameWithSizes(variable),
      std::string(fmi::NameOf(fmi::kVariabilityNames, variable.variability)) +
          " " +
          std::string(fmi::NameOf(fmi::kCausalityNames, variable.causality)),
      std::string(fmi::NameOf(fmi::kValueTypeNames, variable.type)),
      start,
      variable.description};
}

// The variables of an interest, a line each.
std::vector<Row> VariableRows(const fmi::Description& its) {
  constexpr std::array kShown = {fmi::Causality::kStructuralParameter,
                                 fmi::Causality::kParameter,
                                 fmi::Causality::kInput,
                                 fmi::Causality::kOutput};
  std::vector<Row> rows;
  for (const fmi::Causality causality : kShown) {
    for (const fmi::Variable& variable : its.variables) {
      if (variable.causality == causality && !variable.alias_of) {
        rows.push_back(VariableRow(variable));
      }
    }
  }
  return rows;
}

}  // namespace

std::string FmuText(const fmi::Fmu& fmu) {
  const fmi::Description& its = *fmu.description;
  std::string text =
      fmt::format("  FMI {}{}\n",
                  its.version_text,
                  its.tool.empty() ? "" : ", made by " + its.tool);
  if (!its.description.empty()) {
    text += fmt::format("  {}\n", its.description);
  }
  for (const fmi::Interface& interface : its.interfaces) {
    const std::string abilities = Abilities(interface);
    text += fmt::format("  {}{}\n",
                        fmi::NameOf(fmi::kInterfaceNames, interface.kind),
                        abilities.empty() ? "" : ": " + abilities);
  }
  text += fmt::format("  {}\n", CodeText(fmu));
  text += Counts(its);
  const std::vector<Row> rows = VariableRows(its);
  return rows.empty() ? text : text + "\n" + InColumns(rows);
}

std::string FmuLine(const fmi::Fmu& fmu, std::uintmax_t size) {
  const fmi::Description& its = *fmu.description;
  std::vector<std::string_view> kinds;
  for (const fmi::Interface& interface : its.interfaces) {
    kinds.push_back(fmi::NameOf(fmi::kInterfaceNames, interface.kind));
  }
  const std::uint64_t count =
      CountElements(its, [](const fmi::Variable& variable) {
        return variable.causality != fmi::Causality::kIndependent;
      });
  return fmt::format("FMI {}, {}, {} {}, {:.1f} MB",
                     its.version_text,
                     fmt::join(kinds, " and "),
                     count,
                     count == 1 ? "variable" : "variables",
                     static_cast<double>(size) / 1e6);
}

}  // namespace orrery::cli
