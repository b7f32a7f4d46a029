#include "orrery/experiment/calibration/least_squares_fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/numbers/estimate.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/system/in_this_thread.h"
#include "orrery/base/test/message_of.h"
#include "orrery/experiment/test/executors.h"
#include "orrery/results/csv.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Values = std::span<const double>;

// y - model(x, b).
struct Observed {
  std::vector<double> x;
  std::vector<double> y;

  [[nodiscard]] ResidualFunction Residuals(
      const std::function<double(double x, Values b)>& model) const {
    return {.size = y.size(),
            .residuals =
                [*this, model](Values b, std::span<double> residuals) {
                  for (std::size_t i = 0; i < y.size(); ++i) {
                    residuals[i] = y[i] - model(x[i], b);
                  }
                  return std::string();
                },
            .jacobian = {},
            .groups = {}};
  }
};

SearchSpace Space(const std::vector<std::string>& texts) {
  return SearchSpace(ParseFactors("--vary", texts));
}

LeastSquaresFit Fit(const std::vector<std::string>& vary,
                    const ResidualFunction& function,
                    const FitOptions& options = {}) {
  InThisThread executor;
  return FitLeastSquares(Space(vary), function, options, executor);
}

std::string Refused(const std::vector<std::string>& vary,
                    const ResidualFunction& function,
                    const FitOptions& options = {}) {
  return MessageOf([&] { Fit(vary, function, options); });
}

double Line(double x, Values b) {
  return b[0] + b[1] * x;
}

const Observed kLine{.x = {1, 2, 3, 4, 5}, .y = {1.1, 1.9, 3.2, 3.9, 5.1}};

TEST(LeastSquaresFitTest, AStraightLineIsThatOfTheTextbook) {
  const LeastSquaresFit fit =
      Fit({"a=0[-10,10]", "b=0.5[-10,10]"}, kLine.Residuals(Line));
  EXPECT_EQ(fit.end, FitEnd::kConverged);
  EXPECT_NEAR(fit.parameters[0].value, 0.04, 1e-9);
  EXPECT_NEAR(fit.parameters[1].value, 1.0, 1e-9);
  EXPECT_NEAR(fit.sum_of_squares, 0.072, 1e-12);
  EXPECT_NEAR(fit.residual_deviation, std::sqrt(0.024), 1e-12);
  EXPECT_NEAR(fit.parameters[0].standard_error, std::sqrt(0.0264), 1e-9);
  EXPECT_NEAR(fit.parameters[1].standard_error, std::sqrt(0.0024), 1e-9);
  EXPECT_NEAR(fit.Correlation(0, 1), -3 / std::sqrt(11), 1e-9);
  // Student's quantile for 3 degrees of freedom.
  EXPECT_NEAR(fit.parameters[1].interval.high,
              1 + 3.182446305 * std::sqrt(0.0024),
              1e-8);
  EXPECT_LT(fit.relative_offset, 1e-6);
}

TEST(LeastSquaresFitTest,
     DataWithoutNoiseHaveAMinimumAlsoWhereAnEstimateIsZero) {
  const Observed exact{.x = {0, 1, 2}, .y = {0, 2, 4}};
  ResidualFunction function = exact.Residuals(Line);
  function.relative_error = 1e-6;
  const LeastSquaresFit fit = Fit({"a=0.3[-3,10]", "b=1[-10,10]"}, function);
  EXPECT_EQ(fit.end, FitEnd::kConverged);
  EXPECT_NEAR(fit.parameters[0].value, 0, 1e-9);
  EXPECT_NEAR(fit.parameters[1].value, 2, 1e-9);
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoNoise);
}

// x'' = -k x - c x' from rest at `start`, in closed form.
double Oscillation(double t, double k, double c, double start) {
  const double w = std::sqrt(k - c * c / 4);
  return start * std::exp(-c / 2 * t) *
         (std::cos(w * t) + c / (2 * w) * std::sin(w * t));
}

// acceptance/experiments, E1.
class MassSpringFitTest : public testing::Test {
 protected:
  MassSpringFitTest() {
    const Table table = ReadTable(std::string(ORRERY_SOURCE_DIR) +
                                  "/examples/mass_spring/measured.csv");
    observed_ = {.x = table["time"].values, .y = table["x"].values};
  }

  [[nodiscard]] ResidualFunction WithAll() const {
    return observed_.Residuals(
        [](double t, Values b) { return Oscillation(t, b[0], b[1], b[2]); });
  }

