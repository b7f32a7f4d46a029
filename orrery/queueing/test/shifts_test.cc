#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/queueing.h"

// Capacities and priorities that change in a run.
namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

template <typename R>
struct Desk : process::Model {
  R clerks;
  std::vector<std::string> notes;
  std::function<void(Desk&)> start;

  explicit Desk(std::int64_t capacity, std::function<void(Desk&)> s)
      : clerks(this, "clerks", capacity), start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<> Customer(std::string name, Duration arrival, Duration service) {
    co_await Delay(arrival);
    try {
      const auto held = co_await clerks.Acquire();
      Note(name);
      co_await Delay(service);
    } catch (const Preempted& preempted) {
      Note(name + " sent away by " + preempted.by());
    }
  }

  Task<> Sets(Duration at, std::int64_t units) {
    co_await Delay(at);
    clerks.SetCapacity(units);
  }
};

TEST(CapacityTest, WhoIsServedIsFinishedAndNobodyMoreBegins) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Desk<Resource> desk(2, [](Desk<Resource>& d) {
      d.Spawn(d.Customer("a", 0s, 10s));
      d.Spawn(d.Customer("b", 1s, 4s));
      d.Spawn(d.Customer("c", 2s, 4s));
      d.Spawn(d.Sets(3s, 1));
      d.Spawn(d.Sets(12s, 0));
      d.Spawn(d.Customer("d", 12s, 1s));
      d.Spawn(d.Sets(20s, 2));
    });
    Simulator run(desk, {.shuffle = order});
    run.Run();
    // b is done at 5 s, but one clerk is left, who serves a.
    EXPECT_THAT(desk.notes,
                ElementsAre("a at 0 s", "b at 1 s", "c at 10 s", "d at 20 s"));
    EXPECT_EQ(desk.clerks.available(), 2);
  }
}

// In use are 2 from 0 to 10 s. The capacity is 2 until 4 s, then 1 until 20 s.
TEST(CapacityTest, UtilisationIsOfTheUnitsThatThereWere) {
  Desk<Resource> desk(2, [](Desk<Resource>& d) {
    d.Spawn(d.Customer("a", 0s, 10s));
    d.Spawn(d.Customer("b", 0s, 10s));
    d.Spawn(d.Sets(4s, 1));
  });
  Simulator run(desk);
  run.RunUntil(20s);
  EXPECT_DOUBLE_EQ(desk.clerks.statistics().utilisation,
                   (2 * 10.0) / (2 * 4 + 1 * 16));
  EXPECT_EQ(desk.clerks.capacity(), 1);
}

TEST(CapacityTest, OfTwoChangesInOneBatchTheLeastCounts) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    Desk<Resource> desk(5, [](Desk<Resource>& d) {
      d.Spawn(d.Sets(1s, 4));
      d.Spawn(d.Sets(1s, 2));
      d.Spawn(d.Sets(1s, 3));
    });
    Simulator run(desk, {.shuffle = order});
    run.Run();
    EXPECT_EQ(desk.clerks.capacity(), 2);
  }
}

TEST(CapacityTest, MoreThanItWasMadeWithIsRefused) {
  Desk<Resource> desk(2, [](Desk<Resource>& d) { d.Spawn(d.Sets(1s, 3)); });
  Simulator run(desk);
  EXPECT_THAT(MessageOf([&] { run.Run(); }),
              testing::EndsWith("cannot set the capacity of 'clerks' to 3: it "
                                "was made with 2; give 0 to 2, or make it "
                                "with more"));
}

TEST(CapacityTest, AConditionSeesIt) {
  Desk<Resource> desk(2, [](Desk<Resource>& d) {
    d.Spawn(d.Sets(3s, 0));
    d.Spawn([](Desk<Resource>& its) -> Task<> {
      co_await its.Until([&its] { return its.clerks.capacity() == 0; });
      its.Note("closed");
    }(d));
  });
  Simulator run(desk);
  run.Run();
  EXPECT_THAT(desk.notes, ElementsAre("closed at 3 s"));
}

TEST(CapacityTest, ASnapshotKeepsIt) {
  Desk<Resource> desk(2, [](Desk<Resource>& d) {
    d.Spawn(d.Customer("a", 0s, 10s));
    d.Spawn(d.Sets(1s, 1));
    d.Spawn(d.Customer("b", 2s, 1s));
  });
  Simulator run(desk, {.snapshots = true});
  run.RunUntil(5s);
  const auto snapshot = run.Save();
  run.Run();
  desk.notes.clear();
  run.Restore(snapshot);
  desk.notes.clear();  // Replayed notes are added again.
  EXPECT_EQ(desk.clerks.capacity(), 1);
  run.Run();
  EXPECT_THAT(desk.notes, ElementsAre("b at 10 s"));
}

