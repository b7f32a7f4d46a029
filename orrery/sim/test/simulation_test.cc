#include "orrery/sim/simulation.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTightTolerance = 1e-10;

TestModel Circle() {
  TestModel model("Circle");
  const Expr x = model.State("x", 0);
  const Expr v = model.State("v", 1);
  model.Equate(model.Der(x), v);
  model.Equate(model.Der(v), -x);
  return model;
}

TestModel Lorenz() {
  TestModel model("Lorenz");
  const Expr x = model.State("x", 1);
  const Expr y = model.State("y", 1);
  const Expr z = model.State("z", 1);
  model.Equate(model.Der(x), 10 * (y - x));
  model.Equate(model.Der(y), x * (28 - z) - y);
  model.Equate(model.Der(z), x * y - 8.0 / 3 * z);
  return model;
}

TestModel Robertson() {
  TestModel model("Robertson");
  const Expr a = model.State("a", 1);
  const Expr b = model.State("b", 0);
  const Expr c = model.State("c", 0);
  model.Equate(model.Der(a), -0.04 * a + 1e4 * b * c);
  model.Equate(model.Der(b), 0.04 * a - 1e4 * b * c - 3e7 * b * b);
  model.Equate(model.Der(c), 3e7 * b * b);
  return model;
}

SimulationOptions Tight(double stop) {
  return {
      .stop = stop, .tolerance = kTightTolerance, .absolute_tolerance = 1e-12};
}

// y starts at twice x by an initial equation; z at a root of z^2 = x^2 + 1.
TestModel Started() {
  TestModel model("Started");
  const Expr a = model.Parameter("a", 2);
  const Expr x = model.State("x", 4);
  const Expr y = model.State("y", 0, false);
  const Expr z = model.State("z", 3, false);
  model.Equate(model.Der(x), a * 0);
  model.Equate(model.Der(y), a * 0);
  model.Equate(model.Der(z), a * 0);
  model.Initially(y, 2 * x);
  model.Initially(z * z, x * x + 1);
  return model;
}

TEST(SimulationTest, AParameterThatIsNotFiniteIsToldWithItsCause) {
  const RunResult run =
      Simulate(CompileBody("parameter Real k = 0; parameter Real y = 1/k;"
                           "Real z = y + time;"),
               {});
  EXPECT_EQ(run.summary.message,
            "cannot evaluate y = 1/k at t = 0 s: division by zero: 1/0");
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_EQ(run.summary.diagnostics[0].hint, "k is 0: give k another value");
}

TEST(SimulationTest, WhatDividesByParametersNamesThemAndNothingElse) {
  const auto hint_of = [](const std::string& body) {
    return Simulate(CompileBody(body), {}).summary.diagnostics.at(0).hint;
  };
  EXPECT_EQ(hint_of("parameter Real a = 2; parameter Real b = 2;"
                    "Real x(start = 0); equation (a - b)*der(x) = 1 - x;"),
            "a - b is 0: give a or b another value");
  EXPECT_EQ(hint_of("parameter Real a = 2; Real y; equation y = a/time;"), "");
}

TEST(SimulationTest, InitialEquationsSeeTheStartThatIsSet) {
  const RunResult run =
      Simulate(Started().Compiled(), {.settings = {{"x", 5}}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_TRUE(run.summary.diagnostics.empty());
  EXPECT_EQ(run["x"][0], 5);
  EXPECT_EQ(run["y"][0], 10);
  EXPECT_NEAR(run["z"][0], std::sqrt(26.0), 1e-9);
}

TEST(SimulationTest, ASetStartGuidesInitialEquationsAndTheRunSaysSo) {
  const RunResult run =
      Simulate(Started().Compiled(), {.settings = {{"z", -1}, {"y", 7}}});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run["y"][0], 8);
  EXPECT_NEAR(run["z"][0], -std::sqrt(17.0), 1e-9);
  ASSERT_EQ(run.summary.diagnostics.size(), 2U);
  EXPECT_EQ(run.summary.diagnostics[0].message,
            "'z' need not start at -1: initial equations determine it; the "
            "value is a first guess for their solver");
  EXPECT_EQ(run.summary.diagnostics[1].message,
            "'y' need not start at 7: initial equations determine it; the "
            "value is not used");
}

TEST(SimulationTest, AParameterThatIsNoNumberIsNamed) {
  TestModel model("Log");
  const Expr a = model.Parameter("a", 1);
  model.Parameter("b", 1 / a);
  const Expr x = model.State("x", 0);
  model.Equate(model.Der(x), a);
  const RunResult run = Simulate(model.Compiled(), {.settings = {{"a", 0}}});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.trajectory.rows(), 0);
  EXPECT_THAT(run.summary.message, HasSubstr("b"));
}

TEST(SimulationTest, CircleComesBackExactly) {
  const RunResult run = Simulate(Circle().Compiled(), Tight(10));
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.summary.end_time, 10.0);
  EXPECT_EQ(run.trajectory.time().back(), 10.0);
  EXPECT_NEAR(run["x"].final(), -0.544021110889369813, 1e-8);
  EXPECT_NEAR(run["v"].final(), -0.839071529076452452, 1e-8);
}

