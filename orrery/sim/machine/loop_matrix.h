#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/solver/algebra/linear_solver.h"
#include "orrery/solver/algebra/minimum_norm_solver.h"

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

  /// Likewise with columns scaled by their own largest elements: what hardly
  /// moves the equations, as the enthalpy of a flow that has almost stopped, is
  /// determined, though less exactly.
  bool FactorEquilibrated(const double* memory);

  /// Likewise for a singular matrix: from then on `Solve` gives the shortest of
  /// the solutions, in nominal sizes, or of what comes nearest to one.
  /// @returns whether the matrix is small enough for that.
  bool FactorSingular(const double* memory);

  /// Replaces `x` by A^-1 x.
  void Solve(std::span<double> x);

  void ForgetPivots() noexcept { solver_.ForgetPivots(); }

 private:
  void FindRowScale(const double* memory);
  bool FactorScaled(const double* memory);
  [[nodiscard]] double ScaledEntry(const double* memory, std::size_t k) const;

  const ResidualBlock& block_;
  const LoopPattern& pattern_;
  LinearSolver solver_;
  std::vector<double> row_scale_;
  std::vector<double> nominal_scale_;  // Of columns.
  std::vector<double> column_scale_;
  std::unique_ptr<MinimumNormSolver> singular_;
  bool is_singular_ = false;
};

}  // namespace orrery::internal
