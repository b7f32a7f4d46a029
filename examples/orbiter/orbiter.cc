// An orbiter with a camera, a memory and a transmitter. Its orbit, the rotating
// Earth and a ground station are equations (orbit.mo); its downlinks are a plan
// (downlinks.json). It sends while the station sees it at least 10 degrees
// above the horizon; an interrupted downlink goes on in the next pass.
//
// On a circular orbit above the equator, and for a station there, the angle
// between both grows at a constant rate. So the passes are known, and the data
// sent in each.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/queueing/resource.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/plan/plan_file.h"
#include "orrery/sdk/process_timeline.h"
#include "orrery/timeline/timeline.h"

namespace {

namespace process = orrery::process;
using namespace std::chrono_literals;
using orrery::Crossing;
using orrery::Direction;
using orrery::Duration;
using orrery::Seconds;
using orrery::Simulation;
using orrery::System;
using orrery::SystemVariable;
using process::Task;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kElevation = kTurn * 10 / 360;
constexpr double kStored = 20;    // Gbit, at the start.
constexpr double kCamera = 0.01;  // Gbit/s, when it is not sending.
constexpr double kDownlink = 0.1;

// Times in seconds.
struct Pass {
  double begin = 0;
  double end = 0;
  double sent = 0;  // Gbit
};

struct Downlinked {
  double planned = 0;
  double end = 0;
};

struct Orbiter : process::Model {
  explicit Orbiter(SystemVariable above) : sine(std::move(above)) {}

  SystemVariable sine;  // Sine of the elevation.
  process::Cell<process::Accumulator> memory{this, "memory", kStored};
  process::Cell<process::Accumulator> sent{this, "sent", 0.0};
  process::Resource stored{this, "stored", memory, "Gbit"};
  orrery::queueing::Resource transmitter{this, "transmitter"};
  process::Activity downlink{
      this, "Downlink", "Sends data home", [this](orrery::Parameters& p) {
        return Downlink(p.Get("gigabits", 10.0, "How much", {.min = 0.0}));
      }};

  std::vector<Pass> passes;
  std::vector<Downlinked> downlinks;

  void Start() override { memory.AddRate(kCamera); }

  Task<> LookHome() {
    const double begin = Seconds(Now()).value;
    const double before = sent.Get();
    memory.AddRate(-kCamera);
    co_await Until(sine < std::sin(kElevation));
    memory.AddRate(kCamera);
    passes.push_back({.begin = begin,
                      .end = Seconds(Now()).value,
                      .sent = sent.Get() - before});
  }

 private:
  Task<> Downlink(double gigabits) {
    const double planned = Seconds(Now()).value;
    const auto held = co_await transmitter.Acquire();
    for (bool is_done = false; !is_done;) {
      co_await Until(sine >= std::sin(kElevation));
      const Duration begin = Now();
      Send(kDownlink);
      const auto [end, lost] = co_await AnyOf(
          Delay(gigabits / kDownlink * 1s), Until(sine < std::sin(kElevation)));
      Send(-kDownlink);
      gigabits -= kDownlink * Seconds(Now() - begin).value;
      is_done = end.has_value();
    }
    downlinks.push_back({.planned = planned, .end = Seconds(Now()).value});
  }

  void Send(double rate) {
    memory.AddRate(-rate);
    sent.AddRate(rate);
  }
};

// The results by hand.
class Expected {
 public:
  explicit Expected(double stop) {
    constexpr double kEarth = 6378137;
    constexpr double kOrbit = kEarth + 800e3;
    // Longitude of the station; that of the orbiter is 0.
    constexpr double kLongitude = 1;
    const double rate =
        std::sqrt(3.986004418e14 / (kOrbit * kOrbit * kOrbit)) - 7.2921159e-5;
    const double half =
        std::acos(kEarth / kOrbit * std::cos(kElevation)) - kElevation;
    const auto num_passes = static_cast<int>(
        std::floor((rate * stop - kLongitude - half) / kTurn) + 1);
    for (int i = 0; i < num_passes; ++i) {
      const double at = kLongitude + i * kTurn;
      passes_.push_back(
          {.begin = (at - half) / rate, .end = (at + half) / rate});
    }
  }

  // Carries out a downlink of the plan, after those planned earlier.
  // @returns the time of its end.
  double Downlink(double planned, double gigabits) {
    double at = std::max(planned, free_at_);
    for (Pass& pass : passes_) {
      const double begin = std::max(at, pass.begin);
      const double part =
          std::clamp(kDownlink * (pass.end - begin), 0.0, gigabits);
      pass.sent += part;
      gigabits -= part;
      at = part > 0 ? begin + part / kDownlink : at;
    }
    downlinks_.push_back({.planned = planned, .end = at});
    free_at_ = at;
    return at;
  }

