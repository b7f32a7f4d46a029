// Compares the library's servers with formulas of queueing theory: Kleinrock,
// "Queueing Systems", vol. 1, 1975, chapters 3 and 5.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/devs/library.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

// Poisson arrivals at one server.
struct System : Coupled {
  Generator<int>& source;
  Server<int>& server;

  System(double arrivals_per_s,
         Times service,
         std::int64_t units = 1,
         WaitingOptions<int> options = {})
      : Coupled("system"),
        source(Add<Generator<int>>(
            "source", Distribution::Exponential(1 / arrivals_per_s))),
        server(Add<Server<int>>(
            "server", std::move(service), units, std::move(options))) {
    Couple(source.out, server.in);
  }
};

// A mean and the half-width of its 95 % confidence interval.
struct Interval {
  double mean;
  double half_width;

  bool Covers(double value) const {
    return std::abs(value - mean) <= half_width;
  }
};

// The interval of batch means; quantiles of Student's t at 97.5 %.
Interval IntervalOf(const std::vector<double>& batches) {
  const auto n = static_cast<double>(batches.size());
  double sum = 0;
  for (const double x : batches) {
    sum += x;
  }
  const double mean = sum / n;
  double squares = 0;
  for (const double x : batches) {
    squares += (x - mean) * (x - mean);
  }
  // 3 or 20 batches.
  const double t = batches.size() == 3 ? 4.3026527 : 2.0930241;
  return {mean, t * std::sqrt(squares / (n - 1) / n)};
}

// The means of one batch of a run.
struct Means {
  double number;          // Number in the system: L.
  double number_waiting;  // Lq.
  double stay_s;          // W.
  double wait_s;          // Wq.
  double utilisation;
  double loss;
};

class Batches {
 public:
  Batches(const System& system, std::uint64_t seed, Duration length)
      : system_(system), run_(system, {.seed = seed}), length_(length) {}

  Means Next() {
    run_.RunUntil(end_ += length_);
    const ServerTotals now =
        Server<int>::TotalsAt(run_.state(system_.server), end_);
    const ServerTotals batch = now - std::exchange(before_, now);
    const double seconds = Seconds(length_).value;
    return {.number = (batch.waiting_s + batch.busy_s) / seconds,
            .number_waiting = batch.waiting_s / seconds,
            .stay_s = batch.stayed_s / static_cast<double>(batch.served),
            .wait_s = batch.waited_s / static_cast<double>(batch.started),
            .utilisation = batch.busy_s / seconds,
            .loss = static_cast<double>(batch.lost) /
                    static_cast<double>(batch.arrived)};
  }

 private:
  const System& system_;
  Simulator run_;
  Duration length_;
  Duration end_{};
  ServerTotals before_;
};

Interval Estimate(Batches& batches, std::size_t number, double Means::*mean) {
  std::vector<double> values;
  for (std::size_t i = 0; i < number; ++i) {
    values.push_back(batches.Next().*mean);
  }
  return IntervalOf(values);
}

