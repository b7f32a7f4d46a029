#pragma once

#include <memory>
#include <span>

#include "orrery/base/files/state_stream.h"
#include "orrery/solver/algebra/dense_linear_solver.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"

namespace orrery {

/// Solves A x = b for a square A of fixed pattern: by dense LU factors if A is
/// small or full, by KLU if it is large and sparse. Holds its workspace; KLU
/// allocates when it factors with new pivots. For one thread at a time. Same
/// input, same bits. KLU: T. Davis and E. Palamadai Natarajan, ACM TOMS 37
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

  /// The elements of A in the pattern's order, all n * n by columns without a
  /// pattern; the caller fills them. Meaningless once factored.
  [[nodiscard]] std::span<double> values() noexcept;

  /// Factors `values`.
  /// @param threshold pivots that fail `test` with it count as zero; KLU
  ///     divides each row by its largest element first.
  /// @returns true if A is regular. Else `singular_column` is the column where
  ///     it failed, and Solve must not be called.
  [[nodiscard]] bool Factor(double threshold = 0,
                            PivotTest test = PivotTest::kSize);

  /// The column in which the last `Factor` found no pivot; -1 if there is none.
  [[nodiscard]] int singular_column() const noexcept;

  /// Replaces `b` (n elements) by the solution. Requires a Factor that returned
  /// true.
  void Solve(std::span<double> b);

  /// Makes the next results independent of earlier matrices. (KLU chooses
  /// pivots in its first factorization and keeps them while they are good
  /// enough.)
  void ForgetPivots() noexcept;

  /// Writes the order and the pivots that earlier matrices leave for the next
  /// ones, or reads them into a solver of the same pattern. The last factors
  /// come along if the solver is sparse; a dense one has to factor again.
  /// @throws Error kInvalidModel for a state that does not fit.
  void Transfer(StateStream& stream);

  [[nodiscard]] bool is_sparse() const noexcept { return sparse_ != nullptr; }

 private:
  struct Dense;
  struct Sparse;

  std::unique_ptr<Dense> dense_;  // One of these two exists.
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace orrery
