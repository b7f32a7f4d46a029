#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/base/test/thread_time.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

// Tasks that end, fail or are stopped at one time.
namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Heard = std::vector<std::string>;

Task<> Breaks(Stage& m, std::string what, Duration after = 1s) {
  co_await m.Delay(after);
  throw std::runtime_error(what);
}

void Hear(Stage& m, Heard& heard, const std::exception& exception) {
  heard.push_back(std::string(exception.what()) + " at " + ToText(m.Now()));
}

template <typename F>
Task<> Hears(Stage& m, Heard& heard, F body) {
  try {
    co_await m.Call(body());
  } catch (const std::exception& exception) {
    Hear(m, heard, exception);
  }
  co_await m.Delay(1s);
}

Task<> BreakBoth(Stage& m) {
  co_await m.AllOf(m.Call(Breaks(m, "one")), m.Call(Breaks(m, "two")));
}

Task<> BreakOne(Stage& m) {
  co_await m.AnyOf(m.Call(Breaks(m, "one")), m.Call(Breaks(m, "two")));
}

Task<> BreakHandles(Stage& m) {
  const Handle<> one = m.Spawn(Breaks(m, "one"));
  const Handle<> two = m.Spawn(Breaks(m, "two"));
  co_await m.AllOf(one, two);
}

Task<> BreakAsDescendants(Stage& m) {
  m.Spawn(Breaks(m, "one"));
  m.Spawn(Breaks(m, "two"));
  co_await m.Delay(5s);
}

Task<> BreakMany(Stage& m, int count) {
  for (int i = 0; i < count; ++i) {
    m.Spawn(Breaks(m, "number " + std::to_string(i)));
  }
  co_await m.Delay(5s);
}

void ExpectTheFirst(Task<> (*body)(Stage&), std::uint64_t order) {
  Heard heard;
  Stage m([&](Stage& s) {
    s.Spawn(Hears(s, heard, [&s, body] { return body(s); }));
  });
  Simulator run(m, {.shuffle = order});
  run.Run();
  EXPECT_THAT(heard, ElementsAre("one at 1 s"));
  EXPECT_THAT(run.warnings(),
              ElementsAre(testing::EndsWith("failed at 1 s when its caller did "
                                            "not wait for it any more: two")));
  EXPECT_EQ(run.now(), 2s);
}

TEST(FailureTest, OfTwoAtOneTimeTheCallerIsToldTheFirst) {
  for (const auto body :
       {BreakBoth, BreakOne, BreakHandles, BreakAsDescendants}) {
    for (std::uint64_t order = 0; order < 8; ++order) {
      ExpectTheFirst(body, order);
    }
  }
}

Task<> Ends(Stage& m) {
  co_await m.Delay(1s);
}

Task<> EndsBesideAFailure(Stage& m) {
  co_await m.AnyOf(m.Call(Ends(m)), m.Call(Breaks(m, "beside")));
}

