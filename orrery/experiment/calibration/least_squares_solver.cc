#include "orrery/experiment/calibration/least_squares_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/system/dynamic_library.h"
#include "orrery/experiment/calibration/ceres_search.h"

namespace orrery::experiment::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Searches end when no parameter changes by more than this fraction of the
// error of the residuals. The cost would end them too early, since it is
// quadratic in the distance from the minimum.
constexpr double kPartOfError = 0.01;
// The relative difference of costs beyond rounding errors.
constexpr double kCostRounding = 1e-15;
constexpr std::size_t kMostRounds = 10;  // Searches for each coordinate.
// As for the directions within the bounds: see fit_statistics.cc.
constexpr double kStationaryPull = 1e-3;
// Ceres makes slow progress along bounds, since its model of a step does not
// know that the step is clipped. A coordinate that stays at a bound for this
// number of steps is held there instead.
constexpr int kMostStepsAtBounds = 8;
// Radii of the first trust region. With the default of Ceres, first steps are
// nearly those of Gauss and Newton; with the small radius they follow the
// gradient.
constexpr double kFirstRadius = 1e4;
constexpr double kSmallFirstRadius = 1e-4;

bool IsAtBound(const SearchSpace& space, const VectorXd& x, Index k) {
  const auto factor = static_cast<std::size_t>(k);
  return x[k] <= space.low()[factor] || x[k] >= space.high()[factor];
}

// The residuals of an equivalent problem of least squares: sign(u)
// sqrt(rho(u^2)) with u = weight * residual. Their squares are the losses.
// Engels, Stewenius & Nister, "Bundle adjustment rules", Photogrammetric
// Computer Vision (2006).
class LossRoots final : public CeresProblem {
 public:
  LossRoots(FitModel& model,
            const Weighting& weighting,
            const VectorXd& start,
            std::span<const Index> free)
      : model_(model),
        weighting_(weighting),
        free_(free),
        start_(start),
        reached_(start),
        tried_(start) {}

  // The end of the search. Ceres rejects the last step, by which it notices
  // that the cost is constant, though it leads closer to the minimum. Take that
  // step, except for coordinates at a bound, which only a rounding error moves
  // away from it.
  [[nodiscard]] VectorXd Best() const {
    if (tried_cost_ > (1 + kCostRounding) * cost_) {
      return reached_;
    }
    VectorXd best = tried_;
    for (const Index k : free_) {
      if (IsAtBound(model_.space(), reached_, k)) {
        best[k] = reached_[k];
      }
    }
    return best;
  }

  // True if a parameter has lost its effect, up to rounding, such as b in
  // exp(-b*x) for large b: no slope leads back from there.
  [[nodiscard]] bool HasLostEffect() const {
    return (effects_.array() < kCostRounding * first_effects_.array()).any();
  }

  // All coordinates; the free ones are those of the search.
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
    Eigen::Map<RowMajor> derivatives(jacobian, by_free.rows(), by_free.cols());
    derivatives = slopes.asDiagonal() * by_free;
    effects_ = derivatives.colwise().norm();
    if (first_effects_.size() == 0) {
      first_effects_ = effects_;
    }
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
    const bool stays_at_bounds = steps_at_bounds_ > kMostStepsAtBounds;
    return is_small || stays_at_bounds ? SearchVerdict::kConverged
                                       : SearchVerdict::kGoOn;
  }

 private:
  void CountAtBounds() {
    const bool is_there = std::ranges::any_of(
        free_, [&](Index k) { return IsAtBound(model_.space(), reached_, k); });
    steps_at_bounds_ = is_there ? steps_at_bounds_ + 1 : 0;
  }

  // True also for a rejected step whose gain was hidden by errors of the
  // residuals.
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
  VectorXd first_effects_;  // Column lengths of the first Jacobian.
  VectorXd effects_;        // Column lengths of the last Jacobian.
  int steps_at_bounds_ = 0;
  bool has_begun_ = false;
  VectorXd reached_;
  double cost_ = kInfinity;  // At `reached_`.
  VectorXd tried_;           // The last point evaluated.
  double tried_cost_ = kInfinity;
};

// Opened by the first fit: the libraries of Ceres take longer to load than most
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

struct SearchLimits {
  std::int64_t max_iterations = 0;
  double first_radius = kFirstRadius;
};

