#include "orrery/experiment/sensitivity/sobol_indices.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

SaltelliDesign Make(const std::vector<std::string>& texts,
                    const SaltelliOptions& options) {
  return {ParseFactors("--vary", texts), options};
}

std::vector<double> OutputsOf(const SaltelliDesign& saltelli,
                              const Function& function) {
  const Design& design = saltelli.design();
  std::vector<double> outputs;
  std::vector<double> point(design.dimension());
  for (std::int64_t i = 0; i < design.size(); ++i) {
    design.Point(i, point);
    outputs.push_back(function(point));
  }
  return outputs;
}

// Ishigami & Homma (1990), with a = 7 and b = 0.1.
double Ishigami(const std::vector<double>& x) {
  const double second = std::sin(x[1]);
  const double square = x[2] * x[2];
  return std::sin(x[0]) * (1 + 0.1 * square * square) + 7 * second * second;
}

constexpr double kIshigamiVariance = 13.84458794071925;
constexpr std::array kIshigamiFirst = {
    0.3139051911478115, 0.4424111447900409, 0.0};
constexpr std::array kIshigamiTotal = {
    0.5575888552099592, 0.4424111447900409, 0.2436836640621477};
constexpr double kIshigami13 = 0.2436836640621477;

SaltelliDesign IshigamiDesign(const SaltelliOptions& options) {
  const std::string range = "=[-3.141592653589793,3.141592653589793]";
  return Make({"x1" + range, "x2" + range, "x3" + range}, options);
}

SobolIndices EstimateIshigami(const SaltelliOptions& options,
                              const BootstrapOptions& bootstrap = {}) {
  const SaltelliDesign saltelli = IshigamiDesign(options);
  return saltelli.Estimate(OutputsOf(saltelli, Ishigami), bootstrap);
}

bool Holds(const ConfidenceInterval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

// To the five digits of an independent implementation on the same points.
TEST(SobolIndicesTest, IshigamiEstimatesAreThoseOfAnotherProgram) {
  const SobolIndices few =
      EstimateIshigami({.samples = 8192}, {.resamples = 100});
  const std::array first = {0.31482, 0.44242, 0.00076};
  const std::array total = {0.55865, 0.44242, 0.24345};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(few.first[k].value, first[k], 5e-6);
    EXPECT_NEAR(few.total[k].value, total[k], 5e-6);
  }
  const SobolIndices many =
      EstimateIshigami({.samples = 65536}, {.resamples = 100});
  const std::array first_of_many = {0.31396, 0.44241, 0.00006};
  const std::array total_of_many = {0.55759, 0.44241, 0.24368};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(many.first[k].value, first_of_many[k], 5e-6);
    EXPECT_NEAR(many.total[k].value, total_of_many[k], 5e-6);
  }
}

TEST(SobolIndicesTest, IntervalsHoldTheExactIshigamiIndices) {
  const SobolIndices indices =
      EstimateIshigami({.samples = 8192, .has_second_order = true});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(Holds(indices.first[k].interval, kIshigamiFirst.at(k)));
    EXPECT_TRUE(Holds(indices.total[k].interval, kIshigamiTotal.at(k)));
    EXPECT_LT(indices.total[k].interval.high - indices.total[k].interval.low,
              0.07);
  }
  EXPECT_TRUE(Holds(indices.second[0].interval, 0));            // x1, x2
  EXPECT_TRUE(Holds(indices.second[1].interval, kIshigami13));  // x1, x3
  EXPECT_TRUE(Holds(indices.second[2].interval, 0));            // x2, x3
  EXPECT_NEAR(indices.second[1].value, kIshigami13, 2e-3);
  EXPECT_NEAR(indices.mean, 3.5, 1e-6);
  EXPECT_NEAR(indices.variance, kIshigamiVariance, 1e-4);
  EXPECT_EQ(indices.samples, 8192);
}

