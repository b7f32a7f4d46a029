#include "orrery/experiment/measures/measure.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// x = sin(t) and its derivative from 0 to `stop` in rows 0.02 s apart; a held
// signal that goes from 1 to 3 at 2 s; a parameter.
Trajectory Sine(double stop = 10) {
  TrajectoryBuilder builder(
      {{.name = "x", .column = 0, .derivative = 1},
       {.name = "der(x)", .column = 1},
       {.name = "step",
        .variability = SignalVariability::kDiscrete,
        .column = 2},
       {.name = "k", .variability = SignalVariability::kConstant},
       {.name = "a[2].b", .column = 0, .negated = true, .derivative = 1}});
  builder.SetConstant(3, 4);
  const int rows = static_cast<int>(std::lround(stop / 0.02));
  for (int i = 0; i <= rows; ++i) {
    const double t = stop * i / rows;
    const std::vector<double> before = {std::sin(t), std::cos(t), 1};
    const std::vector<double> after = {std::sin(t), std::cos(t), 3};
    if (i == 100) {
      builder.Append(t, before);
    }
    builder.Append(t, i < 100 ? before : after);
  }
  return builder.Take();
}

double Of(const std::string& text, double stop = 10) {
  const Trajectory run = Sine(stop);
  return Measure(text, *run.table()).Of(run);
}

// A response 1 - exp(-t/10)*(cos(t) + ...) is hard to invert; this one is not:
// 1 - exp(-t), for 40 s.
double OfLag(const std::string& text) {
  TrajectoryBuilder builder({{.name = "y", .column = 0, .derivative = 1},
                             {.name = "der(y)", .column = 1}});
  for (int i = 0; i <= 4000; ++i) {
    const double t = 0.01 * i;
    builder.Append(t, std::vector<double>{1 - std::exp(-t), std::exp(-t)});
  }
  const Trajectory run = builder.Take();
  return Measure(text, *run.table()).Of(run);
}