TEST(SimulationTest, RecordsFiveHundredIntervalsUnlessToldOtherwise) {
  const auto program = Circle().Compiled();
  EXPECT_EQ(Simulate(program, {.stop = 10}).trajectory.rows(), 501);
  EXPECT_EQ(Simulate(program, {.stop = 10, .interval = 2.5}).trajectory.rows(),
            5);
  const RunResult more = Simulate(
      program, {.stop = 10, .interval = 5, .output_times = {7.25, 1, 10, 12}});
  EXPECT_THAT(std::vector<double>(more.trajectory.time().begin(),
                                  more.trajectory.time().end()),
              ElementsAre(0, 1, 5, 7.25, 10));
}

TEST(SimulationTest, RowsBetweenStepsAreAsExactAsTheSteps) {
  const RunResult run = Simulate(Circle().Compiled(), Tight(10));
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double t = run.trajectory.time()[row];
    EXPECT_NEAR(run["x"][row], std::sin(t), 2e-9);
    EXPECT_NEAR(run["der(v)"][row], -std::sin(t), 2e-9);
  }
}

// By its tolerance at 0, the steps for q would be nothing beside the way. In
// that unit of time the series of x is lost in underflow.
TEST(SimulationTest, AStateThatStartsFarBelowItsSizeIsFollowed) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "  Real v(start = 1, fixed = true);\n"
      "  Real q(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = v;\n"
      "  der(v) = -x;\n"
      "  der(q) = 1e32*v^2;\n");
  for (const Method method : {Method::kAuto,
                              Method::kTaylor,
                              Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock}) {
    const RunResult run = Simulate(program, {.stop = 10, .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["q"].final() / 1e32, 5 + std::sin(20.0) / 4, 1e-5);
    EXPECT_LT(run.summary.steps, 120);
  }
}

TEST(SimulationTest, FixedStepsAreRecordedOneByOne) {
  const RunResult run =
      Simulate(Circle().Compiled(),
               {.stop = 10, .method = Method::kRungeKutta4, .step = 0.1});
  EXPECT_EQ(run.trajectory.rows(), 101);
  EXPECT_EQ(run.summary.steps, 100);
  EXPECT_EQ(run.summary.solver, "rk4");
  EXPECT_EQ(run.trajectory.time()[3], 0.3);
  EXPECT_EQ(run.trajectory.time()[7], 0.7);
  EXPECT_NEAR(run["x"].final(), -0.544013766248773, 1e-14);
  EXPECT_NEAR(run["v"].final(), -0.839075464413064, 1e-14);
}

TEST(SimulationTest, SymplecticEulerKnowsPositionsFromVelocities) {
  const RunResult run =
      Simulate(Circle().Compiled(),
               {.stop = 10, .method = Method::kSymplecticEuler, .step = 0.1});
  EXPECT_NEAR(run["x"].final(), -0.548202119543513, 1e-14);
  EXPECT_NEAR(run["v"].final(), -0.864205033087563, 1e-14);
}

TEST(SimulationTest, ImplicitMethodsUseTheExactJacobian) {
  const auto program = Circle().Compiled();
  const RunResult trapezoid = Simulate(
      program, {.stop = 10, .method = Method::kTrapezoid, .step = 0.1});
  EXPECT_NEAR(trapezoid["x"].final(), -0.537020565426224, 1e-12);
  const RunResult backward = Simulate(
      program, {.stop = 10, .method = Method::kImplicitEuler, .step = 0.1});
  EXPECT_NEAR(backward["v"].final(), -0.520866526040103, 1e-12);
  EXPECT_GT(backward.summary.jacobian_evaluations, 0);
}

TEST(SimulationTest, LorenzAgreesWithTaylorSeriesOfOrder110) {
  SimulationOptions options = Tight(10);
  options.tolerance = 1e-12;
  const RunResult run = Simulate(Lorenz().Compiled(), options);
  EXPECT_NEAR(run["x"].final(), -4.90268754113464573, 1e-5);
  EXPECT_NEAR(run["y"].final(), -3.74387292180291962, 1e-5);
  EXPECT_NEAR(run["z"].final(), 24.6908581027905555, 1e-5);
}

TEST(SimulationTest, RobertsonReachesItsLastDigitsAtTenToTheEleven) {
  const auto program = Robertson().Compiled();
  for (const Method method : {Method::kAuto, Method::kRosenbrock}) {
    const RunResult run = Simulate(program,
                                   {.stop = 1e11,
                                    .tolerance = 1e-10,
                                    .absolute_tolerance = 1e-14,
                                    .method = method});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_NEAR(run["a"].final(), 0.2083340149701255e-7, 1e-9);
    EXPECT_NEAR(run["b"].final(), 0.8333360770334713e-13, 1e-15);
    EXPECT_NEAR(run["c"].final(), 0.9999999791665050, 1e-6);
  }
}

