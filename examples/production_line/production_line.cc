// Two machines that fail, and a store of three parts between them, as a Petri
// net; its throughput beside the one of the Markov chain that it is.

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

constexpr int kStore = 3;

// Rates per second: of parts, failures and repairs.
struct Machine {
  double work;
  double fail;
  double repair;
};

constexpr Machine kFirst{1.0, 0.01, 0.1};
constexpr Machine kSecond{1.2, 0.02, 0.08};

struct Line : devs::PetriNet {
  devs::PetriPlace& slots = AddPlace("slots", kStore);
  devs::PetriPlace& store = AddPlace("store");
  devs::PetriTransition& first = AddMachine("first", kFirst);
  devs::PetriTransition& second = AddMachine("second", kSecond);

  Line() : PetriNet("line") {
    Connect(slots, first);
    Connect(first, store);
    Connect(store, second);
    Connect(second, slots);
  }

 private:
  // A machine works while it is up.
  devs::PetriTransition& AddMachine(const std::string& name,
                                    const Machine& machine) {
    const auto after = [](double rate) {
      return devs::Distribution::Exponential(1 / rate);
    };
    auto& up = AddPlace(name + "_up", 1);
    auto& down = AddPlace(name + "_down");
    auto& work = AddTransition(name, after(machine.work));
    auto& fail = AddTransition(name + "_fails", after(machine.fail));
    auto& repair = AddTransition(name + "_repaired", after(machine.repair));
    Connect(up, work);
    Connect(work, up);
    Connect(up, fail);
    Connect(fail, down);
    Connect(down, repair);
    Connect(repair, up);
    return work;
  }
};

// Parts per second of the Markov chain whose states are the parts in store and
// which machines are up: by its stationary distribution, found by iteration.
double ExactThroughput() {
  using Distribution = std::array<double, 4 * (kStore + 1)>;
  Distribution p{};
  p[0] = 1;
  constexpr double kStep = 0.2;  // Below the inverse of every exit rate.
  for (int i = 0; i < 200'000; ++i) {
    Distribution next = p;
    const auto move = [&](std::size_t from, std::size_t to, double rate) {
      next[from] -= kStep * rate * p[from];
      next[to] += kStep * rate * p[from];
    };
    for (std::size_t s = 0; s < p.size(); ++s) {
      const std::size_t parts = s / 4;
      const bool is_first_up = s % 2 == 0;
      const bool is_second_up = s / 2 % 2 == 0;
      move(s, s ^ 1U, is_first_up ? kFirst.fail : kFirst.repair);
      move(s, s ^ 2U, is_second_up ? kSecond.fail : kSecond.repair);
      if (is_first_up && parts < kStore) {
        move(s, s + 4, kFirst.work);
      }
      if (is_second_up && parts > 0) {
        move(s, s - 4, kSecond.work);
      }
    }
    p = next;
  }
  double throughput = 0;
  for (std::size_t s = 4; s < p.size(); ++s) {
    throughput += s / 2 % 2 == 0 ? kSecond.work * p[s] : 0;
  }
  return throughput;
}

}  // namespace

int main() {
  const Line line;
  devs::Simulator run(line);
  run.RunUntil(200'000s);
  const auto made = static_cast<double>(run.state(line.second).fired);
  const double simulated = made / 200'000;
  const double exact = ExactThroughput();
  std::printf("%.4f parts/s simulated, %.4f exact\n", simulated, exact);
  // Failures come by the thousand: 1 % is about four standard deviations.
  return std::abs(simulated / exact - 1) < 0.01 ? 0 : 1;
}