TEST(SobolIndicesTest, SecondOrderTakesMoreRunsAndLeavesTheOthers) {
  const SaltelliOptions options{.samples = 256};
  const SaltelliOptions with_pairs{.samples = 256, .has_second_order = true};
  EXPECT_EQ(IshigamiDesign(options).design().size(), 256 * 5);
  EXPECT_EQ(IshigamiDesign(with_pairs).design().size(), 256 * 8);
  const SobolIndices indices = EstimateIshigami(options);
  const SobolIndices with_second = EstimateIshigami(with_pairs);
  EXPECT_EQ(indices.first, with_second.first);
  EXPECT_EQ(indices.total, with_second.total);
  EXPECT_TRUE(indices.second.empty());
}

// Saltelli & Sobol' (1995): the product of (|4 x - 2| + a) / (1 + a), of which
// V_k = 1 / (3 (1 + a_k)^2), V = prod(1 + V_k) - 1.
TEST(SobolIndicesTest, IndicesOfTheGFunctionAreTheExactOnes) {
  const std::array<double, 6> a = {0, 0.5, 3, 9, 99, 99};
  std::vector<std::string> texts;
  double product = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    texts.push_back("x" + std::to_string(k) + "=[0,1]");
    product *= 1 + 1 / (3 * (1 + a.at(k)) * (1 + a.at(k)));
  }
  const SaltelliDesign saltelli = Make(texts, {.samples = 8192});
  const SobolIndices indices = saltelli.Estimate(
      OutputsOf(saltelli,
                [&a](const std::vector<double>& x) {
                  double value = 1;
                  for (std::size_t k = 0; k < x.size(); ++k) {
                    value *= (std::abs(4 * x[k] - 2) + a.at(k)) / (1 + a.at(k));
                  }
                  return value;
                }),
      {.resamples = 10});
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double own = 1 / (3 * (1 + a.at(k)) * (1 + a.at(k)));
    EXPECT_NEAR(indices.first[k].value, own / (product - 1), 3e-3) << k;
    EXPECT_NEAR(
        indices.total[k].value, own * product / (1 + own) / (product - 1), 3e-3)
        << k;
  }
}

// The indices of a sum are the fractions of its variance, 1 + 4.
TEST(SobolIndicesTest, FactorsMayBeUnbounded) {
  for (const bool is_shifted : {false, true}) {
    const SaltelliDesign saltelli =
        Make({"x1=normal(0,1)", "x2=normal(5,2)"},
             {.samples = 4096, .is_shifted = is_shifted});
    const SobolIndices indices = saltelli.Estimate(OutputsOf(
        saltelli, [](const std::vector<double>& x) { return x[0] + x[1]; }));
    EXPECT_NEAR(indices.first[0].value, 0.2, 5e-3);
    EXPECT_NEAR(indices.total[1].value, 0.8, 5e-3);
    EXPECT_NEAR(indices.variance, 5, 0.02);
  }
}

TEST(SobolIndicesTest, FewerSamplesAreTheFirstRunsOfMore) {
  const SaltelliDesign few = IshigamiDesign({.samples = 8});
  const SaltelliDesign many = IshigamiDesign({.samples = 64});
  std::vector<double> outputs = OutputsOf(many, Ishigami);
  outputs.resize(static_cast<std::size_t>(few.design().size()));
  EXPECT_EQ(OutputsOf(few, Ishigami), outputs);
}

TEST(SobolIndicesTest, SamplesWithAFailedRunAreLeftOut) {
  const SaltelliDesign saltelli = IshigamiDesign({.samples = 8192});
  std::vector<double> outputs = OutputsOf(saltelli, Ishigami);
  for (std::size_t i = 0; i < outputs.size(); i += 1000) {
    outputs[i] = std::numeric_limits<double>::quiet_NaN();
  }
  const SobolIndices indices = saltelli.Estimate(outputs, {.resamples = 10});
  EXPECT_EQ(indices.missing, 41);
  EXPECT_EQ(indices.samples, 8192 - 41);
  EXPECT_NEAR(indices.first[0].value, kIshigamiFirst[0], 0.01);
}

TEST(SobolIndicesTest, ResamplingDependsOnItsSeedAlone) {
  const SaltelliOptions options{.samples = 256};
  const SobolIndices one = EstimateIshigami(options, {.seed = 1});
  const SobolIndices other = EstimateIshigami(options, {.seed = 2});
  EXPECT_EQ(one, EstimateIshigami(options, {.seed = 1}));
  EXPECT_EQ(one.first[0].value, other.first[0].value);
  EXPECT_NE(one.first[0].interval, other.first[0].interval);
}

