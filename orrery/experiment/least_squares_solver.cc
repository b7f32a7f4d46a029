#include "orrery/experiment/internal/least_squares_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/base/dynamic_library.h"
#include "orrery/base/non_finite.h"
#include "orrery/experiment/internal/ceres_search.h"

namespace orrery::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Searches end where no parameter changes by more than this part of the error
// of the residuals. The cost would end them too early: it goes with the square
// of the way to the minimum.
constexpr double kPartOfError = 0.01;
// What costs differ by at least, if not by rounding.
constexpr double kRounding = 1e-15;
constexpr int kMostRounds = 10;
// Along bounds Ceres creeps, as its model of a step does not know that it is
// cut off. What stays at a bound for so many steps is held there instead.
constexpr int kMostStepsAtBounds = 8;

bool IsAtBound(const SearchSpace& space, const VectorXd& x, Index k) {
  const auto factor = static_cast<std::size_t>(k);
  return x[k] <= space.low()[factor] || x[k] >= space.high()[factor];
}

// Whether a search goes on for as long as it gains, or ends at bounds that it
// does not leave.
enum class AtBounds : std::uint8_t { kGoOn, kEnd };

// The residuals as those of a problem of least squares: sign(u) sqrt(rho(u^2))
// of u = weight * residual, whose squares are the losses. Engels, Stewenius &
// Nister, "Bundle adjustment rules", Photogrammetric Computer Vision (2006).
class LossRoots final : public CeresProblem {
 public:
  LossRoots(FitModel& model,
            const Weighting& weighting,
            const VectorXd& start,
            std::span<const Index> free,
            AtBounds at_bounds)
      : model_(model),
        weighting_(weighting),
        free_(free),
        start_(start),
        at_bounds_(at_bounds),
        reached_(start),
        tried_(start) {}

  // Where the search has ended. Ceres does not take the step by which it sees
  // that the cost stands, though it leads nearer to the minimum.
  [[nodiscard]] const VectorXd& Best() const {
    return tried_cost_ <= (1 + kRounding) * cost_ ? tried_ : reached_;
  }

  // All coordinates, those that are free as the search has them.
  [[nodiscard]] VectorXd PointOf(const double* parameters) const {
    VectorXd x = start_;
    for (std::size_t c = 0; c < free_.size(); ++c) {
      x[free_[c]] = parameters[c];
    }
    return x;
  }

  bool Evaluate(const double* parameters,
                double* residuals,
                double* jacobian) override {
    const VectorXd x = PointOf(parameters);
    tried_ = x;
    tried_cost_ = kInfinity;
    VectorXd r;
    if (!model_.GoesOn() || !model_.Residuals(x, r)) {
      return false;
    }
    tried_cost_ = CostOf(weighting_, r);
    VectorXd slopes(r.size());
    for (Index i = 0; i < r.size(); ++i) {
      const double u = weighting_.weights[i] * r[i];
      const LossValue loss = Loss(weighting_.loss, u * u);
      const double root = std::sqrt(loss.rho);
      residuals[i] = std::copysign(root, u);
      slopes[i] = weighting_.weights[i] *
                  (root > 0 ? loss.slope * std::abs(u) / root : 1);
    }
    if (jacobian == nullptr) {
      return true;
    }
    MatrixXd by_free;
    if (!model_.Jacobian(x, free_, by_free)) {
      return false;
    }
    using RowMajor =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(jacobian, by_free.rows(), by_free.cols()) =
        slopes.asDiagonal() * by_free;
    return true;
  }

  SearchVerdict Step(const double* parameters, double cost) override {
    model_.Tell(2 * cost);
    const bool is_small = std::exchange(has_begun_, true) && IsStepSmall();
    cost_ = 2 * cost;
    if (VectorXd x = PointOf(parameters); x != reached_) {
      reached_ = std::move(x);
      CountAtBounds();
    }
    if (!model_.GoesOn()) {
      return SearchVerdict::kStop;
    }
    const bool stays_at_bounds =
        at_bounds_ == AtBounds::kEnd && steps_at_bounds_ > kMostStepsAtBounds;
    return is_small || stays_at_bounds ? SearchVerdict::kConverged
                                       : SearchVerdict::kGoOn;
  }

 private:
  void CountAtBounds() {
    const bool is_there = std::ranges::any_of(
        free_, [&](Index k) { return IsAtBound(model_.space(), reached_, k); });
    steps_at_bounds_ = is_there ? steps_at_bounds_ + 1 : 0;
  }

  // Also of a step that was not taken, as errors of the residuals hid what it
  // would have gained.
  [[nodiscard]] bool IsStepSmall() const {
    const double part = kPartOfError * model_.function().relative_error;
    return std::ranges::all_of(free_, [&](Index k) {
      return std::abs(tried_[k] - reached_[k]) <=
             part * model_.SizeOf(reached_[k], k);
    });
  }

