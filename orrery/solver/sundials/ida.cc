#include "orrery/solver/sundials/ida.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ida/ida.h>
#include <ida/ida_ls.h>

#include "orrery/base/error.h"
#include "orrery/solver/algebra/sparsity.h"
#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/steps/dae_jacobian.h"
#include "orrery/solver/steps/evaluator.h"
#include "orrery/solver/steps/jacobian.h"
#include "orrery/solver/sundials/sundials_support.h"

namespace orrery::solver::internal {
namespace {

constexpr int kMaxIdaErrorTestFailures = 20;
constexpr int kMaxIdaConvergenceFailures = 30;
constexpr int kMaxBdfOrder = 5;

class Ida final : public TimeIntegrator {
 public:
  Ida(DaeProblem& problem, const SolverOptions& options)
      : TimeIntegrator(
            problem.dimension(), options.max_steps, NameOf(Method::kIda).name),
        problem_(problem),
        tolerances_(options, problem.dimension()),
        initial_step_(options.initial_step),
        min_step_(options.min_step),
        max_step_(options.max_step),
        y_(dimension(), context_),
        yp_(dimension(), context_),
        scratch_(dimension(), context_),
        other_scratch_(dimension(), context_),
        linear_(y_,
                problem.jacobian_pattern(),
                options.linear_solver,
                SundialsLinearSolver::Diagonal::kAsInPattern,
                context_),
        jacobian_(problem,
                  tolerances_,
                  [this](double t, auto y, auto yp, auto residual) {
                    return Residual(t, y, yp, residual);
                  }),
        x_begin_(x().size()),
        taylor_(x().size() * (kMaxBdfOrder + 2)) {
    memory_.reset(IDACreate(context_.get()));
    ORRERY_CHECK(memory_ != nullptr);
    IDASetErrHandlerFn(memory_.get(), IgnoreMessage, nullptr);
    Check(IDAInit(memory_.get(), CallResidual, 0, y_.get(), yp_.get()));
    Check(IDASetUserData(memory_.get(), this));
    const double relative =
        SetMultistepTolerances(tolerances_, scratch_.values());
    Check(IDASVtolerances(memory_.get(), relative, scratch_.get()));
    SetDifferential();
    Check(IDASetMaxErrTestFails(memory_.get(), kMaxIdaErrorTestFailures));
    Check(IDASetMaxConvFails(memory_.get(), kMaxIdaConvergenceFailures));
    if (std::isfinite(options.max_step)) {
      Check(IDASetMaxStep(memory_.get(), options.max_step));
    }
    Check(
        IDASetLinearSolver(memory_.get(), linear_.solver(), linear_.matrix()));
    Check(IDASetJacFn(memory_.get(), CallJacobian));
  }

  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  ~Ida() override = default;

 private:
  struct FreeMemory {
    void operator()(void* memory) const noexcept { IDAFree(&memory); }
  };

  // IDA's own counters, which a restart sets to zero.
  struct Counters {
    long failures = 0;    // NOLINT(google-runtime-int): IDA's type.
    long iterations = 0;  // NOLINT(google-runtime-int)
    long setups = 0;      // NOLINT(google-runtime-int)
    long jacobians = 0;   // NOLINT(google-runtime-int)
  };

  static void Check(int flag) { ORRERY_CHECK(flag == IDA_SUCCESS); }

  static void IgnoreMessage(int /*code*/,
                            const char* /*module*/,
                            const char* /*function*/,
                            char* /*message*/,
                            void* /*data*/) {}

