// Snapshots of runs of models with facilities.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/test/message_of.h"
#include "orrery/base/values/parameters.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/resimulation.h"
#include "orrery/process/test/recording_text.h"
#include "orrery/queueing/queueing.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::Cell;
using process::Handle;
using process::Options;
using process::Plan;
using process::Simulator;
using process::Snapshot;
using process::Task;

constexpr Options kSnapshots{.snapshots = true};
constexpr Options kAll{
    .records = {.profiles = true, .spans = true, .events = true},
    .snapshots = true};

enum class Kind : std::uint8_t {
  kIsServed,
  kReneges,
  kSeesDoctor,
  kUsesMachine,
  kTriesMachine,
  kMovesGoods,
  kMovesItems,
  kTakesBoth,
  kFetches,
  kWatches,
  kReads,
  kInterrupts,
  kCancels,
  kEndsWarmUp,
  kNumber
};

// The actions of a guest; times often coincide.
struct Guest {
  int arrival = 0;
  int service = 0;
  int patience = 0;
  int units = 1;
  int priority = 0;
  Kind kind = Kind::kIsServed;
};

std::ostream& operator<<(std::ostream& out, const Guest& visit) {
  return out << "{.arrival = " << visit.arrival
             << ", .service = " << visit.service
             << ", .patience = " << visit.patience
             << ", .units = " << visit.units
             << ", .priority = " << visit.priority << ", .kind = Kind("
             << static_cast<int>(visit.kind) << ")}";
}

rc::Gen<Guest> AnyGuest() {
  return rc::gen::construct<Guest>(
      rc::gen::inRange(0, 8),
      rc::gen::inRange(0, 5),
      rc::gen::inRange(0, 5),
      rc::gen::inRange(1, 4),
      rc::gen::inRange(0, 3),
      rc::gen::map(rc::gen::inRange(0, static_cast<int>(Kind::kNumber)),
                   [](int kind) { return static_cast<Kind>(kind); }));
}

rc::Gen<std::vector<Guest>> Guests() {
  return rc::gen::container<std::vector<Guest>>(
      rc::gen::resize(rc::kNominalSize, AnyGuest()));
}

/// A model with all facilities, and guests.
struct Village : process::Model {
  Resource servers{this, "servers", 3};
  PriorityResource doctor{this, "doctor", 3};
  PreemptiveResource machine{this, "machine", 3};
  Container tank{this, "tank", {.capacity = 6, .initial = 2}};
  Store<std::string> store{this, "store", 2};
  PriorityStore<int> sorted{this, "sorted"};
  FilterStore<int> mixed{this, "mixed"};
  Statistic<Monitor> stays_s{this, "stays_s"};
  Statistic<Sample> ends_s{this, "ends_s"};
  Statistic<TimeWeighted> present{this, "present"};
  Cell<process::Log<std::string>> log{this, "log"};
  process::Resource line{this, "line", [this] {
                           return servers.queue_length() +
                                  doctor.queue_length() +
                                  machine.queue_length();
                         }};
  process::Resource level{this, "level", tank};
  process::Activity visit{this, "Guest", "Comes", [this](Parameters& p) {
                            Guest v;
                            v.service = p.Get("service", 1, "s");
                            v.patience = p.Get("patience", 1, "s");
                            v.units = p.Get("units", 1, "");
                            v.priority = p.Get("priority", 1, "");
                            v.kind = static_cast<Kind>(p.Get("kind", 0, ""));
                            return Comes(v, {});
                          }};
  std::vector<Guest> visits;

  explicit Village(std::vector<Guest> v = {}) : visits(std::move(v)) {}

  void Start() override {
    Handle<> last;
    for (const Guest& one : visits) {
      last = Spawn(Comes(one, last));
    }
  }

  void Note(const std::string& what) { log.Append(what + " " + ToText(Now())); }

  Task<> Comes(Guest v, Handle<> other) {
    const Duration since = Now();
    try {
      co_await Delay(v.arrival * 1s);
      present.Add(1);
      co_await Call(Does(v, other));
    } catch (const process::Interrupted& interrupted) {
      Note(interrupted.what());
    } catch (const process::Cancelled&) {
      Note("cancelled");
    }
    present.Add(-1);
    stays_s.Add(Seconds(Now() - since).value);
    ends_s.Add(Seconds(Now()).value);
  }

