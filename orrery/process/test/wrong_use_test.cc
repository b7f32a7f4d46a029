#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/model/topic.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

// Errors of users, and their messages.
namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// The message of a run in which a task does this.
std::string InATask(std::function<Task<>(Stage&)> make,
                    const Options& options = {}) {
  Stage m([&](Stage& s) { s.Spawn(make(s)); });
  Simulator run(m, options);
  return MessageOf([&] { run.RunUntil(10s); });
}

namespace wrong {

Task<> Delay(Stage& m) {
  co_await m.Delay(
      std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()));
}

Task<> NeverWaits(Stage& m) {
  for (;;) {
    m.c.Add(1);
    if (m.c.Get() < 0) {
      co_return;
    }
  }
}

Task<> NeverLetsTimePass(Stage& m) {
  for (;;) {
    co_await m.Delay(0s);
  }
}

Task<> SpawnsItself(Stage& m) {
  if (m.c.Get() >= 0) {
    m.Spawn(SpawnsItself(m));
  }
  co_return;
}

Task<> CallsItself(Stage& m) {
  if (m.c.Get() >= 0) {
    co_await m.Call(CallsItself(m));
  }
}

Task<> Delays(Stage& m) {
  co_await m.Delay(1s);
}

Task<> SpawnsForEver(Stage& m) {
  for (;;) {
    m.Spawn(Delays(m));
  }
  co_return;
}

Task<> SetsInACondition(Stage& m) {
  co_await m.Until([&m] {
    m.c.Add(1);
    return true;
  });
}

Task<> SpawnsInACondition(Stage& m) {
  co_await m.Until([&m] {
    m.Spawn(NeverLetsTimePass(m));
    return true;
  });
}

Task<> ReadsAnother(Stage& m, Stage& other) {
  static_cast<void>(other.c.Get());
  co_await m.Delay(0s);
}

Task<> SetsAnother(Stage& m, Stage& other) {
  other.c.Add(1);
  co_await m.Delay(0s);
}

Task<> RunsItself(Stage& m, Simulator*& run) {
  co_await m.Delay(0s);
  run->RunUntil(1h);
}

Task<> AsksTheRun(Stage& m, Simulator*& run) {
  co_await m.Delay(0s);
  static_cast<void>(run->Get(m.c));
}

Task<> Declares(Stage& m) {
  co_await m.Delay(0s);
  const Cell<Counter<>> late(&m, "late");
}

Task<> EmptyHandle(Stage& m) {
  co_await m.Delay(0s);
  co_await Handle<>();
}

Task<> GivesTwice(Stage& m) {
  Task<> task = NeverLetsTimePass(m);
  const Task<> taken = std::move(task);
  m.Spawn(std::move(task));
  co_return;
}

Task<> CancelsItself(Stage& m, Handle<>& self) {
  co_await m.Delay(0s);
  self.Cancel();
}

Task<> InterruptsItself(Stage& m, Handle<>& self) {
  co_await m.Delay(0s);
  self.Interrupt("wake up");
}

Task<> JoinsItself(Stage& m, Handle<>& self) {
  co_await m.Delay(0s);
  co_await self;
}

Task<> ThrowsANumber(Stage& m) {
  co_await m.Delay(0s);
  throw 3;
}

Task<> BadEffect(Stage& m) {
  m.a.Add(std::numeric_limits<double>::infinity());
  co_return;
}

Task<> Idles(Stage& m) {
  co_await m.Delay(1h);
}

Task<> WaitsForAges(Stage& m) {
  co_await m.Delay(std::chrono::hours(3'000'000));
}

Task<> WaitsForThePast(Stage& m) {
  co_await m.Delay(std::chrono::hours(-3'000'000));
}

Task<> WaitsForTruth(Stage& m) {
  co_await m.Until([] { return false; });
}

Task<> CallsOne(Stage& m) {
  co_await m.Call(WaitsForTruth(m));
}

Task<> Notes(Stage& m) {
  co_await m.Until(m.a > 3 && m.g == 1);
}

Task<> JoinsOne(Handle<> one) {
  co_await one;
}

}  // namespace wrong

TEST(WrongUseTest, TimeThatIsNoNumber) {
  EXPECT_EQ(InATask(wrong::Delay),
            "cannot go on at t = 0 s: task 'Delay' failed: cannot take nan s "
            "for a duration: a duration is a number between -9.2e9 s and "
            "9.2e9 s");
}

