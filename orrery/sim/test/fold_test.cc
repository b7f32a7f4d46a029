// Nonlinear loops are followed to where their solution ends, at a fold; there
// they take another one.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr std::array kAdaptive = {Method::kDormandPrince5,
                                  Method::kDormandPrince8,
                                  Method::kRosenbrock,
                                  Method::kCvodeBdf,
                                  Method::kCvodeAdams,
                                  Method::kIda};

// y^3 - y = x has folds at x = 2/(3 sqrt 3), where y = -1/sqrt 3, and at -x.
// With x = 0.8 sin t they are reached at a, pi + a and 2 pi + a.
TEST(FoldTest, HysteresisJumpsAtItsFoldsInBothDirectionsByEveryMethod) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true), z(start = 0, fixed = true);\n"
      "  Real y(start = -1);\n"
      "equation\n"
      "  der(x) = 0.8*cos(time);\n"
      "  y^3 - y = x;\n"
      "  der(z) = y;\n");
  const double fold = std::asin(2 / (3 * std::sqrt(3.0)) / 0.8);
  for (const Method method : kAdaptive) {
    const RunResult run = Simulate(
        program,
        {.stop = 7, .tolerance = 1e-8, .method = method, .interval = 0.01});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    ASSERT_EQ(run.events.size(), 3) << run.summary.solver;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(run.events.entries()[i].t,
                  fold + static_cast<double>(i) * std::numbers::pi,
                  1e-7)
          << run.summary.solver;
    }
    for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
      const double t = run.trajectory.time()[row];
      const bool is_high = (t > fold && t < fold + std::numbers::pi) ||
                           t > fold + 2 * std::numbers::pi;
      if (std::abs(std::remainder(t - fold, std::numbers::pi)) > 1e-6) {
        EXPECT_EQ(run["y"][row] > 0, is_high)
            << run.summary.solver << " at " << t;
      }
    }
  }
}

// The solution y > 0 of y^3 - y = x, which holds from x = -2/(3 sqrt 3) on.
double UpperCubeRoot(double x) {
  const double c = 1.5 * std::sqrt(3.0) * x;
  return 2 / std::sqrt(3.0) *
         (c <= 1 ? std::cos(std::acos(c) / 3) : std::cosh(std::acosh(c) / 3));
}

// A run whose first step is at least a 50th of 10 s reaches beyond the fold at
// 0.194 s before the loop is solved anywhere but at the start.
TEST(FoldTest, AFoldWithinTheFirstStepIsPassed) {
  const auto program = CompileBody(
      "  Real y(start = -1.5);\nequation\n  y^3 - y = 2*sin(time);\n");
  const double fold = std::asin(1 / (3 * std::sqrt(3.0)));
  for (const SimulationOptions& options :
       {SimulationOptions{.stop = 9},
        SimulationOptions{.stop = 10},
        SimulationOptions{.stop = 12},
        SimulationOptions{
            .stop = 3, .method = Method::kRungeKutta4, .step = 0.3},
        SimulationOptions{
            .stop = 12, .method = Method::kRungeKutta4, .step = 0.7},
        SimulationOptions{.stop = 3, .method = Method::kEuler, .step = 0.1},
        SimulationOptions{.stop = 3, .max_step = 3}}) {
    const RunResult run = Simulate(program, options);
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    ASSERT_EQ(run.events.size(),
              static_cast<std::size_t>(1 + (options.stop->value - fold) /
                                               std::numbers::pi));
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      EXPECT_NEAR(run.events.entries()[i].t,
                  fold + static_cast<double>(i) * std::numbers::pi,
                  1e-12);
    }
    for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
      const double t = run.trajectory.time()[row];
      if (std::abs(std::remainder(t - fold, std::numbers::pi)) > 1e-9) {
        const double sign = std::sin(t - fold) > 0 ? 1 : -1;
        EXPECT_NEAR(
            run["y"][row], sign * UpperCubeRoot(sign * 2 * std::sin(t)), 1e-9)
            << "at " << t;
      }
    }
  }
}

