#include "orrery/solver/adaptive/adaptive_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "orrery/solver/adaptive/adaptive_lanes.h"
#include "orrery/solver/adaptive/power.h"

namespace orrery::solver::internal {
namespace {

// Longest step to repeat after a restart, relative to the time since the
// restart before: a longer step could not tell events that follow each other
// ever faster from rounding.
constexpr double kLongestAfterRestart = 10;
// Least first step, relative to the negligible step: for states that begin far
// below their typical size.
constexpr double kLeastStart = 1e6;

}  // namespace

AdaptiveStepIntegrator::AdaptiveStepIntegrator(OdeProblem& problem,
                                               const SolverOptions& options,
                                               Method method,
                                               const StepControl& control)
    : TimeIntegrator(
          problem.dimension(), options.max_steps, NameOf(method).name),
      evaluator_(problem, counts()),
      tolerances_(options, problem.dimension()),
      control_(control),
      initial_step_(options.initial_step),
      min_step_(options.min_step),
      max_step_(options.max_step),
      least_root_(Power(1e-2, 1.0 / control.order)),
      slope_(x().size()),
      x_begin_(x().size()),
      slope_begin_(x().size()),
      x_new_(x().size()),
      slope_new_(x().size()) {}

void AdaptiveStepIntegrator::DoRestart() {
  slope_known_ = false;
  h_ = initial_step_;
  least_first_h_ = 0;
  const bool has_plan = planned_h_ > 0 && t() > planned_from_;
  if (h_ == 0 && !control_.predictive && has_plan) {
    least_first_h_ = kLongestAfterRestart * since_restart();
    if (least_first_h_ >= planned_h_) {
      h_ = planned_h_;
    }
  }
  previous_h_ = 0;
  previous_log_ = kLeastPreviousLog;
  Forget();
}

bool AdaptiveStepIntegrator::DoTakeBack() {
  std::swap(x_begin_, states());
  std::swap(slope_begin_, slope_);
  h_ = planned_h_;
  Forget();
  return true;
}

bool AdaptiveStepIntegrator::DoTransfer(StateStream& stream) {
  for (double* const number : {&h_,
                               &planned_h_,
                               &planned_from_,
                               &least_first_h_,
                               &previous_log_,
                               &previous_root_,
                               &previous_h_}) {
    stream.Number(*number);
  }
  stream.Truth(slope_known_);
  for (std::vector<double>* const values :
       {&slope_, &x_begin_, &slope_begin_}) {
    stream.Same(*values);
  }
  TransferStages(stream);
  return true;
}

StepResult AdaptiveStepIntegrator::Start(double t_limit) {
  if (!slope_known_) {
    if (evaluator_.Derivative(t(), x(), slope_) != Evaluation::kOk) {
      return evaluator_.failure();
    }
    slope_known_ = true;
  }
  if (h_ == 0) {
    h_ = std::max({InitialStep(t_limit), least_first_h_, min_step_});
  }
  return {};
}

// Hairer, Norsett & Wanner, Solving ODEs I, II.4, "Starting Step Size".
double AdaptiveStepIntegrator::InitialStep(double t_limit) {
  const auto n = static_cast<double>(dimension());
  const auto norm = [&](std::span<const double> values) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double scaled = values[i] / tolerances_.Scale(i, std::abs(x()[i]));
      sum += scaled * scaled;
    }
    return std::sqrt(sum / n);
  };
  const double longest = std::min(max_step_, t_limit - t());
  const double size = norm(x());
  const double speed = norm(slope_);
  // If x is zero within its tolerance, as after many events, its size means
  // nothing.
  double h = size < 1 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h = std::min(h, longest);
  for (std::size_t i = 0; i < x_new_.size(); ++i) {
    x_new_[i] = x()[i] + h * slope_[i];
  }
  if (evaluator_.Derivative(t() + h, x_new_, slope_new_) != Evaluation::kOk) {
    return kRetryFactor * h;
  }
  for (std::size_t i = 0; i < x_new_.size(); ++i) {
    slope_new_[i] -= slope_[i];
  }
  const double bend = std::max(speed, norm(slope_new_) / h);
  const double by_bend = bend <= 1e-15
                             ? std::max(1e-6, 1e-3 * h)
                             : Power(0.01 / bend, 1.0 / control_.order);
  const double negligible = NegligibleStep(t(), t_limit);
  const double by_size =
      100 * h > negligible ? 100 * h : kLeastStart * negligible;
  return std::min({by_size, by_bend, longest});
}

