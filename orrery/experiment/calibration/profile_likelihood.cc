#include "orrery/experiment/calibration/profile_likelihood.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/numbers/non_finite.h"

namespace orrery::experiment::internal {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kTolerance = 1e-7;
constexpr int kMostPoints = 40;

// A point of the profile: its distance from the estimate, and the root of the
// deviance there less its target.
struct ProfilePoint {
  double distance = 0;
  double excess = 0;
};

// Returns the distance from the estimate, towards `limit`, at which the
// deviance reaches `target`^2.
double DistanceTo(const MinimiseHeld& minimise,
                  const VectorXd& estimate,
                  Index k,
                  double step,
                  double limit,
                  double target) {
  const double most = std::abs(limit - estimate[k]);
  const double sign = limit > estimate[k] ? 1 : -1;
  ProfilePoint inside{.distance = 0, .excess = -target};
  ProfilePoint outside{.distance = kInfinity, .excess = kInfinity};
  VectorXd nearest = estimate;
  double distance = std::min(step, most);
  bool was_outside = false;
  for (int i = 0; i < kMostPoints; ++i) {
    VectorXd start = nearest;
    start[k] = distance < most ? estimate[k] + sign * distance : limit;
    const HeldMinimum held = minimise(start);
    const double excess = std::sqrt(std::max(0.0, held.deviance)) - target;
    if (std::abs(excess) <= kTolerance * target) {
      return distance;
    }
    // The Illinois rule: halve the weight of an end that stays twice.
    const bool is_outside = excess > 0;
    const double weight = i > 0 && is_outside == was_outside ? 0.5 : 1;
    was_outside = is_outside;
    if (is_outside) {
      outside = {.distance = distance, .excess = excess};
      inside.excess *= weight;
    } else if (distance >= most) {
      return kInfinity;
    } else {
      inside = {.distance = distance, .excess = excess};
      outside.excess *= weight;
      nearest = held.x;
    }
    if (std::isinf(outside.distance)) {
      const double slope = (excess + target) / distance;
      distance = std::min(
          most, std::clamp(target / slope, 1.2 * distance, 4 * distance));
    } else {
      const double share =
          std::isinf(outside.excess)
              ? 0.5
              : inside.excess / (inside.excess - outside.excess);
      distance = inside.distance + share * (outside.distance - inside.distance);
    }
  }
  if (std::isinf(outside.distance)) {
    return kInfinity;
  }
  return distance;
}

}  // namespace

ConfidenceInterval ProfileInterval(const MinimiseHeld& minimise,
                                   const VectorXd& estimate,
                                   Index k,
                                   double step,
                                   ConfidenceInterval bounds,
                                   double deviance) {
  const double target = std::sqrt(deviance);
  const auto distance = [&](double limit) {
    return limit == estimate[k]
               ? kInfinity
               : DistanceTo(minimise, estimate, k, step, limit, target);
  };
  return {.low = estimate[k] - distance(bounds.low),
          .high = estimate[k] + distance(bounds.high)};
}

}  // namespace orrery::experiment::internal
