#include "orrery/experiment/calibration/calibration.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/system/in_this_thread.h"
#include "orrery/base/test/message_of.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/results/csv.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTolerance = 1e-12;

std::string ExamplePath(const std::string& name) {
  return std::string(ORRERY_SOURCE_DIR) + "/examples/" + name;
}

// An example, whose runs have rows at these times.
std::shared_ptr<const Subject> ExampleAt(const std::string& model,
                                         const std::vector<double>& times,
                                         std::vector<Setting> settings = {}) {
  const std::string text(SourceFile::Read(ExamplePath(model))->text());
  SimulationOptions options{.stop = Seconds(times.back()),
                            .tolerance = kTolerance,
                            .absolute_tolerance = 1e-2 * kTolerance,
                            .output_times = times,
                            .settings = std::move(settings)};
  return std::make_shared<const ProgramSubject>(CompileText(text), options);
}

MeasuredSignal Column(const Table& table, const std::string& name) {
  return {.name = name,
          .times = table["time"].values,
          .values = table[name].values,
          .deviations = std::vector<double>(table.rows(), 1.0)};
}

LeastSquaresFit Fit(const std::vector<std::string>& vary,
                    const std::vector<MeasuredRun>& runs,
                    bool is_log = false,
                    const FitOptions& options = {}) {
  const SearchSpace space(ParseFactors("--vary", vary));
  const Calibration calibration(
      space, runs, {.is_log = is_log, .relative_error = kTolerance});
  InThisThread executor;
  return FitLeastSquares(space, calibration.Residuals(), options, executor);
}

void ExpectValues(const LeastSquaresFit& fit,
                  const std::vector<double>& values,
                  double relative) {
  ASSERT_EQ(fit.parameters.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_NEAR(
        fit.parameters[k].value, values[k], relative * std::abs(values[k]))
        << fit.parameters[k].name;
  }
}

// acceptance/experiments, E1.
class MassSpringCalibrationTest : public testing::Test {
 protected:
  MassSpringCalibrationTest()
      : table_(ReadTable(ExamplePath("mass_spring/measured.csv"))) {}

  [[nodiscard]] MeasuredRun Run() const {
    return {.name = table_.name(),
            .subject =
                ExampleAt("mass_spring/mass_spring.mo", table_["time"].values),
            .signals = {Column(table_, "x")}};
  }

  Table table_;
};

TEST_F(MassSpringCalibrationTest, TheStiffnessIsThatOfTheReference) {
  const LeastSquaresFit fit = Fit({"k=1[0.1,10]"}, {Run()});
  ExpectValues(fit, {3.98590127}, 3e-9);
  EXPECT_NEAR(fit.parameters[0].standard_error, 0.01800167, 1e-8);
  EXPECT_NEAR(fit.sum_of_squares, 0.24962693, 1e-8);
}

TEST_F(MassSpringCalibrationTest, AStartValueIsEstimatedToo) {
  const LeastSquaresFit fit =
      Fit({"k=1[0.1,10]", "c=0.1[0,1]", "x=2[0,5]"}, {Run()});
  ExpectValues(fit, {3.98546668, 0.39826210, 1.02524523}, 2e-8);
  EXPECT_NEAR(fit.parameters[0].standard_error, 0.01806617, 1e-8);
  EXPECT_NEAR(fit.parameters[1].standard_error, 0.01195719, 1e-8);
  EXPECT_NEAR(fit.parameters[2].standard_error, 0.01856541, 1e-8);
  EXPECT_NEAR(fit.sum_of_squares, 0.2398205520, 1e-9);
}

// The data in two halves, of which the first is a run of its own.
TEST_F(MassSpringCalibrationTest, SeveralRunsGoTogether) {
  MeasuredRun early = Run();
  MeasuredRun late = Run();
  const auto cut =
      [](std::vector<double>& v, std::size_t from, std::size_t to) {
        v = {v.begin() + static_cast<std::ptrdiff_t>(from),
             v.begin() + static_cast<std::ptrdiff_t>(to)};
      };
  for (auto* part : {&early, &late}) {
    MeasuredSignal& signal = part->signals[0];
    const std::size_t from = part == &early ? 0 : 50;
    const std::size_t to = part == &early ? 50 : 101;
    cut(signal.times, from, to);
    cut(signal.values, from, to);
    cut(signal.deviations, from, to);
  }
  ExpectValues(Fit({"k=1[0.1,10]"}, {early, late}), {3.98590127}, 3e-9);
}

