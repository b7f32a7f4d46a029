#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace orrery {

/// Which pivots count as zero, given a threshold t.
enum class PivotTest : std::uint8_t {
  kSize,  ///< Those of magnitude t or less: what is small may be rounding.
  /// Of those only the ones that are, in magnitude, at most t times the sum of
  /// the terms that they are the difference of. For entries that are exact
  /// however small, as where unknowns are far below their nominal values.
  kCancellation
};

/// Solves A x = b for a dense A of fixed size by LU factors with partial
/// pivoting. Holds its workspace: after construction nothing is allocated. For
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

  /// A, column by column (n * n elements), for the caller to fill. Meaningless
  /// once factored.
  [[nodiscard]] std::span<double> matrix() noexcept;

  /// Factors what `matrix` holds.
  /// @param threshold pivots that fail `test` with it count as zero.
  /// @returns whether A is regular. If not, `singular_column` tells where it
  ///     failed and Solve must not be called.
  [[nodiscard]] bool Factor(double threshold = 0,
                            PivotTest test = PivotTest::kSize);

  /// The column at which the last `Factor` met no pivot (or a value that is not
  /// finite); -1 if it met none.
  [[nodiscard]] int singular_column() const noexcept;

  /// Replaces `b` (n elements) by the solution. Only after a Factor that
  /// returned true.
  void Solve(std::span<double> b);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace orrery
