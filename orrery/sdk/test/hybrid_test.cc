// Blocks in C++ with events, clocks and handlers; numbers of the acceptance
// cases of hybrid systems.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sdk/orrery.h"
#include "orrery/sdk/test/hybrid_blocks.h"

namespace {

using namespace std::chrono_literals;
using orrery::Ball;
using orrery::ClockTimes;
using orrery::Decay;
using orrery::Diagram;
using orrery::EventDirection;
using orrery::kGravity;
using orrery::RunOutcome;
using orrery::RunResult;
using orrery::SimulationOptions;
using orrery::Simulator;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;
using testing::SizeIs;

// The time of impact n = 1, 2, ... of a ball dropped from `height`.
double ImpactTime(double height, double e, int n) {
  return std::sqrt(2 * height / kGravity) *
         (1 + 2 * e * (1 - std::pow(e, n - 1)) / (1 - e));
}

TEST(HybridTest, BallBouncesAtTheAnalyticTimes) {
  Ball ball;
  const RunResult run = Simulate(ball, {.stop = 12.5, .tolerance = 1e-10});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  const auto times = run.events.TimesOf("impact");
  ASSERT_THAT(times, SizeIs(16));
  for (int n = 1; n <= 16; ++n) {
    EXPECT_NEAR(
        times[static_cast<std::size_t>(n - 1)], ImpactTime(10, 0.8, n), 1e-9);
  }
  EXPECT_EQ(run.events.entries()[0].direction, EventDirection::kFalling);
}

TEST(HybridTest, FunctionOfAnEventIsRecordedWithBothLimitsOfTheState) {
  Ball ball;
  const RunResult run = Simulate(ball, {.stop = 2});
  const double t = run.events.entries().front().t;
  EXPECT_EQ(run["impact"].at(1), run["h"].at(1));
  EXPECT_NEAR(run["v"].LeftLimit(t), -kGravity * t, 1e-6);
  EXPECT_NEAR(run["v"].at(t), 0.8 * kGravity * t, 1e-6);
}

TEST(HybridTest, ZenoPointIsDiagnosedAndNamesTheEvent) {
  Ball ball(10, 0.7);
  const RunResult run = Simulate(ball, {.stop = 10});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_NEAR(run.summary.end_time, 8.0911110299200319795, 1e-6);
  EXPECT_THAT(run.summary.message, HasSubstr("'impact'"));
}

TEST(HybridTest, HundredBallsMissNoImpact) {
  Diagram d{"Balls"};
  for (int i = 0; i < 100; ++i) {
    d.Add<Ball>("ball[" + std::to_string(i + 1) + "]", 1 + 0.1 * i);
  }
  const RunResult run = Simulate(d, {.stop = 4, .tolerance = 1e-10});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_EQ(run.summary.events, 320);
  for (int i = 0; i < 100; ++i) {
    const auto times =
        run.events.TimesOf("ball[" + std::to_string(i + 1) + "].impact");
    for (std::size_t n = 0; n < times.size(); ++n) {
      EXPECT_NEAR(times[n],
                  ImpactTime(1 + 0.1 * i, 0.8, static_cast<int>(n) + 1),
                  1e-9);
    }
  }
}

// Without loss the balls bounce for ever, at t0, 3 t0, 5 t0, ...
TEST(HybridTest, HundredElasticBallsMissNoneOfTenThousandImpacts) {
  constexpr double kStop = 194;
  Diagram d{"Balls"};
  for (int i = 0; i < 100; ++i) {
    d.Add<Ball>("ball[" + std::to_string(i + 1) + "]", 1 + 0.1 * i, 1.0);
  }
  const RunResult run =
      Simulate(d, {.stop = kStop, .tolerance = 1e-10, .interval = kStop});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_GT(run.events.size(), 10'000);
  double largest_error = 0;
  for (int i = 0; i < 100; ++i) {
    const double fall = std::sqrt(2 * (1 + 0.1 * i) / kGravity);
    const auto times =
        run.events.TimesOf("ball[" + std::to_string(i + 1) + "].impact");
    ASSERT_EQ(times.size(),
              static_cast<std::size_t>(std::floor((kStop / fall + 1) / 2)));
    for (std::size_t n = 0; n < times.size(); ++n) {
      const double exact = (2 * static_cast<double>(n) + 1) * fall;
      largest_error = std::max(largest_error, std::abs(times[n] - exact));
    }
  }
  EXPECT_LT(largest_error, 1e-9);
}

// y' = slope, with a given event function of y.
struct Line : orrery::Block {
  State y;
  Event crossing;
  std::function<Expr(Expr)> function;

  Line(double start, Direction direction, double tolerance = 0)
      : y(this, "y", start), crossing(this, "crossing", direction, tolerance) {}

  void Equations(EquationSet& eq) override {
    eq.Der(y) = 1;
    eq.Set(crossing) = function(y);
  }
};

TEST(HybridTest, EventWithoutHandlersIsRecordedAndChangesNothing) {
  Line line(-1, orrery::Direction::kRising);
  line.function = [](orrery::Expr y) {
    return y * y * y;
  };
  const RunResult run = Simulate(line, {.stop = 2, .interval = 2});
  EXPECT_THAT(run.events.TimesOf("crossing"), ElementsAre(DoubleNear(1, 1e-9)));
  EXPECT_THAT(run.trajectory.time(), ElementsAre(0, DoubleNear(1, 1e-9), 2));
}

// A legacy routine of which only the values are known.
struct Opaque : orrery::OpaqueBlock {
  Input u{this, "u"};
  Output y{this, "y"};

  Opaque() {
    SetOutputs({y}, {u}, [](const Point& at, std::span<double> y_out) {
      y_out[0] = std::sin(at.inputs[0]);
    });
  }
};

struct Crossing : orrery::Block {
  Input u{this, "u"};
  Event zero{this, "zero", Direction::kFalling};

  void Equations(EquationSet& eq) override { eq.Set(zero) = u; }
};

TEST(HybridTest, CrossingsOfAnOpaqueFunctionAreFoundBySamples) {
  Diagram d{"Watched"};
  auto& rate = d.Add<orrery::Constant>("rate", 1.0);
  auto& x = d.Add<orrery::Integrator>("x");
  auto& opaque = d.Add<Opaque>("opaque");
  auto& crossing = d.Add<Crossing>("crossing");
  d.Connect(rate.y, x.u);
  d.Connect(x.y, opaque.u);
  d.Connect(opaque.y, crossing.u);
  const RunResult run = Simulate(d, {.stop = 20});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_THAT(
      run.events.TimesOf("crossing.zero"),
      Pointwise(
          DoubleNear(1e-9),
          {std::numbers::pi, 3 * std::numbers::pi, 5 * std::numbers::pi}));
}

// x' = u; records the times and values of u at which it is evaluated.
struct Spy : orrery::OpaqueBlock {
  Input u{this, "u"};
  State x{this, "x", 0.0};

  explicit Spy(std::vector<std::pair<double, double>>& asked) {
    SetDerivative([&asked](const Point& at, std::span<double> dx) {
      asked.emplace_back(at.time, at.inputs[0]);
      dx[0] = at.inputs[0];
    });
  }
};

struct Switch : orrery::Block {
  Output y{this, "y"};

  void Equations(EquationSet& eq) override {
    eq.Set(y) = select(Less(eq.time(), 0.5), 1, -2);
  }
};

TEST(HybridTest, NoStateIsIntegratedThroughADiscontinuity) {
  constexpr double kReach = 1e-5;  // Step of differences by time.
  for (const auto& [method, step] :
       {std::pair(orrery::Method::kDormandPrince5, 0.0),
        std::pair(orrery::Method::kDormandPrince8, 0.0),
        std::pair(orrery::Method::kRosenbrock, 0.0),
        std::pair(orrery::Method::kCvodeBdf, 0.0),
        std::pair(orrery::Method::kRungeKutta4, 0.3)}) {
    std::vector<std::pair<double, double>> asked;
    Diagram d{"Watched"};
    auto& source = d.Add<Switch>("switch");
    auto& spy = d.Add<Spy>("spy", asked);
    d.Connect(source.y, spy.u);
    SimulationOptions options{.stop = 1, .method = method};
    if (step > 0) {
      options.step = step;
    }
    EXPECT_NEAR(Simulate(d, options)["spy.x"].final(), -0.5, 1e-12);
    const auto count = [&](auto is_wrong) {
      return std::ranges::count_if(asked, is_wrong);
    };
    EXPECT_GT(count([](const auto& at) { return at.second == 1; }), 3);
    EXPECT_GT(count([](const auto& at) { return at.second == -2; }), 3);
    EXPECT_EQ(count([](const auto& at) {
                return at.first > 0.5 + kReach && at.second == 1;
              }),
              0);
    EXPECT_EQ(count([](const auto& at) {
                return at.first < 0.5 - kReach && at.second == -2;
              }),
              0);
  }
}

TEST(HybridTest, DirectionIsRespected) {
  using orrery::Direction;
  const auto times = [](Direction direction) {
    Line line(-1.5, direction);
    line.function = [](orrery::Expr y) {
      return (y - 1) * (y + 1);
    };
    return Simulate(line, {.stop = 4}).events.TimesOf("crossing");
  };
  EXPECT_THAT(times(Direction::kFalling), ElementsAre(DoubleNear(0.5, 1e-9)));
  EXPECT_THAT(times(Direction::kRising), ElementsAre(DoubleNear(2.5, 1e-9)));
  EXPECT_THAT(times(Direction::kEither),
              ElementsAre(DoubleNear(0.5, 1e-9), DoubleNear(2.5, 1e-9)));
}

TEST(HybridTest, TouchOfZeroIsNoCrossing) {
  Line line(-1, orrery::Direction::kEither);
  line.function = [](orrery::Expr y) {
    return y * y;
  };
  EXPECT_THAT(Simulate(line, {.stop = 2}).events.TimesOf("crossing"),
              IsEmpty());
}

TEST(HybridTest, FunctionThatStartsAtZeroCrossesInItsDirection) {
  using orrery::Direction;
  const auto times = [](Direction direction, double slope) {
    Line line(0, direction);
    line.function = [slope](orrery::Expr y) {
      return slope * y;
    };
    return Simulate(line, {.stop = 2}).events.TimesOf("crossing");
  };
  EXPECT_THAT(times(Direction::kRising, 1), ElementsAre(DoubleNear(0, 1e-15)));
  EXPECT_THAT(times(Direction::kRising, -1), IsEmpty());
  EXPECT_THAT(times(Direction::kFalling, 1), IsEmpty());
  EXPECT_THAT(times(Direction::kFalling, -1), SizeIs(1));
  EXPECT_THAT(times(Direction::kEither, 1), SizeIs(1));
  EXPECT_THAT(times(Direction::kEither, -1), SizeIs(1));
}

TEST(HybridTest, WithinTheToleranceNothingCrosses) {
  const auto count = [](double tolerance) {
    Line line(0, orrery::Direction::kRising, tolerance);
    line.function = [](orrery::Expr y) {
      return 0.3 * sin(20 * y) + y - 1;
    };
    return Simulate(line, {.stop = 2}).events.TimesOf("crossing").size();
  };
  EXPECT_GT(count(0), 1);
  EXPECT_EQ(count(0.3), 1);
}

// A15: x' = 0, y' = -1; three events that trigger each other.
struct Quarrel : orrery::Block {
  State x{this, "x", 0.0}, y{this, "y", 5.0};
  Event ground{this, "ground", Direction::kFalling};
  Event up{this, "up", Direction::kRising};
  Event down{this, "down", Direction::kFalling};

  void Equations(EquationSet& eq) override {
    eq.Der(x) = 0;
    eq.Der(y) = -1;
    eq.Set(ground) = y;
    eq.Set(up) = x - 0.5;
    eq.Set(down) = x - 0.5;
    eq.On(ground).Set(x) = 1;
    eq.On(up).Set(x) = 0;
    eq.On(down).Set(x) = 1;
  }
};

TEST(HybridTest, EventsThatTriggerEachOtherAreNamed) {
  Quarrel quarrel;
  const RunResult run = Simulate(quarrel, {.stop = 6});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTooManyEvents);
  EXPECT_NEAR(run.summary.end_time, 5, 1e-9);
  EXPECT_THAT(run.summary.message, HasSubstr("'up'"));
  EXPECT_THAT(run.summary.message, HasSubstr("'down'"));
  EXPECT_THAT(run.summary.message, testing::Not(HasSubstr("'ground'")));
}

// A12.
TEST(HybridTest, HoldsFollowTheirClocks) {
  Diagram d{"Holds"};
  const orrery::Clock first{&d, "first", 200ms};
  const orrery::Clock second{&d, "second", 250ms, 0s, {.end = 2}};
  const orrery::Clock third{&d, "third", 250ms, -6s, {.end = -1}};
  auto& decay = d.Add<Decay>("decay");
  std::vector<orrery::ZeroOrderHold*> holds;
  for (const orrery::Clock& clock : {first, second, third}) {
    holds.push_back(&d.Add<orrery::ZeroOrderHold>(
        "hold" + std::to_string(holds.size() + 1), clock, 2.0));
    d.Connect(decay.y, holds.back()->u);
  }
  const RunResult run = Simulate(d, {.stop = 5, .tolerance = 1e-10});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  for (const double t : {0.1, 1.3, 2.6, 4.9}) {
    EXPECT_NEAR(
        run["hold1.y"].at(t), 2 * std::exp(-std::floor(t / 0.2) * 0.2), 1e-8);
    EXPECT_NEAR(run["hold2.y"].at(t),
                2 * std::exp(-std::min(2.0, std::floor(t / 0.25) * 0.25)),
                1e-8);
    EXPECT_EQ(run["hold3.y"].at(t), 2);
  }
  EXPECT_THAT(run.events.TimesOf("second"), SizeIs(9));
  EXPECT_THAT(run.events.TimesOf("third"), IsEmpty());
}

struct Counter : orrery::Block {
  Clock clock{this, "clock", 1s};
  Discrete count{this, "count", 0.0};

