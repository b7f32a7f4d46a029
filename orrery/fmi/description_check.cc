#include "orrery/fmi/description_check.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/description_parts.h"

namespace orrery::fmi::internal {
namespace {

// The place of a part that begins at a byte of the text.
SourceSpan PlaceAt(const ReadingContext& context, std::uint32_t begin) {
  SourceSpan span = context.document.PlaceOf(context.document.root());
  span.begin = begin;
  span.end = begin + 1;
  const std::string_view text = span.file->text();
  while (span.end < text.size() && text[span.end] != ' ' &&
         text[span.end] != '>' && text[span.end] != '\n') {
    ++span.end;
  }
  return span;
}

int LineAt(const ReadingContext& context, std::uint32_t begin) {
  return PlaceAt(context, begin).file->PositionOf(begin).line;
}

// Names in a message: the first of them, and how many there are.
std::string Listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  }
  if (names.size() > kMost) {
    text += fmt::format(" and {} others", names.size() - kMost);
  }
  return text;
}

void CheckNames(const ReadingContext& context) {
  std::map<std::string_view, std::uint32_t> lines;
  for (const Variable& variable : context.description.variables) {
    const auto [first, is_new] =
        lines.try_emplace(variable.name, variable.begin);
    if (!is_new) {
      context.diagnostics.Error(
          PlaceAt(context, variable.begin),
          fmt::format("variable '{}' is there twice", variable.name),
          fmt::format("the first is in line {}",
                      LineAt(context, first->second)));
    }
  }
}

void CheckIndependent(const ReadingContext& context) {
  const Variable* first = nullptr;
  for (const Variable& variable : context.description.variables) {
    if (variable.causality != Causality::kIndependent || variable.alias_of) {
      continue;
    }
    if (first != nullptr) {
      context.diagnostics.Error(
          PlaceAt(context, variable.begin),
          fmt::format("'{}' is independent, and so is '{}'; one variable can "
                      "be the time",
                      variable.name,
                      first->name),
          fmt::format("'{}' is in line {}",
                      first->name,
                      LineAt(context, first->begin)));
    } else {
      first = &variable;
    }
  }
  if (first == nullptr && context.description.version == FmiVersion::k3) {
    context.diagnostics.Warning(
        context.document.PlaceOf(context.document.root()),
        "no variable is independent: FMI 3.0 wants the time among the "
        "variables");
  }
}

// Tells units that are not defined, once each.
void CheckUnits(const ReadingContext& context) {
  const Description& its = context.description;
  std::map<std::string_view, const Unit*> units;
  for (const Unit& unit : its.units) {
    units.try_emplace(unit.name, &unit);
  }
  std::set<std::string> told;
  for (const Variable& variable : its.variables) {
    const auto found = units.find(variable.unit);
    if (!variable.unit.empty() && found == units.end()) {
      if (told.insert(variable.unit).second) {
        context.diagnostics.Warning(
            PlaceAt(context, variable.begin),
            fmt::format("unit '{}' of '{}' is not among <UnitDefinitions>",
                        variable.unit,
                        variable.name));
      }
      continue;
    }
    if (variable.display_unit.empty() ||
        variable.display_unit == variable.unit) {
      continue;
    }
    const bool is_known =
        found != units.end() && std::ranges::find(found->second->display_units,
                                                  variable.display_unit,
                                                  &DisplayUnit::name) !=
                                    found->second->display_units.end();
    if (!is_known && told.insert(variable.display_unit).second) {
      context.diagnostics.Warning(
          PlaceAt(context, variable.begin),
          fmt::format("'{}' is no display unit of unit '{}' of '{}'",
                      variable.display_unit,
                      variable.unit,
                      variable.name));
    }
  }
}

void CheckRange(const ReadingContext& context, const Variable& variable) {
  const auto warn = [&](const std::string& text) {
    context.diagnostics.Warning(PlaceAt(context, variable.begin), text);
  };
  if (variable.min && variable.max &&
      Compare(*variable.min, *variable.max) > 0) {
    warn(fmt::format("the min {} of '{}' is larger than its max {}",
                     TextOf(*variable.min),
                     variable.name,
                     TextOf(*variable.max)));
    return;
  }
  if (!variable.start ||
      std::holds_alternative<std::vector<std::string>>(*variable.start)) {
    return;
  }
  std::visit(
      [&](const auto& values) {
        for (const auto& value : values) {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(value)>,
                                        std::string>) {
            if (!IsInRange(variable, value)) {
              warn(fmt::format(
                  "the start value {} of '{}' is outside of {} to {}",
                  value,
                  variable.name,
                  variable.min ? TextOf(*variable.min) : "-INF",
                  variable.max ? TextOf(*variable.max) : "INF"));
              return;
            }
          }
        }
      },
      *variable.start);
}

void CheckSize(const ReadingContext& context, const Variable& variable) {
  if (!variable.start) {
    return;
  }
  const std::size_t given = CountOf(*variable.start);
  // One value stands for all elements.
  if (given != SizeOf(variable) && given != 1) {
    context.diagnostics.Warning(
        PlaceAt(context, variable.begin),
        fmt::format("'{}' has {} elements, but {} start values",
                    variable.name,
                    SizeOf(variable),
                    given));
  }
}

