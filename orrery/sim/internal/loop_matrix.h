#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/solver/dense_linear_solver.h"

namespace orrery::internal {

/// The matrix dr/dz of a loop, factored. Rows are scaled by their largest
/// element and columns by the unknowns' nominal values, by powers of two, so
/// that singular means singular whatever the units.
class LoopMatrix {
 public:
  explicit LoopMatrix(const ResidualBlock& block);

  /// Takes the entries from `memory` and factors.
  /// @returns whether the matrix is regular.
  bool Factor(const double* memory);

  /// Replaces `x` by A^-1 x.
  void Solve(std::span<double> x);

 private:
  const ResidualBlock& block_;
  DenseLinearSolver solver_;
  std::vector<double> row_scale_;
  std::vector<double> column_scale_;
};

}  // namespace orrery::internal
