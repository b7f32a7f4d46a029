#include "orrery/experiment/calibration/least_squares_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/estimate.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/system/in_this_thread.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/calibration/fit_model.h"
#include "orrery/experiment/calibration/fit_search.h"
#include "orrery/experiment/calibration/fit_statistics.h"
#include "orrery/experiment/calibration/least_squares_solver.h"
#include "orrery/experiment/calibration/profile_likelihood.h"
#include "orrery/experiment/design/design.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using internal::FitModel;
using internal::FitSearch;
using internal::LeastSquaresMinimum;

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
          "by a whole number; fix it at each of its values, and take the "
          "best fit",
          space.names()[k]));
    }
    if (options.starts > 1 && !bounds.is_closed()) {
      refuse(
          fmt::format("cannot search '{}' from {} starts: it has no finite "
                      "bounds; give them, or one start",
                      space.names()[k],
                      options.starts));
    }
  }
  constexpr std::int64_t kMostStarts = 100'000;
  if (options.starts < 1 || options.starts > kMostStarts ||
      options.max_iterations < 1) {
    refuse(
        fmt::format("cannot fit from {} starts in {} iterations; give at "
                    "least one of both, and at most {} starts",
                    options.starts,
                    options.max_iterations,
                    kMostStarts));
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
        executor_(executor),
        watch_(watch),
        told_(watch),
        model_(space, function, executor, told_),
        searcher_(function, options) {
    if (watch.progress) {
      told_.progress = [this](const FitProgress& progress) {
        Tell(progress);
      };
    }
    all_.resize(space.size());
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  LeastSquaresFit Run() {
    LeastSquaresFit fit;
    fit.confidence = options_.confidence;
    const FitSearch best = BestOfStarts(fit);
    const LeastSquaresMinimum& minimum = best.minimum;
    fit.end = minimum.end;
    if (minimum.end == FitEnd::kFailed) {
      fit.message = model_.GoesOn() ? WhyFailed(best) : best.why;
    } else {
      Conclude(best, fit);
      if (options_.takes_profiles && function_.size > space_.size() &&
          minimum.end != FitEnd::kInterrupted) {
        AddProfiles(best, fit);
      }
    }
    if (!model_.GoesOn()) {
      fit.end = FitEnd::kInterrupted;
    }
    fit.evaluations = evaluations_ + model_.evaluations();
    return fit;
  }

 private:
  // Returns the values at which there are no residuals, and why.
  [[nodiscard]] std::string WhyFailed(const FitSearch& search) const {
    std::string point;
    for (std::size_t k = 0; k < space_.size(); ++k) {
      const double x = search.minimum.x[static_cast<Index>(k)];
      point += fmt::format("{}{} = {}",
                           k == 0 ? "" : ", ",
                           space_.names()[k],
                           ShortestText(space_.ValueAt(k, x)));
    }
    return fmt::format(
        "at {}: {}; begin with another guess", point, search.why);
  }

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

  // Calls search(i, model) for each i < `count`: a single search has all
  // threads, several run in parallel.
  template <typename Function>
  void ForEachSearch(std::size_t count, Function search) {
    if (count == 1) {
      search(0, model_);
      return;
    }
    executor_.ForEachThatMayThrow(count, [&](std::size_t i) {
      InThisThread here;
      FitModel model(space_, function_, here, told_);
      search(i, model);
      const std::lock_guard lock(mutex_);
      evaluations_ += model.evaluations();
    });
  }

  FitSearch BestOfStarts(LeastSquaresFit& fit) {
    const auto starts = static_cast<std::size_t>(options_.starts);
    std::vector<std::optional<double>> costs(starts);
    FitSearch best;
    std::size_t number = starts;  // The number of the best one.
    ForEachSearch(starts, [&](std::size_t i, FitModel& model) {
      if (!model.GoesOn()) {
        return;
      }
      FitSearch search = searcher_.From(
          model, StartAt(static_cast<std::int64_t>(i)), all_, std::nullopt);
      const std::lock_guard lock(mutex_);
      costs[i] = search.objective;
      fit.iterations += search.minimum.iterations;
      const bool is_better =
          std::isnan(best.objective)
              ? !std::isnan(search.objective) || i < number
              : search.objective < best.objective ||
                    (search.objective == best.objective && i < number);
      if (is_better) {
        best = std::move(search);
        number = i;
      }
    });
    for (const std::optional<double>& cost : costs) {
      if (cost) {
        fit.costs.push_back(*cost);
      }
    }
    return best;
  }

  void Conclude(const FitSearch& search, LeastSquaresFit& fit) {
    const VectorXd& r = search.minimum.residuals;
    fit.residuals.assign(r.begin(), r.end());
    fit.sum_of_squares = r.squaredNorm();
    std::vector<std::size_t> groups = function_.groups;
    groups.resize(function_.size, 0);
    fit.group_deviations = internal::RootMeanSquares(groups, r);
    AddEstimates(search, fit);
  }

  void AddEstimates(const FitSearch& search, LeastSquaresFit& fit) {
    const LeastSquaresMinimum& minimum = search.minimum;
    internal::TangentStatistics statistics =
        internal::TangentStatisticsAt(model_, search.weighting, minimum);
    fit.relative_offset = statistics.relative_offset;
    fit.findings = std::move(statistics.findings);
    if (minimum.end == FitEnd::kNotConverged &&
        minimum.iterations >= options_.max_iterations) {
      std::erase_if(fit.findings, [](const FitFinding& finding) {
        return finding.kind == FitFinding::Kind::kNotStationary;
      });
      fit.findings.push_back({.kind = FitFinding::Kind::kTooFewIterations,
                              .parameters = {},
                              .size = static_cast<double>(minimum.iterations)});
    }
    const std::size_t p = space_.size();
    const auto degrees = static_cast<std::int64_t>(
        function_.size + statistics.num_without_effect - p);
    fit.residual_deviation =
        degrees > 0
            ? std::sqrt(fit.sum_of_squares / static_cast<double>(degrees))
            : kNaN;
    const double quantile =
        degrees > 0 ? StudentQuantile(options_.confidence, degrees) : kNaN;
    fit.covariance.resize(p * p);
    fit.correlation.resize(p * p);
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
        fit.correlation[k * p + j] = statistics.correlation(place, other);
      }
    }
  }

  // Ignores the bounds, which intervals do not respect.
  [[nodiscard]] double ValueOf(std::size_t k, double coordinate) const {
    return space_.bounds(k).scale == SearchScale::kLog ? std::exp(coordinate)
                                                       : coordinate;
  }

  void AddProfiles(const FitSearch& best, LeastSquaresFit& fit) {
    const double root = InverseNormalCdf((1 + options_.confidence) / 2);
    const double least = searcher_.DevianceOf(best.minimum.residuals);
    ForEachSearch(space_.size(), [&](std::size_t k, FitModel& model) {
      std::vector<Index> free = all_;
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(k));
      const auto minimise = [&](const VectorXd& start) {
        const FitSearch held = searcher_.From(model, start, free, best.scales);
        return internal::HeldMinimum{
            .x = held.minimum.x,
            .deviance =
                held.is_usable()
                    ? searcher_.DevianceOf(held.minimum.residuals) - least
                    : kInfinity};
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
    });
  }

  // Adds the progress of one search, and reports the total.
  void Tell(const FitProgress& progress) {
    const std::lock_guard lock(mutex_);
    watch_.progress({.evaluations = evaluations_ + progress.evaluations,
                     .cost = progress.cost});
  }

  const SearchSpace& space_;
  const ResidualFunction& function_;
  const FitOptions& options_;
  Executor& executor_;
  const FitWatch& watch_;
  FitWatch told_;  // For each search.
  FitModel model_;
  internal::FitSearcher searcher_;
  std::vector<Index> all_;  // Coordinates.

  std::mutex mutex_;  // Guards the members that parallel searches share.
  std::int64_t evaluations_ = 0;  // Without the evaluations of model_.
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
      return "there are as many parameters as data: neither their errors nor "
             "likelihoods are known";
    case FitFinding::Kind::kNoNoise:
      return "the model meets the data but for errors of computation: the "
             "errors are these, and say nothing of measurements";
    case FitFinding::Kind::kTooFewIterations:
      return fmt::format(
          "the search ended before it had converged, after {:.0f} {}, as many "
          "as are allowed; allow more",
          finding.size,
          finding.size == 1 ? "iteration" : "iterations");
  }
  return names;
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
