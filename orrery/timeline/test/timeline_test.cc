#include "orrery/timeline/timeline.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Accumulator;
using process::Cell;
using process::Register;
using process::Task;
using process::Topic;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// An occurrence and its time.
struct Seen {
  std::string what;
  Duration time{};
  double value = 0;

  friend bool operator==(const Seen&, const Seen&) = default;

  friend void PrintTo(const Seen& seen, std::ostream* out) {
    *out << seen.what << " " << seen.time.count() << " ns " << seen.value;
  }
};

// Tasks given as functions, and the data of tests.
struct Tasks : process::Model {
  Cell<Register<double>> level{this, "level", 0.0};
  Cell<Accumulator> stock{this, "stock", 0.0};
  Topic<double> said{this, "said"};
  std::vector<Seen> seen;
  std::function<void(Tasks&)> start;

  void Note(const std::string& what, double value = 0) {
    seen.push_back({.what = what, .time = Now(), .value = value});
  }

  Task<> Notes(std::string what, double value = 0) {
    Note(what, value);
    co_return;
  }

  void Start() override {
    if (start) {
      start(*this);
    }
  }
};

// Sends each message on, `delay` later.
class Relay : public devs::Atomic<Relay> {
 public:
  struct State {
    std::optional<double> held;
    Duration sigma = devs::kPassive;
    int received = 0;
  };

  devs::In<double> in{this, "in"};
  devs::Out<double> out{this, "out"};

  explicit Relay(Duration delay, double factor = 1)
      : delay_(delay), factor_(factor) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(out, factor_ * *s.held);
  }

  void Internal(State& s) const {
    s.held.reset();
    s.sigma = devs::kPassive;
  }

  void External(State& s, Duration /*elapsed*/, const devs::Bag& x) const {
    s = {.held = x[in].front(),
         .sigma = delay_,
         .received = s.received + static_cast<int>(x[in].size())};
  }

 private:
  Duration delay_;
  double factor_;
};

// Sends a number each second.
class Counter : public devs::Atomic<Counter> {
 public:
  struct State {
    int count = 0;
  };

  devs::Out<double> out{this, "out"};

  [[nodiscard]] Duration TimeAdvance(const State& /*s*/) const { return 1s; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(out, static_cast<double>(s.count));
  }

  void Internal(State& s) const { ++s.count; }
};

std::shared_ptr<const Program> Ramp() {
  return CompileBody(
      "input Real u(start = 1);\n Real h(start = 0, fixed = true);\n"
      "Real square = h * h;\n Real minus = -h;\n"
      "equation der(h) = u;\n");
}

const SimulationOptions kTight = {.tolerance = 1e-10,
                                  .absolute_tolerance = 1e-12};

TimelineOptions Until(Seconds stop) {
  TimelineOptions options{.stop = stop, .equations = kTight};
  options.equations.settings = {{.name = "u", .value = 1}};
  return options;
}

// From the equations ----------------------------------------------------------

TEST(TimelineTest, ACrossingSpawnsATaskAtTheNextTick) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{ramp["h"], 1.0 / 3, Direction::kRising},
              [&](const Crossed& c) { return tasks.Notes("up", c.value); });
  const TimelineResult result = sim.Run(Until(1s));
  EXPECT_EQ(result.summary.message, "");
  ASSERT_THAT(tasks.seen, SizeIs(1));
  EXPECT_EQ(tasks.seen[0].time, 333'333'334ns);
  EXPECT_NEAR(tasks.seen[0].value, 1.0 / 3, 2e-9);
  EXPECT_GE(tasks.seen[0].value, 1.0 / 3);
}

TEST(TimelineTest, ACrossingSendsAMessageToADevsModel) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& relay = sim.Add<Relay>("relay", 0s, 0.0);
  sim.Connect(Crossing{ramp["h"], 0.75, Direction::kRising}, relay.in);
  sim.Connect(relay.out, ramp["u"]);
  const TimelineResult result = sim.Run(Until(2s));
  EXPECT_NEAR(result["h"].at(2.0), 0.75, 1e-9);
  EXPECT_EQ(result["u"].at(2.0), 0);
  EXPECT_EQ(result["u"].at(0.7), 1);
  EXPECT_EQ(result.devs.messages, 1);
}

