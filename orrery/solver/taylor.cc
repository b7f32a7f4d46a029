#include "orrery/solver/internal/taylor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/solver/internal/adaptive_step.h"
#include "orrery/solver/internal/power.h"

namespace orrery::internal {
namespace {

constexpr int kLeastOrder = 4;
constexpr int kMostOrder = 30;
// A unit of time that is so much too short or long is chosen anew.
constexpr double kFarOff = 1e3;
constexpr int kMostUnits = 8;
// Where there may be kinks, a step is at most so many times the last one.
constexpr double kMostGrowth = 10;
// The first step after an event is at least this part of what the series
// allows.
constexpr double kLeastFirst = 1e-6;
constexpr double kRetryFactor = 0.2;

// Jorba & Zou (2005), eq. (3-9), have 1/2 for 0.7: of least work if that grows
// as the square of the order. A part of it does not.
int OrderFor(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(1 - 0.7 * std::log(tolerance))),
                    kLeastOrder,
                    kMostOrder);
}

// The largest z, in 64ths, for which |sum_(k <= order) (-y)^k / k!| <= 1 for
// y <= z.
constexpr double RealStabilityBound(int order) {
  constexpr double kUnit = 1.0 / 64;
  int stable = 64;
  int unstable = 64 * order;
  while (unstable - stable > 1) {
    const int middle = (stable + unstable) / 2;
    double sum = 1;
    for (int k = order; k > 0; --k) {
      sum = 1 - sum * (kUnit * middle) / k;
    }
    (sum >= -1 && sum <= 1 ? stable : unstable) = middle;
  }
  return kUnit * stable;
}

// By order.
constexpr auto kStabilityBounds = [] {
  std::array<double, kMostOrder + 1> bounds{};
  for (std::size_t order = kLeastOrder; order < bounds.size(); ++order) {
    bounds[order] = RealStabilityBound(static_cast<int>(order));
  }
  return bounds;
}();

// The theta at which a term of that order is as large as the tolerance.
double Reach(double size, int order) {
  return size == 0 ? std::numeric_limits<double>::infinity()
                   : Power(size, -1.0 / order);
}

// A power of two, so that nothing is rounded by it.
double UnitNear(double time) {
  return std::ldexp(1.0, std::ilogb(time));
}

}  // namespace

TaylorIntegrator::TaylorIntegrator(OdeProblem& problem,
                                   const SolverOptions& options)
    : TimeIntegrator(
          problem.dimension(), options.max_steps, NameOf(Method::kTaylor).name),
      evaluator_(problem, counts()),
      tolerances_(options, problem.dimension()),
      order_(OrderFor(options.relative_tolerance)),
      has_breaks_(problem.series() == SeriesKind::kPiecewise ||
                  problem.IsWatched()),
      safety_(Power(std::numbers::e, -0.7 / (order_ - 1))),
      initial_step_(options.initial_step),
      min_step_(options.min_step),
      max_step_(options.max_step),
      series_(x().size() * static_cast<std::size_t>(order_ + 1)),
      slope_(x().size()),
      x_new_(x().size()),
      lost_(x().size()),
      lost_new_(x().size()),
      x_middle_(has_breaks_ ? x().size() : 0) {
  if (problem.series() == SeriesKind::kNone) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot integrate by 'taylor': " + problem.WhyNoSeries() +
                    "; choose another method, as 'dop853'");
  }
}

void TaylorIntegrator::DoRestart() {
  is_expanded_ = false;
  is_first_ = true;
  std::ranges::fill(lost_, 0.0);
}

// Below the tolerance of x, or the way to go, nothing is known of the speed.
double TaylorIntegrator::FirstUnit(double t_limit) const {
  double speed = 0;
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    const double size = std::max(
        std::abs(x()[i]), tolerances_.absolute()[i] / tolerances_.relative());
    speed = std::max(speed, std::abs(slope_[i]) / size);
  }
  const double longest = std::min(max_step_, t_limit - t());
  return speed * longest > 1 ? 1 / speed : longest;
}

Evaluation TaylorIntegrator::ExpandFirst(double t_limit) {
  next_.unit = initial_step_ > 0 ? initial_step_ : expansion_.unit;
  if (next_.unit == 0) {
    const Evaluation result = evaluator_.Derivative(t(), x(), slope_);
    if (result != Evaluation::kOk) {
      return result;
    }
    next_.unit = FirstUnit(t_limit);
  }
  next_.unit = UnitNear(next_.unit);
  return Expand(t(), x(), x());
}

