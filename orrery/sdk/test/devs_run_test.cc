#include "orrery/sdk/runs/devs_run.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/manual_clock.h"
#include "orrery/devs/library.h"
#include "orrery/sdk/live/live_devs.h"
#include "orrery/sdk/live/live_pace.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// M/M/1 with load 1/2: customers wait 1 s on average.
class OneServer : public devs::Coupled {
 public:
  explicit OneServer(Parameters& p) : Coupled("shop") {
    auto& source =
        Add<devs::Generator<>>("source", devs::Distribution::Exponential(2));
    Couple(source.out, server_.in);
    p.SetDefaultStop(5000s);
  }

  void Results(const devs::Simulator& run, Record& results) const {
    const devs::ServerTotals& totals = run.state(server_).totals;
    results.Add("wait_s",
                totals.waited_s / static_cast<double>(totals.started));
  }

 private:
  devs::Server<>& server_ =
      Add<devs::Server<>>("server", devs::Distribution::Exponential(1));
};

// 38 of forty intervals should hold the mean. The probability of fewer than 34
// is one in 300.
TEST(DevsRunTest, IntervalsOfReplicationsHoldTheExactMean) {
  const DevsModel model = DevsModel::Of<OneServer>("OneServer");
  ThreadPool threads(2);
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    DevsRunOptions options;
    options.engine.seed = seed;
    const auto runs = Replicate(model, options, 8, threads);
    const Estimate estimate = EstimateValues(runs).front().estimate;
    EXPECT_NEAR(estimate.mean, 1, 0.2);
    held += std::abs(estimate.mean - 1) <= estimate.half_width ? 1 : 0;
  }
  EXPECT_GE(held, 34);
  EXPECT_LT(held, 40);
}

TEST(DevsRunTest, RealTimeEndsAtTheStopWhileMoreIsDue) {
  ManualClock clock(100s);
  const DevsModel model = DevsModel::Of<OneServer>("OneServer");
  DevsRun run(model, {.stop = 10s});
  LiveDevs live(run);
  EXPECT_EQ(LivePace(live, clock, {.factor = 0.5}).RunToEnd([](LiveRun&) {}),
            LivePace::End::kReached);
  const DevsRunResult result = live.Finish();
  EXPECT_EQ(clock.now(), 105s);
  EXPECT_EQ(result.outcome, DevsOutcome::kCompleted);
  EXPECT_EQ(result.end, 10s);
  EXPECT_EQ(result.statistics, DevsRun(model, {.stop = 10s}).Run().statistics);
}

TEST(DevsRunTest, NamespacesAreLeftOutOfNames) {
  EXPECT_EQ(DevsModel::Of<OneServer>("a::b::OneServer").name(), "OneServer");
  EXPECT_EQ(DevsModel::Of<OneServer>("One<a::b>").name(), "One<a::b>");
}

// Two levels. One output has two sources; the second is declared before the
// first one is coupled.
class Ticker : public devs::Atomic<Ticker> {
 public:
  struct State {
    int ticks = 0;
  };

  devs::Out<std::int64_t> out{this, "out"};

  Ticker(std::int64_t first, Duration period)
      : first_(first), period_(period) {}

  [[nodiscard]] Duration TimeAdvance(const State&) const { return period_; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(out, first_ + s.ticks);
  }

  void Internal(State& s) const { ++s.ticks; }

 private:
  std::int64_t first_;
  Duration period_;
};

struct MachineCell : devs::Coupled {
  devs::Out<std::int64_t> out{this, "out"};
  Ticker& ticker;

  explicit MachineCell(std::int64_t first)
      : ticker(Add<Ticker>("ticker", first, 2s)) {
    Couple(ticker.out, out);
  }
};

struct TwoSources : devs::Coupled {
  devs::Out<std::int64_t> both{this, "both"};
  devs::Out<std::int64_t> fast{this, "fast"};