// At t = 3 the solution that has ended at the fold at 0.502 s holds again: a
// step of 3 s saw neither the fold nor the one at 3.644 s.
TEST(FoldTest, LongerStepsThanByDefaultSeeAllFolds) {
  const double fold = std::asin(2 / (3 * std::sqrt(3.0)) / 0.8);
  for (const char* const state :
       {"", "  Real z(start = 0, fixed = true);\nequation\n  der(z) = 1;\n"}) {
    const auto program =
        CompileBody("  Real y(start = -1.2);\n" + std::string(state) +
                    "equation\n  y^3 - y = 0.8*sin(time);\n");
    for (const double max_step : {3.0, 6.0, 10.0}) {
      for (const double interval : {0.0, 0.01, 5.0}) {
        const RunResult run = Simulate(
            program, {.stop = 20, .interval = interval, .max_step = max_step});
        ASSERT_TRUE(run.summary.completed()) << run.summary.message;
        ASSERT_EQ(run.events.size(), 7) << max_step << " " << interval;
        for (std::size_t i = 0; i < run.events.size(); ++i) {
          EXPECT_NEAR(run.events.entries()[i].t,
                      fold + static_cast<double>(i) * std::numbers::pi,
                      1e-9);
        }
      }
    }
  }
}

// y = tanh(2 y + u) has folds where 2 (1 - y^2) = 1, at u = sqrt 2 - artanh(1 /
// sqrt 2) and at -u. From 0 it goes along the middle solution.
TEST(FoldTest, AMiddleSolutionEndsWithinTheFirstStep) {
  const auto program =
      CompileBody("  Real y;\nequation\n  y = tanh(2*y + 3*sin(time));\n");
  const double u = std::sqrt(2.0) - std::atanh(std::sqrt(0.5));
  const double fold = std::asin(u / 3);
  for (const double stop : {9.0, 10.0, 12.0}) {
    const RunResult run = Simulate(program, {.stop = stop});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    ASSERT_EQ(run.events.size(), stop < 9.6 ? 3 : 4);
    for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
      const double t = run.trajectory.time()[row];
      const double y = run["y"][row];
      EXPECT_NEAR(y, std::tanh(2 * y + 3 * std::sin(t)), 1e-9) << "at " << t;
      if (t < fold - 1e-9) {
        EXPECT_TRUE(y <= 0 && y > -std::sqrt(0.5)) << y << " at " << t;
      } else if (std::abs(std::remainder(t - fold, std::numbers::pi)) > 1e-9) {
        EXPECT_GT(y * std::sin(t - fold), 0) << "at " << t;
      }
    }
  }
}

// y exp(-y) is greatest at y = 1, where it is 1/e.
TEST(FoldTest, ARunWithoutAnotherSolutionBehindAnEarlyFoldEndsBeforeIt) {
  const RunResult run =
      Simulate(CompileBody("  Real y;\nequation\n  y*exp(-y) = time;\n"),
               {.stop = 50, .interval = 0.01});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kLoopUnsolved);
  EXPECT_NEAR(run.summary.end_time, 0.36, 1e-12);  // The last row.
  EXPECT_EQ(run.summary.diagnostics.at(0).hint,
            "it was solved up to here: check whether its equations still have "
            "a solution, and one that does not jump");
}

// A Schmitt trigger of two unknowns, as its circuit has them: its output of 15
// V holds down to 15 u = 16*0.001 - 15, at u = 5 - 10 t. Steps are longer than
// the way to there, and rows lie within them.
TEST(FoldTest, RowsBeforeAFoldAreOnTheBranchThatEndsThere) {
  const RunResult run = Simulate(
      CompileBody("  Real u = 5 - 10*time, y, p(start = 6), i;\n"
                  "equation\n"
                  "  y = noEvent(if 15000*p > 15 then 15\n"
                  "              elseif 15000*p < -15 then -15 else 15000*p);\n"
                  "  p - y = 15000*i;\n"
                  "  u - p = 1000*i;\n"),
      {.stop = 1, .interval = 0.001, .max_step = 1});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const double fold = (5 + 14.984 / 15) / 10;
  ASSERT_EQ(run.events.size(), 1);
  EXPECT_NEAR(run.events.entries()[0].t, fold, 1e-11);
  for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
    const double t = run.trajectory.time()[row];
    if (std::abs(t - fold) > 1e-9) {
      EXPECT_NEAR(run["y"][row], t < fold ? 15 : -15, 1e-9) << "at " << t;
    }
  }
}