TEST(WrongUseTest, AWaitBeyondTheEndOfTime) {
  EXPECT_EQ(InATask(wrong::WaitsForAges),
            "cannot go on at t = 0 s: task 'WaitsForAges' failed: cannot take "
            "10800000000 s for a duration: a duration is a number between "
            "-9.2e9 s and 9.2e9 s");
}

TEST(WrongUseTest, AWaitBeyondTheBeginOfTime) {
  EXPECT_EQ(InATask(wrong::WaitsForThePast),
            "cannot go on at t = 0 s: task 'WaitsForThePast' failed: cannot "
            "take -10800000000 s for a duration: a duration is a number "
            "between -9.2e9 s and 9.2e9 s");
}

TEST(WrongUseTest, ATaskThatNeverWaits) {
  EXPECT_EQ(InATask(wrong::NeverWaits, {.max_operations = 1000}),
            "cannot go on at t = 0 s: task 'NeverWaits' failed: 1000 reads, "
            "effects and tasks spawned in one step; let it wait for "
            "something, or raise max_operations");
}

TEST(WrongUseTest, TasksThatNeverLetTimePass) {
  EXPECT_EQ(InATask(wrong::NeverLetsTimePass, {.max_microsteps = 100}),
            "cannot go on at t = 0 s: 100 batches at one time, the last of "
            "'NeverLetsTimePass'; let time pass between them, or raise "
            "max_microsteps");
}

TEST(WrongUseTest, TasksThatSpawnWithoutEnd) {
  const auto told = [](const std::string& who) {
    return "cannot go on at t = 0 s: 1000 tasks spawned in one batch, the last "
           "by '" +
           who + "'; let them wait before they spawn, or raise max_spawned";
  };
  const auto chain_of = [](const std::string& name) {
    std::string chain = name + " > " + name + " > " + name + " > ...";
    for (int i = 0; i < 5; ++i) {
      chain += " > " + name;
    }
    return chain;
  };
  EXPECT_EQ(InATask(wrong::SpawnsForEver, {.max_spawned = 1000}),
            told("SpawnsForEver"));
  EXPECT_EQ(InATask(wrong::SpawnsItself, {.max_spawned = 1000}),
            told(chain_of("SpawnsItself")));
  EXPECT_EQ(InATask(wrong::CallsItself, {.max_spawned = 1000}),
            told(chain_of("CallsItself")));
}

TEST(WrongUseTest, AsManyTasksAsMayBeSpawned) {
  const auto spawns = [](Stage& m) -> Task<> {
    for (int i = 0; i < 999; ++i) {
      m.Spawn(wrong::Delays(m));
    }
    co_return;
  };
  EXPECT_EQ(InATask(spawns, {.max_spawned = 1000}), "no error");
}

TEST(WrongUseTest, ConditionsThatAct) {
  EXPECT_EQ(InATask(wrong::SetsInACondition),
            "cannot go on at t = 0 s: task 'SetsInACondition' failed: cannot "
            "change 'c': conditions and resources only read; do it in a task");
  EXPECT_EQ(InATask(wrong::SpawnsInACondition),
            "cannot go on at t = 0 s: task 'SpawnsInACondition' failed: "
            "cannot spawn a task: conditions and resources only read; do it "
            "in a task");
}

TEST(WrongUseTest, CellsOfAnotherRun) {
  Stage other;
  EXPECT_EQ(InATask([&](Stage& s) { return wrong::ReadsAnother(s, other); }),
            "cannot go on at t = 0 s: task 'ReadsAnother' failed: cannot read "
            "'c': its model is in no run; make a process::Simulator of it");
  const Simulator run(other);
  EXPECT_EQ(InATask([&](Stage& s) { return wrong::ReadsAnother(s, other); }),
            "cannot go on at t = 0 s: task 'ReadsAnother' failed: cannot read "
            "'c': no task of its run is at work; between steps ask "
            "Simulator::Get");
  EXPECT_EQ(InATask([&](Stage& s) { return wrong::SetsAnother(s, other); }),
            "cannot go on at t = 0 s: task 'SetsAnother' failed: cannot "
            "change 'c': no task of its run is at work");
}

