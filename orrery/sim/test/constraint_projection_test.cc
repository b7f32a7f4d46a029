// Models whose states are bound by equations, none of which determines one and
// the same state at all times.

#include <cmath>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

constexpr double kGravity = 9.81;

// A mass on a rod, by its position in the plane.
std::shared_ptr<const Program> Pendulum(
    const std::string& starts,
    const std::string& more = "",
    const std::string& length = "parameter Real length = 1;") {
  return CompileBody(length +
                     "  Real x, y, vx, vy, f;\n"
                     "  Real energy = (vx^2 + vy^2)/2 + 9.81*y;\n"
                     "initial equation\n" +
                     starts +
                     "equation\n"
                     "  der(x) = vx; der(y) = vy;\n"
                     "  der(vx) = -f*x; der(vy) = -f*y - 9.81;\n"
                     "  x^2 + y^2 = length;\n" +
                     more);
}

RunResult RunPendulum(const std::shared_ptr<const Program>& program,
                      double stop,
                      Method method = Method::kAuto) {
  SimulationOptions options{.stop = stop, .method = method};
  // Over 48 radians CVODE's BDF method gathers 0.5 to 1.1 times 1e4 tolerances,
  // by the steps that it happens to take.
  options.tolerance = method == Method::kCvodeBdf ? 1e-10 : 1e-9;
  options.absolute_tolerance = 1e-11;
  if (method == Method::kRungeKutta4) {
    options.step = 1e-3;
  }
  return Simulate(program, options);
}

constexpr const char* kRound = "  x = 0; y = -1; vx = 7; vy = 0;\n";

class ConstraintMethodTest : public testing::TestWithParam<Method> {};

// A full circle: x = sin(phi), y = -cos(phi), phi'' = -g sin(phi).
TEST_P(ConstraintMethodTest, APendulumGoesRoundAsByItsAngle) {
  const RunResult by_angle =
      RunPendulum(CompileBody("  Real phi, w;\n"
                              "initial equation\n"
                              "  phi = 0; w = 7;\n"
                              "equation\n"
                              "  der(phi) = w; der(w) = -9.81*sin(phi);\n"),
                  10,
                  Method::kDormandPrince8);
  const double phi = by_angle["phi"].final();
  ASSERT_GT(phi, 48);
  const RunResult run = RunPendulum(Pendulum(kRound), 10, GetParam());
  EXPECT_NEAR(run["x"].final(), std::sin(phi), 1e-5);
  EXPECT_NEAR(run["y"].final(), -std::cos(phi), 1e-5);
  EXPECT_NEAR(run["energy"].final(), 24.5 - kGravity, 1e-5);
  EXPECT_NEAR(std::hypot(run["x"].final(), run["y"].final()), 1, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         ConstraintMethodTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kRosenbrock,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kIda,
                                         Method::kRungeKutta4));

class ConstraintTimeTest : public testing::TestWithParam<Method> {};

SimulationOptions ToOneHalf(Method method) {
  SimulationOptions options{.stop = 0.5, .method = method};
  options.tolerance = 1e-9;
  if (HasFixedStep(method)) {
    options.step = 1e-3;
  }
  return options;
}

// x2 = 1 - 2t.
TEST_P(ConstraintTimeTest, ConstraintsHoldAtTheTimeThatAStepHasReached) {
  const RunResult run =
      Simulate(CompileBody("Real x0, x2(start = 1), x3(start = 2), w;"
                           "equation x0 = x3 - x2 - time;"
                           "x0 = x2 + x3 - 2 + 3*time;"
                           "der(x3) = 2*x2 + x3 - 3 + 3*time; w = der(x2);"),
               ToOneHalf(GetParam()));
  EXPECT_NEAR(run["x2"].final(), 0, 1e-8);
}

