#include "orrery/solver/adaptive/rosenbrock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/base/files/state_number.h"
#include "orrery/solver/algebra/shifted_matrix.h"
#include "orrery/solver/steps/jacobian.h"

namespace orrery::solver::internal {
namespace {

using Coefficients = Rodas5PTableau;

// Returns sum_j weights[j] u[j n] over the first kCount stages.
template <std::size_t kCount, std::size_t kWeights>
double Sum(const std::array<double, kWeights>& weights,
           const double* u,
           std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < kCount; ++j) {
    sum += weights[j] * u[j * n];
  }
  return sum;
}

// True if a stage begins where the one before it does plus u of that one.
template <std::size_t kStage>
constexpr bool FollowsStageBefore() {
  if constexpr (kStage == 0) {
    return false;
  } else {
    auto row = Coefficients::kMatrix[kStage - 1];
    row[kStage - 1] = 1;
    return row == Coefficients::kMatrix[kStage];
  }
}

// The point where dense output is compared with the equations. The weights give
// its value and slope there by the stages, beside the line from x_0 to x_1.
constexpr double kDensePoint = 0.5;
using StageWeights = std::array<double, Coefficients::kStages>;

constexpr StageWeights DenseWeights(double by_k1, double by_k2, double by_k3) {
  StageWeights weights{};
  for (std::size_t j = 0; j < weights.size(); ++j) {
    weights[j] = by_k1 * Coefficients::kDenseWeights[0][j] +
                 by_k2 * Coefficients::kDenseWeights[1][j] +
                 by_k3 * Coefficients::kDenseWeights[2][j];
  }
  return weights;
}

constexpr StageWeights kValueWeights = DenseWeights(1 / 4.0, 1 / 8.0, 1 / 16.0);
constexpr StageWeights kSlopeWeights = DenseWeights(0, 1 / 4.0, 1 / 4.0);

class Rosenbrock final : public AdaptiveStepIntegrator {
 public:
  Rosenbrock(OdeProblem& problem, const SolverOptions& options)
      : AdaptiveStepIntegrator(
            problem,
            options,
            Method::kRosenbrock,
            {.order = 5, .predictive = true, .max_factor = 6}),
        jacobian_(evaluator(), tolerances()),
        matrix_(problem.dimension(),
                problem.jacobian_pattern(),
                options.linear_solver),
        time_derivative_(x().size()),
        stages_(Coefficients::kStages * x().size()),
        stage_slope_(x().size()),
        point_(x().size()),
        defect_(x().size()) {}

  [[nodiscard]] bool IsStepBeyond(double part) override {
    return (t() - t_begin()) * jacobian_.Norm() > part * kStabilityBound;
  }

 private:
  void Forget() override {
    linearized_ = false;
    num_steps_ = 0;
  }

  void TransferStages(StateStream& stream) override {
    jacobian_.Transfer(stream);
    matrix_.Transfer(stream);
    stream.Truth(linearized_);
    TransferCount(stream, num_steps_);
    stream.Same(time_derivative_);
    stream.Same(stages_);
  }

  Attempt Try(double h, double t_new, std::span<double> x_new) override {
    if (!linearized_) {
      const Evaluation result = Linearize(h);
      if (result != Evaluation::kOk) {
        return {.evaluation = result};
      }
    }
    if (const int bent = num_steps_ == 0 ? FindBent(h) : -1; bent >= 0) {
      return {.square = std::numeric_limits<double>::infinity(), .worst = bent};
    }
    ++counts().factorizations;
    if (!matrix_.Factor(1 / (h * Coefficients::kGamma), jacobian_.values())) {
      evaluator().set_failure({.outcome = StepOutcome::kNoConvergence});
      return {.evaluation = Evaluation::kRetry};
    }
    const Evaluation result = SolveStages<0>(h, t_new, x_new);
    if (result != Evaluation::kOk) {
      return {.evaluation = result};
    }
    Attempt attempt = EstimateError(x_new);
    if (attempt.square <= 1) {
      EstimateDenseError(h, x_new, attempt);
    }
    return attempt;
  }

  // Evaluates df/dx and df/dt at the begin of the step.
  Evaluation Linearize(double h) {
    Evaluation result = jacobian_.Evaluate(t(), x(), slope());
    if (result != Evaluation::kOk) {
      return result;
    }
    OdeProblem& problem = evaluator().problem();
    if (problem.has_time_derivative()) {
      result = problem.TimeDerivative(t(), x(), time_derivative_);
      if (result != Evaluation::kOk) {
        evaluator().set_failure({.outcome = StepOutcome::kEvaluationFailed});
      }
    }
    if (!problem.has_time_derivative() || !AllFinite(time_derivative_)) {
      result = DifferenceInTime(h);
    }
    linearized_ = result == Evaluation::kOk;
    return result;
  }

