#include "orrery/solver/sundials/cvode.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "orrery/base/error.h"
#include "orrery/solver/steps/jacobian.h"
#include "orrery/solver/sundials/sundials_support.h"

namespace orrery::solver::internal {
namespace {

constexpr int kMaxErrorTestFailures = 20;
constexpr int kMaxConvergenceFailures = 30;
constexpr int kMaxAdamsOrder = 12;  // For Adams; BDF stops at 5.

class Cvode final : public CvodeIntegrator {
 public:
  Cvode(Method method, OdeProblem& problem, const SolverOptions& options)
      : CvodeIntegrator(
            problem.dimension(), options.max_steps, NameOf(method).name),
        evaluator_(problem, counts()),
        tolerances_(options, problem.dimension()),
        initial_step_(options.initial_step),
        min_step_(options.min_step),
        max_step_(options.max_step),
        y_(dimension(), context_),
        scratch_(dimension(), context_),
        other_scratch_(dimension(), context_),
        x_begin_(x().size()),
        taylor_(x().size() * (kMaxAdamsOrder + 2)) {
    const bool stiff = method == Method::kCvodeBdf;
    memory_ = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context_.get());
    ORRERY_CHECK(memory_ != nullptr);
    CVodeSetErrHandlerFn(memory_, IgnoreMessage, nullptr);
    Check(CVodeInit(memory_, CallDerivative, 0, y_.get()));
    Check(CVodeSetUserData(memory_, this));
    const double relative =
        SetMultistepTolerances(tolerances_, scratch_.values());
    Check(CVodeSVtolerances(memory_, relative, scratch_.get()));
    Check(CVodeSetMaxErrTestFails(memory_, kMaxErrorTestFailures));
    Check(CVodeSetMaxConvFails(memory_, kMaxConvergenceFailures));
    if (std::isfinite(options.max_step)) {
      Check(CVodeSetMaxStep(memory_, options.max_step));
    }
    if (stiff) {
      linear_ = std::make_unique<SundialsLinearSolver>(
          y_,
          problem.jacobian_pattern(),
          options.linear_solver,
          SundialsLinearSolver::Diagonal::kComplete,
          context_);
      Check(
          CVodeSetLinearSolver(memory_, linear_->solver(), linear_->matrix()));
      Check(CVodeSetJacFn(memory_, CallJacobian));
      jacobian_.emplace(evaluator_, tolerances_);
    } else {
      nonlinear_ = SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get());
      ORRERY_CHECK(nonlinear_ != nullptr);
      Check(CVodeSetNonlinearSolver(memory_, nonlinear_));
    }
  }

  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  ~Cvode() override {
    CVodeFree(&memory_);
    if (nonlinear_ != nullptr) {
      SUNNonlinSolFree(nonlinear_);
    }
  }

  [[nodiscard]] bool begins_at_first_order() const noexcept override {
    return true;
  }

  [[nodiscard]] bool IsStepBeyond(double part) override {
    ORRERY_CHECK(jacobian_.has_value());
    return (t() - t_begin()) * jacobian_->Norm() > part * kStabilityBound;
  }

 private:
  // CVODE's own counters, which a restart sets to zero.
  struct Counters {
    long failures = 0;    // NOLINT(google-runtime-int): CVODE's type.
    long iterations = 0;  // NOLINT(google-runtime-int)
    long setups = 0;      // NOLINT(google-runtime-int)
  };

  static void Check(int flag) { ORRERY_CHECK(flag == CV_SUCCESS); }

  static void IgnoreMessage(int /*code*/,
                            const char* /*module*/,
                            const char* /*function*/,
                            char* /*message*/,
                            void* /*data*/) {}

  static int CallDerivative(double t, N_Vector y, N_Vector dy, void* data) {
    auto& self = *static_cast<Cvode*>(data);
    return self.caught_.Call([&] {
      return self.evaluator_.Derivative(
          self.own_.Model(t), Elements(y), Elements(dy));
    });
  }

  // NOLINTNEXTLINE(readability-function-size): the signature is SUNDIALS'.
  static int CallJacobian(double t,
                          N_Vector y,
                          N_Vector dy,
                          SUNMatrix matrix,
                          void* data,
                          N_Vector /*scratch1*/,
                          N_Vector /*scratch2*/,
                          N_Vector /*scratch3*/) {
    auto& self = *static_cast<Cvode*>(data);
    return self.caught_.Call([&] {
      const Evaluation result = self.jacobian_->Evaluate(
          self.own_.Model(t), Elements(y), Elements(dy));
      if (result == Evaluation::kOk) {
        self.linear_->Fill(self.jacobian_->values(), matrix);
      }
      return result;
    });
  }

  void DoRestart() override {
    Reinitialize(LeastFirstStep(min_step_, max_step_, t()));
  }

  void Reinitialize(double min_step) {
    std::ranges::copy(x(), y_.values().begin());
    own_.Begin(t());
    own_t_ = 0;
    Check(CVodeReInit(memory_, 0, y_.get()));
    Check(CVodeSetInitStep(memory_, initial_step_));
    Check(CVodeSetMinStep(memory_, min_step));
    counted_ = {};
    fresh_ = true;
  }

  StepResult DoStep(double t_limit) override {
    int flag = Advance(t_limit);
    if (!fresh_ && (flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE ||
                    flag == CV_REPTD_RHSFUNC_ERR)) {
      Reinitialize(
          min_step_);  // History may be to blame: tries once more, at order 1.
      flag = Advance(t_limit);
    }
    if (flag == CV_TOO_CLOSE) {
      return StepBelowRounding(t_limit);
    }
    if (flag < 0) {
      const StepResult result = Translate(flag);
      Reinitialize(min_step_);
      return result;
    }
    fresh_ = false;
    return {};
  }

