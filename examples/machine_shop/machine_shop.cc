// Ten machines that break down, and a repairman who then leaves his other work
// at once: a preemptive resource, and tasks that interrupt others. The number
// of machines that are down is compared with theory (machine interference,
// M/M/1//10).

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

constexpr int kMachines = 10;
constexpr Duration kBetweenFailures = 300min;
constexpr Duration kRepair = 30min;
constexpr Duration kJob = 30min;
constexpr Duration kUntil = 52 * 7 * 24h;

Duration Exponential(orrery::RandomStream& stream, Duration mean) {
  return orrery::ToDuration(stream.Exponential(Seconds(mean).value));
}

struct Shop : process::Model {
  struct Machine : process::Model {
    process::Cell<process::Register<bool>> runs{this, "runs", true};
    Shop& shop;
    std::int64_t parts = 0;

    Machine(Shop* owner, const std::string& name)
        : Model(owner, name), shop(*owner) {}

    // Each part is finished, despite interruptions.
    process::Task<> Works() {
      orrery::RandomStream times = Random("times");
      for (;; ++parts) {
        Duration left = orrery::ToDuration(times.Triangular(360, 600, 840));
        while (left > 0s) {
          const Duration start = Now();
          try {
            co_await Delay(left);
            left = 0s;
          } catch (const process::Interrupted&) {
            left -= Now() - start;
          }
          co_await Until(runs == true);
        }
      }
    }

    process::Task<> Fails(process::Handle<> work) {
      orrery::RandomStream times = Random("failures");
      for (;;) {
        co_await Delay(Exponential(times, kBetweenFailures));
        runs.Set(false);
        shop.down.Add(1, Now());
        work.Interrupt("it is broken");
        const queueing::PreemptibleHolding man =
            co_await shop.repairman.Acquire({.priority = 1});
        co_await Delay(Exponential(times, kRepair));
        runs.Set(true);
        shop.down.Add(-1, Now());
      }
    }

    void Start() override { Spawn(Fails(Spawn(Works()))); }
  };

  queueing::PreemptiveResource repairman{this, "repairman"};
  std::vector<std::unique_ptr<Machine>> machines;
  queueing::TimeWeighted down;
  std::int64_t jobs = 0;

  Shop() {
    for (int i = 0; i < kMachines; ++i) {
      machines.push_back(
          std::make_unique<Machine>(this, "machine" + std::to_string(i)));
    }
  }

  // The work of the repairman between repairs.
  process::Task<> OtherWork() {
    for (;; ++jobs) {
      Duration left = kJob;
      while (left > 0s) {
        try {
          const queueing::PreemptibleHolding man =
              co_await repairman.Acquire({.priority = 2, .preempts = false});
          co_await Delay(left);
          left = 0s;
        } catch (const queueing::Preempted& preempted) {
          left -= preempted.usage();
        }
      }
    }
  }

  void Start() override { Spawn(OtherWork()); }
};

double ExactDown() {
  const double rho = Seconds(kRepair).value / Seconds(kBetweenFailures).value;
  double probability = 1;
  double sum = 1;
  double down = 0;
  for (int n = 1; n <= kMachines; ++n) {
    probability *= rho * (kMachines - n + 1);
    sum += probability;
    down += n * probability;
  }
  return down / sum;
}

}  // namespace

int main() {
  Shop shop;
  process::Simulator run(shop);
  run.RunUntil(4 * 7 * 24h);
  for (const std::unique_ptr<Shop::Machine>& machine : shop.machines) {
    std::printf("%s made %d parts in four weeks\n",
                machine->name().c_str(),
                static_cast<int>(machine->parts));
  }
  const queueing::ResourceStatistics man = shop.repairman.statistics();
  std::printf(
      "the repairman did %d other jobs, and was called from them %d "
      "times\n",
      static_cast<int>(shop.jobs),
      static_cast<int>(man.preempted));

  const auto runs = queueing::Replicate(
      {.count = 10, .until = kUntil},
      [] { return std::make_unique<Shop>(); },
      [](const Shop& s, const process::Simulator& r) {
        return s.down.Mean(r.now());
      });
  const orrery::Estimate down = orrery::EstimateMean(runs);
  std::printf("machines that are down: %.4f -+ %.4f, theory %.4f\n",
              down.mean,
              down.half_width,
              ExactDown());
  return man.utilisation == 1 && man.in_use.max == 1 && man.preempted > 0 &&
                 std::abs(down.mean - ExactDown()) <= 1.5 * down.half_width &&
                 down.half_width < 0.05
             ? 0
             : 1;
}