  [[nodiscard]] const std::vector<Pass>& passes() const { return passes_; }

  [[nodiscard]] const std::vector<Downlinked>& downlinks() const {
    return downlinks_;
  }

 private:
  std::vector<Pass> passes_;
  std::vector<Downlinked> downlinks_;
  double free_at_ = 0;  // When the transmitter is free.
};

Expected FollowPlan(double stop) {
  Expected expected(stop);
  expected.Downlink(1 * 3600, 30);
  const double mosaic = expected.Downlink(3 * 3600, 100);
  expected.Downlink(mosaic + 1800 - 600, 5);
  expected.Downlink(mosaic + 1800, 150);
  expected.Downlink(18 * 3600, 200);
  return expected;
}

// The largest difference of a member of the elements; infinite if the sizes
// differ.
template <typename T>
double MaxError(const std::vector<T>& a,
                const std::vector<T>& b,
                double T::*x) {
  double error = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    error = std::max(error, std::abs(a[i].*x - b[i].*x));
  }
  return error;
}

double LevelAt(const process::Profile& profile, Duration time) {
  return std::get<process::Polynomial>(profile.At(time)).At(0s);
}

// The least level: it is linear between the begins of pieces.
double LowestLevel(const process::Profile& profile) {
  double lowest = HUGE_VAL;
  for (const process::Segment& piece : profile.segments()) {
    lowest = std::min(lowest, LevelAt(profile, piece.begin));
  }
  return lowest;
}

// Reports the checks that fail.
class Findings {
 public:
  void ExpectNone(const char* what, double error, double bound) {
    std::printf("  %-28s %.1e\n", what, error);
    Expect(what, error < bound);
  }

  void Expect(const char* what, bool holds) {
    if (!holds) {
      std::printf("WRONG: %s\n", what);
      is_right_ = false;
    }
  }

  [[nodiscard]] bool is_right() const { return is_right_; }

 private:
  bool is_right_ = true;
};

void Compare(const Orbiter& orbiter,
             const process::Profile& stored,
             Duration stop,
             Findings& findings) {
  const Expected expected = FollowPlan(Seconds(stop).value);
  double at_end = kStored + kCamera * Seconds(stop).value;
  for (const Pass& pass : expected.passes()) {
    at_end -= kCamera * (pass.end - pass.begin) + pass.sent;
  }
  std::printf("%zu passes, %zu downlinks; differences from theory:\n",
              orbiter.passes.size(),
              orbiter.downlinks.size());
  const auto compare_passes = [&](const char* what, double Pass::*x) {
    findings.ExpectNone(
        what, MaxError(orbiter.passes, expected.passes(), x), 1e-5);
  };
  compare_passes("begins of passes (s)", &Pass::begin);
  compare_passes("ends of passes (s)", &Pass::end);
  compare_passes("sent in a pass (Gbit)", &Pass::sent);
  findings.ExpectNone(
      "ends of downlinks (s)",
      MaxError(orbiter.downlinks, expected.downlinks(), &Downlinked::end),
      1e-5);
  findings.ExpectNone(
      "begins by the plan (s)",
      MaxError(orbiter.downlinks, expected.downlinks(), &Downlinked::planned),
      1e-5);
  findings.ExpectNone("in memory at the end (Gbit)",
                      std::abs(LevelAt(stored, stop) - at_end),
                      1e-6);
  findings.Expect("it sends what it has", LowestLevel(stored) > 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  Simulation sim;
  System& orbit =
      sim.Add(orrery::Compile(orrery::LoadFile(folder + "/orbit.mo")));
  auto& orbiter = sim.Add<Orbiter>("orbiter", orbit["sine"]);
  sim.Connect(Crossing{orbit["sine"], std::sin(kElevation), Direction::kRising},
              [&] { return orbiter.LookHome(); });
  const orrery::PlanFile file = orrery::ReadPlan(
      orrery::SourceFile::Read(folder + "/downlinks.json"), orbiter);
  const orrery::TimelineResult r =
      sim.Run({.stop = file.stop,
               .tasks = {.records = {.profiles = true, .spans = true}},
               .plan = file.plan});
  const Duration stop = orrery::ToDuration(r.summary.end_time);
  std::printf("%s\n",
              RenderTimelineTerminal(orrery::ToTimeline(r.recording, 0s, stop))
                  .c_str());
  Findings findings;
  findings.Expect(r.summary.message.c_str(), r.summary.completed());
  Compare(orbiter, r.recording.profiles.at(0), stop, findings);
  return findings.is_right() ? 0 : 1;
}