TEST(WrongUseTest, CellsOutsideOfRunsAndSteps) {
  Stage m;
  EXPECT_EQ(MessageOf([&] { m.c.Add(1); }),
            "cannot change 'c': its model is in no run; make a "
            "process::Simulator of it");
  EXPECT_EQ(MessageOf([&] { static_cast<void>(m.Now()); }),
            "cannot tell the time of model '': it is in no run");
  EXPECT_EQ(MessageOf([&] { m.Spawn(wrong::Idles(m)); }),
            "cannot spawn a task in model '': it is in no run; make a "
            "process::Simulator of it");
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { m.c.Add(1); }),
            "cannot change 'c': no task of its run is at work");
  EXPECT_EQ(MessageOf([&] { static_cast<void>(m.c.Get()); }),
            "cannot read 'c': no task of its run is at work; between steps "
            "ask Simulator::Get");
  EXPECT_EQ(MessageOf([&] { m.Spawn(wrong::Idles(m)); }),
            "cannot spawn a task: no task of its run is at work");
  EXPECT_EQ(MessageOf([&] { static_cast<void>(m.Random("x")); }),
            "cannot draw random numbers: no task of its run is at work");
  EXPECT_EQ(MessageOf([&] { m.Annotate("x", 1); }),
            "cannot annotate a task: no task of its run is at work");
}

TEST(WrongUseTest, AModelInTwoRuns) {
  Stage m;
  const Simulator run(m);
  EXPECT_EQ(MessageOf([&] { const Simulator other(m); }),
            "cannot run model '': it is in another run; make another model of "
            "its class");
}

TEST(WrongUseTest, OptionsOutOfRange) {
  Stage m;
  const auto run = [&](const Options& options) {
    return MessageOf([&] { const Simulator simulator(m, options); });
  };
  EXPECT_EQ(run({.max_microsteps = 0}),
            "cannot run model '' with a max_microsteps of 0; give 1 or more");
  EXPECT_EQ(run({.max_microsteps = -1}),
            "cannot run model '' with a max_microsteps of -1; give 1 or more");
  EXPECT_EQ(run({.max_operations = 0}),
            "cannot run model '' with a max_operations of 0; give 1 or more");
  EXPECT_EQ(run({.max_spawned = 0}),
            "cannot run model '' with a max_spawned of 0; give 1 or more");
  EXPECT_EQ(run({.max_microsteps = 1, .max_operations = 1}), "no error");
}

TEST(WrongUseTest, ARunWithinARun) {
  Simulator* at_work = nullptr;
  Stage m([&](Stage& s) { s.Spawn(wrong::RunsItself(s, at_work)); });
  Simulator run(m);
  at_work = &run;
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 0 s: task 'RunsItself' failed: cannot run: "
            "the run is at work; do it between its steps");
  Stage n([&](Stage& s) { s.Spawn(wrong::AsksTheRun(s, at_work)); });
  Simulator other(n);
  at_work = &other;
  EXPECT_EQ(MessageOf([&] { other.Run(); }),
            "cannot go on at t = 0 s: task 'AsksTheRun' failed: cannot read a "
            "cell: the run is at work; do it between its steps");
  EXPECT_EQ(MessageOf([&] { other.RunUntil(1s); }),
            "cannot go on: the run failed at t = 0 s; make another");
}

TEST(WrongUseTest, TimesThatArePast) {
  Stage m;
  Simulator run(m);
  run.RunUntil(5s);
  EXPECT_EQ(MessageOf([&] { run.RunUntil(4s); }),
            "cannot run until 4 s: it is 5 s already");
  EXPECT_EQ(MessageOf([&] { run.Spawn(wrong::Idles(m), 4s); }),
            "cannot spawn task 'Idles' at 4 s: it is 5 s already");
}

TEST(WrongUseTest, NamesOfParts) {
  Stage m;
  EXPECT_EQ(MessageOf([&] { const Cell<Counter<>> c(&m, "c"); }),
            "cannot add 'c' to model '': it has one of this name; choose "
            "another");
  EXPECT_EQ(MessageOf([&] { const Cell<Counter<>> c(&m, ""); }),
            "cannot add '' to model '': names are parts of paths; give one "
            "without a dot");
  EXPECT_EQ(MessageOf([&] { const Model part(&m, "a.b"); }),
            "cannot add 'a.b' to model '': names are parts of paths; give one "
            "without a dot");
  EXPECT_EQ(MessageOf([&] { const Model model("a.b"); }),
            "cannot make a model called 'a.b': names are parts of paths; "
            "leave out the dot");
  EXPECT_EQ(InATask(wrong::Declares),
            "cannot go on at t = 0 s: task 'Declares' failed: cannot add "
            "'late' to model '': it is in a run; build models before");
}

