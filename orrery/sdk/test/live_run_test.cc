// Runs with a partner outside, with and without a clock.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/manual_clock.h"
#include "orrery/base/text/number_text.h"
#include "orrery/devs/library.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/live/live_devs.h"
#include "orrery/sdk/live/live_equations.h"
#include "orrery/sdk/live/live_pace.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/test/hybrid_blocks.h"
#include "orrery/sdk/test/live_refusal.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

// x' = -k x + u from 1, and a clock.
std::shared_ptr<const Program> LivePlant() {
  static const auto program = CompileText(R"(
model Plant
  parameter Real k = 1;
  input Real u(start = 0);
  output Real x(start = 1, fixed = true);
  discrete Real seen(start = 0, fixed = true);
equation
  der(x) = -k*x + u;
  when sample(0.25, 0.25) then
    seen = x;
  end when;
end Plant;
)");
  return program;
}

bool IsSame(const RunResult& a, const RunResult& b) {
  if (a.trajectory.rows() != b.trajectory.rows()) {
    return false;
  }
  for (const SignalInfo& signal : a.trajectory.signals()) {
    if (a[signal.name].values() != b[signal.name].values()) {
      return false;
    }
  }
  return true;
}

std::string WhyNotLive(const LiveEquations::Options& options) {
  try {
    const LiveEquations run(LivePlant(), {.stop = 1}, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "it can be made";
}

TEST(LiveRunTest, GoesFromPeriodToPeriodUpToTheStopTime) {
  LiveEquations run(LivePlant(), {.stop = 1}, {.period = 0.3, .shown = {}});
  std::vector<double> times = {run.t()};
  while (!run.has_ended()) {
    run.GoOn();
    times.push_back(run.t());
  }
  EXPECT_THAT(times, ElementsAre(0, 0.3, 0.6, 0.9, 1));
  EXPECT_NEAR(run["x"], std::exp(-1.0), 1e-5);
  EXPECT_EQ(run.Finish().summary.outcome, RunOutcome::kCompleted);
}

TEST(LiveRunTest, ShowsTheOutputsAfterWhatHappensAtATime) {
  LiveEquations run(
      LivePlant(), {.stop = 1}, {.period = 0.25, .shown = {"x", "s*"}});
  EXPECT_THAT(run.names(), ElementsAre("x", "seen"));
  run.GoOn();
  const LiveRow row = run.TakeRows().at(0);
  EXPECT_EQ(row.time, 0.25);
  EXPECT_EQ(row.values[1].value, row.values[0].value);
  EXPECT_THAT(LiveEquations(LivePlant(), {}, {.period = 1}).names(),
              ElementsAre("x"));
}

TEST(LiveRunTest, ControllerOutsideHoldsAPlant) {
  LiveEquations run(LivePlant(), {.stop = 20}, {.period = 0.1, .shown = {}});
  double integral = 0;
  while (!run.has_ended()) {
    const double error = 3 - run["x"];
    integral += 0.1 * error;
    run.Set({{"u", 2 * error + integral}});
    run.GoOn();
  }
  EXPECT_NEAR(run["x"], 3, 1e-3);
}

TEST(LiveRunTest, StoppedRunKnowsWhereItEnded) {
  LiveEquations run(LivePlant(), {.stop = 1}, {.period = 0.3, .shown = {}});
  run.GoOn();
  const RunResult result = run.Finish();
  EXPECT_EQ(run.record().end, 0.3);
  EXPECT_EQ(result.summary.end_time, 0.3);
}

TEST(LiveRunTest, DocumentKeepsWhatTheRunWasTold) {
  const RunDocument document{
      .file = "plant.mo",
      .live = LiveRecord{.period = 0.1,
                         .changes = {{.time = 0.1, .settings = {{"k", 2.5}}},
                                     {.time = 0.15, .settings = {}}},
                         .end = 0.7}};
  EXPECT_EQ(RunDocumentFromJson(ToJson(document)).live, document.live);
}

RC_GTEST_PROP(LiveRunTest, RepetitionIsTheSameToTheLastBit, ()) {
  const auto deeds =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 40));
  const SimulationOptions options{.stop = 2};
  LiveEquations run(LivePlant(), options, {.period = 0.07, .shown = {}});
  for (const int deed : deeds) {
    if (deed < 0) {
      run.Set({{deed % 2 == 0 ? "k" : "u", -0.1 * deed}});
    } else if (!run.has_ended()) {
      const double part = deed < 20 ? 1 : 0.025 * deed;
      run.GoOnTo(run.t() + part * (run.next_time() - run.t()));
    }
  }
  const RunResult first = run.Finish();
  LiveEquations again(LivePlant(), options, {.period = 0.07, .shown = {}});
  RC_ASSERT(Repeat(again, run.record()));
  RC_ASSERT(IsSame(first, again.Finish()));
}

