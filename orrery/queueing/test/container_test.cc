#include "orrery/queueing/container.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/process/simulator.h"

// Amounts that are decimal numbers, which doubles only come near to.
namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Simulator;
using process::Task;

constexpr Duration kNever = Duration::max();

// Puts amounts, a second apart each, and gets one.
struct Tank : process::Model {
  Container tank;
  std::vector<double> puts;
  double get;
  Duration got = kNever;

  Tank(std::vector<double> p, double g, ContainerOptions options = {})
      : tank(this, "tank", options), puts(std::move(p)), get(g) {}

  Task<> Puts() {
    for (const double amount : puts) {
      co_await Delay(1s);
      co_await tank.Put(amount);
    }
  }

  Task<> Gets() {
    co_await tank.Get(get);
    got = Now();
  }

  void Start() override {
    Spawn(Puts());
    Spawn(Gets());
  }
};

TEST(ContainerTest, GivesTheSumOfDecimalsThatWerePut) {
  struct Case {
    std::vector<double> puts;
    double get;
    Duration got;
  };

  const std::vector<Case> cases = {
      {std::vector<double>(10, 0.1), 1.0, 10s},
      {{0.7, 0.1}, 0.8, 2s},
      {{0.1, 0.2}, 0.3, 2s},
      {std::vector<double>(3, 1.0 / 3), 1.0, 3s},
      {std::vector<double>(1000, 0.001), 1.0, 1000s},
      {{1e6, 0.3}, 1000000.3, 2s},
      {{1e-9, 2e-9}, 3e-9, 2s},
  };
  for (const Case& each : cases) {
    Tank model(each.puts, each.get);
    Simulator run(model);
    run.RunUntil(2000s);
    EXPECT_EQ(model.got, each.got) << each.get;
    EXPECT_EQ(model.tank.level(), 0) << each.get;
  }
}

TEST(ContainerTest, DoesNotGiveWhatIsNotThere) {
  for (const double get : {1.0000000001, 1.1}) {
    Tank model(std::vector<double>(10, 0.1), get);
    Simulator run(model);
    run.RunUntil(100s);
    EXPECT_EQ(model.got, kNever);
    EXPECT_EQ(model.tank.level(), 1);
  }
}

// 1000.3 - 1000 = 0.3, which in doubles is 0.29999999999995453.
TEST(ContainerTest, GivesWhatIsLeftOfALargeAmount) {
  Tank model({1000.3}, 1000);
  Duration got = kNever;
  Simulator run(model);
  run.Spawn(
      [](Tank& m, Duration& time) -> Task<> {
        co_await m.Delay(2s);
        co_await m.tank.Get(0.3);
        time = m.Now();
      }(model, got),
      0s);
  run.RunUntil(100s);
  EXPECT_EQ(model.got, 1s);
  EXPECT_EQ(got, 2s);
  EXPECT_EQ(model.tank.level(), 0);
}

// Empties and fills a tank of 1 by tenths, again and again.
struct Cycles : process::Model {
  Container tank{this, "tank", {.capacity = 1.0, .initial = 0.3}};
  int cycles = 0;

  Task<> Turns() {
    for (; cycles < 2000; ++cycles) {
      for (int i = 0; i < 7; ++i) {
        co_await tank.Put(0.1);
      }
      co_await tank.Get(0.7);
      co_await Delay(1s);
    }
  }

  void Start() override { Spawn(Turns()); }
};

TEST(ContainerTest, HasTheSameRoomHoweverOftenItWasFilled) {
  Cycles model;
  Simulator run(model);
  run.RunUntil(1h);
  EXPECT_EQ(model.cycles, 2000);
  EXPECT_EQ(model.tank.level(), 0.3);
}

TEST(ContainerTest, TakesWhatFitsIntoWhatWasTaken) {
  Tank model({0.1, 0.2}, 0.3, {.capacity = 0.6, .initial = 0.6});
  Simulator run(model);
  run.RunUntil(100s);
  EXPECT_EQ(model.got, 0s);
  EXPECT_EQ(model.tank.statistics().puts, 2);
  EXPECT_EQ(model.tank.level(), 0.6);
}

TEST(ContainerTest, AConditionSeesTheSumOfDecimals) {
  Tank model({0.7, 0.1}, 5.0);
  Duration seen = kNever;
  Simulator run(model);
  run.Spawn(
      [](Tank& m, Duration& time) -> Task<> {
        co_await m.Until(m.tank >= 0.8);
        time = m.Now();
      }(model, seen),
      0s);
  run.RunUntil(100s);
  EXPECT_EQ(seen, 2s);
}

}  // namespace
}  // namespace orrery::queueing
