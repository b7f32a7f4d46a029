// Algebraic loops: cases A1 to A9 of the acceptance list, and their errors.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using testing::HasSubstr;

RunResult RunModel(TestModel& model) {
  return Simulate(model.Compiled(), {.stop = 1, .interval = 0.5});
}

TEST(LoopTest, AWayOutOfTheDomainIsNotTheEndOfTheSearch) {
  // Temperature over enthalpy, nearly flat where the fluid boils: from there
  // Newton's method leads far beyond the range of the function.
  const std::string temperature =
      "  function temperature\n"
      "    input Real h;\n"
      "    output Real T;\n"
      "  algorithm\n"
      "    assert(h > 0 and h < 10, \"out of range\");\n"
      "    T := if h < 2 then h elseif h < 4 then 2 + 1e-9*(h - 3) else h - "
      "2;\n"
      "  end temperature;\n";
  for (const double wanted : {0.5, 5.0}) {
    const RunResult run =
        Simulate(CompileBody(temperature +
                             "  Real h(start = 3);\n"
                             "equation\n"
                             "  " +
                             std::to_string(wanted) + " = temperature(h);\n"),
                 {.stop = 1});
    EXPECT_DOUBLE_EQ(run["h"].final(), wanted < 2 ? wanted : wanted + 2);
  }
}

TEST(LoopTest, A1LinearLoopOfGainMinusOne) {
  TestModel model("A1");
  const Expr x = model.Unknown("x");
  const Expr y = model.Unknown("y");
  const Expr z = model.Unknown("z");
  model.Equate(x, y + 16);
  model.Equate(y, -x - z);
  model.Equate(z, 5);
  const RunResult run = RunModel(model);
  EXPECT_NEAR(run["x"].final(), 5.5, 1e-14);
  EXPECT_NEAR(run["y"].final(), -10.5, 1e-14);
}

TEST(LoopTest, A5TwoLoopsInOrder) {
  TestModel model("A5");
  const Expr a1 = model.Unknown("a1");
  const Expr a2 = model.Unknown("a2");
  const Expr a3 = model.Unknown("a3");
  const Expr a4 = model.Unknown("a4");
  const Expr a5 = model.Unknown("a5");
  const Expr p = model.Unknown("p");
  const Expr n1 = model.Unknown("n1");
  const Expr n2 = model.Unknown("n2");
  model.Equate(a1, 3 + a3);
  model.Equate(a2, 2 + a3);
  model.Equate(a3, a1 + a2);
  model.Equate(p, 1.5 * a3);
  model.Equate(n1, -p);
  model.Equate(a4, n1 + a5);
  model.Equate(a5, 1 + n2);
  model.Equate(n2, -a4);
  const RunResult run = RunModel(model);
  EXPECT_NEAR(run["a1"].final(), -2, 1e-14);
  EXPECT_NEAR(run["a2"].final(), -3, 1e-14);
  EXPECT_NEAR(run["a3"].final(), -5, 1e-14);
  EXPECT_NEAR(run["a4"].final(), 4.25, 1e-14);
  EXPECT_NEAR(run["a5"].final(), -3.25, 1e-14);
}

TEST(LoopTest, A7NonlinearLoopThroughARoot) {
  TestModel model("A7");
  const Expr a1 = model.Unknown("a1");
  const Expr a2 = model.Unknown("a2");
  const Expr s = model.Unknown("s");
  model.Equate(a1, 4 + a2);
  model.Equate(a2, 2 + s);
  model.Equate(s, sqrt(a1));
  const RunResult run = RunModel(model);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["a1"].final(), 9, 1e-13);
  EXPECT_NEAR(run["s"].final(), 3, 1e-13);
  EXPECT_NEAR(run["a2"].final(), 5, 1e-13);
  EXPECT_GT(run.summary.loop_iterations, 0);
}

TEST(LoopTest, A8LoopWithoutRealSolutionIsReported) {
  TestModel model("A8");
  const Expr p = model.Unknown("p");
  const Expr a1 = model.Unknown("a1");
  const Expr a2 = model.Unknown("a2");
  model.Equate(p, a1 * a2);
  model.Equate(a1, 10 + p);
  model.Equate(a2, 15 + p);
  const RunResult run = RunModel(model);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_THAT(run.summary.message,
              HasSubstr("cannot solve the algebraic loop {"));
  for (const char* name : {"p", "a1", "a2"}) {
    EXPECT_THAT(run.summary.message, HasSubstr(name));
  }
  EXPECT_THAT(run.summary.message,
              HasSubstr("at t = 0 s: no real solution found near "));
  EXPECT_EQ(run.trajectory.rows(), 0);
}

