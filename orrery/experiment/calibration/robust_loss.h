#pragma once

#include <cstdint>
#include <string_view>

namespace orrery {

/// The loss of a residual, so that few outliers do not spoil a fit. With s =
/// (residual / scale)^2 a fit minimises the sum of rho(s), where rho(s) = s +
/// O(s^2).
enum class LossKind : std::uint8_t {
  kSquare,  ///< s: least squares.
  kHuber,   ///< s up to s = 1, then 2 sqrt(s) - 1.
  kSoftL1,  ///< 2 (sqrt(1 + s) - 1)
  kCauchy,  ///< log(1 + s)
  kTukey,   ///< (1 - (1 - s)^3) / 3 up to s = 1, then 1/3: Tukey's biweight.
};

/// "square", "huber", "soft-l1", "cauchy", "tukey"
[[nodiscard]] std::string_view NameOf(LossKind kind) noexcept;

/// The loss of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] LossKind LossKindOf(std::string_view name);

/// A loss and its derivatives at one s.
struct LossValue {
  double rho = 0;
  double slope = 1;      ///< d rho / ds
  double curvature = 0;  ///< d^2 rho / ds^2
};

/// @param s not negative.
[[nodiscard]] LossValue Loss(LossKind kind, double s) noexcept;

/// The scale, in standard deviations of a residual, with which the estimate of
/// a mean from normal observations has 95 % of the efficiency of least squares;
/// 1 for these. Holland & Welsch, "Robust regression using iteratively
/// reweighted least-squares", Commun. Stat. A6 (1977) 813-827, table 1.
[[nodiscard]] double TuningConstant(LossKind kind) noexcept;

}  // namespace orrery