  Observed observed_;
  std::vector<std::string> all_ = {"k=1[0.1,10]", "c=0.1[0,1]", "x=2[0,5]"};
};

TEST_F(MassSpringFitTest, TheStiffnessAloneIsThatOfTheReference) {
  const LeastSquaresFit fit =
      Fit({"k=3[0.1,10]"}, observed_.Residuals([](double t, Values b) {
        return Oscillation(t, b[0], 0.4, 1);
      }));
  const ParameterEstimate& k = fit.parameters[0];
  EXPECT_NEAR(k.value, 3.98590127, 1e-8);
  EXPECT_NEAR(k.standard_error, 0.01800167, 1e-8);
  EXPECT_NEAR(fit.sum_of_squares, 0.24962693, 1e-8);
  EXPECT_NEAR(k.interval.low, 3.950186, 1e-6);
  EXPECT_NEAR(k.interval.high, 4.021616, 1e-6);
  EXPECT_THAT(fit.findings, ElementsAre());
}

TEST_F(MassSpringFitTest, AllThreeParametersAreThoseOfTheReference) {
  const LeastSquaresFit fit = Fit(all_, WithAll(), {.takes_profiles = true});
  const std::vector<double> values = {3.98546668, 0.39826210, 1.02524523};
  const std::vector<double> errors = {0.01806617, 0.01195719, 0.01856541};
  const std::vector<double> halves = {0.03585173, 0.02372865, 0.03684245};
  for (std::size_t i = 0; i < 3; ++i) {
    const ParameterEstimate& estimate = fit.parameters[i];
    EXPECT_NEAR(estimate.value, values[i], 1e-8);
    EXPECT_NEAR(estimate.standard_error, errors[i], 1e-8);
    EXPECT_NEAR(estimate.interval.high - estimate.value, halves[i], 2e-8);
  }
  EXPECT_NEAR(fit.sum_of_squares, 0.2398205520, 1e-10);
  EXPECT_NEAR(fit.residual_deviation, 0.04946866, 1e-8);
  EXPECT_NEAR(fit.Correlation(0, 1), 0.28735679, 1e-7);
  EXPECT_NEAR(fit.Correlation(0, 2), 0.20236374, 1e-7);
  EXPECT_NEAR(fit.Correlation(1, 2), 0.68403989, 1e-7);
  EXPECT_NEAR(fit.parameters[0].profile->low, 3.950655, 1e-6);
  EXPECT_NEAR(fit.parameters[0].profile->high, 4.020761, 1e-6);
}

TEST_F(MassSpringFitTest, ThreadsChangeNoBit) {
  Threads threads(8);
  const FitOptions options{.starts = 3, .takes_profiles = true};
  const LeastSquaresFit one = Fit(all_, WithAll(), options);
  const LeastSquaresFit many =
      FitLeastSquares(Space(all_), WithAll(), options, threads);
  EXPECT_EQ(one.parameters, many.parameters);
  EXPECT_EQ(one.covariance, many.covariance);
  EXPECT_EQ(one.costs, many.costs);
  EXPECT_EQ(one.evaluations, many.evaluations);
}

TEST_F(MassSpringFitTest, ALogarithmicScaleChangesTheIntervalNotTheEstimate) {
  const LeastSquaresFit linear = Fit(all_, WithAll());
  const LeastSquaresFit log =
      Fit({"k=1 log[0.1,10]", "c=0.1 log[0.01,1]", "x=2[0,5]"}, WithAll());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(log.parameters[i].value, linear.parameters[i].value, 1e-7);
    EXPECT_NEAR(log.parameters[i].standard_error,
                linear.parameters[i].standard_error,
                1e-7);
  }
  const ParameterEstimate& c = log.parameters[1];
  const double factor =
      std::exp(StudentQuantile(0.95, 98) * c.standard_error / c.value);
  EXPECT_NEAR(c.interval.low, c.value / factor, 1e-12);
  EXPECT_NEAR(c.interval.high, c.value * factor, 1e-12);
}

