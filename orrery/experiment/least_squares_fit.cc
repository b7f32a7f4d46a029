#include "orrery/experiment/least_squares_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/estimate.h"
#include "orrery/base/non_finite.h"
#include "orrery/base/random.h"
#include "orrery/experiment/design.h"
#include "orrery/experiment/internal/fit_model.h"
#include "orrery/experiment/internal/fit_statistics.h"
#include "orrery/experiment/internal/least_squares_solver.h"
#include "orrery/experiment/internal/profile_likelihood.h"

namespace orrery {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using internal::LeastSquaresMinimum;
using internal::Weighting;

constexpr int kMostRounds = 100;
constexpr double kLeastScale = 1e-8;  // Of a group, of that of the largest.

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

// The residuals of one group.
std::vector<double> OfGroup(std::span<const std::size_t> groups,
                            const VectorXd& residuals,
                            std::size_t group) {
  std::vector<double> its;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] == group) {
      its.push_back(residuals[static_cast<Index>(i)]);
    }
  }
  return its;
}

std::size_t CountOf(std::span<const std::size_t> groups) {
  return 1 + *std::ranges::max_element(groups);
}

void CheckFit(const SearchSpace& space,
              const ResidualFunction& function,
              const FitOptions& options) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
  };
  if (function.size < space.size()) {
    refuse(
        fmt::format("cannot fit {} parameters to {} data: fewer data than "
                    "parameters determine nothing; fix parameters or take "
                    "more data",
                    space.size(),
                    function.size));
  }
  for (std::size_t k = 0; k < space.size(); ++k) {
    const SearchBounds& bounds = space.bounds(k);
    if (bounds.is_integer) {
      refuse(fmt::format(
          "cannot fit '{}': a fit takes derivatives, which there are none of "
          "by a whole number; fix it, one after the other",
          space.names()[k]));
    }
    if (options.starts > 1 &&
        !(std::isfinite(bounds.low) && std::isfinite(bounds.high))) {
      refuse(
          fmt::format("cannot search '{}' from {} starts: it has no finite "
                      "bounds; give them, or one start",
                      space.names()[k],
                      options.starts));
    }
  }
  if (options.starts < 1 || options.max_iterations < 1) {
    refuse(
        fmt::format("cannot fit from {} starts in {} iterations; give at "
                    "least one of both",
                    options.starts,
                    options.max_iterations));
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    refuse(
        fmt::format("cannot take intervals of confidence {}; give a number "
                    "between 0 and 1, as 0.95",
                    options.confidence));
  }
  if (options.takes_profiles && options.loss != LossKind::kSquare) {
    refuse(
        fmt::format("cannot take profile likelihoods with the loss {}: it "
                    "is of no distribution; leave one of them out",
                    NameOf(options.loss)));
  }
}

// A search that has ended.
struct Search {
  LeastSquaresMinimum minimum;
  Weighting weighting;
  VectorXd scales;          // By group.
  double objective = kNaN;  // To be compared with that of others.
};