TEST(TimelineTest, CrossingsAreSeenInTheirDirection) {
  Simulation sim;
  System& wave = sim.Add(CompileBody("Real y = sin(time);\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto notes = [&](std::string what) {
    return [&tasks, what](const Crossed& c) {
      return tasks.Notes(what, c.direction == Direction::kRising ? 1 : -1);
    };
  };
  sim.Connect(Crossing{wave["y"], 0.5, Direction::kRising}, notes("rising"));
  sim.Connect(Crossing{wave["y"], 0.5, Direction::kFalling}, notes("falling"));
  sim.Connect(Crossing{wave["y"], 0.5}, notes("either"));
  const TimelineResult result =
      sim.Run({.stop = 6.2831853, .equations = kTight});
  EXPECT_TRUE(result.summary.completed()) << result.summary.message;
  const auto rising = 523'598'776ns;     // pi / 6 = 0.52359877559...
  const auto falling = 2'617'993'878ns;  // 5 pi / 6 = 2.61799387799...
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{"rising", rising, 1},
                          Seen{"either", rising, 1},
                          Seen{"falling", falling, -1},
                          Seen{"either", falling, -1}));
}

// Two crossings within one step, 2e-4 s apart: sin is above 1 - 5e-9 there.
TEST(TimelineTest, AShortExcursionIsSeen) {
  Simulation sim;
  System& wave = sim.Add(CompileBody(
      "Real x(start = 0, fixed = true);\n Real v(start = 1, fixed = true);\n"
      "equation der(x) = v; der(v) = -x;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{wave["x"], 1 - 5e-9},
              [&] { return tasks.Notes("crossed"); });
  TimelineOptions options{.stop = 3s, .equations = kTight};
  options.equations.max_step = 3s;
  static_cast<void>(sim.Run(options));
  ASSERT_THAT(tasks.seen, SizeIs(2));
  EXPECT_NEAR(Seconds(tasks.seen[0].time).value, 1.5706963, 1e-5);
  EXPECT_NEAR(Seconds(tasks.seen[1].time).value, 1.5708963, 1e-5);
}

// Above and below 0 within a nanosecond: at the next one it is as before.
TEST(TimelineTest, CrossingsThereAndBackWithinANanosecondAreBothTold) {
  for (const char* sign : {"", "-"}) {
    Simulation sim;
    System& pulse =
        sim.Add(CompileBody(std::string("Real x = ") + sign +
                            "(1 - ((time - 10.5e-9) / 1e-10)^2);\n"));
    auto& tasks = sim.Add<Tasks>("tasks");
    sim.Connect(Crossing{pulse["x"], 0, Direction::kRising},
                [&] { return tasks.Notes("rising"); });
    sim.Connect(Crossing{pulse["x"], 0, Direction::kFalling},
                [&] { return tasks.Notes("falling"); });
    static_cast<void>(sim.Run({.stop = 1us}));
    const bool is_up = *sign == 0;
    EXPECT_THAT(tasks.seen,
                ElementsAre(Seen{is_up ? "rising" : "falling", 11ns, 0},
                            Seen{is_up ? "falling" : "rising", 11ns, 0}));
  }
}

TEST(TimelineTest, ATaskWaitsForAPulseWithinANanosecond) {
  Simulation sim;
  System& pulse =
      sim.Add(CompileBody("Real x = 1 - ((time - 10.5e-9) / 1e-10)^2;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const SystemVariable x = pulse["x"];
  const auto waits = [&]() -> Task<> {
    co_await tasks.Until(x > 0.5);
    tasks.Note("above");
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(waits());
  };
  static_cast<void>(sim.Run({.stop = 1us}));
  EXPECT_THAT(tasks.seen, ElementsAre(Seen{"above", 11ns, 0}));
}

// In a nanosecond it moves by less than its rounding.
TEST(TimelineTest, ASlowCrossingIsToldOnce) {
  Simulation sim;
  System& slow = sim.Add(CompileBody(
      "Real x(start = 1, fixed = true);\n equation der(x) = -1e-9 * x;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{slow["x"], 0.9999},
              [&](const Crossed& c) { return tasks.Notes("x", c.value); });
  static_cast<void>(sim.Run({.stop = 1e6}));
  EXPECT_THAT(tasks.seen, SizeIs(1));
}

TEST(TimelineTest, ATaskWaitsForAQuantityAndACell) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  const SystemVariable h = ramp["h"];
  const auto waits = [&]() -> Task<> {
    co_await tasks.Until(h >= 0.25 && tasks.stock >= 1.0);
    tasks.Note("both", h.Get());
    co_await tasks.Until(h > tasks.stock);
    tasks.Note("overtaken", h.Get());
  };
  tasks.start = [&](Tasks& m) {
    m.stock.SetRate(0.5);
    m.Spawn(waits());
  };
  const TimelineResult result = sim.Run(Until(5s));
  EXPECT_EQ(result.summary.message, "");
  // The stock is t / 2: it comes to 1 at 2 s, when h is 2 and above it.
  EXPECT_THAT(tasks.seen, SizeIs(2));
  EXPECT_EQ(tasks.seen[0].time, 2s);
  EXPECT_NEAR(tasks.seen[0].value, 2, 1e-9);
  EXPECT_EQ(tasks.seen[1].time, 2s);
}

TEST(TimelineTest, ABoundMayMove) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  const SystemVariable square = ramp["square"];
  const auto waits = [&]() -> Task<> {
    co_await tasks.Until(tasks.stock + 2.0 < square);
    tasks.Note("above");
  };
  tasks.start = [&](Tasks& m) {
    m.stock.SetRate(1);
    m.Spawn(waits());
  };
  static_cast<void>(sim.Run(Until(5s)));
  ASSERT_THAT(tasks.seen, SizeIs(1));
  EXPECT_NEAR(Seconds(tasks.seen[0].time).value, 2, 2e-9);  // t^2 = t + 2
}

TEST(TimelineTest, AQuantityOfOppositeSignIsWatched) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{ramp["minus"], -0.5},
              [&](const Crossed& c) { return tasks.Notes("down", c.value); });
  static_cast<void>(sim.Run(Until(1s)));
  ASSERT_THAT(tasks.seen, SizeIs(1));
  EXPECT_EQ(tasks.seen[0].time, 500ms);
  EXPECT_NEAR(tasks.seen[0].value, -0.5, 1e-9);
}