TEST(SimulationTest, LotkaVolterraKeepsItsInvariant) {
  TestModel model("LotkaVolterra");
  const Expr hare = model.State("hare", 30);
  const Expr lynx = model.State("lynx", 4);
  model.Equate(model.Der(hare), 0.5 * hare - 0.02 * hare * lynx);
  model.Equate(model.Der(lynx), -0.9 * lynx + 0.03 * hare * lynx);
  const RunResult run = Simulate(model.Compiled(), Tight(20));
  const auto invariant = [&](std::size_t row) {
    const double h = run["hare"][row];
    const double l = run["lynx"][row];
    return 0.03 * h - 0.9 * std::log(h) + 0.02 * l - 0.5 * std::log(l);
  };
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    EXPECT_NEAR(invariant(row), invariant(0), 2e-8);
  }
}

TEST(SimulationTest, ShortPulseIsNotSteppedOver) {
  TestModel model("Pulse");
  const Expr x = model.State("x", 0);
  const Expr on = model.Time().graph().Binary(
      Op::kAnd, Less(20, model.Time()), Less(model.Time(), 20.1));
  model.Equate(model.Der(x), select(on, 10000.0, 0.0));
  const auto program = model.Compiled();
  EXPECT_EQ(program->events.thresholds.size(), 2);
  EXPECT_TRUE(program->events.relations.empty());
  const RunResult run = Simulate(program, {.stop = 100});
  EXPECT_NEAR(run["x"].final(), 1000, 1e-9);
  EXPECT_LT(run.summary.steps, 200);
}

TEST(SimulationTest, BothLimitsStandWhereTheEquationsChange) {
  TestModel model("Step");
  const Expr x = model.State("x", 0);
  const Expr u = model.Unknown("u");
  model.Equate(u, select(LessEqual(0.3, model.Time()), 2.0, 1.0));
  model.Equate(model.Der(x), u);
  const RunResult run =
      Simulate(model.Compiled(), {.stop = 1, .interval = 0.5});
  EXPECT_THAT(std::vector<double>(run.trajectory.time().begin(),
                                  run.trajectory.time().end()),
              ElementsAre(0, 0.3, 0.3, 0.5, 1));
  EXPECT_THAT(run["u"].values(), ElementsAre(1, 1, 2, 2, 2));
  EXPECT_NEAR(run["x"].final(), 0.3 + 1.4, 1e-12);
}