  // Checks the linearization on a step that is long for it. Where a root has
  // just opened, f is steep at this point and nowhere else, in x and in t
  // alike. Its slopes predict for a long step that the root stays shut; this
  // looks like a stiff solution, and the error estimate agrees. So the
  // predicted change of f along the tangent has to come true, if it matters for
  // the tolerance.
  // @returns a state whose derivative changes otherwise; or -1.
  [[nodiscard]] int FindBent(double h) {
    constexpr double kPart = 0.5;  // Wrong part of the predicted change.
    if (h * jacobian_.Norm() <= 1) {
      return -1;
    }
    for (std::size_t i = 0; i < point_.size(); ++i) {
      point_[i] = x()[i] + h * slope()[i];
    }
    if (evaluator().Derivative(t() + h, point_, stage_slope_) !=
        Evaluation::kOk) {
      return -1;  // The step itself will show it.
    }
    jacobian_.Multiply(slope(), defect_);
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const double foretold = h * (defect_[i] + time_derivative_[i]);
      const double change = stage_slope_[i] - slope()[i];
      const double size = std::max(std::abs(x()[i]), std::abs(point_[i]));
      if (std::abs(change - foretold) > kPart * std::abs(foretold) &&
          h * std::abs(foretold) > tolerances().Scale(i, size)) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

  // Uses a forward difference. Its increment balances the rounding of f, which
  // grows with |t| / h, against its curvature, on the scale of h.
  Evaluation DifferenceInTime(double h) {
    const double increment = std::sqrt(std::numeric_limits<double>::epsilon() *
                                       h * std::max(std::abs(t()), h));
    const double t_later = t() + increment;
    const Evaluation result =
        evaluator().Derivative(t_later, x(), time_derivative_);
    for (std::size_t i = 0; i < time_derivative_.size(); ++i) {
      time_derivative_[i] =
          (time_derivative_[i] - slope()[i]) / (t_later - t());
    }
    return result;
  }

  template <std::size_t kStage>
  Evaluation SolveStages(double h, double t_new, std::span<double> x_new) {
    const Evaluation result = SolveStage<kStage>(h, t_new, x_new);
    if constexpr (kStage + 1 < Coefficients::kStages) {
      return result == Evaluation::kOk
                 ? SolveStages<kStage + 1>(h, t_new, x_new)
                 : result;
    } else {
      return result;
    }
  }

  // On return `x_new` is the point of the last stage: the solution without its
  // last term.
  template <std::size_t kStage>
  Evaluation SolveStage(double h, double t_new, std::span<double> x_new) {
    BeginStage<kStage>(h, x_new.data());
    std::span<const double> f = slope();
    if constexpr (kStage > 0) {
      constexpr double kNode = Coefficients::kNodes[kStage];
      const Evaluation result = evaluator().Derivative(
          kNode == 1 ? t_new : t() + kNode * h, x_new, stage_slope_);
      if (result != Evaluation::kOk) {
        return result;
      }
      f = stage_slope_;
    }
    const std::span<double> stage = Stage(kStage);
    for (std::size_t i = 0; i < f.size(); ++i) {
      stage[i] += f[i];
    }
    matrix_.Solve(stage);
    return Evaluation::kOk;
  }

  // Writes the point of the stage, and into the stage the terms added to f
  // there.
  template <std::size_t kStage>
  void BeginStage(double h, double* __restrict point) {
    const std::size_t n = x().size();
    const double by_time = h * Coefficients::kTimeWeights[kStage];
    const double inverse = 1 / h;
    const double* const begin = x().data();
    const double* const u = stages_.data();
    double* __restrict right_side = Stage(kStage).data();
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (FollowsStageBefore<kStage>()) {
        point[i] += u[(kStage - 1) * n + i];
      } else if constexpr (kStage > 0) {
        point[i] =
            begin[i] + Sum<kStage>(Coefficients::kMatrix[kStage], u + i, n);
      }
      right_side[i] =
          by_time * time_derivative_[i] +
          inverse * Sum<kStage>(Coefficients::kCoupling[kStage], u + i, n);
    }
  }

  [[nodiscard]] std::span<double> Stage(std::size_t stage) noexcept {
    return std::span(stages_).subspan(stage * x().size(), x().size());
  }

  [[nodiscard]] Attempt EstimateError(std::span<double> x_new) {
    const std::span<const double> last = Stage(Coefficients::kStages - 1);
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      x_new[i] += last[i];
    }
    return SizeOf(last, x_new);
  }

