#pragma once

#include <memory>
#include <span>

#include "orrery/solver/algebra/dense_linear_solver.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"

namespace orrery {

/// Solves A x = b for a square A of fixed pattern: by dense LU factors where A
/// is small or full, by KLU where it is large and sparse. Holds its workspace;
/// KLU allocates when it factors with new pivots. For one thread at a time.
/// Same input, same bits. KLU: T. Davis and E. Palamadai Natarajan, ACM TOMS 37
/// (2010) 36.
///
///     fill solver.values(); if (solver.Factor()) solver.Solve(b);
class LinearSolver {
 public:
  /// @param dimension n of A, n by n; at least 1.
  /// @param pattern of A; null: full. Not needed after construction.
  /// @param kind kBand counts as kSparse.
  LinearSolver(int dimension,
               const SparsityPattern* pattern,
               LinearSolverKind kind = LinearSolverKind::kAutomatic);
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;
  ~LinearSolver();

  /// The elements of A in the pattern's order, without a pattern all n * n of
  /// them by columns; for the caller to fill. Meaningless once factored.
  [[nodiscard]] std::span<double> values() noexcept;

  /// Factors what `values` holds.
  /// @param threshold pivots that fail `test` with it count as zero; KLU
  ///     divides each row by its largest element first.
  /// @returns whether A is regular. If not, `singular_column` tells where it
  ///     failed and Solve must not be called.
  [[nodiscard]] bool Factor(double threshold = 0,
                            PivotTest test = PivotTest::kSize);

  /// The column at which the last `Factor` met no pivot; -1 if it met none.
  [[nodiscard]] int singular_column() const noexcept;

  /// Replaces `b` (n elements) by the solution. Only after a Factor that
  /// returned true.
  void Solve(std::span<double> b);

  /// KLU chooses pivots when it factors first and keeps them while they serve.
  /// After this, what it does next depends on no matrix that was before.
  void ForgetPivots() noexcept;

  [[nodiscard]] bool is_sparse() const noexcept { return sparse_ != nullptr; }

 private:
  struct Dense;
  struct Sparse;

  std::unique_ptr<Dense> dense_;  // One of these two exists.
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace orrery
