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

/// A unit of measure: `x` in this unit is `factor * x + offset` in SI units.
struct Unit {
  double factor = 1;    ///< > 0.
  double offset = 0;    ///< For `degC` and `degF`; else 0.
  Dimension dimension;  ///< Dimension of its quantities.
  std::string text = "1";

  /// `value`, a quantity (not a difference) in this unit, in SI units.
  [[nodiscard]] double ToSi(double value) const;

  /// `value`, a quantity (not a difference) in SI units, in this unit.
  [[nodiscard]] double FromSi(double value) const;

  friend bool operator==(const Unit&, const Unit&) = default;
};

/// The error in a text that is no unit, and its place.
struct UnitError {
  std::string message;
  std::string hint;  ///< A remedy; may be empty.
  int offset = 0;  ///< The first wrong byte; the length of the text at its end.
  int length = 0;  ///< Number of wrong bytes; may be 0.

  friend bool operator==(const UnitError&, const UnitError&) = default;
};

/// Reads a unit of the Modelica language, such as `N.m`, `kg.m/s2`, `m.s-2`,
/// `W/(m2.K)`, `1/min`, `mm`, `V/Hz(1/2)`.
///
/// Grammar: Modelica specification 3.6, chapter 19, and rational exponents in
/// parentheses. Units: the SI with its prefixes and the others of that chapter
/// (`min h d l L eV deg degF degRk debye`), and `a yr bar atm t ha u cal var
/// rev rpm Oe Gs % dB Np phon sone`; a year is 365.25 days. The offset of a
/// temperature applies only if the scale stands alone: the `degC` of `W/degC`
/// is a difference. An empty text is an error; callers for which it means "not
/// given" must check it before.
[[nodiscard]] std::variant<Unit, UnitError> ParseUnit(std::string_view text);

/// As ParseUnit().
/// @throws Error kInvalidArgument, naming the unit and the fault.
[[nodiscard]] Unit UnitOrThrow(std::string_view text);

[[nodiscard]] bool SameDimension(const Unit& a, const Unit& b);

/// Converts quantities (not differences) from one unit to another.
struct UnitConversion {
  Unit from;
  Unit to;

  [[nodiscard]] double operator()(double value) const {
    return to.FromSi(from.ToSi(value));
  }
};

/// Returns the conversion between two units. Equal texts give the identity,
/// even if they are no units. Returns nothing if one is no unit or their
/// dimensions differ.
[[nodiscard]] std::optional<UnitConversion> ConversionBetween(
    std::string_view from, std::string_view to);

/// A number in a text of a user, and the text behind it, without spaces
/// between.
struct NumberWithUnit {
  double value = 0;
  std::string_view unit;  ///< Empty for none; it may be no valid unit.
};

/// Returns nothing if `text` begins with no number in the range of doubles.
[[nodiscard]] std::optional<NumberWithUnit> SplitUnit(std::string_view text);

/// Reads a time in a text of a user, in seconds: a finite number and, perhaps
/// after spaces, a unit of time: `24h`, `90 min`, `10ms`, `1e3`. Returns
/// nothing for other texts.
[[nodiscard]] std::optional<double> ParseSeconds(std::string_view text);

/// The same to the nearest nanosecond, also if a double is less accurate,
/// except for numbers with an exponent. Also returns nothing beyond 9.2e9 s.
[[nodiscard]] std::optional<Duration> ParseDuration(std::string_view text);

}  // namespace orrery