// By the angle t, round a circle of radius 1 + t.
TEST(ConstraintProjectionTest, ACircleMayGrowWithTime) {
  const RunResult run =
      Simulate(CompileBody("Real x(start = 1, fixed = true), y(start = 0);"
                           "Real u, w, pull;"
                           "equation der(x) = u; der(y) = w;"
                           "x^2 + y^2 = (1 + time)^2;"
                           "u = -y + pull*x; w = x + pull*y;"),
               ToOneHalf(Method::kMidpoint));
  EXPECT_NEAR(run["x"].final(), 1.5 * std::cos(0.5), 1e-6);
  EXPECT_NEAR(run["y"].final(), 1.5 * std::sin(0.5), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         ConstraintTimeTest,
                         testing::Values(Method::kTaylor,
                                         Method::kMidpoint,
                                         Method::kRungeKutta4,
                                         Method::kDormandPrince5));

// IVP Test Set for Initial Value Problem Solvers (Mazzia and Magherini, 2008),
// II-14: index 3, as it is written there.
TEST(ConstraintProjectionTest, TheCarAxisEndsWhereTheTestSetSays) {
  const auto program = CompileBody(
      "  constant Real M=10, L=1, L0=0.5, g=1, k=1e-4*M/2;\n"
      "  Real xl(start=0, fixed=true), yl(start=0.5, fixed=true);\n"
      "  Real xr(start=1, fixed=true), yr(start=0.5, fixed=true);\n"
      "  Real ul(start=-0.5, fixed=true), vl(start=0, fixed=true);\n"
      "  Real ur(start=-0.5, fixed=true), vr(start=0, fixed=true);\n"
      "  Real l1, l2, yb, xb, ll, lr;\n"
      "equation\n"
      "  yb = 0.1*sin(10*time); xb = sqrt(L^2 - yb^2);\n"
      "  ll = sqrt(xl^2 + yl^2); lr = sqrt((xr - xb)^2 + (yr - yb)^2);\n"
      "  der(xl) = ul; der(yl) = vl; der(xr) = ur; der(yr) = vr;\n"
      "  k*der(ul) = (L0 - ll)*xl/ll + l1*xb + 2*l2*(xl - xr);\n"
      "  k*der(vl) = (L0 - ll)*yl/ll + l1*yb + 2*l2*(yl - yr) - k*g;\n"
      "  k*der(ur) = (L0 - lr)*(xr - xb)/lr - 2*l2*(xl - xr);\n"
      "  k*der(vr) = (L0 - lr)*(yr - yb)/lr - 2*l2*(yl - yr) - k*g;\n"
      "  xl*xb + yl*yb = 0;\n"
      "  (xl - xr)^2 + (yl - yr)^2 = L^2;\n");
  const RunResult run = Simulate(
      program, {.stop = 3, .tolerance = 1e-10, .absolute_tolerance = 1e-12});
  EXPECT_NEAR(run["xl"].final(), 0.4934557842755629e-1, 1e-9);
  EXPECT_NEAR(run["yl"].final(), 0.4969894602303324, 1e-9);
  EXPECT_NEAR(run["xr"].final(), 0.1041742524885400e1, 1e-9);
  EXPECT_NEAR(run["yr"].final(), 0.3739110272652214, 1e-9);
  EXPECT_NEAR(run["ul"].final(), -0.7705836840321485e-1, 1e-8);
  EXPECT_NEAR(run["vl"].final(), 0.7446866596327776e-2, 1e-8);
  EXPECT_NEAR(run["ur"].final(), 0.1755681574942899e-1, 1e-8);
  EXPECT_NEAR(run["vr"].final(), 0.7703410437794031, 1e-7);
  EXPECT_NEAR(run["l1"].final(), -0.4736886750784630e-2, 1e-9);
  EXPECT_NEAR(run["l2"].final(), -0.1104680411345730e-2, 1e-9);
}

// Neither der(phi) nor its derivative stands in the model.
TEST(ConstraintProjectionTest, AnAngleInALoopOfRodsNeedsNoDerivativeOfItsOwn) {
  const RunResult run =
      Simulate(CompileBody("Real th(start = 0.5, fixed = true);"
                           "Real w(start = 1, fixed = true);"
                           "Real x, v, pull, phi(start = 0.16);"
                           "Real gap = x - cos(th) - sqrt(9 - sin(th)^2);"
                           "Real energy = w^2/2 + v^2;"
                           "equation der(th) = w; der(x) = v;"
                           "x = cos(th) + 3*cos(phi); sin(th) = 3*sin(phi);"
                           "der(w) = pull*(sin(th) + cos(th)*tan(phi));"
                           "2*der(v) = pull;"),
               {.stop = 10, .tolerance = 1e-9, .absolute_tolerance = 1e-11});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_GT(run["th"].final(), 2 * 3.14159);
  EXPECT_NEAR(run["gap"].final(), 0, 1e-8);
  EXPECT_NEAR(
      run["phi"].final(), std::asin(std::sin(run["th"].final()) / 3), 1e-8);
  EXPECT_NEAR(run["energy"].final(), run["energy"][0], 1e-6);
}

TEST(ConstraintProjectionTest, SeveralAnglesMayBeInOneArray) {
  const auto program = CompileBody(
      "parameter Real a = 1, b = 3, c = 2.5, d = 3;"
      "Real t(start = 1, fixed = true), w(start = 1, fixed = true);"
      "Real u, angles[2](start = {0.5, 1.5}), pull[2];"
      "equation a*cos(t) + b*cos(angles[1]) = d + c*cos(angles[2]);"
      "a*sin(t) + b*sin(angles[1]) = c*sin(angles[2]);"
      "der(t) = w; der(angles[2]) = u;"
      "der(w) = a*sin(t)*pull[1] - a*cos(t)*pull[2];"
      "der(u) = -c*sin(angles[2])*pull[1] + c*cos(angles[2])*pull[2];"
      "0 = sin(angles[1])*pull[1] - cos(angles[1])*pull[2];");
  const RunResult run = Simulate(
      program, {.stop = 2, .tolerance = 1e-9, .absolute_tolerance = 1e-11});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const double t = run["t"].final();
  const double first = run["angles[1]"].final();
  const double second = run["angles[2]"].final();
  EXPECT_NEAR(
      std::cos(t) + 3 * std::cos(first), 3 + 2.5 * std::cos(second), 1e-8);
  EXPECT_NEAR(std::sin(t) + 3 * std::sin(first), 2.5 * std::sin(second), 1e-8);
  const auto energy_at = [&](std::size_t row) {
    return std::pow(run["w"][row], 2) + std::pow(run["u"][row], 2);
  };
  EXPECT_NEAR(energy_at(run.trajectory.rows() - 1), energy_at(0), 1e-6);
}

TEST(ConstraintProjectionTest, WhatIsSaidOfTheStartStaysAndTheRestFollows) {
  const RunResult run = RunPendulum(Pendulum("  x = 0.6; vx = 0.4;\n"
                                             "  y = -0.8;\n"),
                                    0.1);
  EXPECT_EQ(run["x"][0], 0.6);
  EXPECT_EQ(run["y"][0], -0.8);
  EXPECT_EQ(run["vx"][0], 0.4);
  EXPECT_NEAR(run["vy"][0], 0.3, 1e-12);
}

// y^3 + y = 0.4 and z^3 + z = 0.1; x is no state, for it follows from y and z.
TEST(ConstraintProjectionTest,
     AFixedStartHoldsWhereStatesMoveAlthoughItIsOfNone) {
  const auto program = CompileBody(
      "  Real x(start=0.5, fixed=true), y, z, a, f;\n"
      "equation\n"
      "  der(x) = f; der(y) = a; der(z) = f - z;\n"
      "  x + 2*(z^3 + z) - 0.3 = y^3 + y; x - (z^3 + z) = y^3 + y;\n");
  const RunResult run = Simulate(program, {.stop = 0.1});
  const double y = run["y"][0];
  const double z = run["z"][0];
  EXPECT_NEAR(run["x"][0], 0.5, 1e-12);
  EXPECT_NEAR(y * y * y + y, 0.4, 1e-9);
  EXPECT_NEAR(z * z * z + z, 0.1, 1e-9);
}

TEST(ConstraintProjectionTest, StartValuesMoveAsLittleAsItTakes) {
  const auto program = CompileBody(
      "  Real x(start=3), y(start=4), vx, vy, f;\n"
      "equation\n"
      "  der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y;\n"
      "  x^2 + y^2 = 24.9;\n");
  const RunResult run = Simulate(program, {.stop = 0.1});
  const double x = run["x"][0];
  const double y = run["y"][0];
  EXPECT_NEAR(x * x + y * y, 24.9, 1e-9);
  EXPECT_NEAR(std::hypot(x - 3, y - 4), 5 - std::sqrt(24.9), 1e-3);
}

TEST(ConstraintProjectionTest, FixedStartsThatContradictAreRefused) {
  const auto program = CompileBody(
      "  Real x(start=0.6, fixed=true), y(start=0.9, fixed=true);\n"
      "  Real vx, vy, f;\n"
      "equation\n"
      "  der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y;\n"
      "  x^2 + y^2 = 1;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_THAT(run.summary.message,
              HasSubstr("no start values obey x^2 + y^2 = 1"));
}

TEST(ConstraintProjectionTest, AReboundKeepsEnergyAndLength) {
  const RunResult run =
      RunPendulum(Pendulum("  x = 1; y = 0; vx = 0; vy = 0;\n",
                           "  when x < 0 then\n"
                           "    reinit(vx, -vx); reinit(vy, -vy);\n"
                           "  end when;\n"),
                  10);
  // A quarter of a period is K(sin(45 deg))/sqrt(g) = 0.592 s.
  EXPECT_EQ(run.summary.events, 8);
  EXPECT_GE(run["x"].min(), -1e-9);
  EXPECT_NEAR(run["energy"].final(), 0, 1e-6);
  EXPECT_NEAR(std::hypot(run["x"].final(), run["y"].final()), 1, 1e-9);
}

TEST(ConstraintProjectionTest, StatesFollowAConstraintThatAnEventMoves) {
  const RunResult run =
      RunPendulum(Pendulum("  x = 1; y = 0; vx = 0; vy = 0;\n",
                           "  when time > 1 then length = 1.21; end when;\n",
                           "discrete Real length(start = 1);"),
                  2);
  EXPECT_NEAR(std::hypot(run["x"].final(), run["y"].final()), 1.1, 1e-9);
}

TEST(ConstraintProjectionTest, ARunEndsWhereNoStatesObeyAnyMore) {
  const RunResult run =
      RunPendulum(Pendulum("  x = 1; y = 0; vx = 0; vy = 0;\n",
                           "  when time > 1 then length = -1; end when;\n",
                           "discrete Real length(start = 1);"),
                  2);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNoConvergence);
  EXPECT_THAT(run.summary.message,
              HasSubstr("the states left x^2 + y^2 = length at t = 1 s"));
  EXPECT_EQ(run.trajectory.time().back(), 1);
}