TEST(LiveRunTest, WrongPeriodIsRefused) {
  EXPECT_EQ(WhyNotLive({.period = 0}),
            "cannot look at a run from 0 s to 1 s every 0 s; give a period "
            "above zero that is no rounding error beside that");
  EXPECT_THAT(WhyNotLive({.period = 1e-20}), HasSubstr("every 1e-20 s"));
}

TEST(LiveRunTest, PatternThatFitsNothingIsRefused) {
  EXPECT_EQ(WhyNotLive({.period = 1, .shown = {"sen"}}),
            "cannot show 'sen': model Plant has no such quantity; did you mean "
            "'seen'?");
}

// DEVS ------------------------------------------------------------------------

// Sends each input, and its negative, a second later; sends 1 after ten seconds
// without an input.
class Echo : public devs::Atomic<Echo> {
 public:
  struct State {
    std::int64_t value = 1;
    Duration sigma = seconds(10);
  };

  devs::In<std::int64_t> in{this, "in"};
  devs::In<devs::Job> job{this, "job"};
  devs::Out<std::int64_t> out{this, "out"};

  explicit Echo(Parameters& p) { p.Get("size", 1, "Size"); }

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(out, s.value);
    y.Send(out, -s.value);
  }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration, const devs::Bag& x) const {
    s = {.value = x[in].front(), .sigma = seconds(1)};
    if (s.value == 13) {
      throw std::runtime_error("13 brings bad luck");
    }
  }
};

// A run of 25 s.
class LiveDevsTest : public testing::Test {
 protected:
  static DevsRunOptions Options() {
    return {.stop = seconds(25), .records_outputs = true};
  }

  const DevsModel model_ = DevsModel::Of<Echo>("Echo");
  DevsRun run_{model_, Options()};
  LiveDevs live_{run_};
};

// `time: value`
std::vector<std::string> RowTexts(LiveRun& run) {
  std::vector<std::string> texts;
  for (const LiveRow& row : run.TakeRows()) {
    texts.push_back(
        ShortestText(row.time) + ": " +
        std::to_string(std::get<std::int64_t>(row.values.at(0).value)));
  }
  return texts;
}

TEST_F(LiveDevsTest, EachMessageThatLeavesIsARow) {
  EXPECT_THAT(live_.TakeRows(), testing::IsEmpty());
  EXPECT_EQ(live_.next_time(), 10);
  live_.GoOn();
  EXPECT_THAT(RowTexts(live_), ElementsAre("10: 1", "10: -1"));
  EXPECT_EQ(std::get<std::int64_t>(live_.Values({}).at(0).value), -1);
}

TEST_F(LiveDevsTest, MessageComesInBetweenTwoEvents) {
  live_.GoOnTo(3);
  live_.Set({{"in", 5}});
  EXPECT_EQ(live_.next_time(), 4);
  while (!live_.has_ended()) {
    live_.GoOn();
  }
  EXPECT_THAT(
      RowTexts(live_),
      ElementsAre("4: 5", "4: -5", "14: 1", "14: -1", "24: 1", "24: -1"));
  EXPECT_THAT(live_.record().changes,
              ElementsAre(LiveChange{.time = 3, .settings = {{"in", 5}}}));
  EXPECT_EQ(live_.Finish().end, seconds(25));
}