// x^2 - x + 10 is least at x = 0.5, where it is 9.75 and has no slope.
TEST(LoopTest, WhereALoopWithoutASolutionComesNearestToOneIsTold) {
  const auto program = CompileBody("  Real x;\nequation\n  x = 10 + x^2;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_EQ(
      run.summary.message,
      "cannot solve the algebraic loop {x} at t = 0 s: no real solution "
      "found near x = 0, nearest to one at x = 0.5, where x = 10 + x^2 is "
      "off by 9.75; its equations: x = 10 + x^2");
  EXPECT_EQ(run.summary.diagnostics.at(0).hint,
            "if there is a solution, begin nearer to it, by the start value of "
            "x");
}

// From the event on, squares would have to be negative.
TEST(LoopTest, WhereALoopThatWasSolvedHasNoSolutionNoStartValueIsAdvised) {
  const auto program = CompileBody(
      "  Real y(start = 1), z(start = 1);\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  y^2 + z^4 = 0.5 - (if time < 0.5 then 0 else time);\n"
      "  y = z^3;\n"
      "  der(x) = y;\n");
  const RunResult run = Simulate(program, {.stop = 2});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_THAT(run.summary.message, HasSubstr("at t = 0.5 s: no real solution"));
  EXPECT_EQ(run.summary.diagnostics.at(0).hint,
            "it was solved up to here: check whether its equations still have "
            "a solution, and one that does not jump");
}

