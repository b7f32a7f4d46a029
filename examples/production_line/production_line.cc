// Two machines that fail, with a store for parts between them, as a Petri net.
// Its throughput is compared with that of the equivalent Markov chain.
// `production_line --set store=5 --replications 10`.

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Seconds;

// Rates per second: of parts, failures and repairs.
struct Machine {
  double work;
  double fail;
  double repair;
};

// The throughput in parts per second of the Markov chain, whose state is the
// number of parts in store and the set of machines that are up. The stationary
// distribution is found by iteration.
double ExactThroughput(std::size_t store,
                       const Machine& first,
                       const Machine& second) {
  std::vector<double> p(4 * (store + 1));
  p[0] = 1;
  constexpr double kStep = 0.2;  // Below the inverse of every exit rate.
  for (int i = 0; i < 200'000; ++i) {
    std::vector<double> next = p;
    const auto move = [&](std::size_t from, std::size_t to, double rate) {
      next[from] -= kStep * rate * p[from];
      next[to] += kStep * rate * p[from];
    };
    for (std::size_t s = 0; s < p.size(); ++s) {
      const std::size_t parts = s / 4;
      const bool is_first_up = s % 2 == 0;
      const bool is_second_up = s / 2 % 2 == 0;
      move(s, s ^ 1U, is_first_up ? first.fail : first.repair);
      move(s, s ^ 2U, is_second_up ? second.fail : second.repair);
      if (is_first_up && parts < store) {
        move(s, s + 4, first.work);
      }
      if (is_second_up && parts > 0) {
        move(s, s - 4, second.work);
      }
    }
    p = std::move(next);
  }
  double throughput = 0;
  for (std::size_t s = 4; s < p.size(); ++s) {
    throughput += s / 2 % 2 == 0 ? second.work * p[s] : 0;
  }
  return throughput;
}

class ProductionLine : public devs::PetriNet {
 public:
  explicit ProductionLine(orrery::Parameters& p)
      : PetriNet("line"),
        size_(p.Get("store", 3, "Parts in store at most", {.min = 1})) {
    p.SetDefaultStop(200'000s);
    auto& slots = AddPlace("slots", size_);
    auto& store = AddPlace("store");
    auto& first = AddMachine("first", kFirst);
    Connect(slots, first);
    Connect(first, store);
    Connect(store, second_);
    Connect(second_, slots);
  }

  void Results(const devs::Simulator& run, orrery::Record& results) const {
    const double made = static_cast<double>(run.state(second_).fired);
    results.Add("parts_per_s", made / Seconds(run.now()).value);
    results.Add(
        "exact_parts_per_s",
        ExactThroughput(static_cast<std::size_t>(size_), kFirst, kSecond));
  }

 private:
  static constexpr Machine kFirst{1.0, 0.01, 0.1};
  static constexpr Machine kSecond{1.2, 0.02, 0.08};

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

  int size_;
  devs::PetriTransition& second_ = AddMachine("second", kSecond);
};

}  // namespace

ORRERY_MAIN(ProductionLine);
