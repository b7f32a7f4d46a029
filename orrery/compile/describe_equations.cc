#include "orrery/compile/describe_equations.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "orrery/compile/compile.h"
#include "orrery/compile/listing.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

std::string KindOf(const System& system, std::uint32_t scalar) {
  const bool has_names = scalar < system.aliases.size();
  if (has_names && system.aliases[scalar].scalar != scalar) {
    const Alias& alias = system.aliases[scalar];
    return (alias.sign < 0 ? "= -" : "= ") + system.NameOf(alias.scalar);
  }
  if (system.IsState(scalar)) {
    return "state";
  }
  if (system.scalars[scalar].is_dummy) {
    return "no state: an equation binds it to states";
  }
  return system.scalars[scalar].is_discrete ? "discrete" : "continuous";
}

void AddEquations(const System& system,
                  const std::vector<ScalarEquation>& equations,
                  const char* title,
                  std::string& text) {
  if (equations.empty()) {
    return;
  }
  text += title;
  for (const ScalarEquation& equation : equations) {
    text += "  " + system.TextOf(equation) + "\n";
  }
}

// The equations beside the unknowns that they are to determine.
void AddMatching(const Compilation& its, std::string& text) {
  const MatchedProblem& matched = its.matched;
  text += "equations, each with its unknown\n";
  for (std::size_t row = 0; row < matched.problem.equations.size(); ++row) {
    const std::uint32_t column = matched.matching.column_of_row[row];
    text += "  " + its.system.TextOf(matched.problem.equations[row]) + "    [" +
            (column == kNone
                 ? std::string("none")
                 : its.system.NameOf(matched.problem.unknowns[column])) +
            "]\n";
  }
}

void AddStep(const System& system,
             const ExplicitEquation& step,
             std::string& text) {
  text +=
      "  " + system.NameOf(step.scalar) + " := " + ToText(step.value) + "\n";
}

void AddStep(const System& system,
             const AlgebraicLoop& loop,
             std::string& text) {
  text += std::string("  ") + (loop.is_linear ? "linear" : "nonlinear") +
          " loop, torn at";
  for (const std::uint32_t scalar : loop.torn) {
    text += " " + system.NameOf(scalar);
  }
  text += "\n";
  for (const ExplicitEquation& step : loop.inner) {
    text += "  ";
    AddStep(system, step, text);
  }
  for (const Expr residual : loop.residuals) {
    text += "    0 = " + ToText(residual) + "\n";
  }
}

void AddSorted(const System& system,
               const std::vector<SortedEquation>& equations,
               const char* title,
               std::string& text) {
  if (equations.empty()) {
    return;
  }
  text += title;
  for (const SortedEquation& step : equations) {
    std::visit([&](const auto& its) { AddStep(system, its, text); }, step);
  }
}

}  // namespace

std::string DescribeEquations(const Compilation& its) {
  if (its.program != nullptr) {
    return ListEquations(*its.program);
  }
  const System& system = its.system;
  std::string text = "unknowns\n";
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    text += "  " + system.NameOf(i) + "  " + KindOf(system, i) + "\n";
  }
  const CompiledSystem& compiled = its.compiled;
  if (compiled.initial.equations.empty() && compiled.equations.empty() &&
      compiled.events.equations.empty()) {
    if (its.matched.problem.equations.empty()) {
      AddEquations(system, system.equations, "equations\n", text);
    } else {
      AddMatching(its, text);
    }
    AddEquations(
        system, system.initial_equations, "equations of the start\n", text);
    return text;
  }
  AddSorted(system, compiled.initial.equations, "at the start\n", text);
  if (compiled.equations.empty()) {
    AddMatching(its, text);
  }
  AddSorted(system, compiled.equations, "between events\n", text);
  AddSorted(system, compiled.events.equations, "in an event\n", text);
  return text;
}

}  // namespace orrery::compile::internal
