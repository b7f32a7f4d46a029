#include "orrery/solver/adaptive/taylor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/solver/adaptive/adaptive_step.h"
#include "orrery/solver/adaptive/power.h"
#include "orrery/solver/adaptive/series_sum.h"

namespace orrery::solver::internal {
namespace {

constexpr int kLeastOrder = 4;
constexpr int kMostOrder = kMostTerms;
constexpr int kMostUnits = 8;

// Returns the largest z, in 64ths, for which |sum_(k <= order) (-y)^k / k!| <=
// 1 for y <= z.
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

bool HasBreaks(OdeProblem& problem) {
  return problem.series() == SeriesKind::kPiecewise || problem.HasEvents();
}

bool IsZero(std::span<const double> row) {
  return std::ranges::all_of(row, [](double c) { return c == 0; });
}

}  // namespace

// Jorba & Zou (2005), eq. (3-9), with 7 in place of 1. Their order is of least
// work if the work grows as the square of the order; part of it is independent
// of the order.
int TaylorOrderFor(double tolerance) noexcept {
  return std::clamp(
      static_cast<int>(std::lround(7 - 0.5 * std::log(tolerance))),
      kLeastOrder,
      kMostOrder);
}

TaylorIntegrator::TaylorIntegrator(OdeProblem& problem,
                                   const SolverOptions& options)
    : TimeIntegrator(
          problem.dimension(), options.max_steps, NameOf(Method::kTaylor).name),
      evaluator_(problem, counts()),
      tolerances_(options, problem.dimension()),
      order_(TaylorOrderFor(options.relative_tolerance)),
      has_breaks_(HasBreaks(problem)),
      safety_(Power(std::numbers::e, -0.7 / (order_ - 1))),
      initial_step_(options.initial_step),
      min_step_(options.min_step),
      max_step_(options.max_step),
      next_series_(x().size() * static_cast<std::size_t>(order_ + 1)),
      series_(next_series_),
      slope_(x().size()),
      x_new_(x().size()),
      slope_sum_(x().size()),
      lost_(x().size()),
      lost_new_(x().size()),
      x_middle_(x().size()) {
  if (problem.series() == SeriesKind::kNone) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot integrate by 'taylor': " + problem.WhyNoSeries() +
                    "; choose another method, as 'dop853'");
  }
}

void TaylorIntegrator::DoRestart() {
  has_breaks_ = HasBreaks(evaluator_.problem());
  is_expanded_ = false;
  is_first_ = true;
  std::ranges::fill(lost_, 0.0);
}

bool TaylorIntegrator::DoRenew() {
  expansion_ = {};
  return true;
}

bool TaylorIntegrator::DoTransfer(StateStream& stream) {
  for (std::vector<double>* const values :
       {&next_series_, &series_, &slope_, &lost_}) {
    stream.Same(*values);
  }
  for (Expansion* const its : {&next_, &expansion_}) {
    stream.Number(its->unit);
    stream.Number(its->length);
    stream.Number(its->growth);
  }
  for (bool* const truth :
       {&has_breaks_, &is_expanded_, &is_next_expanded_, &is_first_}) {
    stream.Truth(*truth);
  }
  return true;
}

// Returns the time in which x changes by its own size, at most the way ahead.
// An x within its tolerance counts as of the size atol / rtol.
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
  Evaluation result = Expand(t(), x(), x());
  // In too short a unit the last terms are lost in underflow.
  const double longest = std::min(max_step_, t_limit - t());
  while (result == Evaluation::kOk && std::isinf(next_.length) &&
         next_.unit * kFarOff <= longest) {
    next_.unit = UnitNear(next_.unit * kFarOff);
    result = Expand(t(), x(), x());
  }
  return result;
}

