#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/base/test/thread_time.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/topic.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

// A step that throws leaves none of its effects (requirement 4, "Allow for
// tasks to operate transactionally").
namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct Accounts : Model {
  Cell<Register<int>> from{this, "from", 40};
  Cell<Register<int>> to{this, "to", 0};
  Cell<Counter<>> tries{this, "tries"};
  std::vector<std::string> heard;
  bool is_caught = true;
  Duration pause{};

  Task<> Transfer(int amount) {
    tries.Add(1);
    if (pause > 0s) {
      co_await Delay(pause);
    }
    from.Set(from.Get() - amount);
    to.Set(to.Get() + amount);
    if (from.Get() < 0) {
      throw std::runtime_error("overdrawn");
    }
  }

  Task<> Catches() {
    try {
      co_await Call(Transfer(60));
    } catch (const std::runtime_error& error) {
      heard.push_back(std::string(error.what()) + " with " +
                      std::to_string(from.Get()));
    }
    co_await Call(Transfer(30));
  }

  Task<> LetsGo() { co_await Call(Transfer(60)); }

  void Start() override {
    if (is_caught) {
      Spawn(Catches());
    } else {
      Spawn(LetsGo());
    }
  }
};

TEST(TransactionTest, AStepWhoseExceptionIsCaughtLeavesNoEffect) {
  for (const Duration pause : {0s, 1s}) {
    Accounts m;
    m.pause = pause;
    Simulator run(m);
    run.Run();
    EXPECT_THAT(m.heard, ElementsAre("overdrawn with 40"));
    EXPECT_EQ(run.Get(m.from), 10);
    EXPECT_EQ(run.Get(m.to), 30);
  }
}

TEST(TransactionTest, AStepWhoseExceptionEndsTheRunLeavesNoEffect) {
  for (const Duration pause : {0s, 1s}) {
    Accounts m;
    m.is_caught = false;
    m.pause = pause;
    Simulator run(m);
    EXPECT_THAT(MessageOf([&] { run.Run(); }),
                testing::EndsWith("failed: overdrawn"));
    EXPECT_EQ(run.Get(m.from), 40);
    EXPECT_EQ(run.Get(m.to), 0);
  }
}

TEST(TransactionTest, TheStepsBeforeItStay) {
  Accounts m;
  m.is_caught = false;
  m.pause = 1s;
  Simulator run(m);
  EXPECT_THROW(run.Run(), Error);
  EXPECT_EQ(run.Get(m.tries), 1);
}

Task<> Deep(Stage& m, int levels) {
  m.c.Add(1);
  if (levels == 0) {
    throw std::runtime_error("at the bottom");
  }
  co_await m.Call(Deep(m, levels - 1));
}

Task<> CatchesDeep(Stage& m, int levels) {
  try {
    co_await m.Call(Deep(m, levels));
  } catch (const std::runtime_error&) {
    m.d.Add(1);
  }
}