std::string RefusalOfMeasure(const std::string& text) {
  try {
    static_cast<void>(Of(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MeasureTest, ASignalAloneMeansItsLastValue) {
  EXPECT_EQ(Of("x"), std::sin(10.0));
  EXPECT_EQ(Of("final(x)"), std::sin(10.0));
  EXPECT_EQ(Of("k"), 4);
  EXPECT_EQ(Of("a[2].b"), -std::sin(10.0));
  EXPECT_EQ(Of("der(x)"), std::cos(10.0));
}

TEST(MeasureTest, ItsUnitIsThatOfItsSignalOrOfTime) {
  const SignalTable signals(
      {{.name = "x", .unit = "m", .column = 0}, {.name = "y", .column = 1}});
  const auto unit = [&](const std::string& text) {
    return Measure(text, signals).unit();
  };
  EXPECT_EQ(unit("x"), "m");
  EXPECT_EQ(unit("at(x, 2)"), "m");
  EXPECT_EQ(unit("rms(x)"), "m");
  EXPECT_EQ(unit("first(x > 1)"), "s");
  EXPECT_EQ(unit("settling_time(x, 2%)"), "s");
  EXPECT_EQ(unit("max(y)"), "");
  EXPECT_EQ(unit("max(abs(x))"), "");
  EXPECT_EQ(unit("2*x"), "");
  EXPECT_EQ(unit("integral(x)"), "");
  EXPECT_EQ(unit("overshoot(x)"), "");
}

TEST(MeasureTest, FormulasStandAroundAndWithinWhatIsTaken) {
  EXPECT_DOUBLE_EQ(Of("2*final(x)^2 - initial(k + step)"),
                   2 * std::sin(10.0) * std::sin(10.0) - 5);
  EXPECT_DOUBLE_EQ(Of("max(final(x), final(k))"), 4);
  EXPECT_EQ(Of("final(time)"), 10);
}

TEST(MeasureTest, ExtremesLieBetweenRowsToo) {
  EXPECT_NEAR(Of("max(x)"), 1, 1e-9);
  EXPECT_NEAR(Of("min(x)"), -1, 1e-9);
  EXPECT_NEAR(Of("time_of_max(x)", 5), std::numbers::pi / 2, 1e-7);
  EXPECT_NEAR(Of("max(x*(1 - x))"), 0.25, 1e-15);
  EXPECT_EQ(Of("max(step)"), 3);
  EXPECT_EQ(Of("time_of_max(step)"), 2);
  EXPECT_EQ(Of("min(time)"), 0);
}

// Sines are cubics between rows 0.02 s apart to 0.02^4/384 = 4e-10.
TEST(MeasureTest, IntegralsAreExactForWhatIsInterpolated) {
  EXPECT_NEAR(Of("integral(x)"), 1 - std::cos(10.0), 1e-9);
  EXPECT_NEAR(Of("integral(x^2)"), 5 - std::sin(20.0) / 4, 8e-9);
  EXPECT_NEAR(Of("integral(time^7)"), std::pow(10, 8) / 8, 1e-6);
  EXPECT_NEAR(Of("integral(step)"), 2 + 3 * 8, 1e-12);
  EXPECT_NEAR(Of("mean(step)"), 2.6, 1e-13);
  EXPECT_NEAR(Of("rms(x)"), std::sqrt((5 - std::sin(20.0) / 4) / 10), 1e-9);
}

// The cubics are too small by 0.02^4/720 = 2.2e-10 of the integral of |x|.
TEST(MeasureTest, IntegralsKnowKinksAndJumpsBetweenRows) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(Of("integral(abs(x))"), 7 - std::cos(10 - 3 * kPi), 1.5e-9);
  EXPECT_NEAR(Of("integral((sign(x - 0.5) + 1)/2)"), 4 * kPi / 3, 1e-8);
  EXPECT_NEAR(Of("integral(max(x, 0))"), 4, 1e-9);
}

TEST(MeasureTest, WhatIsTakenMayStandInWhatAnotherIsTakenOf) {
  const double end = std::sin(10.0);
  const double exact = (5 - std::sin(20.0) / 4) -
                       2 * end * (1 - std::cos(10.0)) + 10 * end * end;
  EXPECT_NEAR(Of("integral((x - final(x))^2)"), exact, 8e-9);
}

TEST(MeasureTest, ValuesAtATimeAreThoseAfterAnEvent) {
  EXPECT_NEAR(Of("at(x, 1.234)"), std::sin(1.234), 1e-9);
  EXPECT_EQ(Of("at(step, 2)"), 3);
  EXPECT_NEAR(Of("at(x, k/4 + 0.5)"), std::sin(1.5), 1e-9);
  EXPECT_TRUE(std::isnan(Of("at(x, 11)")));
}

TEST(MeasureTest, ConditionsHoldFromCrossingsBetweenRows) {
  EXPECT_NEAR(Of("first(x > 0.5)"), std::numbers::pi / 6, 1e-9);
  EXPECT_NEAR(Of("duration(x > 0.5)"), 4 * std::numbers::pi / 3, 1e-8);
  EXPECT_EQ(Of("count(x > 0.5)"), 2);
  EXPECT_EQ(Of("count(k > 0)"), 0) << "it holds from the start";
  EXPECT_EQ(Of("first(step > 2)"), 2);
  EXPECT_DOUBLE_EQ(Of("duration(step > 2 or x < -2)"), 8);
  EXPECT_TRUE(std::isnan(Of("first(x > 2)")));
}

// `on` is true in [2, 5) and from 7 s on; `k` is a constant Boolean.
double OfSwitch(const std::string& text) {
  TrajectoryBuilder builder({{.name = "on",
                              .variability = SignalVariability::kDiscrete,
                              .column = 0,
                              .value_names = TruthNames()},
                             {.name = "x", .column = 1},
                             {.name = "k",
                              .variability = SignalVariability::kConstant,
                              .value_names = TruthNames()}});
  builder.SetConstant(2, 1);
  double on = 0;
  for (const double t : {0, 2, 5, 7, 10}) {
    builder.Append(t, std::vector<double>{on, t});
    on = 1 - on;
    if (t > 0 && t < 10) {
      builder.Append(t, std::vector<double>{on, t});
    } else {
      on = 1 - on;
    }
  }
  const Trajectory run = builder.Take();
  return Measure(text, *run.table()).Of(run);
}

TEST(MeasureTest, TruthsOfTheModelAreConditions) {
  EXPECT_EQ(OfSwitch("duration(on)"), 6);
  EXPECT_EQ(OfSwitch("first(on)"), 2);
  EXPECT_EQ(OfSwitch("duration(not on)"), 4);
  EXPECT_EQ(OfSwitch("count(on)"), 2);
  EXPECT_EQ(OfSwitch("count(on and x > 3)"), 2);
  EXPECT_NEAR(OfSwitch("duration(k and (not on or x > 8))"), 6, 1e-12);
  EXPECT_EQ(OfSwitch("on and not initial(on)"), 1);
  EXPECT_EQ(OfSwitch("at(on, 3) and max(on) and k"), 1);
}

TEST(MeasureTest, TruthsOfTheModelAreNumbersToo) {
  EXPECT_EQ(OfSwitch("on"), 1);
  EXPECT_NEAR(OfSwitch("mean(on)"), 0.6, 1e-15);
  EXPECT_NEAR(OfSwitch("integral(2*on + k)"), 22, 1e-13);
  EXPECT_EQ(OfSwitch("duration(on > 0.5)"), 6);
}

TEST(MeasureTest, FormulasMayChoose) {
  EXPECT_NEAR(OfSwitch("integral(if on then x else -1)"),
              (25 - 4) / 2.0 + (100 - 49) / 2.0 - 4,
              1e-12);
  EXPECT_NEAR(
      OfSwitch("max(if x > 8 then 0 elseif on then x else 3)"), 8, 1e-6);
  EXPECT_NEAR(OfSwitch("duration(if on then x > 4 else x < 1)"), 5, 1e-12);
  EXPECT_EQ(OfSwitch("if final(x) > 9 then 1 else 2"), 1);
  EXPECT_EQ(OfSwitch("count(if x > 6 then on else false)"), 1);
}

TEST(MeasureTest, StepResponsesAreThoseOfTheTextbook) {
  const double end = 1 - std::exp(-40.0);
  EXPECT_NEAR(OfLag("settling_time(y)"), -std::log(0.02), 1e-8);
  EXPECT_NEAR(OfLag("settling_time(y, 5%)"), -std::log(0.05), 1e-8);
  EXPECT_NEAR(OfLag("settling_time(y, 2%, 1.001)"),
              -std::log(0.02 * 1.001 - 0.001),
              1e-8);
  EXPECT_NEAR(OfLag("rise_time(y)"), std::log(9.0), 1e-8);
  EXPECT_EQ(OfLag("overshoot(y)"), 0);
  EXPECT_NEAR(OfLag("overshoot(y, 0.8)"), end / 0.8 - 1, 1e-12);
  EXPECT_NEAR(Of("overshoot(x)"), 1 / std::sin(10.0) * -1 - 1, 1e-8)
      << "the other way: down to " << std::sin(10.0);
}

TEST(MeasureTest, AComparisonIsATruth) {
  const Trajectory run = Sine();
  const Measure measure("max(x) < 2 and final(k) == 4", *run.table());
  EXPECT_TRUE(measure.is_condition());
  EXPECT_EQ(measure.Of(run), 1);
}

TEST(MeasureTest, KnowsWhatItNeeds) {
  const Trajectory run = Sine();
  const Measure last("final(x) + k", *run.table());
  EXPECT_TRUE(last.needs_last_row_only());
  EXPECT_THAT(last.signals(), testing::ElementsAre("x", "k"));
  EXPECT_FALSE(Measure("max(x)", *run.table()).needs_last_row_only());
}

TEST(MeasureTest, MistakesAreShownInTheText) {
  EXPECT_EQ(RefusalOfMeasure("final(stp)"),
            "measure:1:7: error: the results have no signal 'stp'\n"
            "    1 | final(stp)\n"
            "      |       ^~~ did you mean 'step'?\n");
  EXPECT_THAT(RefusalOfMeasure("finally(x)"),
              testing::HasSubstr("no function 'finally' for measures"));
  EXPECT_THAT(RefusalOfMeasure("finally(x)"),
              testing::HasSubstr("did you mean 'final'?"));
  EXPECT_THAT(RefusalOfMeasure("time"),
              testing::HasSubstr("say which time, as in final(time)"));
  EXPECT_THAT(RefusalOfMeasure("settling_time(x, 1, 2, 3)"),
              testing::HasSubstr("'settling_time' takes 1 to 3 arguments"));
  EXPECT_THAT(RefusalOfMeasure("first(x)"),
              testing::HasSubstr("a condition is wanted"));
  EXPECT_THAT(RefusalOfMeasure("integral(x > 1)"),
              testing::HasSubstr("a number is wanted"));
  EXPECT_THAT(RefusalOfMeasure("final(if x > 0 then x > 1 else k)"),
              testing::HasSubstr("a condition is wanted"));
  EXPECT_THAT(RefusalOfMeasure("final(if step then x else k)"),
              testing::HasSubstr("compare it, as in step > 0"));
  EXPECT_THAT(RefusalOfMeasure("max()"), testing::HasSubstr("error"));
  EXPECT_THAT(RefusalOfMeasure(""), testing::HasSubstr("error"));
  EXPECT_THAT(RefusalOfMeasure("x x"), testing::HasSubstr("error"));
}

}  // namespace
}  // namespace orrery
