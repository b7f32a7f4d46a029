// A water tower on one timeline: its tank is equations in Modelica, in a file
// beside the program; the controller of its pump is a DEVS model; its crew
// carries out a plan, and meters the pump's energy.
//
//     orrery run libtank_station.so --plan day.json --plot level,crew.energy
//     orrery check libtank_station.so --plan day.json

#include <chrono>

#include "orrery/cli/main.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/sdk/beside.h"
#include "orrery/sdk/orrery.h"

namespace {

namespace devs = orrery::devs;
namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Compile;
using orrery::Crossed;
using orrery::Crossing;
using orrery::Direction;
using orrery::Duration;
using orrery::LoadFile;
using orrery::Parameters;
using orrery::PathBeside;
using orrery::Record;
using orrery::Simulation;
using orrery::System;
using orrery::SystemVariable;
using orrery::TimelineResult;
using process::Cell;
using process::Task;

constexpr Duration kSpinUp = 5s;  // Time for the pump to start, or to stop.

// Switches the pump on at a low level and off at a high one.
class PumpController : public devs::Atomic<PumpController> {
 public:
  struct State {
    bool is_on = false;
    Duration sigma = devs::kPassive;
  };

  devs::In<Crossed> low{this, "low"};
  devs::In<Crossed> high{this, "high"};
  devs::Out<double> running{this, "running"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(running, s.is_on ? 1.0 : 0.0);
  }

  void Internal(State& s) const { s.sigma = devs::kPassive; }

  void External(State& s, Duration /*elapsed*/, const devs::Bag& x) const {
    s = {.is_on = x[high].empty(), .sigma = kSpinUp};
  }
};

class Crew : public process::Model {
 public:
  Crew(SystemVariable level, double power) : level_(level), power_(power) {}

  Cell<process::Accumulator> meter{this, "meter", 0.0};  // kJ
  Cell<process::Register<double>> drain{this, "drain", 0.0};

  process::Resource energy{this, "energy", meter, "kJ"};

  process::Activity flush{
      this, "Flush", "Drains the tank", [this](Parameters& p) {
        return Flush(p.Get("to", 1.5, "Level", {.min = 0.0, .unit = "m"}));
      }};

  Task<> Meter(double running) {
    meter.AddRate(power_ * (running > 0 ? 1 : -1));
    co_return;
  }

 private:
  Task<> Flush(double to) {
    drain.Set(1);
    co_await Until(level_ <= to);
    drain.Set(0);
  }

  SystemVariable level_;
  double power_;
};

class TankStation : public Simulation {
 public:
  explicit TankStation(Parameters& p) {
    System& tank =
        Add(Compile(LoadFile(PathBeside<TankStation>("tank_station.mo"))));
    auto& controller = Add<PumpController>("controller");
    auto& crew = Add<Crew>(
        "crew",
        tank["level"],
        p.Get("power", 5.0, "Of the pump", {.min = 0.0, .unit = "kW"}));
    const double low = p.Get("low", 1.0, "Pump on", {.unit = "m"});
    const double high = p.Get("high", 3.0, "Pump off", {.unit = "m"});
    Connect(Crossing{tank["level"], low, Direction::kFalling}, controller.low);
    Connect(Crossing{tank["level"], high, Direction::kRising}, controller.high);
    Connect(controller.running, tank["pump"]);
    Connect(controller.running,
            [&crew](double running) { return crew.Meter(running); });
    Connect(crew.drain, tank["opening"]);
    p.SetDefaultStop(24h);
  }

  void Results(const TimelineResult& run, Record& results) const {
    results.Add("lowest_level", run["level"].min());
    results.Add("highest_level", run["level"].max());
  }
};

}  // namespace

ORRERY_MAIN(TankStation);