class Fitter {
 public:
  Fitter(const SearchSpace& space,
         const ResidualFunction& function,
         const FitOptions& options,
         Executor& executor,
         const FitWatch& watch)
      : space_(space),
        function_(function),
        options_(options),
        model_(space, function, executor, watch),
        groups_(options.noise == NoiseModel::kByGroup
                    ? function.groups
                    : std::vector<std::size_t>()) {
    groups_.resize(function.size, 0);
    num_groups_ = CountOf(groups_);
    all_.resize(space.size());
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  LeastSquaresFit Run() {
    LeastSquaresFit fit;
    fit.confidence = options_.confidence;
    const Search best = BestOfStarts(fit);
    const LeastSquaresMinimum& minimum = best.minimum;
    fit.end = minimum.end;
    if (minimum.end == FitEnd::kFailed) {
      fit.message = model_.why();
    } else {
      Conclude(best, fit);
      if (options_.takes_profiles && minimum.end != FitEnd::kInterrupted) {
        AddProfiles(best, fit);
      }
    }
    if (!model_.GoesOn()) {
      fit.end = FitEnd::kInterrupted;
    }
    fit.evaluations = model_.evaluations();
    return fit;
  }

 private:
  [[nodiscard]] VectorXd StartAt(std::int64_t i) const {
    VectorXd x = Eigen::Map<const VectorXd>(space_.start().data(),
                                            static_cast<Index>(space_.size()));
    if (i > 0) {
      std::vector<Factor> factors;
      for (std::size_t k = 0; k < space_.size(); ++k) {
        factors.push_back(
            {.name = space_.names()[k], .range = space_.bounds(k), .text = {}});
      }
      // The sequence's point 0 is a corner.
      const Design design(factors,
                          {.kind = DesignKind::kSobol,
                           .points = options_.starts,
                           .correlations = {}});
      std::vector<double> values(space_.size());
      design.Point(i, values);
      for (std::size_t k = 0; k < space_.size(); ++k) {
        x[static_cast<Index>(k)] = space_.CoordinateOf(k, values[k]);
      }
    }
    return x;
  }

  Search BestOfStarts(LeastSquaresFit& fit) {
    std::optional<Search> best;
    for (std::int64_t i = 0; i < options_.starts && model_.GoesOn(); ++i) {
      Search search = SearchFrom(StartAt(i), all_, std::nullopt);
      fit.iterations += search.minimum.iterations;
      fit.costs.push_back(search.objective);
      if (!best || std::isnan(best->objective) ||
          search.objective < best->objective) {
        best = std::move(search);
      }
    }
    return best ? *std::move(best) : Search{};
  }

  // With all scales known, one search for a minimum; else one after the other,
  // the scales taken from the residuals at the last.
  Search SearchFrom(const VectorXd& start,
                    std::span<const Index> free,
                    const std::optional<VectorXd>& scales) {
    const bool has_scales = options_.loss != LossKind::kSquare ||
                            options_.noise == NoiseModel::kByGroup;
    Search search;
    search.weighting.weights =
        VectorXd::Ones(static_cast<Index>(function_.size));
    search.scales = VectorXd::Ones(static_cast<Index>(num_groups_));
    if (scales) {
      search.scales = *scales;
      SetWeights(search);
    }
    search.minimum = Minimised(search.weighting, start, free);
    const double precision =
        std::max(1e-10, std::pow(function_.relative_error, 2.0 / 3));
    double change = has_scales ? 1 : 0;
    for (int i = 0; i < kMostRounds && change > precision && IsUsable(search);
         ++i) {
      const VectorXd next = ScalesOf(search.minimum.residuals);
      change = (next.cwiseQuotient(search.scales).array() - 1).abs().maxCoeff();
      search.scales = next;
      SetWeights(search);
      LeastSquaresMinimum minimum =
          Minimised(search.weighting, search.minimum.x, free);
      minimum.iterations += search.minimum.iterations;
      search.minimum = std::move(minimum);
    }
    if (search.minimum.end != FitEnd::kFailed) {
      search.objective = ObjectiveOf(search);
    }
    return search;
  }

  LeastSquaresMinimum Minimised(const Weighting& weighting,
                                const VectorXd& start,
                                std::span<const Index> free) {
    return internal::MinimiseLeastSquares(
        model_, weighting, start, free, options_.max_iterations);
  }

  [[nodiscard]] static bool IsUsable(const Search& search) {
    return search.minimum.end == FitEnd::kConverged ||
           search.minimum.end == FitEnd::kNotConverged;
  }

  [[nodiscard]] VectorXd ScalesOf(const VectorXd& residuals) const {
    VectorXd scales(static_cast<Index>(num_groups_));
    for (std::size_t g = 0; g < num_groups_; ++g) {
      const std::vector<double> its = OfGroup(groups_, residuals, g);
      const double robust =
          options_.loss == LossKind::kSquare ? 0 : RobustDeviation(its);
      scales[static_cast<Index>(g)] = robust > 0 ? robust : RootMeanSquare(its);
    }
    const double least = std::max(kLeastScale * scales.maxCoeff(),
                                  std::numeric_limits<double>::min());
    return scales.cwiseMax(least);
  }

  void SetWeights(Search& search) const {
    search.weighting.loss = options_.loss;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      search.weighting.weights[static_cast<Index>(i)] =
          1 / (TuningConstant(options_.loss) *
               search.scales[static_cast<Index>(groups_[i])]);
    }
  }