TEST(SimulationTest, WhatChangesJustAfterTheEndIsNotSeen) {
  const auto program = CompileBody(
      "  Boolean after = time > 1, from = time >= 1;\n"
      "  Boolean before = time < 1, until = time <= 1;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run["after"].final(), 0);
  EXPECT_EQ(run["from"].final(), 1);
  EXPECT_EQ(run["before"].final(), 0);
  EXPECT_EQ(run["until"].final(), 1);
  EXPECT_EQ(run.events.size(), 2);
  const RunResult longer = Simulate(program, {.stop = 1.5, .interval = 0.5});
  EXPECT_THAT(longer["after"].values(), ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(longer["until"].values(), ElementsAre(1, 1, 1, 0, 0));
  EXPECT_EQ(longer.events.size(), 4);
}

TEST(SimulationTest, WhatChangesJustAfterAPauseIsSeen) {
  Simulator simulator(CompileBody("  Boolean after = time > 1;\n"),
                      {.stop = 1});
  EXPECT_TRUE(simulator.RunUntil(1));
  EXPECT_EQ(simulator["after"], 1);
  EXPECT_TRUE(simulator.RunUntil(2));
  EXPECT_EQ(simulator["after"], 1);
}

TEST(SimulationTest, ModelWithoutStatesIsEvaluatedOnTheGrid) {
  TestModel model("Wave");
  const Expr y = model.Unknown("y");
  model.Equate(y, sin(model.Time()));
  const RunResult run =
      Simulate(model.Compiled(), {.stop = 2, .interval = 0.5});
  EXPECT_EQ(run.trajectory.rows(), 5);
  EXPECT_EQ(run.summary.steps, 0);
  EXPECT_EQ(run.summary.solver, "");
  EXPECT_NEAR(run["y"][3], std::sin(1.5), 1e-15);
}

TEST(SimulationTest, ParametersStartsAndInputsCanBeSet) {
  TestModel model("Tank");
  const Expr area = model.Parameter("area", 2);
  const Expr drain = model.Parameter("drain", 0.5 * area);
  const Expr level = model.State("level", 1);
  const Expr inflow = model.Input("inflow");
  model.Equate(area * model.Der(level), inflow - drain * level);
  const auto program = model.Compiled();

  // level' = (3 - 2 * level) / 4 from 2: 1.5 + 0.5 exp(-t/2).
  const RunResult run =
      Simulate(program,
               {.stop = 2,
                .tolerance = kTightTolerance,
                .settings = {{"area", 4}, {"level", 2}, {"inflow", 3}}});
  EXPECT_TRUE(run.summary.diagnostics.empty());
  EXPECT_EQ(run["drain"].final(), 2);
  EXPECT_NEAR(run["level"].final(), 1.5 + 0.5 * std::exp(-1.0), 1e-9);

  const RunResult plain = Simulate(program, {.settings = {{"drain", 0}}});
  EXPECT_EQ(plain["level"].final(), 1);
  ASSERT_EQ(plain.summary.diagnostics.size(), 1);
  EXPECT_EQ(plain.summary.diagnostics[0].message,
            "input 'inflow' is not given; 0 is used");
}

TEST(SimulationTest, WhatCannotBeSetIsRefused) {
  TestModel model("Tank");
  model.Parameter("area", 2);
  const Expr level = model.State("level", 1);
  const Expr twice = model.Unknown("twice");
  model.Equate(model.Der(level), -level);
  model.Equate(twice, 2 * level);
  const auto program = model.Compiled();
  const auto message = [&](const Setting& setting) -> std::string {
    try {
      const RunResult run = Simulate(program, {.settings = {setting}});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({"levle", 1}),
            "cannot set 'levle': no quantity 'levle' in model Tank; did you "
            "mean 'level'?");
  EXPECT_EQ(message({"twice", 1}),
            "cannot set 'twice': the model computes it; set a parameter, the "
            "start of a state or an input");
  EXPECT_EQ(message({"area", std::nan("")}),
            "cannot set 'area': nan is not a finite number");
}

std::shared_ptr<const Table> MakeTable(std::vector<TableColumn> columns) {
  return std::make_shared<const Table>("in.csv", std::move(columns));
}

TEST(SimulationTest, InputsAreInterpolatedBetweenRowsAndHeldOutside) {
  TestModel model("TimeIntegrator");
  const Expr x = model.State("x", 0);
  const Expr u = model.Input("u");
  model.Equate(model.Der(x), u);
  const RunResult run = Simulate(
      model.Compiled(),
      {.stop = 4,
       .inputs = MakeTable({{"time", "", {1, 2, 3}}, {"u", "", {1, 3, 0}}})});
  EXPECT_EQ(run["u"].at(0.5), 1);
  EXPECT_NEAR(run["u"].at(1.5), 2, 1e-12);
  EXPECT_EQ(run["u"].final(), 0);
  EXPECT_NEAR(run["x"].final(), 1 + 2 + 1.5, 1e-12);
}

TEST(SimulationTest, TwoRowsAtOneTimeAreAJumpOfTheInput) {
  TestModel model("TimeIntegrator");
  const Expr x = model.State("x", 0);
  const Expr u = model.Input("u");
  model.Equate(model.Der(x), u);
  const RunResult run = Simulate(
      model.Compiled(),
      {.stop = 2,
       .interval = 1,
       .inputs =
           MakeTable({{"t", "", {0, 0.5, 0.5, 1}}, {"u", "", {1, 1, 5, 5}}})});
  EXPECT_THAT(run["u"].values(), ElementsAre(1, 1, 5, 5, 5));
  EXPECT_NEAR(run["x"].final(), 0.5 + 7.5, 1e-12);
}

TEST(SimulationTest, TableOfInputsIsChecked) {
  TestModel model("TimeIntegrator");
  const Expr x = model.State("x", 0);
  const Expr u = model.Input("force");
  model.Equate(model.Der(x), u);
  const auto program = model.Compiled();
  const auto message = [&](std::vector<TableColumn> columns) -> std::string {
    try {
      const RunResult run =
          Simulate(program, {.inputs = MakeTable(std::move(columns))});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({{"time", "", {0, 1}}, {"forse", "", {1, 2}}}),
            "cannot take inputs from in.csv: model TimeIntegrator has no input "
            "'forse'; did you mean 'force'?");
  EXPECT_EQ(message({{"time", "", {0, 2, 1}}, {"force", "", {1, 2, 3}}}),
            "cannot take inputs from in.csv: its time goes back from 2 to 1 in "
            "row 3; sort its rows by time");
  EXPECT_EQ(message({{"time", "", {0, 1}}, {"force", "", {1, std::nan("")}}}),
            "cannot take inputs from in.csv: column 'force' has no number in "
            "row 2; give one");
  EXPECT_EQ(message({{"force", "", {0, 1}}}),
            "cannot take inputs from in.csv: it has no times: no column is "
            "called 'time', and the first one is the input 'force'; begin it "
            "with the times");
}

TEST(SimulationTest, DomainErrorKeepsResultsAndNamesTheEquation) {
  const auto file = std::make_shared<const SourceFile>(
      "tank.mo", "model Tank\n  c = sqrt(d - 4.5);\nend Tank;\n");
  TestModel model("Tank");
  const Expr d = model.State("d", 6);
  const Expr c = model.Unknown("c");
  model.Equate(model.Der(d), model.Number(-1));
  model.Equate(c, sqrt(d - 4.5), {.file = file, .begin = 13, .end = 30});
  const RunResult run =
      Simulate(model.Compiled(), {.stop = 10, .interval = 0.4});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.summary.message,
            "cannot evaluate c = sqrt(d - 4.5) at t = 1.6 s: "
            "sqrt(-0.09999999999999964) is not a real number");
  ASSERT_EQ(run.summary.diagnostics.size(), 1);
  EXPECT_EQ(run.summary.diagnostics[0].line, 2);
  EXPECT_EQ(run.summary.diagnostics[0].file, "tank.mo");
  EXPECT_NEAR(run.trajectory.time().back(), 1.2, 1e-12);
  EXPECT_EQ(run.summary.end_time, run.trajectory.time().back());
  EXPECT_NEAR(run["c"].final(), std::sqrt(0.3), 1e-9);
  EXPECT_THROW(static_cast<void>(Trajectory(run)), Error);
}

TEST(SimulationTest, ATankThatRunsDryIsToldHowToStopThere) {
  const auto program = CompileBody(
      "  Real h(start = 1, fixed = true);\n"
      "equation\n"
      "  der(h) = -0.5*sqrt(h);\n");
  const RunResult run =
      Simulate(program, {.stop = 10, .method = Method::kRosenbrock});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_NEAR(run.summary.end_time, 4, 1e-2);  // sqrt(h) is 1 - t/4.
  ASSERT_EQ(run.summary.diagnostics.size(), 1);
  EXPECT_EQ(run.summary.diagnostics[0].hint,
            "h has come below 0 by the error of a step: write max(h, 0) there");
}

TEST(SimulationTest, AMatrixIsTakenFromAnArrayWhoseFurtherSizesAreOne) {
  const RunResult run =
      Simulate(CompileBody("  Real a[2, 2, 1] = {{{1}, {time}}, {{3}, {4}}};\n"
                           "  Real b[2, 2] = matrix(a);\n"),
               {.stop = 5});
  EXPECT_EQ(run["b[1,2]"].final(), 5);
  EXPECT_EQ(run["b[2,1]"].final(), 3);
}

TEST(SimulationTest, DerivativeThatFailsAtAKnownTimeKeepsResultsUpToIt) {
  TestModel model("Fall");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), -sqrt(1 - model.Time()));
  const RunResult run = Simulate(model.Compiled(), {.stop = 2});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_THAT(run.summary.message, HasSubstr("cannot evaluate der(x) = "));
  EXPECT_THAT(run.summary.message, HasSubstr(" at t = 1 s: "));
  EXPECT_THAT(run.summary.message, HasSubstr("is not a real number"));
  EXPECT_NEAR(run.summary.end_time, 1, 1e-6);
  EXPECT_NEAR(run["x"].final(), 1.0 / 3, 1e-6);
}

TEST(SimulationTest, BlowUpNamesTheStateAndItsEquation) {
  TestModel model("BlowUp");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), x * x);
  const RunResult run = Simulate(model.Compiled(), {.stop = 2});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_THAT(run.summary.message, HasSubstr("at t = 1 s"));
  EXPECT_THAT(run.summary.message, HasSubstr("der(x) = x*x"));
  EXPECT_NEAR(run.summary.end_time, 1, 1e-4);
}

