// An elevator that keeps its direction as long as somebody waits there: two
// seconds a floor, doors open for five.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

constexpr int kFloors = 8;

class Elevator : public devs::Atomic<Elevator> {
 public:
  enum class Phase : std::uint8_t { kIdle, kMoving, kOpen };

  struct State {
    Phase phase = Phase::kIdle;
    int floor = 0;
    int direction = 1;
    std::uint32_t calls = 0;  // A bit for each floor.
    Duration sigma = devs::kPassive;
  };

  devs::In<int> call{this, "call"};
  devs::Out<int> opened{this, "opened"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    if (s.phase == Phase::kMoving && IsCalled(s, s.floor + s.direction)) {
      y.Send(opened, s.floor + s.direction);
    } else if (s.phase == Phase::kIdle) {
      y.Send(opened, s.floor);
    }
  }

  void Internal(State& s) const {
    s.floor += s.phase == Phase::kMoving ? s.direction : 0;
    if (s.phase != Phase::kOpen && IsCalled(s, s.floor)) {
      s.calls &= ~(1U << s.floor);
      s.phase = Phase::kOpen;
      s.sigma = 5s;
    } else {
      Leave(s);
    }
  }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    for (const int floor : x[call]) {
      // At an open door nobody has to wait.
      const bool is_here = s.phase == Phase::kOpen && floor == s.floor;
      s.calls |= is_here ? 0U : 1U << floor;
    }
    if (s.phase != Phase::kIdle) {
      s.sigma -= elapsed;
    } else if (IsCalled(s, s.floor)) {
      s.sigma = Duration::zero();
    } else {
      Leave(s);
    }
  }

  void Describe(const State& s, orrery::Record& record) const {
    record.Add("phase", s.phase);
    record.Add("floor", s.floor);
  }

 private:
  static bool IsCalled(const State& s, int floor) {
    return (s.calls >> floor & 1U) != 0;
  }

  static bool IsCalledAhead(const State& s) {
    const std::uint32_t below = (1U << s.floor) - 1;
    return (s.calls & (s.direction < 0 ? below : ~below)) != 0;
  }

  static void Leave(State& s) {
    if (!IsCalledAhead(s)) {
      s.direction = -s.direction;
    }
    s.phase = s.calls != 0 ? Phase::kMoving : Phase::kIdle;
    s.sigma = s.calls != 0 ? Duration(2s) : devs::kPassive;
  }
};

struct House : devs::Coupled {
  devs::In<int> call{this, "call"};
  Elevator& elevator = Add<Elevator>("elevator");
  devs::Recorder<int>& stops = Add<devs::Recorder<int>>("stops");

  House() : Coupled("house") {
    Couple(call, elevator.call);
    Couple(elevator.opened, stops.in);
  }
};

}  // namespace

int main() {
  const House house;
  devs::Simulator run(house);
  run.Inject(house.call, 5, 0s);
  run.Inject(house.call, 2, 3s);   // On the way: a stop.
  run.Inject(house.call, 1, 5s);   // Behind it: on the way back.
  run.Inject(house.call, 5, 16s);  // The door is open.
  run.Inject(house.call, 1, 40s);  // It is there.
  run.Inject(house.call, kFloors - 1, 41s);
  run.RunUntil(100s);

  const auto& stops = run.state(house.stops).samples;
  for (const auto& [time, floor] : stops) {
    std::printf("%2.0f s: floor %d\n", orrery::Seconds(time).value, floor);
  }
  const std::vector<devs::Recorder<int>::Sample> expected = {
      {4s, 2}, {15s, 5}, {28s, 1}, {40s, 1}, {57s, 7}};
  return stops == expected ? 0 : 1;
}