TEST(TimelineTest, ADigitalControllerSamplesAQuantity) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& relay = sim.Add<Relay>("relay", 0s);
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Sampled{ramp["h"], 250ms, 100ms}, relay.in);
  sim.Connect(relay.out,
              [&](double value) { return tasks.Notes("sample", value); });
  static_cast<void>(sim.Run(Until(1s)));
  ASSERT_THAT(tasks.seen, SizeIs(4));
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(tasks.seen[k].time, 100ms + i * 250ms);
    EXPECT_NEAR(tasks.seen[k].value, 0.1 + 0.25 * i, 1e-9);
  }
}

// An integrate-and-fire neuron, whose own event resets v at v = 1.
std::shared_ptr<Program> Neuron() {
  return CompileBody(
      "  Real v(start = 0, fixed = true);\n"
      "equation\n"
      "  der(v) = 1;\n"
      "  when v >= 1 then\n"
      "    reinit(v, 0);\n"
      "  end when;\n");
}

TEST(TimelineTest, ACrossingThatAnEventTakesBackIsAMessage) {
  Simulation sim;
  System& neuron = sim.Add(Neuron());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{neuron["v"], 1.0, Direction::kRising},
              [&] { return tasks.Notes("spike"); });
  sim.Connect(Crossing{neuron["v"], 0.5, Direction::kFalling},
              [&] { return tasks.Notes("reset"); });
  const TimelineResult run = sim.Run({.stop = 10.5});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  ASSERT_THAT(tasks.seen, SizeIs(20));
  for (std::size_t i = 0; i < tasks.seen.size(); ++i) {
    const auto expected = static_cast<double>(i / 2 + 1);
    EXPECT_NEAR(Seconds(tasks.seen[i].time).value, expected, 1e-8);
  }
}

TEST(TimelineTest, EachBounceCrossesTheFloor) {
  Simulation sim;
  System& ball =
      sim.Add(CompileBody("  Real h(start = 10, fixed = true);\n"
                          "  Real v(start = 0, fixed = true);\n"
                          "equation\n"
                          "  der(h) = v;\n"
                          "  der(v) = -9.81;\n"
                          "  when h < 0 then\n"
                          "    reinit(v, -0.8*pre(v));\n"
                          "  end when;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{ball["h"], 0, Direction::kFalling},
              [&] { return tasks.Notes("impact"); });
  ASSERT_TRUE(sim.Run({.stop = 12.5}).summary.completed());
  ASSERT_THAT(tasks.seen, SizeIs(16));
  EXPECT_NEAR(Seconds(tasks.seen[0].time).value, std::sqrt(20 / 9.81), 1e-8);
}

TEST(TimelineTest, AConditionThatAnEventTakesBackIsMet) {
  Simulation sim;
  System& neuron = sim.Add(Neuron());
  auto& tasks = sim.Add<Tasks>("tasks");
  const SystemVariable v = neuron["v"];
  const auto waits = [&]() -> Task<> {
    for (int i = 0; i < 3; ++i) {
      co_await tasks.Until(v >= 1.0);
      tasks.Note("spike");
      co_await tasks.Delay(500ms);
    }
  };
  sim.Start(waits());
  ASSERT_TRUE(sim.Run({.stop = 10.5}).summary.completed());
  ASSERT_THAT(tasks.seen, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(
        Seconds(tasks.seen[i].time).value, static_cast<double>(i + 1), 1e-8);
  }
}

TEST(TimelineTest, ASampleBeyondTheEndOfTimeIsNone) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& relay = sim.Add<Relay>("relay", 0s);
  sim.Connect(Sampled{ramp["h"], Duration::max(), 1s}, relay.in);
  const TimelineResult result = sim.Run(Until(3s));
  EXPECT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(result.summary.end_time, 3);
}