// A root that Newton's method leaves is not an error of the start.
TEST(LoopTest, WhereEquationsHaveAValueAtTheStartTheyAreNotSaidToHaveNone) {
  const auto program = CompileBody(
      "  Real x(start = 4), y(start = 1);\nequation\n"
      "  sqrt(x) = -y - 1;\n  y = 1 + x;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_THAT(run.summary.message, HasSubstr("no real solution found near"));
}

// Two equations that say the same leave x and y free along a line.
TEST(LoopTest, ALoopThatHoldsAndIsFreeIsCalledSingular) {
  const auto program = CompileBody(
      "  Real x(start = 2);\n  Real y(start = 1);\nequation\n"
      "  (x + y)^3 = 27;\n  (x + y)^5 = 243;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_THAT(run.summary.message,
              HasSubstr("its equations no longer determine its unknowns (the "
                        "matrix of their derivatives is singular)"));
}

// There is no slope where each of them begins.
TEST(LoopTest, ASolutionWithoutSlopeIsTakenIfThereIsNoOtherBesideIt) {
  for (const char* equations : {"x*abs(x) = 0;\n  y = x + 1;\n",
                                "(x - y + 1)^3 = 0;\n  (x + y - 1)^2 = 0;\n",
                                "x*x*y = 0;\n  y = 1 + sin(x);\n"}) {
    const auto program =
        CompileBody("  Real x(start = 0), y(start = 1);\nequation\n  " +
                    std::string(equations));
    const RunResult run = Simulate(program, {.stop = 1});
    EXPECT_EQ(run.summary.message, "");
    EXPECT_EQ(run["x"].final(), 0);
    EXPECT_EQ(run["y"].final(), 1);
  }
}

// The enthalpy of a flow that ends.
TEST(LoopTest, UnknownsThatBecomeFreeStayAndAWarningNamesThem) {
  const auto program = CompileBody(
      "  Real m(start = 1), h(start = 2.1), q = max(0, 1 - time);\n"
      "equation\n  m = q*h/2;\n  m*(h - 2) = 0;\n");
  const RunResult run = Simulate(program, {.stop = 2});
  EXPECT_EQ(run.summary.message, "");
  EXPECT_EQ(run["m"].final(), 0);
  EXPECT_EQ(run["h"].final(), 2);
  ASSERT_EQ(run.summary.diagnostics.size(), 1U);
  EXPECT_THAT(run.summary.diagnostics[0].message,
              HasSubstr("from t = 1 s on, nothing determines h: "));
}

// The circle and the hyperbola touch at t = 0.4.
TEST(LoopTest, WhereTwoSolutionsMeetItIsSaidThatTheyMayEnd) {
  const auto program = CompileBody(
      "  Real x(start = 1);\n  Real y(start = 1);\n"
      "  Real z(start = 0, fixed = true);\nequation\n"
      "  x^2 + y^2 = 1 - time;\n  x*y = 0.3;\n  der(z) = x;\n");
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_NEAR(run.summary.end_time, 0.4, 1e-9);
  EXPECT_EQ(run.summary.diagnostics.at(0).hint,
            "two solutions meet here and end, or there are many: check the "
            "loop's equations");
}

TEST(LoopTest, A9FixedPointsOfCosineAndExponential) {
  TestModel model("A9");
  const Expr x = model.Unknown("x");
  const Expr y = model.Unknown("y");
  model.Equate(x, cos(x));
  model.Equate(y, exp(-y));
  const RunResult run = RunModel(model);
  EXPECT_NEAR(run["x"].final(), 0.739085133215160641655, 2e-16);
  EXPECT_NEAR(run["y"].final(), 0.567143290409783872999, 2e-16);
}

TEST(LoopTest, LoopIsFollowedOverTimeAndItsJacobianIsExact) {
  // x' = -z with z^3 + z = x: an implicit method sees dz/dx = 1/(3z^2 + 1).
  TestModel model("Cubic");
  const Expr x = model.State("x", 2);
  const Expr z = model.Unknown("z", 1);
  model.Equate(model.Der(x), -z);
  model.Equate(z * z * z + z, x);
  const auto program = model.Compiled();
  SimulationOptions options{.stop = 2, .tolerance = 1e-10};
  const RunResult reference = Simulate(program, options);
  options.method = Method::kRosenbrock;
  const RunResult run = Simulate(program, options);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  // t = 1.5 (1 - z^2) - ln z, from dt = -(3 z^2 + 1)/z dz.
  const double z_end = run["z"].final();
  EXPECT_NEAR(1.5 * (1 - z_end * z_end) - std::log(z_end), 2, 1e-8);
  EXPECT_NEAR(reference["z"].final(), z_end, 1e-8);
  // A wrong Jacobian would cost the Rosenbrock method its order and steps.
  EXPECT_LT(run.summary.steps, 400);
}

TEST(LoopTest, LinearLoopThatBecomesSingularEndsTheRunThere) {
  // (1 - t) z = 1 through two equations.
  TestModel model("Pole");
  const Expr x = model.State("x", 0);
  const Expr z = model.Unknown("z");
  const Expr w = model.Unknown("w");
  model.Equate(z, 1 + model.Time() * w);
  model.Equate(z, w + 0 * x);
  model.Equate(model.Der(x), z);
  const RunResult run = Simulate(model.Compiled(), {.stop = 2});
  EXPECT_FALSE(run.summary.completed());
  EXPECT_NEAR(run.summary.end_time, 1, 1e-2);
}

TEST(LoopTest, StartValueChoosesBetweenSolutions) {
  TestModel model("Square");
  const Expr z = model.Unknown("z", -1);
  model.Equate(z * z, 4 + 0 * z);
  const RunResult run = RunModel(model);
  EXPECT_NEAR(run["z"].final(), -2, 1e-14);
  const RunResult other = Simulate(model.Compiled(), {.settings = {{"z", 1}}});
  EXPECT_NEAR(other["z"].final(), 2, 1e-14);
}

TEST(LoopTest, SingularStartIsLeft) {
  // At z = 0 the slope of z^2 - 4 is zero.
  TestModel model("Square");
  const Expr z = model.Unknown("z", 0);
  model.Equate(z * z, 4);
  const RunResult run = RunModel(model);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(std::abs(run["z"].final()), 2, 1e-14);
}

// log(p) = time, by a function that asserts p > 0.
std::shared_ptr<const Program> LogarithmFrom(const std::string& start) {
  return CompileBody(
      "  function f\n"
      "    input Real p;\n"
      "    output Real y;\n"
      "  algorithm\n"
      "    assert(p > 0, \"the pressure must be positive\");\n"
      "    y := log(p);\n"
      "  end f;\n"
      "  Real p(start = " +
      start +
      ");\n"
      "equation\n"
      "  f(p) = time;\n");
}

// A full step from 5 leads to 5 - 5 log(5) < 0.
TEST(LoopTest, StepsToWhereAnAssertionFailsAreShortened) {
  const RunResult run = Simulate(LogarithmFrom("5"), {.stop = 1});
  EXPECT_NEAR(run["p"].final(), std::exp(1), 1e-14);
}

TEST(LoopTest, AnAssertionThatFailsAtTheStartIsTold) {
  const RunResult run = Simulate(LogarithmFrom("-5"), {.stop = 1});
  EXPECT_THAT(run.summary.message, HasSubstr("the pressure must be positive"));
}

// Nobody has given the start of p, 0, where the assertion fails.
TEST(LoopTest, AStartThatNobodyHasGivenIsLeftForWhereAssertionsHold) {
  const RunResult run = Simulate(
      CompileBody(
          "  function f\n"
          "    input Real h;\n"
          "    output Real y;\n"
          "  algorithm\n"
          "    assert(h > 4e4 and h < 4e6, \"the enthalpy is out of range\");\n"
          "    y := log(h/1e5);\n"
          "  end f;\n"
          "  Real h;\n"
          "equation\n"
          "  f(h) = time;\n"),
      {.stop = 1});
  EXPECT_NEAR(run["h"][0], 1e5, 1e-9);
  EXPECT_NEAR(run["h"].final(), 1e5 * std::exp(1), 1e-9);
}

TEST(LoopTest, WhereItHasNoSlopeALoopGoesOn) {
  const RunResult run =
      Simulate(CompileBody("Real m(start = 0.1);"
                           "equation 50*m*abs(m) = sin(6*time + 0.3);"),
               {.stop = 1, .interval = 0.01});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double m = run["m"][row];
    EXPECT_NEAR(50 * m * std::abs(m),
                std::sin(6 * run.trajectory.time()[row] + 0.3),
                1e-14);
  }
}

