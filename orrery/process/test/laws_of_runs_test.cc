#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/recording_text.h"

// Laws of runs of any model, checked on random ones.
namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// An action of a task of a random model.
struct Act {
  enum class Kind : std::uint8_t {
    kAdd,
    kSet,
    kRate,
    kLog,
    kRead,
    kDelay,
    kSpawn,
    kCall,
    kUntil
  };

  Kind kind = Kind::kAdd;
  int number = 0;
  std::vector<Act> child;
};

using Acts = std::vector<Act>;

Acts RandomActs(int depth) {
  Acts acts;
  const int size = *rc::gen::inRange(1, 6);
  for (int i = 0; i < size; ++i) {
    Act act{
        .kind = static_cast<Act::Kind>(*rc::gen::inRange(0, depth > 0 ? 9 : 7)),
        .number = *rc::gen::inRange(0, 4),
        .child = {}};
    if (act.kind == Act::Kind::kSpawn || act.kind == Act::Kind::kCall) {
      act.child = RandomActs(depth - 1);
    }
    acts.push_back(std::move(act));
  }
  return acts;
}

struct Random : Model {
  Cell<Counter<>> sum{this, "sum"};
  Cell<Register<int>> last{this, "last"};
  Cell<Accumulator> level{this, "level"};
  Cell<Log<std::string>> log{this, "log"};
  Resource double_level{this, "double_level", 2 * level};
  Resource of_last{this, "of_last", last};
  const std::vector<Acts>* tasks;

  explicit Random(const std::vector<Acts>& t) : tasks(&t) {}

  Task<> Does(Acts acts) {
    for (Act& act : acts) {
      switch (act.kind) {
        case Act::Kind::kAdd:
          sum.Add(act.number);
          break;
        case Act::Kind::kSet:
          last.Set(act.number);
          break;
        case Act::Kind::kRate:
          level.AddRate(0.1 * act.number);
          level.Add(0.3 * act.number);
          break;
        case Act::Kind::kLog:
          log.Append(std::to_string(Random_()));
          break;
        case Act::Kind::kRead:
          log.Append("read " + std::to_string(sum.Get()) + " " +
                     std::to_string(last.Get()) + " " +
                     std::to_string(level.Get()));
          break;
        case Act::Kind::kDelay:
          co_await Delay(act.number * 250ms);
          break;
        case Act::Kind::kSpawn:
          Spawn(Does(std::move(act.child)));
          break;
        case Act::Kind::kCall:
          co_await Call(Does(std::move(act.child)));
          break;
        case Act::Kind::kUntil:
          co_await Until(level >= 0.5 * act.number || sum > 20);
          break;
      }
    }
  }

  std::int64_t Random_() const { return model_random().UniformInt(0, 9); }

  RandomStream model_random() const { return Model::Random("numbers"); }

  void Start() override {
    for (const Acts& acts : *tasks) {
      Spawn(Does(acts));
    }
  }
};

// Everything that can be observed of a run.
std::string Everything(const Simulator& run, const Random& model) {
  std::string text = std::to_string(run.Get(model.sum)) + " " +
                     std::to_string(run.Get(model.last)) + " " +
                     std::to_string(run.Get(model.level));
  for (const std::string& entry : run.Get(model.log)) {
    text += " " + entry;
  }
  return text + RecordingText(run.recording());
}

constexpr Options kAll{
    .records = {.profiles = true, .spans = true, .events = true}};

RC_GTEST_PROP(LawsOfRunsTest, AnyOrderOfTheStepsOfABatchGivesTheSame, ()) {
  std::vector<Acts> tasks;
  const int size = *rc::gen::inRange(1, 5);
  for (int i = 0; i < size; ++i) {
    tasks.push_back(RandomActs(3));
  }
  Random model(tasks);
  Simulator run(model, kAll);
  run.RunUntil(20s);
  for (int i = 0; i < 3; ++i) {
    Options shuffled = kAll;
    shuffled.shuffle = *rc::gen::arbitrary<std::uint64_t>();
    Random again(tasks);
    Simulator other(again, shuffled);
    other.RunUntil(20s);
    RC_ASSERT(Everything(other, again) == Everything(run, model));
    RC_ASSERT(other.statistics() == run.statistics());
  }
}

