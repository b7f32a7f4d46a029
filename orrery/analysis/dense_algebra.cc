#include "orrery/analysis/dense_algebra.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "orrery/solver/algebra/minimum_norm_solver.h"

namespace orrery::analysis::internal {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd Product(const MatrixXd& a, const MatrixXd& b) {
  return a * b;
}

ColumnSpace::ColumnSpace(const MatrixXd& matrix, double rounding)
    : reflections_(matrix) {
  if (matrix.size() == 0) {
    return;
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(matrix);
  const Index size = std::min(matrix.rows(), matrix.cols());
  while (rank_ < size && std::abs(qr.matrixR()(rank_, rank_)) > rounding) {
    ++rank_;
  }
  reflections_ = qr.matrixQR();
  factors_ = qr.hCoeffs();
}

MatrixXd ColumnSpace::Basis() const {
  const Index n = reflections_.rows();
  return FromRight(MatrixXd::Identity(n, n));
}

MatrixXd ColumnSpace::FromLeft(MatrixXd m) const {
  m.applyOnTheLeft(
      Eigen::householderSequence(reflections_, factors_).transpose());
  return m;
}

MatrixXd ColumnSpace::FromRight(MatrixXd m) const {
  m.applyOnTheRight(Eigen::householderSequence(reflections_, factors_));
  return m;
}

VectorXd LeastSquaresSolution(const MatrixXd& a, const VectorXd& b) {
  if (a.size() == 0) {
    return VectorXd::Zero(a.cols());
  }
  MinimumNormSolver solver(static_cast<std::size_t>(a.rows()),
                           static_cast<std::size_t>(a.cols()));
  std::ranges::copy(a.reshaped(), solver.matrix().begin());
  solver.Factor();
  VectorXd x(a.cols());
  solver.Solve({b.data(), static_cast<std::size_t>(b.size())},
               {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

VectorXd PositiveQuotient(const MatrixXd& a, const VectorXd& b) {
  return a.ldlt().solve(b);
}

MatrixXd Quotient(const MatrixXd& a, const MatrixXd& b) {
  const Eigen::FullPivLU<MatrixXd> lu(a);
  if (!lu.isInvertible()) {
    return MatrixXd::Constant(
        b.rows(), b.cols(), std::numeric_limits<double>::quiet_NaN());
  }
  return lu.solve(b);
}

Hessenberg HessenbergOf(const MatrixXd& a) {
  const Eigen::HessenbergDecomposition<MatrixXd> reduced(a);
  return {reduced.matrixQ(), reduced.matrixH()};
}

std::vector<Complex> EigenvaluesOf(const MatrixXd& a) {
  const Eigen::VectorXcd values =
      Eigen::EigenSolver<MatrixXd>(a, false).eigenvalues();
  return {values.begin(), values.end()};
}

// From the blocks on the diagonals of the matrices' common Schur form. Eigen's
// own solver would compile for longer than all else here, for the vectors.
std::vector<Complex> EigenvaluesOf(const MatrixXd& a, const MatrixXd& b) {
  const Eigen::RealQZ<MatrixXd> schur(a, b, false);
  const MatrixXd& s = schur.matrixS();
  const MatrixXd& t = schur.matrixT();
  const Index n = s.rows();
  std::vector<Complex> values;
  for (Index i = 0; i < n; ++i) {
    if (i + 1 == n || s(i + 1, i) == 0) {
      const double epsilon = std::numeric_limits<double>::epsilon();
      if (std::abs(t(i, i)) > epsilon * std::abs(s(i, i))) {
        values.emplace_back(s(i, i) / t(i, i));
      }
      continue;
    }
    // A conjugate pair: t is diagonal there.
    const double first = s(i, i) * t(i + 1, i + 1);
    const double second = s(i + 1, i + 1) * t(i, i);
    const double half = (first - second) / 2;
    const double product =
        (s(i + 1, i) * t(i + 1, i + 1)) * (s(i, i + 1) * t(i, i));
    const Complex value =
        Complex(second + half, std::sqrt(std::abs(half * half + product))) /
        (t(i, i) * t(i + 1, i + 1));
    values.push_back(value);
    values.push_back(std::conj(value));
    ++i;
  }
  return values;
}

}  // namespace orrery::analysis::internal