  // One step of CVODE.
  int Advance(double t_limit) {
    double reached = t();
    int flag = CVodeSetStopTime(memory_, own_.Of(t_limit));
    if (flag == CV_ILL_INPUT) {
      // CVODE's own time is past the limit by rounding.
      flag = CVodeGetDky(memory_, own_.Of(t_limit), 0, y_.get());
      own_t_ = own_.Of(t_limit);
      reached = t_limit;
    } else {
      flag = CVode(memory_, own_.Of(t_limit), y_.get(), &own_t_, CV_ONE_STEP);
      reached = flag == CV_TSTOP_RETURN ? t_limit : own_.Model(own_t_);
    }
    Count();
    caught_.Rethrow();
    if (flag >= 0 && reached < t_limit && reached - t() < LeastStep(t())) {
      return CV_ERR_FAILURE;  // It would continue forever with tiny steps.
    }
    if (flag >= 0) {
      std::swap(x_begin_, states());
      std::ranges::copy(y_.values(), states().begin());
      TimeIntegrator::Advance(std::min(reached, t_limit));
    }
    return flag;
  }

  // Takes a step too short for CVODE to begin with, by explicit Euler.
  StepResult StepBelowRounding(double t_limit) {
    const std::span<double> slope = scratch_.values();
    if (evaluator_.Derivative(t(), x(), slope) != Evaluation::kOk) {
      return evaluator_.failure();
    }
    x_begin_ = states();
    for (std::size_t i = 0; i < slope.size(); ++i) {
      states()[i] += (t_limit - t()) * slope[i];
    }
    TimeIntegrator::Advance(t_limit);
    Reinitialize(min_step_);
    return {};
  }

  void Count() {
    Counters now;
    long convergence_failures = 0;  // NOLINT(google-runtime-int)
    CVodeGetNumErrTestFails(memory_, &now.failures);
    CVodeGetNumNonlinSolvConvFails(memory_, &convergence_failures);
    now.failures += convergence_failures;
    CVodeGetNumNonlinSolvIters(memory_, &now.iterations);
    if (linear_ != nullptr) {
      CVodeGetNumLinSolvSetups(memory_, &now.setups);
    }
    counts().rejected_steps += now.failures - counted_.failures;
    counts().nonlinear_iterations += now.iterations - counted_.iterations;
    counts().factorizations += now.setups - counted_.setups;
    counted_ = now;
  }

  StepResult Translate(int flag) {
    switch (flag) {
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
      case CV_LSETUP_FAIL:
        return evaluator_.failure();
      case CV_CONV_FAILURE:
      case CV_LSOLVE_FAIL:
      case CV_NLS_FAIL:
        return {.outcome = StepOutcome::kNoConvergence, .index = WorstState()};
      default:
        ORRERY_CHECK(flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC ||
                     flag == CV_TOO_MUCH_WORK);
        return {.outcome = StepOutcome::kStepTooSmall, .index = WorstState()};
    }
  }

  // Returns the state with the largest estimated error relative to its
  // tolerance.
  int WorstState() {
    CVodeGetEstLocalErrors(memory_, scratch_.get());
    CVodeGetErrWeights(memory_, other_scratch_.get());
    int worst = -1;
    double largest = -1;
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double error =
          std::abs(scratch_.values()[i] * other_scratch_.values()[i]);
      if (error > largest) {
        largest = error;
        worst = static_cast<int>(i);
      }
    }
    return worst;
  }

  const DenseOutput& DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    int order = 0;
    CVodeGetLastOrder(memory_, &order);
    if (fresh_ || order < 1) {  // A step below rounding is a straight line.
      dense.Reset(dimension(), 1, t_begin(), h);
      for (std::size_t i = 0; i < x_begin_.size(); ++i) {
        dense.coefficients(0)[i] = x_begin_[i];
        dense.coefficients(1)[i] = x()[i] - x_begin_[i];
      }
      return dense;
    }
    const std::size_t n = x().size();
    std::ranges::copy(x(), taylor_.begin());
    double factor = 1;
    for (int k = 1; k <= order; ++k) {
      factor *= h / k;
      Check(CVodeGetDky(memory_, own_t_, k, scratch_.get()));
      for (std::size_t i = 0; i < n; ++i) {
        taylor_[static_cast<std::size_t>(k) * n + i] =
            factor * scratch_.values()[i];
      }
    }
    dense.Reset(dimension(), order + 1, t_begin(), h);
    SetTaylor(order, x_begin_, taylor_, dense);
    return dense;
  }

  SundialsContext context_;
  Evaluator evaluator_;
  Tolerances tolerances_;
  std::optional<JacobianEvaluator> jacobian_;  // For BDF.
  double initial_step_;
  double min_step_;
  double max_step_;
  SundialsVector y_;
  SundialsVector scratch_;
  SundialsVector other_scratch_;
  std::unique_ptr<SundialsLinearSolver> linear_;
  SUNNonlinearSolver nonlinear_ = nullptr;
  void* memory_ = nullptr;
  CaughtException caught_;
  OwnTime own_;
  double own_t_ = 0;
  Counters counted_;
  bool fresh_ = true;  // No step was taken since CVODE was initialised.
  std::vector<double> x_begin_;
  std::vector<double> taylor_;
};

}  // namespace

std::unique_ptr<CvodeIntegrator> MakeCvode(Method method,
                                           OdeProblem& problem,
                                           const SolverOptions& options) {
  return std::make_unique<Cvode>(method, problem, options);
}

}  // namespace orrery::solver::internal