TEST(LoopTest, ALoopWithoutStatesIsFollowed) {
  const RunResult run =
      Simulate(CompileBody("Real y(start = 1);"
                           "equation exp(y) = 100*time + 1e-9;"),
               {.stop = 1, .interval = 0.1});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["y"].final(), std::log(100 + 1e-9), 1e-14);
}

// y^3 - 3y has a top of 2 at y = -1, reached at 0.875 s; y = 2 is the other
// solution there, and y^3 - 3y = 3 at the end.
TEST(LoopTest, ARunGoesOnWithAnotherSolutionWhereOneEnds) {
  const RunResult run =
      Simulate(CompileBody("Real y(start = -2);"
                           "equation y^3 - 3*y = 8*time - 5;"),
               {.stop = 1, .interval = 0.001});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["y"].final(), 2.1038034027355366, 1e-9);
  EXPECT_NEAR(run["y"].at(0.8), -1.4189200553932875, 1e-6);
  ASSERT_EQ(run.events.size(), 1);
}

TEST(LoopTest, StartWhereAnExponentialOverflowsIsLeft) {
  // 5 V, a resistor and two diodes: (5 - a)/1000 = i(a - b) = i(b), and so
  // a = 2b. At the start, i(100) is exp(4000).
  TestModel model("Overflow");
  const Expr a = model.Unknown("a", 100);
  const Expr b = model.Unknown("b", -100);
  const auto current = [&](Expr v) {
    return 1e-12 * (exp(v / 0.025) - 1.0);
  };
  model.Equate((5.0 - a) / 1000.0, current(a - b));
  model.Equate(current(a - b), current(b));
  const RunResult run = RunModel(model);
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const double v = run["b"].final();
  EXPECT_NEAR(run["a"].final(), 2 * v, 1e-14);
  EXPECT_NEAR((5 - 2 * v) / 1000, 1e-12 * std::expm1(v / 0.025), 1e-15);
}

TEST(LoopTest, ExponentialsWithoutASolutionAreReportedFromTheirStart) {
  // By the first equation y < 0 and x = y + ln(-y) <= -1; the cube of such an x
  // is far below y + 1000.
  TestModel model("Nowhere");
  const Expr x = model.Unknown("x", 2);
  const Expr y = model.Unknown("y", 3);
  model.Equate(exp(x), -exp(y) * y);
  model.Equate(x * x * x, y + 1000 + exp(y - x));
  const RunResult run = RunModel(model);
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_THAT(run.summary.message,
              HasSubstr("no real solution found near x = 2, y = 3"));
}

TEST(LoopTest, SmallSolutionsAreAsExactAsLargeOnes) {
  TestModel model("Small");
  const Expr z = model.Unknown("z", 1);
  model.Equate(z + 1e8 * z * z, 2e-8);
  const RunResult run = RunModel(model);
  EXPECT_NEAR(run["z"].final(), 1e-8, 1e-22);
}

