// Sensitivities of states in constraints, after events that set states or move
// constraints, compared with central differences of runs.

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// A pendulum with an event that makes `resets`.
std::string PendulumWith(const std::string& resets) {
  return "parameter Real L = 1; parameter Real g = 9.81;"
         "parameter Real T = 0.3;"
         "Real x(start = 0.6, fixed = true), y(start = -0.8);"
         "Real vx(start = 0, fixed = true), vy, pull;"
         "equation der(x) = vx; der(y) = vy;"
         "der(vx) = -pull*x; der(vy) = -pull*y - g; x^2 + y^2 = L^2;" +
         resets;
}

std::string PendulumInSpaceWith(const std::string& resets) {
  return "parameter Real L = 1; parameter Real g = 9.81;"
         "parameter Real T = 0.3;"
         "Real x(start = 0.6, fixed = true), y(start = 0, fixed = true), z("
         "start = -0.8);"
         "Real vx(start = 0, fixed = true), vy(start = 0.5, fixed = true), vz;"
         "Real pull;"
         "equation der(x) = vx; der(y) = vy; der(z) = vz;"
         "der(vx) = -pull*x; der(vy) = -pull*y; der(vz) = -pull*z - g;"
         "x^2 + y^2 + z^2 = L^2;" +
         resets;
}

RunResult RunNear(const std::shared_ptr<const Program>& program,
                  std::vector<Setting> settings,
                  std::vector<std::string> names = {}) {
  return Simulate(program,
                  {.stop = 0.8,
                   .tolerance = 1e-11,
                   .absolute_tolerance = 1e-13,
                   .settings = std::move(settings),
                   .sensitivities = std::move(names)});
}

// Expects that all sensitivities at the end are differences of nearby runs.
void ExpectDifferences(const std::string& body,
                       const std::vector<std::string>& names,
                       const std::vector<std::string>& signals) {
  constexpr double kStep = 1e-4;
  const auto program = CompileBody(body);
  const RunResult run = RunNear(program, {}, names);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const RunResult plain = RunNear(program, {});
  for (const std::string& name : names) {
    const NameTable table(*program);
    const double value =
        program->initial_memory[ReferenceOf(*program, table.Get(name)).slot];
    const auto end_at = [&](double step) {
      RunResult beside =
          RunNear(program, {{.name = name, .value = value + step}});
      EXPECT_TRUE(beside.summary.completed()) << beside.summary.message;
      return beside;
    };
    const RunResult above = end_at(kStep);
    const RunResult below = end_at(-kStep);
    for (const std::string& signal : signals) {
      const double difference =
          (above[signal].final() - below[signal].final()) / (2 * kStep);
      EXPECT_NEAR(run[SensitivityName(signal, name)].final(), difference, 2e-5)
          << signal << " by " << name;
      EXPECT_NEAR(run[signal].final(), plain[signal].final(), 1e-8) << signal;
    }
  }
}

const std::vector<std::string> kPlanar = {"x", "y", "vx", "vy"};
const std::vector<std::string> kSpatial = {"x", "y", "z", "vx", "vy", "vz"};

// Without a return to the rod after steps x came to -0.1376 and its sensitivity
// to -65.70. The numbers are those of a run at a tolerance of 1e-11.
TEST(ConstraintSensitivityTest, LongRunsStayOnTheirConstraints) {
  SimulationOptions options{.stop = 100, .tolerance = 1e-6};
  options.settings = {{.name = "L", .value = 1.2},
                      {.name = "y", .value = -1},
                      {.name = "vx", .value = 0.1}};
  options.sensitivities = {"L"};
  const RunResult run = Simulate(CompileBody(PendulumWith("")), options);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].final(), -0.145544, 1e-4);
  EXPECT_NEAR(run["d(x)/d(L)"].final(), -66.0491, 0.02);
  EXPECT_NEAR(run["x"].final() * run["d(x)/d(L)"].final() +
                  run["y"].final() * run["d(y)/d(L)"].final(),
              1.2,
              1e-4);
}