TEST_F(LiveDevsTest, MessageComesWhenTheClockShowsIt) {
  ManualClock clock{seconds(100)};
  LivePace pace(live_, clock, {.factor = 2});
  std::vector<Duration> told;
  clock.At(milliseconds(100250), [&] {
    pace.Post([](LiveRun& run) { run.Set({{"in", 5}}); });
  });
  clock.At(milliseconds(104000), [&] { pace.Stop(); });
  pace.RunToEnd([&](LiveRun& run) {
    if (!run.TakeRows().empty()) {
      told.push_back(clock.now());
    }
  });
  EXPECT_EQ(live_.record().changes.at(0).time, 0.125);
  EXPECT_THAT(told, ElementsAre(milliseconds(102250)));
  EXPECT_EQ(pace.report().late, 0);
}

TEST_F(LiveDevsTest, PauseHoldsTheRunBetweenTwoEvents) {
  ManualClock clock{seconds(100)};
  LivePace pace(live_, clock, {});
  clock.At(seconds(104), [&] { pace.Pause(); });
  clock.At(seconds(150), [&] {
    pace.Post([](LiveRun& run) { run.Set({{"in", 5}}); });
  });
  clock.At(seconds(160), [&] { pace.Resume(); });
  pace.RunToEnd([](LiveRun&) {});
  EXPECT_EQ(live_.record().changes.at(0).time, 4);
  EXPECT_EQ(clock.now(), seconds(160 + 21));
  EXPECT_THAT(
      RowTexts(live_),
      ElementsAre("5: 5", "5: -5", "15: 1", "15: -1", "25: 1", "25: -1"));
}

