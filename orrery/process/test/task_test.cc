#include "orrery/process/tasks/task.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"
#include "orrery/process/test/tasks.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

using Reads = std::vector<std::int64_t>;

Task<> ReadsItsWrites(Stage& m, Reads& reads) {
  reads.push_back(m.c.Get());
  m.c.Add(1);
  reads.push_back(m.c.Get());
  m.c.Add(2);
  reads.push_back(m.c.Get());
  co_return;
}

// A1
TEST(TaskTest, AStepReadsItsOwnWrites) {
  Reads reads;
  Stage m([&](Stage& s) { s.Spawn(ReadsItsWrites(s, reads)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(0, 1, 3));
  EXPECT_EQ(run.Get(m.c), 3);
}

// A2
Task<> IsolatedChild(Stage& m, Reads& reads) {
  reads.push_back(m.c.Get());
  m.c.Add(10);
  reads.push_back(m.c.Get());
  co_return;
}

Task<> IsolatedParent(Stage& m, Reads& reads, Reads& of_child) {
  m.c.Add(1);
  m.Spawn(IsolatedChild(m, of_child));
  reads.push_back(m.c.Get());
  m.c.Add(2);
  reads.push_back(m.c.Get());
  co_await m.Delay(0s);
  reads.push_back(m.c.Get());
}

TEST(TaskTest, AParentAndItsChildSeeNothingOfEachOtherInAStep) {
  for (int order = 0; order < 8; ++order) {
    Reads reads;
    Reads of_child;
    Stage m([&](Stage& s) { s.Spawn(IsolatedParent(s, reads, of_child)); });
    Simulator run(m, {.shuffle = static_cast<std::uint64_t>(order)});
    run.Run();
    EXPECT_THAT(reads, ElementsAre(1, 3, 13));
    EXPECT_THAT(of_child, ElementsAre(1, 11));
  }
}

// A8
Task<> SetsThenSpawns(Stage& m) {
  m.g.Set(5);
  m.Spawn(Sets(m, 6));
  co_await m.Delay(0s);
}

TEST(TaskTest, AChildOverridesWhatItsParentDidBefore) {
  Stage m([](Stage& s) { s.Spawn(SetsThenSpawns(s)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.g), 6);
  EXPECT_TRUE(run.warnings().empty());
}

// A9
Task<> ReadsTwice(Stage& m, Reads& reads) {
  reads.push_back(m.c.Get());
  co_await m.Delay(0s);
  reads.push_back(m.c.Get());
}

Task<> AddsAfterSpawning(Stage& m, Reads& reads) {
  m.c.Add(1);
  m.Spawn(ReadsTwice(m, reads));
  m.c.Add(10);
  co_await m.Delay(1s);
}

TEST(TaskTest, LaterEffectsOfAParentReachAChildAtItsNextStep) {
  Reads reads;
  Stage m([&](Stage& s) { s.Spawn(AddsAfterSpawning(s, reads)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(1, 11));
  EXPECT_EQ(run.now(), 1s);
}

// B1
Task<> Adds(Stage& m, std::int64_t number, Reads& reads) {
  reads.push_back(m.c.Get());
  m.c.Add(number);
  co_return;
}

Task<> Calls(Stage& m, Reads& reads) {
  m.c.Add(1);
  co_await m.Call(Adds(m, 2, reads));
  reads.push_back(m.c.Get());
  m.c.Add(4);
}

TEST(TaskTest, ACallThatEndsAtOnceGoesOnInTheNextBatch) {
  Reads reads;
  Stage m([&](Stage& s) { s.Spawn(Calls(s, reads)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(1, 3));
  EXPECT_EQ(run.statistics().microsteps, 2);
  EXPECT_EQ(run.now(), 0s);
}

// B2
Task<> Third(Stage& m, Prints& prints) {
  prints.push_back("3-start");
  co_await m.Delay(1s);
  prints.push_back("3-end");
}

Task<> Second(Stage& m, Prints& prints) {
  prints.push_back("2-start");
  m.Spawn(Third(m, prints));
  prints.push_back("2-end");
  co_return;
}

Task<> First(Stage& m, Prints& prints) {
  prints.push_back("1-start");
  co_await m.Call(Second(m, prints));
  prints.push_back("1-end");
}

TEST(TaskTest, ACallWaitsForAllThatWasSpawnedBelowIt) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(First(s, prints)); });
  Simulator run(m);
  run.RunUntil(0s);
  EXPECT_THAT(prints, ElementsAre("1-start", "2-start", "2-end", "3-start"));
  run.Run();
  EXPECT_EQ(prints.back(), "1-end");
  EXPECT_EQ(prints[4], "3-end");
  EXPECT_EQ(run.now(), 1s);
}

// B4 and C2: conflicts.
Task<> SpawnsSets(Stage& m, int first, int second) {
  m.Spawn(Sets(m, first));
  m.Spawn(Sets(m, second));
  co_return;
}

Task<> CallsThenSets(Stage& m, Reads& reads) {
  m.g.Set(1);
  co_await m.Call(SpawnsSets(m, 2, 3));
  reads.push_back(m.g.Get());
  reads.push_back(m.g.State().HasConflict() ? 1 : 0);
  m.g.Set(7);
  reads.push_back(m.g.Get());
  reads.push_back(m.g.State().HasConflict() ? 1 : 0);
}

TEST(TaskTest, SetsThatDifferConflictUntilTheNextSet) {
  Reads reads;
  Stage m([&](Stage& s) { s.Spawn(CallsThenSets(s, reads)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(1, 1, 7, 0));
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_EQ(run.warnings()[0],
            "'g' at 0 s: tasks that did not see each other contradict each "
            "other");
}

Task<> SumsAnswers(Stage& m, Reads& reads) {
  const Handle<int> other = m.Spawn(Answers(m, 30));
  const int called = co_await m.Call(Answers(m, 12));
  reads.push_back(called + co_await other);
  reads.push_back(co_await other);
}

TEST(TaskTest, CallsAndHandlesGiveResults) {
  Reads reads;
  Stage m([&](Stage& s) { s.Spawn(SumsAnswers(s, reads)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(reads, ElementsAre(42, 30));
  EXPECT_EQ(run.now(), 2s);
}

Task<> SpawnsThrowing(Stage& m) {
  m.Spawn(Throws(m));
  co_await m.Delay(5s);
}

Task<> Catches(Stage& m, Prints& prints) {
  try {
    co_await m.Call(SpawnsThrowing(m));
  } catch (const std::runtime_error& error) {
    prints.push_back(std::string(error.what()) + " at " +
                     orrery::ToText(m.Now()));
  }
}

// F6
TEST(TaskTest, AnExceptionReachesTheCallThatItIsPartOf) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(Catches(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("the wheel is stuck at 1 s"));
}

Task<> Joins(Stage& m, Prints& prints) {
  const Handle<> child = m.Spawn(Throws(m));
  try {
    co_await child;
  } catch (const std::runtime_error& error) {
    prints.push_back(error.what());
  }
}

TEST(TaskTest, AnExceptionReachesWhoWaitsForTheTask) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(Joins(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("the wheel is stuck"));
}

Task<int> ThrowsForANumber(Stage& m) {
  co_await m.Delay(1s);
  throw std::runtime_error("no number");
}

template <typename F>
Task<> NotesFailure(Stage& m, Prints& prints, F make) {
  try {
    co_await m.Call(make());
    prints.push_back("no failure");
  } catch (const std::exception& error) {
    prints.push_back(std::string(error.what()) + " at " +
                     orrery::ToText(m.Now()));
  }
}

template <typename T>
Task<> Awaits(Handle<T> task) {
  co_await task;
}

Task<> AwaitsTheFirst(Stage& m, Handle<int> task) {
  co_await m.AnyOf(task, m.Delay(1h));
}

Task<> AwaitsAll(Stage& m, Handle<int> task) {
  co_await m.AllOf(task, m.Delay(1h));
}

template <typename T>
Task<> AwaitsTwice(Stage& m, Prints& prints, Handle<T> task) {
  const auto await = [&] {
    return Awaits(task);
  };
  co_await m.Call(NotesFailure(m, prints, await));
  co_await m.Delay(2s);
  co_await m.Call(NotesFailure(m, prints, await));
}

TEST(TaskTest, EachThatWaitsForAFailedTaskIsToldWhatItThrew) {
  Prints prints;
  Stage m([&](Stage& s) {
    s.Spawn(AwaitsTwice(s, prints, s.Spawn(ThrowsForANumber(s))));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("no number at 1 s", "no number at 3 s"));
}

TEST(TaskTest, ALaterWaitForAFailedTaskWithoutAResultThrowsToo) {
  Prints prints;
  Stage m(
      [&](Stage& s) { s.Spawn(AwaitsTwice(s, prints, s.Spawn(Throws(s)))); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(
      prints,
      ElementsAre("the wheel is stuck at 1 s", "the wheel is stuck at 3 s"));
}

Task<> AwaitsTogether(Stage& m, Prints& prints) {
  const Handle<int> task = m.Spawn(ThrowsForANumber(m));
  co_await m.Call(NotesFailure(m, prints, [&] { return Awaits(task); }));
  co_await m.Call(
      NotesFailure(m, prints, [&] { return AwaitsTheFirst(m, task); }));
  co_await m.Call(NotesFailure(m, prints, [&] { return AwaitsAll(m, task); }));
}

TEST(TaskTest, WhatAFailedTaskThrewGoesThroughAnyOfAndAllOf) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(AwaitsTogether(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(
      prints,
      ElementsAre("no number at 1 s", "no number at 1 s", "no number at 1 s"));
}

Task<> Day(Stage& m) {
  m.Spawn(Throws(m));
  co_return;
}

// F4
TEST(TaskTest, AnExceptionNobodyWaitsForEndsTheRunWithItsAncestry) {
  for (int order = 0; order < 8; ++order) {
    Stage m([](Stage& s) {
      s.Spawn(Day(s));
      s.Spawn(AddsEachSecond(s));
    });
    Simulator run(m, {.shuffle = static_cast<std::uint64_t>(order)});
    try {
      run.RunUntil(10s);
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   "cannot go on at t = 1 s: task 'Day > Throws' failed: the "
                   "wheel is stuck");
    }
    EXPECT_EQ(run.Get(m.c), 1);  // The rest of the batch took place.
    EXPECT_EQ(run.now(), 1s);
    EXPECT_THROW(run.RunUntil(11s), Error);
  }
}

// F7
Task<> DelaysBack(Stage& m, Prints& prints) {
  try {
    co_await m.Delay(-1s);
  } catch (const Error& error) {
    prints.push_back(error.what());
  }
}

TEST(TaskTest, TimeDoesNotGoBack) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(DelaysBack(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints,
              ElementsAre("cannot wait for -1 s: time does not go "
                          "back; give 0 s or more"));
}

Task<> Draws(Stage& m, std::vector<double>& numbers) {
  RandomStream stream = m.Random("numbers");
  numbers.push_back(stream.Uniform01());
  numbers.push_back(stream.Uniform01());
  numbers.push_back(m.Random("numbers").Uniform01());
  numbers.push_back(m.Random("others").Uniform01());
  co_return;
}

TEST(TaskTest, RandomNumbersAreATasksOwnWhateverOthersDo) {
  std::vector<double> numbers;
  std::vector<double> more;
  std::vector<double> again;
  Stage one([&](Stage& s) {
    s.Spawn(Draws(s, numbers));
    s.Spawn(Draws(s, more));
  });
  Simulator(one, {.seed = 7}).Run();
  Stage two([&](Stage& s) { s.Spawn(Draws(s, again)); });
  Simulator(two, {.seed = 7}).Run();
  EXPECT_EQ(numbers, again);
  numbers.insert(numbers.end(), more.begin(), more.end());
  std::ranges::sort(numbers);
  EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
}

Task<> NestsDeep(Stage& m, int depth) {
  m.c.Add(1);
  if (depth > 0) {
    m.Spawn(NestsDeep(m, depth - 1));
  }
  co_return;
}

TEST(TaskTest, AHundredThousandNestedSpawnsRun) {
  Stage m([](Stage& s) { s.Spawn(NestsDeep(s, 99'999)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.c), 100'000);
  EXPECT_EQ(run.statistics().microsteps, 1);
}

Task<> CallsDeep(Stage& m, int depth) {
  m.c.Add(1);
  if (depth > 0) {
    co_await m.Call(CallsDeep(m, depth - 1));
  }
  m.c.Add(1);
}

TEST(TaskTest, AHundredThousandNestedCallsRun) {
  Stage m([](Stage& s) { s.Spawn(CallsDeep(s, 99'999)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.c), 200'000);
}

TEST(TaskTest, AHundredThousandTasksEmitAtOneInstant) {
  Stage m([](Stage& s) {
    for (int i = 0; i < 100'000; ++i) {
      s.Spawn(NestsDeep(s, 0));
    }
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.c), 100'000);
}

}  // namespace
}  // namespace orrery::process