  Task<> Does(Guest v, Handle<> other) {
    switch (v.kind) {
      case Kind::kIsServed:
        co_await Call(IsServed(v));
        break;
      case Kind::kReneges:
        co_await Call(Reneges(v));
        break;
      case Kind::kSeesDoctor:
        co_await Call(SeesDoctor(v));
        break;
      case Kind::kUsesMachine:
        co_await Call(UsesMachine(v));
        break;
      case Kind::kTriesMachine:
        co_await Call(TriesMachine(v));
        break;
      case Kind::kMovesGoods:
        co_await Call(MovesGoods(v));
        break;
      case Kind::kMovesItems:
        co_await Call(MovesItems(v));
        break;
      case Kind::kTakesBoth:
        co_await Call(TakesBoth(v));
        break;
      case Kind::kFetches:
        co_await Call(Uses(v, co_await Call(Fetches(v))));
        break;
      case Kind::kWatches:
        co_await Until([this] {
          return servers.queue_length() > 0;
        } || tank > 4.0);
        Note("watched");
        break;
      case Kind::kReads:
        co_await Call(Reads(v));
        break;
      case Kind::kInterrupts:
      case Kind::kCancels:
        Stops(v, other);
        break;
      case Kind::kEndsWarmUp:
      case Kind::kNumber:
        servers.ResetStatistics();
        tank.ResetStatistics();
        stays_s.ResetStatistics();
        present.ResetStatistics();
    }
  }

  void Stops(const Guest& v, const Handle<>& other) {
    try {
      if (v.kind == Kind::kCancels) {
        other.Cancel();
      } else {
        other.Interrupt("stop");
      }
    } catch (const Error&) {
      Note("none");  // The first task has no other.
    }
  }

  Task<> IsServed(Guest v) {
    const Holding held = co_await servers.Acquire(v.units);
    Note("served");
    co_await Delay(v.service * 1s);
    Note("done");
  }

  Task<> Reneges(Guest v) {
    auto [held, item, late] = co_await AnyOf(
        servers.Acquire(v.units), store.Get(), Delay(v.patience * 1s));
    Note((held ? "held " : "") + item.value_or("") + (late ? "late" : ""));
    co_await Delay(v.service * 1s);
    held.reset();
    co_await Delay(1s);
    Note("gone");
  }

  Task<> SeesDoctor(Guest v) {
    const Priority wanted{.priority = static_cast<double>(v.priority),
                          .units = v.units};
    Holding held = co_await doctor.Acquire(wanted);
    Note("seen");
    co_await Delay(v.service * 1s);
    held = Holding();
    co_await Delay(v.patience * 1s);
  }

  Task<> UsesMachine(Guest v) {
    const PreemptivePriority wanted{.priority = static_cast<double>(v.priority),
                                    .preempts = v.patience % 2 == 0,
                                    .units = v.units};
    PreemptibleHolding held = co_await machine.Acquire(wanted);
    try {
      co_await store.Put("by " + std::to_string(v.priority));
      co_await Delay(v.service * 1s);
      co_await tank.Get(static_cast<double>(v.units));
    } catch (const Preempted& preempted) {
      Note("lost to " + preempted.by());
    }
    co_await Delay(v.patience * 1s);
    Note(held ? "has" : "has not");
  }

  Task<> TriesMachine(Guest v) {
    const PreemptivePriority wanted{.priority = static_cast<double>(v.priority),
                                    .units = v.units};
    auto [held, late] =
        co_await AnyOf(machine.Acquire(wanted), Delay(v.patience * 1s));
    for (int i = 0; i < v.service; ++i) {
      co_await Delay(1s);
      Note("tries with " + std::to_string(held ? held->units() : -1));
    }
  }

  Task<> MovesGoods(Guest v) {
    co_await tank.Put(static_cast<double>(v.units));
    Note("put");
    co_await Delay(v.service * 1s);
    co_await tank.Get(static_cast<double>(v.units));
    Note("got");
  }

  Task<> MovesItems(Guest v) {
    mixed.Push(v.priority);
    sorted.Push(v.patience);
    const int least = v.service % 3;
    const auto [item, other] = co_await AllOf(
        mixed.Get([least](int one) { return one >= least; }), sorted.Get());
    Note("items " + std::to_string(item) + " " + std::to_string(other));
  }

