#include "orrery/experiment/optimisation/point_scaling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::experiment::internal {
namespace {

double ScaleFor(double magnitude) {
  const double scale = std::abs(magnitude);
  return scale > 0 && std::isfinite(scale) ? scale : 1;
}

}  // namespace

bool HasCompleted(const PointResult& evaluation) {
  return evaluation.failure.empty() && std::isfinite(evaluation.objective) &&
         std::ranges::all_of(
             evaluation.others,
             [](double other) { return std::isfinite(other); }) &&
         std::ranges::all_of(evaluation.constraints,
                             [](const ConstraintValue& constraint) {
                               return std::isfinite(constraint.value);
                             });
}

bool IsBetter(const EvaluatedPoint& a,
              const EvaluatedPoint& b,
              double feasibility) {
  if (!a.evaluation.failure.empty() || !b.evaluation.failure.empty()) {
    return a.evaluation.failure.empty() && !b.evaluation.failure.empty();
  }
  const double violation_of_a = a.violation <= feasibility ? 0 : a.violation;
  const double violation_of_b = b.violation <= feasibility ? 0 : b.violation;
  return violation_of_a < violation_of_b ||
         (violation_of_a == violation_of_b &&
          a.evaluation.objective < b.evaluation.objective);
}

EvaluatedPoint PointScaling::Judge(std::vector<double> values,
                                   PointResult evaluation) {
  EvaluatedPoint point{.values = std::move(values),
                       .evaluation = std::move(evaluation)};
  PointResult& its = point.evaluation;
  if (!its.failure.empty()) {
    return point;
  }
  if (!HasCompleted(its)) {
    its.failure = "it comes to no finite number";
    return point;
  }
  if (scales_.empty()) {
    scales_.push_back(ScaleFor(its.objective));
    for (const ConstraintValue& constraint : its.constraints) {
      scales_.push_back(ScaleFor(constraint.magnitude));
    }
  }
  for (std::size_t k = 0; k < its.constraints.size(); ++k) {
    its.constraints[k].scale = scales_[k + 1];
  }
  point.violation = ViolationOf(its);
  return point;
}

std::vector<double> PointScaling::Scaled(const PointResult& evaluation) const {
  std::vector<double> functions = {evaluation.objective / scales_[0]};
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    functions.push_back(evaluation.constraints[k].value / scales_[k + 1]);
  }
  return functions;
}

double PointScaling::ViolationOf(const PointResult& evaluation) const {
  double violation = 0;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const double value = evaluation.constraints[k].value / scales_[k + 1];
    violation = std::max(
        violation,
        kinds_[k] == ConstraintKind::kEquality ? std::abs(value) : value);
  }
  return violation;
}

}  // namespace orrery::experiment::internal
