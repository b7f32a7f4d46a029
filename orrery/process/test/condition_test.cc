#include "orrery/process/tasks/condition.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// When something came about, and a value there.
struct Seen {
  Duration time;
  double value;

  friend bool operator==(const Seen&, const Seen&) = default;
};

template <typename C>
Task<> Notes(Stage& m, C condition, std::vector<Seen>& seen) {
  co_await m.Until(condition);
  seen.push_back({.time = m.Now(), .value = m.a.Get()});
}

// D1
Task<> AddsAndWaits(Stage& m, std::vector<Seen>& seen) {
  m.c.Add(1);
  co_await m.Until(m.c >= 1);
  seen.push_back({.time = m.Now(), .value = double(m.c.Get())});
}

TEST(ConditionTest, OneThatHoldsAlreadyIsSeenAfterTheCommit) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) { s.Spawn(AddsAndWaits(s, seen)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(seen, ElementsAre(Seen{.time = 0s, .value = 1}));
  EXPECT_EQ(run.statistics().microsteps, 2);
  EXPECT_EQ(run.statistics().evaluations, 1);
}

Task<> Rates(Stage& m, double level, double rate) {
  m.a.Set(level);
  m.a.SetRate(rate);
  co_return;
}

// D2
TEST(ConditionTest, ALineCrossesItsThresholdExactly) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(Rates(s, 0, 1));
    s.Spawn(Notes(s, s.a >= 10 && s.a <= 20, seen));
  });
  Simulator run(m);
  run.RunUntil(60s);
  EXPECT_THAT(seen, ElementsAre(Seen{.time = 10s, .value = 10.0}));
}

// D3
TEST(ConditionTest, CrossingsAreRoundedUpToTheTick) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(Rates(s, 0, 3));
    s.Spawn(Notes(s, s.a >= 10, seen));
  });
  Simulator run(m);
  run.RunUntil(60s);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].time, 3'333'333'334ns);
  EXPECT_GE(seen[0].value, 10);
  EXPECT_NEAR(seen[0].value, 10, 1e-8);
}

TEST(ConditionTest, AFallingLineIsBelowItsThresholdAtTheTick) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(Rates(s, 100, -7));
    s.Spawn(Notes(s, s.a <= 50, seen));
  });
  Simulator run(m);
  run.RunUntil(60s);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].time, 7'142'857'143ns);
  EXPECT_LE(seen[0].value, 50);
}

// D4
Task<> DoublesAt5(Stage& m) {
  m.a.SetRate(1);
  co_await m.Delay(5s);
  m.a.SetRate(2);
}

TEST(ConditionTest, APredictionIsRevised) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(DoublesAt5(s));
    s.Spawn(Notes(s, s.a >= 10, seen));
  });
  Simulator run(m);
  run.RunUntil(60s);
  EXPECT_THAT(seen, ElementsAre(Seen{.time = 7500ms, .value = 10.0}));
  EXPECT_EQ(run.statistics().evaluations, 2);
}

Task<> StopsAt5(Stage& m) {
  m.a.SetRate(1);
  co_await m.Delay(5s);
  m.a.SetRate(0);
}

TEST(ConditionTest, APredictionIsCalledOff) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(StopsAt5(s));
    s.Spawn(Notes(s, s.a >= 10, seen));
  });
  Simulator run(m);
  while (run.now() < 5s && run.Step()) {
  }
  EXPECT_EQ(run.next_time(), Duration::max());
  EXPECT_EQ(run.waiting().size(), 1U);
  run.RunUntil(60s);
  EXPECT_THAT(seen, IsEmpty());
  EXPECT_EQ(run.statistics().evaluations, 3);  // At 0, 5 and 60 s.
}

// D7
Task<> Pulses(Stage& m, bool lets_others_see) {
  co_await m.Delay(1s);
  m.g.Set(1);
  if (lets_others_see) {
    co_await m.Delay(0s);
  }
  m.g.Set(0);
}

Task<> WaitsForOne(Stage& m, std::vector<int>& reads) {
  co_await m.Until(m.g == 1);
  reads.push_back(m.g.Get());
  co_await m.Delay(0s);
  reads.push_back(m.g.Get());
}

