#include "orrery/solver/algebra/newton.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/solver/algebra/sparsity.h"
#include "orrery/solver/problem/first_not_finite.h"

namespace orrery {

namespace internal = solver::internal;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Least damping that is tried.
constexpr double kLeastDamping = 1e-8;
// A trial reduces the damping to no less than this part: an exponential does
// not show the curvature at a tenth of the step.
constexpr double kLeastCut = 0.1;
// Pivots count as zero if they are at most this part, times n, of the terms
// whose difference they are.
constexpr double kPivotThreshold = kEpsilon;
// Corrections of a sequence at rest shrink by less than this factor.
constexpr double kRest = 0.25;
// Such corrections are rounding if they are at most this part of the unknowns.
// It is also enough if they are this part of nominal values and do not grow:
// near a point with infinite slopes, tiny steps grow. Beside a pole 1/x each is
// 2 times the one before, beside 1/x^3 4/3 of it.
constexpr double kNoise = 1e-8;
constexpr double kMostNoise = 1.25;  // Relative to the one before.
// Full steps in a row that are smaller than any rounding of unknowns that are
// found well: rounding if the greatest of as many is no greater than that of
// those before. Where terms cancel, it changes from step to step by more than
// corrections at rest do.
constexpr double kTiny = 2e-11;  // Relative to unknowns or nominal values.
constexpr int kTinySteps = 4;
// Full steps that shrink by this factor are followed by others with the same
// factors if these are costly. Corrections within the relative tolerance then
// leave only rounding, as in quadratic convergence.
constexpr double kFast = 1e-3;
// Values below this part of their nominal value count as 0.
constexpr double kNegligible = 1e-12;

}  // namespace

// A step in progress.
struct NewtonSolver::Step {
  double norm = 0;           // Norm of the full correction.
  double previous_norm = 0;  // Norm of the step before; 0 for the first.
  double previous_damping = 1;
  double damping = 1;
  double trial_norm = 0;   // Norm of the simplified correction after the step.
  bool rests = false;      // It seems to be at rest.
  int num_tiny = 0;        // Tiny full steps in a row, at most 2*kTinySteps.
  double tiny = 0;         // Greatest norm of the last kTinySteps of them.
  double tiny_before = 0;  // That of as many before.
};

NewtonSolver::NewtonSolver(int dimension,
                           NewtonOptions options,
                           const SparsityPattern* pattern)
    : options_(options),
      pattern_(pattern != nullptr ? std::make_optional(*pattern)
                                  : std::nullopt),
      linear_(dimension, pattern) {
  const auto n = static_cast<std::size_t>(dimension);
  for (auto* values : {&nominal_,
                       &column_scales_,
                       &row_scales_,
                       &residual_,
                       &correction_,
                       &trial_,
                       &trial_residual_,
                       &trial_correction_}) {
    values->resize(n);
  }
}

Evaluation NewtonSolver::EvaluateResidual(NewtonProblem& problem,
                                          std::span<const double> z,
                                          std::span<double> residual) const {
  const Evaluation result = problem.Residual(z, residual);
  if (result == Evaluation::kOk && internal::FirstNotFinite(residual) >= 0) {
    return Evaluation::kRetry;
  }
  return result;
}

// Factors D_r J D_c, where D_c holds the magnitudes of the unknowns and D_r
// makes the largest element of every row 1.
bool NewtonSolver::FactorScaled(std::span<const double> z) {
  const std::size_t n = z.size();
  const std::span<double> values = linear_.values();
  for (std::size_t j = 0; j < n; ++j) {
    column_scales_[j] = std::max(std::abs(z[j]), nominal_[j]);
  }
  std::ranges::fill(row_scales_, 0.0);
  internal::ForEachElement(
      pattern(), n, [&](std::size_t k, std::size_t row, std::size_t column) {
        values[k] *= column_scales_[column];
        row_scales_[row] = std::max(row_scales_[row], std::abs(values[k]));
      });
  for (double& scale : row_scales_) {
    scale = scale > 0 ? 1 / scale : 1;
  }
  internal::ForEachElement(
      pattern(), n, [&](std::size_t k, std::size_t row, std::size_t) {
        values[k] *= row_scales_[row];
      });
  return linear_.Factor(kPivotThreshold * static_cast<double>(n),
                        PivotTest::kCancellation);
}

// correction = -J^{-1} residual.
void NewtonSolver::SolveScaled(std::span<const double> residual,
                               std::span<double> correction) {
  for (std::size_t i = 0; i < residual.size(); ++i) {
    correction[i] = -residual[i] * row_scales_[i];
  }
  linear_.Solve(correction);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    correction[i] *= column_scales_[i];
  }
}

