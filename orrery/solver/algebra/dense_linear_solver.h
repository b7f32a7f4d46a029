#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace orrery {

/// The rule by which pivots count as zero, given a threshold t.
enum class PivotTest : std::uint8_t {
  kSize,  ///< A magnitude of t or less: small pivots may be rounding.
  /// A magnitude of t or less that is also at most t times the sum of the
  /// magnitudes of the terms whose difference the pivot is. For entries that
  /// are exact however small, as when unknowns are far below their nominal
  /// values.
  kCancellation
};

/// Solves A x = b for a dense A of fixed size by LU factors with partial
/// pivoting. Holds its workspace: after construction it allocates nothing. For
/// one thread at a time. Same input, same bits.
///
///     fill solver.matrix(); if (solver.Factor()) solver.Solve(b);
class DenseLinearSolver {
 public:
  /// @param dimension n of A, n by n; at least 1.
  explicit DenseLinearSolver(int dimension);
  DenseLinearSolver(const DenseLinearSolver&) = delete;
  DenseLinearSolver& operator=(const DenseLinearSolver&) = delete;
  DenseLinearSolver(DenseLinearSolver&&) noexcept;
  DenseLinearSolver& operator=(DenseLinearSolver&&) noexcept;
  ~DenseLinearSolver();

  /// A, column by column (n * n elements); the caller fills it. Meaningless
  /// once factored.
  [[nodiscard]] std::span<double> matrix() noexcept;

  /// Factors `matrix`.
  /// @param threshold pivots that fail `test` with it count as zero.
  /// @returns true if A is regular. Else `singular_column` is the column where
  ///     it failed, and Solve must not be called.
  [[nodiscard]] bool Factor(double threshold = 0,
                            PivotTest test = PivotTest::kSize);

  /// The column in which the last `Factor` found no pivot (or a value that is
  /// not finite); -1 if there is none.
  [[nodiscard]] int singular_column() const noexcept;

  /// Replaces `b` (n elements) by the solution. Requires a Factor that returned
  /// true.
  void Solve(std::span<double> b);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace orrery