TEST_F(LiveDevsTest, StrictPaceFailsBeforeWhatIsLate) {
  ManualClock clock{seconds(100)};
  LivePace pace(live_, clock, {.strict = true});
  pace.Post([&](LiveRun&) { clock.Work(milliseconds(10'020)); });
  EXPECT_THROW(pace.RunToEnd([](LiveRun&) {}), Error);
  EXPECT_THAT(live_.TakeRows(), testing::IsEmpty());
  EXPECT_EQ(live_.Interrupt("late").outcome, RunEnd::kInterrupted);
}

TEST_F(LiveDevsTest, ModelThatFailsKeepsWhatWasReached) {
  live_.GoOn();
  live_.GoOnTo(10.5);
  live_.Set({{"in", 13}});
  EXPECT_TRUE(live_.has_ended());
  const DevsRunResult result = live_.Finish();
  EXPECT_EQ(result.outcome, RunEnd::kFailed);
  EXPECT_THAT(result.message, HasSubstr("13 brings bad luck"));
  EXPECT_EQ(result.outputs["out"].final(), -1);
}

RC_GTEST_FIXTURE_PROP(LiveDevsTest, RepetitionIsTheSameToTheLastBit, ()) {
  const auto deeds =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(-9, 40));
  for (const int deed : deeds) {
    if (deed < 0) {
      live_.Set({{"in", static_cast<double>(deed)}});
    } else if (!live_.has_ended()) {
      live_.GoOnTo(std::min(live_.t() + deed / 7.0, live_.next_time()));
    }
  }
  const DevsRunResult was = live_.Finish();
  DevsRun run(model_, Options());
  LiveDevs again(run);
  RC_ASSERT(Repeat(again, live_.record()));
  const DevsRunResult is = again.Finish();
  RC_ASSERT(is.end == was.end);
  RC_ASSERT(is.statistics == was.statistics);
  RC_ASSERT(std::ranges::equal(is.outputs.time(), was.outputs.time()));
}

TEST_F(LiveDevsTest, WhatCannotBeSetIsRefused) {
  EXPECT_EQ(WhyNotSet(live_, {"inn", 1}),
            "cannot set 'inn': model Echo has no such input; known: in, job");
  EXPECT_EQ(WhyNotSet(live_, {"out", 1}),
            "cannot set 'out': it is an output of model Echo; set an input");
  EXPECT_EQ(WhyNotSet(live_, {"size", 1}),
            "cannot set 'size': the model is made with this parameter; set it "
            "before the run");
  EXPECT_EQ(WhyNotSet(live_, {"job", 1}),
            "cannot set 'job': the messages at this input are no numbers; let "
            "the model make them of numbers");
  EXPECT_EQ(WhyNotSet(live_, {"in", 1.5}),
            "cannot set 'in' to 1.5: it takes a whole number that its type can "
            "hold");
  EXPECT_THAT(live_.record().changes, testing::IsEmpty());
}

TEST_F(LiveDevsTest, WhatCannotBeShownIsRefused) {
  const auto why_not = [&](const std::function<void()>& show) {
    try {
      show();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("it can be shown");
  };
  EXPECT_EQ(why_not([&] {
              static_cast<void>(live_.Values(std::vector<std::string>{"ou"}));
            }),
            "cannot show 'ou': nothing of this name has left model Echo; did "
            "you mean 'out'?");
  EXPECT_EQ(why_not([&] {
              DevsRun run(model_, Options());
              LiveDevs(run, std::vector<std::string>{"outt"});
            }),
            "cannot show 'outt': model Echo has no such quantity; did you mean "
            "'out'?");
}

// Paced -----------------------------------------------------------------------

// A run of one second at half the pace, with outputs every 100 ms.
class LivePaceTest : public testing::Test {
 protected:
  LivePace::End Run() {
    return pace_.RunToEnd([this](LiveRun& run) {
      times_.push_back(run.t());
      clock_times_.push_back(clock_.now());
    });
  }

  ManualClock clock_{seconds(100)};
  LiveEquations run_{LivePlant(), {.stop = 0.4}, {.period = 0.1, .shown = {}}};
  LivePace pace_{run_, clock_, {.factor = 2}};
  std::vector<double> times_;
  std::vector<Duration> clock_times_;
};

TEST_F(LivePaceTest, IsSeenAtItsWallTimes) {
  EXPECT_EQ(Run(), LivePace::End::kReached);
  EXPECT_THAT(times_, ElementsAre(0, 0.1, 0.2, 0.3, 0.4));
  EXPECT_THAT(clock_times_,
              ElementsAre(seconds(100),
                          milliseconds(100200),
                          milliseconds(100400),
                          milliseconds(100600),
                          milliseconds(100800)));
  EXPECT_EQ(pace_.report(), LagReport{.instants = 5});
}

TEST_F(LivePaceTest, WhatIsPostedIsDoneAtTheNextPeriod) {
  clock_.At(milliseconds(100250), [this] {
    pace_.Post([](LiveRun& run) { run.Set({{"u", 5}}); });
  });
  Run();
  EXPECT_THAT(run_.record().changes,
              ElementsAre(LiveChange{.time = 0.2, .settings = {{"u", 5}}}));
  EXPECT_EQ(pace_.report().injections, 1);
}

TEST_F(LivePaceTest, WhatIsPostedForATimeIsDoneThen) {
  pace_.Post([](LiveRun& run) { run.Set({{"u", 5}}); }, 0.25);
  Run();
  EXPECT_THAT(run_.record().changes,
              ElementsAre(LiveChange{.time = 0.25, .settings = {}},
                          LiveChange{.time = 0.25, .settings = {{"u", 5}}}));
  EXPECT_EQ(times_.at(3), 0.25);
}

TEST_F(LivePaceTest, PauseHoldsTheRunAndTakesRequests) {
  clock_.At(milliseconds(100250), [this] { pace_.Pause(); });
  clock_.At(milliseconds(105000), [this] {
    pace_.Post([](LiveRun& run) { run.Set({{"u", 5}}); });
  });
  clock_.At(milliseconds(110000), [this] { pace_.Resume(); });
  Run();
  EXPECT_EQ(run_.record().changes.at(0).time, 0.2);
  EXPECT_EQ(clock_times_.at(2), milliseconds(110000));
  EXPECT_EQ(clock_times_.back(), milliseconds(110400));
  EXPECT_EQ(pace_.report().late, 0);
}

// There is no partner left who could end a pause, so that none begins.
TEST_F(LivePaceTest, WhoIsLetGoIsPausedNoMore) {
  clock_.At(milliseconds(100250), [this] {
    pace_.Post([this](LiveRun&) { pace_.Pause(); });
    pace_.Post([this](LiveRun&) { pace_.LetGo(); });
    pace_.Post([this](LiveRun&) { pace_.Pause(); }, 0.3);
  });
  EXPECT_EQ(Run(), LivePace::End::kReached);
  EXPECT_THAT(times_, ElementsAre(0, 0.1, 0.2, 0.3, 0.4));
}

TEST_F(LivePaceTest, PauseThatIsPostedHoldsTheRunWhereItIs) {
  clock_.At(milliseconds(100250), [this] {
    pace_.Post([this](LiveRun&) {
      clock_.Work(milliseconds(5));
      pace_.Pause();
    });
  });
  clock_.At(milliseconds(110000), [this] { pace_.Resume(); });
  Run();
  EXPECT_THAT(times_, ElementsAre(0, 0.1, 0.2, 0.3, 0.4));
  EXPECT_THAT(run_.record().changes, testing::IsEmpty());
}

TEST_F(LivePaceTest, GoesFasterFromNowOn) {
  clock_.At(milliseconds(100400), [this] { pace_.SetFactor(0.5); });
  Run();
  EXPECT_EQ(clock_times_.at(2), milliseconds(100400));
  EXPECT_EQ(clock_times_.back(), milliseconds(100500));
}

TEST_F(LivePaceTest, StopsWhereItIs) {
  clock_.At(milliseconds(100250), [this] { pace_.Stop(); });
  EXPECT_EQ(Run(), LivePace::End::kStopped);
  EXPECT_EQ(run_.t(), 0.2);
  EXPECT_EQ(clock_.now(), milliseconds(100250));
}

TEST_F(LivePaceTest, IsGivenUpWithinATenthOfASecond) {
  const auto end = pace_.RunToEnd(
      [](LiveRun&) {}, [this] { return clock_.now() < milliseconds(100250); });
  EXPECT_EQ(end, LivePace::End::kGivenUp);
  EXPECT_LE(clock_.now(), milliseconds(100350));
  EXPECT_EQ(run_.Interrupt().summary.outcome, RunOutcome::kInterrupted);
  EXPECT_EQ(run_.record().end, 0.2);
}

TEST_F(LivePaceTest, LagIsTheWorkThatDidNotFitIntoAPeriod) {
  pace_.Post([this](LiveRun&) { clock_.Work(milliseconds(250)); });
  Run();
  EXPECT_EQ(pace_.report(),
            (LagReport{.instants = 5,
                       .late = 1,
                       .max = milliseconds(50),
                       .max_at = milliseconds(100),
                       .mean = milliseconds(10),
                       .injections = 1}));
}

TEST_F(LivePaceTest, StrictPaceFailsWhereItIsLate) {
  LivePace strict(run_, clock_, {.max_lag = milliseconds(1), .strict = true});
  strict.Post([this](LiveRun&) { clock_.Work(milliseconds(250)); });
  try {
    strict.RunToEnd([](LiveRun&) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot keep pace with the clock in Plant at t = 0.1 s: it is "
                 "0.15 s behind, and max_lag is 0.001 s; give a larger factor "
                 "or max_lag, or do not be strict");
  }
}

TEST_F(LivePaceTest, WrongFactorIsRefused) {
  EXPECT_THROW(LivePace(run_, clock_, {.factor = 0}), Error);
  EXPECT_THROW(pace_.SetFactor(-1), Error);
  EXPECT_EQ(pace_.factor(), 2);
}

}  // namespace
}  // namespace orrery