  void Equations(EquationSet& eq) override {
    eq.On(clock).Set(count) = count + 1;
  }
};

TEST(HybridTest, DiscreteRunGoesOnFromWhereItStopped) {
  Counter counter;
  Simulator simulator(Compile(MakeModel(counter)), {.interval = 100});
  EXPECT_TRUE(simulator.RunUntil(5.5));
  EXPECT_EQ(simulator["count"], 6);
  EXPECT_TRUE(simulator.RunUntil(10));
  const RunResult run = simulator.Finish();
  std::vector<double> times;
  std::vector<double> counts;
  const auto rows = run.trajectory.time();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 == rows.size() || rows[i + 1] != rows[i]) {  // Right limits.
      times.push_back(rows[i]);
      counts.push_back(run["count"][i]);
    }
  }
  EXPECT_THAT(times, ElementsAre(0, 1, 2, 3, 4, 5, 5.5, 6, 7, 8, 9, 10));
  EXPECT_THAT(counts, ElementsAre(1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11));
}

struct Ticker : orrery::Block {
  Clock clock;

  Ticker(orrery::Seconds offset, ClockTimes times)
      : clock(this, "clock", 1s, offset, std::move(times)) {}
};

std::vector<double> TicksOf(double offset,
                            const ClockTimes& times,
                            double start = 0) {
  Ticker ticker(offset, times);
  return Simulate(ticker, {.start = start, .stop = start + 3.7})
      .events.TimesOf("clock");
}

