#include "orrery/solver/automatic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/files/state_number.h"
#include "orrery/solver/adaptive/explicit_runge_kutta.h"
#include "orrery/solver/adaptive/quadratic_motion.h"
#include "orrery/solver/adaptive/rosenbrock.h"
#include "orrery/solver/adaptive/taylor.h"
#include "orrery/solver/algebra/sparsity.h"
#include "orrery/solver/steps/stability.h"
#include "orrery/solver/sundials/cvode.h"

namespace orrery::solver::internal {
namespace {

// Below it, dop853 takes so few steps that they are cheaper.
constexpr double kTightTolerance = 5e-7;
constexpr int kSeriesDimension = 500;
// Rodas5P factors its matrix in each step and solves with it nine times; its
// steps are several times as long as those of CVODE. It is faster up to this
// dimension, and beyond it if factoring costs at most this many solutions.
constexpr int kRosenbrockDimension = 100;
constexpr double kWorkOfFactors = 10;
// A longer step, relative to the stability bound, is limited by stability: the
// step size control keeps it a little below the bound.
constexpr double kLimited = 0.75;
// Number of steps limited by stability that make a problem stiff, and number of
// other steps in a row that clear it: as in Hairer's DOPRI5.
constexpr int kStiffSteps = 15;
constexpr int kCalmSteps = 6;
// Number of implicit steps in a row, each at most half the stable explicit
// length, before an explicit method gets its turn; it grows by a factor with
// each turn.
constexpr double kEasy = 0.5;
constexpr std::int64_t kFirstPatience = 50;
constexpr std::int64_t kPatienceGrowth = 4;

// An integrator and its view of stability: the same object.
struct Engine {
  std::unique_ptr<TimeIntegrator> integrator;
  StabilityEstimate* stability = nullptr;
};

template <typename IntegratorT>
Engine MakeEngine(std::unique_ptr<IntegratorT> integrator) {
  StabilityEstimate* const stability = integrator.get();
  return {.integrator = std::move(integrator), .stability = stability};
}

bool SuitsRosenbrock(const OdeProblem& problem) {
  if (!problem.is_jacobian_exact()) {
    return false;
  }
  if (problem.dimension() <= kRosenbrockDimension) {
    return true;
  }
  const SparsityPattern* const pattern = problem.jacobian_pattern();
  return pattern != nullptr && WorkOfFactors(*pattern) <= kWorkOfFactors;
}

// Cost of a Runge-Kutta step in ns, and the number of such steps worth one step
// by series: `steps` at a tolerance of 1e-3, growing with a power of its
// reciprocal. Measured for 20 problems of up to 400 states, at the same errors.
struct RungeKuttaCost {
  double step = 0;
  double state = 0;
  double evaluations = 0;
  double steps = 0;
  double exponent = 0;
};

constexpr RungeKuttaCost kCostOf5 = {
    .step = 50, .state = 3, .evaluations = 6, .steps = 1.8, .exponent = 0.14};
constexpr RungeKuttaCost kCostOf8 = {
    .step = 70, .state = 7, .evaluations = 12, .steps = 1, .exponent = 0.06};

bool IsSeriesCheaper(OdeProblem& problem, double tolerance) {
  const RungeKuttaCost& other =
      tolerance > kTightTolerance ? kCostOf5 : kCostOf8;
  const SeriesCost cost = problem.CostOfSeries(TaylorOrderFor(tolerance));
  const double step = other.step + other.state * problem.dimension() +
                      other.evaluations * cost.derivative;
  return cost.series <=
         other.steps * std::pow(1e-3 / tolerance, other.exponent) * step;
}

class Automatic final : public TimeIntegrator {
 public:
  Automatic(OdeProblem& problem, const SolverOptions& options)
      : TimeIntegrator(problem.dimension(), options.max_steps, "auto"),
        problem_(problem),
        options_(options) {
    explicit_ = MakeExplicit();
    counts().method = method().statistics().method;
  }

  [[nodiscard]] bool begins_at_first_order() const noexcept override {
    return method().begins_at_first_order();
  }

  [[nodiscard]] std::span<const MethodSwitch> switches() const override {
    return switches_;
  }

  [[nodiscard]] std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& stepper) override {
    return method().MakeLanes(stepper);
  }

  [[nodiscard]] std::size_t vectors_at_once() const noexcept override {
    return method().vectors_at_once();
  }

  [[nodiscard]] TimeIntegrator& active() noexcept override {
    return verdict_.empty() ? method() : *this;
  }

