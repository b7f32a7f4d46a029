#include "orrery/compile/system/unit_per_second.h"

#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "orrery/base/units.h"

namespace orrery::compile::internal {
namespace {

struct Case {
  const char* unit;
  const char* per_second;
};

TEST(UnitPerSecondTest, IsWrittenAsAPersonWritesIt) {
  for (const Case& its : {Case{"m", "m/s"},
                          Case{"1", "1/s"},
                          Case{"N.m", "N.m/s"},
                          Case{"m/s", "m/s2"},
                          Case{"rad/s2", "rad/s3"},
                          Case{"J/kg", "J/(kg.s)"},
                          Case{"W/(m2.K)", "W/(m2.K.s)"},
                          Case{"kg/(m.s)", "kg/(m.s2)"},
                          Case{"V/Hz(1/2)", "(V/Hz(1/2))/s"}}) {
    EXPECT_EQ(UnitPerSecond(its.unit), its.per_second);
  }
}

TEST(UnitPerSecondTest, IsTheUnitDividedBySeconds) {
  for (const std::string unit :
       {"m", "km/h", "kg.m/s2", "W/(m2.K)", "m3/(kg.s2)", "V/Hz(1/2)", "s6"}) {
    const auto is = ParseUnit(UnitPerSecond(unit));
    const auto wanted = ParseUnit("(" + unit + ")/s");
    ASSERT_TRUE(std::holds_alternative<Unit>(is)) << UnitPerSecond(unit);
    EXPECT_TRUE(SameDimension(std::get<Unit>(is), std::get<Unit>(wanted)));
    EXPECT_DOUBLE_EQ(std::get<Unit>(is).factor, std::get<Unit>(wanted).factor);
  }
}

}  // namespace
}  // namespace orrery::compile::internal
