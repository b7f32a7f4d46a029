// Error messages for wrong uses of a Simulation.

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/sim/test/compile_text.h"
#include "orrery/timeline/timeline.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Accumulator;
using process::Cell;
using process::Resource;
using process::Task;
using process::Topic;
using testing::HasSubstr;

struct WrongTasks : process::Model {
  Cell<Accumulator> stock{this, "stock", 0.0};
  Cell<Accumulator> other{this, "other", 0.0};
  Resource twice{this, "twice", 2.0 * stock};
  Topic<double> said{this, "said"};

  Task<> Does(std::function<void()> act) {
    co_await Delay(1s);
    act();
  }

  Task<> Nothing() { co_return; }
};

struct RampWithTasks {
  Simulation sim;
  System& system = sim.Add(CompileBody(
      "input Real u(start = 1);\n Real h(start = 0, fixed = true);\n"
      "Real square = h * h;\n equation der(h) = u;\n"));
  WrongTasks& tasks = sim.Add<WrongTasks>("tasks");

  std::string MessageWhen(const std::function<void()>& act) {
    sim.Start(tasks.Does(act));
    const TimelineResult result = sim.Run({.stop = 2s});
    EXPECT_EQ(result.summary.outcome, RunOutcome::kModelFailed);
    return result.summary.message;
  }
};

class Broken : public devs::Atomic<Broken> {
 public:
  struct State {};

  [[nodiscard]] Duration TimeAdvance(const State& /*s*/) const { return 1s; }

  void Output(const State& /*s*/, devs::Bag& /*y*/) const {}

  void Internal(State& /*s*/) const { throw std::runtime_error("worn out"); }
};

TEST(TimelineWrongUseTest, TwoSystems) {
  RampWithTasks ramp;
  EXPECT_EQ(
      MessageOf([&] { return &ramp.sim.Add(CompileBody("Real x = 1;\n")); }),
      "cannot add model A to a simulation: it has the equations of A "
      "already; join both in a Diagram and add that");
}

TEST(TimelineWrongUseTest, AnUnknownVariable) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] { return ramp.system["hh"]; }),
            "no quantity 'hh' in model A; known: u, h, square, der(h)");
}

TEST(TimelineWrongUseTest, ACellToWhatIsNoInput) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] {
              ramp.sim.Connect(ramp.tasks.stock, ramp.system["h"]);
              return 0;
            }),
            "cannot connect 'tasks.stock' to 'h': it is no input of the "
            "equations; only inputs follow what changes by itself");
}

TEST(TimelineWrongUseTest, ATopicToWhatFollows) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] {
              ramp.sim.Connect(ramp.tasks.said, ramp.system["square"]);
              return 0;
            }),
            "cannot connect 'tasks.said' to 'square': it is no input or state "
            "of the equations; connect one that it follows from");
}

TEST(TimelineWrongUseTest, AnInputConnectedTwice) {
  RampWithTasks ramp;
  ramp.sim.Connect(ramp.tasks.stock, ramp.system["u"]);
  EXPECT_EQ(MessageOf([&] {
              ramp.sim.Connect(ramp.tasks.other, ramp.system["u"]);
              return 0;
            }),
            "cannot connect 'tasks.other' to 'u': it is connected to "
            "'tasks.stock' already; leave one");
}

TEST(TimelineWrongUseTest, AVariableOfAnotherSimulation) {
  RampWithTasks ramp;
  const RampWithTasks other;
  const auto message = [&](const std::function<void()>& connect) {
    return MessageOf([&] {
      connect();
      return 0;
    });
  };
  const auto does = [&] {
    return ramp.tasks.Nothing();
  };
  EXPECT_EQ(
      message([&] { ramp.sim.Connect(ramp.tasks.stock, other.system["u"]); }),
      "cannot connect 'u': it is of another simulation; take a quantity of the "
      "System that this one has");
  for (const std::string& said :
       {message([&] { ramp.sim.Connect(ramp.tasks.said, other.system["u"]); }),
        message([&] {
          ramp.sim.Connect(Crossing{other.system["h"], 1}, does);
        }),
        message([&] {
          Simulation without;
          without.Connect(Crossing{other.system["h"], 1}, does);
        })}) {
    EXPECT_THAT(said, HasSubstr("it is of another simulation"));
  }
}

class Sink : public devs::Atomic<Sink> {
 public:
  struct State {};

  devs::In<double> in{this, "in"};

  void External(State& /*s*/, Duration /*e*/, const devs::Bag& /*x*/) const {}
};

