#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr Options kSnapshots{.snapshots = true};

// H4
Task<> Increments(Stage& m, Duration period) {
  for (;;) {
    co_await m.Delay(period);
    m.c.Add(1);
  }
}

TEST(SnapshotTest, DaemonsThatNeverEndGoOn) {
  Stage m([](Stage& s) {
    s.Spawn(Increments(s, 1min));
    s.Spawn(Increments(s, 1000s));
  });
  Simulator run(m, kSnapshots);
  run.RunUntil(2h);
  const Snapshot snapshot = run.Save();
  run.RunUntil(10h);
  EXPECT_EQ(run.Get(m.c), 600 + 36);
  run.Restore(snapshot);
  EXPECT_EQ(run.now(), 2h);
  EXPECT_EQ(run.Get(m.c), 120 + 7);
  run.RunUntil(10h);
  EXPECT_EQ(run.Get(m.c), 600 + 36);
}

// Spawns without end, after it has acted on a cell and on another task.
Task<> SpawnsWithoutEnd(Stage& m, Handle<> other, const bool& goes_on) {
  co_await m.Delay(1s);
  m.c.Add(10);
  other.Cancel();
  while (goes_on) {
    m.Spawn(Increments(m, 1h));
  }
}

TEST(SnapshotTest, ARunThatSpawnedTooManyTasksCanBeRestored) {
  for (const std::int64_t max_spawned : {2, 5, 50}) {
    bool goes_on = true;
    Stage m([&goes_on](Stage& s) {
      s.Spawn(SpawnsWithoutEnd(s, s.Spawn(Increments(s, 700ms)), goes_on));
    });
    Simulator run(m, {.max_spawned = max_spawned, .snapshots = true});
    run.RunUntil(500ms);
    const Snapshot snapshot = run.Save();
    EXPECT_THROW(run.RunUntil(2s), Error);
    goes_on = false;
    run.Restore(snapshot);
    EXPECT_EQ(run.now(), 500ms);
    run.RunUntil(3s);
    EXPECT_EQ(run.Get(m.c), 1 + 10);
  }
}

Task<std::string> Answers(Stage& m, std::string text) {
  co_await m.Delay(3s);
  if (text == "no") {
    throw std::runtime_error("no answer");
  }
  co_return text;
}

Task<> Asks(Stage& m, std::vector<std::string>& heard) {
  std::string said;
  said += co_await m.Call(Answers(m, "a"));
  const Handle<std::string> other = m.Spawn(Answers(m, "b"));
  const auto [in_time, late] = co_await m.AnyOf(other, m.Delay(1s));
  said += late ? "-" : "+";
  try {
    co_await m.Call(Answers(m, "no"));
  } catch (const std::runtime_error& error) {
    said += error.what();
  }
  said += co_await other;
  said += std::to_string(m.Random("x").UniformInt(0, 1'000'000));
  heard.push_back(said + " at " + orrery::ToText(m.Now()));
}

TEST(SnapshotTest, TasksComeBackWhereverTheyAre) {
  std::vector<std::string> heard;
  Stage m([&](Stage& s) { s.Spawn(Asks(s, heard)); });
  Simulator run(m, kSnapshots);
  std::vector<Snapshot> snapshots;
  for (int second = 0; second <= 9; ++second) {
    run.RunUntil(second * 1s);
    snapshots.push_back(run.Save());
  }
  run.Run();
  ASSERT_EQ(heard.size(), 1U);
  const std::string expected = heard[0];
  EXPECT_THAT(expected, testing::HasSubstr(" at 7 s"));
  EXPECT_THAT(expected, testing::StartsWith("a-no answerb"));
  for (const std::size_t i : {6U, 3U, 0U, 5U, 4U, 1U, 2U}) {
    heard.clear();
    run.Restore(snapshots[i]);
    run.Run();
    EXPECT_THAT(heard, ElementsAre(expected)) << "from " << i << " s";
  }
}

