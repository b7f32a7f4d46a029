#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/thread_time.h"
#include "orrery/process/cells.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/timeline/timeline.h"

// Tasks that act on equations, and then wait for the effect.
namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Cell;
using process::Register;
using process::Task;
using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;

struct Waiters : process::Model {
  Cell<Register<double>> level{this, "level", 0.0};
  std::vector<std::pair<Duration, double>> seen;

  void Note(const SystemVariable& quantity) {
    seen.emplace_back(Now(), quantity.Get());
  }
};

// `y` is twice the input, `h` rises by 1 in a second.
class TimelineWaitsTest : public testing::Test {
 protected:
  TimelineResult RunUntil(Seconds stop) {
    return sim_.Run({.stop = stop, .equations = {.tolerance = 1e-10}});
  }

  Simulation sim_;
  System& system_ = sim_.Add(
      CompileBody("input Real u(start = 0);\n Real y = 2 * u;\n"
                  "Real h(start = 0, fixed = true);\nequation der(h) = 1;\n"));
  Waiters& tasks_ = sim_.Add<Waiters>("tasks");
};

TEST_F(TimelineWaitsTest, WhoResetsAStateWaitsForTheNextTime) {
  const auto resets = [this](SystemVariable h) -> Task<> {
    for (;;) {
      co_await tasks_.Until(h >= 0.5);
      tasks_.Note(h);
      h.Set(0);
    }
  };
  sim_.Start(resets(system_["h"]));
  const TimelineResult result = RunUntil(2.25s);
  EXPECT_EQ(result.summary.message, "");
  ASSERT_THAT(tasks_.seen, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [time, value] = tasks_.seen[i];
    EXPECT_NEAR(Seconds(time).value, 0.5 * static_cast<double>(i + 1), 1e-8);
    EXPECT_NEAR(value, 0.5, 2e-9);
  }
  EXPECT_NEAR(result["h"].at(2.25), 0.25, 1e-8);
}

// Finished ones were searched among all, pair by pair: it took 20 s.
TEST_F(TimelineWaitsTest, ThousandsOfLevelsAreEachWaitedForAtOnce) {
  constexpr int kLevels = 4000;
  const auto waits = [this](SystemVariable h, double level) -> Task<> {
    co_await tasks_.Until(h >= level);
    tasks_.Note(h);
  };
  for (int i = 1; i <= kLevels; ++i) {
    sim_.Start(waits(system_["h"], i * 1e-3));
  }
  const auto begin = ThreadTime();
  RunUntil(5s);
  EXPECT_LT(ThreadTime() - begin, 10s);
  ASSERT_THAT(tasks_.seen, SizeIs(kLevels));
  EXPECT_NEAR(Seconds(tasks_.seen.back().first).value, 4, 2e-9);
}

TEST_F(TimelineWaitsTest, AWaitBeginsWhenWhatACellDrivesHasFollowedIt) {
  sim_.Connect(tasks_.level, system_["u"]);
  const auto waits = [this](SystemVariable y) -> Task<> {
    co_await tasks_.Delay(1s);
    tasks_.level.Set(1);
    co_await tasks_.Until(y <= 0.0);
    tasks_.Note(y);
  };
  const auto switches_off = [this]() -> Task<> {
    co_await tasks_.Delay(2s);
    tasks_.level.Set(0);
  };
  sim_.Start(waits(system_["y"]));
  sim_.Start(switches_off());
  ASSERT_TRUE(RunUntil(3s).summary.completed());
  EXPECT_THAT(tasks_.seen, ElementsAre(Pair(2s, 0)));
}

TEST_F(TimelineWaitsTest, AWaitThatBeginsBesideAPulseSeesIt) {
  const auto pulses = [this](SystemVariable u) -> Task<> {
    co_await tasks_.Delay(1s);
    u.Set(1);
    co_await tasks_.Delay(0s);
    u.Set(0);
  };
  const auto waits = [this](SystemVariable y) -> Task<> {
    co_await tasks_.Delay(1s);
    co_await tasks_.Until(y >= 1.0);
    tasks_.Note(y);
  };
  sim_.Start(pulses(system_["u"]));
  sim_.Start(waits(system_["y"]));
  ASSERT_TRUE(RunUntil(3s).summary.completed());
  EXPECT_THAT(tasks_.seen, ElementsAre(Pair(1s, 2)));
}

TEST_F(TimelineWaitsTest, AWaitThatIsLeftBeforeItBeginsIsNone) {
  const auto waits = [this](SystemVariable h) -> Task<> {
    co_await tasks_.Delay(1s);
    h.Set(5);
    co_await tasks_.AnyOf(tasks_.Until(h >= 0.0), tasks_.Delay(0s));
    tasks_.Note(h);
    co_await tasks_.Delay(1s);
    tasks_.Note(h);
  };
  sim_.Start(waits(system_["h"]));
  ASSERT_TRUE(RunUntil(3s).summary.completed());
  ASSERT_THAT(tasks_.seen, SizeIs(2));
  EXPECT_EQ(tasks_.seen[0].first, 1s);
  EXPECT_EQ(tasks_.seen[1].first, 2s);
  EXPECT_NEAR(tasks_.seen[1].second, 6, 1e-9);
}

}  // namespace
}  // namespace orrery
