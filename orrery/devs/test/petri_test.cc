#include "orrery/devs/library/petri.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

TEST(PetriTest, TransitionFiresWhenItHasBeenEnabledForItsDelay) {
  PetriNet net("net");
  auto& raw = net.AddPlace("raw", 5);
  auto& made = net.AddPlace("made");
  auto& make = net.AddTransition("make", 1s);
  net.Connect(raw, make, 2);
  net.Connect(make, made, 3);
  Simulator run(net);
  run.RunUntil(999ms);
  EXPECT_EQ(run.state(raw).tokens, 5);
  run.RunUntil(1s);
  EXPECT_EQ(run.state(raw).tokens, 3);
  EXPECT_EQ(run.state(made).tokens, 3);
  run.RunUntil(100s);
  EXPECT_EQ(run.state(raw).tokens, 1);
  EXPECT_EQ(run.state(made).tokens, 6);
  EXPECT_EQ(run.state(make).fired, 2);
}

// Two transitions want the one token.
struct Rivals : PetriNet {
  PetriPlace& prize = AddPlace("prize", 1);
  PetriTransition& a;
  PetriTransition& b;

  Rivals(double priority_a, double priority_b)
      : PetriNet("rivals"),
        a(AddTransition("a", 1s, priority_a)),
        b(AddTransition("b", 1s, priority_b)) {
    Connect(prize, a);
    Connect(prize, b);
  }
};

TEST(PetriTest, ConflictIsResolvedByPriorityThenByDeclaration) {
  const auto winner = [](double a, double b) {
    const Rivals rivals(a, b);
    Simulator run(rivals);
    run.RunUntil(10s);
    EXPECT_EQ(run.state(rivals.prize).tokens, 0);
    return std::to_string(run.state(rivals.a).fired) +
           std::to_string(run.state(rivals.b).fired);
  };
  EXPECT_EQ(winner(0, 0), "10");
  EXPECT_EQ(winner(1, 2), "01");
  EXPECT_EQ(winner(2, 1), "10");
}

// Each of two needs both tokens, which they claim from places that see them in
// opposite orders.
struct Philosophers : PetriNet {
  std::vector<PetriPlace*> forks;
  std::vector<PetriTransition*> starts;
  std::vector<PetriTransition*> ends;

  explicit Philosophers(std::size_t number) : PetriNet("table") {
    for (std::size_t i = 0; i < number; ++i) {
      forks.push_back(&AddPlace("fork" + std::to_string(i), 1));
    }
    for (std::size_t i = 0; i < number; ++i) {
      const std::string name = std::to_string(i);
      auto& thinks = AddPlace("thinks" + name, 1);
      auto& eats = AddPlace("eats" + name);
      starts.push_back(&AddTransition("start" + name));
      ends.push_back(&AddTransition("end" + name, 1s));
      for (const std::size_t fork : {i, (i + 1) % number}) {
        Connect(*forks[fork], *starts[i]);
        Connect(*ends[i], *forks[fork]);
      }
      Connect(thinks, *starts[i]);
      Connect(*starts[i], eats);
      Connect(eats, *ends[i]);
      Connect(*ends[i], thinks);
    }
  }
};

TEST(PetriTest, TakingFromSeveralPlacesIsAllOrNothing) {
  const Philosophers table(5);
  Simulator run(table);
  run.RunUntil(500ms);
  // 0 takes forks 0 and 1; 1 is refused fork 1 and gives fork 2 back, which 2
  // takes with fork 3; 3 and 4 are refused.
  std::vector<std::int64_t> started;
  for (const PetriTransition* start : table.starts) {
    started.push_back(run.state(*start).fired);
  }
  EXPECT_THAT(started, testing::ElementsAre(1, 0, 1, 0, 0));
  std::vector<std::int64_t> forks;
  for (const PetriPlace* fork : table.forks) {
    forks.push_back(run.state(*fork).tokens);
  }
  EXPECT_THAT(forks, testing::ElementsAre(0, 0, 0, 0, 1));
}

RC_GTEST_PROP(PetriTest, ForksAreNeitherMadeNorLost, ()) {
  const auto number = *rc::gen::inRange<std::size_t>(2, 9);
  const auto formalism =
      *rc::gen::element(Formalism::kParallel, Formalism::kClassic);
  const Philosophers table(number);
  Simulator run(table, {.formalism = formalism});
  for (int tick = 1; tick <= 20; ++tick) {
    run.RunUntil(tick * Duration(333ms));
    std::int64_t meals = 0;
    for (std::size_t i = 0; i < number; ++i) {
      const std::int64_t is_eating =
          run.state(*table.starts[i]).fired - run.state(*table.ends[i]).fired;
      const std::int64_t neighbour =
          run.state(*table.starts[(i + 1) % number]).fired -
          run.state(*table.ends[(i + 1) % number]).fired;
      meals += is_eating;
      RC_ASSERT(is_eating + neighbour <= 1);
    }
    std::int64_t forks = 0;
    for (const PetriPlace* fork : table.forks) {
      forks += run.state(*fork).tokens;
    }
    RC_ASSERT(forks + 2 * meals == static_cast<std::int64_t>(number));
    RC_ASSERT(meals > 0);
  }
}