// x^2 + y^2 = 1 holds at no other length.
TEST(ConstraintSensitivityTest, NumbersThatObeyForOneLengthAloneAreTold) {
  const auto program = CompileBody(
      PendulumWith("when time >= T then reinit(x, 0.6); reinit(y, -0.8);"
                   "reinit(vx, 0); reinit(vy, 0); end when;"));
  const RunResult by_length = RunNear(program, {}, {"L"});
  EXPECT_EQ(by_length.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_EQ(by_length.summary.message,
            "no states are left to move at t = 0.3 s so that x^2 + y^2 = L^2 "
            "goes on to hold where what is differentiated by changes");
  EXPECT_TRUE(RunNear(program, {}, {"g"}).summary.completed());
}

TEST(ConstraintSensitivityTest, NumbersThatObeyForOneLengthAloneLetOthersRun) {
  ExpectDifferences(
      PendulumWith("when time >= T then reinit(x, 0.6); reinit(y, -0.8);"
                   "reinit(vx, 0); reinit(vy, 0); end when;"),
      {"g", "T"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, ExpressionsOfTheParameterStayExact) {
  ExpectDifferences(
      PendulumWith("when time >= T then reinit(x, 0.6*L); reinit(y, -0.8*L);"
                   "reinit(vx, 0.4*L); reinit(vy, 0.3*L); end when;"),
      {"L", "g", "T"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, APositionFollowsOneThatIsSet) {
  ExpectDifferences(
      PendulumWith("when time >= T then reinit(x, 0.5); end when;"),
      {"L", "g", "T"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, AVelocityFollowsOneThatIsSet) {
  ExpectDifferences(
      PendulumWith(
          "when time >= T then reinit(vx, -0.5*vx + 0.1*L); end when;"),
      {"L", "g", "T"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, AReboundNeedsNoMove) {
  ExpectDifferences(PendulumWith("when x < 0.1 then reinit(vx, -0.7*pre(vx));"
                                 "reinit(vy, -0.7*pre(vy)); end when;"),
                    {"L", "g"},
                    kPlanar);
}

TEST(ConstraintSensitivityTest, TheTimeOfAnEventMovesWithWhatSetsIt) {
  ExpectDifferences(
      PendulumWith("when x < 0.3*L then reinit(x, 0.2 + 0.5*y*y); end when;"),
      {"L", "g"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, TwoPositionsInSpaceGoToTheNearestPlace) {
  ExpectDifferences(
      PendulumInSpaceWith("when time >= T then reinit(x, 0.5); end when;"),
      {"L", "g", "T"},
      kSpatial);
}

TEST(ConstraintSensitivityTest, VelocitiesInSpaceGoToTheNearest) {
  ExpectDifferences(
      PendulumInSpaceWith("when z < -0.9*L then reinit(vx, 1 + y); end when;"),
      {"L", "g"},
      kSpatial);
}

TEST(ConstraintSensitivityTest, AConstraintMayMoveWithTime) {
  ExpectDifferences(
      "parameter Real w = 2; parameter Real T = 0.3;"
      "Real x(start = 0.6, fixed = true), y(start = -0.8);"
      "Real vx(start = 0, fixed = true), vy, pull;"
      "equation der(x) = vx; der(y) = vy;"
      "der(vx) = -pull*x; der(vy) = -pull*y - 9.81;"
      "x^2 + y^2 = (1 + 0.2*sin(w*time))^2;"
      "when time >= T then reinit(x, 0.5); end when;",
      {"w", "T"},
      kPlanar);
}

TEST(ConstraintSensitivityTest, AnEventMayMoveTheConstraint) {
  ExpectDifferences(
      "parameter Real p = 1.2; parameter Real T = 0.3; discrete Real L(start = "
      "1, fixed = true);"
      "Real x(start = 0.6, fixed = true), y(start = -0.8);"
      "Real vx(start = 0, fixed = true), vy, pull;"
      "equation der(x) = vx; der(y) = vy;"
      "der(vx) = -pull*x; der(vy) = -pull*y - 9.81; x^2 + y^2 = L^2;"
      "when time >= T then L = p; end when;",
      {"p", "T"},
      kPlanar);
}

// The values stay, but not along p.
TEST(ConstraintSensitivityTest, AnEventMayMoveTheConstraintToWhereItIs) {
  ExpectDifferences(
      "parameter Real p = 1; discrete Real L(start = 1, fixed = true);"
      "Real x(start = 0.6, fixed = true), y(start = -0.8);"
      "Real vx(start = 0, fixed = true), vy, pull;"
      "equation der(x) = vx; der(y) = vy;"
      "der(vx) = -pull*x; der(vy) = -pull*y - 9.81; x^2 + y^2 = L^2;"
      "when time >= 0.3 then L = p; end when;",
      {"p"},
      kPlanar);
}

}  // namespace
}  // namespace orrery