// The same trigger, and its mirror image, with relations that make events: at
// the end of one state both relations of the amplifier have to change.
TEST(FoldTest, ATriggerOfRelationsPassesFromOneStateToTheOther) {
  for (const double sign : {1.0, -1.0}) {
    const RunResult run = Simulate(
        CompileBody("  parameter Real s = 1;\n"
                    "  Real u = s*(5 - 10*time), y, p(start = 6*s), i;\n"
                    "  Real z(start = 0, fixed = true);\n"
                    "equation\n"
                    "  y = if 15000*p > 15 then 15\n"
                    "      elseif 15000*p < -15 then -15 else 15000*p;\n"
                    "  p - y = 15000*i;\n"
                    "  u - p = 1000*i;\n"
                    "  der(z) = y;\n"),
        {.stop = 1, .interval = 0.001, .settings = {{"s", sign}}});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    const double fold = (5 + 14.984 / 15) / 10;
    for (std::size_t row = 0; row < run.trajectory.rows(); ++row) {
      const double t = run.trajectory.time()[row];
      if (std::abs(t - fold) > 1e-9) {
        EXPECT_NEAR(run["y"][row], sign * (t < fold ? 15 : -15), 1e-9)
            << "at " << t;
      }
    }
    EXPECT_NEAR(run["z"].final(), sign * 15 * (2 * fold - 1), 1e-6);
  }
}

// A multivibrator: c goes towards 15 y from -7.499 to 7.499 and back, in RC
// log(22.499/7.501) each, RC = 1/(20 log 3).
TEST(FoldTest, AMultivibratorKeepsItsPeriod) {
  const auto program = CompileBody(
      "  Real c(start = -7.499, fixed = true), y, p(start = 8), i, j;\n"
      "equation\n"
      "  y = noEvent(if 15000*(p - c) > 15 then 15\n"
      "              elseif 15000*(p - c) < -15 then -15\n"
      "              else 15000*(p - c));\n"
      "  p = 1000*i;\n"
      "  y - p = 1000*j;\n"
      "  i = j + 1e-12*i^3;\n"
      "  der(c) = (y - c)*20*log(3);\n");
  const double half = std::log(22.499 / 7.501) / (20 * std::log(3.0));
  for (const Method method : {Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock,
                              Method::kCvodeBdf,
                              Method::kIda}) {
    const RunResult run = Simulate(
        program,
        {.stop = 0.33, .tolerance = 1e-8, .method = method, .interval = 0.01});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    ASSERT_EQ(run.events.size(), 6) << run.summary.solver;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(
          run.events.entries()[i].t, static_cast<double>(i + 1) * half, 2e-8)
          << run.summary.solver;
    }
  }
}

// The solution below the fold of y^3 - y = 2 t + c ends at t = a. There a row
// may be due, and rounding of t itself is 0.
TEST(FoldTest, AFoldAtTimeZeroOfARunThatBeginsBeforeItIsPassed) {
  const double fold = 2 / (3 * std::sqrt(3.0));
  for (const double shift : {0.0, 5e-17, 1e-16, -5e-17, 1e-12, -0.5, 0.5}) {
    for (const double stop : {0.75, 1.0, 3.0}) {
      const std::string c = fmt::format("{:.17g}", fold + shift);
      const RunResult run =
          Simulate(CompileBody("  Real y(start = -1.5);\nequation\n"
                               "  y^3 - y = 2*time + (" +
                               c + ");\n"),
                   {.start = -1, .stop = stop});
      ASSERT_TRUE(run.summary.completed()) << run.summary.message;
      ASSERT_EQ(run.events.size(), 1) << c;
      EXPECT_NEAR(run.events.entries()[0].t, -shift / 2, 1e-12) << c;
      EXPECT_NEAR(
          run["y"].final(), UpperCubeRoot(2 * stop + fold + shift), 1e-9);
    }
  }
}

}  // namespace
}  // namespace orrery
