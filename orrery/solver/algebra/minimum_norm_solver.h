#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace orrery {

/// Finds the shortest x for which |A x - b| is least, for a dense A of any rank
/// with fixed size, by a complete orthogonal decomposition. For one thread at a
/// time. Same input, same bits.
///
/// Source: Golub and Van Loan, Matrix Computations (2013), section 5.5.
class MinimumNormSolver {
 public:
  /// @param rows, columns of A; at least 1.
  MinimumNormSolver(std::size_t rows, std::size_t columns);
  MinimumNormSolver(const MinimumNormSolver&) = delete;
  MinimumNormSolver& operator=(const MinimumNormSolver&) = delete;
  ~MinimumNormSolver();

  /// A, column by column; the caller fills it with finite values. It keeps
  /// them.
  [[nodiscard]] std::span<double> matrix() noexcept;
  [[nodiscard]] std::span<const double> matrix() const noexcept;

  void Factor();

  /// Solves for x; requires `Factor`.
  /// @param b one element for each row.
  /// @param x one element for each column.
  void Solve(std::span<const double> b, std::span<double> x) const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace orrery
