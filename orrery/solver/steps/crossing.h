#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace orrery {

/// The place of a crossing: the quantity has not crossed at `before`, but has
/// at `after`.
struct CrossingBracket {
  double before = 0;
  double after = 0;
  int evaluations = 0;
};

/// Returns at least the distance of a double of the size of `t` to its
/// neighbours.
[[nodiscard]] inline double Spacing(double t) noexcept {
  return std::max(std::abs(t) * std::numeric_limits<double>::epsilon(),
                  std::numeric_limits<double>::min());
}

/// Returns the double next to the finite `t` towards `towards`: std::nextafter,
/// without a call if both are positive.
[[nodiscard]] inline double NextDouble(double t, double towards) noexcept {
  if (!(t > 0 && towards > 0) || t == towards) {
    return std::nextafter(t, towards);
  }
  const auto bits = std::bit_cast<std::uint64_t>(t);
  return std::bit_cast<double>(t < towards ? bits + 1 : bits - 1);
}

/// Narrows [before, after] down to the zero crossing of `excess`, to
/// neighbouring doubles at its greater end. Each step keeps the crossing in the
/// bracket. Needs at most one evaluation more than bisection; superlinear for a
/// smooth `excess`.
///
/// @param excess double -> double; NaN counts as crossed.
/// @param has_crossed true for a value of `excess` beyond zero; false at
///     `before`, true at `after`.
/// Source: Oliveira and Takahashi, ACM Trans. Math. Software 47 (2021) 5:1-24
/// (ITP, with kappa1 = 0.2/(b-a), kappa2 = 2, n0 = 1).
template <typename Excess, typename HasCrossed>
[[nodiscard]] CrossingBracket LocateCrossing(double before,
                                             double after,
                                             Excess&& excess,
                                             HasCrossed&& has_crossed) {
  const double precision =
      2 * Spacing(std::max(std::abs(before), std::abs(after)));
  const double width = after - before;
  const double kappa = 0.2 / width;
  double at_before = excess(before);
  double at_after = excess(after);
  int evaluations = 2;
  const auto narrow = [&](double t) {
    const double value = excess(t);
    ++evaluations;
    if (has_crossed(value) || std::isnan(value)) {
      after = t;
      at_after = value;
    } else {
      before = t;
      at_before = value;
    }
  };
  const auto is_between = [&](double t) {
    return t > before && t < after;
  };
  double reach = precision * std::exp2(std::max(
                                 0.0, std::ceil(std::log2(width / precision))));
  while (after - before > precision) {
    const double middle = before + (after - before) / 2;
    // Regula falsi, moved toward the middle and kept near it.
    const double guess =
        before + (after - before) * (at_before / (at_before - at_after));
    const double half = (after - before) / 2;
    double t = middle;
    if (std::isfinite(guess)) {
      const double truncation = std::min(
          std::max(kappa * (after - before) * (after - before), precision / 2),
          std::abs(middle - guess));
      t = guess + std::copysign(truncation, middle - guess);
      const double radius = std::max(reach - half, 0.0);
      t = std::clamp(t, middle - radius, middle + radius);
    }
    if (!is_between(t)) {
      t = middle;
      if (!is_between(t)) {
        break;
      }
    }
    narrow(t);
    reach /= 2;
  }
  // The few doubles that are left.
  while (after - before > precision / 4) {
    const double t = before + (after - before) / 2;
    if (!is_between(t)) {
      break;
    }
    narrow(t);
  }
  return {.before = before, .after = after, .evaluations = evaluations};
}

}  // namespace orrery
