// Runs on threads are equal to runs on one thread.

#include <atomic>
#include <chrono>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/base/test/message_of.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/devs/test/parts.h"
#include "orrery/devs/test/random_network.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using random_network::Atom;
using random_network::ConfluentAtom;
using random_network::Network;
using random_network::Number;

/// Runs all functions on one thread, from the last to the first.
class Backwards : public Executor {
 public:
  [[nodiscard]] std::size_t concurrency() const noexcept override { return 3; }

  int rounds = 0;

 private:
  void Run(std::size_t count, Task task) override {
    ++rounds;
    for (std::size_t i = count; i-- > 0;) {
      task(i);
    }
  }
};

/// Starts new threads each time.
class Threads : public Executor {
 public:
  [[nodiscard]] std::size_t concurrency() const noexcept override { return 4; }

 private:
  void Run(std::size_t count, Task task) override {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < concurrency(); ++i) {
      threads.emplace_back([&] {
        for (std::size_t k = next++; k < count; k = next++) {
          task(k);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
};

/// All observable results of a run.
struct Seen {
  std::vector<Number> states;
  Statistics statistics;
  std::string trace;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen See(const Network& network, Executor* executor, Duration end) {
  Simulator run(network, {.executor = executor});
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv, {.inputs = true});
  run.Observe(trace);
  run.RunUntil(end);
  Seen seen{.statistics = run.statistics(), .trace = out.str()};
  network.ForEachAtomic([&](const Model& model) {
    const auto* const atom = dynamic_cast<const Atom*>(&model);
    seen.states.push_back(
        atom != nullptr
            ? run.state(*atom).hash
            : run.state(dynamic_cast<const ConfluentAtom&>(model)).hash);
  });
  return seen;
}

RC_GTEST_PROP(ThreadsTest, AnyOrderOfCallsGivesTheSameRun, ()) {
  std::mt19937_64 random(
      *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<Number>()));
  const Network network({.depth = 2, .max_parts = 14}, nullptr, random);
  Backwards backwards;
  RC_ASSERT(See(network, &backwards, 6ns) == See(network, nullptr, 6ns));
  RC_CLASSIFY(backwards.rounds > 0);
}

TEST(ThreadsTest, ThreadsGiveTheSameRun) {
  for (Number seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 random(seed);
    const Network network({.depth = 2, .max_parts = 30}, nullptr, random);
    Threads threads;
    EXPECT_EQ(See(network, &threads, 10ns), See(network, nullptr, 10ns));
  }
}

/// Sends its number each second, and after `life` leaves.
class Mayfly : public Atomic<Mayfly> {
 public:
  struct State {
    int age = 0;
  };

  Out<int> out{this, "out"};

  Mayfly(int number, int life) : number_(number), life_(life) {}

  Duration TimeAdvance(const State&) const { return 1s; }

  void Output(const State&, Bag& y) const { y.Send(out, number_); }

  void Internal(State& s, Structure& structure) const {
    if (++s.age < life_) {
      return;
    }
    structure.Remove(*this);
    auto& next = structure.Add<Mayfly>(
        "next" + std::to_string(number_), number_ + 1000, life_ + 1);
    structure.Couple(next.out,
                     *structure.around().FindPart("pond")->FindPort("in"));
  }

 private:
  int number_;
  int life_;
};

/// Keeps received numbers, in order.
class Pond : public Atomic<Pond> {
 public:
  using State = std::vector<int>;

  In<int> in{this, "in"};

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.insert(s.end(), x[in].begin(), x[in].end());
  }
};

std::vector<int> RunPond(Executor* executor) {
  Coupled root("root");
  auto& pond = root.Add<Pond>("pond");
  for (int i = 0; i < 50; ++i) {
    root.Couple(root.Add<Mayfly>("fly" + std::to_string(i), i, 2 + i % 3).out,
                pond.in);
  }
  Simulator run(root, {.executor = executor});
  run.RunUntil(8s);
  return run.state(pond);
}

TEST(ThreadsTest, ChangesOfStructureAreMadeInTheOrderOfTheModels) {
  const std::vector<int> alone = RunPond(nullptr);
  Backwards backwards;
  EXPECT_EQ(RunPond(&backwards), alone);
  EXPECT_GT(backwards.rounds, 5);
  Threads threads;
  EXPECT_EQ(RunPond(&threads), alone);
  // 50 flies a second all the time; added ones fly from the next second on.
  EXPECT_EQ(alone.size(), 400U);
}

/// Fails at its third event if its number says so.
class Fragile : public Atomic<Fragile> {
 public:
  struct State {
    int count = 0;
  };

  explicit Fragile(int number) : number_(number) {}

  Duration TimeAdvance(const State&) const { return 1s; }

  void Internal(State& s) const {
    if (++s.count == 3 && number_ % 20 == 17) {
      throw std::runtime_error("number " + std::to_string(number_) + " breaks");
    }
  }

 private:
  int number_;
};

/// The results of 100 fragile models after their run has failed.
struct Remains {
  std::string message;
  std::string trace;
  std::vector<int> counts;
  Statistics statistics;

  friend bool operator==(const Remains&, const Remains&) = default;
};

Remains RunFragile(Executor* executor) {
  Coupled root("root");
  std::vector<const Fragile*> parts;
  for (int i = 0; i < 100; ++i) {
    parts.push_back(&root.Add<Fragile>("part" + std::to_string(i), i));
  }
  Remains remains;
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv);
  Simulator run(root, {.executor = executor});
  run.Observe(trace);
  remains.message = MessageOf([&] { run.RunUntil(10s); });
  remains.trace = out.str();
  for (const Fragile* part : parts) {
    remains.counts.push_back(run.state(*part).count);
  }
  remains.statistics = run.statistics();
  return remains;
}

TEST(ThreadsTest, FirstModelThatFailsIsNamed) {
  Backwards backwards;
  EXPECT_EQ(RunFragile(&backwards).message,
            "cannot go on with root at t = 3 s: in root.part17: number 17 "
            "breaks");
}

/// Fails at its third event, in the output or the transition.
class Brittle : public Atomic<Brittle> {
 public:
  struct State {
    int count = 0;
  };

