#include "orrery/queueing/store.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
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

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Handle;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

struct Depot : process::Model {
  Container tank{this, "tank", {.capacity = 100, .initial = 10}};
  Store<std::unique_ptr<int>> parts{this, "parts", 2};
  Store<int> numbers{this, "numbers"};
  PriorityStore<int> ranked{this, "ranked"};
  FilterStore<int> mixed{this, "mixed", 10};
  PreemptiveResource machine{this, "machine"};
  std::vector<std::string> notes;
  std::function<void(Depot&)> start;

  explicit Depot(std::function<void(Depot&)> s) : start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<> Fills(Duration at, double amount) {
    co_await Delay(at);
    co_await tank.Put(amount);
    Note("put " + std::to_string(static_cast<int>(amount)));
  }

  Task<> Draws(Duration at, double amount) {
    co_await Delay(at);
    co_await tank.Get(amount);
    Note("got " + std::to_string(static_cast<int>(amount)));
  }

  Task<> Makes(Duration at, int part) {
    co_await Delay(at);
    co_await parts.Put(std::make_unique<int>(part));
    Note("put " + std::to_string(part));
  }

  Task<> Uses(Duration at) {
    co_await Delay(at);
    const std::unique_ptr<int> part = co_await parts.Get();
    Note("got " + std::to_string(*part));
  }
};

TEST(ContainerTest, WhoWantsMuchHoldsUpThoseBehindOnItsSide) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Depot depot([](Depot& d) {
      d.Spawn(d.Draws(1s, 30));
      d.Spawn(d.Draws(2s, 5));
      d.Spawn(d.Fills(3s, 10));
      d.Spawn(d.Fills(4s, 95));
      d.Spawn(d.Fills(5s, 15));
      d.Spawn(d.Draws(6s, 1));
    });
    Simulator run(depot, {.shuffle = order});
    run.Run();
    // 10 + 10 = 20; 95 does not fit, and 15 waits behind it.
    EXPECT_THAT(depot.notes, ElementsAre("put 10 at 3 s"));
    EXPECT_EQ(depot.tank.level(), 20);
    EXPECT_EQ(depot.tank.puts_waiting(), 2);
    EXPECT_EQ(depot.tank.gets_waiting(), 3);
    EXPECT_EQ(run.waiting().size(), 5U);
    EXPECT_EQ(run.waiting()[0].awaits, "1 from 'tank'");
  }
}

TEST(ContainerTest, WhatIsPutInABatchIsGotInItAndMakesRoom) {
  Depot depot([](Depot& d) {
    d.Spawn(d.Draws(1s, 50));
    d.Spawn(d.Draws(1s, 60));
    d.Spawn(d.Fills(2s, 80));
    d.Spawn(d.Fills(2s, 60));
  });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(
      depot.notes,
      ElementsAre(
          "put 80 at 2 s", "got 50 at 2 s", "put 60 at 2 s", "got 60 at 2 s"));
  EXPECT_EQ(depot.tank.level(), 40);
  const StockStatistics statistics = depot.tank.statistics();
  EXPECT_EQ(statistics.gets, 2);
  EXPECT_EQ(statistics.get_wait_s.mean, 1);
  EXPECT_EQ(statistics.gets_waiting.mean, 1);  // 2 from 1 s to 2 s, over 2 s.
  EXPECT_EQ(statistics.level.mean, 10);
  EXPECT_EQ(statistics.level.max, 40);
}

Task<> Watches(Depot& d) {
  co_await d.Until(d.tank > 40.0 && d.numbers >= 2);
  d.Note("both");
}

TEST(ContainerTest, ConditionsSeeLevelsAndSizes) {
  Depot depot([](Depot& d) {
    d.Spawn(Watches(d));
    d.numbers.Push(1);
    d.Spawn(d.Fills(2s, 40));
  });
  Simulator run(depot);
  run.RunUntil(5s);
  EXPECT_EQ(run.waiting().size(), 1U);
  EXPECT_EQ(run.waiting()[0].awaits, "(tank > 40 and numbers >= 2)");
  depot.numbers.Push(2);
  run.Run();
  EXPECT_THAT(depot.notes, ElementsAre("put 40 at 2 s", "both at 5 s"));
}

TEST(ContainerTest, AmountsThatNeverFitAreRefused) {
  Depot depot({});
  EXPECT_EQ(MessageOf([&] { static_cast<void>(depot.tank.Put(101)); }),
            "cannot put 101: 'tank' has a capacity of 100; give an amount "
            "above 0 and up to it");
  EXPECT_EQ(MessageOf([&] { static_cast<void>(depot.tank.Get(0)); }),
            "cannot get 0: 'tank' has a capacity of 100; give an amount above "
            "0 and up to it");
  EXPECT_EQ(MessageOf([&] {
              const Container bad(&depot, "bad", {.capacity = 1, .initial = 2});
            }),
            "cannot make the container 'bad': its capacity is 1 and the "
            "initial amount 2; give a positive capacity, and 0 up to it");
}