TEST(SimulationTest, AMethodIsNamedThatPassesAnInfiniteSlope) {
  TestModel model("Cusp");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), 1 - sqrt(x - 1));
  const auto program = model.Compiled();
  const RunResult run =
      Simulate(program, {.stop = 2, .method = Method::kTaylor});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.summary.message,
            "cannot go on at t = 0 s: der(x) changes infinitely fast "
            "there, by der(x) = 1 - sqrt(x - 1), and taylor needs to know how "
            "it changes; take a method that does not, such as dopri5");
  EXPECT_TRUE(Simulate(program, {.stop = 2, .method = Method::kDormandPrince5})
                  .summary.completed());
}

TEST(SimulationTest, ObserverCanInterrupt) {
  std::vector<double> times;
  const RunResult run = Simulate(
      Circle().Compiled(), {.stop = 10}, [&](const Progress& progress) {
        times.push_back(progress.t);
        return progress.t < 5;
      });
  EXPECT_EQ(run.summary.outcome, RunOutcome::kInterrupted);
  EXPECT_EQ(run.summary.end_time, times.back());
  EXPECT_EQ(run.trajectory.time().back(), times.back());
  EXPECT_GE(times.back(), 5);
  EXPECT_LT(times.back(), 6);
}

TEST(SimulationTest, StepLimitEndsTheRun) {
  const RunResult run =
      Simulate(Circle().Compiled(), {.stop = 10, .max_steps = 5});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kStepLimit);
  EXPECT_EQ(run.summary.steps, 5);
  EXPECT_EQ(run.trajectory.time().back(), run.summary.end_time);
  EXPECT_EQ(run.summary.diagnostics.back().hint,
            "let the run be shorter, its tolerance larger or its step longer; "
            "of a stiff model, rodas and cvode-bdf take few steps");
}

TEST(SimulationTest, SameRunTwiceGivesTheSameBits) {
  const auto program = Lorenz().Compiled();
  const RunResult a = Simulate(program, {.stop = 20});
  const RunResult b = Simulate(program, {.stop = 20});
  EXPECT_EQ(a["x"].values(), b["x"].values());
  EXPECT_EQ(a["z"].values(), b["z"].values());
}

TEST(SimulationTest, RecordsWhatThePatternsName) {
  TestModel model = Circle();
  const RunResult run = Simulate(model.Compiled(), {.record = {"der(*)", "x"}});
  ASSERT_EQ(run.trajectory.signals().size(), 3);
  EXPECT_TRUE(run.trajectory.Contains("der(v)"));
  EXPECT_FALSE(run.trajectory.Contains("v"));
  EXPECT_THROW(
      static_cast<void>(Simulate(model.Compiled(), {.record = {"velocity"}})),
      Error);
}

