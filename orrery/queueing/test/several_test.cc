#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/container.h"
#include "orrery/queueing/preemptive_resource.h"
#include "orrery/queueing/resource.h"
#include "orrery/queueing/store.h"

// Waits beside other waits (AnyOf, AllOf).
namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Handle;
using process::Interrupted;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

struct Yard : process::Model {
  Store<int> boxes{this, "boxes", 1};
  Container tank{this, "tank", {.capacity = 10}};
  PreemptiveResource crane{this, "crane"};
  std::vector<std::string> notes;
  std::function<void(Yard&)> start;

  explicit Yard(std::function<void(Yard&)> s) : start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<> PutsBox(Duration at, int box) {
    co_await Delay(at);
    co_await boxes.Put(box);
  }

  Task<> HoldsCrane() {
    const PreemptibleHolding held = co_await crane.Acquire();
    co_await Delay(3s);
  }

  Task<> AwaitsByName() {
    auto either = AnyOf(crane.Acquire(), Delay(9s));
    try {
      co_await either;
    } catch (const Interrupted& interrupted) {
      Note(interrupted.what());
    }
    co_await Delay(1s);
    Note("in use " + std::to_string(crane.in_use()));
    co_await Delay(3s);
    Note("in use " + std::to_string(crane.in_use()));
  }

  Task<> PutsTwice() {
    auto put = boxes.Put(1);
    co_await put;
    co_await put;
  }

  Task<> GetsBox(Duration at) {
    co_await Delay(at);
    Note("box " + std::to_string(co_await boxes.Get()));
  }

  Task<> Interrupts(Duration at, Handle<> task) {
    co_await Delay(at);
    task.Interrupt("stop");
  }
};

void RunInAllOrders(const std::function<void(Yard&)>& start,
                    const std::function<void(Yard&)>& check) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Yard yard(start);
    Simulator run(yard, {.shuffle = order});
    run.Run();
    check(yard);
  }
}

Task<> GetsUntil(Yard& y, Duration patience) {
  auto [box, late] = co_await y.AnyOf(y.boxes.Get(), y.Delay(patience));
  y.Note((box ? "box " + std::to_string(*box) : "none") +
         (late ? ", late" : ""));
}

TEST(SeveralTest, AnItemThatComesWhenTheTimeIsUpIsGiven) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(GetsUntil(y, 3s));
        y.Spawn(y.PutsBox(3s, 7));
      },
      [](const Yard& y) {
        EXPECT_THAT(y.notes, ElementsAre("box 7, late at 3 s"));
        EXPECT_EQ(y.boxes.statistics().gets, 1);
      });
}

Task<> PutsUntil(Yard& y, Duration patience) {
  co_await y.Delay(1s);
  const auto [put, late] = co_await y.AnyOf(y.boxes.Put(2), y.Delay(patience));
  y.Note(std::string(put ? "put" : "not put") + (late ? ", late" : ""));
}

TEST(SeveralTest, ItIsToldWhatWasPutWhenTheTimeIsUp) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(y.PutsBox(0s, 1));
        y.Spawn(PutsUntil(y, 2s));
        y.Spawn(y.GetsBox(3s));
        y.Spawn(y.GetsBox(4s));
      },
      [](const Yard& y) {
        EXPECT_THAT(y.notes,
                    testing::UnorderedElementsAre(
                        "box 1 at 3 s", "put, late at 3 s", "box 2 at 4 s"));
      });
}

Task<> DrawsUntil(Yard& y, Duration patience) {
  const auto [drawn, late] = co_await y.AnyOf(y.tank.Get(4), y.Delay(patience));
  y.Note(std::string(drawn ? "drawn" : "not drawn") + (late ? ", late" : ""));
}

Task<> Pours(Yard& y, Duration at, double amount) {
  co_await y.Delay(at);
  co_await y.tank.Put(amount);
}

TEST(SeveralTest, AnAmountThatComesWhenTheTimeIsUpIsGiven) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(DrawsUntil(y, 3s));
        y.Spawn(Pours(y, 3s, 6));
      },
      [](const Yard& y) {
        EXPECT_THAT(y.notes, ElementsAre("drawn, late at 3 s"));
        EXPECT_EQ(y.tank.level(), 2);
      });
}

Task<> GetsUnlessStopped(Yard& y) {
  try {
    co_await y.AnyOf(y.boxes.Get(), y.tank.Get(4), y.Delay(1h));
    y.Note("unexpected");
  } catch (const Interrupted&) {
    y.Note("stopped");
  }
}

TEST(SeveralTest, WhatAnInterruptedTaskWasGivenJustThenGoesBack) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(y.Interrupts(3s, y.Spawn(GetsUnlessStopped(y))));
        y.Spawn(y.PutsBox(3s, 7));
        y.Spawn(Pours(y, 3s, 6));
        y.Spawn(y.GetsBox(4s));
      },
      [](const Yard& y) {
        EXPECT_THAT(y.notes, ElementsAre("stopped at 3 s", "box 7 at 4 s"));
        EXPECT_EQ(y.tank.level(), 6);
      });
}