RC_GTEST_PROP(LawsOfRunsTest, WhatIsRecordedChangesNothing, ()) {
  const std::vector<Acts> tasks = {RandomActs(3), RandomActs(3)};
  Random model(tasks);
  Simulator run(model, kAll);
  run.RunUntil(20s);
  Random bare(tasks);
  Simulator other(bare);
  other.RunUntil(20s);
  RC_ASSERT(other.Get(bare.level) == run.Get(model.level));
  RC_ASSERT(other.Get(bare.sum) == run.Get(model.sum));
  RC_ASSERT(other.Get(bare.log) == run.Get(model.log));
}

RC_GTEST_PROP(LawsOfRunsTest, ARunInPiecesIsTheRunInOne, ()) {
  const std::vector<Acts> tasks = {RandomActs(3), RandomActs(3)};
  Random model(tasks);
  Simulator run(model, kAll);
  run.RunUntil(20s);
  Random pieces(tasks);
  Simulator other(pieces, kAll);
  for (int i = 1; i <= 20; ++i) {
    other.RunUntil(i * 1s);
  }
  RC_ASSERT(Everything(other, pieces) == Everything(run, model));
}

// H1: a snapshot can be used repeatedly, and saving changes nothing.
RC_GTEST_PROP(LawsOfRunsTest, WhatFollowsASnapshotIsTheSame, ()) {
  const std::vector<Acts> tasks = {RandomActs(3), RandomActs(3), RandomActs(2)};
  Random bare(tasks);
  Simulator plain(bare, kAll);
  plain.RunUntil(20s);

  Options options = kAll;
  options.snapshots = true;
  Random model(tasks);
  Simulator run(model, options);
  std::vector<Snapshot> snapshots;
  for (int i = 0; i < 3; ++i) {
    run.RunUntil(run.now() + *rc::gen::inRange(0, 8) * 250ms);
    snapshots.push_back(run.Save());
  }
  run.RunUntil(20s);
  RC_ASSERT(Everything(run, model) == Everything(plain, bare));
  for (const std::size_t i : {1U, 0U, 2U, 0U}) {
    run.Restore(snapshots[i]);
    RC_ASSERT(run.now() == snapshots[i].time());
    run.RunUntil(20s);
    RC_ASSERT(Everything(run, model) == Everything(plain, bare));
  }
}

// Two cells in conflict each second.
struct Quarrel : Model {
  Cell<Register<int>> a{this, "a"};
  Cell<Register<int>> b{this, "b"};

  Task<> Sets(int value) {
    for (int second = 0; second < 60; ++second) {
      co_await Delay(1s);
      a.Set(value);
      b.Set(value);
    }
  }

  Task<> Settles(Cell<Register<int>>& cell) {
    co_await Delay(500ms);
    for (;;) {
      cell.Set(cell.Get() + 1);
      co_await Delay(1s);
    }
  }

  void Start() override {
    Spawn(Sets(1));
    Spawn(Sets(2));
    Spawn(Settles(b));
    Spawn(Settles(a));
  }
};

TEST(LawsOfRunsTest, WarningsComeByTheirTimesWhateverTheOrderOfSteps) {
  constexpr std::string_view kText =
      ": tasks that did not see each other contradict each other";
  std::vector<std::string> expected;
  for (int second = 1; second <= 50; ++second) {
    for (const std::string cell : {"a", "b"}) {
      expected.push_back("'" + cell + "' at " + std::to_string(second) + " s" +
                         std::string(kText));
    }
  }
  expected.emplace_back("20 more warnings, of that time or later ones");
  for (std::uint64_t order = 0; order < 8; ++order) {
    Quarrel quarrel;
    Simulator run(quarrel, {.shuffle = order});
    run.RunUntil(2min);
    EXPECT_EQ(run.warnings(), expected);
  }
}

}  // namespace
}  // namespace orrery::process
