#include "orrery/fmi/writing/unit_description.h"

#include <array>
#include <cstddef>
#include <variant>

#include "orrery/base/units.h"

namespace orrery::fmi {
namespace {

// The base unit that FMI's exponents begin with; the last, rad, is a number.
constexpr std::array<BaseUnit, 7> kBases = {BaseUnit::kKilogram,
                                            BaseUnit::kMetre,
                                            BaseUnit::kSecond,
                                            BaseUnit::kAmpere,
                                            BaseUnit::kKelvin,
                                            BaseUnit::kMole,
                                            BaseUnit::kCandela};

}  // namespace

Unit UnitCalled(const std::string& name) {
  Unit unit{.name = name};
  const auto parsed = ParseUnit(name);
  const auto* const its = std::get_if<orrery::Unit>(&parsed);
  if (its == nullptr) {
    return unit;
  }
  for (std::size_t i = 0; i < kBases.size(); ++i) {
    const Rational exponent = its->dimension.exponent(kBases.at(i));
    if (exponent.denominator() != 1) {
      return unit;
    }
    unit.exponents.at(i) = exponent.numerator();
  }
  unit.has_base = true;
  unit.factor = its->factor;
  unit.offset = its->offset;
  return unit;
}

}  // namespace orrery::fmi
