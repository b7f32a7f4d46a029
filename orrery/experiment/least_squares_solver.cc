#include "orrery/experiment/internal/least_squares_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <ceres/ceres.h>

namespace orrery::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Searches end where the cost or the parameters hardly change any more, by a
// part that is not more than this, or than a hundredth of the error of the
// residuals.
constexpr double kFunctionTolerance = 1e-15;
constexpr double kParameterTolerance = 1e-15;
constexpr int kMostRounds = 10;

// The residuals as those of a problem of least squares: sign(u) sqrt(rho(u^2))
// of u = weight * residual, whose squares are the losses. Engels, Stewenius &
// Nister, "Bundle adjustment rules", Photogrammetric Computer Vision (2006).
class LossRoots final : public ceres::CostFunction {
 public:
  LossRoots(FitModel& model,
            const Weighting& weighting,
            const VectorXd& start,
            std::span<const Index> free)
      : model_(model), weighting_(weighting), free_(free), start_(start) {
    set_num_residuals(static_cast<int>(model.function().size));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(free.size()));
  }

  // All coordinates, those that are free as Ceres has them.
  [[nodiscard]] VectorXd PointOf(const double* parameters) const {
    VectorXd x = start_;
    for (std::size_t c = 0; c < free_.size(); ++c) {
      x[free_[c]] = parameters[c];
    }
    return x;
  }

  bool Evaluate(const double* const* parameters,
                double* residuals,
                double** jacobians) const override {
    const VectorXd x = PointOf(parameters[0]);
    VectorXd r;
    if (!model_.GoesOn() || !model_.Residuals(x, r)) {
      return false;
    }
    VectorXd slopes(r.size());
    for (Index i = 0; i < r.size(); ++i) {
      const double u = weighting_.weights[i] * r[i];
      const LossValue loss = Loss(weighting_.loss, u * u);
      const double root = std::sqrt(loss.rho);
      residuals[i] = std::copysign(root, u);
      slopes[i] = weighting_.weights[i] *
                  (root > 0 ? loss.slope * std::abs(u) / root : 1);
    }
    if (jacobians == nullptr || jacobians[0] == nullptr) {
      return true;
    }
    MatrixXd jacobian;
    if (!model_.Jacobian(x, free_, jacobian)) {
      return false;
    }
    using RowMajor =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(jacobians[0], jacobian.rows(), jacobian.cols()) =
        slopes.asDiagonal() * jacobian;
    return true;
  }

 private:
  FitModel& model_;
  const Weighting& weighting_;
  std::span<const Index> free_;
  const VectorXd& start_;
};

// Counts the steps, and ends the search when nobody wants it any more.
class Watch final : public ceres::IterationCallback {
 public:
  explicit Watch(const FitModel& model) : model_(model) {}

  ceres::CallbackReturnType operator()(
      const ceres::IterationSummary& summary) override {
    iterations_ = summary.iteration;
    model_.Tell(2 * summary.cost);
    return model_.GoesOn() ? ceres::SOLVER_CONTINUE : ceres::SOLVER_ABORT;
  }

  [[nodiscard]] std::int64_t iterations() const { return iterations_; }

 private:
  const FitModel& model_;
  std::int64_t iterations_ = 0;
};

ceres::Solver::Options SolverOptions(std::int64_t max_iterations,
                                     double relative_error) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = static_cast<int>(max_iterations);
  options.function_tolerance =
      std::max(kFunctionTolerance, 0.01 * relative_error);
  options.gradient_tolerance = 0;
  options.parameter_tolerance =
      std::max(kParameterTolerance, 0.01 * relative_error);
  options.update_state_every_iteration = true;
  return options;
}

FitEnd EndOf(const ceres::Solver::Summary& summary, const FitModel& model) {
  if (!model.GoesOn()) {
    return FitEnd::kInterrupted;
  }
  return summary.termination_type == ceres::CONVERGENCE ? FitEnd::kConverged
                                                        : FitEnd::kNotConverged;
}

void SetBounds(const SearchSpace& space,
               std::span<const Index> free,
               double* parameters,
               ceres::Problem& problem) {
  for (std::size_t c = 0; c < free.size(); ++c) {
    const auto k = static_cast<std::size_t>(free[c]);
    const int place = static_cast<int>(c);
    if (std::isfinite(space.low()[k])) {
      problem.SetParameterLowerBound(parameters, place, space.low()[k]);
    }
    if (std::isfinite(space.high()[k])) {
      problem.SetParameterUpperBound(parameters, place, space.high()[k]);
    }
  }
}

