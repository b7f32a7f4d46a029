#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "orrery/compile/internal/emit.h"

namespace orrery::internal {
namespace {

bool IsParameter(const Variable& variable) {
  return variable.variability <= Variability::kParameter;
}

std::string NameOf(const System& system, std::uint32_t variable) {
  return system.graph.InfoOf(system.model.variables[variable].symbol).name;
}

}  // namespace

std::vector<std::uint32_t> SortParameters(System& system,
                                          Diagnostics& diagnostics) {
  const auto& variables = system.model.variables;
  NodeMap parameter_of;
  for (std::uint32_t v = 0; v < variables.size(); ++v) {
    if (IsParameter(variables[v])) {
      parameter_of.Set(variables[v].symbol.id(), v);
    }
  }
  Incidence edges;
  std::vector<std::uint32_t> row;
  for (const Variable& variable : variables) {
    row.clear();
    if (IsParameter(variable) && variable.binding) {
      const std::array roots = {variable.binding};
      for (const std::uint32_t id : Reachable(roots)) {
        if (parameter_of[id] != kNone) {
          row.push_back(parameter_of[id]);
        } else if (system.varying_symbols[id] != kNone ||
                   system.ScalarAt(system.graph.At(id)) != kNone) {
          diagnostics.Error(variable.span,
                            "the value of parameter '" +
                                system.graph.InfoOf(variable.symbol).name +
                                "' depends on '" +
                                system.graph.InfoOf(system.graph.At(id)).name +
                                "', which changes in a run",
                            "use constants and parameters only");
          break;
        }
      }
    }
    edges.AddRow(row);
  }
  std::vector<std::uint32_t> order;
  const Incidence components = StrongComponents(edges);
  for (std::size_t i = 0; i < components.num_rows(); ++i) {
    const auto members = components.row(i);
    const std::uint32_t first = members.front();
    const auto own = edges.row(first);
    const bool on_itself =
        std::find(own.begin(), own.end(), first) != own.end();
    if (members.size() > 1 || on_itself) {
      std::string names;
      for (const std::uint32_t member : members) {
        names += (names.empty() ? "" : ", ") + NameOf(system, member);
      }
      diagnostics.Error(variables[first].span,
                        "the values of parameters depend on each other in a "
                        "cycle: " +
                            names,
                        "give one of them a value of its own");
      continue;
    }
    if (IsParameter(variables[first])) {
      order.push_back(first);
    }
  }
  return order;
}

}  // namespace orrery::internal