// Open from 8 to 17 o'clock, with a break of one hour.
struct Office : process::Model {
  PreemptiveResource clerks{this, "clerks", 2};
  Shifts<PreemptiveResource> day;
  std::vector<std::string> notes;

  explicit Office(ShiftEnd end)
      : day(this,
            "day",
            clerks,
            {{0h, 0}, {8h, 2}, {12h, 1}, {13h, 2}, {17h, 0}},
            24h,
            end) {}

  Task<> Customer(std::string name, Duration arrival, Duration service) {
    co_await Delay(arrival);
    while (service > 0s) {
      try {
        const auto held = co_await clerks.Acquire();
        notes.push_back(name + " begins at " + ToText(Now()));
        co_await Delay(service);
        service = 0s;
      } catch (const Preempted& preempted) {
        service -= preempted.usage();
      }
    }
    notes.push_back(name + " ends at " + ToText(Now()));
  }

  void Start() override {
    Spawn(Customer("early", 6h, 1h));
    Spawn(Customer("long", 10h, 4h));
    Spawn(Customer("noon", 11h, 2h));
    Spawn(Customer("late", 16h, 2h));
  }
};

TEST(ShiftsTest, WhoIsServedIsFinished) {
  Office office(ShiftEnd::kFinish);
  Simulator run(office);
  run.RunUntil(40h);
  EXPECT_THAT(office.notes,
              ElementsAre("early begins at 28800 s",
                          "early ends at 32400 s",
                          "long begins at 36000 s",
                          "noon begins at 39600 s",
                          "noon ends at 46800 s",
                          "long ends at 50400 s",
                          "late begins at 57600 s",
                          "late ends at 64800 s"));
}

// The latest task is preempted first, and goes on when there is a clerk again.
TEST(ShiftsTest, WhoIsServedGoesOnInTheNextShift) {
  Office office(ShiftEnd::kPreempt);
  Simulator run(office);
  run.RunUntil(40h);
  EXPECT_THAT(office.notes,
              ElementsAre("early begins at 28800 s",
                          "early ends at 32400 s",
                          "long begins at 36000 s",
                          "noon begins at 39600 s",
                          "noon begins at 46800 s",
                          "long ends at 50400 s",
                          "noon ends at 50400 s",
                          "late begins at 57600 s",
                          "late begins at 115200 s",
                          "late ends at 118800 s"));
}

TEST(ShiftsTest, TheCapacityIsThatOfTheTimeOfDay) {
  Office office(ShiftEnd::kFinish);
  Simulator run(office);
  std::vector<std::int64_t> units;
  for (const Duration time : {7h, 8h, 12h, 13h, 17h, 31h, 32h, 36h}) {
    run.RunUntil(time);
    units.push_back(office.clerks.capacity());
  }
  EXPECT_THAT(units, ElementsAre(0, 2, 1, 2, 0, 0, 2, 1));
}

TEST(ShiftsTest, ARunThatBeginsInAShiftHasItsCapacity) {
  Office office(ShiftEnd::kFinish);
  Simulator run(office, {.start = 12h + 30min});
  run.RunUntil(12h + 31min);
  EXPECT_EQ(office.clerks.capacity(), 1);
}

template <typename R>
std::string RefusalOf(std::vector<ShiftBegin> shifts,
                      std::optional<Duration> period,
                      ShiftEnd end = ShiftEnd::kFinish) {
  process::Model m;
  R resource(&m, "r");
  return MessageOf(
      [&] { const Shifts<R> made(&m, "day", resource, shifts, period, end); });
}

TEST(ShiftsTest, WhatIsNoTimetableIsRefused) {
  EXPECT_EQ(RefusalOf<Resource>({}, {}),
            "cannot make the shifts 'day': there are none; give at least one");
  EXPECT_EQ(
      RefusalOf<Resource>({{8h, 1}, {8h, 0}}, {}),
      "cannot make the shifts 'day': one begins at 28800 s, after one at 28800 "
      "s; give times that rise, from 0 s on");
  EXPECT_EQ(RefusalOf<Resource>({{0h, 1}, {25h, 0}}, 24h),
            "cannot make the shifts 'day': one begins at 90000 s, beyond the "
            "period of 86400 s; give times in it");
  EXPECT_EQ(RefusalOf<Resource>({{0h, 1}}, 24h, ShiftEnd::kPreempt),
            "cannot make the shifts 'day': who holds units of their resource "
            "cannot lose them; take a PreemptiveResource, or let them finish");
}

template <typename R>
Task<> Invalid(Desk<R>& d, std::string name, double priority) {
  const auto held = co_await d.clerks.Acquire({.priority = priority});
  d.Note(name);
  co_await d.Delay(10s);
}

template <typename R>
Task<> Worsens(Desk<R>& d, process::Handle<> patient, double priority) {
  co_await d.Delay(5s);
  d.clerks.SetPriority(patient, priority);
}