  Task<> TakesBoth(Guest v) {
    const PreemptivePriority wanted{.priority = static_cast<double>(v.priority),
                                    .preempts = false,
                                    .units = v.units};
    const auto [one, other] =
        co_await AllOf(doctor.Acquire(), machine.Acquire(wanted));
    Note("both");
    co_await Delay(v.service * 1s);
    Note("both, " + std::to_string(other.units()));
  }

  Task<Holding> Fetches(Guest v) {
    Holding held = co_await servers.Acquire(v.units);
    Spawn(Lingers());
    co_return held;
  }

  Task<> Lingers() { co_await Delay(2s); }

  Task<> Uses(Guest v, Holding held) {
    Note("uses " + std::to_string(held.units()));
    co_await Delay(v.service * 1s);
  }

  Task<> Reads(Guest v) {
    for (int i = 0; i < 4; ++i) {
      co_await Delay(1s);
      if (servers.in_use() >= v.units && servers.queue_length() > 0) {
        Note("long");
      }
      if (tank.level() > v.service || store.size() > 0) {
        Note("much");
      }
      if (machine.statistics().preempted > 0 || stays_s.Get().mean() > 3) {
        Note("hard");
      }
    }
  }
};

void AddTo(std::string& text, const Average& average) {
  for (const double number : {average.mean, average.min, average.max}) {
    text += ShortestText(number) + " ";
  }
}

void AddTo(std::string& text, const Summary& summary) {
  text += std::to_string(summary.count) + " ";
  for (const double number :
       {summary.mean, summary.deviation, summary.min, summary.max}) {
    text += ShortestText(number) + " ";
  }
}

std::string TextOf(const internal::Lender& lender) {
  std::string text = "\n" + lender.name() + " ";
  const ResourceStatistics s = lender.statistics();
  for (const std::int64_t count : {lender.in_use(),
                                   lender.queue_length(),
                                   s.requests,
                                   s.granted,
                                   s.withdrawn,
                                   s.preempted}) {
    text += std::to_string(count) + " ";
  }
  AddTo(text, s.in_use);
  AddTo(text, s.queue);
  AddTo(text, s.wait_s);
  return text;
}

std::string TextOf(const internal::Stock& stock) {
  std::string text = "\n" + stock.name() + " ";
  const StockStatistics s = stock.statistics();
  text += std::to_string(stock.puts_waiting()) + " " +
          std::to_string(stock.gets_waiting()) + " ";
  AddTo(text, s.level);
  AddTo(text, s.puts_waiting);
  AddTo(text, s.gets_waiting);
  AddTo(text, s.put_wait_s);
  AddTo(text, s.get_wait_s);
  return text;
}

std::string TextOf(const Monitor& monitor) {
  return std::to_string(monitor.count()) + " " + ShortestText(monitor.sum()) +
         " " + ShortestText(monitor.deviation());
}

// Everything that can be observed of a run, to the last bit; except for
// evaluations of conditions where it was stopped.
std::string Everything(const Simulator& run, const Village& town) {
  std::string text = ToText(run.now());
  for (const std::string& entry : run.Get(town.log)) {
    text += "\n" + entry;
  }
  text += TextOf(town.servers) + TextOf(town.doctor) + TextOf(town.machine) +
          TextOf(town.tank) + TextOf(town.store) + TextOf(town.sorted) +
          TextOf(town.mixed);
  text += "\nlevels " + ShortestText(town.tank.level()) + " " +
          std::to_string(town.store.size()) + " " +
          std::to_string(town.sorted.size()) + " " +
          std::to_string(town.mixed.size());
  text += "\nstays " + TextOf(town.stays_s.Get()) + "\nends " +
          TextOf(town.ends_s.Get().Summary()) + "\npresent " +
          ShortestText(town.present.Get().Mean(run.now()));
  std::vector<std::string> lines;
  for (const process::WaitingTask& waiting : run.waiting()) {
    lines.push_back(waiting.task + " waits for " + waiting.awaits);
  }
  std::ranges::sort(lines);
  for (const std::string& one : lines) {
    text += "\n" + one;
  }
  const process::Statistics& counts = run.statistics();
  text += "\n" + std::to_string(counts.microsteps) + " " +
          std::to_string(counts.steps) + " " + std::to_string(counts.spawned) +
          " " + std::to_string(counts.samples);
  return text + RecordingText(run.recording());
}

