#include "orrery/server/events/event_ring.h"

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::server {
namespace {

using namespace std::chrono_literals;

void PublishMany(EventRing& ring, int count) {
  for (int i = 0; i < count; ++i) {
    ring.Publish("run", std::to_string(i));
  }
}

TEST(EventRingTest, CountsUpFromOne) {
  EventRing ring;
  EXPECT_EQ(ring.newest(), 0U);
  PublishMany(ring, 3);
  EXPECT_EQ(ring.newest(), 3U);
  EXPECT_EQ(ring.After(0, 0ms).events.front(),
            (Event{.id = 1, .type = "run", .data = "0"}));
}

TEST(EventRingTest, GivesWhatCameAfterANumber) {
  EventRing ring;
  PublishMany(ring, 5);
  const EventRing::Missed missed = ring.After(3, 0ms);
  EXPECT_FALSE(missed.has_gap);
  ASSERT_EQ(missed.events.size(), 2U);
  EXPECT_EQ(missed.events[0].id, 4U);
  EXPECT_EQ(missed.events[1].data, "4");
}

TEST(EventRingTest, TellsAGapOnceEventsAreGone) {
  EventRing ring(10);
  PublishMany(ring, 15);
  EXPECT_FALSE(ring.After(5, 0ms).has_gap);
  EXPECT_EQ(ring.After(5, 0ms).events.size(), 10U);
  EXPECT_TRUE(ring.After(4, 0ms).has_gap);
}

TEST(EventRingTest, TellsAGapAfterANumberOfAnEarlierServer) {
  EventRing ring;
  PublishMany(ring, 2);
  EXPECT_TRUE(ring.After(7, 0ms).has_gap);
  EXPECT_TRUE(ring.After(static_cast<std::uint64_t>(-1), 0ms).has_gap);
}

TEST(EventRingTest, TellsAGapAfterALowerNumberOfAnEarlierServer) {
  EventRing ring(10, 1000, 500);
  EXPECT_EQ(ring.newest(), 500U);
  EXPECT_FALSE(ring.After(500, 0ms).has_gap);
  PublishMany(ring, 2);
  for (const std::uint64_t known : {0U, 2U, 499U}) {
    EXPECT_TRUE(ring.After(known, 0ms).has_gap) << known;
  }
  EXPECT_EQ(ring.After(501, 0ms).events.front().id, 502U);
}

TEST(EventRingTest, ForgetsTheOldestWhenTheyAreTooLarge) {
  EventRing ring(100, 1000);
  for (int i = 0; i < 5; ++i) {
    ring.Publish("rows", std::string(400, 'x'));
  }
  EXPECT_TRUE(ring.After(2, 0ms).has_gap);
  EXPECT_EQ(ring.After(3, 0ms).events.size(), 2U);
}

TEST(EventRingTest, KeepsOneEventOfAnySize) {
  EventRing ring(100, 10);
  ring.Publish("rows", std::string(400, 'x'));
  EXPECT_EQ(ring.After(0, 0ms).events.size(), 1U);
}

TEST(EventRingTest, WakesWhoWaitsForNews) {
  EventRing ring;
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    ring.Publish("file", "{}");
  });
  EXPECT_EQ(ring.After(0, 10s).events.size(), 1U);
  other.join();
}

TEST(EventRingTest, EndsWaitingWhenItIsClosed) {
  EventRing ring;
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    ring.Close();
  });
  EXPECT_TRUE(ring.After(0, 10s).events.empty());
  other.join();
}

RC_GTEST_PROP(EventRingTest,
              GivesEachEventOnceToWhoeverAsksInTime,
              (std::string sizes)) {
  EventRing ring(300);
  std::uint64_t known = 0;
  std::uint64_t seen = 0;
  for (const char size : sizes) {
    PublishMany(ring, static_cast<unsigned char>(size));
    const EventRing::Missed missed = ring.After(known, 0ms);
    RC_ASSERT(!missed.has_gap);
    for (const Event& event : missed.events) {
      RC_ASSERT(event.id == ++seen);
      known = event.id;
    }
  }
  RC_ASSERT(known == ring.newest());
}

TEST(EventRingTest, WritesAnEventAsBrowsersReadIt) {
  EXPECT_EQ(StreamText({.id = 7, .type = "run", .data = "{\"id\":1}"}),
            "id: 7\nevent: run\ndata: {\"id\":1}\n\n");
}

}  // namespace
}  // namespace orrery::server