// Computes the series at (t, x), in a suitable unit of time: `next_.unit`,
// unless that is far off. The unit is kept as long as possible, since another
// one changes the rounding of the step length.
Evaluation TaylorIntegrator::Expand(double t,
                                    std::span<const double> x,
                                    std::span<const double> x_before) {
  for (int tries = 0; tries < kMostUnits; ++tries) {
    ++counts().rhs_evaluations;
    SeriesRows rows;
    const Evaluation result =
        evaluator_.problem().Series(t, x, next_.unit, order_, rows);
    if (result != Evaluation::kOk) {
      evaluator_.set_failure({.outcome = StepOutcome::kEvaluationFailed});
      return result;
    }
    TakeSeries(rows);
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
  // Finds the reason if f is to blame.
  if (evaluator_.Derivative(t, x, slope_) == Evaluation::kOk) {
    evaluator_.set_failure({.outcome = StepOutcome::kNotFinite,
                            .index = FirstNotFinite(Row(next_series_, 1))});
  }
  return Evaluation::kRetry;
}

// Sets the step at whose end the last two terms are within the tolerance; NaN
// if one of them is not finite. Jorba & Zou (2005), eq. (3-10) to (3-13).
void TaylorIntegrator::SetLength(std::span<const double> x,
                                 std::span<const double> x_before) {
  const std::span<const double> last_row = Row(next_series_, order_);
  const std::span<const double> row_before = Row(next_series_, order_ - 1);
  double last = 0;
  double before = 0;
  double faults = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::max(std::abs(x[i]), std::abs(x_before[i]));
    const double one = 1 / tolerances_.Scale(i, size);
    last = std::max(last, one * std::abs(last_row[i]));
    before = std::max(before, one * std::abs(row_before[i]));
    faults += last_row[i] + row_before[i];
  }
  next_.growth = before > 0 ? last / before : 0;
  const double log =
      std::min(-1.0 / order_ * Log2(last), -1.0 / (order_ - 1) * Log2(before));
  const double reach = last == 0 && before == 0
                           ? std::numeric_limits<double>::infinity()
                           : Exp2(log);
  next_.length = next_.unit * safety_ * reach + 0 * faults;
}

// Copies the rows that the problem has computed.
void TaylorIntegrator::TakeSeries(const SeriesRows& rows) {
  const std::size_t n = x().size();
  for (std::size_t k = 0; k <= static_cast<std::size_t>(order_); ++k) {
    const double* const from = rows.begin + k * rows.stride;
    double* const to = next_series_.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = from[i];
    }
  }
}

void TaylorIntegrator::EndStepsBeyond(double part) noexcept {
  constexpr double kAtLeast = 0.99;
  growth_limit_ = kAtLeast * part *
                  kStabilityBounds[static_cast<std::size_t>(order_)] / order_;
}

// If stability limits a step, c_p = lambda h c_(p-1) / p, where lambda is the
// dominant eigenvalue. All terms are near the tolerance then.
bool TaylorIntegrator::IsStepBeyond(double part) {
  const double theta = (t() - t_begin()) / expansion_.unit;
  const double reach = order_ * expansion_.growth * theta;
  return reach > part * kStabilityBounds[static_cast<std::size_t>(order_)] &&
         !IsLimitedByAccuracy(theta, reach);
}

bool TaylorIntegrator::IsLimitedByAccuracy(double theta, double reach) const {
  const std::span<const double> middle_row = Row(series_, order_ / 2);
  const std::span<const double> last_row = Row(series_, order_);
  double size = 0;
  double middle = 0;
  double last = 0;
  for (std::size_t i = 0; i < x().size(); ++i) {
    const double magnitude = std::abs(x()[i]);
    const double one = 1 / tolerances_.Scale(i, magnitude);
    size = std::max(size, one * magnitude);
    middle = std::max(middle, one * std::abs(middle_row[i]));
    last = std::max(last, one * std::abs(last_row[i]));
  }
  for (int k = 0; k < order_ / 2; ++k) {
    middle *= theta;
  }
  double of_eigenvalue = kOfEigenvalue * MiddleOfExponential(order_) * last;
  for (int k = 0; k < order_; ++k) {
    of_eigenvalue *= theta;
  }
  for (int k = order_ / 2; k < order_; ++k) {
    of_eigenvalue /= reach;
  }
  return middle * middle > kMiddleTerm * kMiddleTerm * size &&
         middle > of_eigenvalue;
}