// Computes the series at (t, x), in a unit of time that suits it: `next_.unit`,
// unless that is far off.
Evaluation TaylorIntegrator::Expand(double t,
                                    std::span<const double> x,
                                    std::span<const double> x_before) {
  for (int tries = 0; tries < kMostUnits; ++tries) {
    ++counts().rhs_evaluations;
    const Evaluation result =
        evaluator_.problem().Series(t, x, next_.unit, order_, rows_);
    if (result != Evaluation::kOk) {
      evaluator_.set_failure({.outcome = StepOutcome::kEvaluationFailed});
      return result;
    }
    SetLength(x, x_before);
    const double part = next_.length / next_.unit;
    if (std::isnan(part)) {
      next_.unit = UnitNear(next_.unit / kFarOff);
    } else if ((part > kFarOff && std::isfinite(part)) || part < 1 / kFarOff) {
      next_.unit = UnitNear(next_.length);
    } else {
      return Evaluation::kOk;
    }
  }
  // Why, if f is to blame.
  if (evaluator_.Derivative(t, x, slope_) == Evaluation::kOk) {
    const std::span<const double> row(rows_.begin + rows_.stride, x.size());
    evaluator_.set_failure(
        {.outcome = StepOutcome::kNotFinite, .index = FirstNotFinite(row)});
  }
  return Evaluation::kRetry;
}

// The largest coefficient of theta^k in units of the tolerance; not a number if
// one is not finite.
double TaylorIntegrator::ScaledSize(int k,
                                    std::span<const double> x,
                                    std::span<const double> x_before) const {
  const double* const row =
      rows_.begin + static_cast<std::size_t>(k) * rows_.stride;
  double largest = 0;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::max(std::abs(x[i]), std::abs(x_before[i]));
    const double scaled = std::abs(row[i]) / tolerances_.Scale(i, size);
    largest = std::max(largest, scaled);
    sum += scaled * 0.0;
  }
  return largest + sum;
}

// The step at the end of which the last two terms are within the tolerance.
// Jorba & Zou (2005), eq. (3-10) to (3-13).
void TaylorIntegrator::SetLength(std::span<const double> x,
                                 std::span<const double> x_before) {
  const double last = ScaledSize(order_, x, x_before);
  const double before = ScaledSize(order_ - 1, x, x_before);
  next_.growth = before > 0 ? last / before : 0;
  const double reach = std::min(Reach(last, order_), Reach(before, order_ - 1));
  next_.length =
      std::isnan(last + before) ? last + before : next_.unit * safety_ * reach;
}

// Makes the series that was computed last the one of the step at hand.
void TaylorIntegrator::TakeSeries() {
  const std::size_t n = x().size();
  for (std::size_t k = 0; k <= static_cast<std::size_t>(order_); ++k) {
    const double* const from = rows_.begin + k * rows_.stride;
    double* const to = series_.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = from[i];
    }
  }
  expansion_ = next_;
  is_expanded_ = false;
}

// Where accuracy limits a step, the term of half the order is about the root of
// the tolerance; where stability does, it is near the tolerance too. Then c_p =
// lambda h c_(p-1) / p, lambda being the eigenvalue that dominates.
bool TaylorIntegrator::IsStepBeyond(double part) {
  const double theta = (t() - t_begin()) / expansion_.unit;
  const std::span<const double> row = Row(order_ / 2);
  double middle = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    middle = std::max(
        middle, std::abs(row[i]) / tolerances_.Scale(i, std::abs(x()[i])));
  }
  for (int k = 0; k < order_ / 2; ++k) {
    middle *= theta;
  }
  if (middle > 0.1 / std::sqrt(tolerances_.relative())) {
    return false;
  }
  return order_ * expansion_.growth * theta >
         part * kStabilityBounds[static_cast<std::size_t>(order_)];
}

// (x(t + theta h) - x(t)) / theta
void TaylorIntegrator::Sum(double theta, std::span<double> sum) const {
  std::ranges::copy(Row(order_), sum.begin());
  for (int k = order_ - 1; k > 0; --k) {
    const std::span<const double> row = Row(k);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] = sum[i] * theta + row[i];
    }
  }
}

