// A restored task is replayed. The run checks that it does the same.

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/topic.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;

constexpr Options kKept{.snapshots = true};

std::string RefusalNaming(const std::string& task) {
  return "cannot restore a snapshot: done again with what it had read, task '" +
         task +
         "' does something else; keep in cells what changes, and draw random "
         "numbers from Model::Random";
}

Task<> Cheats(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(1s);
    if (++hidden > 4) {
      m.d.Add(m.c.Get());
    }
  }
}

TEST(ReplayTest, ATaskThatDependsOnMoreThanCellsIsFoundOut) {
  int hidden = 0;
  Stage m([&](Stage& s) { s.Spawn(Cheats(s, hidden)); });
  Simulator run(m, kKept);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(MessageOf([&] { run.Restore(snapshot); }), RefusalNaming("Cheats"));
}

// Does something else in a replay after `hidden` has changed.
Task<> AddsOther(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(1s);
    m.c.Add(++hidden < 4 ? 1 : 100);
  }
}

Task<> AddsMore(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(1s);
    ++hidden;
    for (int i = 0; i < hidden; ++i) {
      m.c.Add(1);
    }
  }
}

Task<> AddsElsewhere(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(1s);
    (++hidden < 4 ? m.c : m.d).Add(1);
  }
}

Task<> SleepsLonger(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(++hidden * 1ms);
  }
}

Task<> Naps(Stage& m) {
  co_await m.Delay(9s);
}

Task<> Rests(Stage& m) {
  co_await m.Delay(9s);
}

Task<> SpawnsOther(Stage& m, int& hidden) {
  for (;;) {
    co_await m.Delay(1s);
    m.Spawn(++hidden < 4 ? Naps(m) : Rests(m));
  }
}

std::string RefusalOf(Task<> (*task)(Stage&, int&)) {
  int hidden = 0;
  Stage m([&](Stage& s) { s.Spawn(task(s, hidden)); });
  Simulator run(m, kKept);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  return MessageOf([&] { run.Restore(snapshot); });
}

TEST(ReplayTest, ATaskThatAddsAnotherNumberIsFoundOut) {
  EXPECT_EQ(RefusalOf(AddsOther), RefusalNaming("AddsOther"));
}

TEST(ReplayTest, ATaskThatActsMoreOftenIsFoundOut) {
  EXPECT_EQ(RefusalOf(AddsMore), RefusalNaming("AddsMore"));
}

TEST(ReplayTest, ATaskThatActsOnAnotherCellIsFoundOut) {
  EXPECT_EQ(RefusalOf(AddsElsewhere), RefusalNaming("AddsElsewhere"));
}

TEST(ReplayTest, ATaskThatSleepsForAnotherTimeIsFoundOut) {
  EXPECT_EQ(RefusalOf(SleepsLonger), RefusalNaming("SleepsLonger"));
}

TEST(ReplayTest, ATaskThatSpawnsAnotherOneIsFoundOut) {
  EXPECT_EQ(RefusalOf(SpawnsOther), RefusalNaming("SpawnsOther"));
}

TEST(ReplayTest, ATaskThatSaysSomethingElseOnATopicIsFoundOut) {
  struct Speaker : Model {
    Topic<int> said{this, "said"};
    int hidden = 0;

    Task<> Speaks() {
      co_await Delay(1s);
      said.Emit(++hidden);
      co_await Delay(9s);
    }

    void Start() override { Spawn(Speaks()); }
  } m;

  Simulator run(m, kKept);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(MessageOf([&] { run.Restore(snapshot); }), RefusalNaming("Speaks"));
}

// A log of events does not show the added number.
struct Secret {
  struct Effect {
    int add = 0;
  };

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    return {first.add + second.add};
  }

  static Effect Concurrently(Effect a, Effect b) { return {a.add + b.add}; }

  void Apply(Effect effect) { sum += effect.add; }

  [[nodiscard]] int Value() const { return sum; }

  int sum = 0;
};

TEST(ReplayTest, EffectsThatAreNotDescribedAreNotCompared) {
  struct Keeper : Model {
    BasicCell<Secret> cell{this, "cell"};
    int hidden = 0;

    Task<> Adds() {
      co_await Delay(1s);
      cell.Emit({.add = ++hidden});
      co_await Delay(9s);
    }

    void Start() override { Spawn(Adds()); }
  } m;

  Simulator run(m, kKept);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  run.Restore(snapshot);
  EXPECT_EQ(m.hidden, 2);
  EXPECT_EQ(run.Get(m.cell), 1);
}

// Waits for a condition instead of a time in a replay.
Task<> Wavers(Stage& m, bool& hidden) {
  co_await m.Delay(1s);
  if (hidden) {
    co_await m.Until(m.c > 5);
  } else {
    co_await m.Delay(9s);
  }
}

TEST(ReplayTest, ATaskThatWaitsForSomethingElseIsFoundOut) {
  bool hidden = false;
  Stage m([&](Stage& s) { s.Spawn(Wavers(s, hidden)); });
  Simulator run(m, kKept);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  hidden = true;
  EXPECT_THAT(MessageOf([&] { run.Restore(snapshot); }),
              testing::HasSubstr("task 'Wavers' does something else"));
  hidden = false;
  run.Restore(snapshot);
  run.RunUntil(20s);
  EXPECT_TRUE(run.waiting().empty());
}

}  // namespace
}  // namespace orrery::process