TEST(TimelineWrongUseTest, WhatIsOfAModelThatWasNotAdded) {
  RampWithTasks ramp;
  auto& sink = ramp.sim.Add<Sink>("sink");
  WrongTasks stray;
  const std::string why =
      ": its model was not added to the simulation; let Add make the model";
  const auto message = [](const std::function<void()>& connect) {
    return MessageOf([&] {
      connect();
      return 0;
    });
  };
  EXPECT_EQ(message([&] { ramp.sim.Connect(stray.stock, ramp.system["u"]); }),
            "cannot connect 'stock'" + why);
  EXPECT_EQ(message([&] { ramp.sim.Connect(stray.twice, ramp.system["u"]); }),
            "cannot connect 'twice'" + why);
  EXPECT_EQ(message([&] { ramp.sim.Connect(stray.said, ramp.system["u"]); }),
            "cannot connect 'said'" + why);
  EXPECT_EQ(message([&] { ramp.sim.Connect(stray.said, sink.in); }),
            "cannot connect 'said'" + why);
}

TEST(TimelineWrongUseTest, ASetOfAConnectedInput) {
  RampWithTasks ramp;
  const SystemVariable u = ramp.system["u"];
  ramp.sim.Connect(ramp.tasks.stock, u);
  EXPECT_THAT(ramp.MessageWhen([&] { u.Set(2); }),
              HasSubstr("cannot connect a task to 'u': it is connected to "
                        "'tasks.stock' already; leave one"));
}

TEST(TimelineWrongUseTest, ASetOutsideOfARun) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] {
              ramp.system["u"].Set(2);
              return 0;
            }),
            "cannot set 'u': its simulation does not run; set it from a task, "
            "or by `settings` before the run");
}

TEST(TimelineWrongUseTest, ASetToWhatIsNoNumber) {
  RampWithTasks ramp;
  const SystemVariable u = ramp.system["u"];
  EXPECT_THAT(
      ramp.MessageWhen(
          [&] { u.Set(std::numeric_limits<double>::quiet_NaN()); }),
      HasSubstr("cannot set 'u' at t = 1 s: nan is not a finite number"));
}

TEST(TimelineWrongUseTest, ATaskMayCatchWhatASetRefuses) {
  RampWithTasks ramp;
  const SystemVariable u = ramp.system["u"];
  std::string said;
  ramp.sim.Start(ramp.tasks.Does([&] {
    try {
      u.Set(std::numeric_limits<double>::quiet_NaN());
    } catch (const Error& error) {
      said = error.what();
      u.Set(3);
    }
  }));
  const TimelineResult result = ramp.sim.Run({.stop = 2s});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kCompleted);
  EXPECT_EQ(said, "cannot set 'u' at t = 1 s: nan is not a finite number");
  EXPECT_NEAR(result["h"].at(2.0), 4, 1e-6);
}

TEST(TimelineWrongUseTest, ASetOfAnIntegerToAFraction) {
  Simulation sim;
  System& system = sim.Add(CompileBody("input Integer n(start = 1);\n"));
  WrongTasks& tasks = sim.Add<WrongTasks>("tasks");
  sim.Start(tasks.Does([n = system["n"]] { n.Set(1.5); }));
  EXPECT_THAT(sim.Run({.stop = 2s}).summary.message,
              HasSubstr("cannot set 'n' at t = 1 s: it is an Integer, and 1.5 "
                        "is none"));
}

TEST(TimelineWrongUseTest, AnIntegerThatFollowsWhatMoves) {
  Simulation sim;
  System& system = sim.Add(CompileBody("input Integer n(start = 1);\n"));
  WrongTasks& tasks = sim.Add<WrongTasks>("tasks");
  sim.Connect(tasks.stock, system["n"]);
  sim.Start(tasks.Does([&] { tasks.stock.SetRate(1); }));
  EXPECT_THAT(sim.Run({.stop = 2s}).summary.message,
              HasSubstr("'n' cannot follow what moves by itself at t = 1 s: it "
                        "is no Real; connect one"));
}

TEST(TimelineWrongUseTest, AMessageThatIsNoTruthForABoolean) {
  Simulation sim;
  System& system = sim.Add(CompileBody("input Boolean b(start = false);\n"));
  WrongTasks& tasks = sim.Add<WrongTasks>("tasks");
  sim.Connect(tasks.said, system["b"]);
  sim.Start(tasks.Does([&] { tasks.said.Emit(7); }));
  EXPECT_THAT(sim.Run({.stop = 2s}).summary.message,
              HasSubstr("cannot set 'b' from 'tasks.said' at t = 1 s: it is a "
                        "Boolean, and 7 is none"));
}

TEST(TimelineWrongUseTest, AGetOutsideOfARun) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] { return ramp.system["h"].Get(); }),
            "cannot read 'h': its simulation does not run; do it from a task");
}

struct Waits : process::Model {
  Task<> ForAFunction(SystemVariable h) {
    co_await Until([h] { return h.Get() > 1; });
  }
};