void CheckDerivative(const ReadingContext& context, const Variable& variable) {
  if (!variable.derivative_of || variable.alias_of) {
    return;
  }
  const Variable& state =
      context.description.variables[*variable.derivative_of];
  if (!IsFloat(state.type)) {
    context.diagnostics.Error(
        PlaceAt(context, variable.begin),
        fmt::format(
            "'{}' is the derivative of '{}', which is of type {}; states "
            "are real numbers",
            variable.name,
            state.name,
            NameOf(kValueTypeNames, state.type)));
  } else if (state.variability != Variability::kContinuous) {
    context.diagnostics.Warning(
        PlaceAt(context, variable.begin),
        fmt::format("'{}' is the derivative of '{}', which is {}, not "
                    "continuous",
                    variable.name,
                    state.name,
                    NameOf(kVariabilityNames, state.variability)));
  }
}

using Indices = std::set<VariableIndex>;

// Tells what a list has twice, lacks, and must not have.
void CompareLists(const ReadingContext& context,
                  const std::vector<Unknown>& listed,
                  const Indices& wanted,
                  const std::string& what,
                  std::string_view list) {
  const auto& variables = context.description.variables;
  Indices seen;
  for (const Unknown& unknown : listed) {
    const std::string& name = variables[unknown.variable].name;
    if (!seen.insert(unknown.variable).second) {
      context.diagnostics.Warning(
          PlaceAt(context, unknown.begin),
          fmt::format("'{}' is listed twice among {}", name, list));
    } else if (!wanted.contains(unknown.variable)) {
      context.diagnostics.Warning(
          PlaceAt(context, unknown.begin),
          fmt::format(
              "'{}' is listed among {}, but is no {}", name, list, what));
    }
  }
  std::vector<std::string> missing;
  for (const VariableIndex index : wanted) {
    if (!seen.contains(index)) {
      missing.push_back(variables[index].name);
    }
  }
  if (!missing.empty()) {
    const XmlElement* const structure =
        context.document.root().Child("ModelStructure");
    context.diagnostics.Warning(
        context.document.PlaceOf(
            structure != nullptr ? *structure : context.document.root()),
        fmt::format("{} are to list each {}, but lack {}",
                    list,
                    what,
                    Listed(missing)));
  }
}

bool IsOpenAtStart(const Variable& variable) {
  return variable.initial == Initial::kApprox ||
         variable.initial == Initial::kCalculated;
}

// Unknowns of the initialisation: FMI 3.0.2, section 2.4.8; 2.0.5, 2.2.8.
Indices InitialUnknowns(const Description& its) {
  Indices unknowns;
  const auto add = [&](VariableIndex index) {
    if (IsOpenAtStart(its.variables[index]) &&
        its.variables[index].clocks.empty()) {
      unknowns.insert(index);
    }
  };
  for (std::size_t i = 0; i < its.variables.size(); ++i) {
    const Variable& variable = its.variables[i];
    const bool is_listed = its.version == FmiVersion::k2 || !variable.alias_of;
    if (is_listed && variable.type != ValueType::kClock &&
        (variable.causality == Causality::kOutput ||
         variable.causality == Causality::kCalculatedParameter)) {
      add(static_cast<VariableIndex>(i));
    }
  }
  for (const Unknown& derivative : its.structure.derivatives) {
    add(derivative.variable);
    if (its.variables[derivative.variable].derivative_of) {
      add(*its.variables[derivative.variable].derivative_of);
    }
  }
  return unknowns;
}

Indices Outputs(const Description& its) {
  Indices outputs;
  for (std::size_t i = 0; i < its.variables.size(); ++i) {
    if (its.variables[i].causality == Causality::kOutput &&
        (its.version == FmiVersion::k2 || !its.variables[i].alias_of)) {
      outputs.insert(static_cast<VariableIndex>(i));
    }
  }
  return outputs;
}

}  // namespace

void CheckVariables(const ReadingContext& context) {
  CheckNames(context);
  CheckIndependent(context);
  CheckUnits(context);
  for (const Variable& variable : context.description.variables) {
    CheckRange(context, variable);
    CheckSize(context, variable);
    CheckDerivative(context, variable);
  }
}

void CheckStructure(const ReadingContext& context) {
  const Description& its = context.description;
  if (context.document.root().Child("ModelStructure") == nullptr) {
    return;
  }
  CompareLists(
      context, its.structure.outputs, Outputs(its), "output", "the outputs");
  Indices derivatives;
  for (const Unknown& unknown : its.structure.derivatives) {
    if (its.variables[unknown.variable].derivative_of) {
      derivatives.insert(unknown.variable);
    }
  }
  CompareLists(context,
               its.structure.derivatives,
               derivatives,
               "derivative",
               "the derivatives");
  CompareLists(context,
               its.structure.initial_unknowns,
               InitialUnknowns(its),
               "unknown of the initialisation",
               "the initial unknowns");
}

}  // namespace orrery::fmi::internal