Task<> GetsTwo(Yard& y) {
  try {
    const auto [one, two] = co_await y.AllOf(y.boxes.Get(), y.boxes.Get());
    y.Note("both, " + std::to_string(10 * one + two));
  } catch (const Interrupted&) {
    y.Note("stopped");
  }
}

TEST(SeveralTest, WhatCameBeforeAnInterruptOfAllGoesBackToTheFront) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(y.Interrupts(5s, y.Spawn(GetsTwo(y))));
        y.Spawn(y.PutsBox(3s, 7));
        y.Spawn(y.PutsBox(6s, 8));
        y.Spawn(y.GetsBox(7s));
        y.Spawn(y.GetsBox(8s));
      },
      [](const Yard& y) {
        EXPECT_THAT(
            y.notes,
            ElementsAre("stopped at 5 s", "box 7 at 7 s", "box 8 at 8 s"));
      });
}

// Stores by rank and with filters.
struct Racks : process::Model {
  using Item = std::pair<int, int>;

  struct ByRank {
    bool operator()(const Item& a, const Item& b) const {
      return a.first < b.first;
    }
  };

  PriorityStore<Item, ByRank> ranked{this, "ranked"};
  FilterStore<Item> mixed{this, "mixed"};
  std::vector<int> got;

  Task<> IsInterrupted() {
    co_await Delay(1s);
    try {
      co_await AllOf(ranked.Get(), mixed.Get(), Delay(1h));
    } catch (const Interrupted&) {
    }
  }

  Task<> GetsAll() {
    co_await Delay(4s);
    for (int i = 0; i < 2; ++i) {
      got.push_back((co_await ranked.Get()).second);
      got.push_back((co_await mixed.Get()).second);
    }
  }

  Task<> GetsFirst() {
    co_await Delay(2s);
    const Item item =
        co_await mixed.Get([](const Item& one) { return one.second == 1; });
    got.push_back(10 * item.second);
  }

  Task<> Interrupts(Handle<> task) {
    co_await Delay(3s);
    task.Interrupt("stop");
  }

  void Start() override {
    Spawn(Interrupts(Spawn(IsInterrupted())));
    Spawn(GetsFirst());
    Spawn(GetsAll());
    for (const int number : {1, 2, 3}) {
      ranked.Push({5, number});
      mixed.Push({5, number});
    }
  }
};

TEST(SeveralTest, WhatGoesBackHasItsPlaceAndIsSeenByWhoWaits) {
  Racks racks;
  Simulator run(racks);
  run.Run();
  EXPECT_THAT(racks.got, ElementsAre(10, 1, 2, 2, 3));
}

struct Harbour : process::Model {
  Store<std::unique_ptr<int>> crates{this, "crates"};
  std::vector<int> got;

  Task<> GetsOneOfTwo() {
    auto [one, two] = co_await AnyOf(crates.Get(), crates.Get());
    got.push_back(one ? **one : 0);
    got.push_back(two ? **two : 0);
  }

  void Start() override {
    Spawn(GetsOneOfTwo());
    crates.Push(std::make_unique<int>(5));
  }
};

TEST(SeveralTest, UnitsOfSeveralResourcesAreAcquiredTogether) {
  struct Cranes : process::Model {
    Resource north{this, "north"};
    Resource south{this, "south"};
    std::vector<std::string> notes;

    Task<> Lifts(Duration work) {
      std::vector<decltype(north.Acquire())> wanted;
      wanted.push_back(north.Acquire());
      wanted.push_back(south.Acquire());
      const std::vector<Holding> held = co_await AllOf(std::move(wanted));
      co_await Delay(work);
      notes.push_back(std::to_string(held.size()) + " at " + ToText(Now()));
    }

    void Start() override {
      Spawn(Lifts(3s));
      Spawn(Lifts(2s));
    }
  };

  Cranes cranes;
  Simulator run(cranes, {.snapshots = true});
  run.RunUntil(1s);
  const process::Snapshot saved = run.Save();
  run.Run();
  EXPECT_THAT(cranes.notes, ElementsAre("2 at 3 s", "2 at 5 s"));
  EXPECT_EQ(cranes.north.in_use(), 0);
  run.Restore(saved);
  run.Run();
  EXPECT_THAT(cranes.notes,
              ElementsAre("2 at 3 s", "2 at 5 s", "2 at 3 s", "2 at 5 s"));
}

