#include "orrery/devs/real_time.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/manual_clock.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/devs/test/parts.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing_parts::Collector;
using testing_parts::PlainGenerator;
using testing_parts::PlainJob;
using testing_parts::PlainProcessor;

constexpr Duration kStart = 100s;  // Start of the clocks.

/// Collects messages from a source and from outside in a tray.
struct Desk : Coupled {
  In<PlainJob> in{this, "in"};
  PlainGenerator& source;
  Collector& tray = Add<Collector>("tray");

  explicit Desk(Duration first = kPassive, Duration period = kPassive)
      : Coupled("desk"), source(Add<PlainGenerator>("source", first, period)) {
    Couple(source.out, tray.in);
    Couple(in, tray.in);
  }
};

/// Records when the tray gets messages, and calls `work` then.
class InstantLog : public Observer {
 public:
  InstantLog(Simulator& run, const WallClock& clock) : clock_(clock) {
    run.Observe(*this, "desk.tray");
  }

  std::vector<Duration> times;
  std::vector<Duration> walls;  // When each instant began.
  std::function<void()> work = [] {
  };

  void OnInput(Duration time, const Model&, const Bag&) override {
    times.push_back(time);
    walls.push_back(clock_.now());
    work();
  }

 private:
  const WallClock& clock_;
};

std::string WhyNot(const std::function<void()>& use) {
  try {
    use();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// Pacing ----------------------------------------------------------------------

class RealTimeFactorTest : public testing::TestWithParam<int> {};

TEST_P(RealTimeFactorTest, InstantsBeginAtTheirWallTimes) {
  const int halves = GetParam();
  const Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 0.5 * halves});
  EXPECT_TRUE(pace.RunUntil(3500ms));
  EXPECT_THAT(log.times, ElementsAre(1s, 2s, 3s));
  EXPECT_THAT(log.walls,
              ElementsAre(kStart + 500ms * halves,
                          kStart + 1000ms * halves,
                          kStart + 1500ms * halves));
  EXPECT_EQ(clock.now(), kStart + 1750ms * halves);
  EXPECT_EQ(run.now(), 3500ms);
  EXPECT_EQ(pace.report(), LagReport{.instants = 3});
}

INSTANTIATE_TEST_SUITE_P(HalfRealAndTenfold,
                         RealTimeFactorTest,
                         testing::Values(1, 2, 20));

/// The wall time of the end of a run that began at kStart.
Duration WallOfEnd(double factor, Duration end) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock, {.factor = factor});
  pace.RunUntil(end);
  return clock.now() - kStart;
}

RC_GTEST_PROP(RealTimeTest, WholeFactorsAreExactToTheNanosecond, ()) {
  const auto factor = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
  const auto ticks =
      *rc::gen::inRange<std::int64_t>(0, 9'000'000'000'000'000'000 / factor);
  RC_ASSERT(WallOfEnd(static_cast<double>(factor), Duration(ticks)) ==
            Duration(ticks * factor));
}

RC_GTEST_PROP(RealTimeTest, PowersOfTwoAreExactToTheNanosecond, ()) {
  const auto power = *rc::gen::inRange(1, 40);
  const auto wall = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 22);
  RC_ASSERT(WallOfEnd(1 / static_cast<double>(std::int64_t{1} << power),
                      Duration(wall << power)) == Duration(wall));
}

TEST(RealTimeTest, OtherFactorsAreRoundedToTheNanosecond) {
  EXPECT_EQ(WallOfEnd(0.1, 1s), 100ms);
  EXPECT_EQ(WallOfEnd(1e-3, 1h), 3600ms);
  EXPECT_EQ(WallOfEnd(1.0 / 3, 3000h), 1000h);
}

TEST(RealTimeTest, TimesOfALongRunDoNotDrift) {
  // Each product is rounded by up to half a nanosecond; a running sum would be
  // off by tens of thousands.
  const Desk desk(Duration(333), Duration(333));
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 0.7});
  pace.RunUntil(Duration(33'300'000));
  ASSERT_EQ(log.walls.size(), 100'000U);
  EXPECT_EQ(log.walls.back(), kStart + Duration(23'310'000));
}

TEST(RealTimeTest, AnEndWithoutEventsComesAtItsWallTime) {
  EXPECT_EQ(WallOfEnd(2, 5s), 10s);
}

TEST(RealTimeTest, CallsThatFollowGoOnFromTheSameBegin) {
  const Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock);
  pace.RunUntil(1500ms);
  clock.Work(300ms);
  pace.RunUntil(2s);
  EXPECT_THAT(log.walls, ElementsAre(kStart + 1s, kStart + 2s));
}

