#include "orrery/experiment/statistics/sample_statistics.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

SortedSample Counted(int count) {
  std::vector<double> values;
  for (int i = count; i >= 1; --i) {
    values.push_back(i);
  }
  return SortedSample(values);
}

// Quantiles ------------------------------------------------------------------

// As R's quantile(1:10, p) and quantile(c(1, 2, 3, 4), 0.25) have them.
TEST(SampleStatisticsTest, QuantilesAreThoseOfR) {
  EXPECT_DOUBLE_EQ(Counted(10).Quantile(0.1), 1.9);
  EXPECT_DOUBLE_EQ(Counted(10).Quantile(0.5), 5.5);
  EXPECT_DOUBLE_EQ(Counted(10).Quantile(0.95), 9.55);
  EXPECT_DOUBLE_EQ(Counted(4).Quantile(0.25), 1.75);
  EXPECT_EQ(Counted(10).Quantile(0), 1);
  EXPECT_EQ(Counted(10).Quantile(1), 10);
  EXPECT_EQ(Counted(1).Quantile(0.3), 1);
}

TEST(SampleStatisticsTest, FailedRunsAreLeftOutAndCounted) {
  const std::vector<double> values = {3, kNone, 1, kInfinity, 2};
  const SortedSample sample(values);
  EXPECT_EQ(sample.values(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(sample.count(), 3);
  EXPECT_EQ(sample.missing(), 2);
  EXPECT_EQ(sample.Quantile(0.5), 2);
}

TEST(SampleStatisticsTest, NothingIsKnownOfAnEmptySample) {
  const std::vector<double> values = {kNone};
  const SortedSample sample(values);
  EXPECT_TRUE(std::isnan(sample.Quantile(0.5)));
  EXPECT_EQ(sample.QuantileInterval(0.5),
            (ConfidenceInterval{-kInfinity, kInfinity}));
}

// Ranks 2 and 9 of 10 hold the median with 97.85 %, 6 and 15 of 20 with 95.86
// %, 40 and 61 of 100 with 96.48 %: Conover, "Practical Nonparametric
// Statistics", by the binomial table.
TEST(SampleStatisticsTest, IntervalsOfTheMedianAreThoseOfTheTables) {
  EXPECT_EQ(Counted(10).QuantileInterval(0.5), (ConfidenceInterval{2, 9}));
  EXPECT_EQ(Counted(20).QuantileInterval(0.5), (ConfidenceInterval{6, 15}));
  EXPECT_EQ(Counted(100).QuantileInterval(0.5), (ConfidenceInterval{40, 61}));
}

// 0.95^n > 0.025 up to n = 71: all of these values may be below the quantile.
TEST(SampleStatisticsTest, ASmallSampleDoesNotBoundTheTail) {
  EXPECT_EQ(Counted(71).QuantileInterval(0.95).high, kInfinity);
  EXPECT_EQ(Counted(72).QuantileInterval(0.95).high, 72);
  EXPECT_EQ(Counted(72).QuantileInterval(0.05).low, 1);
  EXPECT_EQ(Counted(71).QuantileInterval(0.05).low, -kInfinity);
}

// For 100 values, ranks 84 and 96 hold the 0.9 quantile with probability sum of
// B(100, 0.9) from 84 to 95 = 0.95567.
TEST(SampleStatisticsTest, IntervalsHoldAQuantileAsOftenAsTheBinomialSays) {
  constexpr int kRepeats = 4000;
  const double quantile = 2 * std::log(10.0);
  RandomStream random(3, "quantile coverage");
  int held = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<double> values;
    for (int i = 0; i < 100; ++i) {
      values.push_back(random.Exponential(2));
    }
    const ConfidenceInterval interval =
        SortedSample(values).QuantileInterval(0.9);
    held += interval.low <= quantile && quantile <= interval.high ? 1 : 0;
  }
  const double deviation = std::sqrt(0.95567 * 0.04433 / kRepeats);
  EXPECT_NEAR(static_cast<double>(held) / kRepeats, 0.95567, 3 * deviation);
}

RC_GTEST_PROP(SampleStatisticsTest, AnIntervalHoldsTheSampleQuantile, ()) {
  const auto values = *rc::gen::nonEmpty<std::vector<double>>();
  const double p = (*rc::gen::inRange(0, 1000) + 0.5) / 1000;
  const SortedSample sample(values);
  const ConfidenceInterval interval = sample.QuantileInterval(p, 0.5);
  RC_ASSERT(interval.low <= interval.high);
}

// The mean -------------------------------------------------------------------

TEST(SampleStatisticsTest, IntervalsHoldAMeanAsOftenAsTheyState) {
  constexpr int kRepeats = 4000;
  for (const double confidence : {0.9, 0.95, 0.99}) {
    RandomStream random(1, "mean coverage");
    int held = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      std::vector<double> values;
      for (int i = 0; i < 8; ++i) {
        values.push_back(random.Normal(4, 0.2));
      }
      const Estimate estimate = EstimateMean(values, confidence);
      held += std::abs(estimate.mean - 4) <= estimate.half_width ? 1 : 0;
    }
    const double deviation =
        std::sqrt(confidence * (1 - confidence) / kRepeats);
    EXPECT_NEAR(
        static_cast<double>(held) / kRepeats, confidence, 3 * deviation);
  }
}