  FitModel& model_;
  const Weighting& weighting_;
  std::span<const Index> free_;
  const VectorXd& start_;
  AtBounds at_bounds_;
  int steps_at_bounds_ = 0;
  bool has_begun_ = false;
  VectorXd reached_;
  double cost_ = kInfinity;  // There.
  VectorXd tried_;           // The last one.
  double tried_cost_ = kInfinity;
};

// Opened by the first fit: what Ceres needs takes longer to load than most
// commands take.
CeresSearch& Ceres() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): code.
  static CeresSearch* const search =
      DynamicLibrary(ORRERY_CERES, "fit parameters")
          .Find<CeresSearch>("OrreryCeresSearch");
  return *search;
}

FitEnd EndOf(const CeresOutcome& outcome, const FitModel& model) {
  if (!model.GoesOn()) {
    return FitEnd::kInterrupted;
  }
  return outcome.has_converged ? FitEnd::kConverged : FitEnd::kNotConverged;
}

// Whether the cost falls from a bound inwards, by one of the coordinates there.
bool LeavesBounds(FitModel& model,
                  const Weighting& weighting,
                  const LeastSquaresMinimum& at,
                  std::span<const Index> held) {
  MatrixXd jacobian;
  if (!model.Jacobian(at.x, held, jacobian)) {
    return false;
  }
  VectorXd pull(at.residuals.size());
  for (Index i = 0; i < pull.size(); ++i) {
    const double w = weighting.weights[i];
    const double u = w * at.residuals[i];
    pull[i] = Loss(weighting.loss, u * u).slope * u * w;
  }
  const VectorXd gradient = jacobian.transpose() * pull;
  for (std::size_t c = 0; c < held.size(); ++c) {
    const Index k = held[c];
    const bool is_low =
        at.x[k] <= model.space().low()[static_cast<std::size_t>(k)];
    const double slope = gradient[static_cast<Index>(c)];
    if (is_low ? slope < 0 : slope > 0) {
      return true;
    }
  }
  return false;
}

// One search of Ceres.
LeastSquaresMinimum Search(FitModel& model,
                           const Weighting& weighting,
                           const VectorXd& start,
                           std::span<const Index> free,
                           std::int64_t max_iterations,
                           AtBounds at_bounds) {
  LeastSquaresMinimum minimum;
  minimum.x = start;
  if (!model.Residuals(start, minimum.residuals)) {
    return minimum;
  }
  minimum.end = FitEnd::kConverged;
  if (!free.empty()) {
    LossRoots roots(model, weighting, start, free, at_bounds);
    CeresTask task{.residuals = static_cast<int>(model.function().size),
                   .low = {},
                   .high = {},
                   .max_iterations = static_cast<int>(max_iterations)};
    std::vector<double> parameters;
    for (const Index k : free) {
      const auto factor = static_cast<std::size_t>(k);
      task.low.push_back(model.space().low()[factor]);
      task.high.push_back(model.space().high()[factor]);
      parameters.push_back(start[k]);
    }
    CeresOutcome outcome;
    Ceres()(roots, task, parameters.data(), outcome);
    minimum.end = EndOf(outcome, model);
    minimum.iterations = outcome.iterations;
    minimum.x = roots.Best();
    if (!model.Residuals(minimum.x, minimum.residuals)) {
      minimum.end = FitEnd::kFailed;
    }
  }
  minimum.cost = CostOf(weighting, minimum.residuals);
  return minimum;
}

}  // namespace

double CostOf(const Weighting& weighting, const VectorXd& residuals) {
  double cost = 0;
  for (Index i = 0; i < residuals.size(); ++i) {
    const double u = weighting.weights[i] * residuals[i];
    cost += Loss(weighting.loss, u * u).rho;
  }
  return cost;
}

// Ceres cuts its steps off at bounds, and may come to rest where one parameter
// is at its bound and others could still be moved along it. So what has come to
// a bound is held there for another search, until nothing would leave it.
LeastSquaresMinimum MinimiseLeastSquares(FitModel& model,
                                         const Weighting& weighting,
                                         const VectorXd& start,
                                         std::span<const Index> free,
                                         std::int64_t max_iterations) {
  LeastSquaresMinimum minimum;
  minimum.x = start;
  std::int64_t iterations = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const AtBounds at_bounds =
        round + 1 < kMostRounds ? AtBounds::kEnd : AtBounds::kGoOn;
    minimum =
        Search(model, weighting, minimum.x, free, max_iterations, at_bounds);
    iterations += minimum.iterations;
    std::vector<Index> held;
    std::vector<Index> others;
    for (const Index k : free) {
      (IsAtBound(model.space(), minimum.x, k) ? held : others).push_back(k);
    }
    if (held.empty() || minimum.end == FitEnd::kFailed || !model.GoesOn()) {
      break;
    }
    minimum = Search(
        model, weighting, minimum.x, others, max_iterations, AtBounds::kGoOn);
    iterations += minimum.iterations;
    if (!LeavesBounds(model, weighting, minimum, held)) {
      break;
    }
  }
  minimum.iterations = iterations;
  return minimum;
}

}  // namespace orrery::internal
