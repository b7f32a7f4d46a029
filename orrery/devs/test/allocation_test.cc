#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/devs/bench/devstone.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

// Sends several messages at random times, and receives messages.
class Talker : public Atomic<Talker> {
 public:
  struct State {
    RandomStream random;
    std::int64_t heard = 0;
    Duration sigma{};
  };

  In<double> in{this, "in"};
  Out<double> out{this, "out"};
  Out<double> other{this, "other"};

  State Initial(const Start& start) const {
    State s{.random = start.Stream("gaps")};
    Internal(s);
    return s;
  }

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const {
    for (std::int64_t i = 0; i <= s.heard % 3; ++i) {
      y.Send(out, 1.0);
      y.Send(other, 2.0);
    }
  }

  void Internal(State& s) const {
    // Whole milliseconds, so that many coincide.
    s.sigma = s.random.UniformInt(1, 2000) * Duration(1ms);
  }

  void External(State& s, Duration elapsed, const Bag& x) const {
    s.heard += static_cast<std::int64_t>(x[in].size());
    s.sigma -= elapsed;
  }
};

TEST(AllocationTest, EventsDoNotAllocateOnceARunIsWarm) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Coupled ring("ring");
    std::vector<Talker*> talkers;
    for (int i = 0; i < 300; ++i) {
      talkers.push_back(&ring.Add<Talker>("talker" + std::to_string(i)));
    }
    // Couplings against the order of the models, so that bags need sorting.
    for (std::size_t i = 0; i < talkers.size(); ++i) {
      for (const std::size_t step : {297U, 5U, 1U}) {
        Talker& to = *talkers[(i + step) % talkers.size()];
        ring.Couple(talkers[i]->out, to.in);
        ring.Couple(talkers[i]->other, to.in);
      }
    }
    Simulator run(ring, {.formalism = formalism});
    run.RunUntil(200s);
    const auto moves = [&] {
      const Statistics& s = run.statistics();
      return s.internal + s.external + 2 * s.confluent;
    };
    const std::int64_t before = moves();
    const int allocations = CountAllocations();
    run.RunUntil(220s);
    EXPECT_EQ(CountAllocations(), allocations);
    EXPECT_GT(moves(), before + 10'000);
  }
}

TEST(AllocationTest, DevstoneDoesNotAllocateTheSecondTime) {
  const devstone::Stone stone(devstone::Kind::kHomod, 8, 8);
  Simulator run(stone);
  const auto enter = [&](Duration at) {
    run.Inject(stone.in1, 0, at);
    run.Inject(stone.in2, 0, at);
  };
  enter(0s);
  run.RunUntil(0s);
  enter(1s);
  const int allocations = CountAllocations();
  run.RunUntil(1s);
  EXPECT_EQ(CountAllocations(), allocations);
}

}  // namespace
}  // namespace orrery::devs
