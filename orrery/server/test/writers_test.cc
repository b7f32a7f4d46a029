#include "orrery/server/files/writers.h"

#include <gtest/gtest.h>

namespace orrery::server {
namespace {

using Writer = Writers::Writer;

TEST(WritersTest, FirstPageThatAsksEditsAFile) {
  Writers writers;
  EXPECT_EQ(writers.Ask("a.mo", "one", false), (Writer{"one", ""}));
  EXPECT_EQ(writers.Ask("a.mo", "two", false), (Writer{"one", ""}));
  EXPECT_EQ(writers.Ask("b.mo", "two", false), (Writer{"two", ""}));
}

TEST(WritersTest, PageThatLosesAFileIsLeavingUntilItSaysSo) {
  Writers writers;
  writers.Ask("a.mo", "one", false);
  EXPECT_EQ(writers.Ask("a.mo", "two", true), (Writer{"two", "one"}));
  EXPECT_TRUE(writers.MayKeep("a.mo", "one"));
  EXPECT_EQ(writers.Leave("a.mo", "one"), (Writer{"two", ""}));
  EXPECT_FALSE(writers.MayKeep("a.mo", "one"));
  EXPECT_TRUE(writers.MayKeep("a.mo", "two"));
}

TEST(WritersTest, PageThatTakesAFileAgainWaitsForNobody) {
  Writers writers;
  writers.Ask("a.mo", "one", false);
  writers.Ask("a.mo", "two", true);
  EXPECT_EQ(writers.Ask("a.mo", "two", true), (Writer{"two", ""}));
  EXPECT_FALSE(writers.MayKeep("a.mo", "one"));
}

TEST(WritersTest, FileThatItsPageHasLeftIsAnyones) {
  Writers writers;
  writers.Ask("a.mo", "one", false);
  EXPECT_EQ(writers.Leave("a.mo", "one"), (Writer{"", ""}));
  EXPECT_TRUE(writers.MayKeep("a.mo", "three"));
  EXPECT_EQ(writers.Ask("a.mo", "two", false), (Writer{"two", ""}));
}

TEST(WritersTest, PageThatNeverHadAFileLeavesNothing) {
  Writers writers;
  EXPECT_EQ(writers.Leave("a.mo", "one"), (Writer{"", ""}));
  writers.Ask("a.mo", "one", false);
  EXPECT_EQ(writers.Leave("a.mo", "two"), (Writer{"one", ""}));
}

}  // namespace
}  // namespace orrery::server
