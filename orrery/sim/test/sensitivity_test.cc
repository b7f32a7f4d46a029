#include "orrery/sim/types/sensitivity.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"

#include "compile_text.h"

namespace orrery {
namespace {

// Runs to `stop` with sensitivities along `names`.
Trajectory RunAlong(const std::shared_ptr<const Program>& program,
                    double stop,
                    std::vector<std::string> names,
                    std::vector<Setting> settings = {},
                    Method method = Method::kAuto) {
  return Simulate(program,
                  {.stop = Seconds(stop),
                   .tolerance = 1e-10,
                   .absolute_tolerance = 1e-13,
                   .method = method,
                   .settings = std::move(settings),
                   .sensitivities = std::move(names)});
}

std::string MessageOfRun(const std::string& body,
                         const std::vector<std::string>& names,
                         Method method = Method::kAuto) {
  const auto program = CompileBody(body);
  return MessageOf([&] { return RunAlong(program, 1, names, {}, method); });
}

const char* const kDecay =
    "  parameter Real k(unit = \"1/s\") = 2;\n"
    "  Real x(unit = \"m\", start = 3, fixed = true);\n"
    "equation\n"
    "  der(x) = -k*x;\n";

const char* const kBall =
    "  parameter Real h0 = 2;\n"
    "  parameter Real g = 9.81;\n"
    "  parameter Real e = 0.7;\n"
    "  Real h(start = h0, fixed = true);\n"
    "  Real v(start = 0, fixed = true);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -g;\n"
    "  when h < 0 then\n"
    "    reinit(v, -e*pre(v));\n"
    "  end when;\n";

TEST(SensitivityTest, AStateMovesWithAParameterAndItsStart) {
  const Trajectory run = RunAlong(CompileBody(kDecay), 1, {"k", "x"});
  for (const double t : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(run["d(x)/d(k)"].at(t), -t * 3 * std::exp(-2 * t), 1e-9) << t;
    EXPECT_NEAR(run["d(x)/d(x)"].at(t), std::exp(-2 * t), 1e-9) << t;
  }
}

TEST(SensitivityTest, DerivativesOfOtherQuantitiesFollow) {
  const Trajectory run = RunAlong(CompileBody(kDecay), 1, {"k"});
  const double t = 1;
  EXPECT_NEAR(
      run["d(der(x))/d(k)"].at(t), 3 * (2 * t - 1) * std::exp(-2 * t), 1e-9);
  EXPECT_EQ(run["d(k)/d(k)"].at(t), 1);
}

TEST(SensitivityTest, SignalsSayInWhichUnitTheyAre) {
  const Trajectory run = RunAlong(CompileBody(kDecay), 1, {"k"});
  EXPECT_EQ(run["d(x)/d(k)"].info().unit, "m/(1/s)");
}

TEST(SensitivityTest, ParametersThatFollowFromOthersMoveWithThem) {
  const auto program = CompileBody(
      "  parameter Real a = 1.5;\n"
      "  parameter Real b = a^2;\n"
      "  Real x(start = 2*a, fixed = true);\n"
      "equation\n"
      "  der(x) = -b*x;\n");
  const double a = 1.5;
  EXPECT_NEAR(RunAlong(program, 1, {"a"})["d(x)/d(a)"].at(1),
              (2 - 4 * a * a) * std::exp(-a * a),
              1e-9);
}

TEST(SensitivityTest, WhatIsSetInPlaceOfItsFormulaStandsStill) {
  const auto program = CompileBody(
      "  parameter Real a = 1.5;\n"
      "  parameter Real b = a^2;\n"
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = -b*x;\n");
  const Trajectory run = RunAlong(program, 1, {"a", "b"}, {{"b", 2}});
  EXPECT_EQ(run["d(x)/d(a)"].at(1), 0);
  EXPECT_NEAR(run["d(x)/d(b)"].at(1), -std::exp(-2.0), 1e-9);
}

TEST(SensitivityTest, InitialEquationsAreFollowed) {
  const auto program = CompileBody(
      "  parameter Real a = 2;\n"
      "  Real x(start = 1);\n"
      "initial equation\n"
      "  x^3 + x = a;\n"
      "equation\n"
      "  der(x) = 0;\n");
  EXPECT_NEAR(RunAlong(program, 1, {"a"})["d(x)/d(a)"].at(1), 0.25, 1e-12);
}

// Time does not depend on the parameters.
TEST(SensitivityTest, InitialEquationsMayDependOnTime) {
  const auto program = CompileBody(
      "  parameter Real k = 3;\n"
      "  parameter Real c = 0.3;\n"
      "  Real x;\n"
      "initial equation\n"
      "  x = k*(time + 1)^2 + c;\n"
      "equation\n"
      "  der(x) = -x;\n");
  const Trajectory run = RunAlong(program, 1, {"k", "c"});
  EXPECT_NEAR(run["d(x)/d(k)"].at(1), std::exp(-1), 1e-9);
  EXPECT_NEAR(run["d(x)/d(c)"].at(1), std::exp(-1), 1e-9);
}

TEST(SensitivityTest, AlgebraicLoopsAreFollowedByTheImplicitFunctionTheorem) {
  const auto program = CompileBody(
      "  parameter Real p = 3;\n"
      "  Real z;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  z + exp(z) + x = p;\n"
      "  der(x) = 0*z;\n");
  const Trajectory run = RunAlong(program, 1, {"p", "x"});
  const double z = run["z"].at(1);
  EXPECT_NEAR(run["d(z)/d(p)"].at(1), 1 / (1 + std::exp(z)), 1e-12);
  EXPECT_NEAR(run["d(z)/d(x)"].at(1), -1 / (1 + std::exp(z)), 1e-12);
}

TEST(SensitivityTest, ModelsWithoutStatesHaveThem) {
  const auto program = CompileBody(
      "  parameter Real b = 0.5;\n"
      "  Real y = exp(-b*time);\n"
      "equation\n");
  EXPECT_NEAR(RunAlong(program, 2, {"b"})["d(y)/d(b)"].at(2),
              -2 * std::exp(-1.0),
              1e-14);
}

TEST(SensitivityTest, AnInputThatIsHeldIsLikeAParameter) {
  const auto program = CompileBody(
      "  input Real u = 0;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = u - x;\n");
  EXPECT_NEAR(RunAlong(program, 1, {"u"}, {{"u", 4}})["d(x)/d(u)"].at(1),
              1 - std::exp(-1.0),
              1e-9);
}

class MethodTest : public testing::TestWithParam<Method> {};

TEST_P(MethodTest, TheOscillatorsSensitivitiesAreThoseOfItsSolution) {
  const auto program = CompileBody(
      "  parameter Real w = 3;\n"
      "  Real x(start = 1, fixed = true);\n"
      "  Real v(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = v;\n"
      "  der(v) = -w^2*x;\n");
  SimulationOptions options{.stop = Seconds(2),
                            .tolerance = 1e-9,
                            .absolute_tolerance = 1e-11,
                            .method = GetParam(),
                            .sensitivities = {"w"}};
  if (HasFixedStep(GetParam())) {
    options.step = Seconds(1e-3);
  }
  const Trajectory run = Simulate(program, options);
  const double error = HasFixedStep(GetParam()) ? 1e-5 : 2e-7;
  EXPECT_NEAR(run["d(x)/d(w)"].at(2), -2 * std::sin(6.0), error);
  EXPECT_NEAR(
      run["d(v)/d(w)"].at(2), -std::sin(6.0) - 6 * std::cos(6.0), 3 * error);
}

INSTANTIATE_TEST_SUITE_P(All,
                         MethodTest,
                         testing::Values(Method::kAuto,
                                         Method::kDormandPrince5,
                                         Method::kDormandPrince8,
                                         Method::kCvodeBdf,
                                         Method::kCvodeAdams,
                                         Method::kRungeKutta4,
                                         Method::kTrapezoid));

// The numbers of CVODES' example cvsRoberts_FSA_dns (SUNDIALS 6, Example
// Programs for CVODES, section 3.1), which are printed with five digits.
TEST(SensitivityTest, RobertsonsKineticsHasThoseThatCvodesFinds) {
  const auto program = CompileBody(
      "  parameter Real p1 = 0.04;\n"
      "  parameter Real p2 = 1e4;\n"
      "  parameter Real p3 = 3e7;\n"
      "  Real y1(start = 1, fixed = true);\n"
      "  Real y2(start = 0, fixed = true);\n"
      "  Real y3(start = 0, fixed = true);\n"
      "equation\n"
      "  der(y1) = -p1*y1 + p2*y2*y3;\n"
      "  der(y2) = p1*y1 - p2*y2*y3 - p3*y2^2;\n"
      "  der(y3) = p3*y2^2;\n");
  const Trajectory run = RunAlong(program, 4, {"p1", "p2", "p3"});
  const auto expect = [&](const std::string& name, double value) {
    EXPECT_NEAR(run[name].at(4), value, 1e-4 * std::abs(value)) << name;
  };
  expect("d(y1)/d(p1)", -1.8761);
  expect("d(y2)/d(p1)", 1.7922e-4);
  expect("d(y3)/d(p1)", 1.8759);
  expect("d(y1)/d(p2)", 2.9614e-6);
  expect("d(y2)/d(p2)", -5.8305e-10);
  expect("d(y3)/d(p2)", -2.9608e-6);
  expect("d(y1)/d(p3)", -4.9334e-10);
  expect("d(y2)/d(p3)", -2.7626e-13);
  expect("d(y3)/d(p3)", 4.9362e-10);
}

// Events ----------------------------------------------------------------------

TEST(SensitivityTest, AnImpactMovesWithWhatItsTimeDependsOn) {
  const double h0 = 2;
  const double g = 9.81;
  const double e = 0.7;
  const double t1 = std::sqrt(2 * h0 / g);
  const double t = 1;
  // h = e g t1 s - g s^2/2 with s = t - t1, t1 = sqrt(2 h0/g).
  const double s = t - t1;
  const double by_t1 = e * g * (s - t1) + g * s;
  const Trajectory run = RunAlong(CompileBody(kBall), t, {"h0", "g", "e"});
  EXPECT_NEAR(run["h"].at(t), e * g * t1 * s - g * s * s / 2, 1e-9);
  EXPECT_NEAR(run["d(h)/d(h0)"].at(t), by_t1 / (g * t1), 1e-8);
  EXPECT_NEAR(run["d(h)/d(e)"].at(t), g * t1 * s, 1e-8);
  EXPECT_NEAR(run["d(h)/d(g)"].at(t),
              e * t1 * s - s * s / 2 - by_t1 * t1 / (2 * g),
              1e-8);
}

TEST(SensitivityTest, TheRowOfAnEventSaysHowItsTimeMoves) {
  const Trajectory run = RunAlong(CompileBody(kBall), 1, {"h0"});
  const Signal shift = run["d(time)/d(h0)"];
  int moved = 0;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    if (shift[row] != 0) {
      EXPECT_NEAR(shift[row], 1 / std::sqrt(2 * 9.81 * 2), 1e-9);
      ++moved;
    }
  }
  EXPECT_EQ(moved, 2);  // The ball is below the ground, and is not any more.
}

TEST(SensitivityTest, ManyImpactsAgreeWithDifferences) {
  const auto program = CompileBody(kBall);
  const double t = 3.1;
  const Trajectory run = RunAlong(program, t, {"e"});
  const double step = 1e-6;
  const auto height = [&](double e) {
    return RunAlong(program, t, {}, {{"e", e}})["h"].at(t);
  };
  EXPECT_NEAR(run["d(h)/d(e)"].at(t),
              (height(0.7 + step) - height(0.7 - step)) / (2 * step),
              1e-5);
}

TEST(SensitivityTest, ASwitchInTimeMovesWithItsParameter) {
  const auto program = CompileBody(
      "  parameter Real t1 = 0.4;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = if time < t1 then 3 else 1;\n");
  const Trajectory run = RunAlong(program, 1, {"t1"});
  EXPECT_EQ(run["d(x)/d(t1)"].at(0.3), 0);
  EXPECT_NEAR(run["d(x)/d(t1)"].at(1), 2, 1e-12);
}

TEST(SensitivityTest, ASwitchByAStateMovesWithItsThreshold) {
  const auto program = CompileBody(
      "  parameter Real a = 0.25;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = if x < a then 1 else 2;\n");
  EXPECT_NEAR(RunAlong(program, 1, {"a"})["d(x)/d(a)"].at(1), -1, 1e-9);
}

TEST(SensitivityTest, WhatAnEventHoldsMovesWithTheTimeOfTheEvent) {
  const auto program = CompileBody(
      "  parameter Real k = 4;\n"
      "  parameter Real a = 2;\n"
      "  Real x(start = 0, fixed = true);\n"
      "  discrete Real m(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = k;\n"
      "  when x > a then\n"
      "    m = time;\n"
      "  end when;\n");
  const Trajectory run = RunAlong(program, 1, {"k", "a"});
  EXPECT_NEAR(run["d(m)/d(a)"].at(1), 0.25, 1e-12);
  EXPECT_NEAR(run["d(m)/d(k)"].at(1), -2.0 / 16, 1e-12);
}

// Within a step: x goes on as without the event, its tangent does not.
TEST(SensitivityTest, AnEventMaySetANumberToItselfThatMovesOtherwise) {
  const auto program = CompileBody(
      "  parameter Real p = 1;\n"
      "  discrete Real rate(start = 1, fixed = true);\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = rate;\n"
      "  when x > 0.5123 then\n"
      "    rate = p;\n"
      "  end when;\n");
  const Trajectory run = RunAlong(program, 1, {"p"});
  EXPECT_NEAR(run["d(x)/d(p)"].at(1), 1 - 0.5123, 1e-10);
}

TEST(SensitivityTest, TheTicksOfAClockMoveWithItsPeriod) {
  const auto program = CompileBody(
      "  parameter Real k = 3;\n"
      "  parameter Real T = 0.3;\n"
      "  Real x = k*time;\n"
      "  discrete Real sum(start = 0, fixed = true);\n"
      "equation\n"
      "  when sample(0, T) then\n"
      "    sum = pre(sum) + x;\n"
      "  end when;\n");
  const Trajectory run = RunAlong(program, 1, {"k", "T"});
  EXPECT_NEAR(run["d(sum)/d(k)"].at(1), 0.3 * 6, 1e-12);
  EXPECT_NEAR(run["d(sum)/d(T)"].at(1), 3 * 6, 1e-12);
}

// At 0.2, 0.4, ... both sample; with another period they do so one by one.
TEST(SensitivityTest, EventsAtOnceThatMoveApartAreWarnedOf) {
  const auto warnings_of = [](const char* period, const char* name) {
    const auto program = CompileBody(
        "  parameter Real c = 1;\n"
        "  parameter Real T = " +
        std::string(period) +
        ";\n"
        "  Real x(start = 1, fixed = true);\n"
        "  discrete Real a(start = 0, fixed = true);\n"
        "  discrete Real b(start = 0, fixed = true);\n"
        "equation\n"
        "  der(x) = -c*x;\n"
        "  when sample(0, 0.1) then\n"
        "    a = x;\n"
        "  end when;\n"
        "  when sample(0, T) then\n"
        "    b = x;\n"
        "  end when;\n");
    return Simulate(program, {.stop = 0.95, .sensitivities = {name}})
        .summary.diagnostics;
  };
  const auto warnings = warnings_of("0.2", "T");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].message,
            "events that take place at once at t = 0.2 s move apart with T: "
            "sensitivities to it from there on are those of one of them");
  EXPECT_TRUE(warnings_of("0.2", "c").empty());
  EXPECT_TRUE(warnings_of("0.13", "T").empty());
}

