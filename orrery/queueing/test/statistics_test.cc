#include "orrery/queueing/statistics.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/process/simulator.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;

TEST(MonitorTest, ItTellsWhatItHasSeen) {
  Monitor monitor;
  EXPECT_TRUE(std::isnan(monitor.mean()));
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) {
    monitor.Add(value);
  }
  EXPECT_EQ(monitor.count(), 8);
  EXPECT_EQ(monitor.sum(), 40);
  EXPECT_EQ(monitor.mean(), 5);
  EXPECT_DOUBLE_EQ(monitor.deviation(), std::sqrt(32.0 / 7));
  EXPECT_EQ(monitor.min(), 2);
  EXPECT_EQ(monitor.max(), 9);
}

TEST(MonitorTest, ASmallDeviationBesideALargeMeanIsKept) {
  Monitor monitor;
  for (int i = 0; i < 1000; ++i) {
    monitor.Add(1e9 + (i % 2 == 0 ? 1 : -1));
  }
  EXPECT_NEAR(monitor.deviation(), std::sqrt(1000.0 / 999), 1e-9);
}

TEST(SampleTest, QuantilesLieBetweenNeighbours) {
  Sample sample;
  for (const double value : {40.0, 10.0, 30.0, 20.0}) {
    sample.Add(value);
  }
  EXPECT_EQ(sample.Quantile(0), 10);
  EXPECT_EQ(sample.Quantile(0.5), 25);
  EXPECT_EQ(sample.Quantile(0.25), 17.5);
  EXPECT_EQ(sample.Quantile(1), 40);
  EXPECT_EQ(sample.Summary().mean(), 25);
  EXPECT_EQ(sample.values()[0], 40);
}

TEST(SampleTest, AnEmptyOneHasNoQuantile) {
  try {
    static_cast<void>(Sample().Quantile(0.5));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot tell the quantile 0.5 of 0 observations; there must "
                 "be one, and it is to be from 0 to 1");
  }
}

// The example of Jain & Chlamtac: the median of 20 observations, 4.44 by their
// table I.
TEST(QuantileMonitorTest, ItAgreesWithItsAuthors) {
  QuantileMonitor median(0.5);
  for (const double value :
       {0.02,  0.15,  0.74, 3.39, 0.83, 22.37, 10.15, 15.43, 38.62, 15.92,
        34.60, 10.28, 1.47, 0.40, 0.05, 11.39, 0.27,  0.42,  0.09,  11.37}) {
    median.Add(value);
  }
  EXPECT_NEAR(median.value(), 4.44, 0.005);
}

TEST(QuantileMonitorTest, OfAFewItIsExact) {
  QuantileMonitor quantile(0.25);
  EXPECT_TRUE(std::isnan(quantile.value()));
  for (const double value : {40.0, 10.0, 30.0, 20.0}) {
    quantile.Add(value);
  }
  EXPECT_EQ(quantile.value(), 17.5);
}

TEST(QuantileMonitorTest, ItComesNearTheTailOfAnExponential) {
  QuantileMonitor quantile(0.95);
  RandomStream stream(7, "tail");
  for (int i = 0; i < 200'000; ++i) {
    quantile.Add(stream.Exponential(1));
  }
  EXPECT_NEAR(quantile.value(), -std::log(0.05), 0.05);
}

TEST(TimeWeightedTest, ValuesWeighAsLongAsTheyHold) {
  TimeWeighted number(2);
  number.Set(5, 4s);
  number.Add(-4, 6s);
  EXPECT_EQ(number.Mean(10s), (2 * 4 + 5 * 2 + 1 * 4) / 10.0);
  EXPECT_EQ(number.AreaSeconds(10s), 22);
  EXPECT_EQ(number.min(), 1);
  EXPECT_EQ(number.max(), 5);
}

TEST(TimeWeightedTest, AWarmUpDoesNotCount) {
  TimeWeighted number(9);
  number.Set(3, 4s);
  number.Reset(5s);
  number.Set(1, 7s);
  EXPECT_EQ(number.Mean(9s), 2);
  EXPECT_EQ(number.max(), 3);
  EXPECT_EQ(TimeWeighted(4, 2s).Mean(2s), 4);
}

