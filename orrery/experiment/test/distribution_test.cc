#include "orrery/experiment/statistics/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

// One of each kind, with ends, tails and steps of all sorts.
const std::vector<std::string>& Examples() {
  static const std::vector<std::string> examples = {
      "beta(2, 3)",
      "beta(0.5, 0.5, -1, 3)",
      "binomial(20, 0.5)",
      "binomial(1000, 0.003)",
      "discrete({5, 1, 2.5}, {1, 2, 1})",
      "exponential(3)",
      "gamma(2.5, 2)",
      "gamma(0.1, 1)",
      "lognormal(0.5, 0.25)",
      "loguniform(0.1, 100)",
      "normal(4, 0.2)",
      "normal(0, 1, -1, 2)",
      "normal(0, 1, 10, inf)",
      "normal(0, 1, -inf, -10)",
      "poisson(0.3)",
      "poisson(1000)",
      "triangular(1, 2, 5)",
      "triangular(1, 1, 2)",
      "uniform(-3, 7)",
      "uniforminteger(-2, 9)",
      "weibull(2, 3)",
  };
  return examples;
}

void ExpectMoments(const std::string& text, double mean, double deviation) {
  const Distribution distribution = Distribution::Parse(text);
  EXPECT_NEAR(distribution.mean(), mean, 1e-13 * std::abs(mean)) << text;
  EXPECT_NEAR(distribution.standard_deviation(), deviation, 1e-13 * deviation)
      << text;
}

void ExpectQuantile(const std::string& text, double p, double x) {
  EXPECT_NEAR(Distribution::Parse(text).Quantile(p), x, 4e-15 * std::abs(x))
      << text << " at " << p;
}

// Solved with 40 digits; that of gamma(2.5, 2) is chi-squared with 5 degrees
// of freedom, 11.0705 in every table.
TEST(DistributionTest, QuantilesAreThoseOfTheTables) {
  ExpectQuantile("normal(4, 0.2)", 0.975, 4 + 0.2 * 1.9599639845400543);
  ExpectQuantile("gamma(2.5, 2)", 0.95, 11.070497693516354);
  ExpectQuantile("gamma(2.5, 2)", 0.01, 0.55429807672827714);
  ExpectQuantile("beta(2, 3)", 0.5, 0.38572756813238955);
  ExpectQuantile("beta(2, 3)", 0.05, 0.09761146288641434);
  ExpectQuantile("beta(2, 3, -1, 3)", 0.5, -1 + 4 * 0.38572756813238955);
  ExpectQuantile("lognormal(0.5, 0.25)", 0.95, 2.4873388567293066);
  ExpectQuantile("loguniform(0.1, 100)", 1.0 / 3, 1);
  ExpectQuantile("weibull(2, 3)", 0.9, 4.5522813881554391);
  ExpectQuantile("exponential(3)", 0.5, 3 * std::log(2.0));
  ExpectQuantile("uniform(-3, 7)", 0.25, -0.5);
  // The area up to x is (x - 1)^2 / 4 below the mode, 1 - (5 - x)^2 / 12 above.
  ExpectQuantile("triangular(1, 2, 5)", 0.16, 1.8);
  ExpectQuantile("triangular(1, 2, 5)", 0.88, 3.8);
  ExpectQuantile("normal(0, 1, -1, 2)", 0.3, -0.2424038178892268);
  ExpectQuantile("normal(0, 1, 10, inf)", 0.5, 10.068411836081429);
  ExpectQuantile("normal(0, 1, -inf, -10)", 0.5, -10.068411836081429);
}

