// Flows by roots, whose slope is infinite at zero.
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr std::array kMethods = {Method::kAuto,
                                 Method::kDormandPrince5,
                                 Method::kDormandPrince8,
                                 Method::kTaylor,
                                 Method::kRosenbrock,
                                 Method::kCvodeBdf,
                                 Method::kIda};

// Expects runs that are completed.
template <typename Check>
void RunByEveryMethod(const std::shared_ptr<const Program>& program,
                      SimulationOptions options,
                      const Check& check) {
  for (const Method method : kMethods) {
    SCOPED_TRACE(NameOf(method).name);
    options.method = method;
    const RunResult run = Simulate(program, options);
    ASSERT_EQ(run.summary.message, "");
    check(run);
  }
}

// sqrt(d) is 1 - t/2 till the levels are equal.
TEST(RootTest, LevelsBecomeEqualInTimeByEveryMethod) {
  const auto program = CompileBody(
      "  Real p1(start = 2, fixed = true);\n"
      "  Real p2(start = 1, fixed = true), d, q;\n"
      "equation\n"
      "  d = p1 - p2;\n"
      "  q = if d > 0 then 0.25*sqrt(d) else -0.25*sqrt(-d);\n"
      "  der(p1) = -q;\n"
      "  der(p2) = q;\n");
  RunByEveryMethod(program,
                   {.stop = 8, .tolerance = 1e-7, .interval = 0.5},
                   [](const RunResult& run) {
                     EXPECT_NEAR(run["d"].at(1), std::pow(1 - 0.25, 2), 1e-6);
                     EXPECT_NEAR(run["p1"].final(), 1.5, 1e-6);
                     EXPECT_NEAR(run["p2"].final(), 1.5, 1e-6);
                   });
}

// sqrt(x + w^2) is t + w; numbers below the tolerance delay it. One of two
// steps that implicit methods take from 0 may lead to the other side.
TEST(RootTest, ARoundedRootLeavesZeroByEveryMethod) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = 2*sqrt(abs(x) + 1e-12);\n");
  for (const double tolerance : {1e-5, 1e-6}) {
    RunByEveryMethod(
        program,
        {.stop = 2, .tolerance = tolerance, .absolute_tolerance = 1e-8},
        [](const RunResult& run) {
          EXPECT_NEAR(run["x"].final(), 4, 0.02);
          EXPECT_LT(run.summary.steps, 1000);
        });
  }
}

// p = (t - 1)^2/2 has the distance of its slope squared from the source.
TEST(RootTest, AFlowTurnsRoundByEveryMethod) {
  const auto program = CompileBody(
      "  Real p(start = 0.5, fixed = true), s, q;\n"
      "equation\n"
      "  s = (time - 1)^2/2 + (time - 1)*abs(time - 1);\n"
      "  q = if s > p then sqrt(s - p) else -sqrt(p - s);\n"
      "  der(p) = q;\n");
  RunByEveryMethod(
      program, {.stop = 3, .tolerance = 1e-8}, [](const RunResult& run) {
        EXPECT_NEAR(run["p"].final(), 2, 1e-6);
        EXPECT_TRUE(run.events.entries().empty());
      });
}

// sqrt(d) is 1 - t till the levels are equal; d is rounded to parts of 1e-16
// there, so that events where it changes sign would follow each other for ever.
TEST(RootTest, AMotionComesToRestAtARootOfAMagnitudeByEveryMethod) {
  const auto program = CompileBody(
      "  parameter Real k = 1;\n"
      "  Real h1(start = 1, fixed = true), h2(start = 0, fixed = true), d, q;\n"
      "equation\n"
      "  d = h1 - h2;\n"
      "  q = k*sign(d)*sqrt(abs(d));\n"
      "  der(h1) = -q;\n"
      "  der(h2) = q;\n");
  RunByEveryMethod(program,
                   {.stop = 1.25, .tolerance = 1e-9, .interval = 0.25},
                   [](const RunResult& run) {
                     EXPECT_NEAR(run["d"].at(0.5), 0.25, 1e-8);
                     EXPECT_NEAR(run["d"].final(), 0, 1e-7);
                     EXPECT_NEAR(run["h1"].final(), 0.5, 1e-7);
                   });
}

