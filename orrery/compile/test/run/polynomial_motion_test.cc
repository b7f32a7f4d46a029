// Models that move as polynomials in time between events.

#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

std::optional<int> DegreeOfMotion(const std::string& body) {
  return CompileBody(body)->degree_of_motion;
}

constexpr const char* kElasticBall =
    "parameter Real g = 9.81; Real h(start = 1, fixed = true);"
    "Real v(start = 0, fixed = true);"
    "equation der(h) = v; der(v) = -g;"
    "when h < 0 then reinit(v, -pre(v)); end when;";

TEST(PolynomialMotionTest, WhatFallsMovesSo) {
  EXPECT_EQ(DegreeOfMotion(kElasticBall), 2);
}

TEST(PolynomialMotionTest, ProductsOfPolynomialsAreSome) {
  EXPECT_EQ(
      DegreeOfMotion("parameter Real a = 2; Real x(start = 1, fixed = true);"
                     "Real y(start = 0, fixed = true);"
                     "equation der(x) = a^2/3; der(y) = x*time - x*x/a;"),
      3);
}

TEST(PolynomialMotionTest, TheirDegreeIsFourAtMost) {
  const std::string body =
      "Real x1(start = 0, fixed = true); Real x2(start = 0, fixed = true);"
      "Real x3(start = 0, fixed = true); Real x4(start = 0, fixed = true);"
      "equation der(x1) = 1; der(x2) = x1; der(x3) = x2; der(x4) = x3";
  EXPECT_EQ(DegreeOfMotion(body + ";"), 4);
  EXPECT_EQ(DegreeOfMotion(body + "*time;"), std::nullopt);
}

TEST(PolynomialMotionTest, WhatDependsOnItselfDoesNot) {
  EXPECT_EQ(DegreeOfMotion("Real x(start = 1, fixed = true);"
                           "Real y(start = 0, fixed = true);"
                           "equation der(x) = y; der(y) = -x;"),
            std::nullopt);
}

TEST(PolynomialMotionTest, OtherFunctionsOfTimeAreNone) {
  for (const char* slope : {"sin(time)", "1/(1 + time)", "abs(time)"}) {
    EXPECT_EQ(
        DegreeOfMotion(
            std::string("Real x(start = 0, fixed = true); equation der(x) = ") +
            slope + ";"),
        std::nullopt)
        << slope;
  }
}

TEST(PolynomialMotionTest, AnInputMayBeAnything) {
  EXPECT_EQ(DegreeOfMotion("input Real u; Real x(start = 0, fixed = true); "
                           "equation der(x) = u;"),
            std::nullopt);
}

TEST(PolynomialMotionTest, OperandsOfRelationsCount) {
  const std::string body =
      "Real x(start = 0, fixed = true); discrete Real n(start = 0);"
      "equation der(x) = 1; when ";
  EXPECT_EQ(DegreeOfMotion(body + "x*x > 3 then n = pre(n) + 1; end when;"), 1);
  EXPECT_EQ(
      DegreeOfMotion(body + "sin(x) > 0.5 then n = pre(n) + 1; end when;"),
      std::nullopt);
}

TEST(PolynomialMotionTest, StepsAreAsLongAsFlights) {
  const double fall = std::sqrt(2 / 9.81);
  const RunResult run =
      Simulate(CompileBody(kElasticBall),
               {.stop = 40 * fall, .record = std::vector<std::string>{"h"}});
  ASSERT_EQ(run.events.size(), 20);
  EXPECT_LT(run.summary.steps, 30);
  for (std::size_t i = 0; i < 20; ++i) {
    const double expected = (2 * static_cast<double>(i) + 1) * fall;
    EXPECT_NEAR(run.events.entries()[i].t, expected, 1e-13 * expected);
  }
}

TEST(PolynomialMotionTest, RowsWithinLongStepsAreExact) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 0, fixed = true);"
                           "Real y(start = 0, fixed = true);"
                           "equation der(x) = 1; der(y) = 4*x*x*x;"),
               {.stop = 10, .interval = 0.1});
  ASSERT_EQ(run.trajectory.rows(), 101);
  EXPECT_LT(run.summary.steps, 20);
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double t = run.trajectory.time()[row];
    EXPECT_NEAR(run["y"][row], std::pow(t, 4), 1e-10) << t;
  }
}

TEST(PolynomialMotionTest, TheLongestStepThatIsAskedForHolds) {
  const RunResult run =
      Simulate(CompileBody(kElasticBall), {.stop = 0.4, .max_step = 0.01});
  EXPECT_GE(run.summary.steps, 40);
}

}  // namespace
}  // namespace orrery