TEST(DistributionTest, MomentsAreExact) {
  ExpectMoments("normal(4, 0.2)", 4, 0.2);
  ExpectMoments("uniform(3.6, 4.4)", 4, 0.8 / std::sqrt(12.0));
  ExpectMoments("loguniform(0.1, 100)", 14.462006247378286, 22.686422987815303);
  ExpectMoments("loguniform(2, 3)", 1 / std::log(1.5), 0.28828091752855275);
  ExpectMoments("lognormal(0.5, 0.25)", 1.7010573018484007, 0.4319964175155511);
  ExpectMoments("triangular(1, 2, 5)", 8.0 / 3, std::sqrt(13.0 / 18));
  ExpectMoments("exponential(3)", 3, 3);
  ExpectMoments("gamma(2.5, 2)", 5, std::sqrt(10.0));
  ExpectMoments("beta(2, 3)", 0.4, 0.2);
  ExpectMoments("beta(2, 3, -1, 4)", 1, 1);
  ExpectMoments("weibull(2, 3)", 2.658680776358274, 1.3897541255283127);
  ExpectMoments("discrete({5,1,2.5}, {1,2,1})", 2.375, std::sqrt(2.671875));
  ExpectMoments("discrete({1,2,6})", 3, std::sqrt(14.0 / 3));
  ExpectMoments("uniforminteger(1, 6)", 3.5, std::sqrt(35.0 / 12));
  ExpectMoments("poisson(4)", 4, 2);
  ExpectMoments("binomial(20, 0.5)", 10, std::sqrt(5.0));
}

// Integrated with 40 digits.
TEST(DistributionTest, MomentsOfATruncatedNormalHoldInTailsAndNarrowIntervals) {
  ExpectMoments("normal(0, 1, -1, 2)", 0.22963717909132897, 0.7209455868590458);
  ExpectMoments(
      "normal(0, 1, 10, inf)", 10.098093233962512, 0.09718733366882879);
  ExpectMoments("normal(0, 1, -6, -5)", -5.1831470904771735, 0.171617105116253);
  ExpectMoments("normal(0, 1, -inf, inf)", 0, 1);
  const Distribution narrow("normal", {0, 1, 3, 3 + 0x1p-20});
  EXPECT_NEAR(
      narrow.standard_deviation() / (0x1p-20 / std::sqrt(12.0)), 1, 1e-9);
}

// 1 + 2^-10, with 60 digits.
TEST(DistributionTest, NarrowLogUniformKeepsItsDigits) {
  ExpectMoments("loguniform(1, 1.0009765625)",
                1.0004882018159214,
                0.00028190930888951903);
}

// Sums of the probabilities with 40 digits.
TEST(DistributionTest, CountsHaveTheLeastNumberThatSuffices) {
  const auto quantile = [](const std::string& text, double p) {
    return Distribution::Parse(text).Quantile(p);
  };
  EXPECT_EQ(quantile("poisson(4)", 0.95), 8);
  EXPECT_EQ(quantile("poisson(4)", 0.9488), 7);
  EXPECT_EQ(quantile("poisson(1000)", 0.025), 938);
  EXPECT_EQ(quantile("poisson(1000)", 0.975), 1062);
  EXPECT_EQ(quantile("binomial(20, 0.5)", 0.0206), 5);
  EXPECT_EQ(quantile("binomial(20, 0.5)", 0.0207), 6);
  EXPECT_EQ(quantile("uniforminteger(1, 6)", 1.0 / 3), 2);
  EXPECT_EQ(quantile("uniforminteger(1, 6)", 0.34), 3);
  EXPECT_EQ(quantile("discrete({5, 1, 2.5}, {1, 2, 1})", 0.5), 1);
  EXPECT_EQ(quantile("discrete({5, 1, 2.5}, {1, 2, 1})", 0.51), 2.5);
}

TEST(DistributionTest, ProbabilitiesOfCountsAreSums) {
  const Distribution poisson = Distribution::Parse("poisson(4)");
  EXPECT_NEAR(poisson.Cdf(7), 0.94886638420715266, 1e-15);
  EXPECT_EQ(poisson.Cdf(7.9), poisson.Cdf(7));
  EXPECT_EQ(poisson.Cdf(-0.1), 0);
  EXPECT_NEAR(
      Distribution::Parse("binomial(20, 0.5)").Cdf(5), 21700.0 / 0x1p20, 1e-16);
}