// x' = -(x - 2)/(1 + r), through a loop: r is 2, from t = 0.5 on 4.
TEST(LoopTest, AMatrixThatChangesAtEventsIsFactoredOnceInBetween) {
  const auto program = CompileText(R"(
model Switched
  Real x(start = 1, fixed = true);
  discrete Real r(start = 2, fixed = true);
  Real y;
  Real z;
equation
  when time >= 0.5 then
    r = 4;
  end when;
  z + r*y = x;
  z - y = 2;
  der(x) = -y;
end Switched;
)");
  ASSERT_EQ(program->blocks.size(), 2U);  // One is for the start.
  EXPECT_TRUE(program->blocks[0].has_constant_matrix);
  EXPECT_TRUE(program->blocks[1].has_constant_matrix);
  std::vector<std::int64_t> factorizations;
  std::vector<std::int64_t> steps;
  for (const double tolerance : {1e-4, 1e-12}) {
    const internal::RunPlan plan(*program,
                                 {.stop = 1,
                                  .tolerance = tolerance,
                                  .absolute_tolerance = tolerance,
                                  .method = Method::kDormandPrince5,
                                  .interval = 1,
                                  .max_step = 1});
    internal::ProgramRun run(plan, {});
    run.Start();
    while (run.Step(1)) {
    }
    EXPECT_NEAR(run.TakeRecorded()["x"].final(),
                2 - std::exp(-0.5 / 3 - 0.5 / 5),
                10 * tolerance);
    factorizations.push_back(run.evaluator().loop_factorizations());
    steps.push_back(run.steps());
  }
  EXPECT_GT(steps[1], 5 * steps[0]);
  EXPECT_EQ(factorizations[1], factorizations[0]);
}

// A square grid of equal resistors, 1 V above its first row and 0 V below the
// last: no current flows along the rows, so that row i of n is at
// (n - i) / (n + 1) V. Torn without bounds, this is a shooting method and
// singular to rounding from n = 20 on.
TEST(LoopTest, GridOfResistorsIsSolvedToRounding) {
  constexpr int kSize = 40;
  TestModel model("Grid");
  std::vector<std::vector<Expr>> v(kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      v[static_cast<std::size_t>(i)].push_back(
          model.Unknown("v" + std::to_string(i) + "_" + std::to_string(j)));
    }
  }
  const auto at = [&](int i, int j) {
    return v[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      Expr flow = i > 0 ? at(i, j) - at(i - 1, j) : at(i, j) - 1;
      flow = flow + (i + 1 < kSize ? at(i, j) - at(i + 1, j) : at(i, j));
      flow = j > 0 ? flow + (at(i, j) - at(i, j - 1)) : flow;
      flow = j + 1 < kSize ? flow + (at(i, j) - at(i, j + 1)) : flow;
      model.Equate(model.Number(0), flow);
    }
  }
  const auto program = model.Compiled();
  ASSERT_EQ(program->blocks.size(), 1U);
  EXPECT_TRUE(program->blocks[0].has_constant_matrix);
  EXPECT_GT(program->blocks[0].unknown_slots.size(), 100U);
  const RunResult run = Simulate(program, {.stop = 1, .interval = 0.5});
  for (const int i : {0, 7, 20, 39}) {
    const std::string name = "v" + std::to_string(i) + "_13";
    EXPECT_NEAR(run[name].final(), (kSize - i) / (kSize + 1.0), 1e-12);
  }
}

// x[i] = f(x[i - 1]) round a ring: f(x) = x for every unknown. Torn once, the
// error of the one guess, 1e-16 of it, comes back times the slope of f, or its
// inverse, to the power of 100.
TEST(LoopTest, RingsAreSolvedToRoundingWhateverTheirGain) {
  const auto solve_ring = [](auto f) {
    constexpr int kSize = 100;
    TestModel model("Ring");
    std::vector<Expr> x;
    for (int i = 0; i < kSize; ++i) {
      x.push_back(model.Unknown("x" + std::to_string(i)));
    }
    for (int i = 0; i < kSize; ++i) {
      const int before = (i + kSize - 1) % kSize;
      model.Equate(x[static_cast<std::size_t>(i)],
                   f(x[static_cast<std::size_t>(before)]));
    }
    const RunResult run = RunModel(model);
    std::vector<double> results;
    for (int i = 0; i < kSize; ++i) {
      results.push_back(run["x" + std::to_string(i)].final());
    }
    return results;
  };
  using testing::DoubleNear;
  using testing::Each;
  for (const double gain : {-1.7, 0.3, 1.7}) {
    EXPECT_THAT(solve_ring([gain](Expr x) { return gain * x + 1; }),
                Each(DoubleNear(1 / (1 - gain), 1e-11)));
  }
  EXPECT_THAT(solve_ring([](Expr x) {
                return 2 * x - 1.0 / 3 + 0.1 * sin(x - 1.0 / 3);
              }),
              Each(DoubleNear(1.0 / 3, 1e-11)));
}