Task<> AsksInVain(Stage& m, std::vector<std::string>& heard) {
  const Handle<std::string> other = m.Spawn(Answers(m, "no"));
  for (int i = 0; i < 3; ++i) {
    try {
      co_await other;
    } catch (const std::runtime_error& error) {
      heard.push_back(error.what() + (" at " + orrery::ToText(m.Now())));
    }
    co_await m.Delay(2s);
  }
}

TEST(SnapshotTest, WhatAFailedTaskThrewComesBack) {
  std::vector<std::string> heard;
  Stage m([&](Stage& s) { s.Spawn(AsksInVain(s, heard)); });
  Simulator run(m, kSnapshots);
  std::vector<Snapshot> snapshots;
  for (const Duration time : {2s, 4s, 6s}) {
    run.RunUntil(time);
    snapshots.push_back(run.Save());
  }
  run.Run();
  for (const Snapshot& snapshot : snapshots) {
    heard.clear();
    run.Restore(snapshot);
    run.Run();
    EXPECT_THAT(
        heard,
        ElementsAre(
            "no answer at 3 s", "no answer at 5 s", "no answer at 7 s"));
  }
}

TEST(SnapshotTest, ATaskFromOutsideIsMadeAgainByItsFunction) {
  Stage m;
  Simulator run(m, kSnapshots);
  run.Spawn([&m] { return Increments(m, 1s); }, 5s);
  run.RunUntil(2s);
  const Snapshot before = run.Save();
  run.RunUntil(8s);
  const Snapshot amid = run.Save();
  run.RunUntil(20s);
  EXPECT_EQ(run.Get(m.c), 15);
  run.Restore(before);
  run.RunUntil(20s);
  EXPECT_EQ(run.Get(m.c), 15);
  run.Restore(amid);
  run.RunUntil(20s);
  EXPECT_EQ(run.Get(m.c), 15);
}

Task<> Dozes(Stage& m, std::vector<std::string>& heard) {
  try {
    co_await m.Delay(5s);
    heard.emplace_back("slept");
  } catch (const Interrupted& interrupt) {
    heard.push_back(interrupt.what() + (" at " + orrery::ToText(m.Now())));
  }
}

Task<> Wakes(Stage& m, Handle<> other) {
  co_await m.Delay(1s);
  other.Interrupt("breakfast");
}

TEST(SnapshotTest, AnInterruptOfATaskThatHasYetToBeginComesBack) {
  std::vector<std::string> heard;
  Stage m;
  Simulator run(m, kSnapshots);
  const Handle<> late = run.Spawn([&] { return Dozes(m, heard); }, 10s);
  run.Spawn([&] { return Wakes(m, late); });
  run.RunUntil(2s);
  const Snapshot snapshot = run.Save();
  run.RunUntil(12s);
  const Snapshot after = run.Save();
  EXPECT_THAT(heard, ElementsAre("breakfast at 10 s"));
  run.Restore(snapshot);
  run.Restore(after);
  run.Restore(snapshot);
  heard.clear();
  run.RunUntil(20s);
  EXPECT_THAT(heard, ElementsAre("breakfast at 10 s"));
}

TEST(SnapshotTest, ATaskFromOutsideThatCannotBeMadeAgainIsRefused) {
  Stage m;
  Simulator run(m, kSnapshots);
  run.Spawn(Increments(m, 1s));
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.Save()); }),
            "cannot save the run: task 'Increments' was made outside of it, "
            "and cannot be made again; give Spawn a function that makes it");
}

TEST(SnapshotTest, ARunKeepsLogsOnlyIfItIsAskedTo) {
  Stage m;
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.Save()); }),
            "cannot save the run: it keeps no logs of its tasks; set "
            "Options::snapshots");
}

TEST(SnapshotTest, ASnapshotIsOfOneRun) {
  Stage m;
  Stage n;
  Simulator run(m, kSnapshots);
  Simulator other(n, kSnapshots);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(MessageOf([&] { other.Restore(snapshot); }),
            "cannot restore a snapshot: it is one of another run");
}

