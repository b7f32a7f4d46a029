// A traffic light with a button: cars go until somebody wants to cross, for ten
// seconds at least.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

enum class Light : std::uint8_t { kCarsGo, kYellow, kWalk };

class TrafficLight : public devs::Atomic<TrafficLight> {
 public:
  struct State {
    Light light = Light::kCarsGo;
    bool is_pressed = false;
    Duration rest = 10s;  // Time until the light may change.
  };

  devs::In<devs::Signal> button{this, "button"};
  devs::Out<Light> light{this, "light"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    const bool waits = s.light == Light::kCarsGo && !s.is_pressed;
    return waits ? devs::kPassive : s.rest;
  }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(light, Next(s.light));
  }

  void Internal(State& s) const {
    s.light = Next(s.light);
    switch (s.light) {
      case Light::kCarsGo:
        s.rest = 10s;
        break;
      case Light::kYellow:
        s.rest = 3s;
        break;
      case Light::kWalk:
        s.rest = 15s;
        s.is_pressed = false;
        break;
    }
  }

  void External(State& s, Duration elapsed, const devs::Bag&) const {
    s.rest = std::max(s.rest - elapsed, Duration::zero());
    s.is_pressed = s.is_pressed || s.light == Light::kCarsGo;
  }

  void Describe(const State& s, orrery::Record& record) const {
    record.Add("light", s.light);
    record.Add("is_pressed", s.is_pressed);
  }

 private:
  static Light Next(Light light) {
    switch (light) {
      case Light::kCarsGo:
        return Light::kYellow;
      case Light::kYellow:
        return Light::kWalk;
      case Light::kWalk:
        break;
    }
    return Light::kCarsGo;
  }
};

struct Crossing : devs::Coupled {
  devs::In<devs::Signal> button{this, "button"};
  TrafficLight& light = Add<TrafficLight>("light");
  devs::Recorder<Light>& seen = Add<devs::Recorder<Light>>("seen");

  Crossing() : Coupled("crossing") {
    Couple(button, light.button);
    Couple(light.light, seen.in);
  }
};

}  // namespace

int main() {
  const Crossing crossing;
  devs::Simulator run(crossing);
  // Too early; twice during the ten seconds; while people walk; later.
  for (const Duration at : {4s, 30s, 31s, 45s, 100s}) {
    run.Inject(crossing.button, devs::Signal(), at);
  }
  run.RunUntil(200s);
  const auto& seen = run.state(crossing.seen).samples;
  for (const auto& [time, light] : seen) {
    const char* const names[] = {"cars go", "yellow", "walk"};
    std::printf("%3.0f s: %s\n",
                orrery::Seconds(time).value,
                names[static_cast<int>(light)]);
  }
  using enum Light;
  const std::vector<devs::Recorder<Light>::Sample> expected = {{10s, kYellow},
                                                               {13s, kWalk},
                                                               {28s, kCarsGo},
                                                               {38s, kYellow},
                                                               {41s, kWalk},
                                                               {56s, kCarsGo},
                                                               {100s, kYellow},
                                                               {103s, kWalk},
                                                               {118s, kCarsGo}};
  return seen == expected ? 0 : 1;
}
