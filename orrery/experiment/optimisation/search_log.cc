#include "orrery/experiment/optimisation/search_log.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace orrery::experiment::internal {
namespace {

// The violation of constraints that hold up to rounding.
constexpr double kSettled = 1e-10;

}  // namespace

SearchLog::SearchLog(const OptimisationProblem& problem,
                     const SearchBox& box,
                     const OptimisationOptions& options,
                     Evaluator& evaluator,
                     Take take,
                     GoesOn goes_on)
    : box_(box),
      kinds_(problem.constraints()),
      feasibility_(options.feasibility),
      step_(options.difference_step),
      evaluator_(evaluator),
      take_(std::move(take)),
      goes_on_(std::move(goes_on)),
      judge_(kinds_),
      functions_(kinds_.size() + 1) {}

void SearchLog::Allow(std::int64_t evaluations) {
  limit_ = evaluations_ + evaluations;
  if (end_ == SearchEnd::kMaxEvaluations) {
    end_.reset();
  }
}

void SearchLog::GoTo(std::span<const double> place) {
  if (end_ || std::ranges::equal(place, place_)) {
    return;
  }
  if (evaluations_ == limit_) {
    end_ = SearchEnd::kMaxEvaluations;
    return;
  }
  std::vector<double> values = box_.ValuesAt(place);
  std::vector<PointResult> evaluations =
      evaluator_.Evaluate({&values, 1}, goes_on_);
  if (evaluations.empty()) {
    end_ = SearchEnd::kInterrupted;
    return;
  }
  ++evaluations_;
  point_ = judge_.Judge(std::move(values), std::move(evaluations.front()));
  place_.assign(place.begin(), place.end());
  has_slopes_ = false;
  has_failed_ = !point_.evaluation.failure.empty();
  if (has_failed_) {
    functions_ = Price();
  } else {
    NoteFunctions(point_.evaluation);
    if (!best_ || IsBetter(point_, *best_, feasibility_)) {
      best_ = point_;
      best_place_ = place_;
    }
  }
  take_(point_);
}

void SearchLog::Settle(const EvaluatedPoint& point) {
  if (!settled_ || IsBetter(point, *settled_, kSettled)) {
    settled_ = point;
  }
}

void SearchLog::NoteFunctions(const PointResult& evaluation) {
  functions_ = judge_.Scaled(evaluation);
  if (least_.empty()) {
    least_ = functions_;
    most_ = functions_;
  }
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    least_[i] = std::min(least_[i], functions_[i]);
    most_[i] = std::max(most_[i], functions_[i]);
  }
}

// Returns the functions of a failed point: an objective that is worse than the
// worst one by the difference of the worst from the best, and the worst
// violations. Models of the functions then keep their magnitude.
std::vector<double> SearchLog::Price() const {
  constexpr double kBeforeAnyIsKnown = 1e100;
  if (!judge_.has_scales()) {
    std::vector<double> functions(kinds_.size() + 1, 1);
    functions[0] = kBeforeAnyIsKnown;
    return functions;
  }
  std::vector<double> functions = most_;
  const double spread = most_[0] - least_[0];
  functions[0] += spread > 0 ? spread : std::max(1.0, std::abs(most_[0]));
  for (std::size_t k = 1; k < functions.size(); ++k) {
    functions[k] = std::max(0.0, functions[k]);
  }
  return functions;
}

SearchLog::Neighbours SearchLog::NeighboursAlong(std::size_t j) const {
  if (place_[j] + step_ > 1) {
    return {.near = -step_, .far = -2 * step_};
  }
  return {.near = step_, .far = place_[j] - step_ < 0 ? 2 * step_ : -step_};
}

std::span<const double> SearchLog::Slopes() {
  if (has_slopes_) {
    return slopes_;
  }
  slopes_.assign(functions_.size() * dimension(), 0.0);
  if (!has_failed_ && !end_) {
    const auto exact =
        evaluator_.Differentiate(box_.ValuesAt(place_), goes_on_);
    if (exact.empty()) {
      TakeDifferences();
    } else {
      TakeExact(exact);
    }
    has_slopes_ = true;
  }
  return slopes_;
}

void SearchLog::TakeExact(const std::vector<std::vector<double>>& derivatives) {
  ++slope_evaluations_;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    for (std::size_t j = 0; j < dimension(); ++j) {
      slopes_[i * dimension() + j] = derivatives[i][box_.factor(j)] *
                                     box_.SlopeAt(j, place_) / judge_.scale(i);
    }
  }
}

// Derivatives of parabolas through three points: central differences except at
// the bounds.
void SearchLog::TakeDifferences() {
  std::vector<Neighbours> neighbours;
  std::vector<std::vector<double>> points;
  std::vector<double> place = place_;
  for (std::size_t j = 0; j < dimension(); ++j) {
    neighbours.push_back(NeighboursAlong(j));
    for (const double distance : {neighbours[j].near, neighbours[j].far}) {
      place[j] = place_[j] + distance;
      points.push_back(box_.ValuesAt(place));
    }
    place[j] = place_[j];
  }
  const std::vector<PointResult> evaluations =
      evaluator_.Evaluate(points, goes_on_);
  if (evaluations.empty()) {
    end_ = SearchEnd::kInterrupted;
    return;
  }
  slope_evaluations_ += static_cast<std::int64_t>(evaluations.size());
  for (std::size_t j = 0; j < dimension(); ++j) {
    NoteSlopes(j, neighbours[j], evaluations[2 * j], evaluations[2 * j + 1]);
  }
}

void SearchLog::NoteSlopes(std::size_t j,
                           const Neighbours& distances,
                           const PointResult& near,
                           const PointResult& far) {
  const auto secants = [&](const PointResult& evaluation, double distance) {
    std::vector<double> slopes;
    if (HasCompleted(evaluation)) {
      slopes = judge_.Scaled(evaluation);
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        slopes[i] = (slopes[i] - functions_[i]) / distance;
      }
    }
    return slopes;
  };
  const std::vector<double> to_near = secants(near, distances.near);
  const std::vector<double> to_far = secants(far, distances.far);
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    double& slope = slopes_[i * dimension() + j];
    if (!to_near.empty() && !to_far.empty()) {
      slope = (distances.far * to_near[i] - distances.near * to_far[i]) /
              (distances.far - distances.near);
    } else if (!to_near.empty()) {
      slope = to_near[i];
    } else if (!to_far.empty()) {
      slope = to_far[i];
    }
  }
}

}  // namespace orrery::experiment::internal
