#include "orrery/queueing/resource.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/count_allocations.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/test/models.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Handle;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

TEST(ResourceTest, WhoComesFirstIsServedFirst) {
  Shop shop(2, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 5s));
    s.Spawn(s.Customer("b", 0s, 3s));
    s.Spawn(s.Customer("c", 0s, 4s));
    s.Spawn(s.Customer("d", 0s, 1s));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes,
              ElementsAre("a at 0 s", "b at 0 s", "c at 3 s", "d at 5 s"));
  EXPECT_EQ(run.now(), 7s);
}

TEST(ResourceTest, WhoWantsManyHoldsUpThoseBehind) {
  Shop shop(3, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 5s, 2));
    s.Spawn(s.Customer("b", 1s, 1s, 2));
    s.Spawn(s.Customer("c", 2s, 1s, 1));
  });
  Simulator run(shop);
  run.RunUntil(3s);
  EXPECT_EQ(shop.servers.in_use(), 2);
  EXPECT_EQ(shop.servers.available(), 1);
  EXPECT_EQ(shop.servers.queue_length(), 2);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("a at 0 s", "b at 5 s", "c at 5 s"));
}

// The step that asks comes before the one that gives back.
TEST(ResourceTest, WhatIsGivenBackInABatchServesWhatIsAskedInIt) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Shop shop(1, [](Shop& s) {
      s.Spawn(s.Customer("late", 2s, 1s));
      s.Spawn(s.Customer("early", 0s, 2s));
    });
    Simulator run(shop, {.shuffle = order});
    run.Run();
    EXPECT_THAT(shop.notes, ElementsAre("early at 0 s", "late at 2 s"));
    EXPECT_EQ(shop.servers.statistics().queue.max, 0);
  }
}

Task<> ReadsItsRequests(Shop& s, std::vector<std::int64_t>& reads) {
  Holding held = co_await s.servers.Acquire(2);
  reads.push_back(s.servers.in_use());
  held.Release();
  reads.push_back(s.servers.in_use());
  reads.push_back(held.units());
  co_await s.Delay(0s);
  reads.push_back(s.servers.in_use());
}

TEST(ResourceTest, WhatIsSeenOfItChangesBetweenBatches) {
  std::vector<std::int64_t> reads;
  Shop shop(2, [&](Shop& s) { s.Spawn(ReadsItsRequests(s, reads)); });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(2, 2, 0, 0));
}

Task<> WaitsForIdle(Shop& s) {
  co_await s.Delay(1s);
  co_await s.Until([&s] { return s.servers.in_use() == 0; });
  s.Note("idle");
  co_await s.Until([&s] { return s.servers.queue_length() == 1; });
  s.Note("queue");
}

TEST(ResourceTest, ConditionsSeeIt) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(WaitsForIdle(s));
    s.Spawn(s.Customer("a", 0s, 3s));
    s.Spawn(s.Customer("b", 5s, 3s));
    s.Spawn(s.Customer("c", 6s, 3s));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(
      shop.notes,
      ElementsAre(
          "a at 0 s", "idle at 3 s", "b at 5 s", "queue at 6 s", "c at 8 s"));
}

Task<> Cancels(Shop& s, Duration at, Handle<> other) {
  co_await s.Delay(at);
  other.Cancel();
}

TEST(ResourceTest, ACancelledRequestMakesWayForThoseBehind) {
  Shop shop(2, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 10s));
    const Handle<> b = s.Spawn(s.Customer("b", 1s, 1s, 2));
    s.Spawn(s.Customer("c", 2s, 1s));
    s.Spawn(Cancels(s, 3s, b));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("a at 0 s", "c at 3 s"));
  const ResourceStatistics statistics = shop.servers.statistics();
  EXPECT_EQ(statistics.requests, 3);
  EXPECT_EQ(statistics.granted, 2);
  EXPECT_EQ(statistics.withdrawn, 1);
}