// Tries a step to t_new, and computes the series there. The error is estimated
// by slopes.
// @param is_last an event may follow, after which there is a series again if it
//     is missing here, as at the end of a root.
Attempt TaylorIntegrator::Try(double t_new, bool is_last) {
  const double theta = (t_new - t()) / expansion_.unit;
  SumSeries(std::span(series_).subspan(x().size()), theta, x_new_, slope_sum_);
  for (std::size_t i = 0; i < x_new_.size(); ++i) {
    const double rise = x_new_[i] + lost_[i];
    x_new_[i] = x()[i] + rise;
    lost_new_[i] = rise - (x_new_[i] - x()[i]);
  }
  Attempt attempt;
  if (has_breaks_) {
    attempt = CheckSlopes(t_new);
  }
  if (attempt.evaluation == Evaluation::kOk && attempt.square <= 1) {
    next_.unit = expansion_.unit;
    const Evaluation expanded = Expand(t_new, x_new_, x());
    is_next_expanded_ = expanded == Evaluation::kOk;
    const bool ends_there = is_last && expanded == Evaluation::kRetry;
    if (!ends_there) {
      attempt.evaluation = expanded;
    }
    if (!has_breaks_ && ends_there) {
      attempt = CheckSlopes(t_new);
    } else if (!has_breaks_ && is_next_expanded_) {
      CheckNextSlope(t_new - t(), attempt);
    }
  }
  return attempt;
}

// Compares the slopes of this series and of the next one where they meet.
void TaylorIntegrator::CheckNextSlope(double h, Attempt& attempt) const {
  const std::span<const double> next = Row(next_series_, 1);
  const double theta = h * (1 / next_.unit);
  double most = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const double size = std::max(std::abs(x()[i]), std::abs(x_new_[i]));
    const double one = 1 / tolerances_.Scale(i, size);
    const double error = one * std::abs(theta * next[i] - slope_sum_[i]);
    if (error > most) {
      most = error;
      attempt.worst = static_cast<int>(i);
    }
  }
  attempt.square = most * most / kOtherFunction;
}

// Compares the slopes of series and problem at the end of a step and in its
// middle.
Attempt TaylorIntegrator::CheckSlopes(double t_new) {
  const double h = t_new - t();
  Attempt attempt{.evaluation = evaluator_.Derivative(t_new, x_new_, slope_)};
  if (attempt.evaluation != Evaluation::kOk) {
    return attempt;
  }
  CompareSlopes(h, attempt);
  SumSeries(std::span(series_).subspan(x().size()),
            h / 2 / expansion_.unit,
            x_middle_,
            slope_sum_);
  for (std::size_t i = 0; i < x_middle_.size(); ++i) {
    x_middle_[i] += x()[i];
  }
  attempt.evaluation = evaluator_.Derivative(t() + h / 2, x_middle_, slope_);
  if (attempt.evaluation == Evaluation::kOk) {
    CompareSlopes(h / 2, attempt);
  }
  return attempt;
}

// Raises the error to that of a step with the series' error of slope after h.
void TaylorIntegrator::CompareSlopes(double h, Attempt& attempt) const {
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    const double size = std::max(std::abs(x()[i]), std::abs(x_new_[i]));
    const double error =
        std::abs(h * slope_[i] - slope_sum_[i]) / tolerances_.Scale(i, size);
    if (error * error > attempt.square) {
      attempt.square = error * error;
      attempt.worst = static_cast<int>(i);
    }
  }
}

// Returns the radius of convergence by the last terms; every second one, as a
// series may be odd or even. Near the root of a quantity below the tolerance
// these terms are below it, too, even beyond the radius.
double TaylorIntegrator::Radius() const noexcept {
  const std::span<const double> last = Row(series_, order_);
  const std::span<const double> other = Row(series_, order_ - 2);
  double most_last = 0;
  double most_other = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const double scale = tolerances_.Scale(i, std::abs(x()[i]));
    most_last = std::max(most_last, std::abs(last[i]) / scale);
    most_other = std::max(most_other, std::abs(other[i]) / scale);
  }
  return most_last > 0 && most_other > 0
             ? expansion_.unit * std::sqrt(most_other / most_last)
             : std::numeric_limits<double>::infinity();
}

double TaylorIntegrator::LengthOfStep() const noexcept {
  double h = std::min(expansion_.length, max_step_);
  if (!has_breaks_) {
    return h;
  }
  h = std::min(h, Radius());
  if (!is_first_) {
    return std::min(h, kMostGrowth * statistics().last_step);
  }
  return StepAfterRestart(since_restart(), h);
}

