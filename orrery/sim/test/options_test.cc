#include "orrery/sim/types/options.h"

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {
namespace {

using std::chrono_literals::operator""s;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Program::Experiment kNothing{kNone, kNone, kNone, kNone};

std::string RefusalOf(const SimulationOptions& options) {
  try {
    static_cast<void>(Resolve(options, kNothing));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(OptionsTest, DefaultsFollowFromTheLengthOfTheRun) {
  const ResolvedOptions resolved = Resolve({.stop = 10s}, kNothing);
  EXPECT_EQ(resolved.start, 0);
  EXPECT_EQ(resolved.stop, 10);
  EXPECT_EQ(resolved.interval, 0.02);
  EXPECT_EQ(resolved.max_step, 0.2);
  EXPECT_EQ(resolved.tolerance, 1e-6);
  EXPECT_EQ(resolved.absolute_tolerance, 1e-9);
}

TEST(OptionsTest, ExperimentOfTheModelComesBeforeTheDefaults) {
  const Program::Experiment experiment{1, 3, 0.5, 1e-8};
  const ResolvedOptions all = Resolve({}, experiment);
  EXPECT_EQ(all.start, 1);
  EXPECT_EQ(all.stop, 3);
  EXPECT_EQ(all.interval, 0.5);
  EXPECT_EQ(all.tolerance, 1e-8);
  EXPECT_EQ(Resolve({.stop = 5}, experiment).stop, 5);
}

TEST(OptionsTest, StopFollowsTheStartByOneSecond) {
  EXPECT_EQ(Resolve({.start = 7}, kNothing).stop, 8);
}

TEST(OptionsTest, FixedStepMethodNeedsAStepAndOthersRefuseIt) {
  EXPECT_EQ(RefusalOf({.method = Method::kHeun}),
            "cannot simulate: the method heun has a fixed step and none is "
            "given; give the step (--step)");
  EXPECT_EQ(RefusalOf({.step = 0.1}),
            "cannot simulate: the method auto chooses its steps itself; leave "
            "out the step or take a fixed-step method such as rk4");
  EXPECT_EQ(RefusalOf({.method = Method::kHeun, .step = 0}),
            "cannot simulate: the step is 0; it must be a positive number");
}

TEST(OptionsTest, OptionsOutOfRangeAreRefusedByName) {
  EXPECT_EQ(RefusalOf({.start = 2, .stop = 1}),
            "cannot simulate: the stop time, 1 s, is before the start time, "
            "2 s");
  EXPECT_EQ(RefusalOf({.tolerance = 0}),
            "cannot simulate: the relative tolerance is 0; it must be between "
            "0 and 1");
  EXPECT_EQ(RefusalOf({.absolute_tolerance = -1}),
            "cannot simulate: the absolute tolerance is -1; it must be a "
            "positive number");
  EXPECT_EQ(RefusalOf({.absolute_tolerance = 1e-101}),
            "cannot simulate: the absolute tolerance is 1e-101; the least that "
            "errors can be measured by is 1e-100");
  EXPECT_EQ(RefusalOf({.absolute_tolerance = 1e308}),
            "cannot simulate: the absolute tolerance is 1e+308; the most that "
            "errors can be measured by is 1e+100");
  EXPECT_EQ(RefusalOf({.stop = kNone}),
            "cannot simulate: the run is from 0 to nan s; both must be finite");
  EXPECT_EQ(RefusalOf({.stop = 1e9, .interval = 1e-3}),
            "cannot simulate: an interval of 0.001 s makes 1e+12 rows; the "
            "limit is 1e+09");
  EXPECT_EQ(RefusalOf({.interval = -1}),
            "cannot simulate: the interval is -1; it must be a positive "
            "number, or 0 for a row a step");
  EXPECT_EQ(RefusalOf({.max_consecutive_events = 0}),
            "cannot simulate: the limit on consecutive events is 0; it must be "
            "positive");
}

TEST(OptionsTest, OutputTimesThatTheRunDoesNotComeToAreRefused) {
  const ResolvedOptions run = Resolve({.start = 1, .stop = 3}, kNothing);
  EXPECT_NO_THROW(CheckOutputTimes(std::vector<double>{3, 1, 2.5}, run));
  for (const double time : {0.5, 3.5, kNone}) {
    EXPECT_THAT(
        [&] {
          CheckOutputTimes(std::vector{2, time}, run);
        },
        testing::ThrowsMessage<Error>(
            "cannot simulate: a row is wanted at " + fmt::format("{}", time) +
            " s, and the run is from 1 to 3 s; leave that output time "
            "out, or run further"));
  }
}

TEST(OptionsTest, StepsThatDoNotMoveTheTimeAreRefused) {
  EXPECT_EQ(RefusalOf({.method = Method::kRungeKutta4, .step = 1e-300}),
            "cannot simulate: a step of 1e-300 s makes 1e+300 steps; the limit "
            "is 9.01e+15; take a longer one, or stop earlier");
  EXPECT_EQ(RefusalOf({.max_step = 1e-300}),
            "cannot simulate: a maximum step of 1e-300 s makes 1e+300 steps; "
            "the limit is 9.01e+15; take a longer one, or stop earlier");
}

TEST(OptionsTest, StepsOfWhichTheStopTimeTakesTooManyAreRefused) {
  const SimulationOptions options{
      .method = Method::kRungeKutta4, .step = 1e-3, .max_steps = 1000};
  const auto check = [&](double stop, const Program& program = Program()) {
    SimulationOptions longer = options;
    longer.stop = stop;
    CheckSteps(program, longer, Resolve(longer, kNothing));
  };
  EXPECT_NO_THROW(check(1));
  EXPECT_THAT([&] { check(2); },
              testing::ThrowsMessage<Error>(
                  "cannot simulate: a step of 0.001 s makes 2e+03 steps; the "
                  "limit is 1e+03; take a longer one, or stop earlier"));
  Program ends_itself;
  ends_itself.events.checks.push_back({.kind = Check::Kind::kTermination});
  EXPECT_NO_THROW(check(2, ends_itself));
}

}  // namespace
}  // namespace orrery