TEST(SimulationTest, RunOfNoLengthIsTheStart) {
  const RunResult run = Simulate(Circle().Compiled(), {.stop = 0});
  EXPECT_TRUE(run.summary.completed());
  EXPECT_EQ(run.trajectory.rows(), 1);
  EXPECT_EQ(run["der(x)"].final(), 1);
}

TEST(SimulationTest, StepsAllocateNothing) {
  // Ten times the steps must not cost more allocations; the rows are the same.
  const auto program = Lorenz().Compiled();
  const auto allocations = [&](double max_step, Method method) {
    const int before = CountAllocations();
    const RunResult run = Simulate(
        program,
        {.stop = 1, .method = method, .interval = 0.5, .max_step = max_step});
    EXPECT_TRUE(run.summary.completed());
    return CountAllocations() - before;
  };
  for (const Method method : {Method::kDormandPrince5, Method::kRosenbrock}) {
    allocations(1e-2, method);  // Allocations of the first use.
    EXPECT_LE(allocations(1e-3, method), allocations(1e-2, method));
  }
}

TEST(SimulationTest, InitialAlgorithmsDecideOnParametersToo) {
  const auto program = CompileText(R"(
model A
  parameter Integer n(fixed = false);
  parameter Real k[2](each fixed = false);
  Real x(start = 0, fixed = true);
initial algorithm
  n := 0;
  for i in 1:2 loop
    k[i] := i^2;
    n := n + 10;
  end for;
equation
  der(x) = n + sum(k);
end A;
)");
  EXPECT_NEAR(Simulate(program, {.stop = 1})["x"].final(), 25, 1e-12);
}

TEST(SimulationTest, AFixedStartMayFollowFromWhatTheStartDetermines) {
  const RunResult run = Simulate(CompileBody(R"(
  parameter Real p(fixed = false);
  parameter Real k[2](each fixed = false);
  Real x(start = p + 1, fixed = true);
  Real y[2](start = -k, each fixed = true);
  discrete Real n(start = sum(k), fixed = true);
initial equation
  p = 2;
  k = {3, 4};
equation
  der(x) = 0;
  der(y) = {0, 0};
  when time > 0.5 then
    n = pre(n) + 10;
  end when;
)"),
                                 {.stop = 1});
  EXPECT_EQ(run["x"].final(), 3);
  EXPECT_EQ(run["y[1]"].final(), -3);
  EXPECT_EQ(run["y[2]"].final(), -4);
  EXPECT_EQ(run["n"].final(), 17);
}

TEST(SimulationTest, ASteadyStartMayDetermineAParameterThatItStartsAt) {
  const RunResult run = Simulate(CompileBody(R"(
  parameter Real p(fixed = false, start = 1);
  Real x(start = p, fixed = true);
initial equation
  der(x) = 0;
equation
  der(x) = 2 - p*x^2;
)"),
                                 {.stop = 1});
  EXPECT_NEAR(run["p"].final(), std::cbrt(2), 1e-12);
  EXPECT_NEAR(run["x"].final(), std::cbrt(2), 1e-12);
}

TEST(SimulationTest, AFixedParameterMayFollowFromOneThatTheStartDetermines) {
  const RunResult run = Simulate(CompileBody(R"(
  parameter Real p(fixed = false, start = 2);
  parameter Real q(fixed = true, start = 0.01) = p;
  Real x = q + time;
initial equation
  q^2 = 9;
)"),
                                 {.stop = 1});
  EXPECT_EQ(run.summary.message, "");
  EXPECT_NEAR(run["x"].final(), 4, 1e-12);
}

TEST(SimulationTest, AFreeStartIsTakenFromWhatTheStartDetermines) {
  const RunResult run = Simulate(CompileBody(R"(
  parameter Real p(fixed = false);
  Real x(start = 2*p);
initial equation
  p = 2;
equation
  der(x) = 0;
)"),
                                 {.stop = 1});
  EXPECT_EQ(run["x"].final(), 4);
}

TEST(SimulationTest, AStartThatDependsOnWhatMovesIsRefused) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  parameter Real p(fixed = false);\n"
                    "  Real x(start = p + time, fixed = true);\n"
                    "initial equation\n  p = 2;\n"
                    "equation\n  der(x) = 0;\n");
              }),
              HasSubstr("the start value of 'x' depends on a quantity that "
                        "changes in a run"));
}

