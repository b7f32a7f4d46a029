// Cars at a wash with two machines: each car waits for a machine.

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;

struct Visit {
  Duration arrival;
  Duration entry;
  Duration exit;

  friend bool operator==(const Visit&, const Visit&) = default;
};

struct CarWash : process::Model {
  queueing::Resource machines{this, "machines", 2};
  std::vector<Visit> visits;

  process::Task<> Wash() { co_await Delay(5min); }

  process::Task<> Car() {
    const Duration arrival = Now();
    const queueing::Holding machine = co_await machines.Acquire();
    const Duration entry = Now();
    co_await Call(Wash());
    visits.push_back({arrival, entry, Now()});
  }

  // Four cars wait at the door; then one comes every two minutes.
  process::Task<> Cars() {
    for (int i = 0; i < 4; ++i) {
      Spawn(Car());
    }
    for (int i = 0; i < 3; ++i) {
      co_await Delay(2min);
      Spawn(Car());
    }
  }

  void Start() override { Spawn(Cars()); }
};

double Minutes(Duration duration) {
  return std::chrono::duration<double, std::ratio<60>>(duration).count();
}

}  // namespace

int main() {
  CarWash wash;
  process::Simulator run(wash);
  run.RunUntil(20min);
  for (const Visit& visit : wash.visits) {
    std::printf("came at %2.0f min, washed from %2.0f to %2.0f\n",
                Minutes(visit.arrival),
                Minutes(visit.entry),
                Minutes(visit.exit));
  }
  const queueing::ResourceStatistics machines = wash.machines.statistics();
  std::printf("machines were busy %.1f %% of the time, %.2f cars in line\n",
              100 * machines.utilisation,
              machines.queue.mean);
  const std::vector<Visit> expected = {{0min, 0min, 5min},
                                       {0min, 0min, 5min},
                                       {0min, 5min, 10min},
                                       {0min, 5min, 10min},
                                       {2min, 10min, 15min},
                                       {4min, 10min, 15min},
                                       {6min, 15min, 20min}};
  // In use: 35 of 40 minutes. In line: 5 + 5 + 8 + 6 + 9 minutes of 20.
  return wash.visits == expected && machines.utilisation == 35.0 / 40 &&
                 machines.queue.mean == 33.0 / 20
             ? 0
             : 1;
}