template <typename R>
std::vector<std::string> NotesWhereOneWorsens(double priority,
                                              std::uint64_t order) {
  Desk<R> desk(1, [priority](Desk<R>& d) {
    d.Spawn(Invalid(d, "a", 1));
    d.Spawn(Invalid(d, "b", 2));
    const auto c = d.Spawn(Invalid(d, "c", 3));
    d.Spawn(Worsens(d, c, priority));
  });
  Simulator run(desk, {.shuffle = order});
  run.Run();
  return desk.notes;
}

TEST(SetPriorityTest, WhoBecomesMoreUrgentComesSooner) {
  for (std::uint64_t order = 0; order < 4; ++order) {
    EXPECT_THAT(NotesWhereOneWorsens<PriorityResource>(1.5, order),
                ElementsAre("a at 0 s", "c at 10 s", "b at 20 s"));
    EXPECT_THAT(NotesWhereOneWorsens<PriorityResource>(9, order),
                ElementsAre("a at 0 s", "b at 10 s", "c at 20 s"));
  }
}

TEST(SetPriorityTest, WhoBecomesMoreUrgentThanWhoHoldsTakesIt) {
  Desk<PreemptiveResource> desk(1, [](Desk<PreemptiveResource>& d) {
    d.Spawn([](Desk<PreemptiveResource>& its) -> Task<> {
      try {
        co_await its.Call(Invalid(its, "a", 1));
      } catch (const Preempted& preempted) {
        its.Note("a loses it to " + preempted.by());
      }
    }(d));
    const auto b = d.Spawn(Invalid(d, "b", 2));
    d.Spawn(Worsens(d, b, 0));
  });
  Simulator run(desk);
  run.Run();
  EXPECT_THAT(
      desk.notes,
      ElementsAre("a at 0 s", "b at 5 s", "a loses it to Invalid at 5 s"));
}

Task<> IsPatient(Desk<PriorityResource>& d) {
  co_await d.AnyOf(d.Call(Invalid(d, "c", 3)), d.Delay(100s));
}

TEST(SetPriorityTest, TheRequestMayBeThatOfATaskThatIsCalled) {
  Desk<PriorityResource> desk(1, [](Desk<PriorityResource>& d) {
    d.Spawn(Invalid(d, "a", 1));
    d.Spawn(Invalid(d, "b", 2));
    d.Spawn(Worsens(d, d.Spawn(IsPatient(d)), 0));
  });
  Simulator run(desk);
  run.Run();
  EXPECT_THAT(desk.notes, ElementsAre("a at 0 s", "c at 10 s", "b at 20 s"));
}

TEST(SetPriorityTest, ASnapshotKeepsIt) {
  Desk<PriorityResource> desk(1, [](Desk<PriorityResource>& d) {
    d.Spawn(Invalid(d, "a", 1));
    d.Spawn(Invalid(d, "b", 2));
    d.Spawn(Worsens(d, d.Spawn(Invalid(d, "c", 3)), 0));
  });
  Simulator run(desk, {.snapshots = true});
  run.RunUntil(7s);
  const auto snapshot = run.Save();
  run.Run();
  run.Restore(snapshot);
  desk.notes.clear();
  run.Run();
  EXPECT_THAT(desk.notes, ElementsAre("c at 10 s", "b at 20 s"));
}

Task<> ForgetsIt(Desk<Resource>& d) {
  co_await d.Delay(1s);
  static_cast<void>(co_await d.clerks.Acquire());
  co_await d.Delay(1s);
}

Task<> ReleasesIt(Desk<Resource>& d) {
  (co_await d.clerks.Acquire()).Release();
  const auto held = co_await d.clerks.Acquire();
  d.Note("is served");
  co_await d.Delay(1s);
}

TEST(HoldingTest, OneWithoutANameIsWarnedOf) {
  Desk<Resource> desk(2, [](Desk<Resource>& d) {
    d.Spawn(ForgetsIt(d));
    d.Spawn(ReleasesIt(d));
  });
  Simulator run(desk);
  run.Run();
  EXPECT_THAT(
      run.warnings(),
      ElementsAre("1 of 'clerks' went back at 1 s as soon as a task had it; "
                  "keep what it is given, as in const auto held = co_await "
                  "clerks.Acquire()"));
}

Task<> ForgetsMachine(Desk<PreemptiveResource>& d) {
  static_cast<void>(co_await d.clerks.Acquire({.units = 2}));
  co_await d.Delay(1s);
}

TEST(HoldingTest, APreemptibleOneWithoutANameIsWarnedOf) {
  Desk<PreemptiveResource> desk(
      2, [](Desk<PreemptiveResource>& d) { d.Spawn(ForgetsMachine(d)); });
  Simulator run(desk);
  run.Run();
  EXPECT_THAT(run.warnings(),
              ElementsAre(testing::StartsWith("2 of 'clerks' went back")));
}

}  // namespace
}  // namespace orrery::queueing