TEST_F(MassSpringCalibrationTest, EachRunHasItsOwnConditions) {
  // From 2 m instead of 1 m everything is twice as large.
  MeasuredRun other = Run();
  other.subject = ExampleAt("mass_spring/mass_spring.mo",
                            table_["time"].values,
                            {{.name = "x", .value = 2}});
  for (double& value : other.signals[0].values) {
    value *= 2;
  }
  for (double& deviation : other.signals[0].deviations) {
    deviation = 2;
  }
  const LeastSquaresFit fit = Fit({"k=1[0.1,10]"}, {Run(), other});
  ExpectValues(fit, {3.98590127}, 3e-9);
  EXPECT_NEAR(fit.sum_of_squares, 2 * 0.24962693, 2e-8);
}

TEST_F(MassSpringCalibrationTest, DifferencesAgreeWithExactDerivatives) {
  const SearchSpace space(
      ParseFactors("--vary", std::vector<std::string>{"k=1[0.1,10]"}));
  const Calibration calibration(space, {Run()}, {.relative_error = kTolerance});
  ResidualFunction function = calibration.Residuals();
  ASSERT_TRUE(function.jacobian);
  InThisThread executor;
  const LeastSquaresFit exact = FitLeastSquares(space, function, {}, executor);
  function.jacobian = nullptr;
  const LeastSquaresFit differences =
      FitLeastSquares(space, function, {}, executor);
  EXPECT_NEAR(exact.parameters[0].value, differences.parameters[0].value, 1e-8);
  EXPECT_NEAR(exact.parameters[0].standard_error,
              differences.parameters[0].standard_error,
              1e-8);
}

// acceptance/experiments, E2: the model begins in 1900.
class LynxHareCalibrationTest : public testing::Test {
 protected:
  [[nodiscard]] static LeastSquaresFit FitBoth(bool is_log,
                                               const FitOptions& options = {}) {
    const Table table = ReadTable(ExamplePath("lotka_volterra/hudson_bay.csv"));
    const MeasuredRun run{
        .name = table.name(),
        .subject =
            ExampleAt("lotka_volterra/lotka_volterra.mo", table["time"].values),
        .signals = {Column(table, "hare"), Column(table, "lynx")}};
    return Fit({"alpha=0.5[0.1,2]",
                "beta=0.03[0.001,0.2]",
                "gamma=0.8[0.1,2]",
                "delta=0.02[0.001,0.2]",
                "hare=30[5,80]",
                "lynx=4[1,30]"},
               {run},
               is_log,
               options);
  }
};

TEST_F(LynxHareCalibrationTest, LogarithmsComeToTheReference) {
  const LeastSquaresFit fit = FitBoth(true);
  ExpectValues(fit,
               {0.540158996,
                0.0271653573,
                0.796386039,
                0.0236946383,
                34.6024240,
                5.84450621},
               1e-7);
  EXPECT_NEAR(fit.sum_of_squares, 2.01866115523, 1e-9);
  EXPECT_NEAR(fit.group_deviations[0], 0.21839128, 1e-7);
  EXPECT_NEAR(fit.group_deviations[1], 0.22007265, 1e-7);
  const std::vector<double> errors = {
      0.1101, 0.1415, 0.1053, 0.1387, 0.0847, 0.0820};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const ParameterEstimate& estimate = fit.parameters[k];
    EXPECT_NEAR(estimate.standard_error / estimate.value, errors[k], 5e-5);
  }
}

TEST_F(LynxHareCalibrationTest, PlainLeastSquaresComesToTheReference) {
  const LeastSquaresFit fit = FitBoth(false);
  ExpectValues(fit,
               {0.481199042,
                0.0248317610,
                0.926018329,
                0.0275329502,
                34.9142872,
                3.86186645},
               1e-7);
  EXPECT_NEAR(fit.sum_of_squares, 594.744560756, 1e-6);
  const std::vector<double> errors = {
      0.0351, 0.00164, 0.0731, 0.00209, 1.577, 0.589};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    EXPECT_NEAR(fit.parameters[k].standard_error, errors[k], 4e-3 * errors[k]);
  }
}

TEST_F(LynxHareCalibrationTest, LognormalLikelihoodComesToTheReference) {
  const LeastSquaresFit fit = FitBoth(true, {.noise = NoiseModel::kByGroup});
  ExpectValues(fit,
               {0.540013953,
                0.0271561152,
                0.796598762,
                0.0237020372,
                34.5991554,
                5.84373667},
               1e-7);
  EXPECT_NEAR(fit.group_deviations[0], 0.21837965, 1e-7);
  EXPECT_NEAR(fit.group_deviations[1], 0.22008428, 1e-7);
}

constexpr const char* kDecay = R"(
model Decay
  parameter Real rate = 1;
  parameter Real idle = 2;
  parameter Real last = 9;
  parameter Integer n = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
  assert(rate < 5, "too fast");
  when time > last then
    terminate("over");
  end when;
end Decay;
)";