TEST(HybridTest, ClocksTickFromTheirOffsetToTheirEnd) {
  EXPECT_THAT(TicksOf(0, {}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(TicksOf(1.5, {}), ElementsAre(1.5, 2.5, 3.5));
  EXPECT_THAT(TicksOf(1.5, {.runs_before_start = true}),
              ElementsAre(0.5, 1.5, 2.5, 3.5));
  EXPECT_THAT(TicksOf(0.5, {.end = 2}), ElementsAre(0.5, 1.5));
  EXPECT_THAT(TicksOf(0, {.end = 2}, 3), IsEmpty());
}

TEST(HybridTest, JitterIsDrawnBeforeEachTick) {
  const std::vector<double> jitter = {-0.6, 0.2, 0.3};
  const auto draw = [&](std::int64_t n) {
    return jitter.at(static_cast<std::size_t>(n));
  };
  EXPECT_THAT(TicksOf(0.5, {.end = 3, .jitter = draw}),
              ElementsAre(DoubleNear(0.9, 1e-15), DoubleNear(2.7, 1e-15)));
}

TEST(HybridTest, ClockThatWouldTickBackwardsEndsTheRun) {
  Ticker ticker(0, {.jitter = [](std::int64_t n) {
                  return n == 2 ? -5.0 : 0;
                }});
  const RunResult run = Simulate(ticker, {.stop = 9});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kBadClock);
  EXPECT_THAT(run.summary.message, HasSubstr("the next tick of 'clock'"));
  EXPECT_EQ(run.summary.end_time, 1);
}

TEST(HybridTest, ClockWithoutAPeriodIsNamed) {
  Ticker ticker(0, {});
  const RunResult run =
      Simulate(ticker, {.stop = 9, .settings = {{"clock", 0}}});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kBadClock);
  EXPECT_EQ(run.summary.message,
            "cannot let 'clock' tick every 0 s from 0 s on: give it an "
            "interval that is positive");
}

