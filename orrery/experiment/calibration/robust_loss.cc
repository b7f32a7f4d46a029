#include "orrery/experiment/calibration/robust_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 5> kNames = {
    "square", "huber", "soft-l1", "cauchy", "tukey"};

}  // namespace

std::string_view NameOf(LossKind kind) noexcept {
  return kNames[static_cast<std::size_t>(kind)];
}

LossKind LossKindOf(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    const std::vector<std::string> known(kNames.begin(), kNames.end());
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take the loss '" + std::string(name) +
                    "': there is none of this name; " + Suggest(name, known));
  }
  return static_cast<LossKind>(found - kNames.begin());
}

LossValue Loss(LossKind kind, double s) noexcept {
  switch (kind) {
    case LossKind::kSquare:
      break;
    case LossKind::kHuber: {
      if (s <= 1) {
        break;
      }
      const double root = std::sqrt(s);
      return {2 * root - 1, 1 / root, -0.5 / (s * root)};
    }
    case LossKind::kSoftL1: {
      const double root = std::sqrt(1 + s);
      return {2 * s / (root + 1), 1 / root, -0.5 / ((1 + s) * root)};
    }
    case LossKind::kCauchy: {
      const double slope = 1 / (1 + s);
      return {std::log1p(s), slope, -slope * slope};
    }
    case LossKind::kTukey: {
      const double rest = std::max(0.0, 1 - s);
      // Written as s - s^2 + s^3 / 3 to avoid cancellation.
      const double rho = s < 1 ? s * (1 - s * (1 - s / 3)) : 1.0 / 3;
      return {rho, rest * rest, -2 * rest};
    }
  }
  return {s, 1, 0};
}

double TuningConstant(LossKind kind) noexcept {
  switch (kind) {
    case LossKind::kSquare:
      break;
    case LossKind::kHuber:
      return 1.345;
    case LossKind::kSoftL1:
      return 1.287;
    case LossKind::kCauchy:
      return 2.385;
    case LossKind::kTukey:
      return 4.685;
  }
  return 1;
}

}  // namespace orrery