double NewtonSolver::Norm(std::span<const double> values) const {
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double scaled = std::abs(values[i]) / column_scales_[i];
    if (!(scaled <= largest)) {
      largest = scaled;
    }
  }
  return largest;
}

// True if every unknown meets the tolerance, relative to itself.
bool NewtonSolver::IsMet(double tolerance) const {
  for (std::size_t i = 0; i < trial_.size(); ++i) {
    const double size =
        std::max(std::abs(trial_[i]), kNegligible * nominal_[i]);
    if (!(std::abs(correction_[i]) <= tolerance * size)) {
      return false;
    }
  }
  return true;
}

// True for an exact solution, such as 0 for sqrt(x) = 0, where there is no
// slope.
bool NewtonSolver::IsSolution() const {
  return std::ranges::all_of(residual_, [](double r) { return r == 0; });
}

void NewtonSolver::BlameWorstEquation(NewtonResult& result) const {
  result.miss = -1;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    const double scaled = std::abs(residual_[i]) * row_scales_[i];
    if (!(scaled <= result.miss)) {
      result.miss = scaled;
      result.equation = static_cast<int>(i);
    }
  }
}

// Returns the damping by the curvature of the step before. Deuflhard, eq.
// (3.49).
double NewtonSolver::PredictedDamping(const Step& step) const {
  if (step.previous_norm == 0 || step.norm <= kNoise) {
    return 1;
  }
  double change = 0;
  for (std::size_t i = 0; i < correction_.size(); ++i) {
    change = std::max(
        change,
        std::abs(trial_correction_[i] - correction_[i]) / column_scales_[i]);
  }
  const double allowed = step.previous_norm * Norm(trial_correction_) *
                         step.damping / (change * step.norm);
  return allowed < 1 ? std::max(allowed, kLeastDamping) : 1;
}

// Shortens the step until the simplified correction after it is smaller than
// the correction itself. Leaves the new point in trial_.
NewtonOutcome NewtonSolver::Damp(NewtonProblem& problem,
                                 std::span<double> z,
                                 Step& step) {
  bool failed = false;
  while (step.damping >= kLeastDamping) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      trial_[i] = z[i] + step.damping * correction_[i];
    }
    const Evaluation result =
        EvaluateResidual(problem, trial_, trial_residual_);
    if (result == Evaluation::kFail) {
      return NewtonOutcome::kEvaluationFailed;
    }
    failed = result != Evaluation::kOk;
    if (failed) {
      step.damping /= 2;
      continue;
    }
    SolveScaled(trial_residual_, trial_correction_);
    step.trial_norm = Norm(trial_correction_);
    if (step.trial_norm <= (1 - step.damping / 4) * step.norm ||
        step.norm <= kNoise) {
      return NewtonOutcome::kConverged;
    }
    // Deuflhard, eq. (3.47): the damping allowed by the curvature of this
    // trial.
    double curvature = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      curvature = std::max(
          curvature,
          std::abs(trial_correction_[i] - (1 - step.damping) * correction_[i]) /
              column_scales_[i]);
    }
    const double allowed =
        0.5 * step.norm * step.damping * step.damping / curvature;
    step.damping =
        std::clamp(allowed, kLeastCut * step.damping, step.damping / 2);
  }
  return failed ? NewtonOutcome::kEvaluationFailed
                : NewtonOutcome::kNoConvergence;
}

// Returns kConverged if the Jacobian at z is factored.
NewtonOutcome NewtonSolver::Linearize(NewtonProblem& problem,
                                      std::span<const double> z) {
  if (problem.Jacobian(z, linear_.values()) != Evaluation::kOk ||
      internal::FirstNotFinite(linear_.values()) >= 0) {
    return NewtonOutcome::kEvaluationFailed;
  }
  return FactorScaled(z) ? NewtonOutcome::kConverged : NewtonOutcome::kSingular;
}

// Linearizes at z and takes a damped step to trial_.
NewtonOutcome NewtonSolver::Advance(NewtonProblem& problem,
                                    std::span<double> z,
                                    Step& step) {
  if (const NewtonOutcome outcome = Linearize(problem, z);
      outcome != NewtonOutcome::kConverged) {
    return outcome;
  }
  SolveScaled(residual_, correction_);
  step.norm = Norm(correction_);
  step.damping = PredictedDamping(step);
  return Damp(problem, z, step);
}

