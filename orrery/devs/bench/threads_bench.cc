// Parallel DEVS on two threads, beside half of the time on one.

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/sdk/thread_pool.h"

namespace {

using namespace std::chrono_literals;
using orrery::BenchReport;
using orrery::Duration;
using orrery::MedianSecondsOfBoth;
using orrery::devs::Atomic;
using orrery::devs::Bag;
using orrery::devs::Coupled;
using orrery::devs::In;
using orrery::devs::Out;
using orrery::devs::Simulator;

/// Each second it works on its number for `rounds`, and sends it.
class Worker : public Atomic<Worker> {
 public:
  struct State {
    std::uint64_t number = 0;
  };

  In<std::uint64_t> in{this, "in"};
  Out<std::uint64_t> out{this, "out"};

  Worker(std::uint64_t number, int rounds) : number_(number), rounds_(rounds) {}

  [[nodiscard]] State Initial() const { return {number_}; }

  [[nodiscard]] Duration TimeAdvance(const State&) const { return 1s; }

  void Output(const State& s, Bag& y) const { y.Send(out, s.number); }

  void Internal(State& s) const {
    for (int i = 0; i < rounds_; ++i) {
      s.number ^= s.number << 13U;
      s.number ^= s.number >> 7U;
      s.number ^= s.number << 17U;
    }
  }

  void External(State& s, Duration, const Bag& x) const {
    s.number = std::accumulate(x[in].begin(), x[in].end(), s.number);
  }

 private:
  std::uint64_t number_;
  int rounds_;
};

/// A ring of workers that run for some time again and again.
class Ring {
 public:
  Ring(int size, int rounds, orrery::Executor* executor)
      : workers_(Workers(size, rounds)), run_(ring_, {.executor = executor}) {}

  void RunOn() { run_.RunUntil(run_.now() + Duration(10s)); }

  [[nodiscard]] std::uint64_t Sum() const {
    std::uint64_t sum = 0;
    for (const Worker* worker : workers_) {
      sum += run_.state(*worker).number;
    }
    return sum;
  }

  [[nodiscard]] std::int64_t Transitions() const {
    return run_.statistics().confluent;
  }

 private:
  std::vector<const Worker*> Workers(int size, int rounds) {
    std::vector<const Worker*> workers;
    for (int i = 0; i < size; ++i) {
      auto& worker = ring_.Add<Worker>("worker" + std::to_string(i),
                                       static_cast<std::uint64_t>(i) + 1,
                                       rounds);
      if (!workers.empty()) {
        ring_.Couple(workers.back()->out, worker.in);
      }
      workers.push_back(&worker);
    }
    ring_.Couple(workers.back()->out, workers.front()->in);
    return workers;
  }

  Coupled ring_{"ring"};
  std::vector<const Worker*> workers_;
  Simulator run_;
};

void Measure(BenchReport& report, int size, int rounds, int repeats) {
  orrery::ThreadPool two(2);
  Ring alone(size, rounds, nullptr);
  Ring shared(size, rounds, &two);
  const auto [ours, by_one] = MedianSecondsOfBoth(
      [&] { shared.RunOn(); }, [&] { alone.RunOn(); }, repeats);
  const double transitions = 10.0 * size;
  report.Add(std::to_string(size) + " at once, " + std::to_string(rounds) +
                 " rounds of work each",
             ours / transitions * 1e9,
             by_one / 2 / transitions * 1e9,
             "ns/transition",
             alone.Sum() == shared.Sum() &&
                 alone.Transitions() == shared.Transitions());
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  BenchReport report("threads");
  for (const int rounds : {50, 500, 5000}) {
    Measure(report, 1000, rounds, is_smoke ? 1 : 9);
  }
  return report.ExitCode();
}
