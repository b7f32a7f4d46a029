// Tasks that wait for values of one cell: who is evaluated, and when.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

enum class Gear : std::uint8_t { kNeutral, kFirst, kSecond };

struct Board : Model {
  Cell<Counter<>> c{this, "c"};
  Cell<Counter<>> d{this, "d"};
  Cell<Register<double>> level{this, "level", 0.0};
  Cell<Register<Gear>> gear{this, "gear", Gear::kNeutral};
  Cell<Register<std::string>> word{this, "word", "none"};
  Cell<Accumulator> a{this, "a"};
  std::function<void(Board&)> start;
  std::vector<int> woken;

  explicit Board(std::function<void(Board&)> s) : start(std::move(s)) {}

  void Start() override { start(*this); }

  template <typename C>
  Task<> Wait(int name, C condition) {
    co_await Until(condition);
    woken.push_back(name);
  }

  Task<> CountTo(int n) {
    for (int i = 0; i < n; ++i) {
      co_await Delay(1s);
      c.Add(1);
    }
  }

  Task<> Levels(std::vector<double> levels) {
    for (const double value : levels) {
      co_await Delay(1s);
      level.Set(value);
    }
  }
};

// Each when it begins to wait, and when it goes on.
TEST(ThresholdsTest, NTasksThatWaitForACounterAreEvaluatedTwiceEach) {
  for (const int n : {10, 100, 3000}) {
    Board m([n](Board& b) {
      b.Spawn(b.CountTo(n));
      for (int i = 0; i < n; ++i) {
        b.Spawn(b.Wait(i, b.c > i));
      }
    });
    Simulator run(m);
    run.Run();
    EXPECT_EQ(run.statistics().evaluations, 2 * n);
    ASSERT_EQ(m.woken.size(), std::size_t(n));
    EXPECT_TRUE(std::ranges::is_sorted(m.woken));
  }
}

TEST(ThresholdsTest, MoreTimesToStopAtAreNoMoreEvaluations) {
  Board m([](Board& b) {
    for (int i = 0; i < 50; ++i) {
      b.Spawn(b.Wait(i, b.c > i));
    }
  });
  Simulator run(m);
  for (int t = 1; t <= 100; ++t) {
    run.RunUntil(std::chrono::seconds(t));
  }
  EXPECT_EQ(run.statistics().evaluations, 50);
}

