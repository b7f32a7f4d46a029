#pragma once

#include <optional>

#include "orrery/base/time.h"
#include "orrery/process/run/thresholds.h"

namespace orrery::process::internal {

/// The threshold without which a condition, which does not hold as wanted,
/// cannot; if it is known. Reads cells as `Next` does.
template <typename C>
std::optional<Threshold> NeedsOf(const C& condition, bool wanted) {
  if constexpr (requires { condition.Needs(wanted); }) {
    return condition.Needs(wanted);
  } else {
    return std::nullopt;
  }
}

/// The same of both of two, one of which does not hold now: of one that does
/// not, and of which it is known.
template <typename L, typename R>
std::optional<Threshold> NeedsOfBoth(const L& left,
                                     const R& right,
                                     bool wanted) {
  std::optional<Threshold> threshold;
  const auto look = [&](const auto& condition) {
    if constexpr (requires { condition.Needs(wanted); }) {
      if (!threshold && !condition.Next(wanted, Duration(0), Duration(0))) {
        threshold = condition.Needs(wanted);
      }
    }
  };
  look(left);
  look(right);
  return threshold;
}

}  // namespace orrery::process::internal
