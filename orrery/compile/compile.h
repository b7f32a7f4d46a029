#pragma once

#include <memory>
#include <string>

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/program.h"

namespace orrery {

/// Compiles a model: connection sets, aliases, states, parameters in order,
/// equations sorted and solved for their unknowns, algebraic loops torn, exact
/// directional derivatives. Time and memory are near linear in the number of
/// scalar equations.
///
/// @param model is added to: the compiler makes formulas in its graph. The
///     program keeps the graph alive.
/// @param diagnostics gets the findings, warnings included (which the program
///     repeats).
/// @returns null if there were errors.
/// Source of the stages: Cellier and Kofman, Continuous System Simulation,
/// chapter 7; Tarjan 1972; Duff 1981.
[[nodiscard]] std::shared_ptr<const Program> Compile(const FlatModel& model,
                                                     Diagnostics& diagnostics);

/// The sorted equations as text, one a line, loops in brackets with their torn
/// unknowns named.
[[nodiscard]] std::string ListEquations(const Program& program);

/// The same in LaTeX: an `align*` environment; loops in a brace.
[[nodiscard]] std::string ListEquationsAsLatex(const Program& program);

}  // namespace orrery