// 500 repeats with the noise of acceptance/experiments.
TEST_F(MassSpringFitTest, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const std::vector<double> truth = {4, 0.4, 1};
  std::vector<int> held(3);
  RandomStream noise(1, "noise");
  for (int repeat = 0; repeat < 500; ++repeat) {
    for (std::size_t i = 0; i < observed_.x.size(); ++i) {
      observed_.y[i] =
          Oscillation(observed_.x[i], 4, 0.4, 1) + noise.Normal(0, 0.05);
    }
    const LeastSquaresFit fit = Fit(all_, WithAll());
    for (std::size_t k = 0; k < 3; ++k) {
      const ConfidenceInterval& interval = fit.parameters[k].interval;
      held[k] += interval.low <= truth[k] && truth[k] <= interval.high ? 1 : 0;
    }
  }
  for (const int count : held) {
    EXPECT_GE(count, 460);
    EXPECT_LE(count, 490);
  }
}

// Brownlee's stack loss data, a line a day: flow of air, temperature of water,
// concentration of acid, loss. As in R, datasets::stackloss.
ResidualFunction StackLoss() {
  static const std::vector<std::vector<double>> kRows = {
      {80, 27, 89, 42}, {80, 27, 88, 37}, {75, 25, 90, 37}, {62, 24, 87, 28},
      {62, 22, 87, 18}, {62, 23, 87, 18}, {62, 24, 93, 19}, {62, 24, 93, 20},
      {58, 23, 87, 15}, {58, 18, 80, 14}, {58, 18, 89, 14}, {58, 17, 88, 13},
      {58, 18, 82, 11}, {58, 19, 93, 12}, {50, 18, 89, 8},  {50, 18, 86, 7},
      {50, 19, 72, 8},  {50, 19, 79, 8},  {50, 20, 80, 9},  {56, 20, 82, 15},
      {70, 20, 91, 15}};
  return {.size = kRows.size(),
          .residuals =
              [](Values b, std::span<double> residuals) {
                for (std::size_t i = 0; i < residuals.size(); ++i) {
                  const std::vector<double>& row = kRows[i];
                  residuals[i] = row[3] - b[0] - b[1] * row[0] - b[2] * row[1] -
                                 b[3] * row[2];
                }
                return std::string();
              },
          .jacobian = {},
          .groups = {}};
}

const std::vector<std::string> kStackLoss = {
    "b0=0[-200,200]", "b1=0[-9,9]", "b2=0[-9,9]", "b3=0[-9,9]"};

// rlm() of MASS, Venables & Ripley, "Modern Applied Statistics with S",
// iterated to 1e-14, with the scale median|r| / 0.6745; errors as its summary
// has them with its tolerance of 1e-4.
TEST(RobustFitTest, HubersLossComesToWhatRFinds) {
  const LeastSquaresFit fit =
      Fit(kStackLoss, StackLoss(), {.loss = LossKind::kHuber});
  const std::vector<double> values = {
      -41.026485373, 0.829385770254, 0.926059415549, -0.127846317965};
  const std::vector<double> errors = {9.8073, 0.1112, 0.3034, 0.1289};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(fit.parameters[k].value, values[k], 1e-7 * std::abs(values[k]));
    EXPECT_NEAR(
        fit.parameters[k].standard_error, errors[k], 5e-5 + 1e-4 * errors[k]);
  }
}

TEST(RobustFitTest, TukeysLossComesToWhatRFinds) {
  const LeastSquaresFit fit =
      Fit(kStackLoss, StackLoss(), {.loss = LossKind::kTukey});
  const std::vector<double> values = {-42.2853, 0.9275, 0.6507, -0.1123};
  const std::vector<double> errors = {9.5316, 0.1080, 0.2949, 0.1252};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(fit.parameters[k].value, values[k], 1e-3 * std::abs(values[k]));
    EXPECT_NEAR(fit.parameters[k].standard_error, errors[k], 1e-3 * errors[k])
        << k;
  }
}

class LossTest : public testing::TestWithParam<LossKind> {};

// E[psi']^2 / E[psi^2] of a standard normal residual.
TEST_P(LossTest, TuningGives95PercentEfficiency) {
  const double scale = TuningConstant(GetParam());
  double slopes = 0;
  double squares = 0;
  constexpr double kStep = 1e-4;
  for (double u = -9 + kStep / 2; u < 9; u += kStep) {
    const double weight = std::exp(-u * u / 2) / std::sqrt(2 * M_PI) * kStep;
    const double s = u * u / (scale * scale);
    const LossValue loss = Loss(GetParam(), s);
    slopes += weight * (loss.slope + 2 * s * loss.curvature);
    squares += weight * u * u * loss.slope * loss.slope;
  }
  EXPECT_NEAR(slopes * slopes / squares, 0.95, 1e-4);
}

