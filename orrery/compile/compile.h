#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/listing.h"  // IWYU pragma: export
#include "orrery/compile/pass_watch.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/program.h"

namespace orrery {

/// The treatment of for-equations and equations between arrays.
enum class LoopForm : std::uint8_t {
  kKept,    ///< Loops of explicit assignments wherever possible.
  kScalars  ///< One scalar equation for each element.
};

/// Compiles a model: builds connection sets, eliminates aliases, finds the
/// states, orders parameters, sorts equations and solves them for their
/// unknowns, tears algebraic loops, and writes exact directional derivatives.
/// Time and memory are near linear in the number of scalar equations. An
/// equation that stays a loop counts once for its formulas and code; only the
/// run's data grow with its elements.
///
/// @param model is added to: the compiler makes formulas in its graph. The
///     program keeps the graph alive.
/// @param diagnostics gets the findings, warnings included (which the program
///     repeats).
/// @param loops has no effect on the values of a run, bit for bit.
/// @returns null if there were errors.
/// Source of the stages: Cellier and Kofman, Continuous System Simulation,
/// chapter 7; Tarjan 1972; Duff 1981.
[[nodiscard]] std::shared_ptr<Program> Compile(const FlatModel& model,
                                               Diagnostics& diagnostics,
                                               LoopForm loops = LoopForm::kKept,
                                               PassWatch* watch = nullptr);

}  // namespace orrery