TEST(ConditionTest, APulseWithinAStepIsInvisible) {
  std::vector<int> reads;
  Stage m([&](Stage& s) {
    s.Spawn(Pulses(s, false));
    s.Spawn(WaitsForOne(s, reads));
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(reads, IsEmpty());
  ASSERT_EQ(run.waiting().size(), 1U);
  EXPECT_EQ(run.waiting()[0],
            (WaitingTask{.task = "WaitsForOne", .awaits = "g == 1"}));
}

TEST(ConditionTest, AValueThatIsAwaitedIsWrittenThoughItIsNoNumber) {
  enum class Mode : std::uint8_t { kOff, kOn };
  EXPECT_EQ(internal::TextOfValue(true), "true");
  EXPECT_EQ(internal::TextOfValue(false), "false");
  EXPECT_EQ(internal::TextOfValue(std::string("open")), "\"open\"");
  EXPECT_EQ(internal::TextOfValue(Mode::kOn), "1");
}

// D8
TEST(ConditionTest, APulseAcrossADelayOfNothingIsVisible) {
  std::vector<int> reads;
  Stage m([&](Stage& s) {
    s.Spawn(Pulses(s, true));
    s.Spawn(WaitsForOne(s, reads));
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(reads, ElementsAre(1, 0));
}

// D9
Task<> Changes(Stage& m) {
  for (int second = 1; second <= 6; ++second) {
    co_await m.Delay(1s);
    if (second <= 5) {
      m.d.Add(1);
    }
    if (second >= 5) {
      m.c.Add(1);
    }
  }
}

template <typename F>
Task<> WaitsFor(Stage& m, F condition) {
  co_await m.Until(condition);
}

TEST(ConditionTest, ItIsEvaluatedAgainOnlyWhenACellItReadHasChanged) {
  std::vector<std::int64_t> reads;
  Stage m([&](Stage& s) {
    s.Spawn(Changes(s));
    s.Spawn(WaitsFor(s, [&] {
      reads.push_back(s.c.Get());
      return s.c.Get() == 2;
    }));
  });
  Simulator run(m);
  run.RunUntil(10s);
  reads.resize(3);
  EXPECT_THAT(reads, ElementsAre(0, 1, 2));
  EXPECT_EQ(run.statistics().evaluations, 3);
}

// D10
TEST(ConditionTest, OneThatReadsNothingIsEvaluatedAtTheStartAndAtTheHorizon) {
  std::vector<Duration> times;
  Stage m;
  m.start = [&](Stage& s) {
    s.Spawn(WaitsFor(s, [&] {
      times.push_back(s.Now());
      return false;
    }));
  };
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(times, ElementsAre(0s, 10s));
}

// D13
TEST(ConditionTest, OneThatHoldsExactlyAtTheHorizonIsSeen) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(Rates(s, 0, 1));
    s.Spawn(Notes(s, s.a >= 10, seen));
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(seen, ElementsAre(Seen{.time = 10s, .value = 10.0}));
}

TEST(ConditionTest, ARunThatGoesOnLooksBeyondTheOldHorizon) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(Rates(s, 0, 1));
    s.Spawn(Notes(s, s.a >= 10, seen));
  });
  Simulator run(m);
  run.RunUntil(5s);
  EXPECT_THAT(seen, IsEmpty());
  run.RunUntil(20s);
  EXPECT_THAT(seen, ElementsAre(Seen{.time = 10s, .value = 10.0}));
}

TEST(ConditionTest, ARunThatGoesOnLooksForWhatHoldsBeforeACellExpires) {
  Ramp m;
  Simulator run(m);
  run.RunUntil(10s);
  run.RunUntil(200s);
  EXPECT_THAT(m.times, ElementsAre(50s));
}

TEST(ConditionTest, ManyPiecesOfARunFindWhatOneDoes) {
  Ramp m;
  Simulator run(m);
  for (int i = 1; i <= 20; ++i) {
    run.RunUntil(i * 7s);
  }
  EXPECT_THAT(m.times, ElementsAre(50s));
}

// D15
Task<> SetsAt2(Stage& m) {
  co_await m.Delay(2s);
  m.g.Set(1);
}