TEST(RealTimeTest, APauseIsNoLagAfterSynchronize) {
  const Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock);
  pace.RunUntil(1500ms);
  clock.Work(1h);
  pace.Synchronize();
  EXPECT_EQ(pace.now(), 1500ms);
  pace.RunUntil(2s);
  EXPECT_THAT(log.walls, ElementsAre(kStart + 1s, kStart + 1h + 2s));
  EXPECT_EQ(pace.report().max, 0s);
}

TEST(RealTimeTest, ARunBegunBeforeIsPacedFromWhereItIs) {
  const Desk desk(1s, 1s);
  Simulator run(desk);
  run.RunUntil(1h);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock);
  pace.RunUntil(1h + 1s);
  EXPECT_THAT(log.walls, ElementsAre(kStart + 1s));
}

TEST(RealTimeTest, AnEndThatHasPassedIsReachedAtOnce) {
  const Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  pace.RunUntil(2s);
  EXPECT_TRUE(pace.RunUntil(1s));
  EXPECT_EQ(run.now(), 2s);
  EXPECT_EQ(clock.now(), kStart + 2s);
  EXPECT_TRUE(pace.RunUntil(3s));
  EXPECT_EQ(run.now(), 3s);
}

// Lags ------------------------------------------------------------------------

TEST(RealTimeTest, LagsAddUpWhereTheWorkIsTooMuch) {
  const Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  log.work = [&] {
    clock.Work(250ms);
  };
  RealTime pace(run, clock);
  pace.RunUntil(500ms);
  // 0, 150, 300, 450 and 600 ms.
  EXPECT_EQ(pace.report(),
            (LagReport{.instants = 5,
                       .late = 4,
                       .max = 600ms,
                       .max_at = 500ms,
                       .mean = 300ms}));
}

TEST(RealTimeTest, WhatIsBehindIsMadeUpFor) {
  const Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  log.work = [&] {
    clock.Work(log.times.size() == 1 ? 250ms : 0ms);
  };
  RealTime pace(run, clock, {.max_lag = 50ms});
  pace.RunUntil(500ms);
  // 0, 150, 50, 0 and 0 ms.
  EXPECT_EQ(pace.report(),
            (LagReport{.instants = 5,
                       .late = 1,
                       .max = 150ms,
                       .max_at = 200ms,
                       .mean = 40ms}));
  EXPECT_EQ(log.walls.back(), kStart + 500ms);
}

TEST(RealTimeTest, StrictRunsEndBeforeTheInstantThatIsLate) {
  Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  log.work = [&] {
    clock.Work(250ms);
  };
  RealTime pace(run, clock, {.max_lag = 150ms, .strict = true});
  pace.Inject(desk.in, {.id = 77}, 300ms);
  EXPECT_EQ(WhyNot([&] { pace.RunUntil(1s); }),
            "cannot keep pace with the clock in desk at t = 0.3 s: it is 0.3 s "
            "behind, and max_lag is 0.15 s; give a larger factor or max_lag, "
            "or do not be strict");
  EXPECT_EQ(pace.report(),
            (LagReport{.instants = 2,
                       .max = 150ms,
                       .max_at = 200ms,
                       .mean = 75ms,
                       .injections = 1}));
  EXPECT_EQ(run.now(), 200ms);
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(0, 1));

  // It goes on with all later events.
  pace.Synchronize();
  EXPECT_TRUE(pace.RunUntil(300ms));
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(0, 1, 2, 77));
}

// Injections ------------------------------------------------------------------

TEST(RealTimeTest, MessagesArriveAtTheTimeTheClockShows) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 0.5, .keep_arrivals = true});
  Duration arrives{};
  clock.At(kStart + 250ms, [&] {
    arrives = pace.Inject(desk.in, {.id = 5});
    EXPECT_EQ(pace.now(), 500ms);
  });
  EXPECT_TRUE(pace.RunUntil(1s));
  EXPECT_EQ(arrives, 500ms);
  EXPECT_THAT(log.times, ElementsAre(500ms));
  EXPECT_THAT(log.walls, ElementsAre(kStart + 250ms));
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(5));
  EXPECT_THAT(pace.arrivals(),
              ElementsAre(Arrival{.port = &desk.in, .time = 500ms}));
}