struct CeresEnd {
  LeastSquaresMinimum minimum;
  bool has_lost_effect = false;
};

// One search of Ceres.
CeresEnd SearchOnce(FitModel& model,
                    const Weighting& weighting,
                    const VectorXd& start,
                    std::span<const Index> free,
                    const SearchLimits& limits) {
  CeresEnd end;
  LeastSquaresMinimum& minimum = end.minimum;
  minimum.x = start;
  if (!model.Residuals(start, minimum.residuals)) {
    return end;
  }
  minimum.end = FitEnd::kConverged;
  if (!free.empty()) {
    LossRoots roots(model, weighting, start, free);
    CeresTask task{.residuals = static_cast<int>(model.function().size),
                   .low = {},
                   .high = {},
                   .max_iterations = static_cast<int>(limits.max_iterations),
                   .first_radius = limits.first_radius};
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
    end.has_lost_effect = roots.HasLostEffect();
    if (!model.Residuals(minimum.x, minimum.residuals)) {
      minimum.end = FitEnd::kFailed;
    }
  }
  minimum.cost = CostOf(weighting, minimum.residuals);
  return end;
}

// Long first steps may lead to a place where a parameter has no effect; then
// short ones are tried, too.
LeastSquaresMinimum Search(FitModel& model,
                           const Weighting& weighting,
                           const VectorXd& start,
                           std::span<const Index> free,
                           std::int64_t max_iterations) {
  auto [minimum, has_lost_effect] = SearchOnce(
      model, weighting, start, free, {.max_iterations = max_iterations});
  const std::int64_t made = minimum.iterations;
  if (!has_lost_effect || minimum.end != FitEnd::kConverged ||
      made >= max_iterations) {
    return minimum;
  }
  LeastSquaresMinimum other =
      SearchOnce(model,
                 weighting,
                 start,
                 free,
                 {.max_iterations = max_iterations - made,
                  .first_radius = kSmallFirstRadius})
          .minimum;
  other.iterations += made;
  minimum.iterations = other.iterations;
  const bool is_better =
      other.end != FitEnd::kFailed && other.cost < minimum.cost;
  return is_better ? other : minimum;
}

// A coordinate at a bound from which the cost falls inwards.
struct ReleaseCandidate {
  Index k = 0;
  double cosine = 0;  // Between the residuals and their derivative by k.
  double part = 0;    // The step of k alone, relative to its magnitude.
};

// The search for a minimum in a box by its active set. A coordinate at a bound
// is held there. The coordinate with the strongest inward pull of the cost is
// released, one at a time, since a step of Gauss and Newton is known to point
// inwards only for a single released coordinate. Stark & Parker,
// "Bounded-variable least-squares: an algorithm and applications", Comput.
// Stat. 10 (1995) 129-141. Unlike theirs, a search goes on when it meets a
// bound, which it may leave again if residuals are nonlinear.
class SearchInBox {
 public:
  SearchInBox(FitModel& model,
              const Weighting& weighting,
              std::span<const Index> free,
              std::int64_t max_iterations)
      : model_(model),
        weighting_(weighting),
        free_(free),
        max_iterations_(max_iterations) {}

  LeastSquaresMinimum From(const VectorXd& start) {
    minimum_.x = start;
    minimum_.cost = kInfinity;
    std::vector<Index> searched(free_.begin(), free_.end());
    std::optional<ReleaseCandidate> leaving;
    for (std::size_t round = 0; round < kMostRounds * (1 + free_.size());
         ++round) {
      Minimise(searched, leaving);
      if (minimum_.end == FitEnd::kFailed || !model_.GoesOn()) {
        return std::move(minimum_);
      }
      const bool has_met_bounds =
          std::ranges::any_of(searched, [this](Index k) { return IsHeld(k); });
      searched = Inside();
      leaving.reset();
      if (has_met_bounds) {
        continue;
      }
      leaving =
          minimum_.end == FitEnd::kConverged ? StrongestPull() : std::nullopt;
      if (!leaving) {
        break;
      }
      searched.push_back(leaving->k);
    }
    SayIfPulled(leaving);
    return std::move(minimum_);
  }

 private:
  [[nodiscard]] bool IsHeld(Index k) const {
    return IsAtBound(model_.space(), minimum_.x, k);
  }

