#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/test/thread_time.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/internal/wait_queue.h"
#include "orrery/queueing/preemptive_resource.h"
#include "orrery/queueing/resource.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Handle;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

struct Member {
  double priority = 0;
  std::uint64_t number = 0;
  std::size_t position = 0;

  [[nodiscard]] std::uint64_t order() const { return number; }
};

RC_GTEST_PROP(PriorityLineTest, ItIsAStableSort, ()) {
  // For each member: a priority, and true if it leaves before its turn.
  const auto drawn = *rc::gen::container<std::vector<std::pair<int, bool>>>(
      rc::gen::pair(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 5)),
                    rc::gen::arbitrary<bool>()));
  std::vector<Member> members(drawn.size());
  internal::PriorityWaitQueue<Member> line;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    members[i].priority = drawn[i].first;
    members[i].number = i;
    line.Add(members[i]);
  }
  std::vector<const Member*> expected;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].second) {
      line.Remove(members[i]);
    } else {
      expected.push_back(&members[i]);
    }
  }
  std::ranges::stable_sort(
      expected, {}, [](const Member* m) { return m->priority; });
  RC_ASSERT(line.size() == expected.size());
  for (const Member* member : expected) {
    RC_ASSERT(line.first() == member);
    line.Remove(*line.first());
  }
  RC_ASSERT(line.first() == nullptr);
}

struct Clinic : process::Model {
  PriorityResource doctor{this, "doctor"};
  PreemptiveResource machine;
  std::vector<std::string> notes;
  std::function<void(Clinic&)> start;

  explicit Clinic(std::function<void(Clinic&)> s, std::int64_t capacity = 1)
      : machine(this, "machine", capacity), start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<> Patient(std::string name, Duration arrival, double priority) {
    co_await Delay(arrival);
    const Holding held = co_await doctor.Acquire({.priority = priority});
    Note(name);
    co_await Delay(10s);
  }

  Task<> Job(std::string name,
             Duration arrival,
             Duration work,
             PreemptivePriority priority) {
    co_await Delay(arrival);
    try {
      const PreemptibleHolding held = co_await machine.Acquire(priority);
      Note(name);
      co_await Delay(work);
      Note(name + " done");
    } catch (const Preempted& preempted) {
      Note(name + " lost after " + ToText(preempted.usage()));
    }
  }
};

TEST(PriorityResourceTest, TheMostUrgentIsNextAmongEqualsWhoCameFirst) {
  Clinic clinic([](Clinic& c) {
    c.Spawn(c.Patient("a", 0s, 9));
    c.Spawn(c.Patient("b", 1s, 2));
    c.Spawn(c.Patient("c", 2s, 1));
    c.Spawn(c.Patient("d", 3s, 2));
    c.Spawn(c.Patient("e", 4s, -1));
  });
  Simulator run(clinic);
  run.Run();
  EXPECT_THAT(
      clinic.notes,
      ElementsAre(
          "a at 0 s", "e at 10 s", "c at 20 s", "b at 30 s", "d at 40 s"));
}

TEST(PriorityResourceTest, APriorityIsANumber) {
  Clinic clinic({});
  try {
    static_cast<void>(clinic.doctor.Acquire(
        {.priority = std::numeric_limits<double>::quiet_NaN()}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot acquire units of 'doctor': the priority is not a "
                 "number; give one, the lower the sooner");
  }
}

TEST(PreemptiveResourceTest, TheMoreUrgentTakesWhatAnotherHolds) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Clinic clinic([](Clinic& c) {
      c.Spawn(c.Job("slow", 1s, 10s, {.priority = 2}));
      c.Spawn(c.Job("equal", 2s, 1s, {.priority = 2}));
      c.Spawn(c.Job("polite", 3s, 1s, {.priority = 1, .preempts = false}));
      c.Spawn(c.Job("urgent", 4s, 2s, {.priority = 0}));
    });
    Simulator run(clinic, {.shuffle = order});
    run.Run();
    EXPECT_THAT(clinic.notes,
                testing::UnorderedElementsAre("slow at 1 s",
                                              "slow lost after 3 s at 4 s",
                                              "urgent at 4 s",
                                              "urgent done at 6 s",
                                              "polite at 6 s",
                                              "polite done at 7 s",
                                              "equal at 7 s",
                                              "equal done at 8 s"));
    EXPECT_EQ(clinic.machine.statistics().preempted, 1);
    EXPECT_EQ(clinic.machine.statistics().in_use.max, 1);
  }
}