TEST_P(LossTest, SlopesAreThoseOfTheLoss) {
  constexpr double kStep = 1e-5;
  for (const double s : {0.1, 0.5, 0.9, 1.5, 4.0, 100.0}) {
    const LossValue loss = Loss(GetParam(), s);
    const LossValue below = Loss(GetParam(), s - kStep);
    const LossValue above = Loss(GetParam(), s + kStep);
    EXPECT_NEAR(loss.slope, (above.rho - below.rho) / (2 * kStep), 1e-8);
    EXPECT_NEAR(
        loss.curvature, (above.slope - below.slope) / (2 * kStep), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         LossTest,
                         testing::Values(LossKind::kHuber,
                                         LossKind::kSoftL1,
                                         LossKind::kCauchy,
                                         LossKind::kTukey));

TEST(LossTest, OutliersHardlyMoveARobustFit) {
  Observed spoilt;
  for (int i = 0; i < 40; ++i) {
    spoilt.x.push_back(i);
    spoilt.y.push_back(2 + 0.5 * i + 0.1 * std::sin(7.0 * i));
  }
  spoilt.y[5] = 90;
  spoilt.y[30] = -70;
  for (const LossKind loss : {LossKind::kHuber,
                              LossKind::kSoftL1,
                              LossKind::kCauchy,
                              LossKind::kTukey}) {
    const LeastSquaresFit fit = Fit(
        {"a=0[-10,10]", "b=1[-10,10]"}, spoilt.Residuals(Line), {.loss = loss});
    EXPECT_NEAR(fit.parameters[0].value, 2, 0.06) << NameOf(loss);
    EXPECT_NEAR(fit.parameters[1].value, 0.5, 0.003) << NameOf(loss);
  }
  EXPECT_GT(Fit({"a=0[-10,10]", "b=1[-10,10]"}, spoilt.Residuals(Line))
                .parameters[0]
                .value,
            5);
}

// One mean by an exact and by a rough instrument: at the maximum of the
// likelihood, the mean weighted by 1/sigma^2, each sigma about that mean.
TEST(LeastSquaresFitTest, GroupsAreWeightedByTheirOwnVariances) {
  Observed both{.x = std::vector<double>(9),
                .y = {1.01, 0.99, 1.02, 0.98, 1.3, 0.6, 1.5, 0.9, 1.4}};
  ResidualFunction function =
      both.Residuals([](double, Values b) { return b[0]; });
  function.groups = {0, 0, 0, 0, 1, 1, 1, 1, 1};
  const LeastSquaresFit fit =
      Fit({"m=0[-5,5]"}, function, {.noise = NoiseModel::kByGroup});
  const double exact = std::pow(fit.group_deviations[0], -2);
  const double rough = std::pow(fit.group_deviations[1], -2);
  EXPECT_NEAR(fit.parameters[0].value,
              (4 * exact * 1.0 + 5 * rough * 1.14) / (4 * exact + 5 * rough),
              1e-9);
  EXPECT_NEAR(fit.group_deviations[0], std::sqrt(0.001 / 4), 1e-4);
  EXPECT_LT(fit.parameters[0].value, 1.002);
}

TEST(LeastSquaresFitTest, AnEstimateAtABoundIsSaid) {
  const LeastSquaresFit fit =
      Fit({"a=0[-10,10]", "b=0.2[0,0.5]"}, kLine.Residuals(Line));
  EXPECT_EQ(fit.parameters[1].value, 0.5);
  EXPECT_TRUE(std::isnan(fit.parameters[1].standard_error));
  // The mean of y - x/2, and its error for 3 degrees of freedom.
  EXPECT_NEAR(fit.parameters[0].value, 1.54, 1e-9);
  EXPECT_NEAR(
      fit.parameters[0].standard_error, std::sqrt((0.072 + 2.5) / 3 / 5), 1e-9);
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kAtBound);
  EXPECT_THAT(Describe(fit.findings[0]), HasSubstr("b is at its bound"));
}

TEST(LeastSquaresFitTest, AParameterWithoutEffectIsSaid) {
  const LeastSquaresFit fit = Fit(
      {"a=0[-10,10]", "b=0.5[-10,10]", "idle=1[0,2]"}, kLine.Residuals(Line));
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(Describe(fit.findings[0]),
            "idle has no effect on what was measured; fix it");
  EXPECT_EQ(fit.parameters[2].value, 1);
  EXPECT_TRUE(std::isnan(fit.parameters[2].standard_error));
  EXPECT_NEAR(fit.parameters[1].value, 1.0, 1e-9);
  EXPECT_NEAR(fit.parameters[0].standard_error, std::sqrt(0.0264), 1e-9);
}

TEST(LeastSquaresFitTest, NothingButParametersWithoutEffectIsSaid) {
  const LeastSquaresFit fit =
      Fit({"idle=1[0,2]"}, kLine.Residuals([](double x, Values) { return x; }));
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoEffect);
  EXPECT_EQ(fit.parameters[0].value, 1);
  EXPECT_TRUE(std::isnan(fit.parameters[0].standard_error));
}

