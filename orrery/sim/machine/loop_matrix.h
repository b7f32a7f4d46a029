#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/solver/algebra/linear_solver.h"
#include "orrery/solver/algebra/minimum_norm_solver.h"

namespace orrery::sim::internal {

/// The pattern of dr/dz by columns, and the place of each of the block's
/// entries in it.
struct LoopPattern {
  explicit LoopPattern(const ResidualBlock& block);

  SparsityPattern pattern;
  std::vector<std::size_t> places;
};

/// The matrix dr/dz of a loop, factored. Rows are scaled by their largest
/// element, columns by the unknowns' nominal values; all scales are powers of
/// two. So singularity does not depend on units.
class LoopMatrix {
 public:
  /// Both must outlive the matrix.
  LoopMatrix(const ResidualBlock& block, const LoopPattern& pattern);

  /// Takes the entries from `memory` and factors.
  /// @returns true if the matrix is regular.
  bool Factor(const double* memory);

  /// As Factor, with columns scaled by their own largest elements. So unknowns
  /// that hardly affect the equations, as the enthalpy of a flow that has
  /// almost stopped, are determined, though less exactly.
  bool FactorEquilibrated(const double* memory);

  /// As Factor, for a singular matrix: `Solve` then gives the shortest
  /// least-squares solution, in nominal sizes.
  /// @returns false if the matrix is too large.
  bool FactorSingular(const double* memory);

  /// Replaces `x` by A^-1 x.
  void Solve(std::span<double> x);

  void ForgetPivots() noexcept { solver_.ForgetPivots(); }

  /// Writes its state, or reads it. A sparse matrix has its factors then.
  void Transfer(StateStream& stream);

  [[nodiscard]] bool is_sparse() const noexcept { return solver_.is_sparse(); }

 private:
  void FindRowScale(const double* memory);
  bool FactorScaled(const double* memory);
  [[nodiscard]] double ScaledEntry(const double* memory, std::size_t k) const;

  const ResidualBlock& block_;
  const LoopPattern& pattern_;
  LinearSolver solver_;
  std::vector<double> row_scale_;
  std::vector<double> nominal_scale_;  // By column.
  std::vector<double> column_scale_;
  std::unique_ptr<MinimumNormSolver> singular_;
  bool is_singular_ = false;
};

}  // namespace orrery::sim::internal