TEST(SensitivityTest, AnInputThatJumpsDoesNotMove) {
  const auto program = CompileBody(
      "  input Real u;\n"
      "  parameter Real k = 2;\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = k*u;\n");
  auto table = std::make_shared<const Table>(
      "u.csv",
      std::vector<TableColumn>{{.name = "time", .values = {0, 0.5, 0.5, 1}},
                               {.name = "u", .values = {1, 1, 3, 3}}});
  const Trajectory run = Simulate(
      program, {.stop = Seconds(1), .inputs = table, .sensitivities = {"k"}});
  EXPECT_NEAR(run["d(x)/d(k)"].at(1), 2, 1e-9);
}

// Wrong uses ------------------------------------------------------------------

TEST(SensitivityTest, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(MessageOfRun(kDecay, {"kk"}),
            "cannot differentiate by 'kk': no quantity 'kk' in model A; known: "
            "k, x, der(x)");
}

TEST(SensitivityTest, WhatIsComputedIsRefused) {
  EXPECT_NE(MessageOfRun(kDecay, {"der(x)"}).find("the model computes it"),
            std::string::npos);
}

TEST(SensitivityTest, AnIntegerIsRefused) {
  EXPECT_EQ(MessageOfRun("  parameter Integer n = 2;\n"
                         "  Real x(start = 1, fixed = true);\n"
                         "equation\n"
                         "  der(x) = -n*x;\n",
                         {"n"}),
            "cannot differentiate by 'n': it is no Real");
}