TEST(WrongUseTest, HandlesToNothing) {
  EXPECT_EQ(InATask(wrong::EmptyHandle),
            "cannot go on at t = 0 s: task 'EmptyHandle' failed: cannot wait "
            "for a task: the handle refers to none; Spawn gives one");
  Handle<> old;
  {
    Stage m;
    Simulator run(m);
    old = run.Spawn(wrong::Idles(m));
    EXPECT_FALSE(old.is_over());
  }
  EXPECT_EQ(MessageOf([&] { old.Cancel(); }),
            "cannot cancel a task: the handle is one of a run that is over");
  EXPECT_EQ(InATask(wrong::GivesTwice),
            "cannot go on at t = 0 s: task 'GivesTwice' failed: cannot run a "
            "task: it was given to a run before; call its coroutine again to "
            "have another");
}

template <typename F>
std::string OnItself(F make) {
  Handle<> self;
  Stage m([&](Stage& s) { self = s.Spawn(make(s, self)); });
  Simulator run(m);
  return MessageOf([&] { run.Run(); });
}

TEST(WrongUseTest, TasksThatActOnThemselves) {
  EXPECT_EQ(OnItself(wrong::CancelsItself),
            "cannot go on at t = 0 s: task 'CancelsItself' failed: cannot "
            "cancel 'CancelsItself': it is the task itself; return, or throw");
  EXPECT_EQ(OnItself(wrong::InterruptsItself),
            "cannot go on at t = 0 s: task 'InterruptsItself' failed: cannot "
            "interrupt 'InterruptsItself': it is the task itself; return, or "
            "throw");
  EXPECT_EQ(OnItself(wrong::JoinsItself),
            "cannot go on at t = 0 s: task 'JoinsItself' failed: cannot wait "
            "for the end of 'JoinsItself': it is the task itself");
}

TEST(WrongUseTest, LambdasThatActOnThemselvesAreCalledSo) {
  const auto cancels = [](Stage& m, Handle<>& self) -> Task<> {
    co_await m.Delay(0s);
    self.Cancel();
  };
  EXPECT_EQ(OnItself(cancels),
            "cannot go on at t = 0 s: task 'a lambda' failed: cannot cancel 'a "
            "lambda': it is the task itself; return, or throw");
}

TEST(WrongUseTest, WhatIsThrownThatIsNoException) {
  EXPECT_EQ(InATask(wrong::ThrowsANumber),
            "cannot go on at t = 0 s: task 'ThrowsANumber' failed: it throws "
            "what is no std::exception");
}

TEST(WrongUseTest, AnEffectThatIsNoNumber) {
  EXPECT_THAT(InATask(wrong::BadEffect),
              testing::StartsWith("cannot go on at t = 0 s: task 'BadEffect' "
                                  "failed: cannot "));
}

TEST(WrongUseTest, ABoundThatIsNotANumberIsRefusedWhereItIsSaid) {
  Stage m;
  EXPECT_EQ(MessageOf([&] { static_cast<void>(m.a < std::nan("")); }),
            "cannot compare with, or compute from, nan: it is not a number, "
            "and such a condition never holds; give a number");
}

TEST(WrongUseTest, TheReportOfADeadlockSaysWhoWaitsForWhat) {
  Stage m([](Stage& s) {
    s.Spawn(wrong::JoinsOne(s.Spawn(wrong::CallsOne(s))));
    s.Spawn(wrong::Notes(s));
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.next_time(), Duration::max());
  std::vector<std::string> lines;
  for (const WaitingTask& waiting : run.waiting()) {
    lines.push_back(waiting.task + " awaits " + waiting.awaits);
  }
  EXPECT_THAT(
      lines,
      testing::UnorderedElementsAre(
          "CallsOne awaits the end of 'WaitsForTruth' and all that it spawned",
          "CallsOne > WaitsForTruth awaits a function of the model, which "
          "reads no cell and so never changes",
          "JoinsOne awaits the end of 'CallsOne'",
          "Notes awaits (a > 3 and g == 1)"));
}

struct Texts : Model {
  Cell<Register<int>> g{this, "g"};
  Resource text{this, "text", [this] {
                  return std::to_string(g.Get());
                }};

  Task<> Compares() { co_await Until(text > 3); }

  void Start() override { Spawn(Compares()); }
};

TEST(WrongUseTest, ATextThatIsComparedAsANumber) {
  Texts m;
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 0 s: task 'Compares' failed: cannot compare "
            "resource 'text' as a number: it is a truth or a text; wait for a "
            "function of the cells instead");
}