// A task that gives back in the batch is not preempted.
TEST(PreemptiveResourceTest, WhoGivesBackInTheSameBatchLosesNothing) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Clinic clinic([](Clinic& c) {
      c.Spawn(c.Job("urgent", 3s, 2s, {.priority = 0}));
      c.Spawn(c.Job("slow", 0s, 3s, {.priority = 2}));
    });
    Simulator run(clinic, {.shuffle = order});
    run.Run();
    EXPECT_THAT(clinic.notes,
                ElementsAre("slow at 0 s",
                            "slow done at 3 s",
                            "urgent at 3 s",
                            "urgent done at 5 s"));
  }
}

TEST(PreemptiveResourceTest, TheLeastUrgentAndLatestLoseAndOnlyIfThatHelps) {
  Clinic clinic(
      [](Clinic& c) {
        c.Spawn(c.Job("a", 0s, 9s, {.priority = 3}));
        c.Spawn(c.Job("b", 1s, 9s, {.priority = 5}));
        c.Spawn(c.Job("c", 2s, 9s, {.priority = 5}));
        c.Spawn(c.Job("d", 3s, 9s, {.priority = 1}));
        c.Spawn(c.Job("four", 4s, 1s, {.priority = 2, .units = 4}));
        c.Spawn(c.Job("two", 5s, 1s, {.priority = 0, .units = 2}));
      },
      4);
  Simulator run(clinic);
  run.RunUntil(5s);
  EXPECT_THAT(clinic.notes,
              ElementsAre("a at 0 s",
                          "b at 1 s",
                          "c at 2 s",
                          "d at 3 s",
                          "c lost after 3 s at 5 s",
                          "b lost after 4 s at 5 s",
                          "two at 5 s"));
  run.Run();
  EXPECT_EQ(clinic.machine.in_use(), 0);
}

Task<> Machines(Clinic& c) {
  PreemptibleHolding held = co_await c.machine.Acquire({.priority = 5});
  try {
    co_await c.Delay(10s);
  } catch (const Preempted& preempted) {
    c.Note(preempted.what());
    c.Note(preempted.by() + " since " + ToText(preempted.since()));
    c.Note(held ? "held" : "void");
  }
  co_await c.Delay(10s);  // No other exception follows.
  held.Release();
}

Task<> Shift(Clinic& c) {
  co_await c.Call(c.Job("urgent", 4s, 1s, {}));
}

// A search of all holdings for each victim took 20 s.
TEST(PreemptiveResourceTest, AmongManyHoldingsTheOneThatLosesIsFoundAtOnce) {
  constexpr int kJobs = 40'000;
  Clinic clinic(
      [](Clinic& c) {
        for (int i = 0; i < kJobs; ++i) {
          c.Spawn(c.Job("slow", 0s, 9s, {.priority = 2}));
          c.Spawn(c.Job("urgent", 1s + i * 1us, 9s, {.priority = 1}));
        }
      },
      kJobs);
  Simulator run(clinic);
  const auto begin = ThreadTime();
  run.Run();
  EXPECT_LT(ThreadTime() - begin, 5s);
  EXPECT_EQ(clinic.machine.statistics().preempted, kJobs);
  EXPECT_EQ(clinic.machine.statistics().in_use.max, kJobs);
}

TEST(PreemptiveResourceTest, TheVictimKnowsByWhomAndSinceWhen) {
  Clinic clinic([](Clinic& c) {
    c.Spawn(Machines(c));
    c.Spawn(Shift(c));
  });
  Simulator run(clinic);
  run.Run();
  EXPECT_THAT(clinic.notes,
              ElementsAre("'machine' was taken by 'Shift > Job' after 4 s at "
                          "4 s",
                          "Shift > Job since 0 s at 4 s",
                          "void at 4 s",
                          "urgent at 4 s",
                          "urgent done at 5 s"));
  EXPECT_EQ(clinic.machine.in_use(), 0);
}