TEST(RealTimeTest, MessagesBeforeTheFirstCallArriveWhereTheRunIs) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  clock.Work(1h);
  EXPECT_EQ(pace.Inject(desk.in, {.id = 5}), 0s);
  pace.RunUntil(0s);
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(5));
}

TEST(RealTimeTest, MessagesOvertakeNoInstantOfARunThatIsBehind) {
  const Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  log.work = [&] {
    clock.Work(500ms);
  };
  RealTime pace(run, clock);
  clock.At(kStart + 250ms, [&] { pace.Inject(desk.in, {.id = 77}); });
  pace.RunUntil(300ms);
  EXPECT_THAT(log.times, ElementsAre(100ms, 200ms, 250ms, 300ms));
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(0, 1, 77, 2));
}

TEST(RealTimeTest, MessagesComeAfterAnInstantThatHasBegun) {
  const Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 10});
  // 0.3 ns after the first instant, in simulated time.
  clock.At(kStart + 1s + 3ns,
           [&] { EXPECT_EQ(pace.Inject(desk.in, {.id = 77}), 100ms + 1ns); });
  pace.RunUntil(150ms);
  EXPECT_THAT(log.times, ElementsAre(100ms, 100ms + 1ns));
  EXPECT_EQ(log.walls.back(), kStart + 1s + 10ns);
}

TEST(RealTimeTest, MessagesWithinAnInstantComeAfterIt) {
  const Desk desk(100ms, 100ms);
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock);
  log.work = [&] {
    if (log.times.size() == 1) {
      pace.Inject(desk.in, {.id = 77});
    }
  };
  pace.RunUntil(150ms);
  EXPECT_THAT(log.times, ElementsAre(100ms, 100ms + 1ns));
}

TEST(RealTimeTest, MessagesMayBeGivenATime) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  InstantLog log(run, clock);
  RealTime pace(run, clock);
  pace.Inject(desk.in, {.id = 2}, 2s);
  clock.At(kStart + 500ms, [&] { pace.Inject(desk.in, {.id = 1}, 1s); });
  pace.RunUntil(3s);
  EXPECT_THAT(log.times, ElementsAre(1s, 2s));
  EXPECT_THAT(log.walls, ElementsAre(kStart + 1s, kStart + 2s));
}

TEST(RealTimeTest, MessagesAfterTheEndStayForTheNextCall) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  pace.RunUntil(1s);
  EXPECT_EQ(pace.Inject(desk.in, {.id = 5}), 1s + 1ns);
  pace.RunUntil(1s);
  EXPECT_TRUE(run.state(desk.tray).ids.empty());
  pace.RunUntil(2s);
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(5));
}

// Stopping --------------------------------------------------------------------

TEST(RealTimeTest, StopEndsARunThatWaits) {
  const Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  clock.At(kStart + 1500ms, [&] { pace.Stop(); });
  EXPECT_FALSE(pace.RunUntil(10s));
  EXPECT_EQ(clock.now(), kStart + 1500ms);
  EXPECT_EQ(run.now(), 1s);
  EXPECT_TRUE(pace.RunUntil(2s));
  EXPECT_EQ(clock.now(), kStart + 2s);
}

TEST(RealTimeTest, StopBeforeARunEndsItAtOnce) {
  const Desk desk(0s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  pace.Stop();
  EXPECT_FALSE(pace.RunUntil(10s));
  EXPECT_EQ(run.statistics(), Statistics());
  EXPECT_TRUE(pace.RunUntil(10s));
}

TEST(RealTimeTest, ARunWithoutAnEndWaitsForMessagesUntilItIsStopped) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock, {.factor = 0x1p-30});
  clock.At(kStart + 1s, [&] { pace.Inject(desk.in, {.id = 5}); });
  clock.At(kStart + 1h, [&] { pace.Stop(); });
  EXPECT_FALSE(pace.RunUntil(kPassive));
  EXPECT_THAT(run.state(desk.tray).ids, ElementsAre(5));
  EXPECT_EQ(run.now(), 1s * (1 << 30));
}

// Repetition ------------------------------------------------------------------

struct Line : Coupled {
  In<PlainJob> in{this, "in"};
  In<PlainJob> urgent{this, "urgent"};
  PlainGenerator& source = Add<PlainGenerator>("source", 1ms, 7ms);
  PlainProcessor& cpu = Add<PlainProcessor>("cpu", 5ms);
  Collector& sink = Add<Collector>("sink");

  Line() : Coupled("line") {
    Couple(source.out, cpu.in);
    Couple(in, cpu.in);
    Couple(cpu.out, sink.in);
    Couple(urgent, sink.in);
  }
};