TEST(SimulationTest, TheLastEventTakesPlaceWhereverARunEndsWell) {
  const auto program = CompileText(R"(
model A
  parameter Real limit = 0.5;
  Real x(start = 0, fixed = true);
  Integer last(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > limit then
    terminate("far enough");
  end when;
  when terminal() then
    last = 7;
  end when;
end A;
)");
  const RunResult early = Simulate(program, {.stop = 1});
  EXPECT_EQ(early.summary.outcome, RunOutcome::kTerminated);
  EXPECT_NEAR(early.summary.end_time, 0.5, 1e-12);
  EXPECT_EQ(early["last"].final(), 7);
  const RunResult full =
      Simulate(program, {.stop = 1, .settings = {{"limit", 2}}});
  EXPECT_EQ(full.summary.outcome, RunOutcome::kCompleted);
  EXPECT_EQ(full["last"].final(), 7);
}

TEST(SimulationTest, ItsLastRowShowsThatTheRunEnds) {
  const RunResult run = Simulate(CompileBody(R"(
  Real x = if terminal() then 7 else time;
  Real y;
algorithm
  y := 3;
  if terminal() then
    y := 5;
  end if;
)"),
                                 {.stop = 2, .output_times = {1.5}});
  EXPECT_EQ(run["x"].at(1.5), 1.5);
  EXPECT_EQ(run["x"].final(), 7);
  EXPECT_EQ(run["y"].at(1.5), 3);
  EXPECT_EQ(run["y"].final(), 5);
}

// The message at the end of a run of a model with these declarations and
// equations, or else its end time.
std::string EndOf(const std::string& body) {
  const Summary summary = Simulate(CompileBody(body), {.stop = 1}).summary;
  return summary.message.empty() ? std::to_string(summary.end_time)
                                 : summary.message;
}

TEST(SimulationTest, AssertionsAreCheckedWhereInitialHolds) {
  const std::string failure = "assertion fails at t = 0 s: x is 3";
  const std::string says = "\"x is \" + String(x)";
  const std::string when =
      "  when initial() then assert(x < 2, " + says + "); end when;\n";
  for (const std::string& check :
       {"equation\n" + when,
        "algorithm\n" + when,
        "equation\n  if initial() then assert(x < 2, " + says + "); end if;\n",
        "initial equation\n  assert(x < 2, " + says + ");\n",
        "initial algorithm\n  assert(x < 2, " + says + ");\n"}) {
    EXPECT_EQ(EndOf("  Real x = 3 - time;\n" + check), failure) << check;
    EXPECT_EQ(EndOf("  Real x = 1 + 3*time;\n" + check), "1.000000") << check;
  }
}

TEST(SimulationTest, TerminateEndsARunThatHasJustStarted) {
  const std::string end = "terminated at t = 0 s: enough";
  const std::string when =
      "  when initial() then terminate(\"enough\"); end when;\n";
  for (const std::string& check :
       {"equation\n" + when,
        "algorithm\n" + when,
        std::string("equation\n"
                    "  if initial() then terminate(\"enough\"); end if;\n"),
        std::string("initial equation\n  terminate(\"enough\");\n"),
        std::string("initial algorithm\n  terminate(\"enough\");\n")}) {
    EXPECT_EQ(EndOf("  Real x = time;\n" + check), end) << check;
  }
  const RunResult run =
      Simulate(CompileBody("  Real x = 2 + time;\nequation\n" + when), {});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTerminated);
  EXPECT_EQ(run["x"].final(), 2);
}

TEST(SimulationTest, AWarningAtTheStartHasTheValuesOfTheStart) {
  const RunResult run = Simulate(CompileBody(R"(
  Real x = 3 - time;
  Real y;
algorithm
  y := 2*x;
  when initial() then
    assert(y < 2, "y is " + String(y), AssertionLevel.warning);
  end when;
)"),
                                 {.stop = 1});
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_EQ(run.summary.diagnostics[0].message, "at t = 0 s: y is 6");
  EXPECT_EQ(run.summary.outcome, RunOutcome::kCompleted);
}

// The first warning of a run to 1 s; a is set at 0.1 s.
std::string WarningOf(const std::string& algorithm) {
  const RunResult run =
      Simulate(CompileBody("  Real x(start = 0, fixed = true), w = 2*x;\n"
                           "  Real a(start = 0, fixed = true);\n"
                           "equation\n  der(x) = 1;\n" +
                           algorithm),
               {.stop = 1});
  return run.summary.diagnostics.empty() ? "none"
                                         : run.summary.diagnostics[0].message;
}

TEST(SimulationTest, AWarningOfAWhenClauseHasTheValuesOfItsEvent) {
  const std::string when = "algorithm\n  when x > 0.1 then\n    a := 1;\n";
  const std::string level = ", AssertionLevel.warning);\n";
  EXPECT_EQ(WarningOf(when +
                      "    assert(a < 1, \"a is \" + String(a) + \" x \" + "
                      "String(x) + \" w \" + String(w)" +
                      level + "  end when;\n"),
            "at t = 0.1 s: a is 1 x 0.1 w 0.2");
  EXPECT_EQ(
      WarningOf(when +
                "    a := a + 2;\n    assert(false, \"a is \" + String(a)" +
                level + "  end when;\n"),
      "at t = 0.1 s: a is 3");
  EXPECT_EQ(WarningOf(when + "  elsewhen x > 0.5 then\n    a := 7*w;\n" +
                      "    assert(a < 2, \"a is \" + String(a)" + level +
                      "  end when;\n"),
            "at t = 0.5 s: a is 7");
}