// The steps of the callers are over by then: only the one that throws is
// undone.
TEST(TransactionTest, AnExceptionThatPassesCallersUndoesTheStepOfItsOrigin) {
  Stage m([](Stage& s) { s.Spawn(CatchesDeep(s, 5)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.c), 5);
  EXPECT_EQ(run.Get(m.d), 1);
}

Task<> RethrowsAfterEffects(Stage& m) {
  try {
    co_await m.Call(Deep(m, 0));
  } catch (const std::runtime_error&) {
    m.c.Add(100);
    throw;
  }
}

TEST(TransactionTest, WhatAHandlerDoesBeforeItThrowsAgainIsUndone) {
  Stage m([](Stage& s) { s.Spawn(RethrowsAfterEffects(s)); });
  Simulator run(m);
  EXPECT_THROW(run.Run(), Error);
  EXPECT_EQ(run.Get(m.c), 0);
}

struct AllTypes : Model {
  Cell<Register<std::string>> name{this, "name", "old"};
  Cell<Accumulator> level{this, "level", 5.0, 1.0};
  Cell<Counter<>> count{this, "count", 7};
  Cell<PolynomialDynamics<2>> curve{this, "curve", Polynomial{1, 2}};
  Cell<Log<int>> log{this, "log", std::vector<int>{1, 2}};
  Cell<Set<int>> set{this, "set", std::set<int>{1, 2}};
  Cell<Map<int, int>> map{this, "map", std::map<int, int>{{1, 10}, {2, 20}}};
  Cell<Queue<int>> queue{this, "queue", std::vector<int>{1, 2, 3}};
  Cell<Pool> pool{this, "pool", 4};
  Cell<Variable<int>> price{this, "price", 42};
  bool has_company = false;
  bool reads = false;
  std::int64_t read = 0;

  void Read() {
    if (reads) {
      read += static_cast<std::int64_t>(name.Get().size() + log.Get().size() +
                                        set.Get().size() + map.Get().size() +
                                        queue.Get().size());
      read += static_cast<std::int64_t>(level.Get() + curve.Get()) +
              count.Get() + price.Get() + pool.Get();
    }
  }

  Task<> ChangesAll() {
    co_await Delay(2s);
    for (int i = 0; i < 3; ++i) {
      name.Set("new");
      level.Add(3);
      level.SetRate(9);
      count.Add(2);
      curve.Set(Polynomial{7});
      log.Append(3 + i);
      set.Insert(8);
      set.Erase(1);
      map.Put(1, 11);
      map.Put(5, i);
      map.Erase(2);
      queue.Push(40 + i);
      queue.Pop(2);
      pool.Acquire(1);
      price.Change("triple", [](int x) { return 3 * x; });
      Read();
    }
    throw std::runtime_error("no");
  }

  Task<> Catches() {
    try {
      co_await Call(ChangesAll());
    } catch (const std::runtime_error&) {
    }
  }

  Task<> Company() {
    co_await Delay(2s);
    count.Add(1000);
  }

  void Start() override {
    Spawn(Catches());
    if (has_company) {
      Spawn(Company());
    }
  }
};

TEST(TransactionTest, CellsOfAllTypesAreAsTheyWere) {
  for (int i = 0; i < 8; ++i) {
    AllTypes m;
    m.has_company = (i & 1) != 0;
    m.reads = (i & 2) != 0;
    Simulator run(m,
                  {.shuffle = (i & 4) != 0 ? std::optional<std::uint64_t>(i)
                                           : std::nullopt});
    run.RunUntil(3s);
    EXPECT_EQ(run.Get(m.name), "old");
    EXPECT_EQ(run.Get(m.level), 8);
    EXPECT_EQ(run.Get(m.count), m.has_company ? 1007 : 7);
    EXPECT_EQ(run.Get(m.curve), 7);
    EXPECT_THAT(run.Get(m.log), ElementsAre(1, 2));
    EXPECT_THAT(run.Get(m.set), ElementsAre(1, 2));
    EXPECT_EQ(run.Get(m.map), (std::map<int, int>{{1, 10}, {2, 20}}));
    EXPECT_THAT(run.Get(m.queue), ElementsAre(1, 2, 3));
    EXPECT_EQ(run.Get(m.pool), 0);
    EXPECT_EQ(run.Get(m.price), 42);
    EXPECT_EQ(m.read > 0, m.reads);
  }
}

Task<> NeverBegins(Stage& m) {
  m.c.Add(1);
  co_return;
}

Task<> SpawnsAndThrows(Stage& m, Handle<>& handle) {
  co_await m.Delay(1s);
  m.g.Set(5);
  handle = m.Spawn(NeverBegins(m));
  m.Spawn(NeverBegins(m));
  m.g.Set(6);
  throw std::runtime_error("after spawning");
}

template <typename F>
Task<> Forgives(Stage& m, F make) {
  try {
    co_await m.Call(make());
  } catch (const std::runtime_error&) {
    m.d.Add(1);
  }
}

TEST(TransactionTest, WhatItSpawnedNeverBegins) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Handle<> handle;
    Stage m([&](Stage& s) {
      s.Spawn(Forgives(s, [&] { return SpawnsAndThrows(s, handle); }));
      s.Spawn(Forgives(s, [&] { return SpawnsAndThrows(s, handle); }));
    });
    Simulator run(m, {.shuffle = order});
    run.Run();
    EXPECT_EQ(run.Get(m.c), 0);
    EXPECT_EQ(run.Get(m.g), 0);
    EXPECT_EQ(run.Get(m.d), 2);
    EXPECT_TRUE(handle.is_over());
    EXPECT_THAT(run.warnings(), IsEmpty());
  }
}

Task<> SleepsOn(Stage& m) {
  co_await m.Delay(10s);
  m.c.Add(1);
}

Task<> StopsAndThrows(Stage& m, Handle<> one, Handle<> other) {
  co_await m.Delay(1s);
  one.Cancel();
  other.Interrupt("wake up");
  throw std::runtime_error("after that");
}