TEST(ResourceTest, ACancelledHolderGivesBack) {
  Shop shop(1, [](Shop& s) {
    const Handle<> a = s.Spawn(s.Customer("a", 0s, 10s));
    s.Spawn(s.Customer("b", 1s, 1s));
    s.Spawn(Cancels(s, 3s, a));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("a at 0 s", "b at 3 s"));
  EXPECT_EQ(shop.servers.in_use(), 0);
}

// The one that is cancelled in the batch that frees a server gets none.
TEST(ResourceTest, NothingIsGrantedToWhoIsCancelledInTheSameBatch) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Shop shop(1, [](Shop& s) {
      s.Spawn(s.Customer("a", 0s, 3s));
      const Handle<> b = s.Spawn(s.Customer("b", 1s, 1s));
      s.Spawn(s.Customer("c", 2s, 1s));
      s.Spawn(Cancels(s, 3s, b));
    });
    Simulator run(shop, {.shuffle = order});
    run.Run();
    EXPECT_THAT(shop.notes, ElementsAre("a at 0 s", "c at 3 s"));
    EXPECT_EQ(shop.servers.statistics().granted, 2);
    EXPECT_EQ(shop.servers.statistics().withdrawn, 1);
  }
}

Task<> Reneges(Shop& s, std::string name, Duration arrival, Duration patience) {
  co_await s.Delay(arrival);
  auto [held, late] = co_await s.AnyOf(s.servers.Acquire(), s.Delay(patience));
  s.Note(name + (held ? " held" : "") + (late ? " late" : ""));
  if (held) {
    co_await s.Delay(1s);
  }
}

TEST(ResourceTest, WhoIsNotServedInTimeLeaves) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 5s));
    s.Spawn(Reneges(s, "b", 1s, 3s));
    s.Spawn(Reneges(s, "c", 2s, 30s));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes,
              ElementsAre("a at 0 s", "b late at 4 s", "c held at 5 s"));
  EXPECT_EQ(shop.servers.in_use(), 0);
  EXPECT_EQ(shop.servers.statistics().withdrawn, 1);
  EXPECT_EQ(run.now(), 6s);
}

// The server is free at the end of the batch in which patience ends.
TEST(ResourceTest, WhatIsGrantedWhenPatienceEndsIsHeld) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Shop shop(1, [](Shop& s) {
      s.Spawn(s.Customer("a", 0s, 5s));
      s.Spawn(Reneges(s, "b", 2s, 3s));
      s.Spawn(s.Customer("c", 3s, 1s));
    });
    Simulator run(shop, {.shuffle = order});
    run.Run();
    EXPECT_THAT(shop.notes,
                ElementsAre("a at 0 s", "b held late at 5 s", "c at 6 s"));
    EXPECT_EQ(shop.servers.in_use(), 0);
    EXPECT_EQ(run.now(), 7s);
  }
}

Task<> LeavesWhatItIsGranted(Shop& s) {
  co_await s.Delay(1s);
  try {
    co_await s.AnyOf(s.servers.Acquire(), s.Delay(1h));
  } catch (const process::Interrupted& interrupted) {
    s.Note(interrupted.what());
  }
  co_await s.Delay(1h);
}

Task<> TakesBoth(Shop& s) {
  co_await s.Delay(5s);
  auto [held, late] =
      co_await s.AnyOf(s.servers.Acquire(), s.Call([](Shop& m) -> Task<> {
        co_await m.Delay(0s);
      }(s)));
  s.Note(std::string(held ? "held" : "") + (late ? " late" : ""));
}

TEST(ResourceTest, AGrantAndATimeoutMayComeTogether) {
  Shop shop(1, [](Shop& s) { s.Spawn(TakesBoth(s)); });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("held late at 5 s"));
  EXPECT_EQ(shop.servers.in_use(), 0);
}

Task<> FailsInTwoBatches(Shop& s) {
  co_await s.Delay(5s);
  co_await s.Delay(0s);
  throw std::runtime_error("too late to matter");
}

Task<> CallsFailingLater(Shop& s) {
  try {
    co_await s.Call(FailsInTwoBatches(s));
  } catch (const process::Interrupted& interrupted) {
    s.Note(interrupted.what());
  }
}

Task<> InterruptsAt(Shop& s, Duration at, Handle<> other) {
  co_await s.Delay(at);
  other.Interrupt("enough");
}