TEST(SnapshotTest, ARunIsSavedBeforeItStarts) {
  Stage m([](Stage& s) { s.Spawn(Increments(s, 4s)); });
  Simulator run(m, kSnapshots);
  run.Spawn([&m] { return Increments(m, 1s); }, 5s);
  const Snapshot snapshot = run.Save();
  run.RunUntil(20s);
  EXPECT_EQ(run.Get(m.c), 15 + 5);
  run.Restore(snapshot);
  EXPECT_EQ(run.Get(m.c), 0);
  run.RunUntil(20s);
  EXPECT_EQ(run.Get(m.c), 15 + 5);
}

// Counts the hours, but for 100 a step back.
struct Hours {
  struct Effect {};

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect /*first*/, Effect second) { return second; }

  static Effect Concurrently(Effect /*a*/, Effect b) { return b; }

  void Apply(Effect /*effect*/) {}

  void Step(Duration dt) {
    elapsed += dt;
    elapsed -= dt < Duration(0) ? 100h : 0h;
  }

  [[nodiscard]] double Value() const { return Seconds(elapsed).value / 3600; }

  [[nodiscard]] Polynomial Dynamics() const {
    return Polynomial{Value(), 1.0 / 3600};
  }

  Duration elapsed{};
};

struct Night : Model {
  BasicCell<Hours> hours{this, "hours"};

  Task<> Sleeps() { co_await Until(hours >= 8); }

  void Start() override { Spawn(Sleeps()); }
};

TEST(SnapshotTest, CellsDoNotGoBackWhenConditionsAreRestored) {
  Night night;
  Simulator run(night, kSnapshots);
  run.RunUntil(3h);
  EXPECT_EQ(run.Get(night.hours), 3);
  const Snapshot snapshot = run.Save();
  run.RunUntil(4h);
  run.Restore(snapshot);
  run.RunUntil(9h);
  EXPECT_TRUE(run.waiting().empty());
  EXPECT_EQ(run.Get(night.hours), 9);
}

// Adds 1 at the end of its scope.
class AddsAtTheEnd {
 public:
  explicit AddsAtTheEnd(Stage& m) : m_(m) {}

  AddsAtTheEnd(const AddsAtTheEnd&) = delete;
  AddsAtTheEnd& operator=(const AddsAtTheEnd&) = delete;

  ~AddsAtTheEnd() { m_.c.Add(1); }

 private:
  Stage& m_;
};

Task<> IsStopped(Stage& m) {
  const AddsAtTheEnd at_the_end(m);
  m.Spawn(Increments(m, 100s));
  co_await m.Delay(50s);
}

Task<> Stops(Stage& m) {
  const Handle<> task = m.Spawn(IsStopped(m));
  co_await m.Delay(1s);
  task.Cancel();
  co_await m.Delay(1000s);
}

TEST(SnapshotTest, ATaskThatWasStoppedDoesNotActAgain) {
  Stage m([](Stage& s) { s.Spawn(Stops(s)); });
  Simulator run(m, kSnapshots);
  run.RunUntil(2s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(run.Get(m.c), 1);
  run.Restore(snapshot);
  EXPECT_EQ(run.Get(m.c), 1);
  run.RunUntil(150s);
  EXPECT_EQ(run.Get(m.c), 2);
}

/// Cannot be saved in a snapshot.
class Gate : public Facility {
 public:
  Gate(Model* owner, std::string_view name) : Facility(owner, name) {}

 private:
  void Reset() override {}

  void OnRequested(Request& /*request*/) override {}

  void OnPosted(std::uint64_t /*argument*/) override {}

  void Settle() override {}
};

TEST(SnapshotTest, AFacilityThatCannotBeSavedIsNamed) {
  Stage m;
  const Gate gate(&m, "gate");
  Simulator run(m, kSnapshots);
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.Save()); }),
            "cannot save the run: what 'gate' holds cannot be copied; let it "
            "hold values");
}

}  // namespace
}  // namespace orrery::process
