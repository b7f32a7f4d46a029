#include "orrery/experiment/optimisation/constraint_restoration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "orrery/base/numbers/non_finite.h"

namespace orrery::experiment::internal {
namespace {

constexpr int kMostSteps = 8;

// Relative to the magnitudes of constraints.
constexpr double kMet = 1e-14;

// The linearisation of the violated constraints at the present place.
struct Violated {
  Eigen::MatrixXd slopes;  // A row for each.
  Eigen::VectorXd values;
};

Violated ViolatedAt(SearchLog& course) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < course.constraints().size(); ++k) {
    const double value = course.functions()[k + 1];
    if (course.constraints()[k] == ConstraintKind::kEquality || value > 0) {
      numbers.push_back(k + 1);
    }
  }
  const std::size_t n = course.dimension();
  const std::span<const double> slopes = course.Slopes();
  Violated violated{
      .slopes = Eigen::MatrixXd(static_cast<Eigen::Index>(numbers.size()),
                                static_cast<Eigen::Index>(n)),
      .values = Eigen::VectorXd(static_cast<Eigen::Index>(numbers.size()))};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    violated.values[row] = course.functions()[numbers[i]];
    for (std::size_t j = 0; j < n; ++j) {
      violated.slopes(row, static_cast<Eigen::Index>(j)) =
          slopes[numbers[i] * n + j];
    }
  }
  return violated;
}

// The least step to a place in the unit cube where the linearised constraints
// hold. A coordinate that would leave the cube stays at its face.
std::vector<double> StepTo(Violated violated, std::vector<double> place) {
  const Eigen::Index n = violated.slopes.cols();
  std::vector<double> next = place;
  for (Eigen::Index round = 0; round <= n; ++round) {
    const Eigen::VectorXd step =
        violated.slopes.completeOrthogonalDecomposition().solve(
            -violated.values);
    bool stays = true;
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (violated.slopes.col(j).isZero(0)) {
        continue;
      }
      next[k] = std::clamp(place[k] + step[j], 0.0, 1.0);
      if (next[k] != place[k] + step[j]) {
        violated.values += violated.slopes.col(j) * (next[k] - place[k]);
        violated.slopes.col(j).setZero();
        stays = false;
      }
    }
    if (stays) {
      break;
    }
  }
  return next;
}

}  // namespace

void RestoreConstraints(SearchLog& course, std::span<const double> from) {
  if (course.constraints().empty()) {
    return;
  }
  std::vector<double> place(from.begin(), from.end());
  course.GoTo(place);
  std::optional<EvaluatedPoint> nearest;
  for (int i = 0; i < kMostSteps && !course.end() && !course.has_failed() &&
                  (!nearest || course.point().violation < nearest->violation);
       ++i) {
    nearest = course.point();
    if (nearest->violation <= kMet) {
      break;
    }
    place = StepTo(ViolatedAt(course), std::move(place));
    course.GoTo(place);
  }
  if (nearest) {
    course.Settle(*nearest);
  }
}

}  // namespace orrery::experiment::internal
