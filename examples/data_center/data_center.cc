// A data centre: jobs wait for a server, and busy servers heat the hall. When
// the racks reach 45 degrees all servers go at half speed until the racks are
// at 40 again. The queue consists of tasks, the hall of equations (hall.mo);
// each drives the other.
//
// The program checks the energy balance (heat of the tasks, heat into the hall,
// heat removed), the work (of finished jobs and of those in progress), that the
// racks are never warmer than theory allows, and hall.mo against its closed
// form.

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/queueing/resource.h"
#include "orrery/sdk/orrery.h"
#include "orrery/timeline/timeline.h"

namespace {

namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Crossing;
using orrery::Direction;
using orrery::Duration;
using orrery::Program;
using orrery::Seconds;
using orrery::Simulation;
using orrery::System;
using orrery::TimelineResult;
using process::Task;

constexpr Duration kDay = 24h;
constexpr double kHot = 45;   // degC
constexpr double kCool = 40;  // degC

constexpr int kServers = 20;
constexpr double kIdleW = 100;  // Always, for each server.
constexpr double kBusyW = 200;  // In addition, at full speed.
constexpr double kMeanWorkS = 300;
constexpr double kLoad = 0.78;  // Utilisation of the servers at full speed.

// Half the speed takes a quarter of the power.
double BusyW(double speed) {
  return kBusyW * speed * speed;
}

struct Job {
  double work_s = 0;  // At full speed.
  double left_s = 0;
  double heat_j = 0;
  double speed = 0;  // 0: the job waits, or is done.
  Duration since{};  // Start of this speed.
  bool is_done = false;

  // Accounts for the time up to `now`.
  void SetSpeed(double next, Duration now) {
    const double dt = Seconds(now - since).value;
    left_s -= speed * dt;
    heat_j += BusyW(speed) * dt;
    speed = next;
    since = now;
  }
};

struct DataCenter : process::Model {
  orrery::queueing::Resource servers{this, "servers", kServers};
  process::Cell<process::Register<double>> speed{this, "speed", 1.0};
  process::Cell<process::Accumulator> heat{this, "heat", kServers* kIdleW};
  process::Cell<process::Accumulator> work{this, "work", 0.0};
  process::Resource done{this, "done", work, "s"};
  std::deque<Job> jobs;
  int times_slowed = 0;

  void Start() override { Spawn(Arrivals()); }

  Task<> SlowDown() {
    speed.Set(0.5);
    ++times_slowed;
    co_return;
  }

  Task<> SpeedUp() {
    speed.Set(1);
    co_return;
  }

 private:
  Task<> Arrivals() {
    orrery::RandomStream spacing = Random("spacing");
    orrery::RandomStream length = Random("length");
    for (;;) {
      co_await Delay(spacing.Exponential(kMeanWorkS / kServers / kLoad) * 1s);
      const double work_s = length.Exponential(kMeanWorkS);
      jobs.push_back({.work_s = work_s, .left_s = work_s});
      Spawn(Compute(jobs.back()));
    }
  }

  // Works at one speed until the job ends or the speed changes, and so on.
  Task<> Compute(Job& job) {
    const auto server = co_await servers.Acquire();
    while (!job.is_done) {
      const double now = speed.Get();
      job.SetSpeed(now, Now());
      heat.Add(BusyW(now));
      work.AddRate(now);
      const auto [end, change] =
          co_await AnyOf(Delay(job.left_s / now * 1s),
                         Until([this, now] { return speed.Get() != now; }));
      work.AddRate(-now);
      heat.Add(-BusyW(now));
      job.is_done = end.has_value();
    }
    job.SetSpeed(0, Now());
  }
};

struct Building {
  Simulation sim;
  System& hall;
  DataCenter& center;

  explicit Building(std::shared_ptr<const Program> equations)
      : hall(sim.Add(std::move(equations))),
        center(sim.Add<DataCenter>("center")) {
    sim.Connect(center.heat, hall["heat"]);
  }

  void SlowDownWhenHot() {
    sim.Connect(Crossing{hall["rack"], kHot, Direction::kRising},
                [this] { return center.SlowDown(); });
    sim.Connect(Crossing{hall["rack"], kCool, Direction::kFalling},
                [this] { return center.SpeedUp(); });
  }

  TimelineResult RunADay() {
    return sim.Run({.stop = kDay, .tasks = {.records = {.profiles = true}}});
  }
};

// Reports the checks that fail.
class Findings {
 public:
  void Expect(const char* what, bool holds) {
    if (!holds) {
      std::printf("WRONG: %s\n", what);
      is_right_ = false;
    }
  }

  // Compares to nine digits.
  void ExpectSame(const char* what, double a, double b) {
    std::printf("  %-38s %17.6f %17.6f\n", what, a, b);
    Expect(what, std::abs(a - b) <= 1e-9 * std::abs(b));
  }

  [[nodiscard]] bool is_right() const { return is_right_; }