  // Returns an error in units of the tolerances.
  [[nodiscard]] Attempt SizeOf(std::span<const double> estimate,
                               std::span<const double> x_new) const {
    const auto scaled = [&](std::size_t i) {
      const double size = std::max(std::abs(x()[i]), std::abs(x_new[i]));
      return estimate[i] / tolerances().Scale(i, size);
    };
    double sum = 0;
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      const double error = scaled(i);
      sum += error * error;
    }
    Attempt attempt;
    attempt.square = sum / static_cast<double>(x_new.size());
    if (!(attempt.square <= 1)) {
      attempt.worst = LargestOf(x_new.size(), scaled);
    }
    return attempt;
  }

  // Estimates the error of dense output. If a problem is stiff, the end of a
  // step is nearly exact, however long the step, but dense output is not. Its
  // distance from the solution follows from its defect by one Newton iteration
  // of implicit Euler: E e = f(t, p(t)) - p'(t). A point that cannot be
  // evaluated is ignored.
  void EstimateDenseError(double h,
                          std::span<const double> x_new,
                          Attempt& attempt) {
    const std::size_t n = point_.size();
    const double* const u = stages_.data();
    for (std::size_t i = 0; i < n; ++i) {
      const double rise = x_new[i] - x()[i];
      point_[i] = x()[i] + kDensePoint * rise + Sum<8>(kValueWeights, u + i, n);
      defect_[i] = (rise + Sum<8>(kSlopeWeights, u + i, n)) / h;
    }
    if (evaluator().Derivative(t() + kDensePoint * h, point_, stage_slope_) !=
        Evaluation::kOk) {
      return;
    }
    for (std::size_t i = 0; i < defect_.size(); ++i) {
      defect_[i] = stage_slope_[i] - defect_[i];
    }
    matrix_.Solve(defect_);
    const Attempt dense = SizeOf(defect_, x_new);
    if (dense.square > attempt.square) {
      attempt = dense;
    }
  }

  Evaluation Accept(double t_new,
                    std::span<const double> x_new,
                    std::span<double> slope) override {
    const Evaluation result = evaluator().Derivative(t_new, x_new, slope);
    if (result == Evaluation::kOk) {
      linearized_ = false;
      ++num_steps_;
    }
    return result;
  }

  // Returns the coefficients of the dense output of state `i` in the step tried
  // last, from `begin` to `end`.
  [[nodiscard]] std::array<double, 5> Interpolant(std::size_t i,
                                                  double begin,
                                                  double end) const {
    const std::size_t n = x().size();
    const double* const u = stages_.data() + i;
    const double k1 = Sum<8>(Coefficients::kDenseWeights[0], u, n);
    const double k2 = Sum<8>(Coefficients::kDenseWeights[1], u, n);
    const double k3 = Sum<8>(Coefficients::kDenseWeights[2], u, n);
    return {begin, end - begin + k1, k2 - k1, k3 - k2, -k3};
  }

  const DenseOutput& DoDense(DenseOutput& dense) override {
    dense.Reset(dimension(), 4, t_begin(), t() - t_begin());
    for (std::size_t i = 0; i < x().size(); ++i) {
      const std::array<double, 5> c = Interpolant(i, x_begin()[i], x()[i]);
      for (int k = 0; k < 5; ++k) {
        dense.coefficients(k)[i] = c[static_cast<std::size_t>(k)];
      }
    }
    if (num_steps_ == 1 && dense.h() * jacobian_.Norm() <= 1) {
      BeginAsTheSolution(dense);
    }
    return dense;
  }

  // Gives the first step's dense output the exact slope and bend at its begin,
  // and keeps its end, where this changes it by no more than the tolerance. An
  // event may leave equal two values that move apart in the next step, and then
  // only the direction counts. For a stiff problem the change is too large.
  void BeginAsTheSolution(DenseOutput& dense) {
    const double h = dense.h();
    jacobian_.Multiply(slope_begin(), defect_);
    for (std::size_t i = 0; i < defect_.size(); ++i) {
      const double bend = h * h / 2 * (defect_[i] + time_derivative_[i]);
      const double first = h * slope_begin()[i] - dense.coefficients(1)[i];
      const double second = bend - dense.coefficients(2)[i];
      const double size = std::max(std::abs(x_begin()[i]), std::abs(x()[i]));
      if (std::abs(first) + std::abs(second) <= tolerances().Scale(i, size)) {
        dense.coefficients(1)[i] += first;
        dense.coefficients(2)[i] += second;
        dense.coefficients(3)[i] -= 3 * first + 2 * second;
        dense.coefficients(4)[i] += 2 * first + second;
      }
    }
  }

  JacobianEvaluator jacobian_;
  ShiftedMatrix matrix_;
  bool linearized_ = false;     // At the begin of the next step.
  std::int64_t num_steps_ = 0;  // Accepted since Forget().
  std::vector<double> time_derivative_;
  std::vector<double> stages_;  // u_1, u_2, ...
  std::vector<double> stage_slope_;
  std::vector<double> point_;
  std::vector<double> defect_;
};

}  // namespace

std::unique_ptr<AdaptiveStepIntegrator> MakeRosenbrock(
    OdeProblem& problem, const SolverOptions& options) {
  return std::make_unique<Rosenbrock>(problem, options);
}

}  // namespace orrery::solver::internal