TEST(DistributionTest, EndsAreTheQuantilesOfZeroAndOne) {
  const auto ends = [](const std::string& text) {
    const Distribution distribution = Distribution::Parse(text);
    return std::pair(distribution.Quantile(0), distribution.Quantile(1));
  };
  EXPECT_EQ(ends("normal(0, 1)"), std::pair(-kInfinity, kInfinity));
  EXPECT_EQ(ends("normal(0, 1, -1, 2)"), std::pair(-1.0, 2.0));
  EXPECT_EQ(ends("normal(0, 1, 10, inf)"), std::pair(10.0, kInfinity));
  EXPECT_EQ(ends("uniform(0.1, 0.3)"), std::pair(0.1, 0.3));
  EXPECT_EQ(ends("loguniform(0.1, 0.3)"), std::pair(0.1, 0.3));
  EXPECT_EQ(ends("lognormal(0, 1)"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("exponential(2)"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("gamma(2, 1)"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("weibull(2, 1)"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("triangular(1, 2, 5)"), std::pair(1.0, 5.0));
  EXPECT_EQ(ends("beta(2, 3, -1, 4)"), std::pair(-1.0, 4.0));
  EXPECT_EQ(ends("poisson(4)"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("binomial(20, 0.5)"), std::pair(0.0, 20.0));
  EXPECT_EQ(ends("discrete({3,1,2}, {0,1,1})"), std::pair(1.0, 2.0));
  EXPECT_EQ(ends("uniforminteger(-2, 9)"), std::pair(-2.0, 9.0));
}

TEST(DistributionTest, WholeNumbersAreKnownAsSuch) {
  for (const std::string& text : Examples()) {
    const bool is_count = text.starts_with("binomial") ||
                          text.starts_with("poisson") ||
                          text.starts_with("uniforminteger");
    EXPECT_EQ(Distribution::Parse(text).is_integer(), is_count) << text;
  }
  EXPECT_TRUE(Distribution::Parse("discrete({1,2,5})").is_integer());
}

TEST(DistributionTest, TextReadsBack) {
  for (const std::string& text : Examples()) {
    EXPECT_EQ(Distribution::Parse(text).text(), text);
  }
  const Distribution third("normal", {1.0 / 3, 1e-300});
  EXPECT_EQ(Distribution::Parse(third.text()), third);
  EXPECT_EQ(Distribution::Parse(" normal ( 4 ,+.2 ) ").text(),
            "normal(4, 0.2)");
}

// A probability inside one of a million equal cells.
double MiddleOf(int cell) {
  return (static_cast<double>(cell) + 0.5) * 1e-6;
}

RC_GTEST_PROP(DistributionTest, QuantilesRiseWithTheProbability, ()) {
  const Distribution distribution =
      Distribution::Parse(*rc::gen::elementOf(Examples()));
  const int cell = *rc::gen::inRange(0, 999'999);
  const int higher = *rc::gen::inRange(cell + 1, 1'000'000);
  RC_ASSERT(distribution.Quantile(MiddleOf(cell)) <=
            distribution.Quantile(MiddleOf(higher)));
}

// For counts: the least number whose probability suffices.
RC_GTEST_PROP(DistributionTest, QuantilesAreTheInverseOfTheProbability, ()) {
  const Distribution distribution =
      Distribution::Parse(*rc::gen::elementOf(Examples()));
  const double p = MiddleOf(*rc::gen::inRange(0, 1'000'000));
  const double x = distribution.Quantile(p);
  const double rounding =
      4 * (std::nextafter(std::abs(x), kInfinity) - std::abs(x));
  RC_ASSERT(distribution.Cdf(x + rounding) >= p - 1e-14);
  RC_ASSERT(distribution.Cdf(x - rounding) <= p + 1e-14);
}

// The mean of the quantiles of the middles of n equal cells, to O(1 / n).
TEST(DistributionTest, MomentsAreThoseOfWhatIsDrawn) {
  for (const std::string& text : Examples()) {
    const Distribution distribution = Distribution::Parse(text);
    constexpr int kCells = 20'000;
    std::vector<double> drawn;
    for (int i = 0; i < kCells; ++i) {
      drawn.push_back(distribution.Quantile((i + 0.5) / kCells));
    }
    const double mean =
        std::accumulate(drawn.begin(), drawn.end(), 0.0) / kCells;
    double squares = 0;
    for (const double x : drawn) {
      squares += (x - mean) * (x - mean);
    }
    const double deviation = distribution.standard_deviation();
    EXPECT_NEAR(mean, distribution.mean(), 1e-3 * deviation) << text;
    EXPECT_NEAR(std::sqrt(squares / kCells), deviation, 5e-3 * deviation)
        << text;
  }
}

// Errors ---------------------------------------------------------------------

std::string ParseError(const std::string& text) {
  return MessageOf([&] { static_cast<void>(Distribution::Parse(text)); });
}

// The message, its hint and the column of one error in `text`.
std::string Finding(const std::string& text) {
  try {
    static_cast<void>(Distribution::Parse(text));
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().at(0);
    return std::to_string(first.column) + ": " + first.message + "; " +
           first.hint;
  }
  return "no error";
}

TEST(DistributionTest, AnErrorPointsAtTheArgument) {
  EXPECT_EQ(ParseError("normal(4, -0.2)"),
            "distribution:1:11: error: the standard deviation is -0.2\n"
            "    1 | normal(4, -0.2)\n"
            "      |           ^~~~ it must be positive and finite\n");
}

TEST(DistributionTest, AnUnknownNameIsMetWithTheNearest) {
  EXPECT_EQ(Finding("norml(4, 0.2)"),
            "1: there is no distribution 'norml'; did you mean 'normal'?");
}

TEST(DistributionTest, EachWrongArgumentIsNamed) {
  EXPECT_EQ(Finding("normal(nan, 1)"),
            "8: an argument of normal is not a number; ");
  EXPECT_EQ(Finding("normal(inf, 1)"), "8: the mean is inf; it must be finite");
  EXPECT_EQ(Finding("normal(0, 0)"),
            "11: the standard deviation is 0; it must be positive and finite");
  EXPECT_EQ(Finding("normal(0, 1, 2, 2)"),
            "17: the high end is 2; it must be above the low end, 2");
  EXPECT_EQ(Finding("normal(0, 1, 50, 60)"),
            "14: the normal distribution has no chance from 50 to 60; the ends "
            "must be nearer to the mean or farther apart");
  EXPECT_EQ(Finding("uniform(3, 1)"),
            "12: the high end is 1; it must be above the low end, 3");
  EXPECT_EQ(Finding("loguniform(-1, 1)"),
            "12: the low end is -1; it must be positive and finite");
  EXPECT_EQ(Finding("lognormal(0, -1)"),
            "14: sigma is -1; it must be positive and finite");
  EXPECT_EQ(Finding("triangular(0, 3, 2)"),
            "18: the high end is 2; it must be at least the mode, 3");
  EXPECT_EQ(Finding("triangular(1, 0, 2)"),
            "15: the mode is 0; it must be at least the low end, 1");
  EXPECT_EQ(Finding("exponential(0)"),
            "13: the mean is 0; it must be positive and finite");
  EXPECT_EQ(Finding("gamma(0, 1)"),
            "7: the shape is 0; it must be positive and finite");
  EXPECT_EQ(Finding("weibull(1, inf)"),
            "12: the scale is inf; it must be positive and finite");
  EXPECT_EQ(Finding("beta(1, 0)"), "9: b is 0; it must be positive and finite");
  EXPECT_EQ(Finding("beta(1, 1, 3, 2)"),
            "15: the high end is 2; it must be above the low end, 3");
  EXPECT_EQ(Finding("poisson(2e9)"),
            "9: the mean is 2e+09; it must be positive and at most 1e9");
  EXPECT_EQ(Finding("binomial(2.5, 0.5)"),
            "10: the number of trials is 2.5; it must be a whole number from 1 "
            "to 1e9");
  EXPECT_EQ(Finding("binomial(3, 1.5)"),
            "13: the probability is 1.5; it must be between 0 and 1");
  EXPECT_EQ(Finding("uniforminteger(0, 2.5)"),
            "19: the high end is 2.5; it must be a whole number of at most "
            "2^53");
  EXPECT_EQ(Finding("discrete({1,inf})"),
            "13: a value is inf; it must be finite");
  EXPECT_EQ(Finding("discrete({1,2}, {1,-1})"),
            "20: a weight is -1; it must be at least 0 and finite");
  EXPECT_EQ(Finding("discrete({1,2}, {0,0})"),
            "18: the sum of the weights is 0; it must be positive and finite");
  EXPECT_EQ(Finding("discrete({1,2}, {1})"),
            "18: there are 1 weights for 2 values; there must be one for each");
}

TEST(DistributionTest, AWrongNumberOfArgumentsIsMetWithTheForm) {
  EXPECT_EQ(Finding("normal(4)"),
            "1: normal does not take 1 argument; give normal(mean, sd) or "
            "normal(mean, sd, low, high)");
  EXPECT_EQ(Finding("poisson(1, 2)"),
            "1: poisson does not take 2 arguments; give poisson(mean)");
}

TEST(DistributionTest, WhatIsNoDistributionIsPointedAt) {
  EXPECT_EQ(Finding(""),
            "1: a distribution begins with its name; give one as in normal(4, "
            "0.2)");
  EXPECT_EQ(Finding("normal"),
            "7: there is the end where '(' would begin the arguments of "
            "normal; ");
  EXPECT_EQ(Finding("normal(4; 2)"),
            "9: there is ';' where ')' would end the arguments of normal; ");
  EXPECT_EQ(Finding("normal(4, x)"),
            "11: there is 'x' where an argument of normal is expected; give a "
            "number");
  EXPECT_EQ(Finding("normal(4, 1) + 2"),
            "14: nothing may follow the distribution; give one alone");
  EXPECT_EQ(Finding("discrete(1, 2)"),
            "10: there is '1' where '{' would begin the values; ");
  EXPECT_EQ(Finding("poisson(1e999)"),
            "9: an argument of poisson is beyond what a number can be; numbers "
            "reach from 2.2e-308 to 1.8e308");
}

TEST(DistributionTest, ACallWithWrongArgumentsSaysWhich) {
  EXPECT_EQ(MessageOf([] {
              Distribution("normal", {4, -1});
            }),
            "cannot make normal(4, -1): the standard deviation is -1; it must "
            "be positive and finite");
  EXPECT_EQ(MessageOf([] { Distribution("normal", {4}); }),
            "cannot make normal(4): it does not take as many arguments; give "
            "normal(mean, sd) or normal(mean, sd, low, high)");
  EXPECT_EQ(MessageOf([] { Distribution("nromal", {4}); }),
            "cannot make nromal(4): there is no distribution of numbers "
            "'nromal'; did you mean 'normal'?");
  EXPECT_EQ(MessageOf([] { static_cast<void>(Distribution::Discrete({})); }),
            "cannot make discrete({}): there is no value; give one or more");
  EXPECT_EQ(MessageOf([] {
              static_cast<void>(Distribution("normal", {0, 1}).Quantile(1.5));
            }),
            "cannot take a quantile of normal(0, 1): the probability is 1.5; "
            "it must be between 0 and 1");
}

}  // namespace
}  // namespace orrery