TEST(ConditionTest, AllThatWaitForOneThingGoOnInOneBatch) {
  std::vector<Seen> seen;
  Stage m([&](Stage& s) {
    s.Spawn(SetsAt2(s));
    for (int i = 0; i < 3; ++i) {
      s.Spawn(Notes(s, s.g == 1, seen));
    }
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(seen,
              ElementsAre(Seen{.time = 2s, .value = 0},
                          Seen{.time = 2s, .value = 0},
                          Seen{.time = 2s, .value = 0}));
  EXPECT_EQ(run.statistics().microsteps, 3);
}

// D16
struct TwoLines : Model {
  Cell<Accumulator> a{this, "a", 0, 1};
  Cell<Accumulator> b{this, "b", 0, 2};
  std::vector<Duration> times;

  Task<> Watch() {
    co_await Until(a >= 5 && b >= 20);
    times.push_back(Now());
    co_await Until(a >= 15 || b >= 40);
    times.push_back(Now());
    co_await Until(!(a >= 0 && a <= 30));
    times.push_back(Now());
    co_await Until(b - 2 * a > 0 || 3.5 * a - 95.001 >= b * 1 - 50);
    times.push_back(Now());
  }

  void Start() override { Spawn(Watch()); }
};

TEST(ConditionTest, CombinationsHoldFromTheExactTickOn) {
  TwoLines m;
  Simulator run(m);
  run.RunUntil(60s);
  EXPECT_THAT(m.times, ElementsAre(10s, 15s, 30s + 1ns, 30'000'666'667ns));
}

// D17: windows, in minutes.
struct Window {
  Duration begin;
  Duration end;

  [[nodiscard]] std::optional<Duration> Next(bool wanted,
                                             Duration from,
                                             Duration until) const {
    const bool holds = begin <= from && from < end;
    const Duration at = holds == wanted ? from : from < begin ? begin : end;
    const bool is_change = holds == wanted || at > from;
    return is_change && at <= until ? std::optional(at) : std::nullopt;
  }
};

Window W(int begin, int end) {
  return {.begin = std::chrono::minutes(begin),
          .end = std::chrono::minutes(end)};
}

template <typename C>
int NextMinute(const C& condition, int from, int until) {
  const auto next = condition.Next(
      true, std::chrono::minutes(from), std::chrono::minutes(until));
  return next ? static_cast<int>(
                    std::chrono::duration_cast<std::chrono::minutes>(*next)
                        .count())
              : -1;
}

TEST(ConditionTest, CombinatorsFindTheFirstTime) {
  EXPECT_EQ(NextMinute(W(2, 30) || W(5, 60), 1, 60), 2);
  EXPECT_EQ(NextMinute(W(5, 60) || W(2, 30), 1, 60), 2);
  EXPECT_EQ(NextMinute(W(2, 30) && W(5, 60), 1, 60), 5);
  EXPECT_EQ(NextMinute(W(5, 60) && W(2, 30), 1, 60), 5);
  EXPECT_EQ(NextMinute(W(2, 30) && W(31, 60), 1, 60), -1);
  EXPECT_EQ(NextMinute(W(31, 60) && W(2, 30), 1, 60), -1);
  EXPECT_EQ(NextMinute(!W(2, 5), 1, 60), 1);
  EXPECT_EQ(NextMinute(!W(2, 5), 3, 60), 5);
  EXPECT_EQ(NextMinute(!W(2, 5), 3, 4), -1);
  EXPECT_EQ(NextMinute(!(W(1, 20) || W(5, 30)), 1, 60), 30);
  EXPECT_EQ(NextMinute(!(W(1, 30) && W(1, 60)), 1, 60), 30);
  EXPECT_EQ(NextMinute(
                W(1, 2) || [] { return true; }, 1, 60),
            1);
  EXPECT_EQ(NextMinute(
                W(1, 60) && [] { return false; }, 1, 60),
            -1);
}

// D12
struct Expiring {
  struct Effect {};

  Duration left = 5s;

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect, Effect) { return {}; }

  static Effect Concurrently(Effect, Effect) { return {}; }

  void Apply(Effect) {}

  void Step(Duration dt) {
    left = (left - dt) > 0s ? left - dt : left - dt + 5s;
  }

  [[nodiscard]] std::optional<Duration> Expiry() const { return left; }

  [[nodiscard]] Duration Value() const { return left; }
};

struct At5 {
  const BasicCell<Expiring>* cell;
  Model* model;

  [[nodiscard]] std::optional<Duration> Next(bool /*wanted*/,
                                             Duration from,
                                             Duration /*until*/) const {
    static_cast<void>(cell->Get());
    return std::max(from, Duration(5s) - model->Now());
  }
};

struct ExpiringModel : Model {
  Cell<Expiring> cell{this, "cell"};
  std::vector<Duration> times;

  Task<> Watch() {
    co_await Until(At5{.cell = &cell, .model = this});
    times.push_back(Now());
  }

  void Start() override { Spawn(Watch()); }
};

TEST(ConditionTest, APredictionAtTheExpiryIsMadeAgainThere) {
  ExpiringModel m;
  Simulator run(m);
  run.RunUntil(20s);
  EXPECT_THAT(m.times, ElementsAre(5s));
  EXPECT_EQ(run.statistics().evaluations, 2);
}

TEST(ConditionTest, AFunctionMayNotReadWhatChangesWithTime) {
  Stage m([](Stage& s) {
    s.Spawn(Rates(s, 0, 1));
    s.Spawn(WaitsFor(s, [&s] { return s.a.Get() > 10; }));
  });
  Simulator run(m);
  try {
    run.RunUntil(60s);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot go on at t = 0 s: task 'WaitsFor' failed: cannot "
                 "evaluate a function of 'a' only when it is acted on: its "
                 "value changes as time passes; compare the cell itself, as "
                 "in 'a > 1.0', or ask for its Dynamics()");
  }
}

}  // namespace
}  // namespace orrery::process
