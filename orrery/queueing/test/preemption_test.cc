#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/queueing.h"

// Tasks that are told of preempted units.
namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

struct Plant : process::Model {
  PreemptiveResource machine;
  PreemptiveResource tool{this, "tool"};
  Resource man{this, "man"};
  std::vector<std::string> notes;
  std::function<void(Plant&)> start;

  explicit Plant(std::function<void(Plant&)> s, std::int64_t units = 1)
      : machine(this, "machine", units), start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<> HoldsMan(Duration time) {
    const Holding held = co_await man.Acquire();
    co_await Delay(time);
  }

  Task<> Urgent(Duration at, Duration time, std::int64_t units = 1) {
    co_await Delay(at);
    const PreemptibleHolding held =
        co_await machine.Acquire({.priority = 1, .units = units});
    Note("urgent");
    co_await Delay(time);
  }

  Task<> NotesPreemption(std::function<Task<>(Plant&)> work) {
    try {
      co_await Call(work(*this));
      Note("done");
    } catch (const Preempted& preempted) {
      Note("told of " + preempted.by());
    }
  }
};

Task<> AwaitsMachineAndMan(Plant& m) {
  const auto [machine, man] =
      co_await m.AllOf(m.machine.Acquire({.priority = 2}), m.man.Acquire());
  m.Note(machine ? "works" : "works without a machine");
  co_await m.Delay(10s);
}

TEST(PreemptionTest, WhatAllOfHasIsToldWhereItIsAwaited) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Plant plant([](Plant& m) {
      m.Spawn(m.HoldsMan(8s));
      m.Spawn(m.NotesPreemption(AwaitsMachineAndMan));
      m.Spawn(m.Urgent(5s, 20s));
    });
    Simulator run(plant, {.shuffle = order});
    run.Run();
    EXPECT_THAT(plant.notes,
                testing::UnorderedElementsAre("told of Urgent at 5 s",
                                              "urgent at 5 s"));
    EXPECT_EQ(plant.man.in_use(), 0);
    EXPECT_EQ(plant.machine.in_use(), 0);
  }
}

Task<> AwaitsInside(Plant& m) {
  co_await m.AnyOf(m.AllOf(m.machine.Acquire({.priority = 2}), m.man.Acquire()),
                   m.Delay(100s));
  m.Note("works");
}

TEST(PreemptionTest, WhatAllOfInsideAnyOfHasIsTold) {
  Plant plant([](Plant& m) {
    m.Spawn(m.HoldsMan(8s));
    m.Spawn(m.NotesPreemption(AwaitsInside));
    m.Spawn(m.Urgent(5s, 20s));
  });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(
      plant.notes,
      testing::UnorderedElementsAre("told of Urgent at 5 s", "urgent at 5 s"));
  EXPECT_EQ(run.now(), 25s);
}

Task<> TakesTheFirst(Plant& m) {
  const auto [machine, late] =
      co_await m.AnyOf(m.machine.Acquire({.priority = 2}), m.Delay(10s));
  m.Note("works");
  co_await m.Delay(10s);
}

Task<> AsksAfter(Plant& m, int batches) {
  for (int i = 0; i < batches; ++i) {
    co_await m.Delay(0s);
  }
  const auto held = co_await m.machine.Acquire({.priority = 1});
  co_await m.Delay(20s);
}

// It has the machine, and may or may not have gone on, when it is preempted.
TEST(PreemptionTest, WhatAnyOfHasJustThenIsTold) {
  for (int batches = 1; batches < 5; ++batches) {
    Plant plant([batches](Plant& m) {
      m.Spawn(m.NotesPreemption(TakesTheFirst));
      m.Spawn(AsksAfter(m, batches));
    });
    Simulator run(plant);
    run.Run();
    EXPECT_THAT(plant.notes, testing::Contains("told of AsksAfter at 0 s"));
  }
}

Task<> Idles(Plant& m, Duration time) {
  co_await m.Delay(time);
}

Task<PreemptibleHolding> FetchesMachine(Plant& m) {
  PreemptibleHolding held = co_await m.machine.Acquire({.priority = 2});
  m.Spawn(Idles(m, 8s));  // The call lasts as long.
  co_return held;
}

Task<> CallsForIt(Plant& m) {
  const PreemptibleHolding held = co_await m.Call(FetchesMachine(m));
  m.Note(held ? "works" : "works without a machine");
  co_await m.Delay(10s);
}