TEST(PetriTest, DelayBeginsAnewWhenTheTransitionHasBeenDisabled) {
  // `slow` needs 3 s with the token; `fast` takes it at 2 s for 1 s.
  PetriNet net("net");
  auto& token = net.AddPlace("token", 1);
  auto& once = net.AddPlace("once", 1);
  auto& away = net.AddPlace("away");
  auto& fast = net.AddTransition("fast", 2s);
  auto& back = net.AddTransition("back", 1s);
  auto& slow = net.AddTransition("slow", 3s);
  net.Connect(once, fast);
  net.Connect(token, fast);
  net.Connect(fast, away);
  net.Connect(away, back);
  net.Connect(back, token);
  net.Connect(token, slow);
  Simulator run(net);
  run.RunUntil(5999ms);
  EXPECT_EQ(run.state(slow).fired, 0);
  run.RunUntil(6s);
  EXPECT_EQ(run.state(slow).fired, 1);
}

TEST(PetriTest, DelayGoesOnWhenTheTokenIsBackInTheSameInstant) {
  // `look` borrows the token each second, for no time.
  PetriNet net("net");
  auto& token = net.AddPlace("token", 1);
  auto& look = net.AddTransition("look", 1s);
  auto& slow = net.AddTransition("slow", 2500ms);
  net.Connect(token, look);
  net.Connect(look, token);
  net.Connect(token, slow);
  Simulator run(net);
  run.RunUntil(10s);
  EXPECT_EQ(run.state(look).fired, 2);
  EXPECT_EQ(run.state(slow).fired, 1);
  EXPECT_EQ(run.state(token).tokens, 0);
}

TEST(PetriTest, TransitionWithoutPlacesIsASource) {
  PetriNet net("net");
  auto& store = net.AddPlace("store");
  auto& make = net.AddTransition("make", 300ms);
  net.Connect(make, store, 2);
  Simulator run(net);
  run.RunUntil(1s);
  EXPECT_EQ(run.state(store).tokens, 6);
}

TEST(PetriTest, NetWithExponentialDelaysIsTheQueueItDescribes) {
  // The M/M/1/3 as a stochastic net: free places 3, arrivals 1/s, service
  // 2/s. The probability that all are taken is (1/2)^3 / sum (1/2)^k = 1/15.
  PetriNet net("net");
  auto& free = net.AddPlace("free", 3);
  auto& jobs = net.AddPlace("jobs");
  auto& arrive = net.AddTransition("arrive", Distribution::Exponential(1));
  auto& serve = net.AddTransition("serve", Distribution::Exponential(0.5));
  net.Connect(free, arrive);
  net.Connect(arrive, jobs);
  net.Connect(jobs, serve);
  net.Connect(serve, free);
  Simulator run(net);
  run.RunUntil(100'000s);
  // Arrivals that find a place: 14/15 a second, within 4 standard deviations
  // of a Poisson number (that of the net is less).
  const double expected = 100'000 * 14 / 15.0;
  EXPECT_NEAR(static_cast<double>(run.state(arrive).fired),
              expected,
              4 * std::sqrt(expected));
  EXPECT_EQ(run.state(free).tokens + run.state(jobs).tokens, 3);
}

TEST(PetriTest, ParametersOutOfRangeAreRefusedInWords) {
  const auto why = [](const std::function<void(PetriNet&)>& act) {
    PetriNet net("net");
    try {
      act(net);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(why([](PetriNet& net) { net.AddPlace("a", -1); }),
            "cannot make a place: it is to hold -1 tokens; give 0 or more");
  EXPECT_EQ(why([](PetriNet& net) {
              net.Connect(net.AddPlace("a"), net.AddTransition("t"), 0);
            }),
            "cannot add an arc to a transition: it is to carry 0 tokens; give "
            "1 or more");
  EXPECT_EQ(
      why([](PetriNet& net) { net.AddTransition("t", 1s, std::nan("")); }),
      "cannot make a transition: its priority is not a number; give "
      "one");
}

}  // namespace
}  // namespace orrery::devs