TEST(SensitivityTest, AMethodThatCannotIsRefused) {
  for (const Method method :
       {Method::kRosenbrock, Method::kIda, Method::kTaylor}) {
    EXPECT_EQ(MessageOfRun(kDecay, {"k"}, method),
              "cannot find sensitivities: the method " +
                  std::string(NameOf(method).name) +
                  " cannot; take auto or cvode-bdf");
  }
}

TEST(SensitivityTest, AModelWithADelayIsRefused) {
  EXPECT_EQ(MessageOfRun("  parameter Real k = 2;\n"
                         "  Real x(start = 1, fixed = true);\n"
                         "equation\n"
                         "  der(x) = -k*delay(x, 0.1);\n",
                         {"k"}),
            "cannot find sensitivities: the model depends on its past by a "
            "delay");
}

std::string Pendulum(const std::string& y) {
  return "  parameter Real length = 1;\n  Real x(start = 0.6, fixed = true), " +
         y + R"(;
  Real vx(start = 0, fixed = true), vy, force;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = length^2;
)";
}

// A pendulum in x and y starts where its rod says, given x: its sensitivities
// are those of runs nearby, and keep x^2 + y^2 = length^2.
TEST(SensitivityTest, StartsFollowConstraints) {
  const auto program = CompileBody(Pendulum("y(start = -0.8)"));
  SimulationOptions options{.stop = 2, .tolerance = 1e-10};
  // At 1 the start values obey the rod's length; at 1.1 they have to move.
  for (const double length : {1.0, 1.1}) {
    const auto at = [&](double l, double x) {
      SimulationOptions nearby = options;
      nearby.settings = {{.name = "length", .value = l},
                         {.name = "x", .value = x}};
      return Simulate(program, nearby)["x"].final();
    };
    SimulationOptions exact = options;
    exact.settings = {{.name = "length", .value = length}};
    exact.sensitivities = {"length", "x"};
    const RunResult run = Simulate(program, exact);
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    const double d = 1e-4;
    EXPECT_NEAR(run["d(x)/d(length)"].final(),
                (at(length + d, 0.6) - at(length - d, 0.6)) / (2 * d),
                1e-5);
    EXPECT_NEAR(run["d(x)/d(x)"].final(),
                (at(length, 0.6 + d) - at(length, 0.6 - d)) / (2 * d),
                1e-5);
    for (std::size_t i = 0; i < run["x"].values().size(); i += 100) {
      EXPECT_NEAR(run["x"].values()[i] * run["d(x)/d(length)"].values()[i] +
                      run["y"].values()[i] * run["d(y)/d(length)"].values()[i],
                  length,
                  1e-6);
    }
  }
}

TEST(SensitivityTest, AStartThatCannotFollowAConstraintIsTold) {
  SimulationOptions options{.stop = 1};
  options.sensitivities = {"length"};
  const RunResult run =
      Simulate(CompileBody(Pendulum("y(start = -0.8, fixed = true)")), options);
  EXPECT_EQ(run.summary.message,
            "no start values are left to move so that x^2 + y^2 = length^2 "
            "goes on to hold where what is differentiated by changes");
}

}  // namespace
}  // namespace orrery
