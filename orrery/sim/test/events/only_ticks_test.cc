// Runs with clocks alone: their shorter path gives the results of the general
// one, bit for bit.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Adds a relation of time and a state: that takes the general path.
std::string WithAWatch(const std::string& declared,
                       const std::string& equations) {
  return declared + "Real watched(start = 0, fixed = true); Boolean late;" +
         equations + "der(watched) = 1; late = watched > 1e9;";
}

std::vector<double> ValuesAt(const RunResult& run,
                             const std::string& name,
                             const std::vector<double>& times) {
  std::vector<double> values;
  const auto& time = run.trajectory.time();
  for (const double t : times) {
    const auto last = std::ranges::upper_bound(time, t) - time.begin() - 1;
    values.push_back(run[name][static_cast<std::size_t>(last)]);
  }
  return values;
}

struct TickCase {
  const char* name;
  const char* declared;
  const char* equations;
};

class OnlyTicksTest : public testing::TestWithParam<TickCase> {};

TEST_P(OnlyTicksTest, GiveTheSameBitsAsBesideAWatchedRelation) {
  const SimulationOptions options{
      .stop = 73.3, .interval = 0.7, .record = {"x"}};
  const RunResult alone = Simulate(
      CompileBody(std::string(GetParam().declared) + GetParam().equations),
      options);
  const RunResult beside = Simulate(
      CompileBody(WithAWatch(GetParam().declared, GetParam().equations)),
      options);
  EXPECT_EQ(alone.summary.message, beside.summary.message);
  EXPECT_EQ(alone.events.size(), beside.events.size());
  for (std::size_t i = 0; i < alone.events.size(); ++i) {
    EXPECT_EQ(alone.events.entries()[i].t, beside.events.entries()[i].t);
  }
  const std::vector<double> times(alone.trajectory.time().begin(),
                                  alone.trajectory.time().end());
  EXPECT_EQ(ValuesAt(alone, "x", times), ValuesAt(beside, "x", times));
  EXPECT_EQ(alone["x"].final(), beside["x"].final());
}

INSTANTIATE_TEST_SUITE_P(
    Models,
    OnlyTicksTest,
    testing::Values(
        TickCase{"Sampled",
                 "Real x(start = 0, fixed = true); ",
                 "equation when sample(0, 0.1) then"
                 " x = 0.9*pre(x) + sin(time); end when;"},
        TickCase{"TwoPeriods",
                 "Real x(start = 0, fixed = true), y(start = 1, fixed = true);",
                 "equation when sample(0.05, 0.3) then y = cos(time)*pre(x) + "
                 "1; end when; when sample(0.05, 0.2) then x = pre(x)/2 + "
                 "pre(y); end when;"},
        TickCase{"Chained",
                 "Integer x(start = 0, fixed = true), n(start = 0, fixed = "
                 "true);",
                 "equation when sample(0, 0.25) then n = pre(n) + 1; end when;"
                 "when mod(n, 3) == 0 then x = pre(x) + 10*n; end when;"},
        TickCase{"Clocked",
                 "Real x(start = 0), u;",
                 "equation x = 0.5*previous(x) + u; u = sample(time, "
                 "Clock(0.15));"}),
    [](const auto& model) { return std::string(model.param.name); });

// Both limits of each tick that changes x, and one row of others.
TEST(OnlyTicksTest, LeaveBothLimitsWhereTheyShow) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true);"
                           "equation when sample(1, 1) then"
                           " x = if time < 2.5 then time else 2; end when;"),
               {.stop = 3.5, .interval = 3.5, .record = {"x"}});
  EXPECT_THAT(run.trajectory.time(), ElementsAre(0, 1, 1, 2, 2, 3, 3.5));
  EXPECT_THAT(run["x"].values(), ElementsAre(0, 0, 1, 1, 2, 2, 2));
}

TEST(OnlyTicksTest, EndAtTheTickOfTheStopTime) {
  const RunResult run =
      Simulate(CompileBody("Integer n(start = 0, fixed = true); equation"
                           " when sample(0, 0.1) then n = pre(n) + 1;"
                           " end when;"),
               {.stop = 1, .interval = 0.25});
  EXPECT_EQ(run["n"].final(), 11);
  EXPECT_EQ(run.events.size(), 11);
  EXPECT_EQ(run.summary.end_time, 1);
}

TEST(OnlyTicksTest, TellWhatIsNotFinite) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 1, fixed = true); equation"
                           " when sample(0, 0.1) then x = sqrt(pre(x) - 0.3);"
                           " end when;"),
               {.stop = 1, .interval = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_THAT(run.summary.message, HasSubstr("'x' is not a number"));
}

}  // namespace
}  // namespace orrery