TEST(TimelineTest, TimesOfTasksAreExactBeyondThoseOfEquations) {
  constexpr Duration kLate(10'000'000'000'000'001);
  Simulation sim;
  sim.Add(CompileBody(
      "Real x(start = 0, fixed = true);\nequation der(x) = 1e-6;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto notes = [&]() -> Task<> {
    co_await tasks.Delay(kLate);
    tasks.Note("late");
    co_await tasks.Delay(1ns);
    tasks.Note("later");
  };
  sim.Start(notes());
  const TimelineResult result = sim.Run({.stop = 10'000'001s});
  EXPECT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{.what = "late", .time = kLate},
                          Seen{.what = "later", .time = kLate + 1ns}));
  EXPECT_EQ(result.end, 10'000'001s);
}

TEST(TimelineTest, TheEndOfARunOfTasksIsExact) {
  constexpr Duration kLate(10'000'000'000'000'001);
  Simulation sim;
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Start(tasks.Notes("late"), kLate);
  EXPECT_EQ(sim.Run().end, kLate);
}

TEST(TimelineTest, AJumpAcrossAThresholdIsACrossing) {
  Simulation sim;
  System& ramp = sim.Add(
      CompileBody("Real h(start = 0, fixed = true);\n equation der(h) = 1;\n"
                  "when time >= 0.5 then reinit(h, 10); end when;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{ramp["h"], 5, Direction::kRising},
              [&](const Crossed& c) { return tasks.Notes("jumped", c.value); });
  static_cast<void>(sim.Run({.stop = 1s, .equations = kTight}));
  EXPECT_THAT(tasks.seen, ElementsAre(Seen{"jumped", 500ms, 10}));
}

// To the equations ------------------------------------------------------------

TEST(TimelineTest, AnInputFollowsTheCurveOfACell) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.stock, ramp["u"]);
  const auto drives = [&]() -> Task<> {
    tasks.stock.SetRate(2);
    co_await tasks.Delay(1s);
    tasks.stock.SetRate(0);
    co_await tasks.Delay(1s);
    tasks.stock.Set(-1);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(drives());
  };
  const TimelineResult result = sim.Run(Until(3s));
  EXPECT_NEAR(result["h"].at(0.5), 0.25, 1e-9);  // t^2
  EXPECT_NEAR(result["h"].at(2.0), 3, 1e-9);
  EXPECT_NEAR(result["h"].at(3.0), 2, 1e-9);
  EXPECT_NEAR(result["u"].at(0.25), 0.5, 1e-12);
}

TEST(TimelineTest, AnInputBeginsAsTheCellDoes) {
  struct Full : process::Model {
    Cell<Accumulator> stock{this, "stock", 7.0};
  };

  Simulation sim;
  System& system = sim.Add(
      CompileBody("input Real u;\n Real h;\n initial equation h = 2 * u;\n"
                  "equation der(h) = 0;\n"));
  auto& full = sim.Add<Full>("full");
  sim.Connect(full.stock, system["u"]);
  const TimelineResult result = sim.Run({.stop = 1s});
  EXPECT_EQ(result["h"].at(0.0), 14);
  EXPECT_THAT(result.summary.diagnostics, IsEmpty());
}

TEST(TimelineTest, WhatIsSaidSetsAState) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.said, ramp["h"], [](double x) { return 10 * x; });
  const auto says = [&]() -> Task<> {
    co_await tasks.Delay(500ms);
    tasks.said.Emit(3);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(says());
  };
  const TimelineResult result = sim.Run(Until(1s));
  EXPECT_NEAR(result["h"].at(0.499), 0.499, 1e-9);
  EXPECT_NEAR(result["h"].at(1.0), 30.5, 1e-9);
}

TEST(TimelineTest, ATaskSetsQuantities) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto acts = [&](SystemVariable h, SystemVariable u) -> Task<> {
    co_await tasks.Until(h >= 0.5);
    u.Set(0);
    tasks.Note("before", u.Get());
    co_await tasks.Delay(0s);
    tasks.Note("between", u.Get());
    co_await tasks.Delay(0s);
    tasks.Note("after", u.Get());
    co_await tasks.Delay(1s);
    h.Set(0.125);
  };
  sim.Start(acts(ramp["h"], ramp["u"]));
  const TimelineResult result = sim.Run(Until(2s));
  EXPECT_EQ(result.summary.message, "");
  EXPECT_EQ(result["h"].at(2.0), 0.125);
  EXPECT_NEAR(result["h"].at(1.4), 0.5, 2e-9);
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{"before", 500ms, 1},
                          Seen{"between", 500ms, 1},
                          Seen{"after", 500ms, 0}));
}