RC_GTEST_PROP(QueueingSnapshotTest, WhatFollowsASnapshotIsTheSame, ()) {
  const std::vector<Guest> visits = *Guests();
  Options options = kAll;
  options.snapshots = false;
  Village bare(visits);
  Simulator plain(bare, options);
  Village town(visits);
  Simulator run(town, kAll);
  std::vector<Snapshot> snapshots;
  std::vector<std::string> then;
  for (int i = 0; i < 3; ++i) {
    const Duration next = run.now() + *rc::gen::inRange(0, 9) * 500ms;
    run.RunUntil(next);
    plain.RunUntil(next);
    snapshots.push_back(run.Save());
    then.push_back(Everything(run, town));
    RC_ASSERT(then.back() == Everything(plain, bare));
  }
  run.RunUntil(30s);
  plain.RunUntil(30s);
  const std::string expected = Everything(plain, bare);
  RC_ASSERT(Everything(run, town) == expected);
  for (const std::size_t i : {1U, 0U, 2U, 0U}) {
    run.Restore(snapshots[i]);
    RC_ASSERT(Everything(run, town) == then[i]);
    run.RunUntil(30s);
    RC_ASSERT(Everything(run, town) == expected);
  }
}

process::Directive DirectiveOf(const std::string& id, const Guest& visit) {
  const auto argument = [](const std::string& name, int value) {
    return ParameterText{.name = name, .value = std::to_string(value)};
  };
  const bool is_after = visit.patience == 0 && id != "0";
  return {.id = id,
          .type = "Guest",
          .anchor = is_after ? std::optional(process::Anchor{.id = "0"})
                             : std::nullopt,
          .start = visit.arrival * 1s,
          .arguments = {argument("service", visit.service),
                        argument("patience", visit.patience),
                        argument("units", visit.units),
                        argument("priority", visit.priority),
                        argument("kind", static_cast<int>(visit.kind))}};
}

RC_GTEST_PROP(QueueingSnapshotTest, AnyChangeOfAnyPlanGivesTheSame, ()) {
  const std::vector<Guest> visits = *Guests();
  Plan plan;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    plan.directives.push_back(DirectiveOf(std::to_string(i), visits[i]));
  }
  Village town;
  process::Resimulation runs(town, kAll, {1s, 2500ms, 4s, 6s, 9s});
  runs.Run(plan, 20s);
  for (int i = 0; i < 4; ++i) {
    const auto changed =
        *rc::gen::inRange<std::size_t>(0, plan.directives.size() + 1);
    const Guest visit = *AnyGuest();
    if (changed == plan.directives.size()) {
      plan.directives.push_back(DirectiveOf(std::to_string(changed), visit));
    } else {
      plan.directives[changed] =
          DirectiveOf(plan.directives[changed].id, visit);
    }
    Village fresh;
    Simulator other(fresh, plan, kAll);
    other.RunUntil(20s);
    RC_ASSERT(Everything(runs.Run(plan, 20s), town) ==
              Everything(other, fresh));
  }
}

