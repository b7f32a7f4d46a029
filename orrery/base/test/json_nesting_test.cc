#include "orrery/base/text/json_nesting.h"

#include <string>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(JsonNestingTest, CountsArraysAndObjects) {
  EXPECT_EQ(NestingOfJson("5"), 0U);
  EXPECT_EQ(NestingOfJson("[]"), 1U);
  EXPECT_EQ(NestingOfJson("[{},{},[]]"), 2U);
  EXPECT_EQ(NestingOfJson(R"({"a":[{"b":[1]}],"c":{}})"), 4U);
}

TEST(JsonNestingTest, LeavesBracketsInTextsAlone) {
  EXPECT_EQ(NestingOfJson(R"(["[[[[", "{{"])"), 1U);
  EXPECT_EQ(NestingOfJson(R"({"\"[[[":"\\","b":[]})"), 2U);
  EXPECT_EQ(NestingOfJson(R"(["\\\"[[["])"), 1U);
}

TEST(JsonNestingTest, IsThatOfTheDeepestPlace) {
  EXPECT_EQ(NestingOfJson("[[],[[]],[]]"), 3U);
  EXPECT_EQ(NestingOfJson(std::string(200'000, '[')), 200'000U);
}

TEST(JsonNestingTest, BearsWhatIsNoJson) {
  EXPECT_EQ(NestingOfJson(""), 0U);
  EXPECT_EQ(NestingOfJson("]]]}["), 1U);
  EXPECT_EQ(NestingOfJson("\"\\"), 0U);
}

}  // namespace
}  // namespace orrery