TEST(BatchMeansTest, OnlyFullBatchesAfterTheWarmUpCount) {
  BatchMeans batches(2, 3);
  for (int i = 0; i < 10; ++i) {
    batches.Add(i);
  }
  EXPECT_THAT(batches.means(), testing::ElementsAre(3.5, 5.5, 7.5));
  EXPECT_EQ(batches.estimate().count, 3);
  EXPECT_EQ(batches.estimate().mean, 5.5);
  EXPECT_DOUBLE_EQ(batches.estimate().half_width,
                   StudentQuantile(0.95, 2) * 2 / std::sqrt(3.0));
}

// x' = 0.8 x + e: the mean of n is normal with variance 1 / (0.2^2 n), nearly.
// 95 % of the intervals are to hold 0; of 300, 285 -+ 3.8.
TEST(BatchMeansTest, ItsIntervalsHoldTheMeanOfAnAutoregressiveProcess) {
  int hits = 0;
  double half_widths = 0;
  double correlations = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream stream(seed, "noise");
    BatchMeans batches(500, 100);
    double x = 0;
    for (int i = 0; i < 100 + 20 * 500; ++i) {
      x = 0.8 * x + stream.Normal(0, 1);
      batches.Add(x);
    }
    const Estimate estimate = batches.estimate();
    hits += std::abs(estimate.mean) < estimate.half_width ? 1 : 0;
    half_widths += estimate.half_width / 300;
    correlations += batches.Correlation() / 300;
  }
  EXPECT_NEAR(hits, 285, 12);
  // t(19) = 2.093; the deviation of 20 is on average 0.987 of the true one, and
  // that of means of 500 is sqrt(1 - 1.6 / (0.36 * 500)) / (0.2 sqrt(500)). Of
  // the mean of 300 half widths, it is 0.162 / sqrt(300) of them.
  EXPECT_NEAR(half_widths,
              2.093 * 0.987 * 0.9955 / 0.2 / std::sqrt(10'000.0),
              3 * 0.162 / std::sqrt(300.0) * 0.1028);
  // -1/20 for independent ones.
  EXPECT_NEAR(correlations, -0.05, 0.03);
}

TEST(BatchMeansTest, BatchesThatAreTooShortAreCorrelated) {
  RandomStream stream(1, "noise");
  BatchMeans batches(2);
  double x = 0;
  for (int i = 0; i < 10'000; ++i) {
    x = 0.9 * x + stream.Normal(0, 1);
    batches.Add(x);
  }
  EXPECT_GT(batches.Correlation(), 0.8);
}

/// Somebody comes each second, and stays for 2 s.
struct Hall : process::Model {
  Statistic<Monitor> stays_s{this, "stays_s"};
  Statistic<TimeWeighted> present{this, "present"};
  Statistic<TimeWeighted> lamps{this, "lamps", 3.0};

  process::Task<> Comes() {
    present.Add(1);
    co_await Delay(2s);
    present.Add(-1);
    stays_s.Add(2);
  }

  process::Task<> Day() {
    for (int i = 0; i < 4; ++i) {
      Spawn(Comes());
      co_await Delay(1s);
    }
    co_await Delay(500ms);
    lamps.Set(1);
    stays_s.ResetStatistics();
  }

  void Start() override { Spawn(Day()); }
};

TEST(StatisticTest, EachRunBeginsItAnew) {
  Hall hall;
  for (const Duration start : {0s, 100s}) {
    process::Simulator run(hall, {.start = start});
    run.RunUntil(start + 8s);
    EXPECT_EQ(hall.stays_s.Get().count(), 1);  // After the warm-up.
    EXPECT_EQ(hall.present.Get().Mean(run.now()), 1);
    EXPECT_EQ(hall.lamps.Get().Mean(run.now()), (3 * 4.5 + 1 * 3.5) / 8);
  }
}

}  // namespace
}  // namespace orrery::queueing