TEST(PreemptionTest, WhatACalledTaskHasReturnedIsToldWhereItIsAwaited) {
  Plant plant([](Plant& m) {
    m.Spawn(m.NotesPreemption(CallsForIt));
    m.Spawn(m.Urgent(5s, 20s));
  });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(
      plant.notes,
      testing::UnorderedElementsAre("told of Urgent at 5 s", "urgent at 5 s"));
}

TEST(PreemptionTest, AListOfRequestsIsToldToo) {
  Plant plant(
      [](Plant& m) {
        m.Spawn(m.NotesPreemption([](Plant& p) -> Task<> {
          std::vector<PreemptiveResource::Acquiring> requests;
          for (int i = 0; i < 3; ++i) {
            requests.push_back(p.machine.Acquire({.priority = 2}));
          }
          co_await p.AllOf(std::move(requests));
          p.Note("works");
        }));
        m.Spawn(m.Urgent(5s, 1s));
      },
      2);
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(
      plant.notes,
      testing::UnorderedElementsAre("told of Urgent at 5 s", "urgent at 5 s"));
  EXPECT_EQ(plant.machine.in_use(), 0);
}

// A job of `left` seconds that begins again with the rest.
Task<> HoldsTwo(Plant& m, Duration left) {
  while (left > 0s) {
    try {
      const auto a = co_await m.machine.Acquire({.priority = 2});
      const auto b = co_await m.machine.Acquire({.priority = 2});
      co_await m.Delay(left);
      left = 0s;
    } catch (const Preempted& preempted) {
      m.Note("told");
      left -= preempted.usage();
    }
  }
  m.Note("done");
}

TEST(PreemptionTest, OfTwoHoldingsThatAreGoneTogetherOneIsTold) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Plant plant(
        [](Plant& m) {
          m.Spawn(HoldsTwo(m, 10s));
          m.Spawn(m.Urgent(4s, 3s, 2));
        },
        2);
    Simulator run(plant, {.shuffle = order});
    run.Run();
    EXPECT_THAT(plant.notes,
                testing::UnorderedElementsAre(
                    "told at 4 s", "urgent at 4 s", "done at 13 s"));
  }
}

Task<> HoldsTwoKinds(Plant& m) {
  try {
    const auto a = co_await m.machine.Acquire({.priority = 2});
    const auto b = co_await m.tool.Acquire({.priority = 2});
    co_await m.Delay(100s);
  } catch (const Preempted&) {
    m.Note("told");
  }
  co_await m.Delay(1s);
  m.Note("done");
}

Task<> TakesTool(Plant& m) {
  co_await m.Delay(4s);
  const auto held = co_await m.tool.Acquire({.priority = 1});
  co_await m.Delay(1s);
}

TEST(PreemptionTest, OfHoldingsOfTwoResourcesThatAreGoneTogetherOneIsTold) {
  Plant plant([](Plant& m) {
    m.Spawn(HoldsTwoKinds(m));
    m.Spawn(m.Urgent(4s, 1s));
    m.Spawn(TakesTool(m));
  });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(plant.notes,
              testing::UnorderedElementsAre(
                  "told at 4 s", "urgent at 4 s", "done at 5 s"));
}

Task<> KeepsTwo(Plant& m) {
  PreemptibleHolding a = co_await m.machine.Acquire({.priority = 2});
  PreemptibleHolding b = co_await m.machine.Acquire({.priority = 2});
  for (int i = 0; i < 3; ++i) {
    try {
      co_await m.Delay(10s);
      m.Note("slept");
    } catch (const Preempted&) {
      m.Note("told");
    }
  }
}

TEST(PreemptionTest, OfTwoHoldingsThatAreKeptEachIsTold) {
  Plant plant(
      [](Plant& m) {
        m.Spawn(KeepsTwo(m));
        m.Spawn(m.Urgent(4s, 1s, 2));
      },
      2);
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(
      plant.notes,
      ElementsAre(
          "told at 4 s", "urgent at 4 s", "told at 4 s", "slept at 14 s"));
}

Task<> IsInterruptedAt4(Plant& m) {
  try {
    const auto held = co_await m.machine.Acquire({.priority = 2});
    co_await m.Delay(100s);
  } catch (const Preempted&) {
    m.Note("told");
  } catch (const process::Interrupted& interrupted) {
    m.Note(interrupted.what());
  }
  co_await m.Delay(10s);
  m.Note("done");
}