  // All explicit steps but the last one were calm. The last one was calm, too,
  // if another step was tried in vain after it.
  void FollowActive(std::int64_t steps) override {
    if (steps < 1) {
      return;
    }
    Sum();
    std::ranges::copy(method().x(), states().begin());
    if (!method().has_step()) {
      LeapBy(steps, method().t(), method().statistics().last_step);
      NoteCalm(steps);
      return;
    }
    AdvanceBy(steps, method().t_begin(), method().t());
    if (is_stiff_) {
      JudgeStiff();
      return;
    }
    NoteCalm(steps - 1);
    JudgeExplicit();
  }

 private:
  Engine MakeExplicit() {
    const double tolerance = options_.relative_tolerance;
    has_series_ = problem_.dimension() <= kSeriesDimension &&
                  !problem_.HasEvents() &&
                  problem_.series() == SeriesKind::kSmooth &&
                  IsSeriesCheaper(problem_, tolerance);
    if (has_series_) {
      return MakeJudged(std::make_unique<TaylorIntegrator>(problem_, options_));
    }
    return MakeRungeKutta();
  }

  Engine MakeRungeKutta() {
    return options_.relative_tolerance > kTightTolerance
               ? MakeJudged(MakeDormandPrince5(problem_, options_))
               : MakeJudged(MakeDormandPrince8(problem_, options_));
  }

  Engine MakeStiff() {
    return SuitsRosenbrock(problem_)
               ? MakeEngine(MakeRosenbrock(problem_, options_))
               : MakeEngine(MakeCvode(Method::kCvodeBdf, problem_, options_));
  }

  template <typename IntegratorT>
  static Engine MakeJudged(std::unique_ptr<IntegratorT> integrator) {
    integrator->EndStepsBeyond(kLimited);
    return MakeEngine(std::move(integrator));
  }

  [[nodiscard]] TimeIntegrator& method() const {
    return is_stiff_ ? *stiff_.integrator : *explicit_.integrator;
  }

  // Keeps what is known of stiffness for an explicit method: events more
  // frequent than kStiffSteps steps would hide it. Calm steps clear the count
  // of limited ones as ever.
  void DoRestart() override {
    if (has_series_ && problem_.HasEvents()) {
      LeaveSeries("others change its states");
    } else {
      method().Restart(t(), x());
    }
    verdict_.clear();
    calm_ = is_stiff_ ? 0 : calm_;
  }

  bool DoRenew() override {
    hits_ = 0;
    return switches_.empty() && explicit_.integrator->Renew();
  }

  bool DoTransfer(StateStream& stream) override {
    bool has_left = left_.integrator != nullptr;
    bool has_stiff = stiff_.integrator != nullptr;
    stream.Truth(has_left);
    stream.Truth(has_stiff);
    stream.Truth(is_stiff_);
    stream.Expect(has_stiff || !is_stiff_, "no stiff method");
    stream.Expect(!has_left || has_series_ || left_.integrator != nullptr,
                  "a series where there is none");
    if (stream.reads()) {
      TakeEngines(has_left, has_stiff);
    }
    TransferCount(stream, hits_);
    TransferCount(stream, calm_);
    TransferCount(stream, patience_);
    stream.Text(verdict_);
    bool is_whole = explicit_.integrator->Transfer(stream) || is_stiff_;
    if (has_left) {
      static_cast<void>(left_.integrator->Transfer(stream));  // Its work.
    }
    if (has_stiff) {
      is_whole =
          (stiff_.integrator->Transfer(stream) || !is_stiff_) && is_whole;
    }
    std::erase_if(switches_, [this](const MethodSwitch& change) {
      return change.t > t();
    });
    counts().method = method().statistics().method;
    return is_whole;
  }

  // Makes the methods that the read state is of.
  void TakeEngines(bool has_left, bool has_stiff) {
    if (has_left && left_.integrator == nullptr) {
      left_ = std::exchange(explicit_, MakeRungeKutta());
      has_series_ = false;
    } else if (!has_left && left_.integrator != nullptr) {
      explicit_ = std::exchange(left_, {});
      has_series_ = true;
    }
    if (has_stiff && stiff_.integrator == nullptr) {
      stiff_ = MakeStiff();
    } else if (!has_stiff) {
      stiff_ = {};
    }
  }

  [[nodiscard]] const DenseOutput& DenseSet(
      const DenseOutput& /*dense*/) const override {
    return method().dense_made();
  }

