#include "orrery/base/text/value_format.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ValueFormatTest, RealsHaveSixDigitsUnlessMoreOrFewerAreAskedFor) {
  EXPECT_EQ(RealText(3.14159265, {}), "3.14159");
  EXPECT_EQ(RealText(3.14159265, {.digits = 3}), "3.14");
}

TEST(ValueFormatTest, BlanksFillUpWhatIsTooShort) {
  EXPECT_EQ(IntegerText(7, {.least_length = 3}), "7  ");
  EXPECT_EQ(IntegerText(7, {.least_length = 3, .is_left = false}), "  7");
  EXPECT_EQ(RealText(0.5, {.least_length = 5, .is_left = false}), "  0.5");
  EXPECT_EQ(FilledUp("true", {.least_length = 3}), "true");
}

TEST(ValueFormatTest, PatternsAreThoseOfC) {
  EXPECT_EQ(RealText(2, {.pattern = *PatternOf("8.3f", false)}), "   2.000");
  EXPECT_EQ(RealText(2, {.pattern = *PatternOf("-+7.1e", false)}), "+2.0e+00");
  EXPECT_EQ(IntegerText(255, {.pattern = *PatternOf("04X", true)}), "00FF");
  EXPECT_EQ(IntegerText(-7, {.pattern = *PatternOf("d", true)}), "-7");
  EXPECT_EQ(IntegerText(7, {.pattern = *PatternOf(".2f", true)}), "7.00");
}

TEST(ValueFormatTest, WhatIsNoPatternOfSuchAValueIsNone) {
  for (const char* const format :
       {"", "8.3", "%f", "s", "ld", "8.3fg", "*f", "9999f", ".9999f", "d"}) {
    EXPECT_FALSE(PatternOf(format, false)) << format;
  }
  for (const char* const format : {"", "s", "lld", "n", "5"}) {
    EXPECT_FALSE(PatternOf(format, true)) << format;
  }
}

}  // namespace
}  // namespace orrery