// x[i] = gain[i]*x[i - 1] round a ring; one gain is 0 and 1 is added behind it.
// x is 1 all the way round, for any place of that gain.
TEST(LoopTest, GainsThatAre0AreNotDividedBy) {
  for (const int size : {6, 300}) {
    for (int cut = 0; cut < size; cut += size / 6) {
      TestModel model("Ring");
      std::vector<Expr> x;
      for (int i = 0; i < size; ++i) {
        x.push_back(model.Unknown("x" + std::to_string(i)));
      }
      for (int i = 0; i < size; ++i) {
        const Expr gain =
            model.Parameter("gain" + std::to_string(i), i == cut ? 0 : 1);
        const Expr before = x[static_cast<std::size_t>((i + size - 1) % size)];
        model.Equate(x[static_cast<std::size_t>(i)],
                     i == cut ? gain * before + 1 : gain * before);
      }
      const RunResult run = RunModel(model);
      for (int i = 0; i < size; ++i) {
        EXPECT_EQ(run["x" + std::to_string(i)].final(), 1);
      }
    }
  }
}

// A*x = b, where elements of the parameter A are 0.
TEST(LoopTest, MatricesOfParametersMayHaveZeros) {
  const RunResult run = Simulate(
      CompileBody("  parameter Real A[4, 4] = {{1, 2, 0, 0}, {0, 1, 0, 3},\n"
                  "                              {0, 0, 0, 1}, {0, 1, 1, 0}};\n"
                  "  Real x[4];\n"
                  "equation\n"
                  "  A*x = {1, 2, 3, 4};\n"),
      {.stop = 1, .interval = 0.5});
  EXPECT_NEAR(run["x[1]"].final(), 15, 1e-12);
  EXPECT_NEAR(run["x[2]"].final(), -7, 1e-12);
  EXPECT_NEAR(run["x[3]"].final(), 11, 1e-12);
  EXPECT_NEAR(run["x[4]"].final(), 3, 1e-12);
}

// z^2 = x has two solutions; the context contains the one that is followed.
TEST(LoopTest, SnapshotHoldsWhichSolutionIsFollowed) {
  TestModel model("Branches");
  const Expr x = model.State("x", 4);
  const Expr z = model.Unknown("z", 1.5);
  model.Equate(model.Der(x), z);
  model.Equate(z * z * z - z * x, model.Number(0));
  const auto program = model.Compiled();
  internal::ProgramEvaluator evaluator(*program);
  for (const Schedule* schedule :
       {&program->initialization, &program->derivatives}) {
    ASSERT_FALSE(evaluator.Run(*schedule,
                               internal::ProgramEvaluator::LoopStart::kMemory));
  }
  evaluator.AcceptLoops();
  const Context snapshot = evaluator.context();
  const std::uint32_t slot = program->blocks.at(0).unknown_slots.at(0);
  const double followed = evaluator.memory()[slot];
  ASSERT_EQ(followed, 2.0);

  evaluator.memory()[slot] = -2;
  evaluator.AcceptLoops();
  ASSERT_FALSE(evaluator.Run(program->derivatives));
  EXPECT_EQ(evaluator.memory()[slot], -2.0);

  evaluator.Restore(snapshot);
  ASSERT_FALSE(evaluator.Run(program->derivatives));
  EXPECT_EQ(evaluator.memory()[slot], followed);
}

TEST(LoopTest, WhatNothingHasSolvedYetIsNotTakenForSolved) {
  TestModel model("Cube");
  const Expr x = model.State("x", 8);
  const Expr z = model.Unknown("z", 1);
  model.Equate(model.Der(x), z);
  model.Equate(z * z * z + z, x);
  const auto program = model.Compiled();
  internal::ProgramEvaluator evaluator(*program);
  evaluator.AcceptLoops();
  EXPECT_FALSE(evaluator.loop(0).was_accepted());
  for (const Schedule* schedule :
       {&program->initialization, &program->derivatives}) {
    ASSERT_FALSE(evaluator.Run(*schedule,
                               internal::ProgramEvaluator::LoopStart::kMemory));
  }
  evaluator.AcceptLoops();
  EXPECT_TRUE(evaluator.loop(0).was_accepted());
}