  StepResult DoStep(double t_limit) override {
    if (!verdict_.empty()) {
      Switch(std::exchange(verdict_, {}));
    }
    StepResult result = method().Step(t_limit);
    const bool is_singular = result.outcome == StepOutcome::kNotFinite ||
                             result.outcome == StepOutcome::kEvaluationFailed;
    if (!is_stiff_ && has_series_ && is_singular) {
      LeaveSeries("its series is not finite");
      result = method().Step(t_limit);
    }
    if (!is_stiff_ && result.outcome == StepOutcome::kStepTooSmall) {
      Switch("its step became too small");
      result = method().Step(t_limit);
    }
    if (!result.stepped()) {
      Sum();
      return result;
    }
    FollowActive(1);
    return {};
  }

  bool DoSteps(double until, double t_limit, std::int64_t most) override {
    if (!verdict_.empty() || is_stiff_) {
      return false;
    }
    const std::int64_t before = method().statistics().steps;
    method().TakeSteps(until, t_limit, most);
    const std::int64_t steps = method().statistics().steps - before;
    FollowActive(steps);
    return steps > 0 && (t() >= until || steps >= most);
  }

  bool DoTakeBack() override {
    if (!method().TakeBack()) {
      return false;
    }
    std::ranges::copy(method().x(), states().begin());
    return true;
  }

  const DenseOutput& DoDense(DenseOutput& /*dense*/) override {
    return method().dense();
  }

  void JudgeExplicit() {
    if (explicit_.stability->IsStepBeyond(kLimited)) {
      calm_ = 0;
      if (++hits_ >= kStiffSteps) {
        verdict_ = fmt::format(
            "stiffness: {} steps were limited by stability, the last of {:.3g}",
            kStiffSteps,
            statistics().last_step);
      }
    } else {
      NoteCalm(1);
    }
  }

  void NoteCalm(std::int64_t steps) {
    calm_ += steps;
    hits_ = calm_ >= kCalmSteps ? 0 : hits_;
  }

  void JudgeStiff() {
    calm_ = stiff_.stability->IsStepBeyond(kEasy) ? 0 : calm_ + 1;
    if (calm_ >= patience_) {
      verdict_ = fmt::format(
          "no longer stiff: {} steps could have been explicit", calm_);
      patience_ *= kPatienceGrowth;
    }
  }

  // Leaves the series for a Runge-Kutta method if there are events, or if f is
  // finite but its derivatives are not, as for sqrt(x) at 0.
  void LeaveSeries(std::string reason) {
    has_series_ = false;
    left_ = std::move(explicit_);
    explicit_ = MakeRungeKutta();
    method().Restart(t(), x());
    if (!is_stiff_) {
      NoteSwitch(left_.integrator->statistics().method, std::move(reason));
    }
  }

  void NoteSwitch(std::string_view from, std::string reason) {
    switches_.push_back({.t = t(),
                         .from = from,
                         .to = method().statistics().method,
                         .reason = std::move(reason)});
  }

  // Switches to the other method from here on.
  void Switch(std::string reason) {
    const std::string_view from = method().statistics().method;
    is_stiff_ = !is_stiff_;
    if (is_stiff_ && stiff_.integrator == nullptr) {
      stiff_ = MakeStiff();
    }
    method().Restart(t(), x());
    hits_ = 0;
    calm_ = 0;
    NoteSwitch(from, std::move(reason));
  }

  // Sums up the work of all methods.
  void Sum() {
    IntegratorStatistics& sum = counts();
    sum = {.steps = sum.steps,
           .last_step = sum.last_step,
           .method = method().statistics().method};
    for (const Engine* const engine : {&explicit_, &left_, &stiff_}) {
      if (engine->integrator == nullptr) {
        continue;
      }
      const IntegratorStatistics& work = engine->integrator->statistics();
      sum.rejected_steps += work.rejected_steps;
      sum.rhs_evaluations += work.rhs_evaluations;
      sum.jacobian_evaluations += work.jacobian_evaluations;
      sum.factorizations += work.factorizations;
      sum.nonlinear_iterations += work.nonlinear_iterations;
    }
  }

  OdeProblem& problem_;
  SolverOptions options_;
  Engine explicit_;
  Engine stiff_;             // Made on the first use.
  Engine left_;              // The Taylor series, if it was left.
  bool has_series_ = false;  // explicit_ uses the series.
  bool is_stiff_ = false;
  std::int64_t hits_ = 0;
  std::int64_t calm_ = 0;
  std::int64_t patience_ = kFirstPatience;
  std::string verdict_;  // Reason to switch before the next step; empty: none.
  std::vector<MethodSwitch> switches_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> MakeAutomatic(OdeProblem& problem,
                                              const SolverOptions& options) {
  return problem.degree().value_or(kQuadratic + 1) <= kQuadratic
             ? MakeQuadraticMotion(problem, options)
             : std::make_unique<Automatic>(problem, options);
}

}  // namespace orrery::solver::internal