TEST(FailureTest, OneAtTheTimeOfAnotherEndIsThrown) {
  Heard heard;
  Stage m([&](Stage& s) {
    s.Spawn(Hears(s, heard, [&s] { return EndsBesideAFailure(s); }));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(heard, ElementsAre("beside at 1 s"));
}

TEST(FailureTest, OneAtTheTimeOfATimeoutIsThrown) {
  Heard heard;
  Stage m([&](Stage& s) {
    s.Spawn(Hears(s, heard, [&s]() -> Task<> {
      co_await s.AnyOf(s.Delay(1s), s.Call(Breaks(s, "just then")));
    }));
  });
  Simulator run(m);
  run.Run();
  EXPECT_THAT(heard, ElementsAre("just then at 1 s"));
}

Task<> StopsIt(Stage& m, Handle<> task, bool interrupts) {
  co_await m.Delay(1s);
  if (interrupts) {
    task.Interrupt("enough");
  } else {
    task.Cancel();
  }
}

TEST(FailureTest, ACancelIsTooLateForWhatFailsInTheSameBatch) {
  Stage m([](Stage& s) {
    s.Spawn(StopsIt(s, s.Spawn(Breaks(s, "broken")), false));
  });
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 1 s: task 'Breaks' failed: broken");
}

Task<> AwaitsHandle(Stage& m, Heard& heard, Handle<> task) {
  try {
    co_await task;
  } catch (const Interrupted& interrupted) {
    Hear(m, heard, interrupted);
  }
}

TEST(FailureTest, WhoIsStoppedInTheSameBatchDoesNotTakeIt) {
  for (const bool interrupts : {false, true}) {
    Heard heard;
    Stage m([&](Stage& s) {
      const Handle<> task = s.Spawn(Breaks(s, "broken"));
      s.Spawn(StopsIt(s, s.Spawn(AwaitsHandle(s, heard, task)), interrupts));
    });
    Simulator run(m);
    EXPECT_EQ(MessageOf([&] { run.Run(); }),
              "cannot go on at t = 1 s: task 'Breaks' failed: broken");
  }
}

Task<> CallsBreaking(Stage& m, Heard& heard) {
  try {
    co_await m.Call(Breaks(m, "broken"));
  } catch (const Interrupted& interrupted) {
    Hear(m, heard, interrupted);
  }
}

TEST(FailureTest, OfACallLeftInTheSameBatchAWarningTells) {
  for (const bool interrupts : {false, true}) {
    Heard heard;
    Stage m([&](Stage& s) {
      s.Spawn(StopsIt(s, s.Spawn(CallsBreaking(s, heard)), interrupts));
    });
    Simulator run(m);
    run.Run();
    EXPECT_EQ(heard, interrupts ? Heard{"enough at 1 s"} : Heard{});
    EXPECT_THAT(
        run.warnings(),
        ElementsAre("task 'CallsBreaking > Breaks' failed at 1 s when its "
                    "caller did not wait for it any more: broken"));
  }
}

Task<> GoesOnToSomethingElse(Stage& m, Handle<> task) {
  co_await m.AnyOf(task, m.Delay(1s));
  co_await m.Delay(5s);
}

TEST(FailureTest, WhoWaitsForSomethingElseByThenDoesNotTakeIt) {
  Stage m([](Stage& s) {
    s.Spawn(GoesOnToSomethingElse(s, s.Spawn(Breaks(s, "broken", 3s))));
  });
  Simulator run(m);
  EXPECT_EQ(MessageOf([&] { run.Run(); }),
            "cannot go on at t = 3 s: task 'Breaks' failed: broken");
}

Task<> SleepsThrice(Stage& m, Heard& heard) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_await m.Delay(5s);
      heard.push_back("slept at " + ToText(m.Now()));
    } catch (const Interrupted& interrupted) {
      Hear(m, heard, interrupted);
    }
  }
}

Task<> InterruptsTwice(Handle<> task) {
  task.Interrupt("first");
  task.Interrupt("second");
  co_return;
}

// A search for the exception of each among all took 20 s.
TEST(FailureTest, ManyAtOneTimeTakeTimeInProportion) {
  Heard heard;
  Stage m([&](Stage& s) {
    s.Spawn(Hears(s, heard, [&s] { return BreakMany(s, 200'000); }));
  });
  Simulator run(m);
  const auto begin = ThreadTime();
  run.Run();
  EXPECT_LT(ThreadTime() - begin, 5s);
  EXPECT_THAT(heard, ElementsAre("number 0 at 1 s"));
  EXPECT_EQ(run.now(), 2s);
}

TEST(InterruptTest, EachOfTwoInOneBatchIsThrown) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Heard heard;
    Stage m([&](Stage& s) {
      const Handle<> task = s.Spawn(SleepsThrice(s, heard));
      s.Spawn(InterruptsTwice(task));
    });
    Simulator run(m, {.shuffle = order});
    run.Run();
    EXPECT_THAT(heard,
                ElementsAre("first at 0 s", "second at 0 s", "slept at 5 s"));
  }
}

TEST(InterruptTest, EachOfTwoBeforeATaskBeginsIsThrown) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    Heard heard;
    Stage m;
    Simulator run(m, {.shuffle = order});
    const Handle<> task = run.Spawn(SleepsThrice(m, heard), 10s);
    run.Spawn(InterruptsTwice(task), 1s);
    run.Run();
    EXPECT_THAT(
        heard, ElementsAre("first at 10 s", "second at 10 s", "slept at 15 s"));
  }
}

}  // namespace
}  // namespace orrery::process
