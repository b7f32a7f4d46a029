// A model for the tests of the command: parameters of each type, inputs and
// outputs of numbers, and ways to go wrong.

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace probe {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

// Adds up its inputs, and sends the sum at once.
class Adder : public devs::Atomic<Adder> {
 public:
  struct State {
    double sum = 0;
    bool has_news = false;

    void Describe(orrery::Record& record) const { record.Add("sum", sum); }
  };

  devs::In<double> x{this, "x"};
  devs::In<std::int64_t> n{this, "n"};
  devs::In<bool> flag{this, "flag"};
  devs::Out<double> sum{this, "sum"};

  explicit Adder(double gain) : gain_(gain) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.has_news ? Duration::zero() : devs::kPassive;
  }

  void Output(const State& s, devs::Bag& y) const { y.Send(sum, s.sum); }

  void Internal(State& s) const { s.has_news = false; }

  void External(State& s, Duration, const devs::Bag& bag) const {
    for (const double value : bag[x]) {
      s.sum += gain_ * value;
    }
    for (const std::int64_t value : bag[n]) {
      s.sum += static_cast<double>(value);
    }
    for (const bool value : bag[flag]) {
      s.sum += value ? 1000 : 0;
    }
    s.has_news = true;
  }

 private:
  double gain_;
};

// Ticks, and fails at the fourth tick in the given way.
class Culprit : public devs::Atomic<Culprit> {
 public:
  struct State {
    int ticks = 0;

    void Describe(orrery::Record& record) const { record.Add("ticks", ticks); }
  };

  devs::Out<std::int64_t> tick{this, "tick"};

  Culprit(std::string mode, Duration period)
      : mode_(std::move(mode)), period_(period) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    if (mode_ == "idle" || (mode_ == "ends" && s.ticks == 4)) {
      return devs::kPassive;
    }
    if (s.ticks < 3) {
      return period_;
    }
    return mode_ == "storm" ? Duration::zero()
                            : (mode_ == "back" ? Duration(-1) : period_);
  }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(tick, std::int64_t{s.ticks});
  }

  void Internal(State& s) const {
    ++s.ticks;
    if (s.ticks == 3 && mode_ == "throws") {
      throw std::runtime_error("the belt is torn");
    }
  }

 private:
  std::string mode_;
  Duration period_;
};

class Probe : public devs::Coupled {
 public:
  devs::In<double> x{this, "x"};
  devs::In<std::int64_t> n{this, "n"};
  devs::In<bool> flag{this, "flag"};
  devs::In<devs::Job> job{this, "job"};
  devs::Out<double> sum{this, "sum"};
  devs::Out<std::int64_t> tick{this, "tick"};

  explicit Probe(orrery::Parameters& p) : Coupled("probe") {
    const double gain = p.Get(
        "gain", 1.0, "Of what comes", {.min = 0, .max = 10, .unit = "kg"});
    const std::string mode =
        p.Get("mode",
              "ends",
              "What goes wrong",
              {.choices = {"ends", "idle", "runs", "throws", "storm", "back"}});
    const Duration period = p.Get("period", 1s, "Between ticks");
    if (p.Get("broken", false, "Whether it cannot be made")) {
      throw std::runtime_error("a part is missing");
    }
    auto& adder = Add<Adder>("adder", gain);
    auto& culprit = Add<Culprit>("culprit", mode, period);
    auto& jobs = Add<devs::Sink<>>("jobs");
    Couple(x, adder.x);
    Couple(n, adder.n);
    Couple(flag, adder.flag);
    Couple(job, jobs.in);
    Couple(adder.sum, sum);
    Couple(culprit.tick, tick);
  }
};

}  // namespace probe

ORRERY_MAIN(probe::Probe);