// Newton's method ends within rounding of the solution; the end depends on its
// begin.
TEST(LoopTest, WhatIsRecordedChangesNoBitOfWhatIsSolved) {
  const auto program = CompileBody(
      "  Real x(start = 0.3, fixed = true);\n"
      "  Real y(start = 0.5, fixed = true);\n"
      "  Real w;\n"
      "equation\n"
      "  der(x) = w - 0.3*x;\n"
      "  der(y) = sin(3*w) - y;\n"
      "  w + 0.2*sin(w) = 0.6*x - 0.9*y + time;\n");
  const auto at_end = [&](SimulationOptions options, double interval) {
    options.stop = 4;
    options.interval = interval;
    const RunResult run = Simulate(program, options);
    return std::pair(run["x"].final(), run["y"].final());
  };
  constexpr double kStep = 1.0 / 64;
  for (const SimulationOptions& options :
       {SimulationOptions{.method = Method::kDormandPrince5},
        SimulationOptions{.method = Method::kDormandPrince8},
        SimulationOptions{.method = Method::kRungeKutta4, .step = kStep},
        SimulationOptions{.method = Method::kEuler, .step = kStep}}) {
    const auto alone = at_end(options, 4);
    EXPECT_EQ(alone, at_end(options, kStep)) << NameOf(options.method).name;
    EXPECT_EQ(alone, at_end(options, 0.003)) << NameOf(options.method).name;
  }
}

// Before a loop -------------------------------------------------------------

std::string FailureOf(const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 1, .interval = 0.01})
      .summary.message;
}