// Steps as long as a series allows lead far past the times of others.
TEST(TimelineTest, ASeriesIsLeftWhereOthersSetStates) {
  Simulation sim;
  System& cell = sim.Add(
      CompileBody("Real x(start = 1, fixed = true);\nequation der(x) = -x;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto fills = [&](SystemVariable x) -> Task<> {
    co_await tasks.Until(x <= 0.5);
    x.Set(1);
  };
  sim.Start(fills(cell["x"]));
  const TimelineResult result = sim.Run({.stop = 2s});
  ASSERT_EQ(result.summary.switches.size(), 1U);
  EXPECT_EQ(result.summary.switches[0].from, "taylor");
  EXPECT_EQ(result.summary.switches[0].to, "dopri5");
  EXPECT_NEAR(result.summary.switches[0].t, std::numbers::ln2, 1e-6);
  EXPECT_NEAR(result["x"].at(2.0), 2 * std::exp(-2.0), 1e-6);
}

TEST(TimelineTest, BothLimitsOfAJumpAreRecorded) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.level, ramp["u"]);
  const auto sets = [&]() -> Task<> {
    co_await tasks.Delay(1s);
    tasks.level.Set(5);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(sets());
  };
  const TimelineResult result = sim.Run(Until(2s));
  EXPECT_EQ(result["u"].LeftLimit(1.0), 0);
  EXPECT_EQ(result["u"].at(1.0), 5);
  EXPECT_NEAR(result["h"].at(2.0), 5, 1e-9);
}

// DEVS and tasks --------------------------------------------------------------

TEST(TimelineTest, ATopicSendsToADevsModelAndItsAnswerSpawnsATask) {
  Simulation sim;
  auto& relay = sim.Add<Relay>("relay", 2s, 2.0);
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.said, relay.in);
  sim.Connect(relay.out, [&](double x) { return tasks.Notes("answer", x); });
  const auto says = [&]() -> Task<> {
    co_await tasks.Delay(1s);
    tasks.said.Emit(21);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(says());
  };
  const TimelineResult result = sim.Run();
  EXPECT_THAT(tasks.seen, ElementsAre(Seen{"answer", 3s, 42}));
  EXPECT_EQ(result.summary.end_time, 3);
}

TEST(TimelineTest, DevsModelsAreCoupled) {
  Simulation sim;
  auto& counter = sim.Add<Counter>("counter");
  auto& relay = sim.Add<Relay>("relay", 100ms);
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(counter.out, relay.in);
  sim.Connect(relay.out, [&](double x) { return tasks.Notes("count", x); });
  static_cast<void>(sim.Run({.stop = 2500ms}));
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{"count", 1100ms, 0}, Seen{"count", 2100ms, 1}));
}

// The instant -----------------------------------------------------------------

// At 0.5 s the crossing is told to DEVS (microstep 1), whose output (2) sets u,
// which (3) nobody reads earlier. So a task that DEVS spawned in 3 sees the old
// u, and one step later the new one.
TEST(TimelineTest, WhatEnginesTellEachOtherArrivesInTheNextMicrostep) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& relay = sim.Add<Relay>("relay", 0s, 4.0);
  auto& tasks = sim.Add<Tasks>("tasks");
  const SystemVariable u = ramp["u"];
  const auto reads = [&]() -> Task<> {
    tasks.Note("first", u.Get());
    co_await tasks.Delay(0s);
    tasks.Note("second", u.Get());
  };
  sim.Connect(Crossing{ramp["h"], 0.5, Direction::kRising},
              relay.in,
              [](const Crossed& /*c*/) { return 2.0; });
  sim.Connect(relay.out, u);
  sim.Connect(relay.out, [&](double /*x*/) { return reads(); });
  const TimelineResult result = sim.Run(Until(1s));
  EXPECT_EQ(result.summary.message, "");
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{"first", 500ms, 1}, Seen{"second", 500ms, 8}));
  EXPECT_NEAR(result["h"].at(1.0), 0.5 + 8 * 0.5, 1e-8);
}