// Counts the step among tiny ones.
// @returns true if they are only rounding.
bool NewtonSolver::IsOneOfTinySteps(Step& step) {
  if (step.damping != 1 || step.norm > kTiny) {
    step.num_tiny = 0;
    step.tiny = 0;
    return false;
  }
  step.tiny = std::max(step.tiny, step.norm);
  if (++step.num_tiny % kTinySteps != 0) {
    return false;
  }
  const bool stays =
      step.num_tiny > kTinySteps && step.tiny <= kMostNoise * step.tiny_before;
  step.num_tiny = kTinySteps;
  step.tiny_before = std::exchange(step.tiny, 0.0);
  return stays;
}

// Returns true if trial_ is the solution, and then writes it to z.
bool NewtonSolver::Finish(Step& step, std::span<double> z) const {
  const bool rested = step.rests;
  step.rests = step.damping == 1 && step.norm <= kNoise &&
               step.trial_norm >= kRest * step.norm;
  const bool has_shrunk = step.norm <= kFast * step.previous_norm;
  const bool stays = rested && step.norm <= kMostNoise * step.previous_norm;
  const bool at_rest = IsOneOfTinySteps(step) ||
                       (step.rests && (has_shrunk || stays || IsMet(kNoise)));
  // A short way behind a damped step, a kink may be between the two slopes: the
  // step after it tells.
  if (std::min(step.damping, step.previous_damping) != 1 ||
      !(at_rest || IsMet(options_.relative_tolerance))) {
    return false;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    // At rest, a further correction would be pure rounding.
    z[i] = at_rest ? trial_[i] : trial_[i] + trial_correction_[i];
  }
  return true;
}

// Continues from z with the factors of the last step, as long as corrections
// shrink fast. Leaves z and residual_ at the best point.
// @returns true if that is the solution.
bool NewtonSolver::GoOnWithFactors(NewtonProblem& problem,
                                   std::span<double> z,
                                   Step& step) {
  while (step.damping == 1 && step.trial_norm <= kFast * step.norm) {
    std::swap(correction_, trial_correction_);
    step.previous_norm = step.norm;
    step.previous_damping = step.damping;
    step.norm = step.trial_norm;
    for (std::size_t i = 0; i < z.size(); ++i) {
      trial_[i] = z[i] + correction_[i];
    }
    if (EvaluateResidual(problem, trial_, trial_residual_) != Evaluation::kOk) {
      return false;
    }
    SolveScaled(trial_residual_, trial_correction_);
    step.trial_norm = Norm(trial_correction_);
    if (Finish(step, z)) {
      return true;
    }
    std::ranges::copy(trial_, z.begin());
    std::swap(residual_, trial_residual_);
  }
  return false;
}

NewtonResult NewtonSolver::Solve(NewtonProblem& problem,
                                 std::span<double> z,
                                 std::span<const double> nominal) {
  ORRERY_CHECK(z.size() == nominal_.size());
  ORRERY_CHECK(nominal.empty() || nominal.size() == z.size());
  std::ranges::fill(nominal_, 1.0);
  std::ranges::copy(nominal, nominal_.begin());
  std::ranges::fill(row_scales_, 1.0);
  NewtonResult result;
  if (EvaluateResidual(problem, z, residual_) != Evaluation::kOk) {
    result.outcome = NewtonOutcome::kEvaluationFailed;
    result.equation = internal::FirstNotFinite(residual_);
    return result;
  }
  Step step;
  result.outcome = NewtonOutcome::kNoConvergence;
  while (result.iterations < options_.max_iterations) {
    ++result.iterations;
    const NewtonOutcome outcome = Advance(problem, z, step);
    if (outcome == NewtonOutcome::kEvaluationFailed && IsSolution()) {
      result.outcome = NewtonOutcome::kConverged;
      return result;
    }
    if (outcome != NewtonOutcome::kConverged) {
      result.outcome = outcome;
      break;
    }
    if (Finish(step, z)) {
      result.outcome = NewtonOutcome::kConverged;
      return result;
    }
    std::ranges::copy(trial_, z.begin());
    std::swap(residual_, trial_residual_);
    const bool is_costly = linear_.is_sparse() || options_.has_costly_jacobian;
    if (is_costly && GoOnWithFactors(problem, z, step)) {
      result.outcome = NewtonOutcome::kConverged;
      return result;
    }
    step.previous_norm = step.norm;
    step.previous_damping = step.damping;
  }
  BlameWorstEquation(result);
  if (result.outcome == NewtonOutcome::kSingular) {
    result.unknown = linear_.singular_column();
  }
  return result;
}

}  // namespace orrery
