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

  /// A, column by column, for the caller to fill with finite values. It stays.
  [[nodiscard]] std::span<double> matrix() noexcept;
  [[nodiscard]] std::span<const double> matrix() const noexcept;

  void Factor();

  /// After `Factor`. @param b one element a row. @param x one a column.
  void Solve(std::span<const double> b, std::span<double> x) const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace orrery