// A step to t_new, and the series there. The error is what slopes tell of.
Attempt TaylorIntegrator::Try(double t_new) {
  const double theta = (t_new - t()) / expansion_.unit;
  Sum(theta, x_new_);
  for (std::size_t i = 0; i < x_new_.size(); ++i) {
    const double rise = x_new_[i] * theta + lost_[i];
    x_new_[i] = x()[i] + rise;
    lost_new_[i] = rise - (x_new_[i] - x()[i]);
  }
  Attempt attempt;
  if (has_breaks_) {
    attempt = CheckSlopes(t_new);
  }
  if (attempt.evaluation == Evaluation::kOk && attempt.square <= 1) {
    next_.unit = UnitNear(t_new - t());
    attempt.evaluation = Expand(t_new, x_new_, x());
  }
  return attempt;
}

// Compares the slopes of series and problem at the end of a step and in its
// middle.
Attempt TaylorIntegrator::CheckSlopes(double t_new) {
  const double theta = (t_new - t()) / expansion_.unit;
  Attempt attempt{.evaluation = evaluator_.Derivative(t_new, x_new_, slope_)};
  if (attempt.evaluation != Evaluation::kOk) {
    return attempt;
  }
  CompareSlopes(theta, attempt);
  Sum(theta / 2, x_middle_);
  for (std::size_t i = 0; i < x_middle_.size(); ++i) {
    x_middle_[i] = x()[i] + theta / 2 * x_middle_[i];
  }
  attempt.evaluation =
      evaluator_.Derivative(t() + (t_new - t()) / 2, x_middle_, slope_);
  if (attempt.evaluation == Evaluation::kOk) {
    CompareSlopes(theta / 2, attempt);
  }
  return attempt;
}

// Raises the error to where a step of the series' error of slope would lead.
void TaylorIntegrator::CompareSlopes(double theta, Attempt& attempt) const {
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    double rise = 0;
    for (int k = order_; k > 0; --k) {
      rise = rise * theta + k * Row(k)[i];
    }
    const double size = std::max(std::abs(x()[i]), std::abs(x_new_[i]));
    const double error = theta * std::abs(expansion_.unit * slope_[i] - rise) /
                         tolerances_.Scale(i, size);
    if (error * error > attempt.square) {
      attempt.square = error * error;
      attempt.worst = static_cast<int>(i);
    }
  }
}

double TaylorIntegrator::LengthOfStep() const noexcept {
  const double h = std::min(expansion_.length, max_step_);
  if (!has_breaks_) {
    return h;
  }
  if (!is_first_) {
    return std::min(h, kMostGrowth * statistics().last_step);
  }
  // Events that follow each other ever faster must not be lost in rounding.
  return since_restart() > 0
             ? std::clamp(kMostGrowth * since_restart(), kLeastFirst * h, h)
             : h;
}

StepResult TaylorIntegrator::DoStep(double t_limit) {
  if (!is_expanded_ && ExpandFirst(t_limit) != Evaluation::kOk) {
    return evaluator_.failure();
  }
  TakeSeries();
  const double shortest = std::max(min_step_, NegligibleStep(t(), t_limit));
  for (double h = LengthOfStep();;) {
    const bool is_last = t() + kStretch * h >= t_limit;
    if (!is_last && h < shortest) {
      return {.outcome = StepOutcome::kStepTooSmall};
    }
    const double t_new = is_last ? t_limit : t() + h;
    const Attempt attempt = Try(t_new);
    const bool is_evaluated = attempt.evaluation == Evaluation::kOk;
    if (is_evaluated && attempt.square <= 1) {
      Commit(t_new);
      return {};
    }
    ++counts().rejected_steps;
    h = (t_new - t()) *
        (is_evaluated ? std::max(kRetryFactor,
                                 0.9 / std::sqrt(std::sqrt(attempt.square)))
                      : kRetryFactor);
    if (attempt.evaluation == Evaluation::kFail ||
        (!is_evaluated && h < shortest)) {
      return evaluator_.failure();
    }
    if (h < shortest) {
      return {.outcome = StepOutcome::kStepTooSmall, .index = attempt.worst};
    }
  }
}

void TaylorIntegrator::Commit(double t_new) {
  std::swap(states(), x_new_);
  std::swap(lost_, lost_new_);
  is_expanded_ = true;
  is_first_ = false;
  Advance(t_new);
}

void TaylorIntegrator::DoDense(DenseOutput& dense) {
  const double h = t() - t_begin();
  const double theta = h / expansion_.unit;
  dense.Reset(dimension(), order_, t_begin(), h);
  double power = 1;
  for (int k = 0; k <= order_; ++k) {
    const std::span<const double> row = Row(k);
    const std::span<double> coefficients = dense.coefficients(k);
    for (std::size_t i = 0; i < row.size(); ++i) {
      coefficients[i] = row[i] * power;
    }
    power *= theta;
  }
}

}  // namespace orrery::internal