TEST(RootTest, AStateComesToRestAtARootOfItselfByEveryMethod) {
  const auto program = CompileBody(
      "  Real d(start = 1, fixed = true);\n"
      "equation\n"
      "  der(d) = -sign(d)*sqrt(abs(d));\n");
  RunByEveryMethod(program,
                   {.stop = 2.25, .tolerance = 1e-7, .interval = 0.25},
                   [](const RunResult& run) {
                     EXPECT_NEAR(run["d"].at(1), 0.25, 1e-6);  // (1 - t/2)^2
                     EXPECT_NEAR(run["d"].final(), 0, 1e-7);
                   });
}

// A check valve, which opens for the first time at the start. The slope of the
// flow, by pressure and by time, is infinite there. p = sin(time) is no
// solution, though a stiff method may take it for one.
TEST(RootTest, AOneWayFlowOpensAndShutsByEveryMethod) {
  for (const char* flow : {"sqrt(max(sin(time) - p, 0))",
                           "(if sin(time) > p then sqrt(sin(time) - p) "
                           "else 0)"}) {
    const auto program =
        CompileBody(fmt::format("  Real p(start = 0, fixed = true);\n"
                                "equation\n"
                                "  der(p) = {} - 0.1*p;\n",
                                flow));
    RunByEveryMethod(
        program, {.stop = 20, .tolerance = 1e-7}, [](const RunResult& run) {
          EXPECT_NEAR(run["p"].final(), 0.72074001567, 3e-6);
        });
  }
}

// Here it shuts first. Its time beyond the end is 1e-9 s.
TEST(RootTest, AOneWayFlowShutsToTightTolerancesByEveryMethod) {
  const auto program = CompileBody(
      "  Real p(start = 0.5, fixed = true);\n"
      "equation\n"
      "  der(p) = (if sin(time) > p then sqrt(sin(time) - p) else 0) - "
      "0.1*p;\n");
  RunByEveryMethod(
      program, {.stop = 20, .tolerance = 1e-9}, [](const RunResult& run) {
        EXPECT_NEAR(run["p"].final(), 0.72075194196, 3e-8);
      });
}

// Below the tolerance, the series does not reach anywhere near the root: x
// rattled about 1e-16 for ever. x = -(0.7 (t - t0))^(1/0.7), t0 = 1/0.7.
TEST(RootTest, AStatePassesItsRootByTaylorSeries) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = -abs(x)^0.3;\n");
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const RunResult run = Simulate(
        program,
        {.stop = 3, .tolerance = tolerance, .method = Method::kTaylor});
    ASSERT_TRUE(run.summary.completed()) << run.summary.message;
    EXPECT_LT(run.summary.steps, 500);
    EXPECT_NEAR(
        run["x"].final(), -std::pow(0.7 * (3 - 1 / 0.7), 1 / 0.7), 3e-6);
  }
}

// A tank whose pump runs dry slowly. A level below the tolerance passes the end
// of the root again and again, which is no Zeno point. The expected level is
// that of a run by Taylor series with a tolerance of 1e-12.
TEST(RootTest, ATankRunsDryWithItsPumpByEveryMethod) {
  for (const double tolerance : {1e-6, 1e-9}) {
    const auto program = CompileBody(
        "  Real h(start = 0, fixed = true);\n"
        "equation\n"
        "  der(h) = max(sin(time), 0) - (if h > 0 then 0.8*sqrt(h) else 0);\n");
    RunByEveryMethod(program,
                     {.stop = 20, .tolerance = tolerance},
                     [tolerance](const RunResult& run) {
                       EXPECT_NEAR(
                           run["h"].final(), 0.32018423374, 20 * tolerance);
                       EXPECT_LT(run.summary.steps, 5000);
                     });
  }
}

// Its end is an event, as without a root: sqrt(h) is 1 - t/4.
TEST(RootTest, TheEndOfAOneWayFlowIsAnEventAtItsTime) {
  const auto program = CompileBody(
      "  Real h(start = 1, fixed = true);\n"
      "equation\n"
      "  der(h) = if h > 0 then -0.5*sqrt(h) else 0;\n");
  RunByEveryMethod(
      program, {.stop = 6, .tolerance = 1e-8}, [](const RunResult& run) {
        ASSERT_EQ(run.events.size(), 1U);
        EXPECT_NEAR(run.events.entries()[0].t, 4, 2e-5);
        EXPECT_NEAR(run["h"].final(), 0, 1e-8);
      });
}