// Two rods, of which neither keeps its direction.
TEST(ConstraintProjectionTest, ADoublePendulumKeepsEnergy) {
  const auto program = CompileBody(
      "  Real x1(start=1), y1, x2(start=2), y2, u1, v1, u2, v2, f1, f2;\n"
      "  Real energy = (u1^2 + v1^2 + u2^2 + v2^2)/2 + 9.81*(y1 + y2);\n"
      "equation\n"
      "  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;\n"
      "  der(u1) = -f1*x1 + f2*(x2 - x1);\n"
      "  der(v1) = -f1*y1 + f2*(y2 - y1) - 9.81;\n"
      "  der(u2) = -f2*(x2 - x1); der(v2) = -f2*(y2 - y1) - 9.81;\n"
      "  x1^2 + y1^2 = 1; (x2 - x1)^2 + (y2 - y1)^2 = 1;\n");
  const RunResult run = RunPendulum(program, 10);
  EXPECT_NEAR(run["energy"].final(), 0, 1e-5);
  EXPECT_NEAR(std::hypot(run["x1"].final(), run["y1"].final()), 1, 1e-9);
}

// A direction by its cosines, as a quaternion: the angle is given, and the
// length follows.
TEST(ConstraintProjectionTest,
     AConstraintDeterminesWhatInitialValuesLeaveOpen) {
  const RunResult result =
      RunPendulum(CompileBody("  Real q[2](start = {0, 1});\n"
                              "  parameter Real r[2] = {0.6, 0.8};\n"
                              "initial equation\n"
                              "  0 = atan2(q[1]*r[2] - q[2]*r[1], q*r);\n"
                              "equation\n"
                              "  1 = q[2]*der(q[1]) - q[1]*der(q[2]);\n"
                              "  q*q = 1;\n"),
                  1);
  EXPECT_NEAR(result["q[1]"][0], 0.6, 1e-12);
  EXPECT_NEAR(result["q[2]"][0], 0.8, 1e-12);
  EXPECT_NEAR(result["q[1]"].final(), std::sin(std::asin(0.6) + 1), 1e-7);
}

// The initial equation's quantity follows from the states; it leaves no other
// state open.
TEST(ConstraintProjectionTest, WhatInitialValuesSayMayBeSaidOfOtherQuantities) {
  const RunResult result =
      RunPendulum(CompileBody("  Real q[2](start = {0, 1});\n"
                              "  Real angle, rate(start = 1, fixed = true);\n"
                              "  Real w;\n"
                              "initial equation\n"
                              "  angle = asin(0.6);\n"
                              "equation\n"
                              "  angle = atan2(q[1], q[2]);\n"
                              "  rate = w + angle - asin(0.6);\n"
                              "  der(w) = -0.5*w;\n"
                              "  w = q[2]*der(q[1]) - q[1]*der(q[2]);\n"
                              "  q*q = 1;\n"),
                  1);
  EXPECT_NEAR(result["q[1]"][0], 0.6, 1e-12);
  EXPECT_NEAR(result["q[2]"][0], 0.8, 1e-12);
  EXPECT_NEAR(result["w"][0], 1, 1e-12);
  EXPECT_NEAR(result["q[1]"].final(),
              std::sin(std::asin(0.6) + 2 * (1 - std::exp(-0.5))),
              1e-7);
}

}  // namespace
}  // namespace orrery