  static int CallResidual(
      double t, N_Vector y, N_Vector yp, N_Vector residual, void* data) {
    auto& self = *static_cast<Ida*>(data);
    return self.caught_.Call([&] {
      return self.Residual(
          self.own_.Model(t), Elements(y), Elements(yp), Elements(residual));
    });
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is SUNDIALS'.
  static int CallJacobian(double t,
                          double cj,
                          N_Vector y,
                          N_Vector yp,
                          N_Vector residual,
                          SUNMatrix matrix,
                          void* data,
                          N_Vector /*scratch1*/,
                          N_Vector /*scratch2*/,
                          N_Vector /*scratch3*/) {
    auto& self = *static_cast<Ida*>(data);
    return self.caught_.Call([&] {
      double h = 0;
      IDAGetCurrentStep(self.memory_.get(), &h);
      const Evaluation result =
          self.jacobian_.Evaluate({.t = self.own_.Model(t),
                                   .cj = cj,
                                   .h = h,
                                   .y = Elements(y),
                                   .yp = Elements(yp)},
                                  Elements(residual));
      if (result != Evaluation::kOk) {
        self.failure_ = {.outcome = StepOutcome::kEvaluationFailed};
        return result;
      }
      if (FirstNotFinite(self.jacobian_.values()) >= 0) {
        self.failure_ = {.outcome = StepOutcome::kNotFinite};
        return Evaluation::kRetry;
      }
      self.linear_.Fill(self.jacobian_.values(), matrix);
      return result;
    });
  }

  Evaluation Residual(double t,
                      std::span<const double> y,
                      std::span<const double> yp,
                      std::span<double> residual) {
    ++counts().rhs_evaluations;
    const Evaluation result = problem_.Residual(t, y, yp, residual);
    if (result != Evaluation::kOk) {
      failure_ = {.outcome = StepOutcome::kEvaluationFailed};
      return result;
    }
    const int bad = FirstNotFinite(residual);
    if (bad >= 0) {
      failure_ = {.outcome = StepOutcome::kNotFinite, .index = bad};
      return Evaluation::kRetry;
    }
    return Evaluation::kOk;
  }

  void SetDifferential() {
    const auto differential = problem_.differential();
    if (differential.size() != x().size()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make an integrator: differential() has " +
                      std::to_string(differential.size()) +
                      " elements, the problem " + std::to_string(x().size()) +
                      " unknowns; it needs one each");
    }
    std::ranges::copy(differential, scratch_.values().begin());
    Check(IDASetId(memory_.get(), scratch_.get()));
    // Algebraic unknowns follow from the others, perhaps with a large gain.
    // Holding each to its own tolerance can reduce the order to 1 (transistor
    // amplifier: twenty times the steps, no digit gained).
    Check(IDASetSuppressAlg(memory_.get(), SUNTRUE));
  }

  void DoRestart() override {
    consistent_ = false;
    fresh_ = true;
    worst_ = -1;
  }

  void Reinitialize(double min_step) {
    std::ranges::copy(x(), y_.values().begin());
    own_.Begin(t());
    own_t_ = 0;
    Check(IDAReInit(memory_.get(), 0, y_.get(), yp_.get()));
    Check(IDASetInitStep(memory_.get(), initial_step_));
    Check(IDASetMinStep(memory_.get(), min_step));
    counted_ = {};
    fresh_ = true;
  }

  // Finds y' and the algebraic part of y at the begin of the run.
  StepResult MakeConsistent(double t_limit, double min_step) {
    Evaluation guess = Evaluation::kFail;
    const int called = caught_.Call(
        [&] { return guess = problem_.GuessSlope(t(), x(), yp_.values()); });
    caught_.Rethrow();
    if (called != 0) {
      return {.outcome = StepOutcome::kEvaluationFailed};
    }
    Reinitialize(min_step);
    const int flag =
        IDACalcIC(memory_.get(), IDA_YA_YDP_INIT, own_.Of(t_limit));
    Count();
    caught_.Rethrow();
    if (flag < 0) {
      return Translate(flag);
    }
    Check(IDAGetConsistentIC(memory_.get(), y_.get(), yp_.get()));
    std::ranges::copy(y_.values(), states().begin());
    Reinitialize(min_step);
    consistent_ = true;
    return {};
  }

  StepResult DoStep(double t_limit) override {
    if (!consistent_) {
      const double min_step = LeastFirstStep(min_step_, max_step_, t());
      if (const StepResult result = MakeConsistent(t_limit, min_step);
          !result.stepped()) {
        return result;
      }
    }
    int flag = Advance(t_limit);
    if (!fresh_ && (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL ||
                    flag == IDA_REP_RES_ERR)) {
      worst_ = WorstState();
      if (const StepResult result = MakeConsistent(t_limit, min_step_);
          !result.stepped()) {
        return result;
      }
      flag = Advance(t_limit);
    }
    if (flag < 0) {
      consistent_ = false;
      return Translate(flag);
    }
    fresh_ = false;
    return {};
  }

