#include "orrery/base/values/enumeration.h"

#include <optional>

#include <gtest/gtest.h>

namespace orrery {
namespace {

const Enumeration& Mode() {
  static const Enumeration mode{.names = {"Pump.Setting", "Pump.Mode"},
                                .literals = {"Slow", "Fast"}};
  return mode;
}

TEST(EnumerationTest, ALiteralIsItsNumberFromOneOn) {
  EXPECT_EQ(NumberOf(Mode(), "Slow"), 1);
  EXPECT_EQ(NumberOf(Mode(), "Fast"), 2);
  EXPECT_EQ(NumberOf(Mode(), "ast"), std::nullopt);
  EXPECT_EQ(NumberOf(Mode(), ""), std::nullopt);
}

TEST(EnumerationTest, ANameOfTheTypeMayStandBeforeALiteral) {
  EXPECT_EQ(NumberOf(Mode(), "Mode.Slow"), 1);
  EXPECT_EQ(NumberOf(Mode(), "Pump.Mode.Fast"), 2);
  EXPECT_EQ(NumberOf(Mode(), "Setting.Fast"), 2);
}

TEST(EnumerationTest, NoOtherNameMayStandBeforeALiteral) {
  EXPECT_EQ(NumberOf(Mode(), "Foo.Slow"), std::nullopt);
  EXPECT_EQ(NumberOf(Mode(), "ode.Slow"), std::nullopt);
  EXPECT_EQ(NumberOf(Mode(), "Pump.Slow"), std::nullopt);
}

}  // namespace
}  // namespace orrery
