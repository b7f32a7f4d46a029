#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/compile/system/slices.h"
#include "orrery/model/flat_model.h"

namespace orrery::internal {

/// Passes of a large loop. What is smaller is taken apart: scalars can be
/// renamed, turned and torn.
inline constexpr std::int64_t kLeastLoop = 16;

/// left = right between scalars, for all values of the iterators.
struct LoopSides {
  Expr left;
  Expr right;
  std::vector<Expr> iterators;
};

/// A large for-equation or equation between arrays as equations between scalars
/// with an iterator for each dimension; nothing if it is small.
[[nodiscard]] std::optional<LoopSides> AsLargeLoop(ExprGraph& graph,
                                                   const Equation& equation);

/// An equation of a model that stays a loop: left = right for all values of the
/// slice's iterators, once each, to be solved for `unknown`. Or an equation of
/// a scalar that has large loops within it: a slice without iterators.
struct EquationLoop {
  std::size_t equation = 0;    ///< Position in `FlatModel::equations`.
  std::uint32_t variable = 0;  ///< Whose elements it is about.
  Slice slice;                 ///< Which of them.
  Expr unknown;                ///< x[subscripts] or x, or der() of it.
  Expr left;                   ///< A scalar formula, like the right side.
  Expr right;

  [[nodiscard]] bool is_of_derivatives() const {
    return unknown.op() == Op::kDer;
  }

  [[nodiscard]] bool is_scalar() const { return slice.iterators.empty(); }
};

/// Finds the for-equations and equations between arrays that give the elements
/// of a large array explicitly, one after the other, each element of it once:
/// no two loops share an element. Such a loop is one equation in one unknown, a
/// slice of the array, in all that follows, so that time and memory do not grow
/// with the number of passes.
///
/// What a loop needs to be known in advance is known here from its own form;
/// that slices depend on each other in no circle is seen when the equations are
/// sorted, and what fails there falls back to scalars.
/// Source for the idea of matching and sorting whole index sets: Zimmermann,
/// Fernandez, Kofman, Set-based graph methods for fast equation sorting in
/// large DAE systems, EOOLT 2019.
/// @param unrolled by variable: whether its equations are to be taken apart.
[[nodiscard]] std::vector<EquationLoop> FindEquationLoops(
    const FlatModel& model, const std::vector<bool>& unrolled);

}  // namespace orrery::internal