TEST(LoopTest, ARootOfANegativeNumberIsNotBlamedOnTheLoopBehindIt) {
  const RunResult run = Simulate(CompileBody("  Real a, b, c, d, e, u;\n"
                                             "equation\n"
                                             "  a = b^2 + 3;\n"
                                             "  b = sin(c*e);\n"
                                             "  c = sqrt(d - 4.5);\n"
                                             "  d = 0.5*3.14159265;\n"
                                             "  e = a^2 + u;\n"
                                             "  u = sin(time);\n"),
                                 {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.summary.message,
            "cannot evaluate c = sqrt(d - 4.5) at t = 0 s: sqrt(-2.929203675) "
            "is not a real number");
  ASSERT_EQ(run.summary.diagnostics.size(), 1);
  EXPECT_EQ(run.summary.diagnostics[0].line, 6);
}

TEST(LoopTest, ADivisionByZeroIsNotBlamedOnTheLinearLoopBehindIt) {
  const auto program = CompileBody(
      "  parameter Real k = 0;\n"
      "  Real g, x[5];\n"
      "equation\n"
      "  g = 1/k;\n"
      "  x[1] = g*x[5] + 1;\n"
      "  for i in 2:5 loop\n"
      "    x[i] = time*x[i-1] + x[1];\n"
      "  end for;\n");
  ASSERT_EQ(program->blocks.size(), 1);
  ASSERT_TRUE(program->blocks[0].is_linear);
  EXPECT_EQ(Simulate(program, {.stop = 1}).summary.message,
            "cannot evaluate g = 1/k at t = 0 s: division by zero: 1/0");
}

TEST(LoopTest, AnErrorInTheDerivativesIsNotBlamedOnALoopOfOutputs) {
  EXPECT_EQ(FailureOf("  Real s(start = 1, fixed = true), c, x, y;\n"
                      "equation\n"
                      "  der(s) = -c;\n"
                      "  c = log(time);\n"
                      "  x = cos(y + c);\n"
                      "  y = x*time;\n"),
            "cannot evaluate c = log(time) at t = 0 s: log(0) is -infinity");
}

TEST(LoopTest, AnErrorInTheCourseOfARunIsNotBlamedOnALoop) {
  EXPECT_THAT(FailureOf("  Real s(start = 1, fixed = true), c, x, y;\n"
                        "equation\n"
                        "  der(s) = y - 1.75;\n"
                        "  c = sqrt(s - 0.5);\n"
                        "  x = cos(y + 0*c);\n"
                        "  y = x*time + c;\n"),
              HasSubstr("cannot evaluate c = sqrt(s - 0.5) at t = 0."));
}

TEST(LoopTest, AnErrorInAnEventIsNotBlamedOnALoop) {
  EXPECT_EQ(FailureOf("  discrete Real n(start = 1, fixed = true);\n"
                      "  Real c, x, y;\n"
                      "equation\n"
                      "  when time > 0.5 then\n"
                      "    n = pre(n) - 2;\n"
                      "  end when;\n"
                      "  c = sqrt(n);\n"
                      "  x = cos(y + c);\n"
                      "  y = x/2;\n"),
            "cannot evaluate c = sqrt(n) at t = 0.5 s: sqrt(-1) is not a real "
            "number");
}

TEST(LoopTest, AnErrorInAnInitialEquationIsNotBlamedOnALoop) {
  EXPECT_EQ(FailureOf("  parameter Real p = -4;\n"
                      "  Real s, c = sqrt(p), x, y;\n"
                      "initial equation\n"
                      "  s = x;\n"
                      "equation\n"
                      "  der(s) = -s;\n"
                      "  x = cos(y + c);\n"
                      "  y = x/2;\n"),
            "cannot evaluate c = sqrt(p) at t = 0 s: sqrt(-4) is not a real "
            "number");
}

TEST(LoopTest, AnErrorOfALoopIsBlamedOnIt) {
  EXPECT_THAT(FailureOf("  Real c, x, y;\n"
                        "equation\n"
                        "  c = sqrt(1 + time);\n"
                        "  x = sqrt(-1 - y^2);\n"
                        "  y = x*c;\n"),
              HasSubstr("sqrt(-1 - y^2)"));
}

// m = a - y with y = m |m|.
double RootOf(double a) {
  return std::copysign((std::sqrt(1 + 4 * std::abs(a)) - 1) / 2, a);
}

// A loop whose y is m |m|, written otherwise.
void ExpectRoots(const std::string& law) {
  const RunResult run = Simulate(CompileBody("  parameter Real c = 3;\n"
                                             "  Real a = 6*sin(3*time), m, y;\n"
                                             "equation\n"
                                             "  y = " +
                                             law +
                                             ";\n"
                                             "  m = a - y;\n"),
                                 {.stop = 5});
  EXPECT_EQ(run.summary.message, "") << law;
  for (std::size_t i = 0; i < run["a"].values().size(); ++i) {
    EXPECT_NEAR(run["m"].values()[i], RootOf(run["a"].values()[i]), 1e-9);
  }
}

TEST(LoopTest, ASignTimesWhatVanishesWithItIsNoJump) {
  ExpectRoots("sign(m)*m^2");
  ExpectRoots("-m^2*sign(m)*(-1)");
  ExpectRoots("sign(m)*abs(m)^1.5*sqrt(abs(m))");
}

// With a held relation, y is on the wrong parabola; a root has no value beyond
// its end.
TEST(LoopTest, AChoiceBetweenBranchesThatMeetIsAsItIs) {
  ExpectRoots("if m > 0 then m^2 else -m^2");
  ExpectRoots(
      "if m >= 0 then m^2 elseif m < -0.5 then 0.25 - m^2 - 0.25 else -m^2");
  ExpectRoots(
      "if m > 0 then c*sqrt(m)*m*sqrt(m)/c else -c*sqrt(-m)*sqrt(-m)*(-m)/c");
}

TEST(LoopTest, AChoiceBetweenBranchesThatDoNotMeetIsMadeInAnEvent) {
  const RunResult run =
      Simulate(CompileBody("  Real x(start = 0, fixed = true);\n"
                           "  Real a = 3*cos(time), m, y;\n"
                           "equation\n"
                           "  der(x) = 1;\n"
                           "  y = if m > 0 then m^3 - 1 else m^3 + 1;\n"
                           "  m = a - y;\n"),
               {.stop = 3});
  ASSERT_EQ(run.events.size(), 1);
  EXPECT_NEAR(run.events.entries().front().t, std::acos(-1.0 / 3), 1e-9);
  EXPECT_NEAR(run["m"].at(run.events.entries().front().t), -1, 1e-9);
}

TEST(LoopTest, AHeldSignIsListedAsItsRelations) {
  EXPECT_EQ(ListEquations(*CompileBody("  Real x(start = 1, fixed = true), y;\n"
                                       "equation\n"
                                       "  der(x) = -1;\n"
                                       "  y = 3*sign(x);\n")),
            "der(x) = -1\n"
            "y = 3*(if x > 0 then 1 elseif x < 0 then -1 else 0)\n");
}

TEST(LoopTest, WhatEventsSetIsListedAfterTheOthers) {
  EXPECT_EQ(ListEquations(*CompileBody("  Real x(start = 1, fixed = true);\n"
                                       "  Integer n(start = 0, fixed = true);\n"
                                       "  Boolean on = time > 3;\n"
                                       "equation\n"
                                       "  der(x) = if x < 0.5 then n else -1;\n"
                                       "  when x < 0 then\n"
                                       "    n = pre(n) + 1;\n"
                                       "  end when;\n")),
            "der(x) = if x < 0.5 then n else -1\n"
            "[ at events\n"
            "    when1.condition = x < 0\n"
            "    n = if when1.condition and not pre(when1.condition) then "
            "pre(n) + 1 else pre(n)\n"
            "    on = time > 3\n"
            "]\n");
}

}  // namespace
}  // namespace orrery
