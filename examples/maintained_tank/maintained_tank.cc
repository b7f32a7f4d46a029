// A tank (equations in Modelica), a controller of its valve (a DEVS model) and
// its maintenance (a task), on one timeline. The controller opens the valve
// when the tank is full, and closes it when the level is low. Every eight hours
// the pump is stopped and the tank is drained; once it is low and the valve is
// closed, it is cleaned for half an hour. The level is linear while the tank
// fills and exponential while it drains, so that all times are known.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "orrery/devs/modeling/atomic.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/topic.h"
#include "orrery/sdk/orrery.h"
#include "orrery/timeline/timeline.h"

namespace {

namespace devs = orrery::devs;
namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Crossed;
using orrery::Crossing;
using orrery::Direction;
using orrery::Duration;
using orrery::Seconds;
using orrery::Simulation;
using orrery::System;
using orrery::SystemVariable;

constexpr double kFull = 0.8;  // m
constexpr double kLow = 0.4;
constexpr Duration kStroke = 5s;  // Time to move the valve.

// Moves the valve, which takes time; the last command counts.
class ValveController : public devs::Atomic<ValveController> {
 public:
  struct State {
    double target = 0;
    Duration sigma = devs::kPassive;
  };

  devs::In<Crossed> full{this, "full"};
  devs::In<Crossed> low{this, "low"};
  devs::In<bool> drain{this, "drain"};
  devs::Out<double> position{this, "position"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(position, s.target);
  }

  void Internal(State& s) const { s.sigma = devs::kPassive; }

  void External(State& s, Duration /*elapsed*/, const devs::Bag& x) const {
    s = {.target = x[low].empty() ? 1.0 : 0.0, .sigma = kStroke};
  }
};

struct Maintenance : process::Model {
  process::Cell<process::Register<double>> pump{this, "pump", 1.0};
  process::Topic<bool> drain{this, "drain"};
  std::vector<Duration> begun;

  process::Task<> Clean(SystemVariable level, SystemVariable opening) {
    for (;;) {
      co_await Delay(8h);
      pump.Set(0);
      if (level.Get() > kLow) {
        drain.Emit(true);
      }
      co_await Until(opening <= 0.0 && level <= kLow);
      begun.push_back(Now());
      co_await Delay(30min);
      pump.Set(1);
    }
  }
};

// The same by hand, event by event.
struct ByHand {
  double level = 0.2;  // m
  double t = 0;        // s
  bool is_open = false;
  bool is_pumping = true;

  [[nodiscard]] double Rest() const { return is_pumping ? 0.001 / 0.004 : 0; }

  // Advances the time to `end`.
  void To(double end) {
    const double dt = end - t;
    level = is_open ? Rest() + (level - Rest()) * std::exp(-dt * 0.004 / 2)
                    : level + (is_pumping ? 0.001 / 2 * dt : 0);
    t = end;
  }

  // The time at which the level reaches kFull or kLow; infinite for a constant
  // level.
  [[nodiscard]] double NextSwitch() const {
    if (is_open) {
      return t + std::log((level - Rest()) / (kLow - Rest())) * 2 / 0.004;
    }
    return is_pumping ? t + (kFull - level) / (0.001 / 2) : HUGE_VAL;
  }
};

std::vector<double> CleaningsByHand(double stop) {
  std::vector<double> begun;
  ByHand tank;
  double next_stop = 8 * 3600;
  const double stroke = Seconds(kStroke).value;
  while (next_stop < stop) {
    while (tank.NextSwitch() < next_stop) {
      tank.To(tank.NextSwitch());
      tank.To(tank.t + stroke);
      tank.is_open = !tank.is_open;
    }
    tank.To(next_stop);
    tank.is_pumping = false;
    if (tank.level > kLow) {
      tank.To(tank.is_open ? tank.t : tank.t + stroke);
      tank.is_open = true;
      tank.To(tank.NextSwitch());
      tank.To(tank.t + stroke);
      tank.is_open = false;
    }
    begun.push_back(tank.t);
    tank.To(tank.t + 1800);
    tank.is_pumping = true;
    next_stop = tank.t + 8 * 3600;
  }
  return begun;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  Simulation sim;
  System& tank =
      sim.Add(orrery::Compile(orrery::LoadFile(folder + "/tank.mo")));
  auto& valve = sim.Add<ValveController>("valve");
  auto& maintenance = sim.Add<Maintenance>("maintenance");
  sim.Connect(Crossing{tank["level"], kFull, Direction::kRising}, valve.full);
  sim.Connect(Crossing{tank["level"], kLow, Direction::kFalling}, valve.low);
  sim.Connect(valve.position, tank["opening"]);
  sim.Connect(maintenance.pump, tank["pump"]);
  sim.Connect(maintenance.drain, valve.drain);
  sim.Start(maintenance.Clean(tank["level"], tank["opening"]));
  const orrery::TimelineResult r =
      sim.Run({.stop = 72h, .equations = {.tolerance = 1e-9}});
  if (!r.summary.completed()) {
    std::printf("%s\n", r.summary.message.c_str());
    return 1;
  }
  const std::vector<double> expected = CleaningsByHand(72 * 3600);
  bool is_right = maintenance.begun.size() == expected.size();
  std::printf("%zu cleanings, by hand %zu\n",
              maintenance.begun.size(),
              expected.size());
  for (std::size_t i = 0; is_right && i < expected.size(); ++i) {
    const double begun = Seconds(maintenance.begun[i]).value;
    std::printf(
        "  from %.6f h on, by hand %.6f h\n", begun / 3600, expected[i] / 3600);
    is_right = std::abs(begun - expected[i]) < 1e-3;
  }
  std::printf("highest level %.4f m, %lld messages, %lld steps of the solver\n",
              r["level"].max(),
              static_cast<long long>(r.devs.messages),
              static_cast<long long>(r.summary.steps));
  return is_right ? 0 : 1;
}
