#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/simulator.h"

// E11: the model by which Aerie tests its engine, with its numbers. A rate of
// data rises while an activity runs; volumes gather it and are cleared.
namespace orrery::process {
namespace {

using namespace std::chrono_literals;

struct Foo : Model {
  Cell<Accumulator> data{this, "data", 0};
  Cell<Accumulator> first{this, "first", 0, 10};
  Cell<Accumulator> second{this, "second", 0, 5};
  Cell<Accumulator> sink{this, "sink", 0};
  double sink_rate;
  std::vector<Duration> woken;

  explicit Foo(double rate) : sink_rate(rate) {}

  Task<> Daemon() {
    data.AddRate(42);
    sink.AddRate(sink_rate);
    co_return;
  }

  Task<> Activity() {
    data.AddRate(1);
    co_await Delay(1s);
    co_await Until(data >= 50 && data <= 100);
    woken.push_back(Now());
    first.Set(0);
    second.Set(0);
  }

  void Start() override {
    Spawn(Daemon());
    Spawn(Activity());
  }
};

TEST(FooModelTest, ItsNumbersComeOut) {
  Foo foo(0.5);
  Simulator run(foo);
  run.RunUntil(1s);
  EXPECT_EQ(run.Get(foo.data), 43);
  EXPECT_EQ(run.Get(foo.first) + run.Get(foo.second), 15);
  EXPECT_EQ(run.Get(foo.sink), 0.5);
  run.RunUntil(11s);
  ASSERT_EQ(foo.woken.size(), 1U);
  EXPECT_EQ(foo.woken[0], 1'162'790'698ns);
  EXPECT_NEAR(run.Get(foo.first) + run.Get(foo.second), 147.55813953, 1e-7);
}

TEST(FooModelTest, TheSinkFillsAtTheRateOfItsConfiguration) {
  Foo foo(2.0);
  Simulator run(foo);
  run.RunUntil(1s);
  EXPECT_EQ(run.Get(foo.sink), 2.0);
}

// F1: a further delay of one tick beyond the horizon is not carried out.
struct Horizon : Model {
  std::vector<Duration> times;

  Task<> Goes() {
    co_await Delay(10s);
    times.push_back(Now());
    co_await Delay(0s);
    times.push_back(Now());
    co_await Delay(1ns);
    times.push_back(Now());
  }

  void Start() override { Spawn(Goes()); }
};

TEST(FooModelTest, TheInstantOfTheHorizonIsCompleted) {
  Horizon m;
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_EQ(m.times, (std::vector<Duration>{10s, 10s}));
}

// C4, E2: daemons first, then tasks that are due, then resources.
struct Sums : Model {
  Cell<Counter<>> sum{this, "sum"};
  Resource shown{this, "shown", sum};

  Task<> Adds(std::int64_t number) {
    sum.Add(number);
    co_return;
  }

  void Start() override { Spawn(Adds(100)); }
};

TEST(FooModelTest, ResourcesAreSampledAfterAllOfAnInstant) {
  Sums m;
  Simulator run(m, {.records = {.profiles = true}});
  for (const std::int64_t number : {1, 2, 3, 4}) {
    run.Spawn(m.Adds(number));
  }
  run.RunUntil(2s);
  EXPECT_EQ(run.Get(m.sum), 110);
  const auto segments = run.recording().profiles[0].segments();
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(segments[0].reading, Reading(Polynomial{110}));
}

}  // namespace
}  // namespace orrery::process
