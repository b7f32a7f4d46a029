#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/exchange/exchange_instance.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/model/diagram.h"
#include "orrery/model/flat_block.h"
#include "orrery/model/lower.h"
#include "orrery/results/table.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Program> ProgramOf(const std::vector<ZipEntry>& entries) {
  Diagnostics diagnostics;
  auto program = Compile(EquationsOf(FmuOf(entries)), diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

RunResult RunBall(SimulationOptions options) {
  return Simulate(ProgramOf(BallEntries()), options);
}

RunResult RunSwitch(SimulationOptions options) {
  return Simulate(ProgramOf(SwitchEntries()), options);
}

double Final(const RunResult& result, const std::string& name) {
  return result.trajectory[name].final();
}

// The ball: the time of the first fall from 1 m, and what follows from it.
const double kFall = std::sqrt(2 / 9.81);

TEST(ExchangeTest, AStateWithoutEventsIsIntegratedExactly) {
  const RunResult result = RunBall({.stop = 0.4, .tolerance = 1e-10});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(Final(result, "h"), 1 - 9.81 / 2 * 0.16, 1e-12);
  EXPECT_NEAR(Final(result, "v"), -9.81 * 0.4, 1e-12);
  EXPECT_NEAR(Final(result, "a"), -9.81, 1e-15);
  EXPECT_NEAR(Final(result, "energy"), 9.81, 1e-12);
}

TEST(ExchangeTest, EverySolverRunsIt) {
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kCvodeBdf,
                              Method::kCvodeAdams,
                              Method::kRosenbrock,
                              Method::kIda}) {
    const RunResult result = RunSwitch({.stop = 2,
                                        .tolerance = 1e-10,
                                        .absolute_tolerance = 1e-12,
                                        .method = method});
    ASSERT_TRUE(result.summary.completed())
        << NameOf(method).name << ": " << result.summary.message;
    EXPECT_NEAR(Final(result, "x"), 1 - std::exp(-2), 1e-8)
        << NameOf(method).name;
  }
}

TEST(ExchangeTest, BouncesAreAtTheTimesAtWhichTheBallFallsToZero) {
  const RunResult result = RunBall({.stop = 1.3, .tolerance = 1e-10});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  // Bounce k+1 is 2*0.7^k*kFall after bounce k.
  EXPECT_EQ(Final(result, "bounces"), 2);
  const double second = kFall * (1 + 2 * 0.7);
  const Signal v = result.trajectory["v"];
  const auto time = result.trajectory.time();
  std::vector<double> jumps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (time[i] == time[i - 1] && v[i] - v[i - 1] > 1) {
      jumps.push_back(time[i]);
    }
  }
  ASSERT_EQ(jumps.size(), 2U);
  EXPECT_NEAR(jumps[0], kFall, 1e-12);
  EXPECT_NEAR(jumps[1], second, 1e-11);
  const double s = 1.3 - second;
  EXPECT_NEAR(
      Final(result, "h"), 0.49 * 9.81 * kFall * s - 9.81 / 2 * s * s, 1e-10);
}

TEST(ExchangeTest, TimeEventsAreAtTheExactTimes) {
  const RunResult result = RunBall({.stop = 2});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(Final(result, "ticks"), 8);
  const Signal ticks = result.trajectory["ticks"];
  const auto time = result.trajectory.time();
  std::vector<double> times;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (ticks[i] != ticks[i - 1]) {
      times.push_back(time[i]);
    }
  }
  EXPECT_EQ(times,
            (std::vector<double>{0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2}));
}

TEST(ExchangeTest, AnFmuEndsTheRun) {
  const RunResult result =
      RunBall({.stop = 2, .settings = {{.name = "most", .value = 1}}});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kTerminated);
  EXPECT_THAT(result.summary.message, HasSubstr("Ball wants to end the run"));
  EXPECT_NEAR(result.summary.end_time, kFall, 1e-12);
}