// The equations tick at 0.5 s, as the task does: the task sees the earlier
// value.
TEST(TimelineTest, WhatIsDueAtOnceDoesNotSeeEachOther) {
  Simulation sim;
  System& system = sim.Add(CompileBody(
      "discrete Real n(start = 0, fixed = true);\n"
      "equation when sample(0.5, 0.5) then n = pre(n) + 1; end when;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto reads = [&](SystemVariable n) -> Task<> {
    co_await tasks.Delay(500ms);
    tasks.Note("first", n.Get());
    co_await tasks.Delay(0s);
    tasks.Note("second", n.Get());
    co_await tasks.Until(n >= 3.0);
    tasks.Note("third", n.Get());
  };
  sim.Start(reads(system["n"]));
  const TimelineResult result = sim.Run({.stop = 2s});
  EXPECT_EQ(result.summary.message, "");
  EXPECT_THAT(tasks.seen,
              ElementsAre(Seen{"first", 500ms, 0},
                          Seen{"second", 500ms, 1},
                          Seen{"third", 1500ms, 3}));
  EXPECT_EQ(result["n"].at(2.0), 4);
}

TEST(TimelineTest, AConditionIsTestedWhenAnInputJumps) {
  Simulation sim;
  System& system =
      sim.Add(CompileBody("input Real u(start = 0);\n Real y = 2 * u;\n"));
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.level, system["u"]);
  const auto waits = [&](SystemVariable y) -> Task<> {
    co_await tasks.Until(y > 5.0);
    tasks.Note("high", y.Get());
  };
  const auto sets = [&]() -> Task<> {
    co_await tasks.Delay(1s);
    tasks.level.Set(3);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(waits(system["y"]));
    m.Spawn(sets());
  };
  static_cast<void>(sim.Run({.stop = 2s}));
  EXPECT_THAT(tasks.seen, ElementsAre(Seen{"high", 1s, 6}));
}