// In the batch in which the one that called it goes on without it.
TEST(ResourceTest, OfWhatFailsWhenNobodyWaitsAnyMoreAWarningTells) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Shop shop(1, [](Shop& s) {
      s.Spawn(InterruptsAt(s, 5s, s.Spawn(CallsFailingLater(s))));
    });
    Simulator run(shop, {.shuffle = order});
    run.Run();
    EXPECT_THAT(shop.notes, ElementsAre("enough at 5 s"));
    EXPECT_THAT(run.warnings(),
                ElementsAre("task 'CallsFailingLater > FailsInTwoBatches' "
                            "failed at 5 s when its caller did not wait for "
                            "it any more: too late to matter"));
  }
}

TEST(ResourceTest, WhatAnInterruptedTaskWasGrantedJustThenGoesBack) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Shop shop(1, [](Shop& s) {
      s.Spawn(s.Customer("a", 0s, 5s));
      s.Spawn(InterruptsAt(s, 5s, s.Spawn(LeavesWhatItIsGranted(s))));
      s.Spawn(s.Customer("c", 3s, 1s));
    });
    Simulator run(shop, {.shuffle = order});
    run.Run();
    EXPECT_THAT(
        shop.notes,
        testing::UnorderedElementsAre("a at 0 s", "enough at 5 s", "c at 5 s"));
    EXPECT_EQ(shop.servers.in_use(), 0);
  }
}

Task<Holding> Acquires(Shop& s) {
  co_return co_await s.servers.Acquire();
}

Task<> PassesOn(Shop& s) {
  Holding held = co_await s.Call(Acquires(s));
  s.Note("held " + std::to_string(held.units()));
  Holding other;
  other = std::move(held);
  co_await s.Delay(2s);
}

TEST(ResourceTest, HoldingsPassFromTaskToTask) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(PassesOn(s));
    s.Spawn(s.Customer("next", 1s, 1s));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("held 1 at 0 s", "next at 2 s"));
}

TEST(ResourceTest, AResultThatIsDroppedBetweenStepsGoesBack) {
  std::optional<Handle<Holding>> result;
  Shop shop(1, [&](Shop& s) {
    result = s.Spawn(Acquires(s));
    s.Spawn(s.Customer("next", 1s, 1s));
  });
  Simulator run(shop);
  run.RunUntil(5s);
  EXPECT_EQ(shop.servers.queue_length(), 1);
  result.reset();
  EXPECT_EQ(run.next_time(), 5s);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("next at 5 s"));
  EXPECT_EQ(shop.servers.in_use(), 0);
}

TEST(ResourceTest, TheResultOfATaskThatNobodyRefersToGoesBack) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(Acquires(s));
    s.Spawn(s.Customer("next", 0s, 1s));
  });
  Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.notes, ElementsAre("next at 0 s"));
  EXPECT_EQ(shop.servers.in_use(), 0);
}

Task<> Keeps(Shop& s, Holding& kept) {
  kept = co_await s.servers.Acquire();
}

TEST(ResourceTest, AHoldingOfAnotherRunIsVoid) {
  Holding kept;
  Shop shop(1, [&](Shop& s) { s.Spawn(Keeps(s, kept)); });
  {
    Simulator run(shop);
    run.RunUntil(1s);
    EXPECT_EQ(shop.servers.in_use(), 1);
  }
  Simulator run(shop);
  Holding of_first = std::move(kept);
  run.RunUntil(1s);
  EXPECT_EQ(shop.servers.in_use(), 1);
  of_first.Release();
  EXPECT_EQ(shop.servers.in_use(), 1);
  kept.Release();
  EXPECT_EQ(shop.servers.in_use(), 0);
}

TEST(ResourceTest, ARunMayEndWhileTasksHoldAndWait) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 5s));
    s.Spawn(s.Customer("b", 0s, 5s));
    s.Spawn(Reneges(s, "c", 1s, 30s));
  });
  {
    Simulator run(shop);
    run.RunUntil(2s);
    EXPECT_EQ(shop.servers.queue_length(), 2);
  }
  Simulator again(shop);
  EXPECT_EQ(shop.servers.in_use(), 0);
  EXPECT_EQ(shop.servers.queue_length(), 0);
  again.Run();
  EXPECT_EQ(again.now(), 11s);
}

Task<> NeverWaits(Shop& s) {
  const Holding held = co_await s.servers.Acquire();
  for (;;) {
    s.Spawn(s.Customer("x", 1s, 1s));
  }
}