// All three may be scaled by one factor, and so may a, which matters least.
TEST(LeastSquaresFitTest, AllOfWhichOnlyRatiosCountAreNamedAndNothingElse) {
  const LeastSquaresFit fit =
      Fit({"a=0.1[-10,10]", "b=0.5[0.1,10]", "d=0.01[0.001,10]"},
          kLine.Residuals([](double x, Values b) {
            return (b[0] + b[1] * x) / (b[1] / 2 + 10 * b[2]);
          }));
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kUndetermined);
  EXPECT_THAT(fit.findings[0].parameters, ElementsAre("a", "b", "d"));
}

TEST(LeastSquaresFitTest, ParametersOfWhichOnlyAProductCountsAreNamed) {
  const LeastSquaresFit fit =
      Fit({"a=0[-10,10]", "b=0.5[0.1,10]", "d=1[0.1,10]"},
          kLine.Residuals(
              [](double x, Values b) { return b[0] + b[1] * b[2] * x; }));
  EXPECT_NEAR(fit.parameters[1].value * fit.parameters[2].value, 1, 1e-8);
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kUndetermined);
  EXPECT_THAT(fit.findings[0].parameters, ElementsAre("b", "d"));
  EXPECT_TRUE(std::isnan(fit.parameters[1].standard_error));
  // As of a line: the product is one parameter.
  const LeastSquaresFit line =
      Fit({"a=0[-10,10]", "bd=0.5[0.1,10]"}, kLine.Residuals(Line));
  EXPECT_NEAR(fit.parameters[0].standard_error, std::sqrt(0.0264), 1e-6);
  EXPECT_NEAR(
      fit.parameters[0].interval.low, line.parameters[0].interval.low, 1e-6);
  EXPECT_NEAR(fit.residual_deviation, line.residual_deviation, 1e-9);
}

TEST(LeastSquaresFitTest, ParametersThatAreHardToTellApartAreNamed) {
  Observed decay;
  for (int i = 0; i < 30; ++i) {
    decay.x.push_back(0.1 * i);
    decay.y.push_back(std::exp(-0.1 * i) + std::exp(-0.12 * i) +
                      1e-3 * std::sin(9.0 * i));
  }
  const LeastSquaresFit fit = Fit({"a=1[0,2]", "b=1.2[0,2]", "c=1[0,2]"},
                                  decay.Residuals([](double x, Values b) {
                                    return b[0] * std::exp(-x) +
                                           b[1] * std::exp(-1.2 * x) +
                                           0 * b[2] + b[2] - 1;
                                  }));
  ASSERT_FALSE(fit.findings.empty());
  EXPECT_EQ(fit.findings.back().kind, FitFinding::Kind::kCollinear);
  EXPECT_GT(fit.findings.back().size, 15);
}

TEST(LeastSquaresFitTest, SearchesFromSeveralStartsFindTheBest) {
  Observed wave;
  for (int i = 0; i < 60; ++i) {
    wave.x.push_back(0.1 * i);
    wave.y.push_back(std::sin(7.3 * wave.x.back()));
  }
  const ResidualFunction function =
      wave.Residuals([](double x, Values b) { return std::sin(b[0] * x); });
  const LeastSquaresFit one = Fit({"w=2[0,20]"}, function);
  EXPECT_GT(one.sum_of_squares, 10);
  const LeastSquaresFit best = Fit({"w=2[0,20]"}, function, {.starts = 16});
  EXPECT_NEAR(best.parameters[0].value, 7.3, 1e-8);
  EXPECT_EQ(best.costs.size(), 16U);
  EXPECT_EQ(best.costs[0], one.costs[0]);
}

