// Cars at a station with two pumps and one tank, and a truck that is called
// when the tank is nearly empty. The truck waits for a condition on the
// container, without polling.

#include <chrono>
#include <cmath>
#include <cstdio>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

constexpr double kTankLitres = 200;
constexpr double kCarLitres = 50;
constexpr double kLitresPerSecond = 2;
constexpr Duration kTruckTime = 300s;

struct GasStation : process::Model {
  queueing::Resource pumps{this, "pumps", 2};
  queueing::Container tank{
      this, "tank", {.capacity = kTankLitres, .initial = kTankLitres}};
  queueing::Monitor times_s;
  double taken = 0;
  double delivered = 0;
  int trucks = 0;

  process::Task<> Car(int number, double litres) {
    const Duration arrival = Now();
    const queueing::Holding pump = co_await pumps.Acquire();
    co_await tank.Get(litres);
    co_await Delay(litres / kLitresPerSecond * 1s);
    taken += litres;
    const double time_s = Seconds(Now() - arrival).value;
    times_s.Add(time_s);
    if (number < 8) {
      std::printf("%6.1f s: car %d has %.0f l after %.1f s\n",
                  Seconds(Now()).value,
                  number,
                  litres,
                  time_s);
    }
  }

  process::Task<> Cars() {
    orrery::RandomStream arrivals = Random("arrivals");
    orrery::RandomStream levels = Random("levels");
    for (int i = 0; Now() < 24h; ++i) {
      co_await Delay(arrivals.Uniform(30, 300) * 1s);
      Spawn(Car(i, kCarLitres - static_cast<double>(levels.UniformInt(5, 25))));
    }
  }

  process::Task<> Control() {
    for (;;) {
      co_await Until(tank < 0.25 * kTankLitres);
      co_await Delay(kTruckTime);
      const double litres = kTankLitres - tank.level();
      co_await tank.Put(litres);
      delivered += litres;
      ++trucks;
    }
  }

  void Start() override {
    Spawn(Cars());
    Spawn(Control());
  }
};

}  // namespace

int main() {
  GasStation station;
  process::Simulator run(station);
  run.Run();  // Until all cars are served; the truck waits for ever.
  const queueing::StockStatistics tank = station.tank.statistics();
  std::printf("%d cars took %.0f l, %d trucks brought %.0f l\n",
              static_cast<int>(station.times_s.count()),
              station.taken,
              station.trucks,
              station.delivered);
  std::printf(
      "a car took %.1f s on average, %.1f s at most; %.1f s waiting "
      "for fuel\n",
      station.times_s.mean(),
      station.times_s.max(),
      tank.get_wait_s.mean);
  // Litres are whole numbers: nothing is lost, to the last bit.
  const bool is_conserved =
      kTankLitres + station.delivered - station.taken == station.tank.level();
  return is_conserved && station.pumps.in_use() == 0 &&
                 run.waiting().size() == 1 &&
                 run.waiting()[0].awaits == "tank < 50" &&
                 tank.level.max == kTankLitres && tank.level.min >= 0 &&
                 station.times_s.min() >= 25 / kLitresPerSecond &&
                 tank.get_wait_s.max <= Seconds(kTruckTime).value
             ? 0
             : 1;
}
