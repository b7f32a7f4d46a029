#pragma once

#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/program/schedule.h"

namespace orrery {

/// The sorted equations as text, one per line, loops in brackets with their
/// torn unknowns named.
[[nodiscard]] std::string ListEquations(const Program& program);

/// The sorted equations in LaTeX: an `align*` environment, loops in brackets.
[[nodiscard]] std::string ListEquationsAsLatex(const Program& program);

/// An algebraic loop that a run solves numerically, in the terms of its model.
struct LoopListing {
  const ResidualBlock* block = nullptr;
  std::vector<std::string> members;     ///< Every quantity of the loop.
  std::vector<std::string> solved_for;  ///< The torn unknowns among them.
  std::vector<std::string> equations;   ///< Assignments, then residuals.
};

/// Lists the algebraic loops of a run's equations, without those of its start.
/// The result points into `program`.
[[nodiscard]] std::vector<LoopListing> ListLoops(const Program& program);

}  // namespace orrery
