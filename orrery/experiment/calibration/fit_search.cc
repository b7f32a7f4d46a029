#include "orrery/experiment/calibration/fit_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/experiment/calibration/robust_loss.h"
#include "orrery/experiment/statistics/sample_statistics.h"

namespace orrery::experiment::internal {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostScalings = 100;
constexpr double kLeastScale = 1e-8;  // Relative to the largest one.

std::size_t CountOf(std::span<const std::size_t> groups) {
  return 1 + *std::ranges::max_element(groups);
}

// Splits the residuals by group.
std::vector<std::vector<double>> InGroups(std::span<const std::size_t> groups,
                                          const VectorXd& residuals) {
  std::vector<std::vector<double>> all(CountOf(groups));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    all[groups[i]].push_back(residuals[static_cast<Index>(i)]);
  }
  return all;
}

// The standard deviation of normal residuals by their median magnitude.
double RobustDeviation(std::vector<double> residuals) {
  for (double& r : residuals) {
    r = std::abs(r);
  }
  return SortedSample(residuals).Quantile(0.5) / 0.6745;
}

double RootMeanSquare(std::span<const double> residuals) {
  double sum = 0;
  for (const double r : residuals) {
    sum += r * r;
  }
  return std::sqrt(sum / static_cast<double>(residuals.size()));
}

}  // namespace

std::vector<double> RootMeanSquares(std::span<const std::size_t> groups,
                                    const VectorXd& residuals) {
  std::vector<double> roots;
  for (const std::vector<double>& its : InGroups(groups, residuals)) {
    roots.push_back(RootMeanSquare(its));
  }
  return roots;
}

FitSearcher::FitSearcher(const ResidualFunction& function,
                         const FitOptions& options)
    : function_(function), options_(options) {
  if (options.noise == NoiseModel::kByGroup) {
    groups_ = function.groups;
  }
  groups_.resize(function.size, 0);
}

FitSearch FitSearcher::From(FitModel& model,
                            const VectorXd& start,
                            std::span<const Index> free,
                            const std::optional<VectorXd>& scales) const {
  // Minimises after `made` iterations.
  const auto minimised =
      [&](const Weighting& weighting, const VectorXd& from, std::int64_t made) {
        LeastSquaresMinimum minimum = MinimiseLeastSquares(
            model, weighting, from, free, options_.max_iterations - made);
        minimum.iterations += made;
        return minimum;
      };
  const bool has_scales = options_.loss != LossKind::kSquare ||
                          options_.noise == NoiseModel::kByGroup;
  FitSearch search;
  search.weighting.weights = VectorXd::Ones(static_cast<Index>(function_.size));
  search.scales = VectorXd::Ones(static_cast<Index>(CountOf(groups_)));
  if (scales) {
    search.scales = *scales;
    SetWeights(search);
  }
  search.minimum = minimised(search.weighting, start, 0);
  const double precision =
      std::max(1e-10, std::pow(function_.relative_error, 2.0 / 3));
  double change = has_scales ? 1 : 0;
  for (int i = 0;
       i < kMostScalings && change > precision && search.is_usable() &&
       search.minimum.iterations < options_.max_iterations;
       ++i) {
    const VectorXd next = ScalesOf(search.minimum.residuals);
    change = (next.cwiseQuotient(search.scales).array() - 1).abs().maxCoeff();
    search.scales = next;
    SetWeights(search);
    search.minimum = minimised(
        search.weighting, search.minimum.x, search.minimum.iterations);
  }
  if (change > precision && search.is_usable()) {
    search.minimum.end = FitEnd::kNotConverged;
  }
  if (search.minimum.end == FitEnd::kFailed) {
    search.why = model.why();
  } else {
    search.objective = ObjectiveOf(search);
  }
  return search;
}

VectorXd FitSearcher::ScalesOf(const VectorXd& residuals) const {
  const std::vector<std::vector<double>> all = InGroups(groups_, residuals);
  VectorXd scales(static_cast<Index>(all.size()));
  for (std::size_t g = 0; g < all.size(); ++g) {
    const double robust =
        options_.loss == LossKind::kSquare ? 0 : RobustDeviation(all[g]);
    scales[static_cast<Index>(g)] =
        robust > 0 ? robust : RootMeanSquare(all[g]);
  }
  const double least = std::max(kLeastScale * scales.maxCoeff(),
                                std::numeric_limits<double>::min());
  return scales.cwiseMax(least);
}

void FitSearcher::SetWeights(FitSearch& search) const {
  search.weighting.loss = options_.loss;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    search.weighting.weights[static_cast<Index>(i)] =
        1 / (TuningConstant(options_.loss) *
             search.scales[static_cast<Index>(groups_[i])]);
  }
}

double FitSearcher::DevianceOf(const VectorXd& residuals) const {
  double deviance = 0;
  for (const std::vector<double>& its : InGroups(groups_, residuals)) {
    deviance +=
        2 * static_cast<double>(its.size()) * std::log(RootMeanSquare(its));
  }
  return deviance;
}

double FitSearcher::ObjectiveOf(const FitSearch& search) const {
  if (options_.loss == LossKind::kSquare) {
    return options_.noise == NoiseModel::kByGroup
               ? DevianceOf(search.minimum.residuals)
               : search.minimum.cost;
  }
  const double scale = search.scales.maxCoeff();
  return scale * scale * search.minimum.cost;
}

}  // namespace orrery::experiment::internal