struct Fails : Model {
  Cell<Register<int>> g{this, "g"};
  Resource broken{this, "broken", [this] {
                    if (g.Get() == 0) {
                      throw std::runtime_error("no fuel");
                    }
                    return 1.0;
                  }};
};

TEST(WrongUseTest, AResourceThatFails) {
  Fails m;
  Simulator run(m, {.records = {.profiles = true}});
  EXPECT_EQ(MessageOf([&] { run.RunUntil(1s); }),
            "cannot sample resource 'broken': no fuel");
}

// The lambda is gone when Start returns, and the task has yet to begin.
struct SpawnsLambda : Model {
  Cell<Register<int>> g{this, "g"};
  bool is_fine = false;

  Task<> CallsOwn(int value) {
    // The lambda lives in the frame of the task, which waits for its end.
    const auto sets = [this, value]() -> Task<> {
      co_await Delay(1s);
      g.Set(value);
    };
    co_await Call(sets());
  }

  void Start() override {
    if (is_fine) {
      Spawn(CallsOwn(7));
      Spawn([](SpawnsLambda& m, int value) -> Task<> {
        co_await m.Delay(2s);
        m.g.Set(m.g.Get() + value);
      }(*this, 3));
      return;
    }
    Spawn([this]() -> Task<> {
      g.Set(5);
      co_return;
    }());
  }
};

#ifndef __clang__  // Clang does not tell what object a lambda is called on.
TEST(WrongUseTest, ALambdaWithCapturesThatIsGoneWhenItsTaskRuns) {
  SpawnsLambda m;
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 0 s: task 'Start' failed: cannot run a lambda "
            "that captures as a task: it is gone when the task goes on; give "
            "it arguments instead of captures, as in Spawn([](Model& m, int "
            "n) -> Task<> { ... }(*this, n))");
}
#endif

TEST(WrongUseTest, ALambdaWithCapturesThatOutlivesItsTaskIsFine) {
  SpawnsLambda m;
  m.is_fine = true;
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.g), 10);
}

// Its observable state expires at once.
struct Fleeting : Register<int> {
  Duration expiry{};

  explicit Fleeting(Duration e) : expiry(e) {}

  [[nodiscard]] std::optional<Duration> Expiry() const { return expiry; }
};

struct Watches : Model {
  Cell<Fleeting> f;

  explicit Watches(Duration expiry) : f(this, "f", expiry) {}

  Task<> Waits() {
    co_await Until([this] { return f.Get() == 1; });
  }

  void Start() override { Spawn(Waits()); }
};

TEST(WrongUseTest, ACellThatExpiresAtOnceOrBefore) {
  for (const Duration expiry : {Duration(0s), Duration(-2s)}) {
    Watches m(expiry);
    Simulator run(m);
    EXPECT_EQ(MessageOf([&] { run.Run(); }),
              "cannot go on at t = 0 s: task 'Waits' failed: cannot read 'f': "
              "what is seen of it holds for " +
                  ToText(expiry) +
                  "; let its Expiry give a time above zero, or none");
  }
}

struct Metronome : Model {
  Cell<Counter<>> ticks{this, "ticks"};

  Task<> Tick() {
    for (;;) {
      ticks.Add(1);
      co_await Delay(1s);
    }
  }

  void Start() override { Spawn(Tick()); }
};

TEST(WrongUseTest, ARunToAnEndThatNeverComes) {
  Metronome m;
  Simulator run(m, {.max_instants = 100});
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot run to an end: after 100 times, at t = 99 s, something is "
            "due still; call RunUntil with a time to stop at, or raise "
            "max_instants");
  run.RunUntil(200s);
  EXPECT_EQ(run.Get(m.ticks), 201);
}

TEST(WrongUseTest, WhatWasNotRecorded) {
  Stage m;
  Simulator run(m);
  run.RunUntil(1s);
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.recording().events.At(0)); }),
            "cannot show commit 0: there are 0");
}

}  // namespace
}  // namespace orrery::process
