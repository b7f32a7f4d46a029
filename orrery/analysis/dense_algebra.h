#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace orrery::analysis::internal {

// Eigen's products and decompositions for this module. Their compilation takes
// seconds for every type of expression: here it is done once, for matrices of
// doubles. So evaluate operands first.

/// A B.
[[nodiscard]] Eigen::MatrixXd Product(const Eigen::MatrixXd& a,
                                      const Eigen::MatrixXd& b);

/// The column space of a matrix: an orthogonal basis Q whose first columns span
/// it. It is kept as one reflection per column, so that products are cheap if
/// the matrix has few columns.
class ColumnSpace {
 public:
  /// @param rounding columns that are no longer than this beside the others are
  ///     taken for combinations of them.
  ColumnSpace(const Eigen::MatrixXd& matrix, double rounding);

  [[nodiscard]] Eigen::Index rank() const noexcept { return rank_; }

  [[nodiscard]] Eigen::MatrixXd Basis() const;

  /// Q' M.
  [[nodiscard]] Eigen::MatrixXd FromLeft(Eigen::MatrixXd m) const;

  /// M Q.
  [[nodiscard]] Eigen::MatrixXd FromRight(Eigen::MatrixXd m) const;

 private:
  Eigen::MatrixXd reflections_;  // Householder's vectors, below the diagonal.
  Eigen::VectorXd factors_;
  Eigen::Index rank_ = 0;
};

/// The shortest x that minimises |A x - b|.
[[nodiscard]] Eigen::VectorXd LeastSquaresSolution(const Eigen::MatrixXd& a,
                                                   const Eigen::VectorXd& b);

/// A^-1 b for a symmetric, positive definite A.
[[nodiscard]] Eigen::VectorXd PositiveQuotient(const Eigen::MatrixXd& a,
                                               const Eigen::VectorXd& b);

/// A^-1 B; NaN throughout if A is singular.
[[nodiscard]] Eigen::MatrixXd Quotient(const Eigen::MatrixXd& a,
                                       const Eigen::MatrixXd& b);

/// A = Q H Q' with an orthogonal Q and an H that is 0 below its subdiagonal.
struct Hessenberg {
  Eigen::MatrixXd q;
  Eigen::MatrixXd h;
};

[[nodiscard]] Hessenberg HessenbergOf(const Eigen::MatrixXd& a);

/// The s for which A - s I is singular.
[[nodiscard]] std::vector<std::complex<double>> EigenvaluesOf(
    const Eigen::MatrixXd& a);

/// The finite s for which A - s B is singular.
[[nodiscard]] std::vector<std::complex<double>> EigenvaluesOf(
    const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace orrery::analysis::internal
