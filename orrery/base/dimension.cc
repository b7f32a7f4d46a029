#include "orrery/base/dimension.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr std::int32_t kMaxNearDenominator = 64;

constexpr std::array<std::string_view, Dimension::kBaseUnits> kBaseNames = {
    "kg", "m", "s", "A", "K", "mol", "cd"};

std::string ExponentText(Rational exponent) {
  if (exponent == Rational(1)) {
    return {};
  }
  std::string numerator = std::to_string(exponent.numerator());
  if (exponent.denominator() == 1) {
    return numerator;
  }
  return "(" + numerator + "/" + std::to_string(exponent.denominator()) + ")";
}

}  // namespace

Rational::Rational(std::int32_t numerator, std::int32_t denominator)
    : Rational(Reduced(numerator, denominator)) {}

Rational Rational::Reduced(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the fraction " + std::to_string(numerator) +
                    "/0: its denominator is zero; give another one");
  }
  const std::int64_t divisor = std::gcd(numerator, denominator);
  const std::int64_t sign = denominator < 0 ? -1 : 1;
  const std::int64_t n = sign * numerator / divisor;
  const std::int64_t d = sign * denominator / divisor;
  if (!std::in_range<std::int32_t>(n) || !std::in_range<std::int32_t>(d)) {
    throw Error(ErrorCode::kUnsupported,
                "cannot compute the exponent of a unit: " + std::to_string(n) +
                    "/" + std::to_string(d) +
                    " does not fit 32 bits; use simpler exponents");
  }
  Rational result;
  result.numerator_ = static_cast<std::int32_t>(n);
  result.denominator_ = static_cast<std::int32_t>(d);
  return result;
}

std::optional<Rational> Rational::Near(double value) {
  if (!(std::abs(value) < 1e6)) {
    return std::nullopt;
  }
  for (std::int32_t d = 1; d <= kMaxNearDenominator; ++d) {
    const double scaled = value * d;
    const double whole = std::round(scaled);
    if (std::abs(scaled - whole) <= 1e-12 * std::abs(scaled)) {
      return Rational(static_cast<std::int32_t>(whole), d);
    }
  }
  return std::nullopt;
}

Rational operator+(Rational a, Rational b) {
  const std::int64_t divisor =
      std::gcd(std::int64_t{a.denominator_}, std::int64_t{b.denominator_});
  const std::int64_t a_scale = b.denominator_ / divisor;
  const std::int64_t b_scale = a.denominator_ / divisor;
  return Rational::Reduced(a.numerator_ * a_scale + b.numerator_ * b_scale,
                           a.denominator_ * a_scale);
}

Rational operator-(Rational a, Rational b) {
  return a + b * Rational(-1);
}

Rational operator*(Rational a, Rational b) {
  return Rational::Reduced(std::int64_t{a.numerator_} * b.numerator_,
                           std::int64_t{a.denominator_} * b.denominator_);
}

Dimension Dimension::Of(BaseUnit unit) {
  Dimension dimension;
  dimension.exponents_[static_cast<std::size_t>(unit)] = 1;
  return dimension;
}

Dimension Dimension::Power(Rational exponent) const {
  Dimension result = *this;
  for (Rational& each : result.exponents_) {
    each = each * exponent;
  }
  return result;
}

std::string Dimension::ToString() const {
  std::string above;
  std::string below;
  int factors_below = 0;
  for (std::size_t i = 0; i < exponents_.size(); ++i) {
    const Rational exponent = exponents_[i];
    if (exponent == Rational(0)) {
      continue;
    }
    const bool is_below = exponent.numerator() < 0;
    factors_below += is_below ? 1 : 0;
    std::string& side = is_below ? below : above;
    side += side.empty() ? "" : ".";
    side += kBaseNames[i];
    side += ExponentText(is_below ? exponent * Rational(-1) : exponent);
  }
  if (above.empty()) {
    above += '1';
  }
  if (factors_below == 0) {
    return above;
  }
  return above + (factors_below == 1 ? "/" + below : "/(" + below + ")");
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension result = a;
  for (std::size_t i = 0; i < result.exponents_.size(); ++i) {
    result.exponents_[i] = a.exponents_[i] + b.exponents_[i];
  }
  return result;
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  return a * b.Power(-1);
}

}  // namespace orrery