TEST(SimulationTest, AWarningBesideAResetHasTheValuesBeforeIt) {
  EXPECT_EQ(
      WarningOf("  when x > 0.25 then\n    reinit(x, 0);\n"
                "    assert(false, \"w is \" + String(w), "
                "AssertionLevel.warning);\n  end when;\n"
                "algorithm\n  when x > 5 then\n    a := 1;\n  end when;\n"),
      "at t = 0.25 s: w is 0.5");
}

TEST(SimulationTest, ValuesInMessagesAreWrittenAsStringIsAskedTo) {
  EXPECT_EQ(
      EndOf(R"(
  type E = enumeration(red, green);
  parameter Integer n = 7;
  Real x = 2 + time;
equation
  assert(x < 2,
    String(n, minimumLength=3) + "|" +
    String(n, minimumLength=3, leftJustified=false) + "|" +
    String(x > 1, minimumLength=5) + "|" +
    String(E.green, minimumLength=6) + "|" +
    String(x, significantDigits=3, minimumLength=4) + "|" +
    String(x, format=".3f") + "|" + String(3.14159265, format="6.2f"));
)"),
      "assertion fails at t = 0 s: 7  |  7|true |green |2   |2.000|  3.14");
}

TEST(SimulationTest, AClockThatWouldTickForHoursIsRefused) {
  const RunResult run = Simulate(CompileBody("  Integer n(start = 0);\n"
                                             "equation\n"
                                             "  when sample(0, 1e-12) then\n"
                                             "    n = pre(n) + 1;\n"
                                             "  end when;\n"),
                                 {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kBadClock);
  EXPECT_EQ(run.summary.message,
            "cannot run that far: 'sample(0, 1e-12)' would tick every 1e-12 s, "
            "more than 1e10 times; let it tick less often, or let the run end "
            "earlier");
}

TEST(SimulationTest, ElementsThatAreNotThereAreToldFromThoseThatAre) {
  const auto program = CompileBody(
      "  parameter Real k = 1, none[0], m[2, 3] = fill(1, 2, 3);\n"
      "  Real x[2](each start = 1);\n"
      "equation\n"
      "  der(x) = -x;\n");
  const auto why_not = [&](const std::string& name) {
    return MessageOf([&] {
      return Simulate(program, {.settings = {{name, 1}}});
    });
  };
  EXPECT_EQ(why_not("x[3]"),
            "cannot set 'x[3]': no quantity 'x[3]' in model A; 'x' is an array "
            "from x[1] to x[2]");
  EXPECT_EQ(why_not("m[3]"),
            "cannot set 'm[3]': no quantity 'm[3]' in model A; 'm' is an array "
            "from m[1,1] to m[2,3]");
  EXPECT_EQ(why_not("k[1]"),
            "cannot set 'k[1]': no quantity 'k[1]' in model A; 'k' is no "
            "array");
  EXPECT_EQ(why_not("none[1]"),
            "cannot set 'none[1]': no quantity 'none[1]' in model A; 'none' "
            "has no elements");
}

TEST(SimulationTest, WhatNobodyWroteIsNotCounted) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  Real x, y;\n"
                    "equation\n"
                    "  when time > 0.5 then x = 1; end when;\n");
              }),
              HasSubstr("1 equation and 2 unknowns in all"));
}

TEST(SimulationTest, AFaultInABranchIsToldWithNoEvent) {
  const Summary summary =
      Simulate(CompileBody("  Real z = if time > 0 then sin(time)/time "
                           "else 1;\n"),
               {.stop = 1})
          .summary;
  ASSERT_EQ(summary.diagnostics.size(), 1U);
  EXPECT_THAT(summary.diagnostics[0].hint, HasSubstr("write noEvent(if ...)"));
  EXPECT_EQ(Simulate(CompileBody("  Real z = noEvent(if time > 0 then "
                                 "sin(time)/time else 1);\n"),
                     {.stop = 1})
                .summary.outcome,
            RunOutcome::kCompleted);
}

TEST(SimulationTest, WhatNoStateFollowsFromIsComputedInRowsAlone) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true);\n"
      "  Real y = 1/(x - 0.25);\n"
      "equation\n"
      "  der(x) = -0.5;\n");
  const Summary met = Simulate(program, {.stop = 2, .interval = 0.5}).summary;
  EXPECT_EQ(met.outcome, RunOutcome::kNotFinite);
  EXPECT_THAT(met.message, HasSubstr("at t = 1.5 s: division by zero"));
  const RunResult passed = Simulate(program, {.stop = 2, .interval = 2});
  EXPECT_TRUE(passed.summary.completed());
  EXPECT_EQ(passed["y"].final(), -4);
}

TEST(SimulationTest, InitialEquationsDecideTheStart) {
  TestModel model("Settled");
  const Expr x = model.State("x", 7, false);
  model.Equate(model.Der(x), 6 - 2 * x);
  model.Initially(model.Der(x), model.Number(0));
  const RunResult run = Simulate(model.Compiled(), {.stop = 1});
  EXPECT_EQ(run["x"].front(), 3);
  EXPECT_NEAR(run["x"].final(), 3, 1e-12);
}

}  // namespace
}  // namespace orrery