 private:
  bool is_right_ = true;
};

void CheckEnergyAndWork(const DataCenter& center,
                        const TimelineResult& r,
                        Findings& findings) {
  double heat_j = kServers * kIdleW * Seconds(kDay).value;
  double finished_s = 0;
  double partial_s = 0;
  for (Job job : center.jobs) {
    job.SetSpeed(0, kDay);
    heat_j += job.heat_j;
    finished_s += job.is_done ? job.work_s : 0;
    partial_s += job.is_done ? 0 : job.work_s - job.left_s;
  }
  const auto gained = [&](const char* temperature, const char* capacity) {
    return (r[temperature].final() - r[temperature].front()) *
           r[capacity].final();
  };
  const double stored =
      gained("rack", "rack_capacity") + gained("air", "air_capacity");
  const auto work =
      std::get<process::Polynomial>(r.recording.profiles.at(0).At(kDay));
  findings.ExpectSame(
      "heat that tasks made, the hall got (J)", heat_j, r["made"].final());
  findings.ExpectSame("the same, stored or removed (J)",
                      r["made"].final(),
                      stored + r["removed"].final());
  findings.ExpectSame(
      "work of servers, of jobs (s)", work.At(0s), finished_s + partial_s);
}

// The number of times that a signal rises to kHot after it was below kCool.
int CountHeatWaves(const orrery::Signal& rack) {
  int count = 0;
  bool is_hot = false;
  for (const double celsius : rack.values()) {
    const bool was_hot =
        std::exchange(is_hot, celsius >= (is_hot ? kCool : kHot));
    count += is_hot && !was_hot ? 1 : 0;
  }
  return count;
}

// At half speed all servers together make 3 kW. Then racks below 45 degrees and
// air below 35 degrees stay below. With the racks at 45 degrees they would give
// 10 K * 500 W/K = 5 kW or more to the air; and air at 35 degrees gets at most
// this power, which the cooling unit can remove.
void CheckDay(const std::shared_ptr<const Program>& equations,
              Findings& findings) {
  Building building(equations);
  building.SlowDownWhenHot();
  const TimelineResult r = building.RunADay();
  findings.Expect(r.summary.message.c_str(), r.summary.completed());
  const DataCenter& center = building.center;
  const auto servers = center.servers.statistics();
  std::printf("a day: %zu jobs, %.1f of %d servers busy, %.1f jobs wait\n",
              center.jobs.size(),
              servers.in_use.mean,
              kServers,
              servers.queue.mean);
  std::printf("  slowed down %d times, racks at most %.9f degC, air %.3f\n",
              center.times_slowed,
              r["rack"].max(),
              r["air"].max());
  CheckEnergyAndWork(center, r, findings);
  findings.Expect("racks never above 45 degrees",
                  r["rack"].max() < kHot + 1e-6);
  findings.Expect("air never above 35 degrees", r["air"].max() < 35 + 1e-6);
  findings.Expect("slowed down in each heat wave",
                  center.times_slowed > 10 &&
                      center.times_slowed == CountHeatWaves(r["rack"]));

  Building careless(equations);
  const TimelineResult hot = careless.RunADay();
  findings.Expect(hot.summary.message.c_str(), hot.summary.completed());
  std::printf("at full speed all day: racks at %.1f degC\n", hot["rack"].max());
  CheckEnergyAndWork(careless.center, hot, findings);
  findings.Expect("without it racks get hotter", hot["rack"].max() > kHot + 5);
}

// With 4 kW the cooling unit is never at its limit, and the equations are
// linear: s^2 + (a + b + c) s + a c = 0.
void CheckClosedForm(const std::shared_ptr<const Program>& equations,
                     Findings& findings) {
  constexpr double kHeat = 4000;
  const orrery::RunResult r =
      Simulate(equations,
               {.stop = 1h,
                .tolerance = 1e-12,
                .settings = {{.name = "heat", .value = kHeat}}});
  const double a = 500.0 / 200e3;   // exchange / rack_capacity
  const double b = 500.0 / 100e3;   // exchange / air_capacity
  const double c = 1000.0 / 100e3;  // gain / air_capacity
  const double air_end = 22 + kHeat / 1000;
  const double rack_end = air_end + kHeat / 500;
  const double root = std::sqrt((a + b + c) * (a + b + c) - 4 * a * c);
  const double slow = (-(a + b + c) + root) / 2;
  const double fast = (-(a + b + c) - root) / 2;
  const double rack = 28 - rack_end;
  const double slope = a * (24 - air_end - rack);
  for (const double t : {60.0, 600.0, 3600.0}) {
    const double exact =
        rack_end + ((slope - fast * rack) * std::exp(slow * t) -
                    (slope - slow * rack) * std::exp(fast * t)) /
                       root;
    findings.ExpectSame("racks in steady heat (degC)", r["rack"].at(t), exact);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const auto hall = orrery::Compile(orrery::LoadFile(folder + "/hall.mo"));
  Findings findings;
  CheckDay(hall, findings);
  CheckClosedForm(hall, findings);
  return findings.is_right() ? 0 : 1;
}
