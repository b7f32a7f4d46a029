// Runs that somebody outside has a part in, with and without a clock.

#include "orrery/sdk/live_run.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/test/manual_clock.h"
#include "orrery/sdk/live_pace.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/run_document.h"
#include "orrery/sdk/test/hybrid_blocks.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

// x' = -k x + u from 1, and a clock of its own.
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

std::string WhyNotLive(const LiveRun::Options& options) {
  try {
    const LiveRun run(LivePlant(), {.stop = 1}, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "it can be made";
}

TEST(LiveRunTest, GoesFromPeriodToPeriodUpToTheStopTime) {
  LiveRun run(LivePlant(), {.stop = 1}, {.period = 0.3, .shown = {}});
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
  LiveRun run(LivePlant(), {.stop = 1}, {.period = 0.25, .shown = {"x", "s*"}});
  EXPECT_THAT(run.names(), ElementsAre("x", "seen"));
  run.GoOn();
  EXPECT_EQ(run.values()[1], run.values()[0]);
  EXPECT_THAT(LiveRun(LivePlant(), {}, {.period = 1}).names(),
              ElementsAre("x"));
}

TEST(LiveRunTest, ControllerOutsideHoldsAPlant) {
  LiveRun run(LivePlant(), {.stop = 20}, {.period = 0.1, .shown = {}});
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
  LiveRun run(LivePlant(), {.stop = 1}, {.period = 0.3, .shown = {}});
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
  LiveRun run(LivePlant(), options, {.period = 0.07, .shown = {}});
  for (const int deed : deeds) {
    if (deed < 0) {
      run.Set({{deed % 2 == 0 ? "k" : "u", -0.1 * deed}});
    } else if (!run.has_ended()) {
      const double part = deed < 20 ? 1 : 0.025 * deed;
      run.GoOnTo(run.t() + part * (run.next_time() - run.t()));
    }
  }
  const RunResult first = run.Finish();
  RC_ASSERT(IsSame(first, Repeat(LivePlant(), options, run.record())));
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

// Paced
// ------------------------------------------------------------------------

// A run of one second at half the pace, seen every 100 ms.
class LivePaceTest : public testing::Test {
 protected:
  LivePace::End Run() {
    return pace_.RunToEnd([this](const LiveRun& run) {
      times_.push_back(run.t());
      clock_times_.push_back(clock_.now());
    });
  }

  ManualClock clock_{seconds(100)};
  LiveRun run_{LivePlant(), {.stop = 0.4}, {.period = 0.1, .shown = {}}};
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
  const auto end =
      pace_.RunToEnd([](const LiveRun&) {},
                     [this] { return clock_.now() < milliseconds(100250); });
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
    strict.RunToEnd([](const LiveRun&) {});
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