TEST(ExchangeTest, ParametersAndExactStartsAreSet) {
  const RunResult result = RunBall({.stop = 0.5,
                                    .tolerance = 1e-10,
                                    .settings = {{.name = "g", .value = -2},
                                                 {.name = "h", .value = 3},
                                                 {.name = "v", .value = 4}}});
  EXPECT_NEAR(Final(result, "h"), 3 + 4 * 0.5 - 0.25, 1e-12);
  EXPECT_NEAR(Final(result, "v"), 3, 1e-12);
}

TEST(ExchangeTest, AStartThatTheFmuComputesIsTaken) {
  const RunResult result =
      RunSwitch({.stop = 1,
                 .tolerance = 1e-10,
                 .absolute_tolerance = 1e-12,
                 .settings = {{.name = "x_half", .value = 4}}});
  EXPECT_EQ(result.trajectory["x"][0], 8);
  EXPECT_NEAR(Final(result, "x"), 1 + 7 * std::exp(-1), 1e-9);
  EXPECT_EQ(Final(result, "also_x"), Final(result, "x"));
  EXPECT_EQ(Final(result, "rate"), 1 - Final(result, "x"));
}

TEST(ExchangeTest, AStepThatEndsAboveTheLimitMakesAnEvent) {
  const RunResult result =
      RunSwitch({.stop = 3,
                 .method = Method::kRungeKutta4,
                 .step = 0.125,
                 .settings = {{.name = "limit", .value = 0.5}}});
  // x passes 0.5 at 0.693; the step ends at 0.75.
  EXPECT_EQ(Final(result, "turns"), 1);
  const double at_turn = 1 - std::exp(-0.75);
  EXPECT_NEAR(Final(result, "x"), -1 + (at_turn + 1) * std::exp(-2.25), 1e-5);
}

TEST(ExchangeTest, InputsFollowATableAndDiscreteOnesJump) {
  const auto table = std::make_shared<const Table>(
      "in",
      std::vector<TableColumn>{
          {.name = "time", .unit = "s", .values = {0, 1, 1, 2}},
          {.name = "u", .unit = "", .values = {0, 1, 1, 2}},
          {.name = "gear", .unit = "", .values = {1, 1, 3, 3}}});
  const RunResult result = RunSwitch({.stop = 2,
                                      .tolerance = 1e-10,
                                      .absolute_tolerance = 1e-12,
                                      .inputs = table});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  // x' = gear*t - x: x = gear*(t - 1) + c*exp(-t), on either side of 1 s.
  const double at_one = std::exp(-1.0);
  EXPECT_NEAR(Final(result, "x"), 3 + at_one * std::exp(-1.0), 1e-8);
  EXPECT_NEAR(Final(result, "y"), Final(result, "x") + 4, 1e-12);
}

TEST(ExchangeTest, RunsOfOneProgramAreEqual) {
  const auto program = ProgramOf(BallEntries());
  const RunResult one = Simulate(program, {.stop = 2});
  const RunResult other = Simulate(program, {.stop = 2});
  EXPECT_EQ(Final(one, "h"), Final(other, "h"));
  EXPECT_EQ(one.trajectory.rows(), other.trajectory.rows());
}

TEST(ExchangeTest, AFailureTellsTheFunctionTheTimeAndTheMessages) {
  const RunResult result =
      RunBall({.stop = 2, .settings = {{.name = "fails_at", .value = 1}}});
  EXPECT_FALSE(result.summary.completed());
  EXPECT_THAT(result.summary.message,
              HasSubstr("fmi3GetContinuousStateDerivatives"));
  EXPECT_THAT(result.summary.message, HasSubstr("the ball is lost"));
  EXPECT_NEAR(result.summary.end_time, 1, 0.1);
}