TEST(TimelineTest, ARunWithoutAStopIsEndedIfItsEventsDoNotEnd) {
  Simulation sim;
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto ticks = [&]() -> Task<> {
    for (;;) {
      co_await Tasks::Delay(1s);
      tasks.Note("tick");
    }
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(ticks());
  };
  const TimelineResult endless = sim.Run({.max_instants = 100});
  EXPECT_EQ(endless.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_EQ(endless.summary.message,
            "cannot go on at t = 99 s: no end is given, and after 100 times "
            "with events something is due still; give a time to stop at");
  EXPECT_EQ(endless.end, 99s);
  EXPECT_EQ(tasks.seen.size(), 99);

  const TimelineResult ended = sim.Run({.stop = 200s, .max_instants = 100});
  EXPECT_EQ(ended.summary.outcome, RunOutcome::kCompleted);
  EXPECT_EQ(ended.end, 200s);
}

TEST(TimelineTest, EndlessMicrostepsAreToldByTheirConnections) {
  Simulation sim;
  auto& there = sim.Add<Relay>("there", 0s);
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto says = [&]() -> Task<> {
    tasks.said.Emit(1);
    co_return;
  };
  sim.Connect(tasks.said, there.in);
  sim.Connect(there.out, [&](double /*x*/) { return says(); });
  tasks.start = [&](Tasks& m) {
    m.Spawn(says());
  };
  const TimelineResult result = sim.Run({.max_microsteps = 100});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_EQ(result.summary.message,
            "100 microsteps at t = 0 s without an end: these make each other "
            "go on: a task <- model.there.out, model.there.in; let one of them "
            "take time");
}

TEST(TimelineTest, AnInputSetWithoutEndIsToldByWhoSetsIt) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto sets = [&](SystemVariable u) -> Task<> {
    co_await tasks.Delay(1s);
    for (double x = 0;; ++x) {
      u.Set(x);
      co_await tasks.Delay(0s);
    }
  };
  sim.Start(sets(ramp["u"]));
  const TimelineResult result = sim.Run(Until(2s));
  EXPECT_EQ(result.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_EQ(result.summary.message,
            "10000 microsteps at t = 1 s without an end: these make each other "
            "go on: u <- a task; let one of them take time");
  EXPECT_NEAR(result["h"].at(1.0), 1, 1e-9);
}

// The whole -------------------------------------------------------------------

// A level whose rate a task sets at random times crosses random thresholds when
// straight lines do, each time and no other, to two nanoseconds.
RC_GTEST_PROP(TimelineTest,
              FindsAllCrossingsOfBrokenLines,
              (std::vector<std::pair<std::uint8_t, std::int8_t>> pieces)) {
  RC_PRE(!pieces.empty() && pieces.size() < 30);
  const double threshold = *rc::gen::inRange(-5, 6) + 0.31830988618;
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(Crossing{ramp["h"], threshold}, [&](const Crossed& c) {
    return tasks.Notes("crossed", c.direction == Direction::kRising ? 1 : -1);
  });
  const auto sets = [&](SystemVariable u) -> Task<> {
    for (const auto& [wait, rate] : pieces) {
      u.Set(rate / 8.0);
      co_await tasks.Delay(1ms + wait * 10ms);
    }
    u.Set(0);
  };
  sim.Start(sets(ramp["u"]));
  const TimelineResult result = sim.Run({.stop = 90s, .equations = kTight});
  RC_ASSERT(result.summary.message.empty());

  double t = 0;
  double h = 0;
  std::vector<std::pair<double, double>> expected;
  for (const auto& [wait, rate] : pieces) {
    const double duration = 1e-3 + wait * 1e-2;
    const double end = h + rate / 8.0 * duration;
    if ((h < threshold) != (end < threshold)) {
      expected.emplace_back(t + (threshold - h) / (rate / 8.0),
                            end > h ? 1 : -1);
    }
    h = end;
    t += duration;
  }
  RC_ASSERT(tasks.seen.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double late = Seconds(tasks.seen[i].time).value - expected[i].first;
    RC_ASSERT(std::abs(late) < 2e-9);
    RC_ASSERT(tasks.seen[i].value == expected[i].second);
  }
  RC_ASSERT(std::abs(result["h"].final() - h) < 1e-9);
}

const char* const kVanDerPol =
    "Real x(start = 2, fixed = true);\n Real v(start = 0, fixed = true);\n"
    "equation der(x) = v; der(v) = 5 * (1 - x^2) * v - x;\n";

void ExpectSame(const Trajectory& a, const Trajectory& b) {
  EXPECT_THAT(std::vector<double>(a.time().begin(), a.time().end()),
              testing::ElementsAreArray(b.time()));
  EXPECT_EQ(a["x"].values(), b["x"].values());
}

TEST(TimelineTest, EquationsAloneRunAsTheyDoByThemselves) {
  const auto program = CompileBody(kVanDerPol);
  Simulation sim;
  sim.Add(program);
  const TimelineResult joined = sim.Run({.stop = 20s});
  const RunResult alone = Simulate(program, {.stop = 20s});
  ExpectSame(joined.trajectory, alone.trajectory);
  EXPECT_EQ(joined.summary.steps, alone.summary.steps);
  EXPECT_EQ(joined.instants, 2);  // The start and the stop.
}

TEST(TimelineTest, WhatDoesNotActOnEquationsLeavesTheirStepsAlone) {
  const auto program = CompileBody(kVanDerPol);
  Simulation sim;
  System& system = sim.Add(program);
  auto& counter = sim.Add<Counter>("counter");
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(counter.out, [&](double x) { return tasks.Notes("count", x); });
  sim.Connect(Crossing{system["x"], 0.0},
              [&] { return tasks.Notes("crossed"); });
  const TimelineResult joined = sim.Run({.stop = 20s});
  const RunResult alone = Simulate(program, {.stop = 20s});
  ExpectSame(joined.trajectory, alone.trajectory);
  EXPECT_EQ(joined.summary.steps, alone.summary.steps);
  EXPECT_GT(tasks.seen.size(), 22U);
}

// Also if steps and instants meet, each 70 ms, and with a row at each step.
TEST(TimelineTest, WhoeverReadsEquationsLeavesTheirRowsAlone) {
  const auto program = CompileBody(kVanDerPol);
  const SimulationOptions fixed = {
      .stop = 20s, .method = Method::kRungeKutta4, .step = 10ms};
  const SimulationOptions adaptive = {.stop = 20s, .interval = 0s};
  for (const SimulationOptions& options : {fixed, adaptive}) {
    Simulation sim;
    System& system = sim.Add(program);
    auto& tasks = sim.Add<Tasks>("tasks");
    const auto reads = [&](SystemVariable x) -> Task<> {
      for (;;) {
        co_await tasks.Delay(7ms);
        tasks.Note("read", x.Get());
      }
    };
    const auto waits = [&](SystemVariable x) -> Task<> {
      co_await tasks.Until(x < 1.0);
      tasks.Note("low");
    };
    sim.Start(reads(system["x"]));
    sim.Start(waits(system["x"]));
    const TimelineResult joined = sim.Run({.stop = 20s, .equations = options});
    const RunResult alone = Simulate(program, options);
    ExpectSame(joined.trajectory, alone.trajectory);
    EXPECT_THAT(tasks.seen, SizeIs(2858));  // Each 7 ms, and once.
  }
}

// The tank would run dry, where its equations end, if it were not closed at 4
// s; so many instants are before that that the solver looks beyond them.
TEST(TimelineTest, WhatIsBeyondAnInstantDoesNotEndARun) {
  Simulation sim;
  System& tank = sim.Add(CompileBody(
      "input Real u(start = 1);\n Real h(start = 1, fixed = true);\n"
      "equation der(h) = -0.4 * u * sqrt(h);\n"));
  auto& counter = sim.Add<Counter>("counter");
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(counter.out, [&](double x) { return tasks.Notes("count", x); });
  sim.Connect(tasks.stock, tank["u"]);
  const auto closes = [&]() -> Task<> {
    tasks.stock.Set(1);
    for (int i = 0; i < 80; ++i) {
      co_await tasks.Delay(50ms);
    }
    tasks.stock.Set(0);
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(closes());
  };
  TimelineOptions options{.stop = 8s, .equations = kTight};
  options.equations.max_step = 8s;
  const TimelineResult result = sim.Run(options);
  EXPECT_EQ(result.summary.message, "");
  EXPECT_NEAR(result["h"].at(8.0), 0.04, 1e-8);  // (1 - 0.2 t)^2
  EXPECT_LT(result.summary.steps, 60);
}

// Nobody can tell in which order concurrent tasks were carried out.
TEST(TimelineTest, TheOrderOfStepsCannotBeSeen) {
  const auto run = [](std::optional<std::uint64_t> shuffle) {
    Simulation sim;
    auto& relay = sim.Add<Relay>("relay", 1s);
    auto& tasks = sim.Add<Tasks>("tasks");
    sim.Connect(tasks.said, relay.in);
    sim.Connect(tasks.said, relay.in, [](double x) { return -x; });
    std::vector<Seen> heard;
    sim.Connect(relay.out, [&](double x) { return tasks.Notes("heard", x); });
    const auto says = [&](double x) -> Task<> {
      co_await tasks.Delay(1s);
      tasks.said.Emit(x);
    };
    tasks.start = [&](Tasks& m) {
      for (int i = 1; i <= 10; ++i) {
        m.Spawn(says(i));
      }
    };
    TimelineOptions options;
    options.tasks.shuffle = shuffle;
    static_cast<void>(sim.Run(options));
    return tasks.seen;
  };
  const std::vector<Seen> usual = run(std::nullopt);
  EXPECT_THAT(usual, ElementsAre(Seen{"heard", 2s, 1}));
  for (std::uint64_t shuffle = 1; shuffle <= 20; ++shuffle) {
    EXPECT_EQ(run(shuffle), usual);
  }
}

TEST(TimelineTest, RunsAgainWithTheSameResults) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(tasks.stock, ramp["u"]);
  tasks.start = [](Tasks& m) {
    m.stock.SetRate(2);
  };
  const TimelineResult first = sim.Run(Until(2s));
  const TimelineResult second = sim.Run(Until(2s));
  EXPECT_EQ(first["h"].at(2.0), second["h"].at(2.0));
  EXPECT_EQ(first.summary.steps, second.summary.steps);
}