TEST(ResourceTest, AStepThatNeverEndsFailsAndGivesBack) {
  Shop shop(1, [](Shop& s) { s.Spawn(NeverWaits(s)); });
  Simulator run(shop, {.max_operations = 100});
  EXPECT_THROW(run.Run(), Error);
  EXPECT_EQ(shop.servers.in_use(), 0);
}

TEST(ResourceTest, WhoWaitsIsKnownWithWhatFor) {
  Shop shop(3, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 10h, 2));
    s.Spawn(s.Customer("b", 0s, 1s, 2));
  });
  Simulator run(shop);
  run.RunUntil(1s);
  EXPECT_THAT(run.waiting(),
              ElementsAre(process::WaitingTask{.task = "Customer",
                                               .awaits = "2 of 'servers'"}));
}

TEST(ResourceTest, WhatCannotBeIsRefused) {
  EXPECT_EQ(MessageOf([] { const Shop shop(0, {}); }),
            "cannot make the resource 'servers': its capacity is 0; give one "
            "of 1 or more");
  Shop shop(2, {});
  EXPECT_EQ(MessageOf([&] { static_cast<void>(shop.servers.Acquire(3)); }),
            "cannot acquire 3 of 'servers': it has 2; ask for 1 to 2");
  EXPECT_EQ(MessageOf([&] { static_cast<void>(shop.servers.Acquire(0)); }),
            "cannot acquire 0 of 'servers': it has 2; ask for 1 to 2");
}

TEST(ResourceTest, StatisticsAreThoseOfTheTimeBehind) {
  Shop shop(2, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 4s));
    s.Spawn(s.Customer("b", 0s, 8s));
    s.Spawn(s.Customer("c", 1s, 2s));
    s.Spawn(s.Customer("d", 2s, 2s));
  });
  Simulator run(shop);
  run.RunUntil(16s);  // a 0-4, b 0-8, c 4-6, d 6-8.
  const ResourceStatistics all = shop.servers.statistics();
  EXPECT_EQ(all.utilisation, 0.5);
  EXPECT_EQ(all.in_use.mean, 1);
  EXPECT_EQ(all.in_use.max, 2);
  EXPECT_EQ(all.queue.mean, 7.0 / 16);
  EXPECT_EQ(all.queue.max, 2);
  EXPECT_EQ(all.wait_s.count, 4);
  EXPECT_EQ(all.wait_s.mean, 7.0 / 4);
  EXPECT_EQ(all.wait_s.max, 4);
}

TEST(ResourceTest, AWarmUpDoesNotCount) {
  Shop shop(1, [](Shop& s) {
    s.Spawn(s.Customer("a", 0s, 4s));
    s.Spawn(s.Customer("b", 1s, 4s));
    s.Spawn(s.Customer("c", 2s, 4s));
  });
  Simulator run(shop);
  run.RunUntil(4s);
  shop.servers.ResetStatistics();
  run.RunUntil(16s);  // a 0-4, b 4-8, c 8-12.
  const ResourceStatistics after = shop.servers.statistics();
  EXPECT_EQ(after.requests, 0);
  EXPECT_EQ(after.granted, 1);
  EXPECT_EQ(after.utilisation, 8.0 / 12);
  EXPECT_EQ(after.queue.mean, 4.0 / 12);
  EXPECT_EQ(after.wait_s.mean, 6);
}

struct Quiet : process::Model {
  Resource servers{this, "servers", 2};
  int times;

  explicit Quiet(int n) : times(n) {}

  Task<> Customer() {
    const Holding held = co_await servers.Acquire();
    co_await Delay(3s);
  }

  Task<> Source() {
    for (int i = 0; i < times; ++i) {
      Spawn(Customer());
      co_await Delay(2s);
    }
  }

  void Start() override { Spawn(Source()); }
};

TEST(ResourceTest, ACustomerCostsOneAllocation) {
  Quiet model(20'000);
  Simulator run(model);
  run.RunUntil(10'000s);
  const int before = CountAllocations();
  run.RunUntil(30'000s);
  EXPECT_EQ(CountAllocations() - before, 10'000);
}

}  // namespace
}  // namespace orrery::queueing