StepResult TaylorIntegrator::DoStep(double t_limit) {
  if (!is_expanded_ && ExpandFirst(t_limit) != Evaluation::kOk) {
    return StepAlongTangent(t_limit, evaluator_.failure());
  }
  is_expanded_ = true;
  if (DoSteps(t(), t_limit, 1)) {
    return {};
  }
  std::swap(series_, next_series_);
  expansion_ = next_;
  is_expanded_ = false;
  const double shortest = std::max(min_step_, NegligibleStep(t(), t_limit));
  for (double h = LengthOfStep();;) {
    const bool is_last = t() + kStretch * h >= t_limit;
    if (!is_last && h < shortest) {
      return StepAlongTangent(
          t_limit,
          {.outcome = StepOutcome::kStepTooSmall,
           .index = tolerances_.Fastest(x(), Row(series_, 1))});
    }
    const double t_new = is_last ? t_limit : t() + h;
    const Attempt attempt = Try(t_new, is_last);
    const bool is_evaluated = attempt.evaluation == Evaluation::kOk;
    if (is_evaluated && attempt.square <= 1) {
      Commit(t_new);
      return {};
    }
    ++counts().rejected_steps;
    h = LengthInstead(t_new - t(), attempt);
    if (attempt.evaluation == Evaluation::kFail) {
      return evaluator_.failure();
    }
    if (h < shortest) {
      return StepAlongTangent(
          t_limit,
          is_evaluated ? StepResult{.outcome = StepOutcome::kStepTooSmall,
                                    .index = attempt.worst}
                       : evaluator_.failure());
    }
  }
}

// Returns the length of the next attempt after a rejected step of length h.
double TaylorIntegrator::LengthInstead(double h, const Attempt& attempt) {
  return h * (attempt.evaluation == Evaluation::kOk
                  ? std::max(kRetryFactor,
                             0.9 / std::sqrt(std::sqrt(attempt.square)))
                  : kRetryFactor);
}

// Takes a step along the tangent, as long as slopes agree with it. Where a root
// opens or shuts between pieces, the series has no radius of convergence.
// @param why the failure of other steps.
StepResult TaylorIntegrator::StepAlongTangent(double t_limit,
                                              const StepResult& why) {
  constexpr double kLongest = 1e-6;  // Part of the way ahead.
  if (!has_breaks_ ||
      evaluator_.Derivative(t(), x(), slope_) != Evaluation::kOk) {
    return why;
  }
  std::ranges::fill(series_, 0.0);
  std::ranges::copy(x(), series_.begin());
  std::ranges::copy(slope_,
                    series_.begin() + static_cast<std::ptrdiff_t>(x().size()));
  expansion_ = {.unit = 1};
  is_expanded_ = false;
  const double shortest = std::max(min_step_, NegligibleStep(t(), t_limit));
  double h = std::min(max_step_, kLongest * (t_limit - t()));
  while (h >= shortest) {
    const double t_new = t() + h;
    const Attempt attempt = Try(t_new, false);
    if (attempt.evaluation == Evaluation::kOk && attempt.square <= 1) {
      Commit(t_new);
      return {};
    }
    ++counts().rejected_steps;
    h = LengthInstead(h, attempt);
  }
  return why;
}

void TaylorIntegrator::Commit(double t_new) {
  std::swap(states(), x_new_);
  std::swap(lost_, lost_new_);
  is_expanded_ = is_next_expanded_;
  is_first_ = false;
  Advance(t_new);
}

const DenseOutput& TaylorIntegrator::DoDense(DenseOutput& dense) {
  const double h = t() - t_begin();
  const double theta = h / expansion_.unit;
  int degree = order_;  // Less if the solution is a polynomial.
  while (degree > 1 && IsZero(Row(series_, degree))) {
    --degree;
  }
  dense.Reset(dimension(), degree, t_begin(), h);
  double power = 1;
  for (int k = 0; k <= degree; ++k) {
    const std::span<const double> row = Row(series_, k);
    const std::span<double> coefficients = dense.coefficients(k);
    for (std::size_t i = 0; i < row.size(); ++i) {
      coefficients[i] = row[i] * power;
    }
    power *= theta;
  }
  return dense;
}

}  // namespace orrery::solver::internal
