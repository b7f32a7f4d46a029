#include "orrery/experiment/design/search_space.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using testing::ElementsAre;

SearchSpace SpaceOf(const std::vector<std::string>& texts) {
  return SearchSpace(ParseFactors("--vary", texts));
}

TEST(SearchSpaceTest, ACoordinateIsTheValueOrItsLogarithm) {
  const SearchSpace space = SpaceOf({"k=[0.5,10]", "c=log[0.01,100]"});
  EXPECT_THAT(space.names(), ElementsAre("k", "c"));
  EXPECT_THAT(space.low(), ElementsAre(0.5, std::log(0.01)));
  EXPECT_THAT(space.high(), ElementsAre(10, std::log(100)));
  EXPECT_EQ(space.ValueAt(0, 3), 3);
  EXPECT_DOUBLE_EQ(space.ValueAt(1, std::log(7)), 7);
}

TEST(SearchSpaceTest, TheSearchBeginsAtTheGuessElseInTheMiddle) {
  EXPECT_THAT(SpaceOf({"a=[1,4]", "b=1.5[1,4]", "n=integer[0,5]"}).start(),
              ElementsAre(2.5, 1.5, 2));
  const SearchSpace logarithmic = SpaceOf({"a=log[0.01,1]", "b=0.3log[0.1,1]"});
  EXPECT_DOUBLE_EQ(logarithmic.ValueAt(0, logarithmic.start()[0]), 0.1);
  EXPECT_EQ(logarithmic.ValueAt(1, logarithmic.start()[1]), 0.3);
}

TEST(SearchSpaceTest, WholeNumbersAreTheNearestOnes) {
  const SearchSpace space = SpaceOf({"n=integer[-2,5]"});
  std::vector<double> values;
  for (const double coordinate : {-3.0, -1.6, 2.4, 4.6}) {
    values.push_back(space.ValueAt(0, coordinate));
  }
  EXPECT_THAT(values, ElementsAre(-2, -2, 2, 5));
}

TEST(SearchSpaceTest, CoordinatesMayBeReplacedByTheirValues) {
  std::vector<double> point = {2, std::log(3.0)};
  SpaceOf({"k=[0,5]", "c=3log[1,10]"}).ToValues(point, point);
  EXPECT_THAT(point, ElementsAre(2, 3));
}

// Bounds to the last bit, although exp(log(x)) need not be x.
RC_GTEST_PROP(SearchSpaceTest, TheEndsAreTheBounds, ()) {
  const double low = *rc::gen::inRange(1, 1'000'000) / 1e3;
  const double high = low + *rc::gen::inRange(1, 1'000'000) / 1e3;
  const SearchSpace space(std::vector<Factor>{
      {.name = "k",
       .range = SearchBounds{
           .low = low, .high = high, .scale = SearchScale::kLog}}});
  RC_ASSERT(space.ValueAt(0, space.low()[0]) == low);
  RC_ASSERT(space.ValueAt(0, space.high()[0]) == high);
}

// By central differences.
RC_GTEST_PROP(SearchSpaceTest, SlopesAreThoseOfTheValues, (bool logarithmic)) {
  const SearchSpace space =
      SpaceOf({logarithmic ? "k=log[0.1,50]" : "k=[0.1,50]"});
  const double value = *rc::gen::inRange(200, 49'000) / 1e3;
  const double at = space.CoordinateOf(0, value);
  constexpr double kStep = 1e-5;
  const double difference =
      (space.ValueAt(0, at + kStep) - space.ValueAt(0, at - kStep)) /
      (2 * kStep);
  RC_ASSERT(std::abs(space.SlopeAt(0, at) - difference) <= 1e-7 * value + 1e-9);
}

std::string WhyNoSpace(const std::string& text) {
  return MessageOf([&] { static_cast<void>(SpaceOf({text})); });
}

TEST(SearchSpaceTest, FactorsWithoutBoundsAreRefused) {
  EXPECT_EQ(WhyNoSpace("k=10:-0.5:1"),
            "cannot search over 'k=10:-0.5:1': it has values, not bounds; "
            "write k=[1,10]");
  EXPECT_EQ(WhyNoSpace("k=3"),
            "cannot search over 'k=3': it has values, not bounds; write "
            "k=3[LOW,HIGH]");
  EXPECT_EQ(WhyNoSpace("k=normal(4,0.2)"),
            "cannot search over 'k=normal(4,0.2)': a random value has no "
            "bounds; write k=[LOW,HIGH]");
}

TEST(SearchSpaceTest, NoFactorAtAllIsRefused) {
  EXPECT_EQ(MessageOf([] { static_cast<void>(SearchSpace({})); }),
            "cannot search: nothing varies; give a factor with bounds, as in "
            "k=[0.1,10]");
}

}  // namespace
}  // namespace orrery