Task<> AcquiresInTime(Clinic& c) {
  auto [held, late] =
      co_await c.AnyOf(c.machine.Acquire({.priority = 5}), c.Delay(3s));
  c.Note(held ? "held" : "late");
  try {
    co_await c.Delay(10s);
  } catch (const Preempted&) {
    c.Note(*held ? "held" : "void");
  }
}

TEST(PreemptiveResourceTest, TheVictimIsWhoMovedTheHoldingLast) {
  Clinic clinic([](Clinic& c) {
    c.Spawn(AcquiresInTime(c));
    c.Spawn(c.Job("urgent", 4s, 1s, {}));
  });
  Simulator run(clinic);
  run.Run();
  EXPECT_THAT(
      clinic.notes,
      ElementsAre(
          "held at 0 s", "void at 4 s", "urgent at 4 s", "urgent done at 5 s"));
}

Task<> Keeps(Clinic& c, PreemptibleHolding& kept) {
  kept = co_await c.machine.Acquire({.priority = 5});
}

TEST(PreemptiveResourceTest, AHoldingWhoseTaskIsOverIsLostInSilence) {
  PreemptibleHolding kept;
  Clinic clinic([&](Clinic& c) {
    c.Spawn(Keeps(c, kept));
    c.Spawn(c.Job("urgent", 4s, 1s, {}));
  });
  Simulator run(clinic);
  run.RunUntil(3s);
  EXPECT_EQ(kept.units(), 1);
  run.Run();
  EXPECT_EQ(kept.units(), 0);
  EXPECT_THAT(clinic.notes, ElementsAre("urgent at 4 s", "urgent done at 5 s"));
}

TEST(PreemptiveResourceTest, AHoldingOfAnotherRunIsVoid) {
  PreemptibleHolding kept;
  Clinic clinic([&](Clinic& c) { c.Spawn(Keeps(c, kept)); });
  { Simulator(clinic).RunUntil(3s); }
  EXPECT_TRUE(kept);
  PreemptibleHolding of_first = std::move(kept);
  Simulator run(clinic);
  EXPECT_FALSE(of_first);
  run.RunUntil(3s);
  EXPECT_EQ(clinic.machine.in_use(), 1);
  kept.Release();
  EXPECT_EQ(clinic.machine.in_use(), 0);
}

Task<> Cancels(Clinic& c, Duration at, Handle<> other) {
  co_await c.Delay(at);
  other.Cancel();
}

TEST(PreemptiveResourceTest, CancelledTasksGiveBackAndMakeWay) {
  Clinic clinic([](Clinic& c) {
    const Handle<> a = c.Spawn(c.Job("a", 0s, 9s, {.priority = 1}));
    const Handle<> b = c.Spawn(c.Job("b", 1s, 9s, {.priority = 1}));
    c.Spawn(c.Job("c", 2s, 9s, {.priority = 1}));
    c.Spawn(Cancels(c, 3s, b));
    c.Spawn(Cancels(c, 4s, a));
  });
  Simulator run(clinic);
  run.Run();
  EXPECT_THAT(clinic.notes,
              ElementsAre("a at 0 s", "c at 4 s", "c done at 13 s"));
  EXPECT_EQ(clinic.machine.statistics().withdrawn, 1);
}

/// One task takes the machine for 5 s; the other is interrupted as it gets it.
struct Crossroads : process::Model {
  PreemptiveResource machine{this, "machine"};

  Task<> Takes() {
    const PreemptibleHolding held = co_await machine.Acquire();
    co_await Delay(5s);
  }

  Task<> Tries() {
    try {
      co_await AnyOf(machine.Acquire(), Delay(100s));
    } catch (const process::Interrupted& interrupted) {
      Annotate("why", interrupted.what());
    }
    co_await Delay(100s);
  }

  Task<> Stops(Handle<> task) {
    co_await Delay(5s);
    task.Interrupt("go on");
  }

  void Start() override {
    Spawn(Takes());
    Spawn(Stops(Spawn(Tries())));
  }
};

TEST(PreemptiveResourceTest, WhatAnInterruptedTaskWasGivenJustThenGoesBack) {
  Crossroads crossroads;
  Simulator run(crossroads);
  run.RunUntil(6s);
  EXPECT_EQ(crossroads.machine.statistics().granted, 2);
  EXPECT_EQ(crossroads.machine.in_use(), 0);
}

}  // namespace
}  // namespace orrery::queueing
