#include "orrery/analysis/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "orrery/analysis/dense_algebra.h"

namespace orrery::analysis::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRelativePrecision = std::numeric_limits<double>::epsilon();
constexpr double kResidualTolerance = 1e-9;
constexpr double kLeastDamping = 1e-4;
constexpr double kMaxDamping = 1e12;

class Search {
 public:
  Search(const LeastSquaresProblem& problem, const VectorXd& start)
      : problem_(problem) {
    result_.z = start.cwiseMax(problem.lower).cwiseMin(problem.upper);
  }

  LeastSquaresResult Run(int max_iterations) {
    if (!problem_.residual(result_.z, result_.r) || !Differentiate()) {
      return result_;
    }
    weights_ = VectorXd::Ones(result_.r.size());
    for (Index i = 0; i < weights_.size(); ++i) {
      const double slope = result_.jacobian.row(i).norm();
      weights_[i] = slope > 0 ? 1 / slope : 1;
    }
    result_.outcome = LeastSquaresOutcome::kNoConvergence;
    while (result_.iterations < max_iterations && GoesOn()) {
      ++result_.iterations;
      const double before = Size(result_.r);
      if (!Advance()) {
        if (GoesOn()) {
          Finish();
        }
        break;
      }
      if (!Differentiate()) {
        result_.outcome = LeastSquaresOutcome::kNoConvergence;
        break;
      }
      // A step that gains little has reached rounding.
      if (is_small() && Size(result_.r) > 0.5 * before) {
        break;
      }
    }
    if (is_small()) {
      result_.outcome = LeastSquaresOutcome::kSolved;
    }
    return result_;
  }

 private:
  [[nodiscard]] bool GoesOn() const {
    return problem_.goes_on == nullptr || problem_.goes_on();
  }

  [[nodiscard]] double Size(const VectorXd& r) const {
    return weights_.cwiseProduct(r).squaredNorm();
  }

  [[nodiscard]] bool is_small() const {
    return IsSmall(result_.r, result_.jacobian, result_.z, kResidualTolerance);
  }

  bool Differentiate() {
    return problem_.jacobian(result_.jacobian) && result_.jacobian.allFinite();
  }

  // One step downhill. @returns false if there is none.
  bool Advance() {
    const MatrixXd jacobian = weights_.asDiagonal() * result_.jacobian;
    const VectorXd r = weights_.cwiseProduct(result_.r);
    const VectorXd gradient = Product(jacobian.transpose(), r);
    std::vector<Index> free;
    for (Index j = 0; j < gradient.size(); ++j) {
      const bool is_held =
          (gradient[j] > 0 && result_.z[j] <= problem_.lower[j]) ||
          (gradient[j] < 0 && result_.z[j] >= problem_.upper[j]);
      if (!is_held) {
        free.push_back(j);
      }
    }
    if (free.empty() || r.isZero(0)) {
      return false;
    }
    const MatrixXd part = jacobian(Eigen::all, free);
    const double scale = part.colwise().norm().maxCoeff();
    const VectorXd downhill = -gradient(free);
    MatrixXd normal;  // J'J, once it is needed.
    while (damping_ < kMaxDamping && GoesOn()) {
      if (damping_ > 0 && normal.size() == 0) {
        normal = Product(part.transpose(), part);
      }
      const VectorXd step =
          damping_ == 0 ? -LeastSquaresSolution(part, r)
                        : DampedStep(normal, downhill, damping_ * scale);
      VectorXd next = result_.z;
      next(free) += step;
      next = next.cwiseMax(problem_.lower).cwiseMin(problem_.upper);
      const double length =
          ((next - result_.z).array().abs() / (1 + next.array().abs()))
              .maxCoeff();
      if (!(length > kRelativePrecision)) {
        return false;
      }
      VectorXd residual;
      if (problem_.residual(next, residual) &&
          Size(residual) < Size(result_.r)) {
        result_.z = next;
        result_.r = residual;
        damping_ = damping_ < 1e-3 ? 0 : damping_ / 100;
        return true;
      }
      damping_ = std::max(10 * damping_, kLeastDamping);
    }
    return false;
  }

  // The minimum of |J p + r|^2 + |damping p|^2, by its normal equations:
  // damping keeps them well-conditioned, and they cost a tenth of orthogonal
  // factors.
  static VectorXd DampedStep(MatrixXd normal,
                             const VectorXd& downhill,
                             double damping) {
    normal.diagonal().array() += damping * damping;
    return PositiveQuotient(normal, downhill);
  }

  // No step leads downhill: evaluates r at the end of the search.
  void Finish() {
    static_cast<void>(problem_.residual(result_.z, result_.r));
    result_.outcome = LeastSquaresOutcome::kMinimum;
  }

  const LeastSquaresProblem& problem_;
  LeastSquaresResult result_;
  VectorXd weights_;
  double damping_ = 0;
};

}  // namespace

bool IsSmall(const VectorXd& r,
             const MatrixXd& jacobian,
             const VectorXd& z,
             double tolerance) {
  if (z.size() == 0) {
    return (r.array().abs() <= tolerance).all();
  }
  const VectorXd sizes =
      Product(jacobian.cwiseAbs(), (z.cwiseAbs().array() + 1).matrix());
  return (r.array().abs() <= tolerance * sizes.array()).all();
}

LeastSquaresResult SolveLeastSquares(const LeastSquaresProblem& problem,
                                     const VectorXd& start,
                                     int max_iterations) {
  return Search(problem, start).Run(max_iterations);
}

}  // namespace orrery::analysis::internal
