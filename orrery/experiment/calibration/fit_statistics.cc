#include "orrery/experiment/calibration/fit_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <Eigen/SVD>

#include "orrery/base/numbers/non_finite.h"

namespace orrery::experiment::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Above it, parameters are "practically not identifiable": Brun, Reichert &
// Kunsch, "Practical identifiability analysis of large environmental simulation
// models", Water Resour. Res. 37 (2001) 1015-1030.
constexpr double kCollinear = 15;

// A parameter takes part in a direction of unit length from this component on:
// for a nearly undetermined direction, and for an exactly undetermined one,
// where parameters with little effect count, too.
constexpr double kTakesPart = 0.2;
constexpr double kTakesExactPart = 0.01;

constexpr double kStationary = 1e-3;

// The derivatives psi and psi' of rho(u^2) / 2 for all residuals.
struct Influence {
  VectorXd psi;
  VectorXd slope;
};

Influence InfluenceOf(const Weighting& weighting, const VectorXd& residuals) {
  Influence influence{.psi = VectorXd(residuals.size()),
                      .slope = VectorXd(residuals.size())};
  for (Index i = 0; i < residuals.size(); ++i) {
    const double u = weighting.weights[i] * residuals[i];
    const LossValue loss = Loss(weighting.loss, u * u);
    influence.psi[i] = loss.slope * u;
    influence.slope[i] = loss.slope + 2 * loss.curvature * u * u;
  }
  return influence;
}

// The factor of the inverse of J'J in the covariance; for least squares the sum
// of squares over n - p. Huber, "Robust Statistics" (1981), 7.6.
double VarianceOf(const Influence& influence, std::size_t num_parameters) {
  const auto n = static_cast<double>(influence.psi.size());
  const auto p = static_cast<double>(num_parameters);
  const double mean = influence.slope.mean();
  const double variance =
      (influence.slope.array() - mean).square().sum() / std::max(n - 1, 1.0);
  const double correction = 1 + p / n * variance / (mean * mean);
  const double factor = correction / mean;
  return n > p ? factor * factor * influence.psi.squaredNorm() / (n - p) : kNaN;
}

class TangentPlane {
 public:
  TangentPlane(FitModel& model,
               const Weighting& weighting,
               const LeastSquaresMinimum& minimum)
      : model_(model),
        space_(model.space()),
        x_(minimum.x),
        precision_(std::sqrt(model.function().relative_error)),
        influence_(InfluenceOf(weighting, minimum.residuals)) {
    FindFree();
    MatrixXd jacobian;
    is_known_ = model.Jacobian(minimum.x, free_, jacobian);
    if (!is_known_) {
      return;
    }
    jacobian = weighting.weights.asDiagonal() * jacobian;
    lengths_ = jacobian.colwise().norm();
    DropWithoutEffect(jacobian);
    if (!free_.empty()) {
      Decompose(jacobian, model.JacobianError());
      FindDependences();
    }
  }

  TangentStatistics Take() {
    const auto p = static_cast<Index>(space_.size());
    statistics_.covariance = MatrixXd::Constant(p, p, kNaN);
    statistics_.correlation = statistics_.covariance;
    statistics_.relative_offset = kNaN;
    if (is_known_ && !free_.empty()) {
      FillCovariance();
      FillOffset();
    }
    return std::move(statistics_);
  }

 private:
  void Find(FitFinding::Kind kind,
            const std::vector<Index>& places,
            double size = 0) {
    FitFinding finding{.kind = kind, .parameters = {}, .size = size};
    for (const Index k : places) {
      finding.parameters.push_back(space_.names()[static_cast<std::size_t>(k)]);
    }
    statistics_.findings.push_back(std::move(finding));
  }

  void FindFree() {
    for (Index k = 0; k < x_.size(); ++k) {
      const auto factor = static_cast<std::size_t>(k);
      if (x_[k] <= space_.low()[factor] || x_[k] >= space_.high()[factor]) {
        Find(FitFinding::Kind::kAtBound, {k});
      } else {
        free_.push_back(k);
      }
    }
  }

  // Drops columns without effect, and scales the others to length 1.
  void DropWithoutEffect(MatrixXd& jacobian) {
    std::vector<Index> remaining;
    for (Index c = 0; c < jacobian.cols(); ++c) {
      const Index k = free_[static_cast<std::size_t>(c)];
      if (lengths_[c] > 0) {
        const auto place = static_cast<Index>(remaining.size());
        jacobian.col(place) = jacobian.col(c) / lengths_[c];
        lengths_[place] = lengths_[c];
        remaining.push_back(k);
      } else {
        Find(FitFinding::Kind::kNoEffect, {k});
        ++statistics_.num_without_effect;
      }
    }
    free_ = std::move(remaining);
    const auto count = static_cast<Index>(free_.size());
    jacobian.conservativeResize(Eigen::NoChange, count);
    lengths_.conservativeResize(count);
  }

