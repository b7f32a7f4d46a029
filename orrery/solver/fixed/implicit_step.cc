#include "orrery/solver/fixed/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "orrery/solver/algebra/shifted_matrix.h"
#include "orrery/solver/fixed/fixed_step.h"
#include "orrery/solver/steps/jacobian.h"

namespace orrery::solver::internal {
namespace {

// A correction of at most this part of every state ends the iteration.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
// Corrections that no longer shrink count as rounding if they are at most this
// part of the tolerance.
constexpr double kNoise = 1e-3;
// A slower rate of convergence requires a new Jacobian.
constexpr double kSlow = 0.1;
constexpr int kMaxIterations = 50;

class ImplicitStep final : public FixedStepIntegrator {
 public:
  ImplicitStep(OdeProblem& problem, const SolverOptions& options, Method method)
      : FixedStepIntegrator(problem, options, method),
        theta_(method == Method::kTrapezoid ? 0.5 : 1.0),
        tolerances_(options, problem.dimension()),
        jacobian_(evaluator(), tolerances_),
        matrix_(problem.dimension(),
                problem.jacobian_pattern(),
                options.linear_solver),
        known_(x().size()),
        stage_slope_(x().size()),
        correction_(x().size()) {}

 private:
  // Two measures of the size of a correction, and its largest element.
  struct Size {
    double relative = 0;   // Relative to the states.
    double tolerance = 0;  // Relative to the tolerances.
    int worst = -1;
  };

  StepResult Take(double h, std::span<double> x_new) override {
    if (theta_ < 1 && EvaluateSlope() != Evaluation::kOk) {
      return evaluator().failure();
    }
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      known_[i] = x()[i];
      if (theta_ < 1) {
        known_[i] += h * (1 - theta_) * slope()[i];
      }
      x_new[i] = x()[i];
    }
    const double shift = 1 / (h * theta_);
    Size previous;
    for (int k = 0; k < kMaxIterations; ++k) {
      if (evaluator().Derivative(t() + h, x_new, stage_slope_) !=
          Evaluation::kOk) {
        factored_shift_ = 0;
        return evaluator().failure();
      }
      if (shift != factored_shift_ && !Factor(h, shift, x_new)) {
        return evaluator().failure();
      }
      const Size size = Correct(h, x_new);
      if (size.relative <= kRounding) {
        return {};
      }
      if (k > 0 && !(size.relative < kSlow * previous.relative)) {
        if (size.tolerance <= kNoise) {
          return {};
        }
        factored_shift_ = 0;  // Evaluate the Jacobian at the next iterate.
      }
      previous = size;
    }
    factored_shift_ = 0;
    return {.outcome = StepOutcome::kNoConvergence, .index = previous.worst};
  }

  bool Factor(double h, double shift, std::span<const double> point) {
    factored_shift_ = 0;
    if (jacobian_.Evaluate(t() + h, point, stage_slope_) != Evaluation::kOk) {
      return false;
    }
    ++counts().factorizations;
    if (!matrix_.Factor(shift, jacobian_.values())) {
      evaluator().set_failure({.outcome = StepOutcome::kNoConvergence});
      return false;
    }
    factored_shift_ = shift;
    return true;
  }

  // Factors that a matrix keeps are those of its last values.
  void TransferHistory(StateStream& stream) override {
    jacobian_.Transfer(stream);
    matrix_.Transfer(stream);
    stream.Number(factored_shift_);
    const bool has_factors = matrix_.kind() == LinearSolverKind::kSparse;
    if (stream.reads() && factored_shift_ != 0 && !has_factors &&
        !matrix_.Factor(factored_shift_, jacobian_.values())) {
      factored_shift_ = 0;
    }
  }

  // One iteration of Newton's method.
  Size Correct(double h, std::span<double> x_new) {
    ++counts().nonlinear_iterations;
    const double shift = 1 / (h * theta_);
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      correction_[i] = stage_slope_[i] - (x_new[i] - known_[i]) * shift;
    }
    matrix_.Solve(correction_);
    Size size;
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      const double change = std::abs(correction_[i]);
      x_new[i] += correction_[i];
      const double extent = std::max(std::abs(x_new[i]), std::abs(x()[i]));
      const double scaled = change / tolerances_.Scale(i, extent);
      if (!(scaled <= size.tolerance)) {
        size.tolerance = scaled;
        size.worst = static_cast<int>(i);
      }
      size.relative = std::max(size.relative, change > 0 ? change / extent : 0);
    }
    return size;
  }

  double theta_;
  Tolerances tolerances_;
  JacobianEvaluator jacobian_;
  ShiftedMatrix matrix_;
  double factored_shift_ = 0;  // 0: not factored.
  std::vector<double> known_;
  std::vector<double> stage_slope_;
  std::vector<double> correction_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> MakeImplicitFixedStep(
    Method method, OdeProblem& problem, const SolverOptions& options) {
  return std::make_unique<ImplicitStep>(problem, options, method);
}

}  // namespace orrery::solver::internal