// A server for which three tasks wait, 2 s each, from t = 0, 1 s and 2 s on.
TEST(QueueingSnapshotTest, WhoWaitsKeepsItsPlaceAndItsTime) {
  Village town({{.arrival = 0, .service = 2, .units = 3},
                {.arrival = 1, .service = 2, .units = 3},
                {.arrival = 2, .service = 2, .units = 3}});
  Simulator run(town, kSnapshots);
  run.RunUntil(3s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(town.servers.queue_length(), 1);
  run.Run();
  for (int i = 0; i < 3; ++i) {
    run.Restore(snapshot);
    EXPECT_EQ(town.servers.queue_length(), 1);
    EXPECT_EQ(town.servers.in_use(), 3);
    EXPECT_EQ(town.servers.statistics().granted, 2);
    run.Run();
    EXPECT_EQ(run.now(), 6s);
    const ResourceStatistics s = town.servers.statistics();
    EXPECT_EQ(s.granted, 3);
    EXPECT_EQ(s.wait_s.max, 2);
    EXPECT_EQ(s.wait_s.mean, 1);
    EXPECT_EQ(s.utilisation, 1);
    EXPECT_EQ(s.queue.mean, 0.5);
    EXPECT_EQ(town.ends_s.Get().Summary().mean(), 4);
    EXPECT_EQ(town.present.Get().Mean(run.now()), 1.5);
  }
}

// Preempted at 1 s, it waits until 5 s without units.
TEST(QueueingSnapshotTest, WhoWasPreemptedKnowsItAfterwards) {
  Village town({{.arrival = 0,
                 .service = 4,
                 .patience = 4,
                 .units = 3,
                 .priority = 2,
                 .kind = Kind::kUsesMachine},
                {.arrival = 1,
                 .service = 1,
                 .units = 3,
                 .priority = 1,
                 .kind = Kind::kTriesMachine}});
  Simulator run(town, kSnapshots);
  run.RunUntil(1500ms);
  const Snapshot snapshot = run.Save();
  run.Run();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(run.Get(town.log),
                testing::ElementsAre("lost to Comes > Does > TriesMachine 1 s",
                                     "tries with 3 2 s",
                                     "has not 5 s"));
    EXPECT_EQ(town.machine.in_use(), 0);
    run.Restore(snapshot);
    EXPECT_EQ(town.machine.in_use(), 3);
    run.Run();
  }
}

TEST(QueueingSnapshotTest, WhatIsPushedFromOutsideIsDealtWithFirst) {
  Village town({{.patience = 9, .units = 1, .kind = Kind::kMovesItems}});
  Simulator run(town, kSnapshots);
  town.sorted.Push(7);  // Nobody can wait before the start.
  const Snapshot before = run.Save();
  run.RunUntil(2s);
  town.mixed.Push(5);
  static_cast<void>(run.Save());  // Nobody waits for it.
  run.Restore(before);
  run.RunUntil(2s);
  EXPECT_EQ(town.sorted.size(), 1);
  EXPECT_THAT(run.Get(town.log), testing::ElementsAre("items 0 7 0 s"));
}

/// Waits for items from outside.
struct Pipe : process::Model {
  Store<int> items{this, "items"};
  int got = 0;

  Task<> Gets() {
    for (;;) {
      got = co_await items.Get();
    }
  }

  void Start() override { Spawn(Gets()); }
};

TEST(QueueingSnapshotTest, ARunWithSomethingToDoAtOnceIsNotSaved) {
  Pipe pipe;
  Simulator run(pipe, kSnapshots);
  run.RunUntil(2s);
  pipe.items.Push(3);
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.Save()); }),
            "cannot save the run: something was done to it from outside at t "
            "= 2 s that it has not yet dealt with; let it run until then");
  run.RunUntil(2s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(pipe.got, 3);
  pipe.items.Push(4);
  run.RunUntil(3s);
  EXPECT_EQ(pipe.got, 4);
  run.Restore(snapshot);
  EXPECT_EQ(pipe.got, 3);
  EXPECT_EQ(pipe.items.gets_waiting(), 1);
}

TEST(QueueingSnapshotTest, AStoreOfWhatCannotBeCopiedIsRefused) {
  process::Model depot("depot");
  const Store<std::unique_ptr<int>> boxes(&depot, "boxes");
  Simulator run(depot, kSnapshots);
  EXPECT_EQ(MessageOf([&] { static_cast<void>(run.Save()); }),
            "cannot save the run: what 'depot.boxes' holds cannot be copied; "
            "let it hold values");
}

/// Keeps its holding outside of tasks.
struct Hoarder : process::Model {
  PreemptiveResource machine{this, "machine"};
  PreemptibleHolding held;

  Task<> Takes() { held = co_await machine.Acquire(); }

  void Start() override { Spawn(Takes()); }
};

TEST(QueueingSnapshotTest, AHoldingThatNoTaskHasIsFoundOut) {
  Hoarder hoarder;
  Simulator run(hoarder, kSnapshots);
  run.RunUntil(1s);
  const Snapshot snapshot = run.Save();
  EXPECT_EQ(MessageOf([&] { run.Restore(snapshot); }),
            "cannot restore a snapshot: of 1 holdings of 'machine' tasks have "
            "0; keep holdings in tasks");
}

}  // namespace
}  // namespace orrery::queueing