Task<> InterruptsAt4(Plant& m, process::Handle<> task) {
  co_await m.Delay(4s);
  task.Interrupt("stop");
}

TEST(PreemptionTest, WhoGivesBackWhenInterruptedIsNotToldAfterwards) {
  Plant plant([](Plant& m) {
    const auto task = m.Spawn(IsInterruptedAt4(m));
    m.Spawn(InterruptsAt4(m, task));
    m.Spawn(m.Urgent(4s, 1s));
  });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(plant.notes,
              testing::UnorderedElementsAre(
                  "stop at 4 s", "urgent at 4 s", "done at 14 s"));
}

Task<> AsksForItsOwn(Plant& m) {
  const auto held = co_await m.machine.Acquire({.priority = 2});
  co_await m.Delay(1s);
  try {
    const auto more = co_await m.machine.Acquire({.priority = 1});
    m.Note("has it twice");
  } catch (const Error& error) {
    m.Note(error.what());
  }
  m.Note(held ? "keeps it" : "lost it");
  co_await m.Delay(1s);
}

TEST(PreemptionTest, ARequestForOnesOwnUnitSaysSoAndLosesNothing) {
  Plant plant([](Plant& m) { m.Spawn(AsksForItsOwn(m)); });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(
      plant.notes,
      ElementsAre("cannot acquire 1 of 'machine': 'AsksForItsOwn' would take "
                  "units from itself, which it holds by a less urgent request; "
                  "release these before, or ask for all by one request at 1 s",
                  "keeps it at 1 s"));
  EXPECT_EQ(plant.machine.statistics().preempted, 0);
  EXPECT_EQ(plant.machine.in_use(), 0);
}

Task<> CallsWhoAsks(Plant& m) {
  const auto held = co_await m.machine.Acquire({.priority = 2});
  try {
    co_await m.AnyOf(m.Call(m.Urgent(1s, 1s)), m.Delay(50s));
  } catch (const Error&) {
    m.Note("refused");
  }
  m.Note(held ? "keeps it" : "lost it");
}

TEST(PreemptionTest, ARequestOfACalledTaskDoesNotTakeFromItsCaller) {
  Plant plant([](Plant& m) { m.Spawn(CallsWhoAsks(m)); });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(plant.notes, ElementsAre("refused at 1 s", "keeps it at 1 s"));
}

TEST(PreemptionTest, ARequestForAFreeUnitBesideOnesOwnIsGranted) {
  Plant plant([](Plant& m) { m.Spawn(AsksForItsOwn(m)); }, 2);
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(plant.notes,
              ElementsAre("has it twice at 1 s", "keeps it at 1 s"));
}

Task<> FailsWithTheMachine(Plant& m) {
  const auto held = co_await m.machine.Acquire({.priority = 2});
  const auto man = co_await m.man.Acquire();
  co_await m.Delay(1s);
  throw std::runtime_error("broken");
}

Task<> ForgivesFailure(Plant& m) {
  try {
    co_await m.Call(FailsWithTheMachine(m));
  } catch (const std::runtime_error&) {
    m.Note("broken");
  }
}

// A step that throws is undone, but its task's units go back.
TEST(PreemptionTest, WhatATaskThatFailsHeldGoesBack) {
  Plant plant([](Plant& m) { m.Spawn(ForgivesFailure(m)); });
  Simulator run(plant);
  run.Run();
  EXPECT_THAT(plant.notes, ElementsAre("broken at 1 s"));
  EXPECT_EQ(plant.machine.in_use(), 0);
  EXPECT_EQ(plant.man.in_use(), 0);
}

struct Post : process::Model {
  Store<int> letters{this, "letters"};
  Container tank{this, "tank", {.capacity = 10, .initial = 5}};
  bool has_failed = false;

  Task<> PushesAndFails() {
    co_await Delay(1s);
    letters.Push(1);
    letters.Push(2);
    throw std::runtime_error("broken");
  }

  Task<> Forgives() {
    try {
      co_await Call(PushesAndFails());
    } catch (const std::runtime_error&) {
      has_failed = true;
      letters.Push(3);
    }
  }

  void Start() override { Spawn(Forgives()); }
};

TEST(PreemptionTest, WhatAStepThatFailsHasPushedIsNotInTheStore) {
  Post post;
  Simulator run(post);
  run.Run();
  EXPECT_TRUE(post.has_failed);
  EXPECT_EQ(post.letters.size(), 1);
}

}  // namespace
}  // namespace orrery::queueing