  // Eigen cannot decompose a matrix without columns.
  void Decompose(const MatrixXd& jacobian, double error) {
    svd_.compute(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd& sizes = svd_.singularValues();
    const double least =
        static_cast<double>(jacobian.rows()) * error * sizes[0];
    rank_ = (sizes.array() > least).count();
  }

  // Returns the coordinates that contribute to a direction.
  [[nodiscard]] std::vector<Index> PartsOf(Index direction,
                                           double least) const {
    std::vector<Index> parts;
    for (std::size_t c = 0; c < free_.size(); ++c) {
      if (std::abs(svd_.matrixV()(static_cast<Index>(c), direction)) > least) {
        parts.push_back(free_[c]);
      }
    }
    return parts;
  }

  void FindDependences() {
    for (Index d = rank_; d < svd_.singularValues().size(); ++d) {
      Find(FitFinding::Kind::kUndetermined, PartsOf(d, kTakesExactPart));
      ++statistics_.num_without_effect;
    }
    const double index = rank_ > 0 ? 1 / svd_.singularValues()[rank_ - 1] : 0;
    if (index > kCollinear) {
      Find(FitFinding::Kind::kCollinear, PartsOf(rank_ - 1, kTakesPart), index);
    }
  }

  [[nodiscard]] bool IsDetermined(Index c) const {
    const Index lost = svd_.matrixV().cols() - rank_;
    return svd_.matrixV().row(c).tail(lost).cwiseAbs().sum() < 1e-6;
  }

  void FillCovariance() {
    const double variance =
        VarianceOf(influence_, space_.size() - statistics_.num_without_effect);
    const MatrixXd directions =
        svd_.matrixV().leftCols(rank_) *
        svd_.singularValues().head(rank_).cwiseInverse().asDiagonal();
    const MatrixXd unscaled = directions * directions.transpose();
    for (Index a = 0; a < unscaled.rows(); ++a) {
      for (Index b = 0; b < unscaled.cols(); ++b) {
        if (IsDetermined(a) && IsDetermined(b)) {
          const Index i = free_[static_cast<std::size_t>(a)];
          const Index k = free_[static_cast<std::size_t>(b)];
          statistics_.covariance(i, k) =
              variance * unscaled(a, b) / (lengths_[a] * lengths_[b]);
          statistics_.correlation(i, k) =
              unscaled(a, b) / std::sqrt(unscaled(a, a) * unscaled(b, b));
        }
      }
    }
    if (std::isnan(variance)) {
      Find(FitFinding::Kind::kNoFreedom, {});
    } else if (AreErrorsOfComputation()) {
      Find(FitFinding::Kind::kNoNoise, {});
    }
  }

  // True if some parameters are determined, and the error of each is at most
  // the rounding error of its computation.
  [[nodiscard]] bool AreErrorsOfComputation() const {
    constexpr double kRoundings = 10;
    const double least = kRoundings * model_.function().relative_error;
    bool has_any = false;
    for (const Index k : free_) {
      const double variance = statistics_.covariance(k, k);
      if (std::sqrt(variance) > least * model_.SizeOf(x_[k], k)) {
        return false;
      }
      has_any |= !std::isnan(variance);
    }
    return has_any;
  }

  void FillOffset() {
    const auto n = static_cast<double>(influence_.psi.size());
    const auto p = static_cast<double>(rank_);
    const VectorXd along =
        svd_.matrixU().leftCols(rank_).transpose() * influence_.psi;
    const double across = influence_.psi.squaredNorm() - along.squaredNorm();
    statistics_.relative_offset =
        along.norm() == 0 || p == 0
            ? 0
            : along.norm() / std::sqrt(p) /
                  std::sqrt(std::max(across, 0.0) / (n - p));
    if (statistics_.relative_offset > kStationary && IsStepLarge(along)) {
      Find(FitFinding::Kind::kNotStationary, {}, statistics_.relative_offset);
    }
  }

  // True if the step to the minimum on the tangent plane exceeds the rounding
  // errors.
  [[nodiscard]] bool IsStepLarge(const VectorXd& along) const {
    const VectorXd step =
        svd_.matrixV().leftCols(rank_) *
        along.cwiseQuotient(svd_.singularValues().head(rank_));
    for (Index c = 0; c < step.size(); ++c) {
      const Index k = free_[static_cast<std::size_t>(c)];
      const double size = model_.SizeOf(x_[k], k);
      if (std::abs(step[c]) / lengths_[c] > precision_ * size) {
        return true;
      }
    }
    return false;
  }

  const FitModel& model_;
  const SearchSpace& space_;
  const VectorXd& x_;
  double precision_;
  Influence influence_;
  std::vector<Index> free_;  // The coordinates of the columns.
  VectorXd lengths_;         // The lengths of the columns.
  Eigen::JacobiSVD<MatrixXd> svd_;
  Index rank_ = 0;
  bool is_known_ = false;
  TangentStatistics statistics_;
};

}  // namespace

TangentStatistics TangentStatisticsAt(FitModel& model,
                                      const Weighting& weighting,
                                      const LeastSquaresMinimum& minimum) {
  return TangentPlane(model, weighting, minimum).Take();
}

}  // namespace orrery::experiment::internal