  // -2 log(likelihood) of normal errors of unknown variances, but a constant.
  [[nodiscard]] double DevianceOf(const VectorXd& residuals) const {
    double deviance = 0;
    for (std::size_t g = 0; g < num_groups_; ++g) {
      const std::vector<double> its = OfGroup(groups_, residuals, g);
      deviance +=
          2 * static_cast<double>(its.size()) * std::log(RootMeanSquare(its));
    }
    return deviance;
  }

  [[nodiscard]] double ObjectiveOf(const Search& search) const {
    if (options_.loss == LossKind::kSquare) {
      return options_.noise == NoiseModel::kByGroup
                 ? DevianceOf(search.minimum.residuals)
                 : search.minimum.cost;
    }
    const double scale = search.scales.maxCoeff();
    return scale * scale * search.minimum.cost;
  }

  void Conclude(const Search& search, LeastSquaresFit& fit) {
    const VectorXd& r = search.minimum.residuals;
    const auto degrees = static_cast<double>(function_.size - space_.size());
    fit.residuals.assign(r.begin(), r.end());
    fit.sum_of_squares = r.squaredNorm();
    fit.residual_deviation =
        degrees > 0 ? std::sqrt(fit.sum_of_squares / degrees) : kNaN;
    std::vector<std::size_t> groups = function_.groups;
    groups.resize(function_.size, 0);
    for (std::size_t g = 0; g < CountOf(groups); ++g) {
      fit.group_deviations.push_back(RootMeanSquare(OfGroup(groups, r, g)));
    }
    AddEstimates(search, fit);
  }

  void AddEstimates(const Search& search, LeastSquaresFit& fit) {
    const LeastSquaresMinimum& minimum = search.minimum;
    internal::TangentStatistics statistics =
        internal::TangentStatisticsAt(model_, search.weighting, minimum);
    fit.relative_offset = statistics.relative_offset;
    fit.findings = std::move(statistics.findings);
    const std::size_t p = space_.size();
    const double quantile =
        function_.size > p
            ? StudentQuantile(options_.confidence,
                              static_cast<std::int64_t>(function_.size - p))
            : kNaN;
    fit.covariance.resize(p * p);
    for (std::size_t k = 0; k < p; ++k) {
      const auto place = static_cast<Index>(k);
      const double x = minimum.x[place];
      const double slope = space_.SlopeAt(k, x);
      const double error = std::sqrt(statistics.covariance(place, place));
      fit.parameters.push_back(
          {.name = space_.names()[k],
           .value = space_.ValueAt(k, x),
           .standard_error = slope * error,
           .interval = {.low = ValueOf(k, x - quantile * error),
                        .high = ValueOf(k, x + quantile * error)},
           .profile = {}});
      for (std::size_t j = 0; j < p; ++j) {
        const auto other = static_cast<Index>(j);
        fit.covariance[k * p + j] = slope *
                                    space_.SlopeAt(j, minimum.x[other]) *
                                    statistics.covariance(place, other);
      }
    }
  }

  // Without regard to the bounds, of which intervals know nothing.
  [[nodiscard]] double ValueOf(std::size_t k, double coordinate) const {
    return space_.bounds(k).scale == SearchScale::kLog ? std::exp(coordinate)
                                                       : coordinate;
  }

