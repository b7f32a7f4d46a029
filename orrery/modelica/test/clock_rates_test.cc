#include "orrery/modelica/equations/clock_rates.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::modelica::internal {
namespace {

TEST(ClockRatesTest, ConversionsMultiplyFactorsAndAddShifts) {
  ClockRates rates;
  const std::size_t base = rates.AddBase();
  const std::size_t slow = rates.Add();
  const std::size_t shifted = rates.Add();
  const std::size_t fast = rates.Add();
  ASSERT_TRUE(rates.Derive(slow, base, {.factor = 6, .shift = 0}));
  ASSERT_TRUE(
      rates.Derive(shifted, slow, {.factor = 1, .shift = Rational(1, 4)}));
  ASSERT_TRUE(
      rates.Derive(fast, shifted, {.factor = Rational(1, 3), .shift = 0}));
  const ClockRates::Place place = rates.Find(fast);
  EXPECT_EQ(place.root, base);
  EXPECT_EQ(place.rate.factor, 2);
  EXPECT_EQ(place.rate.shift, Rational(3, 2));
}

TEST(ClockRatesTest, WhatIsDerivedFirstIsMeasuredByABaseThatIsKnownLater) {
  ClockRates rates;
  const std::size_t fast = rates.Add();
  const std::size_t slow = rates.Add();
  ASSERT_TRUE(rates.Derive(slow, fast, {.factor = 5, .shift = 2}));
  const std::size_t base = rates.AddBase();
  ASSERT_TRUE(rates.Derive(slow, base, {.factor = 10, .shift = 4}));
  const ClockRates::Place place = rates.Find(fast);
  EXPECT_EQ(place.root, base);
  EXPECT_EQ(place.rate.factor, 2);
  EXPECT_EQ(place.rate.shift, 0);
}

TEST(ClockRatesTest, AClockHasOneRate) {
  ClockRates rates;
  const std::size_t base = rates.AddBase();
  const std::size_t clock = rates.Add();
  ASSERT_TRUE(rates.Derive(clock, base, {.factor = 2, .shift = 0}));
  EXPECT_TRUE(rates.Derive(clock, base, {.factor = 2, .shift = 0}));
  EXPECT_FALSE(rates.Derive(clock, base, {.factor = 3, .shift = 0}));
  EXPECT_FALSE(rates.Derive(clock, base, {.factor = 2, .shift = 1}));
}

TEST(ClockRatesTest, BasesDoNotMeasureEachOther) {
  ClockRates rates;
  const std::size_t one = rates.AddBase();
  const std::size_t other = rates.AddBase();
  const std::size_t clock = rates.Add();
  ASSERT_TRUE(rates.Derive(clock, one, {}));
  EXPECT_FALSE(rates.Derive(clock, other, {}));
  EXPECT_FALSE(rates.Between(clock, other).has_value());
}

// Whatever the order in which a tree of conversions is told, with a base at any
// of its clocks, the rate between two clocks is that along the way.
RC_GTEST_PROP(ClockRatesTest, TheOrderInWhichRatesAreToldDoesNotMatter, ()) {
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  std::vector<ClockRate> told(count);
  std::vector<std::size_t> above(count, 0);
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < count; ++i) {
    told[i] = {
        .factor = Rational(*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 9)),
        .shift = Rational(*rc::gen::inRange(0, 9), *rc::gen::inRange(1, 9))};
    above[i] = *rc::gen::inRange<std::size_t>(0, i);
    order.insert(
        order.begin() + *rc::gen::inRange<std::ptrdiff_t>(
                            0, static_cast<std::ptrdiff_t>(order.size()) + 1),
        i);
  }
  const std::size_t base = *rc::gen::inRange<std::size_t>(0, count);
  ClockRates rates;
  for (std::size_t i = 0; i < count; ++i) {
    static_cast<void>(i == base ? rates.AddBase() : rates.Add());
  }
  for (const std::size_t i : order) {
    RC_ASSERT(rates.Derive(i, above[i], told[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    RC_ASSERT(rates.Find(i).root == base);
    // From the first clock down to this one.
    ClockRate wanted;
    for (std::size_t at = i; at != 0; at = above[at]) {
      wanted = {.factor = wanted.factor * told[at].factor,
                .shift = told[at].shift + wanted.shift * told[at].factor};
    }
    RC_ASSERT(rates.Between(i, 0) == wanted);
  }
}

}  // namespace
}  // namespace orrery::modelica::internal
