#include "orrery/modelica/dialog/unit_menu.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "orrery/base/units.h"

namespace orrery::modelica {
namespace {

// Units with names that people use, the usual ones of a dimension first.
constexpr auto kUsual = std::to_array<std::string_view>(
    {"s",     "ms",      "us",    "min",      "h",         "d",      "yr",
     "m",     "mm",      "cm",    "km",       "um",        "m2",     "mm2",
     "cm2",   "km2",     "m3",    "l",        "ml",        "cm3",    "mm3",
     "kg",    "g",       "mg",    "t",        "K",         "degC",   "degF",
     "rad",   "deg",     "1",     "%",        "m/s",       "km/h",   "mm/s",
     "rad/s", "rev/min", "rpm",   "deg/s",    "Hz",        "kHz",    "MHz",
     "GHz",   "1/min",   "m/s2",  "rad/s2",   "N",         "kN",     "mN",
     "MN",    "N.m",     "kN.m",  "mN.m",     "Pa",        "kPa",    "bar",
     "mbar",  "MPa",     "atm",   "N/mm2",    "J",         "kJ",     "MJ",
     "W.h",   "kW.h",    "MW.h",  "W",        "kW",        "mW",     "MW",
     "V",     "mV",      "kV",    "uV",       "A",         "mA",     "uA",
     "kA",    "Ohm",     "mOhm",  "kOhm",     "MOhm",      "S",      "mS",
     "F",     "uF",      "nF",    "pF",       "mF",        "H",      "mH",
     "uH",    "C",       "A.h",   "mA.h",     "Wb",        "mWb",    "T",
     "mT",    "kg/s",    "kg/h",  "g/s",      "m3/s",      "l/min",  "l/s",
     "m3/h",  "kg/m3",   "g/cm3", "J/(kg.K)", "kJ/(kg.K)", "W/K",    "W/(m2.K)",
     "N/m",   "N/mm",    "N.s/m", "mol",      "kg.m2",     "W/(m.K)"});

}  // namespace

std::vector<UnitChoice> UnitMenu(const std::string& unit) {
  std::vector<UnitChoice> menu;
  if (unit.empty()) {
    return menu;
  }
  menu.push_back({.name = unit});
  const auto declared = ParseUnit(unit);
  const Unit* const its = std::get_if<Unit>(&declared);
  if (its == nullptr) {
    return menu;
  }
  for (const std::string_view name : kUsual) {
    const auto other = ParseUnit(name);
    const Unit* const usual = std::get_if<Unit>(&other);
    const bool is_number =
        its->dimension.is_one() && unit != "1" && (name == "1" || name == "%");
    if (usual != nullptr && name != unit && !is_number &&
        SameDimension(*its, *usual)) {
      menu.push_back({.name = std::string(name),
                      .factor = usual->factor / its->factor,
                      .offset = (usual->offset - its->offset) / its->factor});
    }
  }
  return menu;
}

}  // namespace orrery::modelica
