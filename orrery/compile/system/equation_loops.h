#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/compile/system/slices.h"
#include "orrery/model/flat_model.h"

namespace orrery::compile::internal {

/// Least number of passes of a large loop. Smaller loops are expanded: scalars
/// can be aliases, be solved for by any equation, and be torn.
inline constexpr std::int64_t kLeastLoop = 16;

/// left = right between scalars, for all values of the iterators.
struct LoopSides {
  Expr left;
  Expr right;
  std::vector<Expr> iterators;
};

/// Returns a large for-equation or equation between arrays as an equation
/// between scalars with an iterator for each dimension; nothing if it is small.
[[nodiscard]] std::optional<LoopSides> AsLargeLoop(ExprGraph& graph,
                                                   const Equation& equation);

/// An equation of a model that stays a loop: left = right for all values of the
/// slice's iterators, once each, to be solved for `unknown`. Or an equation of
/// a scalar that has large loops within it: a slice without iterators.
struct EquationLoop {
  std::size_t equation = 0;    ///< Position in `FlatModel::equations`.
  std::uint32_t variable = 0;  ///< The variable whose elements it gives.
  Slice slice;                 ///< The elements that it gives.
  Expr unknown;                ///< x[subscripts] or x, or der() of it.
  Expr left;                   ///< A scalar formula, like the right side.
  Expr right;

  [[nodiscard]] bool is_of_derivatives() const {
    return unknown.op() == Op::kDer;
  }

  [[nodiscard]] bool is_scalar() const { return slice.iterators.empty(); }
};

/// Finds the for-equations and equations between arrays that give the elements
/// of a large array explicitly, one after the other, each element once: no two
/// loops share an element. From then on such a loop is one equation in one
/// unknown, a slice of the array, so that time and memory do not grow with the
/// number of passes.
///
/// Each loop is checked by itself. Cyclic dependencies between slices are found
/// when the equations are sorted; such loops fall back to scalars.
/// Source for the idea of matching and sorting whole index sets: Zimmermann,
/// Fernandez, Kofman, Set-based graph methods for fast equation sorting in
/// large DAE systems, EOOLT 2019.
/// @param unrolled by variable: true if its equations are to be expanded.
[[nodiscard]] std::vector<EquationLoop> FindEquationLoops(
    const FlatModel& model, const std::vector<bool>& unrolled);

}  // namespace orrery::compile::internal
