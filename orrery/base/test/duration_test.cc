#include "orrery/base/duration.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;

TEST(DurationTest, SecondsAreRoundedToTheNearestNanosecond) {
  EXPECT_EQ(ToDuration(1.5), 1500ms);
  EXPECT_EQ(ToDuration(0.1), 100ms);
  EXPECT_EQ(ToDuration(-1e-9), -1ns);
  EXPECT_EQ(ToDuration(0.4e-9), 0ns);
  EXPECT_EQ(ToDuration(9e9),
            std::chrono::nanoseconds(9'000'000'000'000'000'000));
}

// Times 1e9, in double, it lies halfway to the nanosecond before.
TEST(DurationTest, SecondsAreNotRoundedTwice) {
  EXPECT_EQ(ToDuration(4194304.000002933), Duration(4'194'304'000'002'933));
  EXPECT_EQ(ToDuration(-4194304.000002933), Duration(-4'194'304'000'002'933));
}

// Below 2^23 s doubles are less than a nanosecond apart.
RC_GTEST_PROP(DurationTest, WhatSecondsTellApartComesBack, ()) {
  constexpr std::int64_t kEnd = (1LL << 23) * 1'000'000'000;
  const Duration duration(*rc::gen::inRange<std::int64_t>(-kEnd, kEnd));
  RC_ASSERT(ToDuration(Seconds(duration).value) == duration);
}

TEST(DurationTest, WhatIsNoFiniteTimeIsRefusedWithItsValue) {
  const auto why = [](double seconds) -> std::string {
    try {
      static_cast<void>(ToDuration(seconds));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(std::numeric_limits<double>::quiet_NaN()),
            "cannot take nan s for a duration: a duration is a number between "
            "-9.2e9 s and 9.2e9 s");
  EXPECT_THAT(why(std::numeric_limits<double>::infinity()),
              testing::HasSubstr("cannot take inf s"));
  EXPECT_THAT(why(1e10), testing::HasSubstr("cannot take 10000000000 s"));
}

TEST(DurationTest, TextIsExactAndShort) {
  EXPECT_EQ(ToText(0s), "0 s");
  EXPECT_EQ(ToText(1500ms), "1.5 s");
  EXPECT_EQ(ToText(-1ns), "-0.000000001 s");
  EXPECT_EQ(ToText(24h), "86400 s");
  EXPECT_EQ(ToText(Duration::max()), "9223372036.854775807 s");
  EXPECT_EQ(ToText(Duration::min()), "-9223372036.854775808 s");
}

}  // namespace
}  // namespace orrery