// Returns the next step after an accepted one with this error. The error of a
// step that a limit has cut to a fraction may be rounding and shows no trend.
double AdaptiveStepIntegrator::StepAfter(double h,
                                         double planned,
                                         double square) {
  constexpr double kCut = 0.1;
  const double exponent = 1.0 / control_.order;
  const double log = 0.5 * Log2(square);
  const double safe = control_.safety * h;
  double next = 0;
  if (control_.predictive) {
    const double root = Exp2(exponent * log);
    next = safe / root;
    if (previous_h_ > 0 && h > kCut * planned) {
      next *= std::min(1.0, (h / previous_h_) * (previous_root_ / root));
    }
    previous_root_ = std::max(root, least_root_);
  } else {
    next = safe * Exp2(std::fma(0.75 * control_.beta - exponent,
                                log,
                                control_.beta * previous_log_));
    previous_log_ = std::max(log, kLeastPreviousLog);
  }
  previous_h_ = h;
  return next;
}

// Returns the length of the next attempt after a rejected one.
double AdaptiveStepIntegrator::StepInstead(double h,
                                           const Attempt& attempt) const {
  if (attempt.evaluation != Evaluation::kOk || !std::isfinite(attempt.square)) {
    return kRetryFactor * h;
  }
  const double log = 0.5 * Log2(attempt.square);
  return std::max(control_.safety * h * Exp2(-1.0 / control_.order * log),
                  control_.min_factor * h);
}

// Names a state if none is named yet.
StepResult AdaptiveStepIntegrator::Blame(StepResult failure) const {
  const bool is_blamed = failure.outcome == StepOutcome::kNotFinite ||
                         failure.outcome == StepOutcome::kStepTooSmall;
  if (is_blamed && failure.index < 0) {
    failure.index = tolerances_.Fastest(x(), slope_);
  }
  return failure;
}

bool AdaptiveStepIntegrator::BeginSteps(double t_limit) {
  return at_once_.method != nullptr && t_limit > t() &&
         Start(t_limit).stepped() && evaluator_.problem().CanTakeSteps();
}

AdaptiveStepIntegrator::StepNumbers AdaptiveStepIntegrator::WriteSteps(
    double until, double t_limit, std::int64_t most) const noexcept {
  using Steps = EmbeddedSteps;
  StepNumbers numbers{};
  numbers[Steps::kT] = t();
  numbers[Steps::kUntil] = std::min(until, t_limit);
  numbers[Steps::kLimit] = t_limit;
  numbers[Steps::kStep] = std::min(h_, max_step_);
  numbers[Steps::kFirstStep] = numbers[Steps::kStep];
  numbers[Steps::kLeastStep] = LeastStep(min_step_, t(), t_limit);
  numbers[Steps::kMaxStep] = max_step_;
  numbers[Steps::kStabilityLimit] = stability_limit_;
  numbers[Steps::kPreviousLog] = previous_log_;
  numbers[Steps::kPlannedStep] = planned_h_;
  numbers[Steps::kMostSteps] = static_cast<double>(most);
  numbers[Steps::kOutcome] = LaneOutcome::kGoing;
  return numbers;
}

AdaptiveStepIntegrator::StepArrays
AdaptiveStepIntegrator::step_arrays() noexcept {
  return {.x = states(),
          .slope = slope_,
          .x_begin = x_begin_,
          .slope_begin = slope_begin_,
          .stages = at_once_.stages,
          .argument = at_once_.argument};
}

std::int64_t AdaptiveStepIntegrator::ReadSteps(
    const StepNumbers& numbers) noexcept {
  using Steps = EmbeddedSteps;
  const ExplicitTableau& tableau = at_once_.method->tableau;
  const auto taken = static_cast<std::int64_t>(numbers[Steps::kSteps]);
  const auto rejected =
      static_cast<std::int64_t>(numbers[Steps::kRejectedSteps]);
  const auto stages = static_cast<std::int64_t>(tableau.stages());
  counts().rejected_steps += rejected;
  counts().rhs_evaluations += tableau.has_end_slope
                                  ? (taken + rejected) * stages
                                  : (taken + rejected) * (stages - 1) + taken;
  if (taken > 0) {
    h_ = numbers[Steps::kStep];
    previous_h_ = numbers[Steps::kT] - numbers[Steps::kBegin];
    previous_log_ = numbers[Steps::kPreviousLog];
    planned_h_ = numbers[Steps::kPlannedStep];
    planned_from_ = numbers[Steps::kBegin];
    if (numbers[Steps::kOutcome] == LaneOutcome::kStuck) {  // In a new step.
      LeapBy(taken, numbers[Steps::kT], previous_h_);
    } else {
      AdvanceBy(taken, numbers[Steps::kBegin], numbers[Steps::kT]);
    }
  }
  return taken;
}