  void AddProfiles(const Search& best, LeastSquaresFit& fit) {
    const double root = InverseNormalCdf((1 + options_.confidence) / 2);
    const double least = DevianceOf(best.minimum.residuals);
    for (std::size_t k = 0; k < space_.size(); ++k) {
      std::vector<Index> free = all_;
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(k));
      const auto minimise = [&](const VectorXd& start) {
        const Search held = SearchFrom(start, free, best.scales);
        return internal::HeldMinimum{
            .x = held.minimum.x,
            .deviance = IsUsable(held)
                            ? DevianceOf(held.minimum.residuals) - least
                            : std::numeric_limits<double>::infinity()};
      };
      ParameterEstimate& estimate = fit.parameters[k];
      const double x = best.minimum.x[static_cast<Index>(k)];
      const double error = estimate.standard_error / space_.SlopeAt(k, x);
      const ConfidenceInterval interval = internal::ProfileInterval(
          minimise,
          best.minimum.x,
          static_cast<Index>(k),
          error > 0 ? root * error : 0.1 * std::max(1.0, std::abs(x)),
          {.low = space_.low()[k], .high = space_.high()[k]},
          root * root);
      estimate.profile = ConfidenceInterval{.low = ValueOf(k, interval.low),
                                            .high = ValueOf(k, interval.high)};
    }
  }

  const SearchSpace& space_;
  const ResidualFunction& function_;
  const FitOptions& options_;
  internal::FitModel model_;
  std::vector<std::size_t> groups_;  // With one scale each, by residual.
  std::size_t num_groups_ = 1;
  std::vector<Index> all_;  // Coordinates.
};

}  // namespace

std::string_view NameOf(NoiseModel noise) noexcept {
  return noise == NoiseModel::kCommon ? "common" : "by-signal";
}

NoiseModel NoiseModelOf(std::string_view name) {
  for (const NoiseModel noise : {NoiseModel::kCommon, NoiseModel::kByGroup}) {
    if (NameOf(noise) == name) {
      return noise;
    }
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take the noise '{}': it is common, of one "
                          "variance, or by-signal",
                          name));
}

std::string_view Describe(FitEnd end) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {
      "converged", "not converged", "interrupted", "failed"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string Describe(const FitFinding& finding) {
  std::string names = fmt::format("{}", fmt::join(finding.parameters, ", "));
  switch (finding.kind) {
    case FitFinding::Kind::kNoEffect:
      return names + " has no effect on what was measured; fix it";
    case FitFinding::Kind::kAtBound:
      return names +
             " is at its bound; its error is not known, and those of the "
             "others are as if it were fixed there";
    case FitFinding::Kind::kUndetermined:
      return "the data determine only a combination of " + names +
             "; fix one of them, or measure more";
    case FitFinding::Kind::kCollinear:
      return fmt::format(
          "{} can hardly be told apart: a change of one is made up for by the "
          "others but for 1/{:.3g}; fix one of them, or measure more",
          names,
          finding.size);
    case FitFinding::Kind::kNotStationary:
      return fmt::format(
          "the search ended where there is no minimum (relative offset {:.2g}, "
          "not below 0.001); a smaller tolerance of the runs or another guess "
          "may help",
          finding.size);
    case FitFinding::Kind::kNoFreedom:
      return "there are as many parameters as data: their errors are not known";
  }
  return names;
}

double LeastSquaresFit::Correlation(std::size_t i, std::size_t k) const {
  const std::size_t p = parameters.size();
  return covariance[i * p + k] /
         std::sqrt(covariance[i * p + i] * covariance[k * p + k]);
}

LeastSquaresFit FitLeastSquares(const SearchSpace& space,
                                const ResidualFunction& function,
                                const FitOptions& options,
                                Executor& executor,
                                const FitWatch& watch) {
  CheckFit(space, function, options);
  return Fitter(space, function, options, executor, watch).Run();
}

}  // namespace orrery