  TwoSources() : Coupled("two") {
    auto& first = Add<Ticker>("first", 100, 1s);
    auto& second = Add<MachineCell>("second", 200);
    Couple(second.out, both);
    Couple(first.out, both);
    Couple(first.out, fast);
  }
};

std::vector<double> ValuesOf(const Trajectory& run, const char* name) {
  return run[name].values();
}

TEST(DevsRunTest, OutputsAreThoseOfAllSourcesInTheOrderOfCouplings) {
  DevsRunOptions options;
  options.stop = 4s;
  options.records_outputs = true;
  DevsRun run(DevsModel::Of<TwoSources>("TwoSources"), options);
  EXPECT_EQ(run.size(), (DevsModelSize{.atomics = 2, .couplings = 4}));
  const DevsRunResult result = run.Run();
  EXPECT_THAT(ValuesOf(result.outputs, "fast"),
              ElementsAre(testing::IsNan(), 100, 101, 102, 103));
  // At 2 s and 4 s both send; `first` is coupled last.
  EXPECT_THAT(ValuesOf(result.outputs, "both"),
              ElementsAre(testing::IsNan(), 100, 101, 102, 103));
  ASSERT_EQ(result.values.size(), 2U);
  EXPECT_EQ(result.values[0].name, "both");
  EXPECT_EQ(result.values[0].value, 103);
  EXPECT_EQ(result.values[0].time, 4s);
}

// Replaces its ticker at 2.5 s by another one that is coupled to the same
// output.
class Changer : public devs::Atomic<Changer> {
 public:
  struct State {
    bool is_done = false;
  };

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.is_done ? devs::kPassive : 2500ms;
  }

  void Internal(State& s, devs::Structure& structure) const {
    s.is_done = true;
    structure.Remove(*structure.around().FindPart("ticker"));
    auto& other = structure.Add<Ticker>("other", 500, 1s);
    structure.Couple(other.out, *structure.around().FindPort("out"));
  }
};

struct Changing : devs::Coupled {
  devs::Out<std::int64_t> out{this, "out"};

  Changing() : Coupled("changing") {
    auto& ticker = Add<Ticker>("ticker", 0, 1s);
    Add<Changer>("changer");
    Couple(ticker.out, out);
  }
};

TEST(DevsRunTest, OutputsFollowAChangedStructure) {
  DevsRunOptions options;
  options.stop = 5s;
  options.records_outputs = true;
  const DevsRunResult result =
      DevsRun(DevsModel::Of<Changing>("Changing"), options).Run();
  EXPECT_THAT(ValuesOf(result.outputs, "out"),
              ElementsAre(testing::IsNan(), 0, 1, 500, 501, 501));
  EXPECT_THAT(std::vector<double>(result.outputs.time().begin(),
                                  result.outputs.time().end()),
              ElementsAre(0, 1, 2, 3.5, 4.5, 5));
}

struct NeverDue : devs::Coupled {
  NeverDue() : Coupled("never") { Add<devs::Sink<>>("sink"); }

  void Results(const devs::Simulator&, Record& results) const {
    results.Add("next", devs::kPassive);
  }
};

TEST(DevsRunTest, AResultThatNeverComesIsInfinite) {
  const DevsRunResult result =
      DevsRun(DevsModel::Of<NeverDue>("NeverDue"), {.stop = 1s}).Run();
  ASSERT_EQ(result.values.size(), 1U);
  EXPECT_EQ(result.values[0].value, HUGE_VAL);
}

TEST(DevsRunTest, TheObserverEndsARun) {
  DevsRunOptions options;
  options.stop = 1000s;
  int calls = 0;
  const DevsRunResult result =
      DevsRun(DevsModel::Of<TwoSources>("TwoSources"), options)
          .Run([&](Duration, std::optional<Duration> stop) {
            EXPECT_EQ(stop, 1000s);
            return ++calls < 3;
          });
  EXPECT_EQ(result.outcome, DevsOutcome::kInterrupted);
  EXPECT_EQ(result.message, "interrupted at t = 128 s");
  EXPECT_EQ(result.end, 128s);
}

