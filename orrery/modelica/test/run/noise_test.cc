#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/compile/compile.h"
#include "orrery/modelica/load.h"
#include "orrery/sim/simulation.h"

namespace orrery {
namespace {

// The random signals of the block library, by statistics of 10^5 samples. The
// bounds are 5 standard deviations of the estimates: one such test in a million
// fails by chance; with fixed seeds none ever does.
constexpr int kSamples = 100'000;
constexpr double kSigmas = 5;

std::vector<double> SamplesOf(const std::string& block, int seed) {
  const std::string text =
      "model A\n"
      "  inner Modelica.Blocks.Noise.GlobalSeed globalSeed(fixedSeed = " +
      std::to_string(seed) + ");\n  " + block +
      "\n"
      "end A;\n";
  Diagnostics diagnostics;
  const auto file = std::make_shared<const SourceFile>("a.mo", text);
  const auto flat = modelica::Flatten(file, "A", diagnostics);
  EXPECT_TRUE(flat);
  const auto program = Compile(*flat, diagnostics);
  EXPECT_TRUE(program);
  const RunResult run = Simulate(
      program,
      {.stop = kSamples - 0.5, .interval = kSamples, .record = {"noise.y"}});
  EXPECT_TRUE(run.summary.completed()) << run.summary.message;
  // Both limits of each sample are rows: the last row at a time counts.
  const auto time = run.trajectory.time();
  const auto y = run["noise.y"];
  std::vector<double> samples;
  for (std::size_t row = 0; row < time.size(); ++row) {
    if (std::floor(time[row]) == time[row] &&
        (row + 1 == time.size() || time[row + 1] != time[row])) {
      samples.push_back(y[row]);
    }
  }
  return samples;
}

double Mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) {
    sum += value;
  }
  return sum / static_cast<double>(x.size());
}

// The mean of x's deviation from `mean` times y's, `lag` samples later.
double Covariance(const std::vector<double>& x,
                  const std::vector<double>& y,
                  double mean,
                  std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i + lag < x.size(); ++i) {
    sum += (x[i] - mean) * (y[i + lag] - mean);
  }
  return sum / static_cast<double>(x.size() - lag);
}

struct Distribution {
  double mean;
  double variance;
  double kurtosis;  // Fourth moment over the squared variance.
};

// Independent numbers of a known distribution.
void ExpectIndependent(const std::vector<double>& x,
                       const Distribution& expected) {
  ASSERT_EQ(x.size(), static_cast<std::size_t>(kSamples));
  const double root = std::sqrt(static_cast<double>(kSamples));
  EXPECT_NEAR(
      Mean(x), expected.mean, kSigmas * std::sqrt(expected.variance) / root);
  EXPECT_NEAR(
      Covariance(x, x, expected.mean, 0),
      expected.variance,
      kSigmas * expected.variance * std::sqrt(expected.kurtosis - 1) / root);
  for (const std::size_t lag : {1U, 2U, 3U, 10U, 100U, 1000U}) {
    EXPECT_NEAR(Covariance(x, x, expected.mean, lag),
                0,
                kSigmas * expected.variance / root)
        << "lag " << lag;
  }
}

constexpr const char* kUniform =
    "Modelica.Blocks.Noise.UniformNoise noise(samplePeriod = 1, y_min = -1, "
    "y_max = 3);";
constexpr const char* kNormal =
    "Modelica.Blocks.Noise.NormalNoise noise(samplePeriod = 1, mu = 2, "
    "sigma = 3);";

TEST(NoiseTest, UniformNoiseIsEvenAndIndependent) {
  const auto x = SamplesOf(kUniform, 1);
  ExpectIndependent(x, {.mean = 1, .variance = 16.0 / 12, .kurtosis = 1.8});
  EXPECT_GE(*std::min_element(x.begin(), x.end()), -1);
  EXPECT_LE(*std::max_element(x.begin(), x.end()), 3);
  // Pearson's test with 64 cells: mean 63, variance 126.
  std::vector<double> cells(64);
  for (const double value : x) {
    ++cells[static_cast<std::size_t>((value + 1) / 4 * 64)];
  }
  double chi = 0;
  for (const double count : cells) {
    chi += std::pow(count - kSamples / 64.0, 2) / (kSamples / 64.0);
  }
  EXPECT_NEAR(chi, 63, kSigmas * std::sqrt(126.0));
}

