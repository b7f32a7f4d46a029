#include "orrery/base/text/pattern.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(PatternTest, StarsStandForTextsAndQuestionMarksForCharacters) {
  EXPECT_TRUE(FitsPattern("*", ""));
  EXPECT_TRUE(FitsPattern("tank.*", "tank.level"));
  EXPECT_FALSE(FitsPattern("tank.*", "tan.level"));
  EXPECT_TRUE(FitsPattern("*.x", "a.b.x"));
  EXPECT_FALSE(FitsPattern("*.x", "a.b.xy"));
  EXPECT_TRUE(FitsPattern("u[?]", "u[3]"));
  EXPECT_FALSE(FitsPattern("u[?]", "u[12]"));
  EXPECT_TRUE(FitsPattern("a*b*c", "a1b2b3c"));
}

TEST(PatternTest, ABeginningFitsIfSomeNameMayFollowFromIt) {
  EXPECT_TRUE(FitsBeginning("u[3]", "u"));
  EXPECT_TRUE(FitsBeginning("u[3]", ""));
  EXPECT_TRUE(FitsBeginning("*.x", "tank"));
  EXPECT_TRUE(FitsBeginning("t?nk.x", "tank"));
  EXPECT_FALSE(FitsBeginning("v[3]", "u"));
  EXPECT_FALSE(FitsBeginning("u", "u["));
}

}  // namespace
}  // namespace orrery
