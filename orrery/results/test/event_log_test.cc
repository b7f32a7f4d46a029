#include "orrery/results/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EventLogTest, TimesAreFoundByName) {
  const EventLog log({"impact", "clock"},
                     {{.t = 0, .name = 1, .direction = EventDirection::kTick},
                      {.t = 1.5, .name = 0},
                      {.t = 2, .name = 1, .direction = EventDirection::kTick}});
  EXPECT_THAT(log.TimesOf("clock"), ElementsAre(0, 2));
  EXPECT_THAT(log.TimesOf("impact"), ElementsAre(1.5));
  EXPECT_THAT(log.TimesOf("neither"), IsEmpty());
  EXPECT_EQ(log.NameOf(log.entries()[1]), "impact");
}

TEST(EventLogTest, DirectionsHaveNames) {
  EXPECT_EQ(Describe(EventDirection::kRising), "rising");
  EXPECT_EQ(Describe(EventDirection::kFalling), "falling");
  EXPECT_EQ(Describe(EventDirection::kTick), "tick");
}

}  // namespace
}  // namespace orrery