struct Throwing : devs::Coupled {
  explicit Throwing(Parameters& p) {
    const std::string how = p.Get("how", "error", "It throws");
    if (how == "error") {
      Add<devs::Server<>>("server", 1s, 0);
    } else if (how == "number") {
      throw 3;
    }
    Add<devs::Sink<>>("sink");
  }

  void Results(const devs::Simulator&, Record&) const {
    throw std::runtime_error("nothing came");
  }
};

TEST(DevsRunTest, WhatAModelThrowsIsToldWithItsName) {
  const auto message = [](const char* how) -> std::string {
    try {
      static_cast<void>(
          DevsRun(DevsModel::Of<Throwing>("Throwing"),
                  {.settings = {{.name = "how", .value = how}}, .stop = 1s})
              .Run());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidModel);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("error"),
            "cannot make model Throwing: cannot make a server: it has 0 units; "
            "give 1 or more");
  EXPECT_EQ(message("number"),
            "cannot make model Throwing: it throws what is no std::exception; "
            "throw one of these");
  EXPECT_EQ(message("later"),
            "cannot tell the results of Throwing: nothing came");
}

// Adds up the times of its inputs.
struct Adding : devs::Atomic<Adding> {
  struct State {
    Duration sum{};
  };

  devs::In<Duration> wait{this, "wait"};

  explicit Adding(Parameters& /*p*/) {}

  void External(State& s, Duration /*elapsed*/, const devs::Bag& x) const {
    for (const Duration time : x[wait]) {
      s.sum += time;
    }
  }

  void Results(const devs::Simulator& run, Record& results) const {
    results.Add("sum_s", Seconds(run.state(*this).sum).value);
  }
};

DevsRunResult RunWithWaits(const std::string& unit) {
  DevsRunOptions options{.stop = 5s};
  options.inputs = std::make_shared<const Table>(
      "waits.csv",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {1, 2}},
          {.name = "wait", .unit = unit, .values = {0.5, 2}}});
  return DevsRun(DevsModel::Of<Adding>("Adding"), options).Run();
}

TEST(DevsRunTest, InputsOfTimesAreConvertedToSeconds) {
  EXPECT_EQ(RunWithWaits("").values.at(0).value, 2.5);
  EXPECT_EQ(RunWithWaits("min").values.at(0).value, 150);
}

TEST(DevsRunTest, InputsOfTimesInAnotherUnitAreRefused) {
  try {
    static_cast<void>(RunWithWaits("m"));
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot take 'wait [m]' of waits.csv as a quantity in s: its "
                 "unit is none of that kind; write the right one in its "
                 "header, or none");
  }
}

TEST(DevsRunTest, WrongUsesAreTold) {
  const DevsModel model = DevsModel::Of<TwoSources>("TwoSources");
  const auto message = [](auto use) -> std::string {
    try {
      use();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] {
              DevsRun run(model, {.stop = 1s});
              static_cast<void>(run.Run());
              static_cast<void>(run.Run());
            }),
            "cannot run TwoSources twice: a DevsRun is one run; make another");
  EXPECT_EQ(message([&] { DevsRun(model, {.stop = -1s}); }),
            "cannot stop at -1 s: the run starts at 0 s; give a later time");
}

TEST(DevsRunTest, EstimatesLeaveOutWhatDidNotComplete) {
  std::vector<DevsRunResult> runs(3);
  for (DevsRunResult& run : runs) {
    run.values.push_back({.name = "a", .value = 2, .time = {}});
  }
  runs[1].outcome = DevsOutcome::kFailed;
  runs[2].values.push_back({.name = "b", .value = 7, .time = {}});
  const auto estimates = EstimateValues(runs);
  ASSERT_EQ(estimates.size(), 2U);
  EXPECT_EQ(estimates[0].estimate.count, 2);
  EXPECT_EQ(estimates[1].name, "b");
  EXPECT_EQ(estimates[1].estimate.mean, 7);
}

}  // namespace
}  // namespace orrery
