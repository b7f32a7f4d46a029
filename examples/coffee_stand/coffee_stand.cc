// The coffee stand of docs/start/discrete_events.md, whose code is taken from
// here: people come by chance, and one barista makes one cup at a time.

#include <algorithm>
#include <chrono>
#include <deque>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using devs::Job;
using orrery::Duration;
using orrery::Seconds;

class Barista : public devs::Atomic<Barista> {
 public:
  struct State {  // All that changes in a run.
    std::deque<Job> orders;
    Duration left = devs::kPassive;  // Until the first order is ready.
    double waited_s = 0;             // All customers together.
    int served = 0;
  };

  devs::In<Job> order{this, "order"};
  devs::Out<Job> cup{this, "cup"};

  explicit Barista(Duration work) : work_(work) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.left; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(cup, s.orders.front());
  }

  void Internal(State& s) const {
    Pass(s, s.left);
    s.orders.pop_front();
    s.served += 1;
    s.left = s.orders.empty() ? devs::kPassive : work_;
  }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    Pass(s, elapsed);
    s.left = s.orders.empty() ? work_ : s.left - elapsed;
    for (const Job& job : x[order]) {
      s.orders.push_back(job);
    }
  }

  void Describe(const State& s, orrery::Record& record) const {
    record.Add("orders", static_cast<int>(s.orders.size()));
  }

 private:
  // Everybody waits but the first one, whose cup is being made.
  static void Pass(State& s, Duration time) {
    if (s.orders.size() > 1) {
      s.waited_s +=
          Seconds(time).value * static_cast<double>(s.orders.size() - 1);
    }
  }

  Duration work_;
};

class CoffeeStand : public devs::Coupled {
 public:
  devs::Out<Job> cup{this, "cup"};

  explicit CoffeeStand(orrery::Parameters& p) : Coupled("stand") {
    const Duration spacing = p.Get("spacing", 40s, "Mean time between people");
    const Duration work = p.Get("work", 30s, "Time for a cup");
    p.SetDefaultStop(8h);

    auto& street = Add<devs::Generator<>>(
        "street", devs::Distribution::Exponential(Seconds(spacing).value));
    barista_ = &Add<Barista>("barista", work);
    Couple(street.out, barista_->order);
    Couple(barista_->cup, cup);
  }

  void Results(const devs::Simulator& run, orrery::Record& results) const {
    const Barista::State& s = run.state(*barista_);
    results.Add("served", s.served);
    results.Add("mean_wait_s", s.waited_s / std::max(1, s.served));
  }

 private:
  const Barista* barista_ = nullptr;
};

ORRERY_MAIN(CoffeeStand);
