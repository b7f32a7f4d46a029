#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// The dependency graph of a model: which unknown each of its scalar equations
/// determines, and which other unknowns it reads. States, inputs, parameters
/// and time are known and do not appear. Plain data.
/// Source: requirement 3 (see docs/reference/requirements.md), "Dependency
/// Graph" and "Simple Loop Detection".
struct Dependencies {
  struct Unknown {
    std::vector<std::string> names;    ///< Its own name, then its aliases.
    std::string equation;              ///< "x = y + 16", as it was written.
    std::vector<std::uint32_t> needs;  ///< The unknowns it reads, ascending.
  };

  /// In an order of evaluation: each unknown comes after those that it needs.
  /// Members of a loop follow each other.
  std::vector<Unknown> unknowns;

  /// The algebraic loops, each with its members, ascending: the strong
  /// components of two or more unknowns.
  std::vector<std::vector<std::uint32_t>> loops;
};

/// Finds the dependencies of a model before any equation is solved, so that
/// they include the loops that the compiler solves by formulas.
///
/// Array equations are expanded: time and memory are linear in the number of
/// scalar equations.
/// @param model is added to, as by `Compile`.
/// @param diagnostics gets the findings; with errors the result is empty.
/// Source of the components: Tarjan, SIAM J. Computing 1 (1972) 146-160.
[[nodiscard]] Dependencies FindDependencies(const FlatModel& model,
                                            Diagnostics& diagnostics);

/// Returns the transitive closure: for each unknown all that it needs, directly
/// or not, ascending; itself, if it is in a loop. Memory and time grow with the
/// square of the number of unknowns.
/// Source: union over the components in their order; Purdom, BIT 10 (1970)
/// 76-94.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> ClosureOf(
    const Dependencies& dependencies);

}  // namespace orrery