TEST(LeastSquaresFitTest, WhereThereAreNoResidualsItDoesNotGo) {
  ResidualFunction function =
      kLine.Residuals([](double x, Values b) { return std::sqrt(b[0]) * x; });
  const LeastSquaresFit fit = Fit({"b=9[-10,10]"}, function);
  EXPECT_EQ(fit.end, FitEnd::kConverged);
  // The slope of the line through the origin: sum(x y) / sum(x^2) = 55.6/55.
  EXPECT_NEAR(fit.parameters[0].value, std::pow(55.6 / 55, 2), 1e-8);
}

TEST(LeastSquaresFitTest, AFitThatCannotBeginSaysWhereAndWhy) {
  const ResidualFunction function{
      .size = 3,
      .residuals = [](Values,
                      std::span<double>) { return std::string("no model"); },
      .jacobian = {},
      .groups = {}};
  const LeastSquaresFit fit = Fit({"a=0.5[0,2]", "b=2 log[1,8]"}, function);
  EXPECT_EQ(fit.end, FitEnd::kFailed);
  EXPECT_EQ(fit.message,
            "at a = 0.5, b = 2: no model; begin with another guess");
}

TEST(LeastSquaresFitTest, AFitCanBeInterrupted) {
  std::atomic<int> calls = 0;
  ResidualFunction function = kLine.Residuals(
      [](double x, Values b) { return std::exp(b[0] * x) - 2; });
  InThisThread executor;
  const LeastSquaresFit fit = FitLeastSquares(Space({"b=3[-5,5]"}),
                                              function,
                                              {},
                                              executor,
                                              {.progress = {}, .goes_on = [&] {
                                                 return ++calls < 4;
                                               }});
  EXPECT_EQ(fit.end, FitEnd::kInterrupted);
}

const Observed kExponential{
    .x = {0, 1, 2, 3},
    .y = {3, 3 * std::exp(-0.5), 3 * std::exp(-1.0), 3 * std::exp(-1.5)}};

double Exponential(double x, Values b) {
  return b[0] * std::exp(-b[1] * x);
}

TEST(LeastSquaresFitTest, NobodyCreepsAlongABound) {
  const LeastSquaresFit fit =
      Fit({"a=1[0,2.5]", "b=1[0,10]"}, kExponential.Residuals(Exponential));
  EXPECT_EQ(fit.parameters[0].value, 2.5);
  // The minimum over b alone, to all digits.
  EXPECT_NEAR(fit.parameters[1].value, 0.39940994, 1e-8);
  EXPECT_LT(fit.evaluations, 150) << fit.evaluations;
}

TEST(LeastSquaresFitTest, FromAllBoundsAtOnceAParameterComesBack) {
  const Observed far{.x = {0, 1, 2, 3, 4, 5}, .y = {-1, 0.5, 2, 3.5, 5, 6.5}};
  const LeastSquaresFit fit =
      Fit({"a=0.5[0,1]", "b=0.5[0,1]"}, far.Residuals(Line));
  EXPECT_EQ(fit.end, FitEnd::kConverged);
  // The mean of y - x.
  EXPECT_NEAR(fit.parameters[0].value, 0.25, 1e-9);
  EXPECT_EQ(fit.parameters[1].value, 1);
  EXPECT_NEAR(fit.sum_of_squares, 4.375, 1e-9);
}

// Returns the least sum of squares of r = y - A b within [-1, 1]. Tries all
// ways to hold some parameters at bounds and solves the normal equations for
// the others.
double LeastInBox(const Eigen::MatrixXd& a, const Eigen::VectorXd& y) {
  double least = kInfinity;
  const Eigen::Index p = a.cols();
  for (int way = 0; way < std::pow(3, p); ++way) {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(p);
    std::vector<Eigen::Index> free;
    for (Eigen::Index k = 0, digits = way; k < p; ++k, digits /= 3) {
      b[k] = static_cast<double>(digits % 3) - 1;
      if (b[k] == 0) {
        free.push_back(k);
      }
    }
    if (!free.empty()) {
      const Eigen::MatrixXd by_free = a(Eigen::all, free);
      b(free) = by_free.householderQr().solve(y - a * b).eval();
    }
    if (b.cwiseAbs().maxCoeff() <= 1 + 1e-12) {
      least = std::min(least, (y - a * b).squaredNorm());
    }
  }
  return least;
}

