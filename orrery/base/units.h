#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/dimension.h"   // IWYU pragma: export
#include "orrery/base/parse_time.h"  // IWYU pragma: export

namespace orrery {

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

}  // namespace orrery
