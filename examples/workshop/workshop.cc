// The models of docs/reference/devs.md, whose code is taken from here: a
// workshop alone, in real time, and beside a hundred others; a light switch; a
// filter; and a spare bench that is put up when it is needed.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "orrery/devs/library.h"
#include "orrery/devs/modeling/short_forms.h"
#include "orrery/devs/real_time.h"
#include "orrery/devs/simulation/time_average.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/devs/simulator.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using devs::Job;
using orrery::Duration;

class Bench : public devs::Atomic<Bench> {
 public:
  struct State {  // All that changes in a run.
    std::optional<Job> job;
    Duration sigma = devs::kPassive;
  };

  devs::In<Job> in{this, "in"};
  devs::Out<Job> out{this, "out"};

  explicit Bench(Duration work) : work_(work) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const { y.Send(out, *s.job); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    if (s.job) {  // Busy: what comes is lost.
      s.sigma -= elapsed;
      return;
    }
    s = {.job = x[in].front(), .sigma = work_};
  }

  void Describe(const State& s, orrery::Record& record) const {
    record.Add("is_busy", s.job.has_value());
  }

 private:
  Duration work_;
};

struct Workshop : devs::Coupled {
  devs::In<Job> order{this, "order"};
  devs::Generator<>& source = Add<devs::Generator<>>("source", 1s);
  Bench& bench = Add<Bench>("bench", 800ms);
  devs::Sink<>& store = Add<devs::Sink<>>("store");

  Workshop() : Coupled("workshop") {
    Couple(source.out, bench.in);
    Couple(order, bench.in);
    Couple(bench.out, store.in);
  }
};

bool RunWorkshop() {
  const Workshop workshop;
  devs::Simulator run(workshop);
  run.Inject(workshop.order, Job{.id = -1}, 100ms);
  run.RunUntil(10s);
  const std::int64_t made = run.state(workshop.store).count;  // 10

  std::ostringstream csv;
  devs::Trace trace(csv, devs::Trace::Format::kCsv);
  run.Observe(trace, "workshop.b*");
  const devs::TimeAverage busy(run, workshop.bench, [](const Bench::State& s) {
    return s.job ? 1.0 : 0.0;
  });
  const devs::Snapshot before = run.Save();
  run.RunUntil(20s);
  const double load = busy.mean();  // 0.8
  run.Restore(before);              // The same again, to the bit.

  std::printf("%d made, load %g\n%s",
              static_cast<int>(made),
              load,
              csv.str().substr(0, 120).c_str());
  return made == 10 && std::abs(load - 0.8) < 1e-12 && run.now() == 10s &&
         csv.str().find("10.8,workshop.bench,output,out.id,9\n") !=
             std::string::npos;
}

bool RunWorkshopInRealTime() {
  const Workshop workshop;
  devs::Simulator run(workshop);
  orrery::SteadyClock clock;
  devs::RealTime pace(run, clock, {.factor = 0.01, .keep_arrivals = true});
  std::thread customer([&] { pace.Inject(workshop.order, {.id = -1}); });
  pace.RunUntil(5s);  // Takes 50 ms.
  customer.join();
  const devs::LagReport lag = pace.report();

  devs::Simulator again(workshop);
  pace.Repeat(again);
  again.RunUntil(5s);

  std::printf("%d instants, mean lag %g ms\n",
              static_cast<int>(lag.instants),
              std::chrono::duration<double, std::milli>(lag.mean).count());
  return lag.mean >= 0s && again.statistics() == run.statistics();
}

bool RunStreetOnThreads() {
  devs::Coupled street("street");
  for (int i = 0; i < 100; ++i) {
    street.Add<Workshop>("workshop" + std::to_string(i));
  }
  orrery::ThreadPool pool;
  devs::Simulator run(street, {.executor = &pool});
  run.RunUntil(1min);
  std::printf("%d transitions on threads\n",
              static_cast<int>(run.statistics().internal));
  devs::Simulator alone(street);
  alone.RunUntil(1min);
  return run.statistics() == alone.statistics();
}

class LightSwitch : public devs::FiniteStateMachine<LightSwitch> {
 public:
  enum class Phase : std::uint8_t { kOff, kOn };

  devs::In<devs::Signal> press{this, "press"};
  devs::Out<bool> light{this, "light"};

  [[nodiscard]] Phase Next(Phase phase, const devs::Bag&) const {
    return phase == Phase::kOn ? Phase::kOff : Phase::kOn;
  }

  void Show(Phase phase, devs::Bag& y) const {
    y.Send(light, phase == Phase::kOn);
  }
};

class Smoother : public devs::DiscreteTimeModel<Smoother> {
 public:
  using Value = double;
  using Input = double;  // The last input.

  devs::In<double> u{this, "u"};
  devs::Out<double> x{this, "x"};

  [[nodiscard]] Duration Period() const { return 10ms; }

  void Read(double& input, const devs::Bag& bag) const {
    for (const double value : bag[u]) {
      input = value;
    }
  }

  void Step(double& value, const double& input) const {
    value += 0.25 * (input - value);
  }

  void Show(double value, devs::Bag& y) const { y.Send(x, value); }
};

struct Lab : devs::Coupled {
  devs::In<devs::Signal> press{this, "press"};
  devs::In<double> u{this, "u"};
  LightSwitch& lamp = Add<LightSwitch>("lamp");
  Smoother& smoother = Add<Smoother>("smoother");
  devs::Sink<bool>& light = Add<devs::Sink<bool>>("light");

  Lab() : Coupled("lab") {
    Couple(press, lamp.press);
    Couple(u, smoother.u);
    Couple(lamp.light, light.in);
  }
};

bool RunLab() {
  const Lab lab;
  devs::Simulator run(lab);
  run.Inject(lab.press, devs::Signal(), 1ms);
  run.Inject(lab.u, 1.0, 0s);
  run.RunUntil(40ms);
  const double x = Smoother::ValueOf(run.state(lab.smoother));
  return run.state(lab.light).last == true && run.state(lab.light).count == 2 &&
         x == 1 - 0.75 * 0.75 * 0.75 * 0.75;
}

// Puts up a second bench at its first job.
class Foreman : public devs::Atomic<Foreman> {
 public:
  struct State {
    bool has_spare = false;
  };

  devs::In<Job> late{this, "late"};

  void External(State& s,
                Duration,
                const devs::Bag&,
                devs::Structure& structure) const {
    if (!std::exchange(s.has_spare, true)) {
      auto& spare = structure.Add<Bench>("spare", 2s);
      structure.Couple(*structure.around().FindPart("source")->FindPort("out"),
                       spare.in);
    }
  }
};

bool RunForeman() {
  devs::Coupled site("site");
  auto& source = site.Add<devs::Generator<>>("source", 1s);
  auto& foreman = site.Add<Foreman>("foreman");
  site.Couple(source.out, foreman.late);
  devs::Simulator run(site);
  run.RunUntil(5s);
  return site.FindPart("spare") != nullptr && site.parts().size() == 3;
}

}  // namespace

int main() {
  return RunWorkshop() && RunWorkshopInRealTime() && RunStreetOnThreads() &&
                 RunLab() && RunForeman()
             ? 0
             : 1;
}
