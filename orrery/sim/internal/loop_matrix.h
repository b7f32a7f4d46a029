#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/solver/linear_solver.h"

namespace orrery::internal {

/// The pattern of dr/dz by columns, and where each of the block's entries
/// stands in it.
struct LoopPattern {
  explicit LoopPattern(const ResidualBlock& block);

  SparsityPattern pattern;
  std::vector<std::size_t> places;
};

/// The matrix dr/dz of a loop, factored. Rows are scaled by their largest
/// element and columns by the unknowns' nominal values, by powers of two, so
/// that singular means singular whatever the units.
class LoopMatrix {
 public:
  /// Both must outlive the matrix.
  LoopMatrix(const ResidualBlock& block, const LoopPattern& pattern);

  /// Takes the entries from `memory` and factors.
  /// @returns whether the matrix is regular.
  bool Factor(const double* memory);

  /// Replaces `x` by A^-1 x.
  void Solve(std::span<double> x);

  void ForgetPivots() noexcept { solver_.ForgetPivots(); }

 private:
  const ResidualBlock& block_;
  const LoopPattern& pattern_;
  LinearSolver solver_;
  std::vector<double> row_scale_;
  std::vector<double> column_scale_;
};

}  // namespace orrery::internal