// It is preempted elsewhere in the batch in which it is served: the item that
// it was given goes back.
Task<> IsPreemptedWhileServed(Depot& d) {
  const PreemptibleHolding held = co_await d.machine.Acquire({.priority = 9});
  try {
    co_await d.tank.Get(20);
    d.Note("got 20");
  } catch (const Preempted&) {
    d.Note("preempted");
  }
  try {
    static_cast<void>(co_await d.parts.Get());
  } catch (const Preempted&) {
    d.Note("unexpected");
  }
}

Task<> Preempts(Depot& d, Duration at) {
  co_await d.Delay(at);
  const PreemptibleHolding held = co_await d.machine.Acquire({});
}

TEST(ContainerTest, WhatATaskDoesNotTakeGoesBack) {
  for (const bool container_first : {false, true}) {
    Depot depot([&](Depot& d) {
      d.Spawn(IsPreemptedWhileServed(d));
      if (container_first) {
        d.Spawn(d.Fills(3s, 15));
        d.Spawn(Preempts(d, 3s));
      } else {
        d.Spawn(Preempts(d, 3s));
        d.Spawn(d.Fills(3s, 15));
      }
    });
    Simulator run(depot);
    run.Run();
    EXPECT_THAT(
        depot.notes,
        testing::UnorderedElementsAre("put 15 at 3 s", "preempted at 3 s"));
    EXPECT_EQ(depot.tank.level(), 25);
    EXPECT_EQ(depot.machine.in_use(), 0);
  }
}

TEST(StoreTest, ItemsThatOnlyMoveGoFirstInFirstOut) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Depot depot([](Depot& d) {
      d.Spawn(d.Makes(1s, 1));
      d.Spawn(d.Makes(2s, 2));
      d.Spawn(d.Makes(3s, 3));
      d.Spawn(d.Makes(4s, 4));
      d.Spawn(d.Uses(5s));
      d.Spawn(d.Uses(6s));
    });
    Simulator run(depot, {.shuffle = order});
    run.RunUntil(4s);
    EXPECT_EQ(depot.parts.size(), 2);
    EXPECT_EQ(depot.parts.puts_waiting(), 2);
    run.Run();
    EXPECT_EQ(depot.parts.size(), 2);
    EXPECT_EQ(depot.notes.size(), 6U);
    depot.notes.resize(2);
    EXPECT_THAT(depot.notes, ElementsAre("put 1 at 1 s", "put 2 at 2 s"));
    EXPECT_EQ(depot.parts.statistics().put_wait_s.mean, 1);
  }
}

TEST(StoreTest, WhoWaitsGetsWhatIsPut) {
  Depot depot([](Depot& d) {
    d.Spawn(d.Uses(1s));
    d.Spawn(d.Uses(2s));
    d.Spawn(d.Makes(3s, 7));
    d.Spawn(d.Makes(4s, 8));
  });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(
      depot.notes,
      testing::UnorderedElementsAre(
          "put 7 at 3 s", "got 7 at 3 s", "put 8 at 4 s", "got 8 at 4 s"));
  EXPECT_EQ(depot.parts.statistics().level.max, 0);
}

Task<> PushesRounds(Depot& d, int rounds, std::vector<int>& got) {
  int next = 0;
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < i; ++k) {
      d.numbers.Push(next++);
    }
    for (int k = 0; k < i - 1; ++k) {
      got.push_back(co_await d.numbers.Get());
    }
  }
}

TEST(StoreTest, ItsRingGrowsAndTurns) {
  std::vector<int> got;
  Depot depot([&](Depot& d) { d.Spawn(PushesRounds(d, 30, got)); });
  Simulator run(depot);
  run.Run();
  ASSERT_EQ(got.size(), 406U);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i], static_cast<int>(i));
  }
  EXPECT_EQ(depot.numbers.size(), 29);
}

Task<> Pushes(Depot& d, int number) {
  d.numbers.Push(number);
  co_return;
}

Task<> GetsAll(Depot& d, std::vector<int>& got) {
  for (;;) {
    got.push_back(co_await d.numbers.Get());
  }
}

TEST(StoreTest, WhatIsPushedInABatchComesInTheOrderOfItsSteps) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    std::vector<int> got;
    Depot depot([&](Depot& d) {
      d.Spawn(GetsAll(d, got));
      for (int i = 0; i < 4; ++i) {
        d.Spawn(Pushes(d, i));
      }
    });
    Simulator run(depot, {.shuffle = order});
    run.Run();
    EXPECT_THAT(got, ElementsAre(0, 1, 2, 3));
  }
}

TEST(StoreTest, WhatMayBeFullIsNotPushedInto) {
  Depot depot({});
  EXPECT_EQ(MessageOf([&] { depot.parts.Push(nullptr); }),
            "cannot push an item into 'parts': it may be full, with a capacity "
            "of 2; co_await its Put");
  EXPECT_EQ(MessageOf([&] { const Store<int> bad(&depot, "bad", 0); }),
            "cannot make the store 'bad': its capacity is 0; give one of 1 or "
            "more");
}

Task<> TakesRanked(Depot& d, std::vector<int>& got) {
  for (const int item : {5, 3, 8, 3, 1}) {
    d.ranked.Push(item);
  }
  co_await d.Delay(1s);
  for (int i = 0; i < 5; ++i) {
    got.push_back(co_await d.ranked.Get());
  }
}

