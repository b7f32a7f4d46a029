#include "orrery/base/text/parse.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ParseTest, TrimTakesBlanksOffBothEnds) {
  EXPECT_EQ(Trim("  a b \t", " \t"), "a b");
  EXPECT_EQ(Trim("a\t", " "), "a\t");
  EXPECT_EQ(Trim("a", " "), "a");
}

TEST(ParseTest, TrimLeavesNothingOfBlanks) {
  EXPECT_EQ(Trim(" \t ", " \t"), "");
  EXPECT_EQ(Trim("", " "), "");
}

TEST(ParseTest, LastPartFollowsTheLastDot) {
  EXPECT_EQ(LastPart("Modelica.Blocks.Math.Gain"), "Gain");
  EXPECT_EQ(LastPart("Gain"), "Gain");
  EXPECT_EQ(LastPart("a."), "");
  EXPECT_EQ(LastPart(""), "");
}

TEST(ParseTest, LastPartIsAWholeQuotedIdentifier) {
  EXPECT_EQ(LastPart("Plant.'pump no. 2'"), "'pump no. 2'");
  EXPECT_EQ(LastPart("'my.lib'.Gain"), "Gain");
  EXPECT_EQ(LastPart(R"('it\'s.'.'a.b')"), "'a.b'");
}

TEST(ParseTest, NumberIsTheWholeText) {
  EXPECT_EQ(ParseNumber("1e3"), 1000);
  EXPECT_EQ(ParseNumber("+0.5"), 0.5);
  EXPECT_EQ(ParseNumber("0x10"), 16);
  EXPECT_EQ(ParseNumber("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(ParseNumber("1e3 "), std::nullopt);
  EXPECT_EQ(ParseNumber("1,5"), std::nullopt);
  EXPECT_EQ(ParseNumber(""), std::nullopt);
}

TEST(ParseTest, NumberBeyondTheRangeOfDoublesIsNone) {
  EXPECT_EQ(ParseNumber("1e999"), std::nullopt);
  EXPECT_EQ(ParseDecimal("1e999"), std::nullopt);
}

TEST(ParseTest, DecimalHasNoPlusAndNoPrefix) {
  EXPECT_EQ(ParseDecimal("-2.5e-3"), -0.0025);
  EXPECT_EQ(ParseDecimal("+1"), std::nullopt);
  EXPECT_EQ(ParseDecimal("0x10"), std::nullopt);
  EXPECT_EQ(ParseDecimal(" 1"), std::nullopt);
  EXPECT_EQ(ParseDecimal(""), std::nullopt);
}

TEST(ParseTest, DecimalMayBeNoNumber) {
  const std::optional<double> value = ParseDecimal("nan");
  ASSERT_TRUE(value.has_value());
  EXPECT_TRUE(std::isnan(*value));
}

TEST(ParseTest, WholeNumberIsAtMostTheGreatest) {
  EXPECT_EQ(ParseWhole("1024", 1024), 1024);
  EXPECT_EQ(ParseWhole("1025", 1024), std::nullopt);
  EXPECT_EQ(ParseWhole("0", 0), 0);
  EXPECT_EQ(ParseWhole("18446744073709551615",
                       std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(ParseWhole("18446744073709551616",
                       std::numeric_limits<std::uint64_t>::max()),
            std::nullopt);
  EXPECT_EQ(ParseWhole("-1", 9), std::nullopt);
  EXPECT_EQ(ParseWhole("1.0", 9), std::nullopt);
}

}  // namespace
}  // namespace orrery
