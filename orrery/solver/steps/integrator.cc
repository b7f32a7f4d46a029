#include "orrery/solver/steps/integrator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/state_number.h"

namespace orrery {

std::string_view Describe(StepOutcome outcome) noexcept {
  switch (outcome) {
    case StepOutcome::kStepped:
      return "the step succeeded";
    case StepOutcome::kStepTooSmall:
      return "the step became too small";
    case StepOutcome::kNotFinite:
      return "a derivative is not finite";
    case StepOutcome::kEvaluationFailed:
      return "the equations could not be evaluated";
    case StepOutcome::kNoConvergence:
      return "the implicit step did not converge";
    case StepOutcome::kStepLimit:
      return "the limit on the number of steps was reached";
  }
  return "";
}

TimeIntegrator::TimeIntegrator(int dimension,
                               std::int64_t max_steps,
                               std::string_view method)
    : max_steps_(max_steps),
      sizes_(static_cast<std::size_t>(std::max(dimension, 0))) {
  if (dimension < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot make an integrator: the problem has {} "
                            "states; it needs at least 1",
                            dimension));
  }
  most_at_once_ = std::clamp<std::int64_t>(1'000'000 / dimension, 8, 10'000);
  x_.resize(static_cast<std::size_t>(dimension));
  statistics_.method = method;
}

void TimeIntegrator::Restart(double t, std::span<const double> x) {
  if (!std::isfinite(t)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot start an integrator: t is {}; it must be "
                            "finite",
                            t));
  }
  if (x.size() != x_.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot start an integrator: x has {} elements, "
                            "the problem {} states",
                            x.size(),
                            x_.size()));
  }
  const auto bad = std::ranges::find_if_not(
      x, [](double value) { return std::isfinite(value); });
  if (bad != x.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot start an integrator: x[{}] is {}; it must "
                            "be finite",
                            bad - x.begin(),
                            *bad));
  }
  since_restart_ = state_ == State::kNew ? 0 : t - restarted_at_;
  restarted_at_ = t;
  t_ = t;
  t_begin_ = t;
  std::ranges::copy(x, x_.begin());
  state_ = State::kRestarted;
  DoRestart();
}

bool TimeIntegrator::Renew() {
  state_ = State::kNew;
  statistics_ = {.method = statistics_.method};
  sizes_.Begin();
  return DoRenew();
}

StepResult TimeIntegrator::Step(double t_limit) {
  if (state_ == State::kNew) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take a step: the integrator has no state; call "
                "Restart first");
  }
  if (!(t_limit > t_)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take a step from t = {} to t = {}; the "
                            "limit must be later",
                            t_,
                            t_limit));
  }
  if (statistics_.steps >= max_steps_) {
    return {.outcome = StepOutcome::kStepLimit};
  }
  state_ = State::kRestarted;  // A failure leaves no dense output.
  return DoStep(t_limit);
}

std::int64_t TimeIntegrator::MostAtOnce() const noexcept {
  return std::min(most_at_once_, max_steps_ - statistics_.steps);
}

bool TimeIntegrator::TakeBack() {
  if (!has_step() || !DoTakeBack()) {
    return false;
  }
  t_ = t_begin_;
  --statistics_.steps;
  ++statistics_.rejected_steps;
  state_ = State::kRestarted;
  return true;
}

StepResult TimeIntegrator::StepUntil(double until, double t_limit) {
  const std::int64_t most = MostAtOnce();
  const std::int64_t end = statistics_.steps + most;
  StepResult result;
  do {
    if (state_ != State::kNew && t_limit > t_ && most > 0 &&
        DoSteps(std::min(until, t_limit), t_limit, end - statistics_.steps)) {
      return {};
    }
    result = Step(t_limit);
  } while (result.stepped() && t_ < until && t_ < t_limit &&
           statistics_.steps < end);
  return result;
}

bool TimeIntegrator::Transfer(StateStream& stream) {
  stream.Choice(state_, State::kDense);
  stream.Number(t_);
  stream.Number(t_begin_);
  stream.Number(restarted_at_);
  stream.Number(since_restart_);
  stream.Same(x_);
  TransferCount(stream, statistics_.steps);
  TransferCount(stream, statistics_.rejected_steps);
  TransferCount(stream, statistics_.rhs_evaluations);
  TransferCount(stream, statistics_.jacobian_evaluations);
  TransferCount(stream, statistics_.factorizations);
  TransferCount(stream, statistics_.nonlinear_iterations);
  stream.Number(statistics_.last_step);
  sizes_.Transfer(stream);
  const bool has_own = state_ == State::kDense && &DenseSet(dense_) == &dense_;
  if (has_own) {
    dense_.Transfer(stream, dimension());
  }
  const bool is_whole = DoTransfer(stream);
  dense_at_ = &DenseSet(dense_);
  return is_whole;
}

const DenseOutput& TimeIntegrator::MakeDense() {
  if (!has_step()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot give the dense output: no step was taken since the "
                "last restart");
  }
  dense_at_ = &DoDense(dense_);
  state_ = State::kDense;
  return *dense_at_;
}

void TimeIntegrator::LeapBy(std::int64_t steps, double t, double h) noexcept {
  t_begin_ = t_;
  t_ = t;
  statistics_.steps += steps;
  statistics_.last_step = h;
  sizes_.See(statistics_.steps, x_);
  state_ = State::kRestarted;  // There is no dense output.
}

void TimeIntegrator::AdvanceBy(std::int64_t steps,
                               double begin,
                               double t) noexcept {
  t_begin_ = begin;
  t_ = t;
  statistics_.steps += steps;
  statistics_.last_step = t_ - t_begin_;
  sizes_.See(statistics_.steps, x_);
  state_ = State::kStepped;
}

void TimeIntegrator::Advance(double t) noexcept {
  AdvanceBy(1, t_, t);
}

}  // namespace orrery