TEST(PriorityStoreTest, TheLeastItemGoesFirst) {
  std::vector<int> got;
  Depot depot([&](Depot& d) { d.Spawn(TakesRanked(d, got)); });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(got, ElementsAre(1, 3, 3, 5, 8));
}

struct Named {
  int rank;
  int name;

  friend bool operator<(const Named& a, const Named& b) {
    return a.rank < b.rank;
  }
};

TEST(PriorityStoreTest, EqualItemsGoFirstInFirstOut) {
  internal::Heap<Named, std::less<>> heap;
  internal::ItemFilter<Named> any;
  for (int i = 0; i < 20; ++i) {
    heap.Add({i % 3, i});
  }
  int last = -1;
  for (int i = 0; i < 20; ++i) {
    const Named item = heap.TakeFor(any).value().item;
    EXPECT_GT(100 * item.rank + item.name, last);
    last = 100 * item.rank + item.name;
  }
}

Task<> Wants(Depot& d, Duration at, int multiple) {
  co_await d.Delay(at);
  const int item = co_await d.mixed.Get(
      [multiple](int number) { return number % multiple == 0; });
  d.Note(std::to_string(multiple) + " got " + std::to_string(item));
}

Task<> PutsMixed(Depot& d, Duration at, std::vector<int> items) {
  co_await d.Delay(at);
  for (const int item : items) {
    co_await d.mixed.Put(item);
  }
}

TEST(FilterStoreTest, WhoFindsNothingHoldsUpNobody) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Depot depot([](Depot& d) {
      d.Spawn(PutsMixed(d, 0s, {4, 6, 9}));
      d.Spawn(Wants(d, 1s, 5));
      d.Spawn(Wants(d, 2s, 3));
      d.Spawn(Wants(d, 3s, 3));
      d.Spawn(Wants(d, 4s, 3));
      d.Spawn(PutsMixed(d, 5s, {3, 10}));
    });
    Simulator run(depot, {.shuffle = order});
    run.Run();
    EXPECT_THAT(depot.notes,
                ElementsAre("3 got 6 at 2 s",
                            "3 got 9 at 3 s",
                            "3 got 3 at 5 s",
                            "5 got 10 at 5 s"));
    EXPECT_EQ(depot.mixed.size(), 1);
  }
}

Task<> WantsBadly(Depot& d) {
  try {
    static_cast<void>(co_await d.mixed.Get([](int number) -> bool {
      throw std::runtime_error("cannot judge " + std::to_string(number));
    }));
  } catch (const std::runtime_error& error) {
    d.Note(error.what());
  }
}

TEST(FilterStoreTest, WhatAPredicateThrowsReachesItsTask) {
  Depot depot([](Depot& d) {
    d.Spawn(WantsBadly(d));
    d.Spawn(PutsMixed(d, 2s, {4}));
  });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(depot.notes, ElementsAre("cannot judge 4 at 2 s"));
  EXPECT_EQ(depot.mixed.size(), 1);
}

Task<> GetsLate(Depot& d, int& got) {
  auto [item, late] = co_await d.AnyOf(d.numbers.Get(), d.Delay(3s));
  d.Note(late ? "late" : "in time");
  if (item) {
    got = *item;
  }
}

Task<> PushesAt(Depot& d, Duration at, int number) {
  co_await d.Delay(at);
  co_await d.numbers.Put(number);
}

TEST(StoreTest, ARequestThatIsLateLeavesTheLine) {
  int got = 0;
  Depot depot([&](Depot& d) {
    d.Spawn(GetsLate(d, got));
    d.Spawn(PushesAt(d, 4s, 5));
  });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(depot.notes, ElementsAre("late at 3 s"));
  EXPECT_EQ(got, 0);
  EXPECT_EQ(depot.numbers.size(), 1);
}

Task<> ServesMany(Depot& d) {
  const PreemptibleHolding held = co_await d.machine.Acquire({.priority = 9});
  try {
    static_cast<void>(co_await d.numbers.Get());
    d.Note("unexpected");
  } catch (const Preempted&) {
    d.Note("preempted");
  }
}

Task<> GetsNumber(Depot& d, Duration at) {
  co_await d.Delay(at);
  d.Note(std::to_string(co_await d.numbers.Get()));
}

TEST(StoreTest, AnItemThatATaskDoesNotTakeGoesBackToTheFront) {
  Depot depot([](Depot& d) {
    d.Spawn(ServesMany(d));
    d.Spawn(PushesAt(d, 3s, 1));
    d.Spawn(PushesAt(d, 3s, 2));
    d.Spawn(Preempts(d, 3s));
    d.Spawn(GetsNumber(d, 5s));
    d.Spawn(GetsNumber(d, 5s));
  });
  Simulator run(depot);
  run.Run();
  EXPECT_THAT(depot.notes,
              ElementsAre("preempted at 3 s", "1 at 5 s", "2 at 5 s"));
}

}  // namespace
}  // namespace orrery::queueing
