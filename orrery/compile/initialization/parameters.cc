#include "orrery/compile/initialization/parameters.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

class ParameterSorter {
 public:
  ParameterSorter(System& system, Diagnostics& diagnostics)
      : system_(system),
        variables_(system.model.variables),
        diagnostics_(diagnostics) {}

  std::vector<std::uint32_t> Run() {
    for (std::uint32_t v = 0; v < variables_.size(); ++v) {
      RefuseIfDouble(variables_[v]);
      if (IsKnown(v)) {
        number_of_.Set(variables_[v].symbol.id(),
                       static_cast<std::uint32_t>(known_.size()));
        known_.push_back(v);
      }
    }
    Incidence edges;
    for (const std::uint32_t v : known_) {
      edges.AddRow(KnownIn(variables_[v]));
    }
    std::vector<std::uint32_t> order;
    order.reserve(known_.size());
    const Incidence components = StrongComponents(edges);
    for (std::size_t i = 0; i < components.num_rows(); ++i) {
      const auto members = components.own(i);
      const std::uint32_t first = members.front();
      if (members.size() > 1 || Contains(edges.own(first), first)) {
        ReportCycle(members);
      } else {
        order.push_back(known_[first]);
      }
    }
    return order;
  }

 private:
  static bool Contains(std::span<const std::uint32_t> row, std::uint32_t item) {
    return std::ranges::find(row, item) != row.end();
  }

  // True if it is a parameter that is known before the start.
  [[nodiscard]] bool IsKnown(std::uint32_t variable) const {
    return IsParameter(variables_[variable]) &&
           system_.first_scalar[variable] == kNone;
  }

  void RefuseIfDouble(const Variable& parameter) {
    if (IsParameter(parameter) && !parameter.fixed.value_or(true) &&
        parameter.binding) {
      diagnostics_.Error(
          parameter.notes->span,
          "parameter '" + NameOf(parameter.symbol) +
              "' has a value, but also fixed = false, which leaves it to the "
              "initial equations",
          "leave out one of them");
    }
  }

  [[nodiscard]] std::string NameOf(Expr symbol) const {
    return system_.graph.NameOf(symbol);
  }

  // Returns the numbers of the parameters that its value depends on.
  std::vector<std::uint32_t> KnownIn(const Variable& variable) {
    std::vector<std::uint32_t> found;
    if (!variable.binding || IsNumbers(variable.binding)) {
      return found;
    }
    const std::array roots = {variable.binding};
    for (const std::uint32_t id : Reachable(roots)) {
      const Expr node = system_.graph.At(id);
      if (number_of_[id] != kNone) {
        found.push_back(number_of_[id]);
      } else if (system_.varying_symbols.Find(id) != kNone ||
                 system_.ScalarAt(node) != kNone ||
                 system_.ArrayAt(node) != kNone) {
        diagnostics_.Error(variable.notes->span,
                           "the value of parameter '" +
                               NameOf(variable.symbol) + "' depends on '" +
                               ToText(node, 60) + "', which changes in a run",
                           "use constants and parameters only");
        break;
      }
    }
    return found;
  }

  void ReportCycle(std::span<const std::uint32_t> members) {
    std::string names;
    for (const std::uint32_t member : members) {
      names += names.empty() ? "" : ", ";
      names += NameOf(variables_[known_[member]].symbol);
    }
    diagnostics_.Error(
        variables_[known_[members.front()]].notes->span,
        "the values of parameters depend on each other in a cycle: " + names,
        "give one of them a value of its own");
  }

  System& system_;
  const std::vector<Variable>& variables_;
  Diagnostics& diagnostics_;
  std::vector<std::uint32_t> known_;  // Variables, numbered in this order.
  NodeMap number_of_;                 // By symbol.
};

}  // namespace

std::vector<std::uint32_t> SortParameters(System& system,
                                          Diagnostics& diagnostics) {
  return ParameterSorter(system, diagnostics).Run();
}

}  // namespace orrery::compile::internal