// Checks a mean by 20 batches after one for warming up.
void ExpectMean(const System& system,
                double Means::*mean,
                double expected,
                double greatest_half_width) {
  Batches batches(system, 1, 10'000s);
  batches.Next();
  const Interval interval = Estimate(batches, 20, mean);
  EXPECT_NEAR(interval.mean, expected, interval.half_width);
  EXPECT_LT(interval.half_width, greatest_half_width);
}

TEST(QueueingTest, BusyServerOfMm1IsAsInTheory) {
  const System mm1(0.9, Distribution::Exponential(1));
  ExpectMean(mm1, &Means::number, 9, 1.2);
  ExpectMean(mm1, &Means::stay_s, 10, 1.2);
  ExpectMean(mm1, &Means::wait_s, 9, 1.2);
  ExpectMean(mm1, &Means::utilisation, 0.9, 0.01);
}

TEST(QueueingTest, IntervalsOf95PercentCoverTheTruthThatOften) {
  const System mm1(0.9, Distribution::Exponential(1));
  Batches batches(mm1, 2, 10'000s);
  batches.Next();
  int covered = 0;
  for (int i = 0; i < 200; ++i) {
    covered += Estimate(batches, 3, &Means::number).Covers(9) ? 1 : 0;
  }
  EXPECT_GE(covered, 182);
  EXPECT_LE(covered, 198);
}

// The probability of waiting, by Erlang's formula C.
double ErlangC(int units, double load) {
  double term = 1;
  double sum = 1;
  for (int k = 1; k < units; ++k) {
    term *= load / k;
    sum += term;
  }
  const double last = term * load / units / (1 - load / units);
  return last / (sum + last);
}

TEST(QueueingTest, WaitingInMmcIsByErlangsFormula) {
  // 2.4 a second, 3 units: load 2.4, C = 0.6472.
  EXPECT_NEAR(ErlangC(3, 2.4), 0.64720, 1e-5);
  const System mmc(2.4, Distribution::Exponential(1), 3);
  const double wait = ErlangC(3, 2.4) / (3 - 2.4);
  ExpectMean(mmc, &Means::wait_s, wait, 0.06);
  ExpectMean(mmc, &Means::number_waiting, 2.4 * wait, 0.16);
}

TEST(QueueingTest, WaitingInMd1IsByPollaczekAndKhinchine) {
  // Lq = rho^2 / (2 (1 - rho)) = 1.6, Wq = 2 s.
  const System md1(0.8, 1s);
  ExpectMean(md1, &Means::number_waiting, 1.6, 0.1);
  ExpectMean(md1, &Means::wait_s, 2, 0.1);
}

TEST(QueueingTest, LossInMm1kIsAsInTheory) {
  // rho = 0.8, K = 5: P5 = (1 - rho) rho^5 / (1 - rho^6).
  const double loss = 0.2 * std::pow(0.8, 5) / (1 - std::pow(0.8, 6));
  const System mm1k(0.8, Distribution::Exponential(1), 1, {.capacity = 4});
  ExpectMean(mm1k, &Means::loss, loss, 0.004);
  const double number =
      0.8 / 0.2 - 6 * std::pow(0.8, 6) / (1 - std::pow(0.8, 6));
  ExpectMean(mm1k, &Means::number, number, 0.03);
}

TEST(QueueingTest, QueueAndProcessorTogetherAreTheServer) {
  // The same jobs at the same times, and the same draws of service times.
  const auto stays = [](bool in_one) {
    Coupled root("root");
    auto& source = root.Add<Generator<>>("source",
                                         Distribution::Exponential(1),
                                         GeneratorOptions<Job>{.limit = 1000});
    auto& meter = root.Add<Transducer<>>("meter", 1h);
    root.Couple(source.out, meter.arrived);
    if (in_one) {
      auto& server = root.Add<Server<>>("cpu", Distribution::Exponential(0.8));
      root.Couple(source.out, server.in);
      root.Couple(server.out, meter.solved);
    } else {
      auto& queue = root.Add<Queue<>>("queue");
      auto& cpu = root.Add<Processor<>>("cpu", Distribution::Exponential(0.8));
      root.Couple(source.out, queue.in);
      root.Couple(queue.out, cpu.in);
      root.Couple(cpu.out, queue.done);
      root.Couple(cpu.out, meter.solved);
    }
    Simulator run(root);
    run.RunUntil(1h);
    return meter.ReportAt(run.state(meter), 1h);
  };
  const Report one = stays(true);
  const Report two = stays(false);
  EXPECT_EQ(one.solved, 1000);
  EXPECT_EQ(two.solved, 1000);
  EXPECT_EQ(one.mean_turnaround_s, two.mean_turnaround_s);
  EXPECT_EQ(one.mean_number, two.mean_number);
}

}  // namespace
}  // namespace orrery::devs
