// The problems that "auto" takes for stiff: no smooth one that moves as fast as
// its solution, at any tolerance, and all stiff ones.
//
// Problems: Hairer, Norsett & Wanner, Solving ODEs I, sections 0 and II.10;
// Hairer & Wanner, Solving ODEs II, IV.10; Mazzia & Magherini, Test Set for IVP
// Solvers.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

struct OdeCase {
  const char* name;
  const char* body;
  double stop;
};

void PrintTo(const OdeCase& problem, std::ostream* out) {
  *out << problem.name;
}

std::string NameOfProblem(const testing::TestParamInfo<OdeCase>& info) {
  return info.param.name;
}

class SmoothProblemTest : public testing::TestWithParam<OdeCase> {};

constexpr OdeCase kSmooth[] = {
    {"Pendulum",
     "Real a(start = 2, fixed = true), w(start = 0, fixed = true);"
     "equation der(a) = w; der(w) = -9.81*sin(a);",
     10},
    {"DoublePendulum",
     "Real a(start = 2, fixed = true), b(start = 1, fixed = true);"
     "Real p(start = 0, fixed = true), q(start = 0, fixed = true);"
     "Real d = 1/(1 + sin(a - b)^2), c = p*q*sin(a - b)*d;"
     "Real e = (p^2 + 2*q^2 - 2*p*q*cos(a - b))*sin(2*(a - b))*d^2/2;"
     "equation der(a) = (p - q*cos(a - b))*d;"
     "der(b) = (2*q - p*cos(a - b))*d;"
     "der(p) = -2*9.81*sin(a) - c + e; der(q) = -9.81*sin(b) + c - e;",
     10},
    {"Kepler",
     "parameter Real e = 0.6;"
     "Real x(start = 1 - e, fixed = true), y(start = 0, fixed = true);"
     "Real u(start = 0, fixed = true);"
     "Real v(start = sqrt((1 + e)/(1 - e)), fixed = true);"
     "Real r3 = (x^2 + y^2)^1.5;"
     "equation der(x) = u; der(y) = v; der(u) = -x/r3; der(v) = -y/r3;",
     20},
    {"EccentricKepler",
     "parameter Real e = 0.99;"
     "Real x(start = 1 - e, fixed = true), y(start = 0, fixed = true);"
     "Real u(start = 0, fixed = true);"
     "Real v(start = sqrt((1 + e)/(1 - e)), fixed = true);"
     "Real r3 = (x^2 + y^2)^1.5;"
     "equation der(x) = u; der(y) = v; der(u) = -x/r3; der(v) = -y/r3;",
     20},
    {"Lorenz",
     "Real x(start = -8, fixed = true), y(start = 8, fixed = true);"
     "Real z(start = 27, fixed = true);"
     "equation der(x) = 10*(y - x); der(y) = x*(28 - z) - y;"
     "der(z) = x*y - 8/3*z;",
     16},
    {"Arenstorf",
     "constant Real m = 0.012277471, n = 1 - m;"
     "Real x(start = 0.994, fixed = true), y(start = 0, fixed = true);"
     "Real u(start = 0, fixed = true);"
     "Real v(start = -2.00158510637908252240537862224, fixed = true);"
     "Real a = ((x + m)^2 + y^2)^1.5, b = ((x - n)^2 + y^2)^1.5;"
     "equation der(x) = u; der(y) = v;"
     "der(u) = x + 2*v - n*(x + m)/a - m*(x - n)/b;"
     "der(v) = y - 2*u - n*y/a - m*y/b;",
     17.0652165601579625588917206249},
    {"Pleiades",
     "parameter Real x0[7] = {3, 3, -1, -3, 2, -2, 2};"
     "parameter Real y0[7] = {3, -3, 2, 0, 0, -4, 4};"
     "parameter Real u0[7] = {0, 0, 0, 0, 0, 1.75, -1.5};"
     "parameter Real v0[7] = {0, 0, 0, -1.25, 1, 0, 0};"
     "Real x[7](start = x0, each fixed = true);"
     "Real y[7](start = y0, each fixed = true);"
     "Real u[7](start = u0, each fixed = true);"
     "Real v[7](start = v0, each fixed = true);"
     "equation der(x) = u; der(y) = v;"
     "for i in 1:7 loop"
     "  der(u[i]) = sum(if i == j then 0 else j*(x[j] - x[i])/"
     "((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in 1:7);"
     "  der(v[i]) = sum(if i == j then 0 else j*(y[j] - y[i])/"
     "((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in 1:7);"
     "end for;",
     3},
    {"VanDerPolMild",
     "Real x(start = 2, fixed = true), v(start = 0, fixed = true);"
     "equation der(x) = v; der(v) = (1 - x^2)*v - x;",
     20},
    {"LotkaVolterra",
     "Real x(start = 10, fixed = true), y(start = 5, fixed = true);"
     "equation der(x) = 1.1*x - 0.4*x*y; der(y) = 0.1*x*y - 0.4*y;",
     40},
    {"Duffing",
     "Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
     "equation der(x) = v;"
     "der(v) = -0.1*v - x^3 + 12*cos(time);",
     30},
    {"RigidBody",
     "Real a(start = 0, fixed = true), b(start = 1, fixed = true);"
     "Real c(start = 1, fixed = true);"
     "equation der(a) = b*c; der(b) = -a*c; der(c) = -0.51*a*b;",
     20},
    {"SmallPendulum",
     "Real a(start = 2e-4, fixed = true), w(start = 0, fixed = true);"
     "equation der(a) = w; der(w) = -9.81*sin(a);",
     10},
    {"LargeOrbit",
     "Real x(start = 7e6, fixed = true), y(start = 0, fixed = true);"
     "Real u(start = 0, fixed = true), v(start = 9e3, fixed = true);"
     "Real r3 = (x^2 + y^2)^1.5;"
     "equation der(x) = u; der(y) = v; der(u) = -3.986e14*x/r3;"
     "der(v) = -3.986e14*y/r3;",
     2e4},
    {"Logistic",
     "Real x(start = 1e-3, fixed = true); equation der(x) = x*(1 - x);",
     10},
};

