#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/pass_watch.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/program.h"

namespace orrery {

/// What becomes of for-equations and equations between arrays.
enum class LoopForm : std::uint8_t {
  kKept,    ///< Loops of explicit assignments wherever that is possible.
  kScalars  ///< One equation an element.
};

/// Compiles a model: connection sets, aliases, states, parameters in order,
/// equations sorted and solved for their unknowns, algebraic loops torn, exact
/// directional derivatives. Time is near linear in the number of scalar
/// equations, memory too; of equations that stay loops, formulas and code are
/// counted once, only what a run needs of each element remains.
///
/// @param model is added to: the compiler makes formulas in its graph. The
///     program keeps the graph alive.
/// @param diagnostics gets the findings, warnings included (which the program
///     repeats).
/// @param loops the values of all quantities in a run are the same, bit for
/// bit.
/// @param watch follows the passes. Null for nobody.
/// @returns null if there were errors.
/// Source of the stages: Cellier and Kofman, Continuous System Simulation,
/// chapter 7; Tarjan 1972; Duff 1981.
[[nodiscard]] std::shared_ptr<Program> Compile(const FlatModel& model,
                                               Diagnostics& diagnostics,
                                               LoopForm loops = LoopForm::kKept,
                                               PassWatch* watch = nullptr);

/// The sorted equations as text, one a line, loops in brackets with their torn
/// unknowns named.
[[nodiscard]] std::string ListEquations(const Program& program);

/// The same in LaTeX: an `align*` environment; loops in a brace.
[[nodiscard]] std::string ListEquationsAsLatex(const Program& program);

/// An algebraic loop that a run solves numerically, in the words of its model.
struct LoopListing {
  const ResidualBlock* block = nullptr;
  std::vector<std::string> members;     ///< Every quantity of the loop.
  std::vector<std::string> solved_for;  ///< The torn unknowns among them.
  std::vector<std::string> equations;   ///< Assignments, then residuals.
};

/// The loops among the equations of a run; not those of its start. The
/// listings refer to the program.
[[nodiscard]] std::vector<LoopListing> ListLoops(const Program& program);

}  // namespace orrery
