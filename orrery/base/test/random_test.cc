#include "orrery/base/numbers/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"

namespace orrery {
namespace {

using testing::ElementsAre;

constexpr int kDraws = 20'000;
constexpr int kCounted = 400'000;  // To see slips in the rejection methods.

// Random123, tests/kat_vectors, the lines "philox4x32 10".
TEST(PhiloxTest, GivesThePublishedAnswers) {
  EXPECT_THAT(Philox4x32({0, 0, 0, 0}, {0, 0}),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_THAT(Philox4x32({ones, ones, ones, ones}, {ones, ones}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                         {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

// The vectors of the FNV authors (Fowler, Noll, Vo; RFC 9923, appendix C).
TEST(StableHashTest, IsFnv1a) {
  EXPECT_EQ(StableHash(""), 0xcbf29ce484222325U);
  EXPECT_EQ(StableHash("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(StableHash("foobar"), 0x85944171f73967e8U);
}

// By mpmath 1.3, 40 digits: the roots of ncdf(x) = p.
TEST(InverseNormalCdfTest, AgreesWithHighPrecision) {
  const auto expect = [](double p, double x) {
    EXPECT_NEAR(InverseNormalCdf(p), x, 4e-16 * std::abs(x)) << p;
  };
  expect(0.6, 0.25334710313579974132);
  expect(0.975, 1.9599639845400538556);
  expect(0.99, 2.3263478740408407676);
  expect(1e-3, -3.0902323061678135354);
  expect(1e-10, -6.3613409024040561991);
  expect(1e-100, -21.273453560965324294);
  expect(1e-300, -37.047096299361199237);
}

TEST(InverseNormalCdfTest, IsInfiniteAtTheEnds) {
  EXPECT_EQ(InverseNormalCdf(0), -kInfinity);
  EXPECT_EQ(InverseNormalCdf(1), kInfinity);
  EXPECT_EQ(InverseNormalCdf(0.5), 0.0);
  EXPECT_THROW((void)InverseNormalCdf(kNaN), Error);
}

// By an independent program (Python) from the specification in RandomStream.
TEST(RandomStreamTest, HasTheSpecifiedWords) {
  RandomStream stream(42, "demand");
  EXPECT_EQ(stream.Next(), 0x516b8071f9791586U);
  EXPECT_EQ(stream.Next(), 0xbb757f11729f7c15U);
  EXPECT_EQ(stream.Next(), 0x71bf913c2efaf18aU);
  EXPECT_EQ(stream.Next(), 0x760bba741fb3836dU);
  EXPECT_EQ(stream.position(), 4U);
  stream.Seek(1'000'000'000'001U);
  EXPECT_EQ(stream.Next(), 0xd686f9f3bf41f2b3U);

  RandomStream nameless(0xfedcba9876543210U, "");
  EXPECT_EQ(nameless.Next(), 0x595ed996cb5037baU);
  EXPECT_EQ(nameless.Next(), 0xfae48d7a1ddb1d2aU);
}

RC_GTEST_PROP(RandomStreamTest,
              SeekGoesToAnyWord,
              (std::uint64_t seed, const std::string& name)) {
  const auto skipped = *rc::gen::inRange(0, 50);
  RandomStream walked(seed, name);
  for (int i = 0; i < skipped; ++i) {
    walked.Next();
  }
  RandomStream sought(seed, name);
  sought.Seek(static_cast<std::uint64_t>(skipped));
  RC_ASSERT(walked == sought);
  RC_ASSERT(walked.Next() == sought.Next());
  walked.Jump(7);
  sought.Seek(static_cast<std::uint64_t>(skipped) + 8);
  RC_ASSERT(walked == sought);
}

TEST(RandomStreamTest, ContinuesFromACopyAsFromASnapshot) {
  RandomStream stream(1, "a");
  stream.Jump(3);
  const RandomStream snapshot = stream;
  std::vector<double> first(10);
  std::ranges::generate(first, [&] { return stream.Gamma(0.7, 2); });
  stream = snapshot;
  for (const double value : first) {
    EXPECT_EQ(stream.Gamma(0.7, 2), value);
  }
}

double Correlation(RandomStream a, RandomStream b) {
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    sum += (a.Uniform01() - 0.5) * (b.Uniform01() - 0.5);
  }
  return 12 * sum / kDraws;
}

TEST(RandomStreamTest, IsIndependentOfOtherNamesAndSeeds) {
  const double four_sigma = 4 / std::sqrt(kDraws);
  const RandomStream stream(7, "arrivals");
  EXPECT_NEAR(Correlation(stream, stream), 1.0, 0.02);
  for (const std::string_view other : {"arrivalt", "Arrivals", "arrivals1"}) {
    EXPECT_LT(std::abs(Correlation(stream, {7, other})), four_sigma) << other;
  }
  EXPECT_LT(std::abs(Correlation(stream, {8, "arrivals"})), four_sigma);
}

// An independent program (Python) has found the first four, too, to the bit.
// The others fix the algorithms: a change of a number here changes every run
// with random draws.
TEST(RandomStreamTest, DrawsTheSameBitsForEver) {
  RandomStream stream(42, "demand");
  EXPECT_EQ(stream.Normal(4, 0.2), 0x1.f3e30b8345ffp+1);
  EXPECT_EQ(stream.LogNormal(1, 0.5), 0x1.da4fb45e554c1p+1);
  EXPECT_EQ(stream.Exponential(2.5), 0x1.03949f7a4fd64p+1);
  EXPECT_EQ(stream.Weibull(1.7, 3), 0x1.4a4ee1c8e5beep+1);
  EXPECT_EQ(stream.Triangular(1, 2, 5), 0x1.576a10d73c73ep+1);
  EXPECT_EQ(stream.Gamma(3, 2), 0x1.54ce513ca9544p+2);
  EXPECT_EQ(stream.Gamma(0.5, 1), 0x1.5abc74883809cp-9);
  EXPECT_EQ(stream.Beta(2, 3), 0x1.bb45918121ce5p-3);
  EXPECT_EQ(stream.Poisson(3.5), 2);
  EXPECT_EQ(stream.Poisson(400), 392);
  EXPECT_EQ(stream.Binomial(20, 0.3), 7);
  EXPECT_EQ(stream.Binomial(1000, 0.4), 400);
  EXPECT_EQ(stream.UniformInt(-1000, 1000), -747);
  EXPECT_EQ(stream.position(), 21U);
}

RC_GTEST_PROP(RandomStreamTest,
              IntegersStayInTheirRange,
              (std::uint64_t seed, std::int64_t a, std::int64_t b)) {
  RandomStream stream(seed, "range");
  const std::int64_t drawn = stream.UniformInt(std::min(a, b), std::max(a, b));
  RC_ASSERT(drawn >= std::min(a, b));
  RC_ASSERT(drawn <= std::max(a, b));
}

// Each with what it consumes, as the header promises.
TEST(RandomStreamTest, ConsumesAFixedNumberOfWordsByInversion) {
  RandomStream stream(1, "a");
  std::uint64_t words = 0;
  const auto expect_one = [&](const char* what) {
    EXPECT_EQ(stream.position(), ++words) << what;
  };
  stream.Uniform(1, 2);
  expect_one("Uniform");
  stream.Bernoulli(0.5);
  expect_one("Bernoulli");
  stream.Normal(0, 1);
  expect_one("Normal");
  stream.LogNormal(0, 1);
  expect_one("LogNormal");
  stream.Exponential(1);
  expect_one("Exponential");
  stream.Weibull(2, 1);
  expect_one("Weibull");
  stream.Triangular(0, 1, 2);
  expect_one("Triangular");
  stream.Poisson(9.9);
  expect_one("Poisson");
  stream.Binomial(1000, 0.001);
  expect_one("Binomial");
  stream.Discrete(std::vector<double>{1, 2});
  expect_one("Discrete");
}

// Kolmogorov-Smirnov: the largest distance of the empirical distribution from
// `cdf`, times sqrt(n). Above 1.95 with probability 0.001.
double KolmogorovSmirnov(const std::function<double(RandomStream&)>& draw,
                         const std::function<double(double)>& cdf) {
  RandomStream stream(2024, "kolmogorov");
  std::vector<double> sample(kDraws);
  std::ranges::generate(sample, [&] { return draw(stream); });
  std::ranges::sort(sample);
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, f - rank / kDraws, (rank + 1) / kDraws - f});
  }
  return distance * std::sqrt(kDraws);
}

struct Continuous {
  std::string name;
  std::function<double(RandomStream&)> draw;
  std::function<double(double)> cdf;
};

class ContinuousTest : public testing::TestWithParam<Continuous> {};

TEST_P(ContinuousTest, FollowsItsDistribution) {
  EXPECT_LT(KolmogorovSmirnov(GetParam().draw, GetParam().cdf), 1.95);
}

double NormalCdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

INSTANTIATE_TEST_SUITE_P(
    All,
    ContinuousTest,
    testing::Values(
        Continuous{"Uniform01",
                   [](RandomStream& r) { return r.Uniform01(); },
                   [](double x) {
                     return x;
                   }},
        Continuous{"Uniform",
                   [](RandomStream& r) { return r.Uniform(-3, 5); },
                   [](double x) {
                     return (x + 3) / 8;
                   }},
        Continuous{"Normal",
                   [](RandomStream& r) { return r.Normal(4, 0.2); },
                   [](double x) {
                     return NormalCdf((x - 4) / 0.2);
                   }},
        Continuous{"LogNormal",
                   [](RandomStream& r) { return r.LogNormal(1, 0.5); },
                   [](double x) {
                     return NormalCdf((std::log(x) - 1) / 0.5);
                   }},
        Continuous{"Exponential",
                   [](RandomStream& r) { return r.Exponential(2.5); },
                   [](double x) {
                     return 1 - std::exp(-x / 2.5);
                   }},
        Continuous{"Weibull",
                   [](RandomStream& r) { return r.Weibull(1.7, 3); },
                   [](double x) {
                     return 1 - std::exp(-std::pow(x / 3, 1.7));
                   }},
        Continuous{"Triangular",
                   [](RandomStream& r) { return r.Triangular(1, 2, 5); },
                   [](double x) {
                     return x < 2 ? (x - 1) * (x - 1) / 4
                                  : 1 - (5 - x) * (5 - x) / 12;
                   }},
        Continuous{"GammaOfShape3",
                   [](RandomStream& r) { return r.Gamma(3, 2); },
                   [](double x) {
                     const double y = x / 2;
                     return 1 - std::exp(-y) * (1 + y + y * y / 2);
                   }},
        Continuous{"GammaOfShapeHalf",
                   [](RandomStream& r) { return r.Gamma(0.5, 1); },
                   [](double x) {
                     return std::erf(std::sqrt(x));
                   }},
        Continuous{"Beta",
                   [](RandomStream& r) { return r.Beta(2, 3); },
                   [](double x) {
                     return x * x * (6 - 8 * x + 3 * x * x);
                   }},
        Continuous{"BetaOfHalves",
                   [](RandomStream& r) { return r.Beta(0.5, 0.5); },
                   [](double x) {
                     return 2 / std::acos(-1.0) * std::asin(std::sqrt(x));
                   }}),
    [](const auto& test) { return test.param.name; });

// Chi-square over the cells in which at least 5 draws are expected, the rest
// in one more; as a standard normal variable (Wilson & Hilferty 1931). Above
// 3.09 with probability 0.001.
double ChiSquare(const std::function<std::int64_t(RandomStream&)>& draw,
                 const std::function<double(std::int64_t)>& probability,
                 std::int64_t largest) {
  RandomStream stream(2024, "pearson");
  std::vector<int> counts(static_cast<std::size_t>(largest) + 1);
  for (int i = 0; i < kCounted; ++i) {
    const std::int64_t k = draw(stream);
    EXPECT_GE(k, 0);
    EXPECT_LE(k, largest);
    ++counts.at(static_cast<std::size_t>(k));
  }
  double chi_square = 0;
  int cells = 0;
  double rest_expected = kCounted;
  double rest_count = kCounted;
  for (std::int64_t k = 0; k <= largest; ++k) {
    const double expected = kCounted * probability(k);
    if (expected >= 5) {
      const double count = counts[static_cast<std::size_t>(k)];
      chi_square += (count - expected) * (count - expected) / expected;
      rest_expected -= expected;
      rest_count -= count;
      ++cells;
    }
  }
  if (rest_expected > 1) {
    chi_square += (rest_count - rest_expected) * (rest_count - rest_expected) /
                  rest_expected;
    ++cells;
  }
  const double freedom = cells - 1;
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}

struct Counting {
  std::string name;
  std::function<std::int64_t(RandomStream&)> draw;
  std::function<double(std::int64_t)> probability;
  std::int64_t largest;
};

class CountingTest : public testing::TestWithParam<Counting> {};

TEST_P(CountingTest, FollowsItsDistribution) {
  EXPECT_LT(
      ChiSquare(GetParam().draw, GetParam().probability, GetParam().largest),
      3.09);
}

double LogFactorial(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 2; i <= n; ++i) {
    sum += std::log(static_cast<double>(i));
  }
  return sum;
}

Counting Poisson(const std::string& name, double mean, std::int64_t largest) {
  return {name,
          [mean](RandomStream& r) { return r.Poisson(mean); },
          [mean](std::int64_t k) {
            const auto n = static_cast<double>(k);
            return std::exp(n * std::log(mean) - mean - LogFactorial(k));
          },
          largest};
}

Counting Binomial(const std::string& name, std::int64_t trials, double p) {
  return {name,
          [=](RandomStream& r) { return r.Binomial(trials, p); },
          [=](std::int64_t successes) {
            const auto n = static_cast<double>(trials);
            const auto k = static_cast<double>(successes);
            return std::exp(LogFactorial(trials) - LogFactorial(successes) -
                            LogFactorial(trials - successes) + k * std::log(p) +
                            (n - k) * std::log1p(-p));
          },
          trials};
}

INSTANTIATE_TEST_SUITE_P(
    All,
    CountingTest,
    testing::Values(
        Counting{"UniformInt",
                 [](RandomStream& r) { return r.UniformInt(-4, 9) + 4; },
                 [](std::int64_t) { return 1.0 / 14; },
                 13},
        // Without rejection, half of these would be divisible by 3.
        Counting{"UniformIntOfAWideRange",
                 [](RandomStream& r) {
                   return r.UniformInt(0, (std::int64_t{3} << 61) - 1) % 3;
                 },
                 [](std::int64_t) { return 1.0 / 3; },
                 2},
        Counting{"Bernoulli",
                 [](RandomStream& r) { return std::int64_t{r.Bernoulli(0.3)}; },
                 [](std::int64_t k) { return k == 1 ? 0.3 : 0.7; },
                 1},
        Counting{"Discrete",
                 [](RandomStream& r) {
                   return static_cast<std::int64_t>(
                       r.Discrete(std::vector<double>{1, 0, 3, 6, 0}));
                 },
                 [](std::int64_t k) {
                   return std::vector<double>{0.1, 0, 0.3, 0.6, 0}.at(
                       static_cast<std::size_t>(k));
                 },
                 4},
        Counting{"Empirical",
                 [](RandomStream& r) {
                   return static_cast<std::int64_t>(
                       r.Empirical(std::vector<double>{2, 0, 2, 1}));
                 },
                 [](std::int64_t k) { return k == 2 ? 0.5 : 0.25; },
                 2},
        Poisson("PoissonByInversion", 3.5, 40),
        Poisson("PoissonByRejectionAtItsEdge", 10, 60),
        Poisson("PoissonByRejection", 400, 700),
        Binomial("BinomialByInversion", 20, 0.3),
        Binomial("BinomialByRejectionAtItsEdge", 40, 0.25),
        Binomial("BinomialByRejection", 1000, 0.4),
        Binomial("BinomialOfMostlySuccesses", 300, 0.95)),
    [](const auto& test) { return test.param.name; });

// All 24 orders of four things, as likely each.
TEST(RandomStreamTest, ShufflesWithoutBias) {
  const auto order = [](RandomStream& stream) {
    std::vector<int> items = {0, 1, 2, 3};
    stream.Shuffle(std::span<int>(items));
    std::vector<int> sorted = {0, 1, 2, 3};
    std::int64_t index = 0;
    while (items != sorted) {
      std::ranges::next_permutation(sorted);
      ++index;
    }
    return index;
  };
  EXPECT_LT(ChiSquare(
                order, [](std::int64_t) { return 1.0 / 24; }, 23),
            3.09);
}

// Sum of n draws against n * mean, in standard errors.
TEST(RandomStreamTest, HasTheMeanOfALargePoissonAndBinomial) {
  RandomStream stream(3, "moments");
  double poisson = 0;
  double binomial = 0;
  for (int i = 0; i < kDraws; ++i) {
    poisson += static_cast<double>(stream.Poisson(1e9)) - 1e9;
    binomial +=
        static_cast<double>(stream.Binomial(1'000'000'000, 0.25)) - 2.5e8;
  }
  EXPECT_LT(std::abs(poisson) / std::sqrt(kDraws * 1e9), 3.3);
  EXPECT_LT(std::abs(binomial) / std::sqrt(kDraws * 1.875e8), 3.3);
}

TEST(RandomStreamTest, ReachesBothEndsOfAllIntegers) {
  RandomStream stream(3, "ends");
  const auto low = std::numeric_limits<std::int64_t>::min();
  const auto high = std::numeric_limits<std::int64_t>::max();
  const RandomStream before = stream;
  const std::int64_t any = stream.UniformInt(low, high);
  RandomStream again = before;
  // The words themselves, shifted to start at the lowest integer.
  EXPECT_EQ(static_cast<std::uint64_t>(any),
            again.Next() + static_cast<std::uint64_t>(low));
  EXPECT_EQ(stream.UniformInt(high, high), high);
}

TEST(RandomStreamTest, TakesDegenerateParameters) {
  RandomStream stream(3, "degenerate");
  EXPECT_EQ(stream.Uniform(2, 2), 2.0);
  EXPECT_EQ(stream.Normal(5, 0), 5.0);
  EXPECT_FALSE(stream.Bernoulli(0));
  EXPECT_TRUE(stream.Bernoulli(1));
  EXPECT_EQ(stream.Poisson(0), 0);
  EXPECT_EQ(stream.Binomial(0, 0.5), 0);
  EXPECT_EQ(stream.Binomial(50, 0), 0);
  EXPECT_EQ(stream.Binomial(50, 1), 50);
  EXPECT_EQ(stream.Triangular(1, 1, 1), 1.0);
  const double beta = stream.Beta(1e-300, 1e-300);
  EXPECT_TRUE(beta == 0 || beta == 1) << beta;
}

struct Refused {
  std::function<void(RandomStream&)> draw;
  std::string message;
};

class RefusedDrawTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedDrawTest, NamesTheParameterAndConsumesNothing) {
  RandomStream stream(1, "refused");
  try {
    GetParam().draw(stream);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error.what(), "cannot draw from " + GetParam().message);
  }
  EXPECT_EQ(stream.position(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    RefusedDrawTest,
    testing::Values(
        Refused{[](RandomStream& r) { r.Uniform(kNaN, 1); },
                "a uniform distribution: low is nan; it must be a finite "
                "number"},
        Refused{[](RandomStream& r) { r.Uniform(2, 1); },
                "a uniform distribution: high is 1; it must be at least low, "
                "and their distance finite"},
        Refused{[](RandomStream& r) { r.UniformInt(2, 1); },
                "the integers from 2 to 1: there are none; high must be at "
                "least low"},
        Refused{[](RandomStream& r) { r.Bernoulli(1.5); },
                "a Bernoulli distribution: probability is 1.5; it must be "
                "between 0 and 1"},
        Refused{[](RandomStream& r) { r.Normal(kInfinity, 1); },
                "a normal distribution: mean is inf; it must be a finite "
                "number"},
        Refused{[](RandomStream& r) { r.Normal(0, -1); },
                "a normal distribution: standard_deviation is -1; it must be "
                "at least 0 and finite"},
        Refused{[](RandomStream& r) { r.LogNormal(0, -1); },
                "a log-normal distribution: sigma is -1; it must be at least 0 "
                "and finite"},
        Refused{[](RandomStream& r) { r.Exponential(0); },
                "an exponential distribution: mean is 0; it must be positive "
                "and finite"},
        Refused{[](RandomStream& r) { r.Gamma(-2, 1); },
                "a gamma distribution: shape is -2; it must be positive and "
                "finite"},
        Refused{[](RandomStream& r) { r.Beta(1, 0); },
                "a beta distribution: b is 0; it must be at least 1e-300 and "
                "finite"},
        Refused{[](RandomStream& r) { r.Weibull(1, kInfinity); },
                "a Weibull distribution: scale is inf; it must be positive and "
                "finite"},
        Refused{[](RandomStream& r) { r.Triangular(0, 3, 2); },
                "a triangular distribution: mode is 3; it must be between low "
                "and high"},
        Refused{[](RandomStream& r) { r.Poisson(1e10); },
                "a Poisson distribution: mean is 1e+10; it must be between 0 "
                "and 1e9"},
        Refused{[](RandomStream& r) { r.Binomial(-1, 0.5); },
                "a binomial distribution: trials is -1; it must be between 0 "
                "and 1e9"},
        Refused{[](RandomStream& r) {
                  r.Discrete(std::vector<double>{1, -2});
                },
                "a discrete distribution: a weight is -2; it must be at least "
                "0"},
        Refused{[](RandomStream& r) { r.Discrete({}); },
                "a discrete distribution: the sum of the weights is 0; it must "
                "be positive and finite"},
        Refused{[](RandomStream& r) { r.Empirical({}); },
                "a sample: it is empty; it must have at least one number"}));

TEST(ReplicationSeedTest, IsTheSeedItselfForTheFirst) {
  EXPECT_EQ(ReplicationSeed(7, 0), 7U);
}

TEST(ReplicationSeedTest, IsAnotherForEachNumberAndSeed) {
  EXPECT_NE(ReplicationSeed(7, 1), ReplicationSeed(7, 2));
  EXPECT_NE(ReplicationSeed(7, 1), ReplicationSeed(8, 1));
}

// A change here changes every study of replications.
TEST(ReplicationSeedTest, IsAWordOfTheStreamOfReplications) {
  EXPECT_EQ(ReplicationSeed(7, 5), 1324937693122308783U);
}

}  // namespace
}  // namespace orrery
