// The ways in which waits end: interrupts, cancellations, several at once.

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/test/models.h"
#include "orrery/process/test/tasks.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

Task<> Sleeps(Stage& m, Prints& prints, Duration how_long) {
  try {
    co_await m.Delay(how_long);
    prints.push_back("slept");
  } catch (const Interrupted& interrupt) {
    prints.push_back(std::string(interrupt.what()) + " at " +
                     orrery::ToText(m.Now()));
  }
}

Task<> Interrupts(Stage& m, Handle<> other) {
  co_await m.Delay(1s);
  other.Interrupt("breakfast");
}

TEST(TaskWaitTest, AnInterruptIsThrownWhereTheTaskWaits) {
  Prints prints;
  Stage m([&](Stage& s) {
    s.Spawn(Interrupts(s, s.Spawn(Sleeps(s, prints, 5s))));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("breakfast at 1 s"));
  EXPECT_EQ(run.now(), 1s);
}

TEST(TaskWaitTest, ATaskInterruptedBeforeItsTimeBeginsThenAndIsSoWhereItWaits) {
  Prints prints;
  Stage m;
  for (int order = 0; order < 8; ++order) {
    Simulator run(m, {.shuffle = static_cast<std::uint64_t>(order)});
    prints.clear();
    const Handle<> late = run.Spawn(Sleeps(m, prints, 5s), 10s);
    run.Spawn(Interrupts(m, late));
    run.Spawn(AddsEachSecond(m), 9s);
    run.RunUntil(9s);
    EXPECT_THAT(prints, ElementsAre());
    run.RunUntil(20s);
    EXPECT_THAT(prints, ElementsAre("breakfast at 10 s"));
  }
}

TEST(TaskWaitTest, AnInterruptHasNoEffectOnWhatThenNeverWaits) {
  Stage m;
  Simulator run(m);
  const Handle<> late = run.Spawn(Sets(m, 3), 10s);
  run.Spawn(Interrupts(m, late));
  run.Run();
  EXPECT_EQ(run.Get(m.g), 3);
  EXPECT_EQ(run.now(), 10s);
}

struct OnEnd {
  Stage* m;

  explicit OnEnd(Stage& stage) : m(&stage) {}

  ~OnEnd() { m->c.Add(100); }

  OnEnd(const OnEnd&) = delete;
  OnEnd& operator=(const OnEnd&) = delete;
};

Task<> Holds(Stage& m) {
  const OnEnd on_end(m);
  co_await m.Delay(1h);
}

Task<> CallsHolds(Stage& m) {
  const OnEnd on_end(m);
  co_await m.Call(Holds(m));
}

Task<> Cancels(Stage& m, Handle<> other, Prints& prints) {
  co_await m.Delay(1s);
  other.Cancel();
  try {
    co_await other;
  } catch (const Cancelled& cancelled) {
    prints.push_back(cancelled.what());
  }
}

TEST(TaskWaitTest, ACancelledTaskIsUnwoundWithWhatItCalled) {
  Prints prints;
  Stage m(
      [&](Stage& s) { s.Spawn(Cancels(s, s.Spawn(CallsHolds(s)), prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("the task was cancelled"));
  EXPECT_EQ(run.Get(m.c), 200);
  EXPECT_EQ(run.now(), 1s);
}

Task<> GivesWay(Stage& m) {
  co_await m.Delay(1s);
  co_await m.Delay(0s);
  m.c.Add(1);
}

Task<> CallsWhatGivesWay(Stage& m) {
  co_await m.Call(GivesWay(m));
  m.c.Add(10);
}

Task<> CancelsAfter(Stage& m, Handle<> task) {
  co_await m.Delay(1s);
  task.Cancel();
}

// The called task ends in the step in which the caller is stopped.
TEST(TaskWaitTest, WhoIsStoppedIsNotWokenByWhatItCalled) {
  Stage m([](Stage& s) {
    s.Spawn(CancelsAfter(s, s.Spawn(CallsWhatGivesWay(s))));
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.c), 1);
  EXPECT_EQ(run.statistics().steps, 1 + 2 + 2 + 3);
}

TEST(TaskWaitTest, ARunMayEndWhileTasksHoldWhatTheyWouldGiveBack) {
  Stage m([](Stage& s) { s.Spawn(CallsHolds(s)); });
  {
    Simulator run(m);
    run.RunUntil(1s);
    EXPECT_EQ(run.Get(m.c), 0);
  }
  Simulator again(m);
  again.RunUntil(2h);
  EXPECT_EQ(again.Get(m.c), 200);
}

Task<int> AnswersAfter(Stage& m, Duration time, int value) {
  co_await m.Delay(time);
  co_return value;
}

Task<> Races(Stage& m, Prints& prints) {
  const Handle<int> other = m.Spawn(Answers(m, 5));
  const auto [answer, late] = co_await m.AnyOf(other, m.Delay(3s));
  prints.push_back(answer ? std::to_string(*answer) : "none");
  prints.push_back(late ? "late" : "in time");
  const auto [first, called, until] =
      co_await m.AnyOf(m.Delay(1s), m.Call(Answers(m, 7)), m.Until(m.g == 1));
  prints.push_back(first && !called && !until ? "first" : "other");
  const auto [one, two] =
      co_await m.AllOf(m.Call(Answers(m, 7)), m.Call(Answers(m, 8)));
  prints.push_back(std::to_string(one + two) + " at " +
                   orrery::ToText(m.Now()));
}

TEST(TaskWaitTest, TasksWaitForOneOrAllOfSeveralThings) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(Races(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("5", "in time", "first", "15 at 5 s"));
  EXPECT_EQ(run.now(), 5s);
}

Task<> AwaitsLists(Stage& m, Prints& prints) {
  std::vector<Handle<int>> answers;
  for (int i = 0; i < 3; ++i) {
    answers.push_back(m.Spawn(AnswersAfter(m, (3 - i) * 1s, i)));
  }
  const std::vector<std::optional<int>> first = co_await m.AnyOf(answers);
  for (const std::optional<int>& answer : first) {
    prints.push_back(answer ? std::to_string(*answer) : "none");
  }
  prints.push_back("at " + orrery::ToText(m.Now()));
  const std::vector<int> all = co_await m.AllOf(answers);
  prints.push_back(std::to_string(all[0]) + std::to_string(all[1]) +
                   std::to_string(all[2]) + " at " + orrery::ToText(m.Now()));
}

TEST(TaskWaitTest, TasksWaitForOneOrAllOfAList) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(AwaitsLists(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("none", "none", "2", "at 1 s", "012 at 3 s"));
}

Task<> AwaitsListOfWaits(Stage& m, Prints& prints) {
  std::vector<decltype(m.Call(Answers(m, 1)))> calls;
  for (int i = 0; i < 100; ++i) {
    calls.push_back(m.Call(Answers(m, i)));
  }
  const auto [sums, late] =
      co_await m.AnyOf(m.AllOf(std::move(calls)), m.Delay(3s));
  int sum = 0;
  for (const int each : *sums) {
    sum += each;
  }
  prints.push_back(std::to_string(sum) + (late ? " late" : " in time"));
  const std::vector<decltype(m.Delay(1s))> delays = {m.Delay(5s), m.Delay(4s)};
  const auto over = co_await m.AnyOf(delays);
  prints.push_back(!over[0] && over[1] ? "the shorter" : "another");
}

TEST(TaskWaitTest, ListsMayHoldCallsAndDelaysAndBeOneOfSeveralThings) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(AwaitsListOfWaits(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("4950 in time", "the shorter"));
  EXPECT_EQ(run.now(), 6s);
}

Task<> AwaitsNothing(Stage& m, Prints& prints) {
  const std::vector<Handle<>> none;
  const auto all = co_await m.AllOf(none);
  const auto any = co_await m.AnyOf(none);
  prints.push_back(std::to_string(all.size() + any.size()) + " at " +
                   orrery::ToText(m.Now()));
}

TEST(TaskWaitTest, AnEmptyListIsOverInTheNextBatch) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(AwaitsNothing(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("0 at 0 s"));
  EXPECT_EQ(run.statistics().microsteps, 3);
}

Task<> AwaitsAgain(Stage& m, Prints& prints) {
  auto either = m.AnyOf(m.Until(m.c > 5), m.Delay(9s));
  try {
    co_await either;
  } catch (const Interrupted&) {
    prints.push_back("interrupted");
  }
  co_await either;
}

Task<> InterruptsAfter(Stage& m, Handle<> task) {
  co_await m.Delay(1s);
  task.Interrupt("now");
}

TEST(TaskWaitTest, AWaitForSeveralThingsIsNotAwaitedTwice) {
  Prints prints;
  Stage m([&](Stage& s) {
    s.Spawn(InterruptsAfter(s, s.Spawn(AwaitsAgain(s, prints))));
  });
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 1 s: task 'AwaitsAgain' failed: cannot await "
            "one AnyOf twice: what it was made of was used up the first time; "
            "make another where you wait again, as in co_await AnyOf(...)");
  EXPECT_THAT(prints, ElementsAre("interrupted"));
}

TEST(TaskWaitTest, ARunGoesOnUntilATaskIsOver) {
  Stage m;
  Simulator run(m);
  run.Spawn(AddsEachSecond(m));
  const Handle<int> task = run.Spawn(Answers(m, 7), 1s);
  EXPECT_EQ(run.RunUntil(task), 7);
  EXPECT_EQ(run.now(), 3s);
  EXPECT_EQ(run.Get(m.c), 3);
  EXPECT_EQ(run.RunUntil(task), 7);
  EXPECT_EQ(run.now(), 3s);
}

Task<> WaitsForC(Stage& m) {
  co_await m.Until(m.c > 5);
}

TEST(TaskWaitTest, ARunThatEndsBeforeATaskSaysSo) {
  Stage m;
  Simulator run(m);
  run.Spawn(Answers(m, 7));
  const Handle<> task = run.Spawn(WaitsForC(m));
  EXPECT_EQ(MessageOf([&] { run.RunUntil(task); }),
            "cannot run until 'WaitsForC' is over: nothing is due after t = 2 "
            "s, and it waits still; waiting() tells for what");
}

TEST(TaskWaitTest, ARunUntilACancelledTaskIsOverThrowsThat) {
  Stage m;
  Simulator run(m);
  const Handle<> task = run.Spawn(AddsEachSecond(m));
  run.Spawn(CancelsAfter(m, task));
  EXPECT_THROW(run.RunUntil(task), Cancelled);
  EXPECT_EQ(run.now(), 1s);
}

Task<> NestsWaits(Stage& m, Prints& prints) {
  const auto [delay, either] =
      co_await m.AllOf(m.Delay(1s), m.AnyOf(m.Delay(3s), m.Delay(2s)));
  const auto [longer, shorter] = either;
  prints.push_back((shorter && !longer ? "the shorter at " : "other at ") +
                   orrery::ToText(m.Now()));
  const auto [both, late] = co_await m.AnyOf(
      m.AllOf(m.Delay(1s), m.Call(Answers(m, 7))), m.Delay(10s));
  prints.push_back(both && !late ? std::to_string(std::get<1>(*both)) : "late");
  const auto [cut, patience] = co_await m.AnyOf(
      m.AllOf(m.Delay(1s), m.AnyOf(m.Delay(5s), m.Until(m.g == 1))),
      m.Delay(2s));
  prints.push_back(!cut && patience ? "cut short" : "not cut");
}

TEST(TaskWaitTest, WaitsForSeveralThingsMayBeSomeOfOthers) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(NestsWaits(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("the shorter at 2 s", "7", "cut short"));
}

Task<> CallsFailing(Stage& m, Prints& prints) {
  try {
    co_await m.AllOf(m.Call(Throws(m)), m.Delay(10s));
  } catch (const std::runtime_error& error) {
    prints.push_back(error.what());
  }
}

TEST(TaskWaitTest, AFailureOfOneOfSeveralIsThrownAtOnce) {
  Prints prints;
  Stage m([&](Stage& s) { s.Spawn(CallsFailing(s, prints)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(prints, ElementsAre("the wheel is stuck"));
  EXPECT_EQ(run.now(), 1s);
}

Task<> AwaitsOneOf(Stage& m) {
  co_await m.AnyOf(m.Until(m.c > 5), m.AnyOf(m.Until(m.d > 5), m.Delay(100s)));
}

Task<> AwaitsEither(Stage& m) {
  co_await m.AnyOf(m.Until(m.d > 6), m.Until(m.c > 5));
}

// A wait with a deadline is not a wait without a time.
Task<> AwaitsBoth(Stage& m) {
  co_await m.AllOf(m.Until(m.c > 5), m.Delay(100s));
}

TEST(TaskWaitTest, WhoHasADeadlineIsNotAmongThoseThatWaitWithoutATime) {
  Stage m([](Stage& s) { s.Spawn(AwaitsOneOf(s)); });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_TRUE(run.waiting().empty());
}

TEST(TaskWaitTest, ThoseThatWaitAreInTheOrderOfTheirNames) {
  Stage m([](Stage& s) {
    s.Spawn(AwaitsEither(s));
    s.Spawn(AwaitsOneOf(s));
    s.Spawn(AwaitsBoth(s));
  });
  Simulator run(m);
  run.RunUntil(10s);
  EXPECT_THAT(
      run.waiting(),
      testing::ElementsAre(WaitingTask{.task = "AwaitsBoth", .awaits = "c > 5"},
                           WaitingTask{.task = "AwaitsEither",
                                       .awaits = "one of (d > 6, c > 5)"}));
}

Task<> AwaitsMore(Stage& m) {
  co_await m.AllOf(m.Until(m.c > 5),
                   m.AnyOf(m.Until(m.d > 6), m.Until(m.d > 7)));
}

TEST(TaskWaitTest, AWaitForSeveralThingsIsListedOnceWithAllOfThem) {
  Stage m([](Stage& s) { s.Spawn(AwaitsMore(s)); });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(run.waiting(),
              ElementsAre(WaitingTask{
                  .task = "AwaitsMore",
                  .awaits = "all of (c > 5, one of (d > 6, d > 7))"}));
}

}  // namespace
}  // namespace orrery::process