// With similar columns the minimum without bounds lies far outside, and every
// step points there.
TEST(LeastSquaresFitTest, InABoxItFindsTheMinimumOfLinearResiduals) {
  constexpr Eigen::Index kData = 12;
  RandomStream random(7, "boxes");
  const auto normal = [&] {
    return random.Normal(0, 1);
  };
  for (int problem = 0; problem < 200; ++problem) {
    const Eigen::Index p = 2 + problem % 5;
    Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(kData, p, normal);
    const double alike = 0.3 * static_cast<double>(problem % 7);
    a.colwise() += alike * Eigen::VectorXd::NullaryExpr(kData, normal);
    const Eigen::VectorXd y = a * Eigen::VectorXd::NullaryExpr(p, normal) +
                              2 * Eigen::VectorXd::NullaryExpr(kData, normal);
    std::vector<std::string> vary;
    for (Eigen::Index k = 0; k < p; ++k) {
      vary.push_back("b" + std::to_string(k) + "=0.5[-1,1]");
    }
    const LeastSquaresFit fit =
        Fit(vary,
            {.size = kData,
             .residuals =
                 [&](Values b, std::span<double> r) {
                   Eigen::Map<Eigen::VectorXd>(r.data(), kData) =
                       y - a * Eigen::Map<const Eigen::VectorXd>(b.data(), p);
                   return std::string();
                 },
             .jacobian = {},
             .groups = {}});
    const double least = LeastInBox(a, y);
    EXPECT_EQ(fit.end, FitEnd::kConverged) << "problem " << problem;
    EXPECT_NEAR(fit.sum_of_squares, least, 1e-9 * least)
        << "problem " << problem;
    EXPECT_LT(fit.evaluations, 400) << "problem " << problem;
  }
}

// By its derivative, b should move from its bound; by its values it should not.
TEST(LeastSquaresFitTest, WhatIsPulledFromABoundInVainHasNotConverged) {
  ResidualFunction function =
      kLine.Residuals([](double x, Values b) { return x - b[0]; });
  function.jacobian = [](Values, std::span<double> jacobian) {
    std::ranges::fill(jacobian, -1);
    return std::string();
  };
  EXPECT_EQ(Fit({"b=0[0,1]"}, function).end, FitEnd::kNotConverged);
}

// From 3 on, full steps towards the root of the arctangent overshoot it, and
// are rejected.
TEST(LeastSquaresFitTest, TheCostThatIsToldFalls) {
  const Observed zeros{.x = {1, 2}, .y = {0, 0}};
  std::vector<double> costs;
  InThisThread executor;
  const LeastSquaresFit fit = FitLeastSquares(
      Space({"b=3[-100,100]"}),
      zeros.Residuals([](double x, Values b) { return std::atan(b[0] * x); }),
      {},
      executor,
      {.progress =
           [&](const FitProgress& progress) { costs.push_back(progress.cost); },
       .goes_on = {}});
  EXPECT_NEAR(fit.parameters[0].value, 0, 1e-9);
  EXPECT_GT(costs.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(costs, std::greater<>()));
}

TEST(LeastSquaresFitTest, AsManyParametersAsDataLeaveErrorsUnknown) {
  const LeastSquaresFit fit =
      Fit({"a=0[-10,10]", "b=0.5[-10,10]"},
          Observed{.x = {1, 2}, .y = {1, 3}}.Residuals(Line));
  EXPECT_NEAR(fit.parameters[0].value, -1, 1e-9);
  EXPECT_NEAR(fit.parameters[1].value, 2, 1e-9);
  EXPECT_TRUE(std::isnan(fit.parameters[1].standard_error));
  ASSERT_EQ(fit.findings.size(), 1U);
  EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoFreedom);
}

TEST(LeastSquaresFitTest, AsManyParametersAsDataHaveNoProfiles) {
  const auto fit_two = [](bool takes_profiles) {
    return Fit({"a=0[-10,10]", "b=0.5[-10,10]"},
               Observed{.x = {1, 2}, .y = {1, 3}}.Residuals(Line),
               {.takes_profiles = takes_profiles});
  };
  EXPECT_FALSE(fit_two(true).parameters[0].profile.has_value());
  EXPECT_EQ(fit_two(true).evaluations, fit_two(false).evaluations);
}

TEST(LeastSquaresFitTest, DataWithoutNoiseAreTold) {
  for (const std::vector<double>& y :
       {std::vector<double>{0, 0, 0, 0}, std::vector<double>{1, 3, 5, 7}}) {
    const LeastSquaresFit fit =
        Fit({"a=1[-10,10]", "b=1[-10,10]"},
            Observed{.x = {0, 1, 2, 3}, .y = y}.Residuals(Line));
    ASSERT_EQ(fit.findings.size(), 1U);
    EXPECT_EQ(fit.findings[0].kind, FitFinding::Kind::kNoNoise);
  }
}

