#include "orrery/sim/events/event_pace.h"

#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::sim::internal {
namespace {

TEST(EventPaceTest, TellsWhereIntervalsThatShrinkLeadTo) {
  EventPace pace(1000);
  // Intervals 1, 0.5, 0.25, ...: their sum is 2.
  std::optional<EventPace::PaceFailure> pace_failure;
  int events = 0;
  for (double t = 0; !pace_failure && events < 100; ++events) {
    pace_failure = pace.Add(t);
    t += std::ldexp(1.0, -events);
  }
  ASSERT_TRUE(pace_failure.has_value());
  EXPECT_TRUE(pace_failure->is_zeno);
  EXPECT_NEAR(pace_failure->limit, 2, 1e-12);
  EXPECT_NEAR(events, 1 + std::log2(1 / 1e-10), 2);
}

// A ball with drag stands still, which is a kink of abs(v), half-way between
// impacts: every other interval is as long as the one before.
TEST(EventPaceTest, CyclesOfSeveralEventsThatShrinkAreToldAsWell) {
  for (int events = 2; events <= 4; ++events) {
    EventPace pace(1000);
    std::optional<EventPace::PaceFailure> pace_failure;
    double t = 0;
    for (int k = 0; !pace_failure && k < 100 * events; ++k) {
      pace_failure = pace.Add(t);
      t += std::ldexp(1.0 / events, -(k / events));
    }
    ASSERT_TRUE(pace_failure.has_value()) << events;
    EXPECT_NEAR(pace_failure->limit, 2, 1e-9);
  }
}

// A ball that keeps a tenth of its speed: 12 intervals are lost in rounding.
TEST(EventPaceTest, FewIntervalsSufficeIfTheyShrinkALot) {
  for (const double ratio : {0.1, 0.05, 0.02, 0.01}) {
    EventPace pace(1000);
    std::optional<EventPace::PaceFailure> pace_failure;
    double t = 0;
    for (int k = 0; !pace_failure && std::pow(ratio, k) > 1e-14; ++k) {
      pace_failure = pace.Add(t);
      t += std::pow(ratio, k);
    }
    ASSERT_TRUE(pace_failure.has_value()) << ratio;
    EXPECT_NEAR(pace_failure->limit, 1 / (1 - ratio), 1e-9);
  }
}

TEST(EventPaceTest, EventsOfTwinsAreOneButForRounding) {
  EventPace pace(1000);
  std::optional<EventPace::PaceFailure> pace_failure;
  double t = 0;
  for (int k = 0; !pace_failure && k < 100; ++k) {
    pace_failure = pace.Add(t);
    if (!pace_failure) {
      pace_failure = pace.Add(t + 1e-16 * (k % 4));
    }
    t += std::ldexp(1.0, -k);
  }
  ASSERT_TRUE(pace_failure.has_value());
  EXPECT_TRUE(pace_failure->is_zeno);
  EXPECT_NEAR(pace_failure->limit, 2, 1e-12);
}

TEST(EventPaceTest, EventsAtRegularTimesAreNoTrouble) {
  EventPace pace(1000);
  for (int k = 0; k < 10'000; ++k) {
    ASSERT_FALSE(pace.Add(1e-3 * k).has_value()) << k;
  }
}

TEST(EventPaceTest, IntervalsThatShrinkTowardALengthAreNoTrouble) {
  EventPace pace(1000);
  double t = 0;
  for (int k = 0; k < 200; ++k) {
    t += 1e-3 + std::pow(0.5, k);
    ASSERT_FALSE(pace.Add(t).has_value()) << k;
  }
}

TEST(EventPaceTest, TooManyEventsAtOneTimeAreTold) {
  EventPace pace(5);
  for (int k = 0; k < 5; ++k) {
    ASSERT_FALSE(pace.Add(3).has_value()) << k;
  }
  const auto pace_failure = pace.Add(3);
  ASSERT_TRUE(pace_failure.has_value());
  EXPECT_FALSE(pace_failure->is_zeno);
}

// Distances are no small part of times so near to 0.
TEST(EventPaceTest, EventsNearTimeZeroAreMeasuredByTheRun) {
  EventPace of_long_run(5, 4);
  EventPace of_short_run(5, 1e-12);
  bool is_trouble = false;
  for (int i = 1; i <= 6; ++i) {
    is_trouble = of_long_run.Add(2e-18 * i).has_value();
    EXPECT_FALSE(of_short_run.Add(2e-18 * i));
    EXPECT_EQ(of_long_run.consecutive(), i - 1);
  }
  EXPECT_TRUE(is_trouble);
}

TEST(EventPaceTest, ACrowdOfEventsNearTimeZeroIsToldLater) {
  constexpr int kMost = 10;
  EventPace pace(kMost, /*span=*/1);
  int events = 0;
  for (bool is_well = true; is_well && events < 10'000; ++events) {
    is_well = !pace.Add(1e-14 * events);
  }
  EXPECT_EQ(events, 100 * kMost + 1);
}

TEST(EventPaceTest, EventsThatFollowSoonAreWorthALookEverMoreSeldom) {
  EventPace pace(1000, 1);
  std::vector<int> looks;
  for (int k = 0; k < 100; ++k) {
    pace.Add(0.5 + 1e-9 * k);
    if (pace.IsCheckDue()) {
      looks.push_back(k);
    }
  }
  EXPECT_EQ(looks, (std::vector{3, 7, 15, 31, 63}));
}

TEST(EventPaceTest, EventsAtRegularTimesAreWorthNoLook) {
  EventPace pace(1000, 1);
  for (int k = 0; k < 100; ++k) {
    pace.Add(1e-3 * k);
    ASSERT_FALSE(pace.IsCheckDue()) << k;
  }
}

}  // namespace
}  // namespace orrery::sim::internal
