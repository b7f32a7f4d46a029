#include "orrery/compile/sorting/source_equations.h"

#include <algorithm>
#include <utility>

#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {

SourceEquations::SourceEquations(System& system, const SortProblem& problem)
    : system_(system),
      problem_(problem),
      written_(system),
      unknowns_(problem.unknowns.begin(), problem.unknowns.end()) {
  for (std::uint32_t i = 0; i < system.aliases.size(); ++i) {
    names_of_[system.aliases[i].scalar].push_back(i);
  }
}

const Variable& SourceEquations::VariableOf(std::uint32_t scalar) const {
  const std::uint32_t variable = system_.scalars[scalar].variable;
  return variable == kNone ? made_up_ : system_.model.variables[variable];
}

std::uint32_t SourceEquations::NearestName(std::uint32_t scalar) const {
  const auto distance = [this](std::uint32_t of) {
    const std::string name = system_.NameOf(of);
    return std::pair(system_.scalars[of].derivative_of != kNone,
                     std::ranges::count(name, '.'));
  };
  return *std::ranges::min_element(names_of_.at(scalar), {}, distance);
}

std::vector<std::string> SourceEquations::NamesOf(
    const std::vector<std::uint32_t>& scalars) const {
  std::vector<std::string> names;
  names.reserve(scalars.size());
  for (const std::uint32_t scalar : scalars) {
    names.push_back(system_.NameOf(scalar));
  }
  return names;
}

bool SourceEquations::IsState(std::uint32_t scalar) const {
  const std::uint32_t kept = system_.aliases[scalar].scalar;
  return system_.scalars[kept].derivative != kNone;
}

bool SourceEquations::IsOfStart(const ScalarEquation& row) const {
  return system_.origins[row.origin].kind == OriginKind::kStart;
}

// Returns the name whose start the condition sets: the one with a fixed start
// if the quantity has several names.
std::uint32_t SourceEquations::NameOfStart(const ScalarEquation& row) const {
  const auto& names = names_of_.at(system_.ScalarAt(row.left));
  const auto is_fixed = [this](std::uint32_t name) {
    return VariableOf(name).fixed.value_or(false);
  };
  const auto found = std::ranges::find_if(names, is_fixed);
  return found == names.end() ? names.front() : *found;
}

std::uint32_t SourceEquations::NumberOfOrigin(const ScalarEquation& row) const {
  const std::uint32_t scalar = system_.ScalarAt(row.left);
  for (std::uint32_t number = 0;
       scalar != kNone && number < written_.num_equations();
       ++number) {
    const ScalarEquation& equation = written_.At(number);
    const std::uint32_t left = written_.system().ScalarAt(equation.left);
    if (equation.origin == row.origin && left != kNone &&
        system_.aliases[left].scalar == system_.aliases[scalar].scalar) {
      return number;
    }
  }
  return kNone;
}

UnreducedSystem::Line SourceEquations::LineOf(const ScalarEquation& row) const {
  if (row.number != kNone) {
    return written_.LineOf(row);
  }
  if (!IsOfStart(row)) {
    const std::uint32_t number = NumberOfOrigin(row);
    return number == kNone
               ? UnreducedSystem::Line{.text = system_.TextOf(row),
                                       .origin = system_.origins[row.origin]}
               : written_.LineOf(number);
  }
  const std::uint32_t name = NameOfStart(row);
  const Variable& variable = VariableOf(name);
  UnreducedSystem::Line line{.text = system_.NameOf(name) + " has ",
                             .origin = {.span = &variable.notes->span,
                                        .path = {},
                                        .kind = OriginKind::kStart}};
  line.text += variable.fixed.value_or(false) ? "fixed = true, " : "";
  if (variable.start) {
    const Expr start =
        variable.start.is_scalar()
            ? variable.start
            : system_.ElementOf(variable.start, system_.scalars[name].element);
    line.text += "start = " + ToText(start, 60);
  } else {
    line.text += "no start value, which is 0";
  }
  return line;
}

bool SourceEquations::IsGiven(std::uint32_t scalar) const {
  return system_.IsHeld(scalar) || system_.scalars[scalar].pre_of != kNone ||
         IsMadeUp(scalar);
}

bool SourceEquations::IsMadeUp(std::uint32_t scalar) const {
  return system_.scalars[scalar].variable == kNone ||
         VariableOf(scalar).is_made_up;
}

bool SourceEquations::DeterminesMadeUp(const ScalarEquation& row) const {
  const std::uint32_t scalar = system_.ScalarAt(row.left);
  return !problem_.is_of_start && scalar != kNone && IsMadeUp(scalar);
}

PartExtent SourceEquations::ExtentOf(const Part& part) {
  PartExtent extent;
  std::vector<std::uint32_t> scalars;
  for (const std::uint32_t row : part.rows) {
    const ScalarEquation& equation = problem_.equations[row];
    if (DeterminesMadeUp(equation)) {
      continue;
    }
    extent.lines.push_back(LineOf(equation));
    if (IsOfStart(equation)) {
      scalars.push_back(NameOfStart(equation));
    } else {
      const auto inside = written_.ScalarsIn(equation);
      scalars.insert(scalars.end(), inside.begin(), inside.end());
    }
  }
  // Discrete quantities, as in a condition, follow from other equations.
  std::unordered_set<std::uint32_t> own;
  for (const std::uint32_t column : part.columns) {
    own.insert(problem_.unknowns[column]);
  }
  std::erase_if(scalars, [&](std::uint32_t scalar) {
    const std::uint32_t kept = system_.aliases[scalar].scalar;
    return unknowns_.contains(kept) && !own.contains(kept);
  });
  const auto links = written_.Connect(scalars);
  for (const std::uint32_t number : links.numbers) {
    extent.lines.push_back(written_.LineOf(number));
  }
  // At the start, pre(x) of a continuous variable x is x.
  const auto is_left_limit = [&](std::uint32_t scalar) {
    return system_.IsLeftLimit(scalar) &&
           std::ranges::find(links.scalars, system_.scalars[scalar].pre_of) !=
               links.scalars.end();
  };
  for (const std::uint32_t scalar : links.scalars) {
    if (problem_.is_of_start ? is_left_limit(scalar) : IsGiven(scalar)) {
      continue;
    }
    if (problem_.is_of_start || !IsState(scalar)) {
      extent.unknowns.push_back(scalar);
      continue;
    }
    const bool is_itself = system_.scalars[scalar].derivative != kNone;
    const std::uint32_t state =
        is_itself ? scalar : system_.aliases[scalar].scalar;
    if (std::ranges::find(extent.states, state) == extent.states.end()) {
      extent.states.push_back(state);
    }
  }
  return extent;
}

}  // namespace orrery::compile::internal
