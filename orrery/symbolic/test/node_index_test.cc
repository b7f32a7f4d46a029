#include "orrery/symbolic/node_index.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

TEST(NodeIndexTest, HoldsNothingAtFirst) {
  EXPECT_EQ(NodeIndex().Find(0), NodeIndex::kNone);
}

TEST(NodeIndexTest, KeepsTheNumberThatWasInsertedFirst) {
  NodeIndex index;
  EXPECT_TRUE(index.Insert(7, 70));
  EXPECT_FALSE(index.Insert(7, 71));
  EXPECT_EQ(index.Find(7), 70U);
}

TEST(NodeIndexTest, SetsANumberWhateverWasThere) {
  NodeIndex index;
  index.Set(7, 70);
  index.Set(7, 71);
  EXPECT_EQ(index.Find(7), 71U);
}

TEST(NodeIndexTest, ForgetsAllWhenCleared) {
  NodeIndex index;
  index.Set(7, 70);
  index.Clear();
  EXPECT_EQ(index.Find(7), NodeIndex::kNone);
  EXPECT_TRUE(index.Insert(7, 72));
  EXPECT_EQ(index.Find(7), 72U);
}

TEST(NodeIndexTest, TellsKeysApartThatDifferInHighBitsOnly) {
  NodeIndex index;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    index.Set(i << 32U, static_cast<std::uint32_t>(i));
  }
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(index.Find(i << 32U), i);
  }
  EXPECT_EQ(index.Find(1), NodeIndex::kNone);
}

RC_GTEST_PROP(
    NodeIndexTest,
    HoldsWhatAMapHolds,
    (const std::vector<std::pair<std::uint16_t, std::uint16_t>>& insertions)) {
  NodeIndex index;
  std::map<std::uint16_t, std::uint16_t> expected;
  for (const auto& [key, number] : insertions) {
    RC_ASSERT(index.Insert(key, number) ==
              expected.emplace(key, number).second);
  }
  for (const auto& [key, number] : expected) {
    RC_ASSERT(index.Find(key) == number);
  }
}

}  // namespace
}  // namespace orrery