TEST(SeveralTest, AnAnyOfWithANameEndsByAnInterrupt) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(y.HoldsCrane());
        y.Spawn(y.Interrupts(1s, y.Spawn(y.AwaitsByName())));
      },
      [](const Yard& y) {
        EXPECT_THAT(
            y.notes,
            ElementsAre("stop at 1 s", "in use 1 at 2 s", "in use 0 at 5 s"));
        EXPECT_EQ(y.crane.statistics().withdrawn, 1);
      });
}

TEST(SeveralTest, OneItemIsNotPutTwice) {
  Yard yard([](Yard& y) { y.Spawn(y.PutsTwice()); });
  Simulator run(yard);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 0 s: task 'PutsTwice' failed: cannot put one "
            "item into 'boxes' twice: it is there already; make another "
            "request, as in co_await store.Put(item)");
}

TEST(SeveralTest, ItemsThatOnlyMoveAreGiven) {
  Harbour harbour;
  Simulator run(harbour);
  run.Run();
  EXPECT_THAT(harbour.got, ElementsAre(5, 0));
}

TEST(SeveralTest, ASnapshotKeepsWhatHasComeOfAll) {
  const auto start = [](bool is_stopped) {
    return [is_stopped](Yard& y) {
      const Handle<> task = y.Spawn(GetsTwo(y));
      y.Spawn(y.PutsBox(1s, 7));
      y.Spawn(y.PutsBox(6s, 8));
      if (is_stopped) {
        y.Spawn(y.Interrupts(5s, task));
        y.Spawn(y.GetsBox(7s));
      }
    };
  };
  for (const bool is_stopped : {false, true}) {
    Yard yard(start(is_stopped));
    Simulator run(yard, {.snapshots = true});
    run.RunUntil(3s);
    const process::Snapshot amid = run.Save();
    run.RunUntil(20s);
    const std::vector<std::string> expected = yard.notes;
    yard.notes.clear();
    run.Restore(amid);
    run.RunUntil(20s);
    EXPECT_EQ(yard.notes, expected);
    EXPECT_EQ(expected.size(), is_stopped ? 2U : 1U);
    EXPECT_EQ(yard.boxes.size(), is_stopped ? 1 : 0);
  }
}

Task<> HoldsCrane(Yard& y) {
  const PreemptibleHolding held = co_await y.crane.Acquire({.priority = 9});
  for (int i = 0; i < 2; ++i) {
    try {
      co_await y.Delay(1h);
    } catch (const Preempted&) {
      y.Note("preempted");
    } catch (const Interrupted&) {
      y.Note("interrupted");
    }
  }
}

Task<> WantsCrane(Yard& y, Duration at) {
  co_await y.Delay(at);
  const PreemptibleHolding held = co_await y.crane.Acquire({});
}

TEST(SeveralTest, WhoIsInterruptedAndPreemptedAtOneTimeKnowsBoth) {
  RunInAllOrders(
      [](Yard& y) {
        y.Spawn(y.Interrupts(3s, y.Spawn(HoldsCrane(y))));
        y.Spawn(WantsCrane(y, 3s));
      },
      [](const Yard& y) {
        EXPECT_THAT(y.notes,
                    ElementsAre("interrupted at 3 s", "preempted at 3 s"));
      });
}

Task<> AsksAgain(Yard& y) {
  auto crane = y.crane.Acquire();
  auto box = y.boxes.Get();
  co_await y.Delay(500ms);
  try {
    static_cast<void>(co_await crane);
  } catch (const Interrupted&) {
    y.Note("interrupted");
  }
  co_await y.Delay(1s);
  const PreemptibleHolding held = co_await crane;
  y.Note("crane");
  try {
    co_await box;
  } catch (const Interrupted&) {
    y.Note("interrupted");
  }
  y.Note("box " + std::to_string(co_await box));
}

Task<> HoldsCrane(Yard& y, Duration at) {
  co_await y.Delay(at);
  const PreemptibleHolding held = co_await y.crane.Acquire();
  y.Note("other crane");
  co_await y.Delay(4s);
}

TEST(SeveralTest, ARequestWithANameEndsByAnInterruptAndIsAwaitedAgain) {
  Yard yard([](Yard& y) {
    y.Spawn(HoldsCrane(y, 0s));
    const Handle<> task = y.Spawn(AsksAgain(y));
    y.Spawn(y.Interrupts(1s, task));
    y.Spawn(HoldsCrane(y, 1500ms));
    y.Spawn(y.Interrupts(9s, task));
    y.Spawn(y.PutsBox(10s, 7));
  });
  Simulator run(yard);
  run.Run();
  EXPECT_THAT(yard.notes,
              ElementsAre("other crane at 0 s",
                          "interrupted at 1 s",
                          "other crane at 4 s",
                          "crane at 8 s",
                          "interrupted at 9 s",
                          "box 7 at 10 s"));
  EXPECT_EQ(yard.crane.statistics().withdrawn, 1);
  EXPECT_EQ(yard.boxes.gets_waiting(), 0);
}

}  // namespace
}  // namespace orrery::queueing
