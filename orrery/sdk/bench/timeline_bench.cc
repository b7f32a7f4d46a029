// The cost of one timeline: engines together and alone, and a valve that is
// moved by a DEVS model or by equations.

#include "orrery/timeline/timeline.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "orrery/base/bench/report.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/sdk/orrery.h"

namespace {

using namespace std::chrono_literals;
using orrery::BenchReport;
using orrery::Crossed;
using orrery::Crossing;
using orrery::Direction;
using orrery::Duration;
using orrery::MedianSeconds;
using orrery::Program;
using orrery::RunResult;
using orrery::Seconds;
using orrery::Simulation;
using orrery::System;
using orrery::TimelineResult;
namespace devs = orrery::devs;
namespace process = orrery::process;

constexpr int kRepeats = 5;

// Ticks each millisecond.
class Clock : public devs::Atomic<Clock> {
 public:
  struct State {
    std::int64_t ticks = 0;
  };

  [[nodiscard]] Duration TimeAdvance(const State& /*s*/) const { return 1ms; }

  void Output(const State& /*s*/, devs::Bag& /*y*/) const {}

  void Internal(State& s) const { ++s.ticks; }
};

// Ticks each millisecond, too.
struct Sleeper : process::Model {
  std::int64_t ticks = 0;

  process::Task<> Sleep() {
    for (;;) {
      co_await Delay(1ms);
      ++ticks;
    }
  }

  void Start() override { Spawn(Sleep()); }
};

struct VanDerPol : orrery::Block {
  State x{this, "x", 2.0};
  State v{this, "v", 0.0};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = v;
    eq.Der(v) = 5 * (1 - x * x) * v - x;
  }
};

std::shared_ptr<const Program> CompileVanDerPol() {
  VanDerPol model;
  return orrery::Compile(orrery::MakeModel(model));
}

// Fills until it is full, then empties until it is low: 2 s a cycle.
struct Tank : orrery::Block {
  Input valve{this, "valve"};
  State level{this, "level", 0.5};

  void Equations(EquationSet& eq) override { eq.Der(level) = 1 - 2 * valve; }
};

struct SelfControlledTank : orrery::Block {
  Discrete valve{this, "valve", 0.0};
  State level{this, "level", 0.5};
  Event full{this, "full", Direction::kRising};
  Event low{this, "low", Direction::kFalling};

  void Equations(EquationSet& eq) override {
    eq.Der(level) = 1 - 2 * valve;
    eq.Set(full) = level - 1;
    eq.Set(low) = level;
    eq.On(full).Set(valve) = 1.0;
    eq.On(low).Set(valve) = 0.0;
  }
};

class Controller : public devs::Atomic<Controller> {
 public:
  struct State {
    double target = 0;
    Duration sigma = devs::kPassive;
    std::int64_t moves = 0;
  };

  devs::In<Crossed> crossed{this, "crossed"};
  devs::Out<double> position{this, "position"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(position, s.target);
  }

  void Internal(State& s) const { s.sigma = devs::kPassive; }

  void External(State& s, Duration /*elapsed*/, const devs::Bag& x) const {
    const bool is_full = x[crossed].front().direction == Direction::kRising;
    s = {.target = is_full ? 1.0 : 0.0, .sigma = 0s, .moves = s.moves + 1};
  }
};

// Nanoseconds of a run, by event.
template <typename Run>
double Nanoseconds(Run run, std::int64_t events) {
  return MedianSeconds(run, kRepeats) * 1e9 / static_cast<double>(events);
}

void DevsEvents(BenchReport& report, std::int64_t events) {
  const Duration stop = 1ms * events;
  bool is_right = true;
  const double joined = Nanoseconds(
      [&] {
        Simulation sim;
        sim.Add<Clock>("clock");
        is_right = sim.Run({.stop = stop}).devs.internal == events && is_right;
      },
      events);
  const double alone = Nanoseconds(
      [&] {
        devs::Coupled root("model");
        root.Add<Clock>("clock");
        devs::Simulator run(root);
        run.RunUntil(stop);
        is_right = run.statistics().internal == events && is_right;
      },
      events);
  report.Add("DEVS events, beside the engine alone",
             joined,
             alone,
             "ns/event",
             is_right);
}

void TaskSteps(BenchReport& report, std::int64_t events) {
  const Duration stop = 1ms * events;
  bool is_right = true;
  const double joined = Nanoseconds(
      [&] {
        Simulation sim;
        const auto& sleeper = sim.Add<Sleeper>("sleeper");
        static_cast<void>(sim.Run({.stop = stop}));
        is_right = sleeper.ticks == events && is_right;
      },
      events);
  const double alone = Nanoseconds(
      [&] {
        Sleeper sleeper;
        process::Simulator run(sleeper);
        run.RunUntil(stop);
        is_right = sleeper.ticks == events && is_right;
      },
      events);
  report.Add("steps of tasks, beside the engine alone",
             joined,
             alone,
             "ns/step",
             is_right);
}

// Events that do not affect the equations, compared with both engines alone.
void EventsBesideEquations(BenchReport& report, std::int64_t events) {
  const auto program = CompileVanDerPol();
  const Duration stop = 1ms * events;
  bool is_right = true;
  const double joined = Nanoseconds(
      [&] {
        Simulation sim;
        sim.Add(program);
        sim.Add<Clock>("clock");
        const TimelineResult result = sim.Run({.stop = stop});
        is_right = result.devs.internal == events && is_right;
      },
      events);
  const double alone = Nanoseconds(
      [&] {
        devs::Coupled root("model");
        root.Add<Clock>("clock");
        devs::Simulator run(root);
        run.RunUntil(stop);
        const RunResult result = Simulate(program, {.stop = stop});
        is_right = result.summary.completed() && is_right;
      },
      events);
  report.Add("DEVS events beside equations, beside both alone",
             joined,
             alone,
             "ns/event",
             is_right);
}

// A loop through both engines: level to threshold to controller to valve.
void Crossings(BenchReport& report, std::int64_t crossings) {
  Tank tank;
  const auto driven = orrery::Compile(orrery::MakeModel(tank));
  SelfControlledTank self_controlled;
  const auto whole = orrery::Compile(orrery::MakeModel(self_controlled));
  const Seconds stop = static_cast<double>(crossings);
  bool is_right = true;
  const double joined = Nanoseconds(
      [&] {
        Simulation sim;
        System& system = sim.Add(driven);
        auto& controller = sim.Add<Controller>("controller");
        sim.Connect(Crossing{system["level"], 1, Direction::kRising},
                    controller.crossed);
        sim.Connect(Crossing{system["level"], 0, Direction::kFalling},
                    controller.crossed);
        sim.Connect(controller.position, system["valve"]);
        const TimelineResult result =
            sim.Run({.stop = stop, .equations = {.settings = {{"valve", 0}}}});
        is_right = result.devs.external == crossings && is_right;
      },
      crossings);
  const double alone = Nanoseconds(
      [&] {
        const RunResult result = Simulate(whole, {.stop = stop});
        is_right = result.summary.events == crossings && is_right;
      },
      crossings);
  report.Add("a valve moved by a DEVS model, beside one moved by equations",
             joined,
             alone,
             "ns/crossing",
             is_right);
}

}  // namespace

int main(int argc, char** argv) {
  BenchReport report("timeline");
  const std::int64_t events = orrery::IsSmokeRun(argc, argv) ? 100 : 200'000;
  DevsEvents(report, events);
  TaskSteps(report, events);
  EventsBesideEquations(report, events);
  Crossings(report, events / 20);
  return report.ExitCode();
}
