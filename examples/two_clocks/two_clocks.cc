// Two clocks that coincide every second: at 0.2 and 0.25 s. Each samples a
// decaying quantity; a third block counts the ticks of both.

#include <cmath>
#include <cstdio>

#include "orrery/sdk/orrery.h"

namespace {

using namespace std::chrono_literals;

struct Decay : orrery::Block {
  State x{this, "x", 2.0};
  Output y{this, "y"};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = -x;
    eq.Set(y) = x;
  }
};

struct Count : orrery::Block {
  orrery::Quantity fast;
  orrery::Quantity slow;
  Discrete ticks{this, "ticks", 0.0};

  Count(const orrery::Clock& one, const orrery::Clock& other)
      : fast(one), slow(other) {}

  void Equations(EquationSet& eq) override {
    eq.On(fast).Set(ticks) = ticks + 1;
    eq.On(slow).Set(ticks) = ticks + 1;
  }
};

}  // namespace

int main() {
  orrery::Diagram sampling{"Sampling"};
  const orrery::Clock fast{&sampling, "fast", 200ms};
  const orrery::Clock slow{&sampling, "slow", 250ms};
  auto& decay = sampling.Add<Decay>("decay");
  auto& often = sampling.Add<orrery::ZeroOrderHold>("often", fast);
  auto& seldom = sampling.Add<orrery::ZeroOrderHold>("seldom", slow);
  sampling.Add<Count>("count", fast, slow);
  sampling.Connect(decay.y, often.u);
  sampling.Connect(decay.y, seldom.u);

  const auto run = Simulate(sampling, {.stop = 5s, .tolerance = 1e-10});
  const auto held = [&](const char* name, double period, double t) {
    const double error = std::abs(
        run[name].at(t) - 2 * std::exp(-period * std::floor(t / period)));
    std::printf("%s at %.2f s: %.12f\n", name, t, run[name].at(t));
    return error < 1e-8;
  };
  const bool is_right =
      held("often.y", 0.2, 0.7) && held("often.y", 0.2, 4.9) &&
      held("seldom.y", 0.25, 0.7) && held("seldom.y", 0.25, 4.9) &&
      run["count.ticks"].final() == 26 + 21;
  return is_right ? 0 : 1;
}
