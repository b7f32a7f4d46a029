#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace orrery::internal {

// What the module needs of Eigen's products and decompositions. To compile each
// takes seconds, for every type of expression anew: here it is done once, for
// matrices of doubles. So let operands be evaluated first.

/// A B.
[[nodiscard]] Eigen::MatrixXd Product(const Eigen::MatrixXd& a,
                                      const Eigen::MatrixXd& b);

/// The columns of a matrix: an orthogonal basis Q of which the first ones span
/// them. It is kept as one reflection a column, so that to multiply by it takes
/// little where these are few.
class ColumnSpace {
 public:
  /// @param rounding columns that are no longer than this beside the others,
  ///     are combinations of them.
  ColumnSpace(const Eigen::MatrixXd& matrix, double rounding);

  [[nodiscard]] Eigen::Index rank() const noexcept { return rank_; }

  [[nodiscard]] Eigen::MatrixXd Basis() const;

  /// Q' M.
  [[nodiscard]] Eigen::MatrixXd FromLeft(Eigen::MatrixXd m) const;

  /// M Q.
  [[nodiscard]] Eigen::MatrixXd FromRight(Eigen::MatrixXd m) const;

 private:
  Eigen::MatrixXd
      reflections_;  // As Householder's vectors, below the diagonal.
  Eigen::VectorXd factors_;
  Eigen::Index rank_ = 0;
};

/// The shortest x of those that minimise |A x - b|.
[[nodiscard]] Eigen::VectorXd LeastSquaresSolution(const Eigen::MatrixXd& a,
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

}  // namespace orrery::internal
