#include "orrery/experiment/calibration/fit_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace orrery::experiment::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::span<const double> SpanOf(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// Two points beside x along one coordinate.
struct Stencil {
  std::array<VectorXd, 2> points;
  std::array<double, 2> offsets = {};
  std::array<VectorXd, 2> residuals;
  std::array<std::string, 2> why;  // Why there are no residuals.
};

// On both sides if the bounds allow it, else on one.
Stencil StencilAt(
    const VectorXd& x, Index k, double h, double low, double high) {
  std::array<double, 2> offsets = {-h, h};
  if (x[k] - h < low || x[k] + h > high) {
    const double inwards = high - x[k] > x[k] - low ? h : -h;
    offsets = {inwards, 2 * inwards};
  }
  Stencil stencil;
  for (std::size_t i = 0; i < 2; ++i) {
    stencil.points[i] = x;
    stencil.points[i][k] += offsets[i];
    stencil.offsets[i] = stencil.points[i][k] - x[k];  // The rounded offset.
  }
  return stencil;
}

// The derivative at x, where the residuals are r, of the parabola through all
// three points. If one point has no residuals: of the line through the other
// two. Empty if neither has.
VectorXd Derivative(const Stencil& stencil, const VectorXd& r) {
  const auto [a, b] = stencil.offsets;
  const bool has_a = stencil.why[0].empty();
  const bool has_b = stencil.why[1].empty();
  if (has_a && has_b) {
    return -b / (a * (a - b)) * (stencil.residuals[0] - r) +
           a / (b * (a - b)) * (stencil.residuals[1] - r);
  }
  if (has_a || has_b) {
    return (stencil.residuals[has_a ? 0 : 1] - r) / (has_a ? a : b);
  }
  return {};
}

}  // namespace

FitModel::FitModel(const SearchSpace& space,
                   const ResidualFunction& function,
                   Executor& executor,
                   const FitWatch& watch)
    : space_(space), function_(function), executor_(executor), watch_(watch) {}

std::string FitModel::Evaluate(const VectorXd& x, VectorXd& r) const {
  r.resize(static_cast<Index>(function_.size));
  std::vector<double> values(space_.size());
  space_.ToValues(SpanOf(x), values);
  std::string why = function_.residuals(
      values, {r.data(), static_cast<std::size_t>(r.size())});
  if (why.empty() && !r.allFinite()) {
    return "a residual is not finite";
  }
  return why;
}

bool FitModel::Residuals(const VectorXd& x, VectorXd& r) {
  if (last_x_.size() == 0 || x != last_x_) {
    ++evaluations_;
    VectorXd residuals;
    why_ = Evaluate(x, residuals);
    if (!why_.empty()) {
      return false;
    }
    last_x_ = x;
    last_r_ = std::move(residuals);
  }
  r = last_r_;
  return true;
}

bool FitModel::Jacobian(const VectorXd& x,
                        std::span<const Index> free,
                        MatrixXd& jacobian) {
  jacobian.resize(static_cast<Index>(function_.size),
                  static_cast<Index>(free.size()));
  const bool is_there = function_.jacobian ? ExactJacobian(x, free, jacobian)
                                           : Differences(x, free, jacobian);
  if (is_there && !jacobian.allFinite()) {
    why_ = "a derivative is not finite";
    return false;
  }
  return is_there;
}

double FitModel::JacobianError() const {
  const double error = function_.relative_error;
  return function_.jacobian ? error : std::pow(error, 2.0 / 3);
}

bool FitModel::ExactJacobian(const VectorXd& x,
                             std::span<const Index> free,
                             MatrixXd& jacobian) {
  ++evaluations_;
  const std::size_t p = space_.size();
  std::vector<double> values(p);
  space_.ToValues(SpanOf(x), values);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> all(
      jacobian.rows(), static_cast<Index>(p));
  why_ = function_.jacobian(values,
                            {all.data(), static_cast<std::size_t>(all.size())});
  for (Index c = 0; c < jacobian.cols(); ++c) {
    const Index k = free[static_cast<std::size_t>(c)];
    jacobian.col(c) =
        all.col(k) * space_.SlopeAt(static_cast<std::size_t>(k), x[k]);
  }
  return why_.empty();
}

double FitModel::SizeOf(double x, Index k) const {
  const auto factor = static_cast<std::size_t>(k);
  const SearchBounds& bounds = space_.bounds(factor);
  if (bounds.scale == SearchScale::kLog) {
    return 1;
  }
  if (const double start = std::abs(space_.start()[factor]); start > 0) {
    return std::max(std::abs(x), 1e-3 * start);
  }
  const double range = bounds.high - bounds.low;
  const double size = std::isfinite(range) ? 1e-3 * range : 1;
  // A coordinate may return to 0 up to a rounding error, which must not pass
  // for its magnitude.
  return x == 0 ? size
                : std::max(std::abs(x),
                           std::cbrt(function_.relative_error) * size);
}

// The step for which the errors of rounding and of truncation are similar.
double FitModel::Step(double x, Index k) const {
  const auto factor = static_cast<std::size_t>(k);
  const double step = std::cbrt(function_.relative_error) * SizeOf(x, k);
  return std::min(step, (space_.high()[factor] - space_.low()[factor]) / 4);
}

bool FitModel::Differences(const VectorXd& x,
                           std::span<const Index> free,
                           MatrixXd& jacobian) {
  VectorXd r;
  if (!Residuals(x, r)) {
    return false;
  }
  std::vector<Stencil> stencils;
  for (const Index k : free) {
    const auto factor = static_cast<std::size_t>(k);
    stencils.push_back(StencilAt(
        x, k, Step(x[k], k), space_.low()[factor], space_.high()[factor]));
  }
  executor_.ForEachThatMayThrow(2 * stencils.size(), [&](std::size_t i) {
    Stencil& stencil = stencils[i / 2];
    stencil.why[i % 2] =
        Evaluate(stencil.points[i % 2], stencil.residuals[i % 2]);
  });
  evaluations_ += static_cast<std::int64_t>(2 * stencils.size());
  for (std::size_t c = 0; c < stencils.size(); ++c) {
    const VectorXd derivative = Derivative(stencils[c], r);
    if (derivative.size() == 0) {
      why_ = stencils[c].why[0];
      return false;
    }
    jacobian.col(static_cast<Index>(c)) = derivative;
  }
  return true;
}

bool FitModel::GoesOn() const {
  return !watch_.goes_on || watch_.goes_on();
}

void FitModel::Tell(double cost) const {
  if (watch_.progress) {
    watch_.progress({.evaluations = evaluations_, .cost = cost});
  }
}

}  // namespace orrery::experiment::internal