TEST(SampleStatisticsTest, SequentialEstimatesAreThoseOfAllValues) {
  RandomStream random(1, "sequential");
  SequentialMean sequential({.absolute = 1e-9, .batch = 7});
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i % 10 == 3 ? kNone : random.Normal(1e6, 0.1));
    sequential.Add(values.back());
  }
  const Estimate estimate = sequential.estimate();
  const Estimate expected = EstimateMean(values);
  EXPECT_EQ(sequential.runs(), 1000);
  EXPECT_EQ(estimate.count, 900);
  EXPECT_NEAR(estimate.mean, expected.mean, 1e-9);
  EXPECT_NEAR(estimate.deviation, expected.deviation, 1e-9);
  EXPECT_NEAR(estimate.half_width, expected.half_width, 1e-9);
}

TEST(SampleStatisticsTest, SamplingEndsAfterAWholeBatchThatSatisfiesTheRule) {
  // 0, 2, 0, 2, ...: the half width is about t / sqrt(n), 0.2 near n = 100.
  SequentialMean sequential({.absolute = 0.2, .batch = 25});
  for (int i = 0; i < 1000; ++i) {
    sequential.Add(i % 2 == 0 ? 0 : 2);
  }
  EXPECT_TRUE(sequential.is_satisfied());
  EXPECT_EQ(sequential.runs(), 100);
  EXPECT_EQ(sequential.estimate().count, 100);
  EXPECT_LE(sequential.estimate().half_width, 0.2);
}

TEST(SampleStatisticsTest, ARelativeBoundIsOfTheMean) {
  SequentialMean sequential({.relative = 0.02, .batch = 25});
  for (int i = 0; i < 1000; ++i) {
    sequential.Add(i % 2 == 0 ? -11 : -9);
  }
  EXPECT_EQ(sequential.runs(), 100);
}

TEST(SampleStatisticsTest, WhatIsAlwaysTheSameIsKnownAfterABatch) {
  SequentialMean sequential({.relative = 0.01, .batch = 10});
  for (int i = 0; i < 100; ++i) {
    sequential.Add(3);
  }
  EXPECT_EQ(sequential.runs(), 10);
}

TEST(SampleStatisticsTest, SamplingEndsAfterTheMostRuns) {
  SequentialMean sequential({.absolute = 1e-6, .batch = 10, .most_runs = 35});
  for (int i = 0; i < 100; ++i) {
    sequential.Add(i);
  }
  EXPECT_TRUE(sequential.has_ended());
  EXPECT_FALSE(sequential.is_satisfied());
  EXPECT_EQ(sequential.runs(), 35);
}

TEST(SampleStatisticsTest, RunsThatAllFailDoNotSatisfy) {
  SequentialMean sequential({.absolute = 1, .batch = 2, .most_runs = 10});
  for (int i = 0; i < 10; ++i) {
    sequential.Add(kNone);
  }
  EXPECT_FALSE(sequential.is_satisfied());
  EXPECT_TRUE(std::isnan(sequential.estimate().mean));
}

// By Chow & Robbins some (1.96 / 0.2)^2 = 96 runs; rounded up to whole batches.
TEST(SampleStatisticsTest, SequentialIntervalsHoldTheMeanAsOftenAsTheyState) {
  constexpr int kRepeats = 2000;
  RandomStream random(7, "sequential coverage");
  int held = 0;
  std::int64_t runs = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    SequentialMean sequential({.absolute = 0.2, .batch = 20});
    while (!sequential.has_ended()) {
      sequential.Add(random.Normal(-3, 1));
    }
    const Estimate estimate = sequential.estimate();
    held += std::abs(estimate.mean + 3) <= estimate.half_width ? 1 : 0;
    runs += sequential.runs();
  }
  const double coverage = static_cast<double>(held) / kRepeats;
  EXPECT_GT(coverage, 0.92);
  EXPECT_LT(coverage, 0.98);
  EXPECT_NEAR(static_cast<double>(runs) / kRepeats, 96 + 10, 10);
}

TEST(SampleStatisticsTest, RulesThatNeverEndAreRefused) {
  const auto error = [](const StoppingRule& rule) {
    return MessageOf([&] { SequentialMean{rule}; });
  };
  const std::string begin = "cannot sample until the mean is known: ";
  EXPECT_EQ(error({}),
            begin +
                "either bound is 0; it must be positive for one of "
                "absolute and relative");
  EXPECT_EQ(error({.absolute = -1}),
            begin + "the absolute bound is -1; it must be at least 0");
  EXPECT_EQ(error({.relative = kNone}),
            begin + "the relative bound is nan; it must be at least 0");
  EXPECT_EQ(
      error({.relative = 0.1, .confidence = 95}),
      begin + "the confidence is 95; it must be between 0 and 1, as 0.95");
  EXPECT_EQ(
      error({.relative = 0.1, .batch = 1}),
      begin + "the number of runs in a batch is 1; it must be at least 2");
  EXPECT_EQ(error({.relative = 0.1, .most_runs = 0}),
            begin + "the largest number of runs is 0; it must be at least 1");
}

}  // namespace
}  // namespace orrery