TEST(TransactionTest, WhomItCancelledAndInterruptedGoesOn) {
  Stage m([](Stage& s) {
    const Handle<> one = s.Spawn(SleepsOn(s));
    const Handle<> other = s.Spawn(SleepsOn(s));
    s.Spawn(Forgives(
        s, [&s, one, other] { return StopsAndThrows(s, one, other); }));
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.now(), 10s);
  EXPECT_EQ(run.Get(m.c), 2);
}

Task<> AwaitsTwoAndThrows(Stage& m) {
  co_await m.AnyOf(m.Delay(1s), m.Call(SleepsOn(m)));
  m.c.Add(100);
  throw std::runtime_error("then");
}

TEST(TransactionTest, WhatItNoLongerWaitsForEnds) {
  Stage m([](Stage& s) {
    s.Spawn(Forgives(s, [&s] { return AwaitsTwoAndThrows(s); }));
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.now(), 1s);
  EXPECT_EQ(run.Get(m.c), 0);
}

Task<> AddsAndThrows(Stage& m, Duration after) {
  co_await m.Delay(after);
  m.c.Add(1);
  throw std::runtime_error("one of several");
}

Task<> AddsAfter(Stage& m, Duration after) {
  co_await m.Delay(after);
  m.c.Add(10);
}

Task<> AwaitsAllOfThem(Stage& m) {
  co_await m.AllOf(m.Call(AddsAndThrows(m, 2s)), m.Call(AddsAfter(m, 1s)));
}

Task<> AwaitsFirstOfThem(Stage& m) {
  co_await m.AnyOf(m.Call(AddsAndThrows(m, 1s)), m.Call(AddsAfter(m, 2s)));
}

// Concurrent steps that did not throw keep their effects.
TEST(TransactionTest, OneOfSeveralIsUndoneAlone) {
  Stage all([](Stage& s) {
    s.Spawn(Forgives(s, [&s] { return AwaitsAllOfThem(s); }));
  });
  Simulator run_all(all);
  run_all.Run();
  EXPECT_EQ(run_all.Get(all.c), 10);
  Stage first([](Stage& s) {
    s.Spawn(Forgives(s, [&s] { return AwaitsFirstOfThem(s); }));
  });
  Simulator run_first(first);
  run_first.Run();
  EXPECT_EQ(run_first.now(), 1s);
  EXPECT_EQ(run_first.Get(first.c), 0);
}

struct Radio : Model {
  Topic<std::string> said{this, "said"};
  Cell<Counter<>> words{this, "words"};

  Radio() {
    said.Feed(words, [](const std::string&) { return Counter<>::Adding(1); });
  }

  Task<> SaysAndThrows() {
    co_await Delay(1s);
    said.Emit("never");
    throw std::runtime_error("off the air");
  }

  Task<> Speaks() {
    said.Emit("hello");
    try {
      co_await Call(SaysAndThrows());
    } catch (const std::runtime_error&) {
      said.Emit("sorry");
    }
  }

  void Start() override { Spawn(Speaks()); }
};

TEST(TransactionTest, WhatItSaidIsNeitherHeardNorLogged) {
  Radio m;
  Simulator run(m, {.records = {.events = true}});
  run.Run();
  EXPECT_EQ(run.Get(m.words), 2);
  const EventLog& events = run.recording().events;
  EXPECT_EQ(events.num_events(), 2);
  ASSERT_EQ(events.num_commits(), 2);
  EXPECT_EQ(events.At(1).graph.num_atoms(), 1);
}

TEST(TransactionTest, NobodyIsToldOfACellThatOnlyItChanged) {
  Stage m([](Stage& s) {
    s.Spawn(Forgives(s, [&s] { return AddsAndThrows(s, 1s); }));
    s.Spawn([](Stage& stage) -> Task<> {
      co_await stage.Until([&stage] { return stage.c.Get() > 5; });
    }(s));
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_EQ(run.statistics().evaluations, 2);  // At 0 s, and at the horizon.
}

TEST(TransactionTest, ASnapshotAfterItGoesOnAlike) {
  Accounts m;
  m.pause = 1s;
  Simulator run(m, {.snapshots = true});
  run.RunUntil(1500ms);
  const Snapshot snapshot = run.Save();
  run.Run();
  EXPECT_EQ(run.Get(m.from), 10);
  run.Restore(snapshot);
  EXPECT_EQ(run.Get(m.from), 40);
  run.Run();
  EXPECT_EQ(run.Get(m.from), 10);
  EXPECT_EQ(run.Get(m.to), 30);
}

Task<> ActsOnOneOfMany(Stage& m, Handle<> idle) {
  co_await m.Delay(1s);
  m.c.Add(1);
  idle.Interrupt("in vain");
  throw std::runtime_error("as all of them");
}

Task<> ForgivesMany(Stage& m, int count) {
  const Handle<> idle = m.Spawn(SleepsOn(m));
  for (int i = 0; i < count; ++i) {
    m.Spawn(Forgives(m, [&m, idle] { return ActsOnOneOfMany(m, idle); }));
  }
  co_return;
}

TEST(TransactionTest, ManyAtOneTimeTakeTimeInProportion) {
  Stage m([](Stage& s) { s.Spawn(ForgivesMany(s, 100'000)); });
  Simulator run(m);
  const auto begin = ThreadTime();
  run.Run();
  EXPECT_LT(ThreadTime() - begin, 5s);
  EXPECT_EQ(run.Get(m.c), 1);  // By the task that sleeps on.
  EXPECT_EQ(run.Get(m.d), 100'000);
}

}  // namespace
}  // namespace orrery::process
