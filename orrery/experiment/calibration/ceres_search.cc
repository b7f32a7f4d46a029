#include "orrery/experiment/calibration/ceres_search.h"

#include <cmath>
#include <cstddef>

#include <ceres/ceres.h>
#include <glog/logging.h>

namespace orrery::experiment::internal {
namespace {

// Relative tolerance of the cost and of the parameters: rounding errors.
constexpr double kRounding = 1e-15;

class Residuals final : public ceres::CostFunction {
 public:
  Residuals(CeresProblem& problem, const CeresTask& task) : problem_(problem) {
    set_num_residuals(task.residuals);
    mutable_parameter_block_sizes()->push_back(
        static_cast<int>(task.low.size()));
  }

  bool Evaluate(const double* const* parameters,
                double* residuals,
                double** jacobians) const override {
    return problem_.Evaluate(parameters[0],
                             residuals,
                             jacobians == nullptr ? nullptr : jacobians[0]);
  }

 private:
  CeresProblem& problem_;
};

class Watch final : public ceres::IterationCallback {
 public:
  // @param x the position of the search after each step.
  Watch(CeresProblem& problem, const double* x) : problem_(problem), x_(x) {}

  ceres::CallbackReturnType operator()(
      const ceres::IterationSummary& summary) override {
    iterations_ = summary.iteration;
    if (summary.iteration == 0 || summary.step_is_successful) {
      cost_ = summary.cost;  // Otherwise it is that of the rejected step.
    }
    switch (problem_.Step(x_, cost_)) {
      case SearchVerdict::kGoOn:
        return ceres::SOLVER_CONTINUE;
      case SearchVerdict::kConverged:
        return ceres::SOLVER_TERMINATE_SUCCESSFULLY;
      case SearchVerdict::kStop:
        break;
    }
    return ceres::SOLVER_ABORT;
  }

  [[nodiscard]] std::int64_t iterations() const { return iterations_; }

 private:
  CeresProblem& problem_;
  const double* x_;
  double cost_ = 0;
  std::int64_t iterations_ = 0;
};

// If residuals fail, for example because the user ends the search, Ceres prints
// the reason whatever its options say. Set once for all threads.
void KeepCeresFromPrinting() {
  [[maybe_unused]] static const auto level = FLAGS_minloglevel =
      google::GLOG_FATAL;
}

ceres::Solver::Options SolverOptions(const CeresTask& task) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = task.max_iterations;
  options.initial_trust_region_radius = task.first_radius;
  options.function_tolerance = kRounding;
  options.gradient_tolerance = 0;
  options.parameter_tolerance = kRounding;
  options.update_state_every_iteration = true;
  // With bounds, Ceres by default makes a line search along each step. It takes
  // more evaluations than it saves, and stalls in long valleys. Steps are
  // clipped at the bounds without it, too.
  options.max_num_line_search_step_size_iterations = 0;
  return options;
}

}  // namespace

void OrreryCeresSearch(CeresProblem& problem,
                       const CeresTask& task,
                       double* x,
                       CeresOutcome& outcome) {
  KeepCeresFromPrinting();
  Residuals residuals(problem, task);
  ceres::Problem of_ceres(
      {.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP});
  of_ceres.AddResidualBlock(&residuals, nullptr, x);
  for (std::size_t i = 0; i < task.low.size(); ++i) {
    const int place = static_cast<int>(i);
    if (std::isfinite(task.low[i])) {
      of_ceres.SetParameterLowerBound(x, place, task.low[i]);
    }
    if (std::isfinite(task.high[i])) {
      of_ceres.SetParameterUpperBound(x, place, task.high[i]);
    }
  }
  Watch watch(problem, x);
  ceres::Solver::Options options = SolverOptions(task);
  options.callbacks.push_back(&watch);
  ceres::Solver::Summary summary;
  ceres::Solve(options, &of_ceres, &summary);
  outcome = {.has_converged = summary.termination_type == ceres::CONVERGENCE ||
                              summary.termination_type == ceres::USER_SUCCESS,
             .iterations = watch.iterations()};
}

}  // namespace orrery::experiment::internal
