#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace orrery {

/// A fraction in lowest terms with a positive denominator.
///
/// Arithmetic throws Error kUnsupported if a result needs more than 32 bits.
class Rational {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): integers are fractions.
  constexpr Rational(std::int32_t value = 0) : numerator_(value) {}

  /// @throws Error kInvalidArgument if `denominator` is zero.
  Rational(std::int32_t numerator, std::int32_t denominator);

  /// The fraction with the smallest denominator, at most 64, that agrees with
  /// `value` to 12 digits, such as 1/3 for 0.333333333333; nothing if there is
  /// none.
  [[nodiscard]] static std::optional<Rational> Near(double value);

  [[nodiscard]] constexpr std::int32_t numerator() const noexcept {
    return numerator_;
  }

  [[nodiscard]] constexpr std::int32_t denominator() const noexcept {
    return denominator_;
  }

  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(numerator_) / denominator_;
  }

  friend Rational operator+(Rational a, Rational b);
  friend Rational operator-(Rational a, Rational b);
  friend Rational operator*(Rational a, Rational b);
  friend bool operator==(const Rational&, const Rational&) = default;

 private:
  static Rational Reduced(std::int64_t numerator, std::int64_t denominator);

  std::int32_t numerator_ = 0;
  std::int32_t denominator_ = 1;
};

/// The base units of the SI, in the order in which a dimension is printed.
enum class BaseUnit : std::uint8_t {
  kKilogram,
  kMetre,
  kSecond,
  kAmpere,
  kKelvin,
  kMole,
  kCandela,
};

/// A product of powers of the SI's base units. Dimensions form an Abelian group
/// under `*`, whose identity is the dimension of pure numbers, `Dimension{}`.
///
/// Angles are pure numbers: rad = sr = 1, as in the SI Brochure, so that
/// `rad/s` and `1/s`, or `N.m` and `N.m/rad`, agree.
class Dimension {
 public:
  static constexpr int kBaseUnits = 7;

  constexpr Dimension() = default;

  [[nodiscard]] static Dimension Of(BaseUnit unit);

  [[nodiscard]] Rational exponent(BaseUnit unit) const {
    return exponents_[static_cast<std::size_t>(unit)];
  }

  /// True for the dimension of a pure number.
  [[nodiscard]] bool is_one() const { return *this == Dimension{}; }

  /// This dimension to the power of `exponent`.
  [[nodiscard]] Dimension Power(Rational exponent) const;

  /// The canonical text of this dimension, a Modelica unit: `kg.m/s2`, `1/s`,
  /// `kg/(s3.K)`, `m(1/2)`, `1`. Parsing it gives the dimension back if no
  /// exponent needs more than two digits.
  [[nodiscard]] std::string ToString() const;

  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  friend bool operator==(const Dimension&, const Dimension&) = default;

 private:
  std::array<Rational, kBaseUnits> exponents_{};
};

}  // namespace orrery