  explicit Brittle(bool in_output) : in_output_(in_output) {}

  Duration TimeAdvance(const State&) const { return 1s; }

  void Output(const State& s, Bag& /*y*/) const {
    if (in_output_ && s.count == 2) {
      throw std::runtime_error("it breaks");
    }
  }

  void Internal(State& s) const {
    if (++s.count == 3) {
      throw std::runtime_error("it breaks");
    }
  }

 private:
  bool in_output_;
};

// Without observers, as they would have the list of events sorted.
std::string MessageOfBrittle(bool in_output, Executor* executor) {
  Coupled root("root");
  for (int i = 0; i < 100; ++i) {
    root.Add<Brittle>("part" + std::to_string(i), in_output);
  }
  Simulator run(root, {.executor = executor});
  return MessageOf([&] { run.RunUntil(10s); });
}

TEST(ThreadsTest, OfSeveralTransitionsThatFailTheFirstDeclaredIsNamed) {
  const std::string expected =
      "cannot go on with root at t = 3 s: in root.part0: it breaks";
  Backwards backwards;
  EXPECT_EQ(MessageOfBrittle(false, nullptr), expected);
  EXPECT_EQ(MessageOfBrittle(false, &backwards), expected);
}

TEST(ThreadsTest, OfSeveralOutputsThatFailTheFirstDeclaredIsNamed) {
  const std::string expected =
      "cannot go on with root at t = 3 s: in root.part0: it breaks";
  Backwards backwards;
  EXPECT_EQ(MessageOfBrittle(true, nullptr), expected);
  EXPECT_EQ(MessageOfBrittle(true, &backwards), expected);
}

TEST(ThreadsTest, AllOthersHaveMovedWhenOneFails) {
  const Remains alone = RunFragile(nullptr);
  EXPECT_EQ(alone.statistics.internal, 3 * 100);
  EXPECT_THAT(alone.counts, testing::Each(3));
  Backwards backwards;
  EXPECT_EQ(RunFragile(&backwards), alone);
  Threads threads;
  EXPECT_EQ(RunFragile(&threads), alone);
}

/// Sends to the next of its kind each second; some fail when they hear that.
class Touchy : public Atomic<Touchy> {
 public:
  struct State {
    int heard = 0;
    bool is_late = false;
  };