TEST(HybridTest, PeriodIsAParameter) {
  Counter counter;
  const RunResult run =
      Simulate(counter, {.stop = 10, .settings = {{"clock", 2.5}}});
  EXPECT_THAT(run.events.TimesOf("clock"), ElementsAre(0, 2.5, 5, 7.5, 10));
}

// Each handler appends its digit, in the order of declaration.
struct Order : orrery::Block {
  Clock clock{this, "clock", 1s, 1s};
  Discrete digits{this, "digits", 0.0};
  Local doubled{this, "doubled"};

  void Equations(EquationSet& eq) override {
    eq.Set(doubled) = 2 * digits;
    eq.On(clock).Set(digits) = 10 * digits + 1;
    eq.On(clock).Set(digits) = 5 * doubled + 2;
    eq.On(clock).Set(digits) = 10 * digits + 3;
  }
};

TEST(HybridTest, HandlersSeeWhatEarlierOnesDid) {
  Order order;
  EXPECT_EQ(Simulate(order, {.stop = 1})["digits"].final(), 123);
}

struct Swap : orrery::Block {
  Clock clock{this, "clock", 1s, 1s};
  Discrete a{this, "a", 1.0}, b{this, "b", 2.0};
  Discrete list{this, "list", Shape{3}, {1, 2, 3}};