TEST(SobolIndicesTest, AConstantOutputHasNoIndices) {
  const SaltelliDesign saltelli = Make({"x=[0,1]"}, {.samples = 100});
  const SobolIndices indices = saltelli.Estimate(
      OutputsOf(saltelli, [](const std::vector<double>&) { return 0.1; }));
  EXPECT_EQ(indices.mean, 0.1);
  EXPECT_EQ(indices.variance, 0);
  EXPECT_TRUE(std::isnan(indices.first[0].value));
  EXPECT_TRUE(std::isnan(indices.total[0].interval.low));
}

TEST(SobolIndicesTest, NothingIsKnownIfAllRunsFail) {
  const SaltelliDesign saltelli = Make({"x=[0,1]"}, {.samples = 4});
  const SobolIndices indices = saltelli.Estimate(
      std::vector<double>(12, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(indices.samples, 0);
  EXPECT_EQ(indices.missing, 4);
  EXPECT_TRUE(std::isnan(indices.mean));
  EXPECT_TRUE(std::isnan(indices.first[0].value));
}

TEST(SobolIndicesTest, OptionsOutOfRangeAreRefused) {
  const std::string begin = "cannot estimate Sobol' indices: ";
  EXPECT_EQ(MessageOf([] { Make({"x=[0,1]"}, {.samples = 1}); }),
            begin +
                "there are 1 base samples; give a number from 2 to "
                "1000000000");
  EXPECT_EQ(MessageOf([] { Make({}, {}); }),
            "cannot design an experiment: nothing varies; give a factor, as in "
            "k=1:0.5:10");
  const auto error = [](const BootstrapOptions& bootstrap) {
    return MessageOf([&] {
      static_cast<void>(Make({"x=[0,1]"}, {.samples = 2})
                            .Estimate(std::vector<double>(6), bootstrap));
    });
  };
  EXPECT_EQ(error({.resamples = 0}),
            begin + "there are 0 resamples; give a number from 1 to 1000000");
  EXPECT_EQ(
      error({.confidence = 95}),
      begin + "the confidence is 95; it must be between 0 and 1, as 0.95");
}

// The first-order index of a group includes all interactions within it.
TEST(SobolIndicesTest, IndicesOfGroupsAreThoseOfAllTheirFactors) {
  const SobolIndices indices =
      EstimateIshigami({.samples = 8192,
                        .groups = {{.name = "outer", .factors = {0, 2}},
                                   {.name = "x2", .factors = {1}}}});
  ASSERT_EQ(indices.first.size(), 2U);
  const double outer = kIshigamiTotal[0] + kIshigamiFirst[2];
  EXPECT_NEAR(indices.first[0].value, outer, 0.01);
  EXPECT_NEAR(indices.total[0].value, outer, 0.01);
  EXPECT_NEAR(indices.first[1].value, kIshigamiFirst[1], 0.01);
}

// y = a + b + c with a and b of correlation 0.5: of the variance 3 + 2*0.5 = 4
// the pair has 3 and c has 1.
TEST(SobolIndicesTest, CorrelatedFactorsOfAGroupKeepTheirCorrelation) {
  const SaltelliDesign saltelli = Make(
      {"a=normal(0,1)", "b=normal(0,1)", "c=normal(0,1)"},
      {.samples = 8192,
       .groups = {{.name = "a+b", .factors = {0, 1}},
                  {.name = "c", .factors = {2}}},
       .correlations = {{.first = "a", .second = "b", .coefficient = 0.5}}});
  const SobolIndices indices =
      saltelli.Estimate(OutputsOf(saltelli, [](const std::vector<double>& x) {
        return x[0] + x[1] + x[2];
      }));
  EXPECT_NEAR(indices.variance, 4, 0.05);
  EXPECT_NEAR(indices.first[0].value, 0.75, 0.01);
  EXPECT_NEAR(indices.total[1].value, 0.25, 0.01);
}

}  // namespace
}  // namespace orrery