RC_GTEST_PROP(RealTimeTest, TheSameArrivalsGiveTheSameBits, ()) {
  const Line line;
  const Options options{.formalism = *rc::gen::element(Formalism::kParallel,
                                                       Formalism::kClassic)};
  ManualClock clock(kStart);
  Simulator run(line, options);
  std::ostringstream csv;
  Trace trace(csv, Trace::Format::kCsv);
  run.Observe(trace);
  RealTime pace(
      run,
      clock,
      {.factor = *rc::gen::element(0.25, 1.0, 3.0), .keep_arrivals = true});
  const auto walls = *rc::gen::container<std::vector<int>>(
      rc::gen::inRange(0, 100'000));  // In microseconds.
  for (const int wall : walls) {
    clock.At(kStart + wall * 1us, [&, wall] {
      pace.Inject(wall % 2 == 0 ? line.in : line.urgent, {.id = wall});
      clock.Work(wall % 5 * 1ms);
    });
  }
  pace.RunUntil(100ms);

  Simulator again(line, options);
  std::ostringstream csv_again;
  Trace trace_again(csv_again, Trace::Format::kCsv);
  again.Observe(trace_again);
  pace.Repeat(again);
  again.RunUntil(100ms);
  RC_ASSERT(csv_again.str() == csv.str());
  RC_ASSERT(again.statistics() == run.statistics());
  RC_ASSERT(again.state(line.sink).ids == run.state(line.sink).ids);
}

TEST(RealTimeTest, ArrivalsAreNotKeptUnlessWanted) {
  const Desk desk;
  Simulator run(desk);
  ManualClock clock(kStart);
  RealTime pace(run, clock);
  pace.Inject(desk.in, {.id = 5});
  pace.RunUntil(1s);
  EXPECT_TRUE(pace.arrivals().empty());
  EXPECT_EQ(pace.report().injections, 1);
}

// Wrong uses ------------------------------------------------------------------

struct Case {
  std::string name;
  std::function<void(Desk&, Simulator&, ManualClock&)> use;
  std::string message;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class RealTimeErrorsTest : public testing::TestWithParam<Case> {};

TEST_P(RealTimeErrorsTest, SayWhatIsWrongAndWhatMendsIt) {
  Desk desk(1s, 1s);
  Simulator run(desk);
  ManualClock clock(kStart);
  EXPECT_EQ(WhyNot([&] { GetParam().use(desk, run, clock); }),
            GetParam().message);
}

Case CaseOfFactor(const std::string& name,
                  double factor,
                  const std::string& text) {
  return {name,
          [factor](Desk&, Simulator& run, ManualClock& clock) {
            const RealTime pace(run, clock, {.factor = factor});
          },
          "cannot pace desk by the factor " + text +
              ": it is the wall seconds of a simulated one; give a finite "
              "number above zero, as 1 for real time"};
}

std::vector<Case> Cases() {
  return {
      CaseOfFactor("factor_zero", 0, "0"),
      CaseOfFactor("factor_negative", -2.5, "-2.5"),
      CaseOfFactor(
          "factor_nan", std::numeric_limits<double>::quiet_NaN(), "nan"),
      CaseOfFactor(
          "factor_infinite", std::numeric_limits<double>::infinity(), "inf"),
      {"negative_max_lag",
       [](Desk&, Simulator& run, ManualClock& clock) {
         const RealTime pace(run, clock, {.max_lag = -1ms});
       },
       "cannot pace desk with a max_lag of -0.001 s: nothing begins before its "
       "time; give 0 s or more"},
      {"inject_into_a_part",
       [](Desk& desk, Simulator& run, ManualClock& clock) {
         RealTime(run, clock).Inject(desk.tray.in, {});
       },
       "cannot inject into desk.tray.in: it is no input of the outermost model "
       "desk; inject into one and couple it to this"},
      {"inject_at_no_time",
       [](Desk& desk, Simulator& run, ManualClock& clock) {
         RealTime(run, clock).Inject(desk.in, {}, kPassive);
       },
       "cannot inject into desk.in at kPassive: that time never comes; give "
       "another"},
      {"inject_into_the_past",
       [](Desk& desk, Simulator& run, ManualClock& clock) {
         RealTime pace(run, clock);
         pace.RunUntil(2s);
         pace.Inject(desk.in, {}, 2s);
       },
       "cannot inject into desk.in at t = 2 s: the run is at t = 2 s; give a "
       "later time, or none for as soon as can be"},
      {"run_by_others",
       [](Desk&, Simulator& run, ManualClock& clock) {
         RealTime pace(run, clock);
         pace.RunUntil(2s);
         run.RunUntil(5s);
         pace.RunUntil(6s);
       },
       "cannot pace desk: its run was left at t = 2 s and is at t = 5 s; make "
       "another RealTime where others have moved it"},
      {"run_in_a_run",
       [](Desk&, Simulator& run, ManualClock& clock) {
         RealTime pace(run, clock);
         std::string why;
         InstantLog log(run, clock);
         log.work = [&] {
           why = WhyNot([&] { pace.RunUntil(2s); });
         };
         pace.RunUntil(1s);
         throw Error(ErrorCode::kInvalidArgument, why);
       },
       "cannot run desk: it is in RunUntil already; wait until that returns, "
       "or stop it"},
      {"a_transition_throws",
       [](Desk&, Simulator& run, ManualClock& clock) {
         RealTime pace(run, clock);
         InstantLog log(run, clock);
         log.work = [] {
           throw std::runtime_error("no paper");
         };
         EXPECT_NE(WhyNot([&] { pace.RunUntil(2s); }), "");
         run.Ignore(log);
         pace.RunUntil(3s);
       },
       "cannot go on with desk: its run has failed; start another"},
  };
}

INSTANTIATE_TEST_SUITE_P(All,
                         RealTimeErrorsTest,
                         testing::ValuesIn(Cases()),
                         [](const auto& c) { return c.param.name; });

// Threads ---------------------------------------------------------------------

TEST(RealTimeThreadsTest, EachMessageOfFourThreadsArrivesOnceAndInOrder) {
  constexpr int kThreads = 4;
  constexpr int kEach = 250;
  const Desk desk;
  Simulator run(desk);
  SteadyClock clock;
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 0.5});
  log.work = [&] {
    // The transition follows: the tray does not have this message yet.
    if (run.statistics().messages == kThreads * kEach) {
      pace.Stop();
    }
  };
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        pace.Inject(desk.in, {.id = thread * kEach + i});
      }
    });
  }
  EXPECT_FALSE(pace.RunUntil(kPassive));
  threads.clear();

  const std::vector<int>& ids = run.state(desk.tray).ids;
  for (int thread = 0; thread < kThreads; ++thread) {
    std::vector<int> of_thread;
    std::ranges::copy_if(ids, std::back_inserter(of_thread), [&](int id) {
      return id / kEach == thread;
    });
    std::vector<int> sent(kEach);
    std::iota(sent.begin(), sent.end(), thread * kEach);
    EXPECT_EQ(of_thread, sent);
  }
  EXPECT_EQ(pace.report().injections, kThreads * kEach);
}