TEST(ExchangeTest, ANextEventInThePastIsRefused) {
  const RunResult result =
      RunBall({.stop = 2, .settings = {{.name = "stands_still", .value = 1}}});
  EXPECT_FALSE(result.summary.completed());
  EXPECT_THAT(result.summary.message,
              HasSubstr("at t = 0.125 s, Ball says that its next event is at "
                        "0.125 s"));
}

TEST(ExchangeTest, InstancesLeaveNoFilesOpen) {
  const ExchangeModel model(FmuOf(BallEntries()), {}, {});
  const auto num_files = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = num_files();
  for (int i = 0; i < 2000; ++i) {
    static_cast<void>(model.MakeInstance());
  }
  EXPECT_EQ(num_files(), before);
}

TEST(ExchangeTest, WholeNumbersThatDoNotFitTheirTypeAreRefused) {
  const RunResult input =
      RunSwitch({.stop = 1, .settings = {{.name = "gear", .value = 3e9}}});
  EXPECT_FALSE(input.summary.completed());
  EXPECT_THAT(input.summary.message,
              HasSubstr("cannot give 'gear' of Switch the value 3000000000: it "
                        "takes whole numbers from -2147483648 to 2147483647"));
  const RunResult parameter =
      RunBall({.stop = 1, .settings = {{.name = "most", .value = 3e9}}});
  EXPECT_FALSE(parameter.summary.completed());
  EXPECT_THAT(Render(parameter.summary.diagnostics),
              HasSubstr("parameter 'most' is 3000000000, as set for this run, "
                        "above its maximum, 2147483647"));
}

TEST(ExchangeTest, AFixedParameterCannotBeSetInARun) {
  const ExchangeModel model(FmuOf(SwitchEntries()), {}, {});
  const auto made = model.MakeInstance();
  auto& instance = static_cast<ExchangeInstance&>(*made);
  std::vector<double> parameters =
      model.layout().parameters.Starts(model.description());
  const std::vector<double> gear = {1};
  const std::vector<double> x = {0};
  instance.Start(
      {.t = 0, .parameters = parameters, .x = x, .discrete_inputs = gear});
  const auto update = [&] {
    static_cast<void>(instance.UpdateDiscreteStates(
        {.t = 0, .x = x, .u = gear},
        {.discrete = gear, .tick_counts = {}, .parameters = parameters}));
  };
  parameters[0] = 2;  // k is tunable.
  update();
  parameters[1] = 2;  // T is fixed.
  EXPECT_THROW(
      {
        try {
          update();
        } catch (const CallFailure& failure) {
          EXPECT_STREQ(failure.what(),
                       "cannot set 'T' in a run: its variability is fixed; it "
                       "can be set before the run only");
          throw;
        }
      },
      CallFailure);
}

// x1' = u1 - x1, u1 = x2 + 2*u2 and the same with 1 and 2 exchanged: then
// x1 + x2 falls as exp(-2*t), and x1 - x2 as exp(-4/3*t).
TEST(ExchangeTest, TwoFmusInALoopAreSolvedTogether) {
  const auto flat =
      std::make_shared<const FlatModel>(EquationsOf(FmuOf(SwitchEntries())));
  Diagram pair("pair");
  auto& one = pair.Add<FlatBlock>("one", flat);
  auto& two = pair.Add<FlatBlock>("two", flat);
  pair.Connect(one["y"], two["u"]);
  pair.Connect(two["y"], one["u"]);
  Diagnostics diagnostics;
  const auto program = Compile(Lower(pair), diagnostics);
  diagnostics.ThrowIfErrors();

  const RunResult result =
      Simulate(program,
               {.stop = 1.5,
                .tolerance = 1e-10,
                .absolute_tolerance = 1e-12,
                .settings = {{.name = "one.x_half", .value = 1}}});

  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(Final(result, "one.x"), std::exp(-3.0) + std::exp(-2.0), 1e-8);
  EXPECT_NEAR(Final(result, "two.x"), std::exp(-3.0) - std::exp(-2.0), 1e-8);
}

}  // namespace
}  // namespace orrery::fmi