  void Equations(EquationSet& eq) override {
    auto tick = eq.On(clock);
    tick.Set(a) = b;
    tick.Set(b) = a;
    tick.Set(list) = 10 * list;
    eq.On(clock).Set(list[2]) = list[1] + list[3];
  }
};

TEST(HybridTest, ValuesOfOneHandlerAreComputedBeforeAnyIsSet) {
  Swap swap;
  const RunResult run = Simulate(swap, {.stop = 1});
  EXPECT_EQ(run["a"].final(), 2);
  EXPECT_EQ(run["b"].final(), 1);
  EXPECT_EQ(run["list[1]"].final(), 10);
  EXPECT_EQ(run["list[2]"].final(), 40);
}

TEST(HybridTest, TraceOfHybridBlockKeepsItsFunctions) {
  Ball ball;
  const std::vector<double> x = {3, -2};
  EXPECT_THAT(ball.state_update_function(0, x, {}), ElementsAre(-2, -kGravity));
}

// x' = -x(t - 1) with x = 1 before 0, by the method of steps.
struct Delayed : orrery::Block {
  State x{this, "x", 1.0};

  void Equations(EquationSet& eq) override { eq.Der(x) = -eq.Delay(x, 1); }
};

TEST(HybridTest, DelayedStateFollowsTheMethodOfSteps) {
  Delayed block;
  const RunResult run = Simulate(block, {.stop = 2, .tolerance = 1e-9});
  ASSERT_TRUE(run.summary.completed()) << run.summary.message;
  EXPECT_NEAR(run["x"].at(1), 0, 1e-8);
  EXPECT_NEAR(run["x"].final(), -0.5, 1e-8);
}

struct Divider : orrery::Block {
  Clock clock{this, "clock", 1.0};
  Discrete x{this, "x", 2.0}, y{this, "y", 0.0};

  void Equations(EquationSet& eq) override {
    eq.On(clock).Set(x) = x - 1;
    eq.On(clock).Set(y) = 1 / x;
  }
};

TEST(HybridTest, HandlerWithoutAFiniteValueEndsTheRunWithItsFormula) {
  Divider divider;
  const RunResult run = Simulate(divider, {.stop = 5});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_EQ(run.summary.end_time, 1);
  EXPECT_THAT(run.summary.message, HasSubstr("at t = 1 s"));
}

struct Guarded : orrery::Block {
  State x{this, "x", 0.0};
  bool terminates = false;

  void Equations(EquationSet& eq) override {
    eq.Der(x) = 1;
    if (terminates) {
      eq.Terminate(GreaterEqual(x, 0.25), "far enough");
    } else {
      eq.Assert(LessEqual(x, 0.25), "too far");
    }
  }
};

TEST(HybridTest, TerminationIsLocatedAndASuccess) {
  Guarded block;
  block.terminates = true;
  const RunResult run = Simulate(block, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kTerminated);
  EXPECT_NEAR(run.summary.end_time, 0.25, 1e-12);
  EXPECT_THAT(run.summary.message, HasSubstr("far enough"));
}

TEST(HybridTest, AssertionThatFailsEndsTheRunThere) {
  Guarded block;
  const RunResult run = Simulate(block, {.stop = 1});
  EXPECT_EQ(run.summary.outcome, RunOutcome::kAssertion);
  EXPECT_NEAR(run.summary.end_time, 0.25, 1e-12);
}

}  // namespace