TEST(NoiseTest, NormalNoiseIsNormalAndIndependent) {
  const auto x = SamplesOf(kNormal, 1);
  ExpectIndependent(x, {.mean = 2, .variance = 9, .kurtosis = 3});
  // Parts of the population within 1, 2 and 3 standard deviations.
  for (const double reach : {1.0, 2.0, 3.0}) {
    const double part = std::erf(reach / std::sqrt(2.0));
    int inside = 0;
    for (const double value : x) {
      inside += std::abs(value - 2) < 3 * reach ? 1 : 0;
    }
    EXPECT_NEAR(inside,
                kSamples * part,
                kSigmas * std::sqrt(kSamples * part * (1 - part)));
  }
}

// A normal distribution cut at 3 standard deviations.
TEST(NoiseTest, TruncatedNoiseStaysInsideItsLimits) {
  const auto x = SamplesOf(
      "Modelica.Blocks.Noise.TruncatedNormalNoise noise(samplePeriod = 1, "
      "y_min = -3, y_max = 3);",
      1);
  const double part = std::erf(3 / std::sqrt(2.0));
  const double density = std::exp(-4.5) / std::sqrt(2 * std::acos(-1.0));
  const double variance = 1 - 6 * density / part;
  const double fourth = 3 - (54 + 18) * density / part;
  ExpectIndependent(x,
                    {.mean = 0,
                     .variance = variance,
                     .kurtosis = fourth / (variance * variance)});
  EXPECT_GE(*std::min_element(x.begin(), x.end()), -3);
  EXPECT_LE(*std::max_element(x.begin(), x.end()), 3);
}

TEST(NoiseTest, WhiteNoiseHasThePowerItIsGiven) {
  ExpectIndependent(
      SamplesOf("Modelica.Blocks.Noise.BandLimitedWhiteNoise noise("
                "samplePeriod = 1, noisePower = 0.25);",
                1),
      {.mean = 0, .variance = 0.25, .kurtosis = 3});
}

// Octave i holds for 2^i samples, so it makes 1 - lag/2^i of the variance.
TEST(NoiseTest, PinkNoiseRemembersInEveryOctave) {
  constexpr int kOctaves = 8;
  const auto x = SamplesOf(
      "Orrery.Blocks.Sources.PinkNoise noise(samplePeriod = 1, "
      "standard_deviation = 2, num_octaves = 8);",
      1);
  for (const std::size_t lag : {0U, 1U, 2U, 4U, 16U, 64U, 256U, 1000U}) {
    double covariance = lag == 0 ? 1 : 0;
    // Variance of the estimate: octave i has kSamples/2^i independent values.
    double error = 0;
    for (int i = 1; i <= kOctaves; ++i) {
      const double hold = std::ldexp(1.0, i);
      covariance += std::max(0.0, 1 - static_cast<double>(lag) / hold);
      error += 2 * hold / kSamples;
    }
    constexpr double kScale = 4.0 / (kOctaves + 1);
    EXPECT_NEAR(Covariance(x, x, 0, lag),
                kScale * covariance,
                kSigmas * kScale * std::sqrt(kOctaves * error))
        << "lag " << lag;
  }
}

TEST(NoiseTest, TheSameSeedGivesTheSameBitsAndAnotherOneNoRelation) {
  const auto a = SamplesOf(kNormal, 1);
  EXPECT_EQ(a, SamplesOf(kNormal, 1));
  const auto b = SamplesOf(kNormal, 2);
  const auto c = SamplesOf(
      "Modelica.Blocks.Noise.NormalNoise noise(samplePeriod = 1, mu = 2, "
      "sigma = 3, fixedLocalSeed = 2);",
      1);
  for (const auto& other : {b, c}) {
    for (const std::size_t lag : {0U, 1U, 2U, 3U, 10U}) {
      const double bound = kSigmas * 9 / std::sqrt(1.0 * kSamples);
      EXPECT_NEAR(Covariance(a, other, 2, lag), 0, bound) << lag;
      EXPECT_NEAR(Covariance(other, a, 2, lag), 0, bound) << lag;
    }
  }
}

}  // namespace
}  // namespace orrery