// x = exp(-2 t) at a few times.
MeasuredRun DecayRun(const std::vector<Setting>& settings = {}) {
  const std::vector<double> times = {0.2, 0.5, 1.0};
  MeasuredSignal x{.name = "x",
                   .times = times,
                   .values = {},
                   .deviations = std::vector<double>(3, 1.0)};
  for (const double t : times) {
    x.values.push_back(std::exp(-2 * t));
  }
  return {.name = "decay.csv",
          .subject = std::make_shared<const ProgramSubject>(
              CompileText(kDecay),
              SimulationOptions{.stop = Seconds(1),
                                .tolerance = kTolerance,
                                .absolute_tolerance = 1e-2 * kTolerance,
                                .output_times = times,
                                .settings = settings}),
          .signals = {x}};
}

TEST(CalibrationTest, ExactDataGiveTheExactParameter) {
  const LeastSquaresFit fit = Fit({"rate=0.3[0,10]"}, {DecayRun()});
  ExpectValues(fit, {2}, 1e-9);
  EXPECT_LT(fit.sum_of_squares, 1e-18);
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoNoise);
}

TEST(CalibrationTest, WhereTheModelFailsTheSearchDoesNotGo) {
  // From 4.9 the first step would leave the bound 5.
  const LeastSquaresFit fit = Fit({"rate=4.9 log[0.1,1000]"}, {DecayRun()});
  EXPECT_EQ(fit.end, FitEnd::kConverged);
  ExpectValues(fit, {2}, 1e-8);
}

TEST(CalibrationTest, ThreadsChangeNoBit) {
  const SearchSpace space(ParseFactors(
      "--vary", std::vector<std::string>{"rate=1[0,4]", "x=2[0,5]"}));
  const Calibration calibration(space, {DecayRun()}, {});
  ResidualFunction function = calibration.Residuals();
  function.jacobian = nullptr;  // Many runs at once.
  InThisThread one;
  Threads many(8);
  EXPECT_EQ(FitLeastSquares(space, function, {}, one).parameters,
            FitLeastSquares(space, function, {}, many).parameters);
}

TEST(CalibrationTest, AGuessAtWhichTheModelFailsIsToldWithTheReason) {
  const LeastSquaresFit fit = Fit({"rate=7[0,10]"}, {DecayRun()});
  EXPECT_EQ(fit.end, FitEnd::kFailed);
  EXPECT_THAT(fit.message, HasSubstr("too fast"));
}

TEST(CalibrationTest, ARunThatEndsBeforeTheDataIsAFailure) {
  const LeastSquaresFit fit =
      Fit({"rate=1[0,10]"}, {DecayRun({{.name = "last", .value = 0.7}})});
  EXPECT_EQ(fit.end, FitEnd::kFailed);
  EXPECT_THAT(fit.message,
              HasSubstr("before what was measured at 1 in decay.csv"));
}

TEST(CalibrationTest, AParameterWithoutEffectIsNamed) {
  const LeastSquaresFit fit =
      Fit({"rate=0.3[0,10]", "idle=1[0,5]"}, {DecayRun()});
  ASSERT_EQ(fit.findings.size(), 2U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoEffect);
  EXPECT_THAT(fit.findings[0].parameters, ElementsAre("idle"));
  EXPECT_EQ(fit.findings[1].kind, FitFinding::Kind::kNoNoise);
}

TEST(CalibrationTest, WrongUsesAreRefused) {
  const auto refused =
      [](const std::string& vary, const MeasuredRun& run, bool is_log = false) {
        return MessageOf([&] { Fit({vary}, {run}, is_log); });
      };
  MeasuredRun unknown = DecayRun();
  unknown.signals[0].name = "xx";
  EXPECT_THAT(refused("rate=[0,1]", unknown),
              HasSubstr("cannot find signal 'xx': the result has none of this "
                        "name; known: "));
  MeasuredRun certain = DecayRun();
  certain.signals[0].deviations[1] = 0;
  EXPECT_EQ(refused("rate=[0,1]", certain),
            "cannot fit 'x' to decay.csv: at time 0.5 the standard deviation "
            "is 0; give one above 0, or leave the value out");
  MeasuredRun negative = DecayRun();
  negative.signals[0].values[2] = -1;
  EXPECT_THAT(refused("rate=[0,1]", negative, true),
              HasSubstr("at time 1 -1 has no logarithm"));
  EXPECT_THAT(refused("rat=[0,1]", DecayRun()),
              HasSubstr("did you mean 'rate'?"));
  MeasuredRun nothing = DecayRun();
  nothing.signals.clear();
  EXPECT_THAT(refused("rate=[0,1]", nothing),
              HasSubstr("nothing was measured"));
}

}  // namespace
}  // namespace orrery
