#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/time.h"

namespace orrery {

/// A fraction in lowest terms with a positive denominator.
///
/// Arithmetic throws Error kUnsupported where a result needs more than 32 bits.
class Rational {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): integers are fractions.
  constexpr Rational(std::int32_t value = 0) : numerator_(value) {}

  /// @throws Error kInvalidArgument if `denominator` is zero.
  Rational(std::int32_t numerator, std::int32_t denominator);

  /// The fraction with the smallest denominator, at most 64, that agrees with
  /// `value` to 12 digits, as 1/3 for 0.333333333333; none if there is none.
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

/// A product of powers of the SI's base units. Dimensions form an Abelian
/// group under `*`, with the dimension of pure numbers, `Dimension{}`, as one.
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

  /// Whether it is that of a pure number.
  [[nodiscard]] bool is_one() const { return *this == Dimension{}; }

  /// This dimension to the power of `exponent`.
  [[nodiscard]] Dimension Power(Rational exponent) const;

  /// The one text of this dimension, a Modelica unit: `kg.m/s2`, `1/s`,
  /// `kg/(s3.K)`, `m(1/2)`, `1`. Parsing it gives the dimension back while no
  /// exponent needs more than two digits.
  [[nodiscard]] std::string ToString() const;

  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  friend bool operator==(const Dimension&, const Dimension&) = default;

 private:
  std::array<Rational, kBaseUnits> exponents_{};
};

/// A unit of measure: `x` in this unit is `factor * x + offset` in SI units.
struct Unit {
  double factor = 1;    ///< > 0.
  double offset = 0;    ///< Of `degC` and `degF`; else 0.
  Dimension dimension;  ///< What kind of quantity it measures.
  std::string text = "1";

  /// `value`, a quantity (not a difference) in this unit, in SI units.
  [[nodiscard]] double ToSi(double value) const;

  /// `value`, a quantity (not a difference) in SI units, in this unit.
  [[nodiscard]] double FromSi(double value) const;

  friend bool operator==(const Unit&, const Unit&) = default;
};

/// Why a text is no unit, and where.
struct UnitError {
  std::string message;
  std::string hint;  ///< What would mend it; may be empty.
  int offset = 0;    ///< The first byte at fault; the length at the end.
  int length = 0;    ///< Of what is at fault, in bytes; may be 0.

  friend bool operator==(const UnitError&, const UnitError&) = default;
};

/// Reads a unit of the Modelica language, as `N.m`, `kg.m/s2`, `m.s-2`,
/// `W/(m2.K)`, `1/min`, `mm`, `V/Hz(1/2)`.
///
/// Grammar: Modelica specification 3.6, chapter 19, and rational exponents in
/// parentheses. Units: the SI with its prefixes and the others of that chapter
/// (`min h d l L eV deg degF degRk debye`), and `a yr bar atm t ha u cal var
/// rev rpm Oe Gs % dB Np phon sone`; a year is 365.25 days. A temperature's
/// offset counts only where the scale stands alone: the `degC` of `W/degC` is a
/// difference. The empty text is an error; a caller for whom it means "not
/// given" asks first.
[[nodiscard]] std::variant<Unit, UnitError> ParseUnit(std::string_view text);

/// As ParseUnit().
/// @throws Error kInvalidArgument, naming the unit and the fault.
[[nodiscard]] Unit UnitOrThrow(std::string_view text);

[[nodiscard]] bool SameDimension(const Unit& a, const Unit& b);

/// Turns quantities (not differences) in one unit into the same in another.
struct UnitConversion {
  Unit from;
  Unit to;

  [[nodiscard]] double operator()(double value) const {
    return to.FromSi(from.ToSi(value));
  }
};

/// Between units as they are written; from a text to the same, unit or not,
/// nothing changes. None if one is no unit or their dimensions differ.
[[nodiscard]] std::optional<UnitConversion> ConversionBetween(
    std::string_view from, std::string_view to);

/// A number as a person writes it and what stands behind it, perhaps after
/// spaces.
struct NumberWithUnit {
  double value = 0;
  std::string_view unit;  ///< Empty for none; else perhaps no unit.
};

/// None if `text` begins with no number that a double can be.
[[nodiscard]] std::optional<NumberWithUnit> SplitUnit(std::string_view text);

/// A time as a person writes it, in seconds: a finite number and, perhaps
/// after spaces, a unit of time: `24h`, `90 min`, `10ms`, `1e3`. None if `text`
/// is something else.
[[nodiscard]] std::optional<double> ParseSeconds(std::string_view text);

/// The same to the nearest nanosecond, also where there are more of them than a
/// double holds; but for numbers with an exponent. None also beyond 9.2e9 s.
[[nodiscard]] std::optional<Duration> ParseDuration(std::string_view text);

}  // namespace orrery