  // One step of IDA.
  int Advance(double t_limit) {
    double reached = t();
    int flag = IDASetStopTime(memory_.get(), own_.Of(t_limit));
    if (flag == IDA_ILL_INPUT) {
      // IDA's own time is past the limit by rounding.
      flag = IDAGetDky(memory_.get(), own_.Of(t_limit), 0, y_.get());
      own_t_ = own_.Of(t_limit);
      reached = t_limit;
    } else {
      flag = IDASolve(memory_.get(),
                      own_.Of(t_limit),
                      &own_t_,
                      y_.get(),
                      yp_.get(),
                      IDA_ONE_STEP);
      reached = flag == IDA_TSTOP_RETURN ? t_limit : own_.Model(own_t_);
    }
    Count();
    caught_.Rethrow();
    if (flag >= 0 && reached < t_limit && reached - t() < LeastStep(t())) {
      return IDA_ERR_FAIL;  // It would continue forever with tiny steps.
    }
    if (flag >= 0) {
      std::swap(x_begin_, states());
      std::ranges::copy(y_.values(), states().begin());
      TimeIntegrator::Advance(std::min(reached, t_limit));
    }
    return flag;
  }

  void Count() {
    Counters now;
    long convergence_failures = 0;  // NOLINT(google-runtime-int)
    IDAGetNumErrTestFails(memory_.get(), &now.failures);
    IDAGetNumNonlinSolvConvFails(memory_.get(), &convergence_failures);
    now.failures += convergence_failures;
    IDAGetNumNonlinSolvIters(memory_.get(), &now.iterations);
    IDAGetNumLinSolvSetups(memory_.get(), &now.setups);
    IDAGetNumJacEvals(memory_.get(), &now.jacobians);
    counts().rejected_steps += now.failures - counted_.failures;
    counts().nonlinear_iterations += now.iterations - counted_.iterations;
    counts().factorizations += now.setups - counted_.setups;
    counts().jacobian_evaluations += now.jacobians - counted_.jacobians;
    counted_ = now;
  }

  StepResult Translate(int flag) {
    switch (flag) {
      case IDA_RES_FAIL:
      case IDA_FIRST_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_LSETUP_FAIL:
        return failure_;
      case IDA_ERR_FAIL:
      case IDA_TOO_MUCH_ACC:
      case IDA_TOO_MUCH_WORK:
      case IDA_ILL_INPUT:  // The step fell below the rounding of t.
        return {.outcome = StepOutcome::kStepTooSmall, .index = WorstState()};
      default:
        return {.outcome = StepOutcome::kNoConvergence, .index = WorstState()};
    }
  }

  // Returns the differential unknown with the largest estimated error relative
  // to its tolerance.
  int WorstState() {
    if (fresh_) {
      return worst_;
    }
    IDAGetEstLocalErrors(memory_.get(), scratch_.get());
    IDAGetErrWeights(memory_.get(), other_scratch_.get());
    int worst = -1;
    double largest = -1;
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double error =
          std::abs(scratch_.values()[i] * other_scratch_.values()[i]);
      if (error > largest && problem_.differential()[i] != 0) {
        largest = error;
        worst = static_cast<int>(i);
      }
    }
    return worst;
  }

  const DenseOutput& DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    const std::size_t n = x().size();
    int order = 0;
    IDAGetLastOrder(memory_.get(), &order);
    std::ranges::copy(x(), taylor_.begin());
    double factor = 1;
    for (int k = 1; k <= order; ++k) {
      factor *= h / k;
      Check(IDAGetDky(memory_.get(), own_t_, k, scratch_.get()));
      for (std::size_t i = 0; i < n; ++i) {
        taylor_[static_cast<std::size_t>(k) * n + i] =
            factor * scratch_.values()[i];
      }
    }
    dense.Reset(dimension(), order + 1, t_begin(), h);
    SetTaylor(order, x_begin_, taylor_, dense);
    return dense;
  }

  DaeProblem& problem_;
  SundialsContext context_;
  Tolerances tolerances_;
  double initial_step_;
  double min_step_;
  double max_step_;
  SundialsVector y_;
  SundialsVector yp_;
  SundialsVector scratch_;
  SundialsVector other_scratch_;
  SundialsLinearSolver linear_;
  DaeJacobian jacobian_;
  std::unique_ptr<void, FreeMemory> memory_;
  CaughtException caught_;
  OwnTime own_;
  double own_t_ = 0;
  StepResult failure_;
  Counters counted_;
  bool consistent_ = false;
  bool fresh_ = true;  // No step was taken since IDA was initialised.
  int worst_ = -1;     // The unknown to blame for IDA's own restart.
  std::vector<double> x_begin_;
  std::vector<double> taylor_;
};