TEST_P(SmoothProblemTest, IsLeftToTheExplicitMethodAtAnyTolerance) {
  const auto program = CompileBody(GetParam().body);
  for (int digits = 3; digits <= 13; ++digits) {
    const RunResult run = Simulate(program,
                                   {.stop = GetParam().stop,
                                    .tolerance = std::pow(10.0, -digits),
                                    .interval = GetParam().stop});
    EXPECT_EQ(run.summary.message, "");
    EXPECT_TRUE(run.summary.switches.empty())
        << "1e-" << digits << ": " << run.summary.switches.front().reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         SmoothProblemTest,
                         testing::ValuesIn(kSmooth),
                         NameOfProblem);

class StiffProblemTest : public testing::TestWithParam<OdeCase> {};

constexpr OdeCase kStiff[] = {
    {"VanDerPol",
     "parameter Real mu = 1000;"
     "Real x(start = 2, fixed = true), v(start = 0, fixed = true);"
     "equation der(x) = v; der(v) = mu*(1 - x^2)*v - x;",
     2000},
    {"VanDerPolOfUnitTime",
     "parameter Real e = 1e-6;"
     "Real x(start = 2, fixed = true), v(start = -0.66, fixed = true);"
     "equation der(x) = v; e*der(v) = (1 - x^2)*v - x;",
     2},
    {"Robertson",
     "Real a(start = 1, fixed = true), b(start = 0, fixed = true);"
     "Real c(start = 0, fixed = true);"
     "equation der(a) = -0.04*a + 1e4*b*c;"
     "der(b) = 0.04*a - 1e4*b*c - 3e7*b^2; der(c) = 3e7*b^2;",
     1e5},
    {"Hires",
     "Real y[8](start = {1, 0, 0, 0, 0, 0, 0, 0.0057}, each fixed = true);"
     "equation"
     " der(y[1]) = -1.71*y[1] + 0.43*y[2] + 8.32*y[3] + 0.0007;"
     " der(y[2]) = 1.71*y[1] - 8.75*y[2];"
     " der(y[3]) = -10.03*y[3] + 0.43*y[4] + 0.035*y[5];"
     " der(y[4]) = 8.32*y[2] + 1.71*y[3] - 1.12*y[4];"
     " der(y[5]) = -1.745*y[5] + 0.43*y[6] + 0.43*y[7];"
     " der(y[6]) = -280*y[6]*y[8] + 0.69*y[4] + 1.71*y[5] - 0.43*y[6]"
     " + 0.69*y[7];"
     " der(y[7]) = 280*y[6]*y[8] - 1.81*y[7]; der(y[8]) = -der(y[7]);",
     321.8122},
    {"Oregonator",
     "Real a(start = 1, fixed = true), b(start = 2, fixed = true);"
     "Real c(start = 3, fixed = true);"
     "equation der(a) = 77.27*(b + a*(1 - 8.375e-6*a - b));"
     "der(b) = (c - (1 + a)*b)/77.27; der(c) = 0.161*(a - c);",
     30},
    {"Relaxation",
     "Real x(start = 0, fixed = true);"
     "equation der(x) = -1e5*(x - cos(time));",
     10},
};

TEST_P(StiffProblemTest, IsTakenOverByAnImplicitMethod) {
  const auto program = CompileBody(GetParam().body);
  for (const int digits : {4, 6, 8, 10}) {
    const RunResult run = Simulate(program,
                                   {.stop = GetParam().stop,
                                    .tolerance = std::pow(10.0, -digits),
                                    .interval = GetParam().stop,
                                    .max_steps = 200'000});
    EXPECT_EQ(run.summary.message, "") << "1e-" << digits;
    EXPECT_FALSE(run.summary.switches.empty()) << "1e-" << digits;
  }
}

// The products of E5 are 1e-9 and less; the absolute tolerance has to be as
// small.
TEST(StiffProblemTest, E5IsTakenOverByAnImplicitMethod) {
  const RunResult run = Simulate(
      CompileBody("Real y[4](start = {1.76e-3, 0, 0, 0}, each fixed = true);"
                  "Real p = 7.89e-10*y[1], q = 1.1e7*y[1]*y[3];"
                  "Real r = 1.13e9*y[2]*y[3], s = 1.13e3*y[4];"
                  "equation der(y[1]) = -p - q; der(y[2]) = p - r;"
                  "der(y[3]) = p - q + s - r; der(y[4]) = q - s;"),
      {.stop = 1e5,
       .tolerance = 1e-6,
       .absolute_tolerance = 1e-22,
       .interval = 1e5,
       .max_steps = 200'000});
  EXPECT_EQ(run.summary.message, "");
  EXPECT_FALSE(run.summary.switches.empty());
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         StiffProblemTest,
                         testing::ValuesIn(kStiff),
                         NameOfProblem);

// An absolute tolerance of 1e-9 would spoil a relative one of 1e-13.
TEST(ToleranceTest, TheAbsoluteOneFollowsTheRelativeOneDown) {
  const auto program = CompileBody(
      "Real x(start = 0, fixed = true), v(start = 1e-3, fixed = true);"
      "equation der(x) = v; der(v) = -x;");
  SimulationOptions options{
      .stop = 20, .tolerance = 1e-13, .method = Method::kDormandPrince8};
  const double error =
      std::abs(Simulate(program, options)["x"].final() - 1e-3 * std::sin(20));
  EXPECT_LT(error, 1e-11);
  EXPECT_EQ(Resolve(options, program->experiment).absolute_tolerance, 1e-13);
  options.tolerance = 1e-4;
  EXPECT_EQ(Resolve(options, program->experiment).absolute_tolerance, 1e-9);
  options.tolerance = 1e-13;
  options.absolute_tolerance = 1e-7;
  EXPECT_EQ(Resolve(options, program->experiment).absolute_tolerance, 1e-7);
}

}  // namespace
}  // namespace orrery
