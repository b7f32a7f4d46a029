#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/machine.h"

namespace orrery::internal {

/// Of an algebraic loop that was not solved.
/// @param number in `Program::blocks`.
[[nodiscard]] Explanation ExplainLoop(const Machine& machine,
                                      std::size_t number,
                                      LoopResult why);

/// What an algebraic loop is called: "{x, y}".
[[nodiscard]] std::string NameOfLoop(const ResidualBlock& loop);

/// Warnings of linear loops that did not determine all of their unknowns at
/// some time.
[[nodiscard]] std::vector<Diagnostic> WarnOfFreedom(const Machine& machine);

/// Of the loops in `Program::determinants`, those that have no unique solution
/// with the parameters that are in place; nothing if there are none. Where a
/// determinant cannot be evaluated, the equations will tell.
/// @param at_start whether loops that are solved at the start only count.
[[nodiscard]] std::optional<Explanation> ExplainIfSingular(Machine& machine,
                                                           bool at_start);

}  // namespace orrery::internal
