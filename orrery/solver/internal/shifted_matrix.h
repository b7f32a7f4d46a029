#pragma once

#include <memory>
#include <span>
#include <vector>

#include "orrery/solver/dense_linear_solver.h"
#include "orrery/solver/ode.h"
#include "orrery/solver/options.h"

namespace orrery::internal {

/// Solves (shift I - J) x = b, as implicit one-step methods need it: dense LU
/// for small or full J, KLU for large sparse ones.
class ShiftedMatrix {
 public:
  /// @param pattern of J; null: full. Must outlive the object.
  ShiftedMatrix(int dimension,
                const SparsityPattern* pattern,
                LinearSolverKind kind);
  ~ShiftedMatrix();
  ShiftedMatrix(const ShiftedMatrix&) = delete;
  ShiftedMatrix& operator=(const ShiftedMatrix&) = delete;

  /// @param jacobian the values of J, in the pattern's order, without a pattern
  ///     by columns.
  /// @returns false if the matrix is singular; Solve must not be called then.
  [[nodiscard]] bool Factor(double shift, std::span<const double> jacobian);

  /// Replaces `b` by the solution.
  void Solve(std::span<double> b);

  [[nodiscard]] bool is_sparse() const noexcept { return sparse_ != nullptr; }

 private:
  struct Sparse;

  void FillDense(double shift, std::span<const double> jacobian);

  int dimension_;
  const SparsityPattern* pattern_;
  std::unique_ptr<DenseLinearSolver> dense_;  // One of these two exists.
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace orrery::internal
