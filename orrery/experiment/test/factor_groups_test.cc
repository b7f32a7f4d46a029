#include "orrery/experiment/sensitivity/factor_groups.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<FactorGroup> Groups(const std::vector<std::string>& texts,
                                const std::vector<Correlation>& together = {}) {
  return GroupsOf(ParseFactors("--vary", {{"a=[0,1]", "b=[0,1]", "c=[0,1]"}}),
                  "--group",
                  texts,
                  together);
}

TEST(FactorGroupsTest, WhatIsInNoGroupIsOneByItself) {
  EXPECT_THAT(Groups({}),
              ElementsAre(FactorGroup{.name = "a", .factors = {0}},
                          FactorGroup{.name = "b", .factors = {1}},
                          FactorGroup{.name = "c", .factors = {2}}));
  EXPECT_THAT(Groups({"ends = a, c"}),
              ElementsAre(FactorGroup{.name = "ends", .factors = {0, 2}},
                          FactorGroup{.name = "b", .factors = {1}}));
}

TEST(FactorGroupsTest, FactorsThatCorrelateAreInOneGroup) {
  EXPECT_THAT(Groups({}, {{.first = "c", .second = "b", .coefficient = 0.5}}),
              ElementsAre(FactorGroup{.name = "a", .factors = {0}},
                          FactorGroup{.name = "b+c", .factors = {1, 2}}));
  EXPECT_THAT(
      Groups({"ends=a,c"}, {{.first = "c", .second = "b", .coefficient = 0.5}}),
      ElementsAre(FactorGroup{.name = "ends", .factors = {0, 1, 2}}));
}

TEST(FactorGroupsTest, MistakesAreNamed) {
  const auto refusal = [](const std::vector<std::string>& texts) {
    return MessageOf([&] { static_cast<void>(Groups(texts)); });
  };
  EXPECT_THAT(refusal({"a,b"}), HasSubstr("give NAME=FACTOR,FACTOR"));
  EXPECT_THAT(refusal({"g=a,d"}), HasSubstr("'d' does not vary"));
  EXPECT_THAT(refusal({"g=a", "h=b,a"}), HasSubstr("in group 'g' already"));
  EXPECT_THAT(refusal({"g=a", "g=b"}), HasSubstr("a group 'g' already"));
}

}  // namespace
}  // namespace orrery