TEST(RealTimeThreadsTest, NoInstantBeginsBeforeItsWallTime) {
  const Desk desk(4ms, 4ms);
  Simulator run(desk);
  SteadyClock clock;
  InstantLog log(run, clock);
  RealTime pace(run, clock, {.factor = 0.5});
  const Duration before = clock.now();
  EXPECT_TRUE(pace.RunUntil(42ms));
  EXPECT_GE(clock.now(), before + 21ms);
  ASSERT_EQ(log.times.size(), 10U);
  for (std::size_t i = 0; i < log.times.size(); ++i) {
    EXPECT_GE(log.walls[i], before + log.times[i] / 2);
  }
}

TEST(RealTimeThreadsTest, AnotherThreadStopsARunThatWaitsForEver) {
  const Desk desk;
  Simulator run(desk);
  SteadyClock clock;
  RealTime pace(run, clock);
  const std::jthread other([&] {
    std::this_thread::sleep_for(5ms);
    pace.Stop();
  });
  EXPECT_FALSE(pace.RunUntil(kPassive));
}

TEST(RealTimeThreadsTest, OthersMayLookOnWhileItRuns) {
  const Desk desk(1ms, 1ms);
  Simulator run(desk);
  SteadyClock clock;
  RealTime pace(run, clock, {.factor = 0.5});
  const std::jthread other([&] {
    Duration last{};
    for (int i = 0; i < 1000; ++i) {
      const Duration now = pace.now();
      EXPECT_GE(now, last);
      last = now;
      EXPECT_LE(pace.report().instants, 20);
    }
  });
  EXPECT_TRUE(pace.RunUntil(20ms));
  EXPECT_EQ(pace.report().instants, 20);
}

}  // namespace
}  // namespace orrery::devs