bool AdaptiveStepIntegrator::DoSteps(double until,
                                     double t_limit,
                                     std::int64_t most) {
  if (most < 1 || at_once_.method == nullptr ||
      !evaluator_.problem().CanTakeSteps() || !Start(t_limit).stepped()) {
    return false;
  }
  StepNumbers numbers = WriteSteps(until, t_limit, most);
  const StepArrays arrays = step_arrays();
  const EmbeddedSteps steps = {
      .numbers = numbers.data(),
      .x = arrays.x.data(),
      .slope = arrays.slope.data(),
      .x_begin = arrays.x_begin.data(),
      .slope_begin = arrays.slope_begin.data(),
      .stages = arrays.stages.data(),
      .argument = arrays.argument.data(),
      .x_new = x_new_.data(),
      .absolute_tolerances = tolerances_.absolute().data(),
      .relative_tolerance = tolerances_.relative()};
  if (!evaluator_.problem().TakeSteps(*at_once_.method, steps)) {
    return false;
  }
  ReadSteps(numbers);
  return numbers[EmbeddedSteps::kOutcome] == LaneOutcome::kArrived;
}

std::unique_ptr<StepLanes> AdaptiveStepIntegrator::MakeLanes(
    StepTaker& stepper) {
  return at_once_.method == nullptr
             ? nullptr
             : std::make_unique<AdaptiveLanes>(stepper, *this);
}

// Plans the step after one of length h, which a limit may have cut. If the next
// one grows, the cut length does not matter for it.
void AdaptiveStepIntegrator::PlanNext(double h,
                                      double planned,
                                      double next,
                                      bool was_rejected) noexcept {
  const double least = next > h ? planned : control_.min_factor * h;
  const double most =
      was_rejected ? h : std::max(control_.max_factor * h, planned);
  h_ = std::min({std::max(next, least), most, max_step_});
  planned_h_ = planned;
  planned_from_ = t();
}

void AdaptiveStepIntegrator::Commit(double t_new) {
  std::swap(x_begin_, states());
  std::swap(states(), x_new_);
  std::swap(slope_begin_, slope_);
  std::swap(slope_, slope_new_);
  Advance(t_new);
}

StepResult AdaptiveStepIntegrator::DoStep(double t_limit) {
  if (const StepResult result = Start(t_limit); !result.stepped()) {
    return result;
  }
  if (DoSteps(t(), t_limit, 1)) {
    return {};
  }
  if (h_ < NegligibleStep(t(), t_limit) && t() + h_ < t_limit) {
    h_ = 0;
    return Blame({.outcome = StepOutcome::kStepTooSmall, .index = -1});
  }
  bool rejected = false;
  for (double h = std::min(h_, max_step_);;) {
    const bool last = t() + kStretch * h >= t_limit;
    const double t_next = t() + h;
    // Otherwise rounding would let x and t drift apart, step by step.
    const double planned = t_next - t();
    h = last ? t_limit - t() : planned;
    const double t_new = last ? t_limit : t_next;
    Attempt attempt = Try(h, t_new, x_new_);
    if (attempt.evaluation == Evaluation::kOk && attempt.square <= 1) {
      attempt.evaluation = Accept(t_new, x_new_, slope_new_);
    }
    if (attempt.evaluation == Evaluation::kFail) {
      return evaluator_.failure();
    }
    if (attempt.evaluation == Evaluation::kOk && attempt.square <= 1) {
      PlanNext(h, planned, StepAfter(h, planned, attempt.square), rejected);
      Commit(t_new);
      return {};
    }
    rejected = true;
    ++counts().rejected_steps;
    h = StepInstead(h, attempt);
    h_ = h;
    // The step has to stay useful when rounded to a difference of times.
    const double rounding =
        std::numeric_limits<double>::epsilon() * std::abs(t());
    if (h <= std::max(min_step_, NegligibleStep(t(), t_limit)) + rounding) {
      h_ = 0;
      if (attempt.evaluation != Evaluation::kOk) {
        return Blame(evaluator_.failure());
      }
      return {.outcome = StepOutcome::kStepTooSmall, .index = attempt.worst};
    }
  }
}

}  // namespace orrery::solver::internal