  In<int> in{this, "in"};
  Out<int> out{this, "out"};

  explicit Touchy(int number) : number_(number) {}

  Duration TimeAdvance(const State& s) const {
    return s.is_late && number_ == 40 ? -1s : number_ % 2 == 0 ? 1s : kPassive;
  }

  void Output(const State&, Bag& y) const { y.Send(out, number_); }

  void Internal(State& s) const { s.is_late = true; }

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.heard += *x[in].begin();
    if (number_ == 61) {
      throw std::runtime_error("too loud");
    }
  }

 private:
  int number_;
};

std::string RunTouchy(Executor* executor) {
  Coupled root("root");
  std::vector<const Touchy*> parts;
  for (int i = 0; i < 100; ++i) {
    parts.push_back(&root.Add<Touchy>("part" + std::to_string(i), i));
  }
  for (std::size_t i = 0; i < 100; i += 2) {
    root.Couple(parts[i]->out, parts[i + 1]->in);
  }
  Simulator run(root, {.executor = executor});
  std::string text = MessageOf([&] { run.RunUntil(10s); });
  int heard = 0;
  for (const Touchy* part : parts) {
    heard += run.state(*part).heard;
  }
  return text + " | " + std::to_string(heard);
}

TEST(ThreadsTest, AllThatHearOfAFailedMicrostepHaveMoved) {
  const std::string alone = RunTouchy(nullptr);
  EXPECT_EQ(alone,
            "cannot go on with root at t = 1 s: the time advance of "
            "root.part40 is -1 s; a time advance is not negative | 2450");
  Backwards backwards;
  EXPECT_EQ(RunTouchy(&backwards), alone);
}

/// Sends two messages each second.
class Caller : public Atomic<Caller> {
 public:
  struct State {
    std::size_t heard = 0;
  };

  In<double> in{this, "in"};
  Out<double> out{this, "out"};

  Duration TimeAdvance(const State&) const { return 1s; }

  void Output(const State&, Bag& y) const {
    y.Send(out, 1.0);
    y.Send(out, 2.0);
  }

  void Internal(State&) const {}

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.heard += x[in].size();
  }
};

TEST(ThreadsTest, EventsDoNotAllocateOnceARunIsWarm) {
  Coupled ring("ring");
  std::vector<Caller*> callers;
  for (int i = 0; i < 100; ++i) {
    callers.push_back(&ring.Add<Caller>("caller" + std::to_string(i)));
  }
  for (std::size_t i = 0; i < callers.size(); ++i) {
    for (const std::size_t step : {97U, 1U}) {
      ring.Couple(callers[i]->out, callers[(i + step) % callers.size()]->in);
    }
  }
  Backwards backwards;
  Simulator run(ring, {.executor = &backwards});
  run.RunUntil(3s);
  const int allocations = CountAllocations();
  run.RunUntil(50s);
  EXPECT_EQ(CountAllocations(), allocations);
  EXPECT_EQ(run.state(*callers[7]).heard, 200U);
  EXPECT_EQ(backwards.rounds, 100);
}

TEST(ThreadsTest, ClassicDevsTakesNone) {
  Coupled root("root");
  root.Add<Fragile>("part", 1);
  Backwards backwards;
  try {
    const Simulator run(
        root, {.formalism = Formalism::kClassic, .executor = &backwards});
    FAIL() << "nothing is thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot run root on threads in classic DEVS: one model moves "
                 "at a time; take Formalism::kParallel, or no executor");
  }
}

}  // namespace
}  // namespace orrery::devs
