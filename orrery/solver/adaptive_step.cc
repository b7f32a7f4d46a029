#include "orrery/solver/internal/adaptive_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "orrery/solver/internal/power.h"

namespace orrery::internal {
namespace {

// Of the step, where the problem could not be evaluated.
constexpr double kRetryFactor = 0.2;
// Of the time since the restart before: a longer step could not tell events
// that follow each other ever faster from rounding.
constexpr double kLongestAfterRestart = 10;

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
  previous_error_ = 1e-4;
  Forget();
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
  // Within the tolerance of zero, where events leave states, the size of x says
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
  return std::min({100 * h, by_bend, longest});
}

// The next step after an accepted one.
double AdaptiveStepIntegrator::Grow(double h, double error) {
  const double exponent = 1.0 / control_.order;
  error = std::max(error, 1e-10);
  double factor = 0;
  if (control_.predictive) {
    const double root = Power(error, exponent);
    factor = control_.safety / root;
    if (previous_h_ > 0) {
      factor *= std::min(1.0, (h / previous_h_) * (previous_root_ / root));
    }
    previous_root_ = std::max(root, least_root_);
  } else {
    factor = control_.safety * Power(error, -(exponent - 0.75 * control_.beta));
    if (control_.beta > 0) {
      factor *= Power(previous_error_, control_.beta);
    }
    previous_error_ = std::max(error, 1e-4);
  }
  previous_h_ = h;
  return h * std::clamp(factor, control_.min_factor, control_.max_factor);
}

double AdaptiveStepIntegrator::RejectedFactor(const Attempt& attempt) const {
  if (attempt.evaluation != Evaluation::kOk || !std::isfinite(attempt.error)) {
    return kRetryFactor;
  }
  return std::max(
      control_.min_factor,
      control_.safety * Power(attempt.error, -1.0 / control_.order));
}

// Names the state that changes fastest if none is named yet.
StepResult AdaptiveStepIntegrator::Blame(StepResult failure) const {
  const bool is_blamed = failure.outcome == StepOutcome::kNotFinite ||
                         failure.outcome == StepOutcome::kStepTooSmall;
  if (!is_blamed || failure.index >= 0) {
    return failure;
  }
  double fastest = -1;
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    const double speed =
        std::abs(slope_[i]) / tolerances_.Scale(i, std::abs(x()[i]));
    if (speed > fastest) {
      fastest = speed;
      failure.index = static_cast<int>(i);
    }
  }
  return failure;
}

bool AdaptiveStepIntegrator::TakeStages(
    const ExplicitTableau& tableau,
    double h,
    double t_new,
    const OdeProblem::StepBuffers& buffers) {
  OdeProblem& problem = evaluator_.problem();
  if (!problem.CanTakeSteps()) {
    return false;
  }
  std::ranges::copy(slope_, buffers.slopes.begin());
  if (!problem.TakeStages(tableau, t(), t_new, h, x(), buffers)) {
    return false;
  }
  counts().rhs_evaluations += static_cast<std::int64_t>(tableau.stages()) -
                              (tableau.has_end_slope ? 0 : 1);
  return true;
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
  if (h_ < NegligibleStep(t(), t_limit) && t() + h_ < t_limit) {
    h_ = 0;
    return Blame({.outcome = StepOutcome::kStepTooSmall, .index = -1});
  }
  bool rejected = false;
  for (double h = std::min(h_, max_step_);;) {
    const bool last = t() + kStretch * h >= t_limit;
    const double planned = h;
    h = last ? t_limit - t() : h;
    const double t_new = last ? t_limit : t() + h;
    Attempt attempt = Try(h, t_new, x_new_);
    if (attempt.evaluation == Evaluation::kOk && attempt.error <= 1) {
      attempt.evaluation = Accept(t_new, x_new_, slope_new_);
    }
    if (attempt.evaluation == Evaluation::kFail) {
      return evaluator_.failure();
    }
    if (attempt.evaluation == Evaluation::kOk && attempt.error <= 1) {
      double next = Grow(h, attempt.error);
      if (rejected) {
        next = std::min(next, h);
      } else if (next > h) {  // A limit that cut the step says nothing of it.
        next = std::max(next, planned);
      }
      h_ = std::min(next, max_step_);
      planned_h_ = planned;
      planned_from_ = t();
      Commit(t_new);
      return {};
    }
    rejected = true;
    ++counts().rejected_steps;
    h *= RejectedFactor(attempt);
    h_ = h;
    if (h < std::max(min_step_, NegligibleStep(t(), t_limit))) {
      h_ = 0;
      if (attempt.evaluation != Evaluation::kOk) {
        return Blame(evaluator_.failure());
      }
      return {.outcome = StepOutcome::kStepTooSmall, .index = attempt.worst};
    }
  }
}

}  // namespace orrery::internal
