#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

double TakenOf(const Trajectory& run, const std::string& text) {
  return Measure(text, *run.table()).Of(run);
}

// Runs a model text and returns a measure of the run.
double OfModel(const std::string& text,
               const std::string& measure,
               double stop = 10) {
  const ProgramSubject subject(CompileText(text),
                               {.stop = Seconds(stop), .tolerance = 1e-9});
  const Measure taken(measure, subject.signals());
  WantedResults wanted{.signals = taken.signals()};
  wanted.between_rows = true;
  const auto runner = subject.MakeRunner({}, wanted);
  return taken.Of(runner->Run({}, 1, {}).trajectory);
}

std::string Constant(const std::string& value) {
  return "model Constant Real x(start = 1, fixed = true); output Real y = p; "
         "parameter Real p = " +
         value + "; equation der(x) = -x; end Constant;";
}

// A value whose sums and products round: a cubic through it would be off.
TEST(RestingSignalTest, AConstantHasOneValueBetweenRowsToo) {
  for (const std::string value : {"2", "0.3", "3", "1e17/3", "-0.1"}) {
    const auto of = [&](const std::string& measure) {
      return OfModel(Constant(value), measure, 5);
    };
    EXPECT_EQ(of("count(y > " + value + ")"), 0) << value;
    EXPECT_TRUE(std::isnan(of("first(y > " + value + ")"))) << value;
    EXPECT_EQ(of("duration(y >= " + value + ")"), 5) << value;
    EXPECT_EQ(of("duration(y == " + value + ")"), 5) << value;
    EXPECT_EQ(of("time_of_max(y)"), 0) << value;
    EXPECT_EQ(of("time_of_min(y)"), 0) << value;
    EXPECT_EQ(of("settling_time(y)"), 0) << value;
    EXPECT_EQ(of("overshoot(y)"), 0) << value;
    EXPECT_EQ(of("max(y) - min(y)"), 0) << value;
  }
}

// x = 2 - 2*exp(-t) is 0.7 at log(2/1.3).
std::string Limited(const std::string& formula) {
  return "model Limited parameter Real L = 0.7; "
         "Real x(start = 0, fixed = true); output Real y = " +
         formula + "; equation der(x) = 2 - x; end Limited;";
}

TEST(RestingSignalTest, ALimitIsReachedAndNotPassed) {
  const double reached = std::log(2 / 1.3);
  for (const std::string formula : {"min(L, x)",
                                    "noEvent(min(L, x))",
                                    "if x > L then L else x",
                                    "noEvent(if x > L then L else x)"}) {
    const auto of = [&](const std::string& measure) {
      return OfModel(Limited(formula), measure);
    };
    EXPECT_EQ(of("count(y > 0.7)"), 0) << formula;
    EXPECT_TRUE(std::isnan(of("first(y > 0.7)"))) << formula;
    EXPECT_EQ(of("max(y)"), 0.7) << formula;
    EXPECT_EQ(of("overshoot(y)"), 0) << formula;
    EXPECT_EQ(of("count(y >= 0.7)"), 1) << formula;
    EXPECT_NEAR(of("first(y >= 0.7)"), reached, 1e-8) << formula;
    EXPECT_NEAR(of("duration(y >= 0.7)"), 10 - reached, 1e-8) << formula;
    EXPECT_NEAR(of("time_of_max(y)"), reached, 1e-8) << formula;
    EXPECT_NEAR(of("settling_time(y)"), std::log(2 / (2 - 0.686)), 1e-8)
        << formula;
  }
}

// The same from above, and left again: max(0.5, cos(t)) rests where cos(t) is
// less, in [pi/3, 5*pi/3] of each period.
TEST(RestingSignalTest, ALimitIsLeftWhereItIsLeft) {
  constexpr double kPi = std::numbers::pi;
  const std::string text =
      "model Cut Real c(start = 1, fixed = true); "
      "Real s(start = 0, fixed = true); output Real y = noEvent(max(0.5, c)); "
      "equation der(c) = -s; der(s) = c; end Cut;";
  EXPECT_EQ(OfModel(text, "count(y < 0.5)"), 0);
  EXPECT_EQ(OfModel(text, "min(y)"), 0.5);
  EXPECT_NEAR(OfModel(text, "time_of_min(y)"), kPi / 3, 1e-6);
  EXPECT_NEAR(OfModel(text, "duration(y <= 0.5)"),
              4 * kPi / 3 + 10 - 7 * kPi / 3,
              1e-5);
  EXPECT_EQ(OfModel(text, "count(y <= 0.5)"), 2);
}

TEST(RestingSignalTest, WhatIsOneButForRoundingIsOneValue) {
  const std::string text =
      "model One Real x(start = 0, fixed = true); "
      "output Real y = sin(x)^2 + cos(x)^2; equation der(x) = 1; end One;";
  EXPECT_EQ(OfModel(text, "count(y > 1)"), 0);
  EXPECT_EQ(OfModel(text, "count(y < 1)"), 0);
  EXPECT_EQ(OfModel(text, "duration(y == initial(y))"), 10);
  EXPECT_EQ(OfModel(text, "time_of_max(y)"), 0);
}

// Rows far from each other: a line of slope 1 from 0 on that is held at 0.3,
// and a parabola, both with a bend in the second piece.
TEST(RestingSignalTest, ABendIsWhereThePieceBeforeItLeads) {
  TrajectoryBuilder builder({{.name = "line", .column = 0, .derivative = 1},
                             {.name = "der(line)", .column = 1},
                             {.name = "square", .column = 2, .derivative = 3},
                             {.name = "der(square)", .column = 3}});
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const bool is_held = t > 0.3;
    builder.Append(t,
                   std::vector<double>{std::min(t, 0.3),
                                       is_held ? 0.0 : 1.0,
                                       std::min(t * t, 0.09),
                                       is_held ? 0.0 : 2 * t});
  }
  const Trajectory run = builder.Take();
  for (const std::string name : {"line", "square"}) {
    const std::string limit = name == "line" ? "0.3" : "0.09";
    EXPECT_NEAR(
        TakenOf(run, "first(" + name + " >= " + limit + ")"), 0.3, 1e-9);
    EXPECT_EQ(TakenOf(run, "count(" + name + " > " + limit + ")"), 0);
    EXPECT_NEAR(TakenOf(run, "time_of_max(" + name + ")"), 0.3, 1e-9);
  }
  EXPECT_NEAR(TakenOf(run, "integral(line)"), 0.045 + 0.21, 1e-9);
  EXPECT_NEAR(TakenOf(run, "integral(square)"), 0.009 + 0.063, 1e-9);
}

// A smooth way to rest is no bend: (1 - t)^3 until 1.
TEST(RestingSignalTest, ASmoothWayToRestStaysACubic) {
  TrajectoryBuilder builder({{.name = "y", .column = 0, .derivative = 1},
                             {.name = "der(y)", .column = 1}});
  for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    const double rest = std::max(1 - t, 0.0);
    builder.Append(t,
                   std::vector<double>{rest * rest * rest, -3 * rest * rest});
  }
  const Trajectory run = builder.Take();
  EXPECT_NEAR(TakenOf(run, "integral(y)"), 0.25, 1e-15);
  EXPECT_NEAR(TakenOf(run, "first(y <= 0.001)"), 0.9, 1e-12);
  EXPECT_EQ(TakenOf(run, "duration(y <= 0)"), 1);
}

}  // namespace
}  // namespace orrery