TEST(TimelineWrongUseTest, AFunctionOfAVariableAsACondition) {
  RampWithTasks ramp;
  auto& waits = ramp.sim.Add<Waits>("waits");
  ramp.sim.Start(waits.ForAFunction(ramp.system["h"]));
  EXPECT_THAT(ramp.sim.Run({.stop = 2s}).summary.message,
              HasSubstr("cannot evaluate a function of 'h' only when something "
                        "has changed: it changes as time passes; compare the "
                        "variable itself, as in 'h > 1.0'"));
}

TEST(TimelineWrongUseTest, ACrossingOfNoNumber) {
  RampWithTasks ramp;
  EXPECT_EQ(
      MessageOf([&] {
        ramp.sim.Connect(
            Crossing{ramp.system["h"], std::numeric_limits<double>::infinity()},
            [&](const Crossed& /*c*/) { return ramp.tasks.Nothing(); });
        return 0;
      }),
      "cannot find where 'h' comes to inf: give a finite threshold");
}

TEST(TimelineWrongUseTest, SamplesWithoutAnInterval) {
  RampWithTasks ramp;
  auto& sink = ramp.sim.Add<Sink>("sink");
  EXPECT_EQ(MessageOf([&] {
              ramp.sim.Connect(Sampled{ramp.system["h"], 0s}, sink.in);
              return 0;
            }),
            "cannot sample 'h' every 0 s from 0 s on: give a positive "
            "interval, and an offset that is not negative");
}

TEST(TimelineWrongUseTest, GivenTasksInASecondRun) {
  RampWithTasks ramp;
  ramp.sim.Start(ramp.tasks.Nothing());
  static_cast<void>(ramp.sim.Run({.stop = 1s}));
  EXPECT_EQ(MessageOf([&] { return ramp.sim.Run({.stop = 1s}); }),
            "cannot run the simulation again: the tasks that were given to "
            "Start have been carried out; spawn them in the Start of a model "
            "of tasks");
}

TEST(TimelineWrongUseTest, OptionsOutOfRange) {
  RampWithTasks ramp;
  EXPECT_EQ(MessageOf([&] { return ramp.sim.Run({.stop = -1}); }),
            "cannot run the simulation: it stops at -1 s, before it begins; "
            "give 0 s or more");
  EXPECT_EQ(MessageOf([&] { return ramp.sim.Run({.stop = std::nan("")}); }),
            "cannot run the simulation: the time at which it stops is not a "
            "number; give 0 s or more");
  EXPECT_EQ(MessageOf([&] { return ramp.sim.Run({.max_microsteps = 0}); }),
            "cannot run the simulation: max_microsteps is 0; give 1 or more");
  EXPECT_EQ(
      MessageOf([&] { return ramp.sim.Run({.equations = {.start = 2}}); }),
      "cannot run the simulation: its equations begin at 2 s; everything "
      "begins at 0 s");
}

TEST(TimelineWrongUseTest, ATableOfAnInputThatIsConnected) {
  RampWithTasks ramp;
  ramp.sim.Connect(ramp.tasks.stock, ramp.system["u"]);
  TimelineOptions options{.stop = 1s};
  options.equations.inputs = std::make_shared<const Table>(
      "inputs.csv",
      std::vector<TableColumn>{{.name = "time", .unit = "", .values = {0, 1}},
                               {.name = "u", .unit = "", .values = {1, 2}}});
  EXPECT_EQ(MessageOf([&] { return ramp.sim.Run(options); }),
            "cannot take inputs from inputs.csv: input 'u' is driven by a "
            "connection; leave out its column");
}

TEST(TimelineWrongUseTest, TwoSetsOfAStateAtOnce) {
  RampWithTasks ramp;
  const SystemVariable h = ramp.system["h"];
  ramp.sim.Start(ramp.tasks.Does([h] { h.Set(2); }));
  ramp.sim.Start(ramp.tasks.Does([h] { h.Set(3); }));
  const TimelineResult result = ramp.sim.Run({.stop = 2s});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kConflict);
  EXPECT_EQ(result.summary.message,
            "state 'h' is set to 2 and to 3 at once at t = 1 s; let one of "
            "them be later");
  EXPECT_NEAR(result["h"].at(1.0), 1, 1e-6);
}

TEST(TimelineWrongUseTest, ADevsModelThatThrows) {
  RampWithTasks ramp;
  ramp.sim.Add<Broken>("broken");
  const TimelineResult result = ramp.sim.Run({.stop = 2s});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kModelFailed);
  EXPECT_EQ(result.summary.message,
            "cannot go on with model at t = 1 s: in model.broken: worn out");
  EXPECT_EQ(result.summary.end_time, 1);
}

TEST(TimelineWrongUseTest, APlanOfWhatNobodyDoes) {
  RampWithTasks ramp;
  TimelineOptions options{.stop = 1s};
  options.plan.directives = {{.id = "a", .type = "Fly"}};
  EXPECT_THAT(MessageOf([&] { return ramp.sim.Run(options); }),
              HasSubstr("Fly"));
}

}  // namespace
}  // namespace orrery