TEST(LeastSquaresFitTest, TooFewIterationsAreToldAsSuch) {
  const Observed decay{.x = {0, 1, 2, 3}, .y = {9.8, 1.5, 0.2, 0.1}};
  const ResidualFunction function = decay.Residuals(
      [](double x, Values b) { return b[0] * std::exp(-b[1] * x); });
  for (const LossKind loss : {LossKind::kSquare, LossKind::kHuber}) {
    const LeastSquaresFit fit = Fit({"a=1[-100,100]", "b=0.1[-10,10]"},
                                    function,
                                    {.loss = loss, .max_iterations = 2});
    EXPECT_EQ(fit.end, FitEnd::kNotConverged);
    EXPECT_EQ(fit.iterations, 2);
    ASSERT_EQ(fit.findings.size(), 1U);
    EXPECT_EQ(Describe(fit.findings[0]),
              "the search ended before it had converged, after 2 iterations, "
              "as many as are allowed; allow more");
  }
}

TEST(LeastSquaresFitTest, CorrelationsNeedNeitherNoiseNorFreedom) {
  const LeastSquaresFit exact = Fit(
      {"a=0[-10,10]", "b=0.5[-10,10]"},
      Observed{.x = {1, 2, 3, 4, 5}, .y = {3, 5, 7, 9, 11}}.Residuals(Line));
  EXPECT_NEAR(exact.Correlation(0, 1), -3 / std::sqrt(11), 1e-9);
  const LeastSquaresFit full =
      Fit({"a=0[-10,10]", "b=0.5[-10,10]"},
          Observed{.x = {1, 2}, .y = {1, 3}}.Residuals(Line));
  EXPECT_NEAR(full.Correlation(0, 1), -3 / std::sqrt(10), 1e-9);
}

// From a guess of 0 the search may return to 1e-17.
TEST(LeastSquaresFitTest, AnEstimateThatIsZeroToRoundingHasDerivatives) {
  const LeastSquaresFit fit = Fit(
      {"a=0[-10,10]", "b=0.5[-10,10]"},
      Observed{.x = {1, 2, 3, 4, 5}, .y = {2, 4, 6, 8, 10}}.Residuals(Line));
  EXPECT_NEAR(fit.parameters[0].value, 0, 1e-12);
  EXPECT_LT(fit.parameters[0].standard_error, 1e-12);
  EXPECT_NEAR(fit.Correlation(0, 1), -3 / std::sqrt(11), 1e-3);
}

TEST(LeastSquaresFitTest, AProfileThatStaysLowIsOpen) {
  // Only large values of b are excluded.
  const LeastSquaresFit fit =
      Fit({"b=2[0,100]"},
          Observed{.x = {1, 2, 3}, .y = {0.3, -0.2, 0.1}}.Residuals(
              [](double x, Values b) { return std::tanh(0.01 * b[0] * x); }),
          {.takes_profiles = true});
  EXPECT_TRUE(std::isinf(fit.parameters[0].profile->low));
  EXPECT_LT(fit.parameters[0].profile->high, 100);
}

TEST(LeastSquaresFitTest, WrongUsesAreRefused) {
  const ResidualFunction line = kLine.Residuals(Line);
  EXPECT_EQ(Refused({"a=[0,1]", "b=[0,1]", "c=[0,1]"},
                    Observed{.x = {1, 2}, .y = {1, 2}}.Residuals(Line)),
            "cannot fit 3 parameters to 2 data: fewer data than parameters "
            "determine nothing; fix parameters or take more data");
  EXPECT_THAT(Refused({"a=[0,1]", "b=integer[0,5]"}, line),
              HasSubstr("cannot fit 'b': a fit takes derivatives"));
  EXPECT_THAT(Refused({"a=[0,1]", "b=[0,1]"}, line, {.confidence = 95}),
              HasSubstr("cannot take intervals of confidence 95"));
  EXPECT_THAT(Refused({"a=[0,1]", "b=[0,1]"},
                      line,
                      {.loss = LossKind::kHuber, .takes_profiles = true}),
              HasSubstr("cannot take profile likelihoods with the loss huber"));
  EXPECT_THAT(MessageOf([] { static_cast<void>(LossKindOf("hubert")); }),
              HasSubstr("did you mean 'huber'?"));
}

}  // namespace
}  // namespace orrery