// x' = f(t, x) as x' - f(t, x) = 0, with an exact or coloured Jacobian.
class OdeAsDae final : public DaeProblem {
 public:
  OdeAsDae(OdeProblem& problem, const SolverOptions& options)
      : evaluator_(problem, statistics_),
        jacobian_(evaluator_, Tolerances(options, problem.dimension())),
        differential_(static_cast<std::size_t>(problem.dimension()), 1) {
    if (problem.jacobian_pattern() != nullptr) {
      pattern_.emplace(*problem.jacobian_pattern());
    }
  }

  [[nodiscard]] int dimension() const override {
    return static_cast<int>(differential_.size());
  }

  Evaluation Residual(double t,
                      std::span<const double> y,
                      std::span<const double> yp,
                      std::span<double> residual) override {
    const Evaluation result = evaluator_.Derivative(t, y, residual);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      residual[i] = yp[i] - residual[i];
    }
    return result;
  }

  [[nodiscard]] std::span<const std::uint8_t> differential() const override {
    return differential_;
  }

  Evaluation GuessSlope(double t,
                        std::span<const double> y,
                        std::span<double> yp) override {
    return evaluator_.Derivative(t, y, yp);
  }

  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override {
    return pattern_.has_value() ? &pattern_->pattern : nullptr;
  }

  [[nodiscard]] bool has_jacobian() const override { return true; }

  Evaluation Jacobian(double t,
                      double cj,
                      std::span<const double> y,
                      std::span<const double> /*yp*/,
                      std::span<double> values) override {
    const Evaluation result = jacobian_.Evaluate(t, y, {});
    const std::span<const double> ode_values = jacobian_.values();
    std::ranges::fill(values, 0.0);
    for (std::size_t k = 0; k < ode_values.size(); ++k) {
      values[pattern_.has_value() ? pattern_->places[k] : k] = -ode_values[k];
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      values[pattern_.has_value() ? pattern_->diagonals[i]
                                  : i * (y.size() + 1)] += cj;
    }
    return result;
  }

  /// All evaluations of f.
  [[nodiscard]] const IntegratorStatistics& statistics() const noexcept {
    return statistics_;
  }

  [[nodiscard]] StepResult failure() const noexcept {
    return evaluator_.failure();
  }

 private:
  IntegratorStatistics statistics_;
  Evaluator evaluator_;
  JacobianEvaluator jacobian_;
  std::optional<DiagonalPattern> pattern_;
  std::vector<std::uint8_t> differential_;
};

// Owns the adapter, which must outlive the integrator that uses it.
class OwningIda final : public TimeIntegrator {
 public:
  OwningIda(OdeProblem& problem, const SolverOptions& options)
      : TimeIntegrator(
            problem.dimension(), options.max_steps, NameOf(Method::kIda).name),
        adapter_(problem, options),
        ida_(adapter_, options) {}

 private:
  void DoRestart() override { ida_.Restart(t(), x()); }

  StepResult DoStep(double t_limit) override {
    StepResult result = ida_.Step(t_limit);
    const std::int64_t steps = counts().steps;
    counts() = ida_.statistics();
    counts().steps = steps;
    counts().rhs_evaluations = adapter_.statistics().rhs_evaluations;
    if (result.stepped()) {
      std::ranges::copy(ida_.x(), states().begin());
      Advance(ida_.t());
    } else if (result.outcome == StepOutcome::kEvaluationFailed) {
      result = adapter_.failure();  // It may name the state.
    }
    return result;
  }

  const DenseOutput& DoDense(DenseOutput& /*dense*/) override {
    return ida_.dense();
  }

  OdeAsDae adapter_;
  Ida ida_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> MakeIda(DaeProblem& problem,
                                        const SolverOptions& options) {
  return std::make_unique<Ida>(problem, options);
}

std::unique_ptr<TimeIntegrator> MakeIda(OdeProblem& problem,
                                        const SolverOptions& options) {
  return std::make_unique<OwningIda>(problem, options);
}

}  // namespace orrery::solver::internal