// At rest the slope of the root is infinite. The secants of IDA for a quantity
// that follows must begin at its value there: y ran off to 1e6.
TEST(RootTest, WhatFollowsComesToRestByEveryMethod) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = -sqrt(max(x, 0));\n"
      "  der(y) = 100*(x - y);\n");
  RunByEveryMethod(
      program, {.stop = 4, .tolerance = 1e-3}, [](const RunResult& run) {
        EXPECT_NEAR(run["x"].final(), 0, 1e-6);
        EXPECT_NEAR(run["y"].final(), 0, 1e-6);
      });
}

// At t = 0 doubles lie so close that just after the start, when the flow opens,
// its slope would be 1e161.
TEST(RootTest, AOneWayFlowOpensAtTheStartByEveryMethod) {
  const auto program = CompileBody(
      "  Real p(start = 0, fixed = true), q;\n"
      "equation\n"
      "  q = if p > 0 then sqrt(p) else 0;\n"
      "  der(p) = 1 - q;\n");
  const double t = 2 * std::log(2) - 1;  // -2*(u + log(1 - u)), u = sqrt(p).
  RunByEveryMethod(
      program, {.stop = t, .tolerance = 1e-8}, [](const RunResult& run) {
        EXPECT_NEAR(run["p"].final(), 0.25, 1e-7);
        EXPECT_LT(run.summary.steps, 500);
      });
}

// Two bodies meet by Hertz' law and part; momentum and energy give their
// velocities then. The force has no slope at its end, with exact and with
// rounded numbers, though its root does.
TEST(RootTest, BodiesPartAfterAContactByEveryMethod) {
  const auto program = CompileBody(
      "  Real x1(start = 0, fixed = true), v1(start = 1, fixed = true);\n"
      "  Real x2(start = 1, fixed = true), v2(start = 0, fixed = true), d, F;\n"
      "equation\n"
      "  d = 0.5 - (x2 - x1);\n"
      "  F = if d > 0 then 1e4*d*sqrt(d) else 0;\n"
      "  der(x1) = v1;\n"
      "  der(v1) = -F;\n"
      "  der(x2) = v2;\n"
      "  der(v2) = F/2;\n");
  for (const double tolerance : {1e-6, 1e-8}) {
    RunByEveryMethod(
        program, {.stop = 1, .tolerance = tolerance}, [](const RunResult& run) {
          EXPECT_NEAR(run["v1"].final(), -1 / 3.0, 5e-6);
          EXPECT_NEAR(run["v2"].final(), 2 / 3.0, 5e-6);
          EXPECT_EQ(run.events.size(), 2U);
        });
  }
}

// x = 2/3 - 2/3 (1 - t)^(3/2), and 2/3 from t = 1 on.
TEST(RootTest, AFlowShutsAtAKnownTimeByEveryMethod) {
  const auto program = CompileBody(
      "  Real x(start = 0, fixed = true);\n"
      "equation\n"
      "  der(x) = if time < 1 then sqrt(1 - time) else 0;\n");
  RunByEveryMethod(
      program, {.stop = 2, .tolerance = 1e-8}, [](const RunResult& run) {
        EXPECT_NEAR(run["x"].final(), 2 / 3.0, 1e-6);
      });
}

TEST(RootTest, ImplicitMethodsTakeSecantsWhereTheyStartOnARoot) {
  const auto program = CompileBody(
      "  Real x(start = 1, fixed = true);\n"
      "equation\n"
      "  der(x) = 1 - sqrt(abs(x - 1));\n");
  // t = -2*(u + log(1 - u)), u = sqrt(x - 1).
  const double u = std::sqrt(0.5);
  const double t = -2 * (u + std::log(1 - u));
  for (const Method method :
       {Method::kRosenbrock, Method::kCvodeBdf, Method::kIda}) {
    SCOPED_TRACE(NameOf(method).name);
    const RunResult run =
        Simulate(program, {.stop = t, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(run.summary.message, "");
    EXPECT_NEAR(run["x"].final(), 1.5, 1e-6);
  }
}

}  // namespace
}  // namespace orrery