TEST(TimelineTest, WhatTasksDidIsKeptWhenTheSimulationIsGone) {
  TimelineResult result;
  {
    Simulation sim;
    auto& tasks = sim.Add<Tasks>("tasks");
    const auto acts = [&]() -> Task<> {
      co_await tasks.Delay(1s);
      tasks.level.Set(3);
      tasks.said.Emit(4);
    };
    sim.Start(acts());
    result = sim.Run({.tasks = {.records = {.spans = true, .events = true}}});
  }
  EXPECT_THAT(result.recording.spans, SizeIs(1));
  ASSERT_THAT(result.commits, SizeIs(1));
  EXPECT_EQ(result.commits[0].time, 1s);
  EXPECT_EQ(result.commits[0].graph.ToText(
                [](const process::Event& event) { return event.source; }),
            "tasks.level; tasks.said");
}

TEST(TimelineTest, AFailureKeepsWhatCameBefore) {
  Simulation sim;
  System& ramp = sim.Add(Ramp());
  auto& tasks = sim.Add<Tasks>("tasks");
  const auto fails = [&]() -> Task<> {
    co_await tasks.Delay(1s);
    throw std::runtime_error("no more fuel");
  };
  tasks.start = [&](Tasks& m) {
    m.Spawn(fails());
  };
  const TimelineResult result = sim.Run(Until(2s));
  EXPECT_EQ(result.summary.outcome, RunOutcome::kModelFailed);
  EXPECT_THAT(result.summary.message, HasSubstr("no more fuel"));
  EXPECT_NEAR(result["h"].at(1.0), 1, 1e-9);
  static_cast<void>(ramp);
}

TEST(TimelineTest, TerminateEndsAll) {
  Simulation sim;
  sim.Add(
      CompileBody("Real h(start = 0, fixed = true);\n equation der(h) = 1;\n"
                  "when h > 0.5 then terminate(\"full\"); end when;\n"));
  auto& counter = sim.Add<Counter>("counter");
  auto& tasks = sim.Add<Tasks>("tasks");
  sim.Connect(counter.out, [&](double x) { return tasks.Notes("count", x); });
  const TimelineResult result = sim.Run({.stop = 5s});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kTerminated);
  EXPECT_NEAR(result.summary.end_time, 0.5, 1e-9);
  EXPECT_THAT(tasks.seen, IsEmpty());
}

TEST(TimelineTest, AnObserverMayInterrupt) {
  Simulation sim;
  sim.Add<Counter>("counter");
  const TimelineResult result =
      sim.Run({}, [](const Progress& progress) { return progress.t < 10; });
  EXPECT_EQ(result.summary.outcome, RunOutcome::kInterrupted);
  EXPECT_EQ(result.summary.end_time, 10);
}

}  // namespace
}  // namespace orrery
