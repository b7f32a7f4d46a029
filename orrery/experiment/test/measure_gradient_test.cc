#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// The response of a damped oscillator to a step, with a ball that is thrown
// on the ground and a ramp that a switch in time ends.
constexpr const char* kBody = R"(
  parameter Real k = 4;
  parameter Real c = 1;
  parameter Real t1 = 2.5;
  parameter Real e = 0.9;
  Real x(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real h(start = 2, fixed = true);
  Real w(start = 0, fixed = true);
  Real ramp(start = 0, fixed = true);
  Real on = if time < t1 then 3*k else 1;
equation
  der(x) = v;
  der(v) = k*(1 - x) - c*v;
  der(h) = w;
  der(w) = -9.81;
  when h < 0 then
    reinit(w, -e*pre(w));
  end when;
  der(ramp) = if time < t1 then k else -1;
)";

// A measure as a function of the varied quantities.
class Differentiable {
 public:
  Differentiable(const char* body,
                 std::vector<std::string> names,
                 std::vector<double> values)
      : subject_(CompileBody(body),
                 {.stop = Seconds(5.7),
                  .tolerance = 1e-11,
                  .absolute_tolerance = 1e-13,
                  .interval = Seconds(0.01)}),
        names_(std::move(names)),
        values_(std::move(values)) {}

  void ExpectDerivativesOf(const std::string& text) {
    const Measure measure(text, subject_.signals());
    ASSERT_TRUE(measure.is_differentiable());
    const std::vector<double> gradient =
        measure.Gradient(RunAt(values_, true), names_);
    for (std::size_t j = 0; j < names_.size(); ++j) {
      // Richardson's extrapolation of central differences: an error of h^4.
      const auto difference = [&](double h) {
        return (At(measure, j, h) - At(measure, j, -h)) / (2 * h);
      };
      const double h = 1e-3;
      const double expected = (4 * difference(h) - difference(2 * h)) / 3;
      EXPECT_NEAR(gradient[j], expected, 2e-6 * (1 + std::abs(expected)))
          << names_[j];
    }
  }

 private:
  // With the sensitivities if `wanted`.
  Trajectory RunAt(const std::vector<double>& values, bool wanted) {
    return subject_
        .MakeRunner(names_, {.signals = {}, .sensitivities = wanted})
        ->Run(values, 1, {})
        .trajectory;
  }

  double At(const Measure& measure, std::size_t j, double shift) {
    std::vector<double> values = values_;
    values[j] += shift;
    return measure.Of(RunAt(values, false));
  }

  ProgramSubject subject_;
  std::vector<std::string> names_;
  std::vector<double> values_;
};

class MeasureGradientTest : public testing::TestWithParam<const char*> {};

TEST_P(MeasureGradientTest, AgreesWithDifferencesOfRuns) {
  Differentiable(kBody, {"k", "c", "t1", "e"}, {4, 1, 2.5, 0.9})
      .ExpectDerivativesOf(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All,
    MeasureGradientTest,
    testing::Values("final(x)",
                    "x*k",
                    "initial(der(v))",
                    "at(x, 2 + k/8)",
                    "max(x)",
                    "min(v)",
                    "max(ramp)",
                    "max(-w)",
                    "integral(x^2)",
                    "integral(abs(x - 1))",
                    "integral(on)",
                    "integral(w)",
                    "mean(on^2)",
                    "rms(v - x)",
                    "settling_time(x, 2%)",
                    "settling_time(x, 5%, 1)",
                    "rise_time(x)",
                    "overshoot(x)",
                    "overshoot(x, 1.1)",
                    "sqrt(integral((x - final(x))^2)) + max(v)*k"));

// A run whose end moves with its last event: a ball that comes down.
constexpr const char* kFlight = R"(
  parameter Real angle = 0.7;
  parameter Real speed = 20;
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real u(start = speed*cos(angle), fixed = true);
  Real w(start = speed*sin(angle), fixed = true);
equation
  der(x) = u;
  der(y) = w;
  der(u) = -0.01*u*sqrt(u^2 + w^2);
  der(w) = -9.81 - 0.01*w*sqrt(u^2 + w^2);
  when y < 0 then
    terminate("it is down");
  end when;
)";

class MeasureGradientOfFlightTest : public testing::TestWithParam<const char*> {
};

TEST_P(MeasureGradientOfFlightTest, AgreesWithDifferencesOfRuns) {
  Differentiable(kFlight, {"angle", "speed"}, {0.7, 20})
      .ExpectDerivativesOf(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All,
                         MeasureGradientOfFlightTest,
                         testing::Values("final(x)",
                                         "final(y)",
                                         "final(time)",
                                         "max(y)",
                                         "max(x)",
                                         "integral(u^2)",
                                         "mean(x)",
                                         "rms(w)",
                                         "rise_time(x)"));

// A ball with drag: the direction of the drag changes at an impact.
constexpr const char* kDrag = R"(
  parameter Real e = 0.7;
  parameter Real drag = 0.1;
  Real h(start = 5, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - drag*v*abs(v);
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
)";

class MeasureGradientOfDragTest : public testing::TestWithParam<const char*> {};

TEST_P(MeasureGradientOfDragTest, AgreesWithDifferencesOfRuns) {
  Differentiable(kDrag, {"e", "drag"}, {0.9, 0.1})
      .ExpectDerivativesOf(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All,
                         MeasureGradientOfDragTest,
                         testing::Values("max(v)", "min(v)", "integral(h^2)"));

// Rows are 10 s apart, in which the formula has 80 periods.
TEST(MeasureTest, TheRateOfAFormulaFasterThanItsSignalsIsExact) {
  TrajectoryBuilder builder({{.name = "k", .column = 0},
                             {.name = "d(k)/d(k)", .column = 1},
                             {.name = "d(time)/d(k)", .column = 2}});
  for (const double t : {0.0, 10.0, 20.0}) {
    builder.Append(t, std::vector{7.0, 1.0, 0.0});
  }
  const Trajectory run = builder.Take();
  const std::vector<double> gradient =
      Measure("at(sin(50*time), k)", *run.table())
          .Gradient(run, std::vector<std::string>{"k"});
  EXPECT_NEAR(gradient.at(0), 50 * std::cos(50 * 7.0), 1e-6);
}

TEST(MeasureTest, WhatJumpsOrIsATruthHasNoGradient) {
  const SignalTable signals({{.name = "x", .column = 0}});
  for (const char* text :
       {"x > 1", "first(x > 1)", "time_of_max(x)", "count(x > 0) + x"}) {
    EXPECT_FALSE(Measure(text, signals).is_differentiable()) << text;
  }
}

}  // namespace
}  // namespace orrery