  [[nodiscard]] std::vector<Index> Inside() const {
    std::vector<Index> inside(free_.begin(), free_.end());
    std::erase_if(inside, [this](Index k) { return IsHeld(k); });
    return inside;
  }

  void Minimise(const std::vector<Index>& searched,
                const std::optional<ReleaseCandidate>& leaving) {
    const double cost = minimum_.cost;
    const std::int64_t iterations = minimum_.iterations;
    minimum_ =
        Search(model_, weighting_, minimum_.x, searched, max_iterations_);
    minimum_.iterations += iterations;
    if (minimum_.cost < (1 - model_.function().relative_error) * cost) {
      in_vain_.clear();
    } else if (leaving) {
      in_vain_.push_back(*leaving);
    }
  }

  // Returns the held coordinate whose release would reduce the cost most; none
  // that was released in vain.
  std::optional<ReleaseCandidate> StrongestPull() {
    std::vector<Index> held;
    std::ranges::copy_if(free_, std::back_inserter(held), [this](Index k) {
      return IsHeld(k) &&
             std::ranges::find(in_vain_, k, &ReleaseCandidate::k) ==
                 in_vain_.end();
    });
    MatrixXd jacobian;
    if (held.empty() || !model_.Jacobian(minimum_.x, held, jacobian)) {
      return std::nullopt;
    }
    VectorXd psi(minimum_.residuals.size());
    for (Index i = 0; i < psi.size(); ++i) {
      const double u = weighting_.weights[i] * minimum_.residuals[i];
      psi[i] = Loss(weighting_.loss, u * u).slope * u;
    }
    std::optional<ReleaseCandidate> strongest;
    for (std::size_t c = 0; c < held.size(); ++c) {
      const VectorXd change =
          weighting_.weights.cwiseProduct(jacobian.col(static_cast<Index>(c)));
      const ReleaseCandidate pull = PullOf(held[c], change, psi);
      const bool is_pulled =
          pull.cosine > model_.JacobianError() &&
          pull.part > kPartOfError * model_.function().relative_error;
      if (is_pulled && (!strongest || pull.cosine > strongest->cosine)) {
        strongest = pull;
      }
    }
    return strongest;
  }

  [[nodiscard]] ReleaseCandidate PullOf(Index k,
                                        const VectorXd& change,
                                        const VectorXd& psi) const {
    const double length = change.norm();
    if (length == 0 || psi.norm() == 0) {
      return {.k = k};
    }
    const bool is_low =
        minimum_.x[k] <= model_.space().low()[static_cast<std::size_t>(k)];
    const double along = (is_low ? -1 : 1) * change.dot(psi) / length;
    return {.k = k,
            .cosine = along / psi.norm(),
            .part = along / length / model_.SizeOf(minimum_.x[k], k)};
  }

  // Reports that the end is no minimum if a coordinate is pulled inwards and
  // its release gains nothing, unless the pull is a rounding error.
  void SayIfPulled(const std::optional<ReleaseCandidate>& next) {
    if (next) {
      in_vain_.push_back(*next);
    }
    const double precision = std::sqrt(model_.function().relative_error);
    const bool is_pulled =
        std::ranges::any_of(in_vain_, [&](const ReleaseCandidate& pull) {
          return pull.cosine > std::max(kStationaryPull, precision) &&
                 pull.part > precision;
        });
    if (is_pulled) {
      minimum_.end = FitEnd::kNotConverged;
    }
  }

  FitModel& model_;
  const Weighting& weighting_;
  std::span<const Index> free_;
  std::int64_t max_iterations_;
  LeastSquaresMinimum minimum_;
  std::vector<ReleaseCandidate> in_vain_;  // Released since the cost fell last.
};

}  // namespace

double CostOf(const Weighting& weighting, const VectorXd& residuals) {
  double cost = 0;
  for (Index i = 0; i < residuals.size(); ++i) {
    const double u = weighting.weights[i] * residuals[i];
    cost += Loss(weighting.loss, u * u).rho;
  }
  return cost;
}

LeastSquaresMinimum MinimiseLeastSquares(FitModel& model,
                                         const Weighting& weighting,
                                         const VectorXd& start,
                                         std::span<const Index> free,
                                         std::int64_t max_iterations) {
  return SearchInBox(model, weighting, free, max_iterations).From(start);
}

}  // namespace orrery::experiment::internal