// Whether the cost falls from a bound inwards, by one of the coordinates there.
bool LeavesBounds(FitModel& model,
                  const Weighting& weighting,
                  const LeastSquaresMinimum& at,
                  std::span<const Index> held) {
  MatrixXd jacobian;
  if (!model.Jacobian(at.x, held, jacobian)) {
    return false;
  }
  VectorXd pull(at.residuals.size());
  for (Index i = 0; i < pull.size(); ++i) {
    const double w = weighting.weights[i];
    const double u = w * at.residuals[i];
    pull[i] = Loss(weighting.loss, u * u).slope * u * w;
  }
  const VectorXd gradient = jacobian.transpose() * pull;
  for (std::size_t c = 0; c < held.size(); ++c) {
    const Index k = held[c];
    const bool is_low =
        at.x[k] <= model.space().low()[static_cast<std::size_t>(k)];
    const double slope = gradient[static_cast<Index>(c)];
    if (is_low ? slope < 0 : slope > 0) {
      return true;
    }
  }
  return false;
}

bool IsAtBound(const SearchSpace& space, const VectorXd& x, Index k) {
  const auto factor = static_cast<std::size_t>(k);
  return x[k] <= space.low()[factor] || x[k] >= space.high()[factor];
}

// One search of Ceres.
LeastSquaresMinimum Search(FitModel& model,
                           const Weighting& weighting,
                           const VectorXd& start,
                           std::span<const Index> free,
                           std::int64_t max_iterations) {
  LeastSquaresMinimum minimum;
  minimum.x = start;
  if (!model.Residuals(start, minimum.residuals)) {
    return minimum;
  }
  minimum.end = FitEnd::kConverged;
  if (!free.empty()) {
    LossRoots roots(model, weighting, start, free);
    std::vector<double> parameters;
    for (const Index k : free) {
      parameters.push_back(start[k]);
    }
    ceres::Problem problem(
        {.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP});
    problem.AddResidualBlock(&roots, nullptr, parameters.data());
    SetBounds(model.space(), free, parameters.data(), problem);
    Watch watch(model);
    ceres::Solver::Options options =
        SolverOptions(max_iterations, model.function().relative_error);
    options.callbacks.push_back(&watch);
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    minimum.end = EndOf(summary, model);
    minimum.iterations = watch.iterations();
    minimum.x = roots.PointOf(parameters.data());
    if (!model.Residuals(minimum.x, minimum.residuals)) {
      minimum.end = FitEnd::kFailed;
    }
  }
  minimum.cost = CostOf(weighting, minimum.residuals);
  return minimum;
}

}  // namespace

double CostOf(const Weighting& weighting, const VectorXd& residuals) {
  double cost = 0;
  for (Index i = 0; i < residuals.size(); ++i) {
    const double u = weighting.weights[i] * residuals[i];
    cost += Loss(weighting.loss, u * u).rho;
  }
  return cost;
}

// Ceres cuts its steps off at bounds, and may come to rest where one parameter
// is at its bound and others could still be moved along it. So what has come to
// a bound is held there for another search, until nothing would leave it.
LeastSquaresMinimum MinimiseLeastSquares(FitModel& model,
                                         const Weighting& weighting,
                                         const VectorXd& start,
                                         std::span<const Index> free,
                                         std::int64_t max_iterations) {
  LeastSquaresMinimum minimum;
  minimum.x = start;
  std::int64_t iterations = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    minimum = Search(model, weighting, minimum.x, free, max_iterations);
    iterations += minimum.iterations;
    std::vector<Index> held;
    std::vector<Index> others;
    for (const Index k : free) {
      (IsAtBound(model.space(), minimum.x, k) ? held : others).push_back(k);
    }
    if (held.empty() || minimum.end == FitEnd::kFailed || !model.GoesOn()) {
      break;
    }
    minimum = Search(model, weighting, minimum.x, others, max_iterations);
    iterations += minimum.iterations;
    if (!LeavesBounds(model, weighting, minimum, held)) {
      break;
    }
  }
  minimum.iterations = iterations;
  return minimum;
}

}  // namespace orrery::internal