TEST(ThresholdsTest, EachRelationIsMetWhereItHolds) {
  Board m([](Board& b) {
    b.Spawn(b.Wait(1, b.level > 2.0));
    b.Spawn(b.Wait(2, b.level >= 2.0));
    b.Spawn(b.Wait(3, b.level < -2.0));
    b.Spawn(b.Wait(4, b.level <= -2.0));
    b.Spawn(b.Wait(5, b.level == 1.0));
    b.Spawn(b.Wait(6, b.level != 0.0));
    b.Spawn(b.Wait(7, 3.0 < b.level));
    b.Spawn(b.Wait(8, !(b.level <= 3.5)));
    b.Spawn(b.Levels({0, 0.5, 1, 2, 2, 3, -2, -3, 3.25, 3.5, 4}));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(m.woken, ElementsAre(6, 5, 2, 1, 4, 3, 7, 8));
  EXPECT_EQ(run.statistics().evaluations, 16);
}

TEST(ThresholdsTest, TasksThatGoOnAtOnceDoSoInTheOrderOfTheirWaits) {
  Board m([](Board& b) {
    b.Spawn(b.Wait(1, b.level > 3.0));
    b.Spawn(b.Wait(2, b.level > 1.0));
    b.Spawn(b.Wait(3, [&b] { return b.level.Get() > 2; }));
    b.Spawn(b.Wait(4, b.level != 0.0));
    b.Spawn(b.Wait(5, b.level > 1.0));
    b.Spawn(b.Levels({5}));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(m.woken, ElementsAre(1, 2, 3, 4, 5));
}

Task<> Shifts(Board& m) {
  for (const Gear gear : {Gear::kFirst, Gear::kNeutral, Gear::kSecond}) {
    co_await m.Delay(1s);
    m.gear.Set(gear);
    m.word.Set(gear == Gear::kFirst ? "one" : "other");
  }
}

TEST(ThresholdsTest, ValuesThatAreNoNumbersAreMetByEquality) {
  Board m([](Board& b) {
    b.Spawn(b.Wait(1, b.gear == Gear::kSecond));
    b.Spawn(b.Wait(2, b.gear == Gear::kFirst));
    b.Spawn(b.Wait(3, b.gear != Gear::kNeutral));
    b.Spawn(b.Wait(4, b.word == "one"));
    b.Spawn(b.Wait(5, b.word == "never"));
    b.Spawn(Shifts(b));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(m.woken, ElementsAre(2, 3, 4, 1));
  EXPECT_EQ(run.statistics().evaluations, 9);  // Twice each; one never again.
}

// The condition that does not hold is waited for; the other one may change.
TEST(ThresholdsTest, OfSeveralConditionsOneThatDoesNotHoldIsWaitedFor) {
  Board m([](Board& b) {
    b.Spawn(b.Wait(1, b.level == 7.0 && b.c > 5));
    b.Spawn(b.Wait(2, !(b.level != 7.0 || b.c <= 5)));
    b.Spawn(b.Wait(3, b.level == 7.0 || b.c > 5));
    b.Spawn(b.CountTo(10));
    b.Spawn(b.Levels({1, 2, 3, 4, 5, 6, 6, 7}));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(m.woken, ElementsAre(3, 1, 2));
  // The third task needs one of two: it is evaluated at each change up to 6 s.
  EXPECT_EQ(run.statistics().evaluations, 2 + 2 + 7);
}

// A cell that moves needs times, not values.
TEST(ThresholdsTest, WhatMovesIsWaitedForAsBefore) {
  Board m([](Board& b) {
    b.Spawn(b.Wait(1, b.a >= 10.0 && b.c > 0));
    b.Spawn(b.CountTo(1));
  });
  m.start = [start = m.start](Board& b) {
    start(b);
    b.Spawn([](Board& at) -> Task<> {
      at.a.SetRate(2);
      co_return;
    }(b));
  };
  Simulator run(m);
  run.RunUntil(20s);
  EXPECT_THAT(m.woken, ElementsAre(1));
}

// A number that grows by one a second without an effect.
struct Age {
  struct Effect {};

  double age = 0;

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect, Effect) { return {}; }

  static Effect Concurrently(Effect, Effect) { return {}; }

  void Apply(Effect) {}

  void Step(Duration dt) { age += std::chrono::duration<double>(dt).count(); }

  [[nodiscard]] double Value() const { return age; }
};

struct Person : Model {
  Cell<Age> age{this, "age"};
  Cell<Counter<>> c{this, "c"};
  double woken_at = 0;

  Task<> Wait() {
    co_await Until(age > 2.0 && c > 2);
    woken_at = std::chrono::duration<double>(Now()).count();
  }

  Task<> Count() {
    for (int i = 0; i < 3; ++i) {
      co_await Delay(1s);
      c.Add(1);
    }
  }

  void Start() override {
    Spawn(Wait());
    Spawn(Count());
  }
};

// The age has no threshold: it reaches 2 without an effect.
TEST(ThresholdsTest, ACellThatStepsInTimeIsReadWhenTheOtherOneChanges) {
  Person m;
  Simulator run(m);
  run.Run();
  EXPECT_EQ(m.woken_at, 3);
}

Task<> Cancels(Board& m) {
  const auto waiting = m.Spawn(m.Wait(1, m.c > 3));
  co_await m.Delay(1s);
  waiting.Cancel();
}

TEST(ThresholdsTest, WhoIsCancelledWaitsNoMore) {
  Board m([](Board& b) {
    b.Spawn(Cancels(b));
    b.Spawn(b.CountTo(5));
  });
  Simulator run(m);
  run.Run();
  EXPECT_TRUE(m.woken.empty());
  EXPECT_EQ(run.statistics().evaluations, 1);
}

// The same conditions as functions, of which nothing is known.
RC_GTEST_PROP(ThresholdsTest, OrderAndTimesAreThoseOfFunctions, ()) {
  const auto bounds =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(-5, 5));
  const auto kinds = *rc::gen::container<std::vector<int>>(
      bounds.size(), rc::gen::inRange(0, 6));
  const auto levels = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(-6, 6), [](int x) { return double(x); }));
  const auto woken = [&](bool by_function) {
    Board m([&](Board& b) {
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        const double bound = bounds[i];
        const auto wait = [&](auto compare) {
          const int name = static_cast<int>(i);
          if (by_function) {
            b.Spawn(b.Wait(name, [compare, &b, bound] {
              return compare(b.level.Get(), bound);
            }));
          } else {
            b.Spawn(b.Wait(name, compare(b.level, bound)));
          }
        };
        switch (kinds[i]) {
          case 0:
            wait([](const auto& x, double y) { return x > y; });
            break;
          case 1:
            wait([](const auto& x, double y) { return x >= y; });
            break;
          case 2:
            wait([](const auto& x, double y) { return x < y; });
            break;
          case 3:
            wait([](const auto& x, double y) { return x <= y; });
            break;
          case 4:
            wait([](const auto& x, double y) { return x == y; });
            break;
          default:
            wait([](const auto& x, double y) { return x != y; });
        }
      }
      b.Spawn(b.Levels(levels));
    });
    Simulator run(m);
    run.Run();
    return m.woken;
  };
  RC_ASSERT(woken(true) == woken(false));
}

}  // namespace
}  // namespace orrery::process
