#include "orrery/devs/modeling/structure.h"

#include <chrono>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/test/message_of.h"
#include "orrery/base/test/thread_time.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing_parts::Collector;
using testing_parts::PlainGenerator;
using testing_parts::PlainJob;
using testing_parts::PlainProcessor;

// Adds a processor between `from` and `to` at each of its times.
class Grower : public Atomic<Grower> {
 public:
  struct State {
    int added = 0;
  };

  Grower(const PlainGenerator& from, const Collector& to)
      : from_(from), to_(to) {}

  Duration TimeAdvance(const State&) const { return 10s; }

  void Internal(State& s, Structure& structure) const {
    auto& part = structure.Add<PlainProcessor>(
        "cpu" + std::to_string(s.added++), Duration(500ms));
    structure.Couple(from_.out, part.in);
    structure.Couple(part.out, to_.in);
  }

 private:
  const PlainGenerator& from_;
  const Collector& to_;
};

struct Farm : Coupled {
  PlainGenerator& source = Add<PlainGenerator>("source", 1s, 1s);
  Collector& sink = Add<Collector>("sink");
  Grower& grower =
      Add<Grower>("grower", static_cast<const PlainGenerator&>(source), sink);

  Farm() : Coupled("farm") {}
};

TEST(StructureTest, PartThatIsAddedWorksFromTheNextInstantOn) {
  Farm farm;
  Simulator run(farm);
  run.RunUntil(12s);
  // PlainJob 9 is sent at 10 s, before the part is there.
  EXPECT_THAT(run.state(farm.sink).ids, ElementsAre(10));
  run.RunUntil(22s);
  EXPECT_THAT(run.state(farm.sink).ids,
              ElementsAre(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 20));
  EXPECT_EQ(farm.parts().size(), 5U);
  EXPECT_EQ(run.state(farm.source).next, 22);
}

TEST(StructureTest, ObserverSeesPartsThatFitItsPatternAsTheyCome) {
  Farm farm;
  Simulator run(farm);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv, {.outputs = false});
  run.Observe(trace, "farm.*u*");
  run.RunUntil(10s);
  EXPECT_THAT(out.str(),
              testing::HasSubstr("10,farm.cpu0,start,job,\n"
                                 "10,farm.cpu0,start,sigma,inf\n"));
}

// Asks for the changes of a function, once, at 1 s.
class Changer : public Atomic<Changer> {
 public:
  struct State {
    bool is_done = false;
  };

  explicit Changer(std::function<void(Structure&)> change)
      : change_(std::move(change)) {}

  Duration TimeAdvance(const State& s) const {
    return s.is_done ? kPassive : Duration(1s);
  }

  void Internal(State& s, Structure& structure) const {
    s.is_done = true;
    change_(structure);
  }

 private:
  std::function<void(Structure&)> change_;
};

struct Pipe : Coupled {
  PlainGenerator& source = Add<PlainGenerator>("source", 400ms, 400ms);
  Coupled& stage = Add<Coupled>("stage");
  Collector& sink = Add<Collector>("sink");

  explicit Pipe(std::function<void(Pipe&, Structure&)> change)
      : Coupled("pipe") {
    Couple(source.out, sink.in);
    Add<Changer>("changer", [this, change = std::move(change)](Structure& s) {
      change(*this, s);
    });
  }
};

TEST(StructureTest, PartThatIsRemovedTakesItsCouplingsAlong) {
  Pipe pipe([](Pipe& p, Structure& s) { s.Remove(p.source); });
  Simulator run(pipe);
  run.RunUntil(10s);
  EXPECT_THAT(run.state(pipe.sink).ids, ElementsAre(0, 1));
  EXPECT_TRUE(pipe.couplings().empty());
  EXPECT_EQ(pipe.FindPart("source"), nullptr);
  EXPECT_EQ(run.next_time(), kPassive);
}

TEST(StructureTest, CouplingThatIsUndonePassesNothingMore) {
  Pipe pipe([](Pipe& p, Structure& s) { s.Uncouple(p.source.out, p.sink.in); });
  Simulator run(pipe);
  run.RunUntil(2s);
  EXPECT_THAT(run.state(pipe.sink).ids, ElementsAre(0, 1));
  EXPECT_EQ(run.state(pipe.source).next, 5);
}

TEST(StructureTest, ModelMayRemoveItself) {
  Pipe pipe(
      [](Pipe&, Structure& s) { s.Remove(*s.around().FindPart("changer")); });
  Simulator run(pipe);
  run.RunUntil(2s);
  EXPECT_EQ(pipe.FindPart("changer"), nullptr);
  EXPECT_EQ(run.state(pipe.sink).ids.size(), 5U);
}

TEST(StructureTest, PartIsReplacedInOneInstantByOneOfItsName) {
  Pipe pipe([](Pipe& p, Structure& s) {
    s.Remove(p.source);
    auto& next = s.Add<PlainGenerator>("source", 300ms, 300ms);
    s.Couple(next.out, p.sink.in);
  });
  Simulator run(pipe);
  run.RunUntil(2s);
  EXPECT_THAT(run.state(pipe.sink).ids, ElementsAre(0, 1, 0, 1, 2));
  EXPECT_EQ(pipe.parts().size(), 4U);
  EXPECT_EQ(pipe.couplings().size(), 1U);
}

class Leaver : public Atomic<Leaver> {
 public:
  struct State {};

  Duration TimeAdvance(const State&) const { return 1s; }

  void Internal(State&, Structure& structure) const { structure.Remove(*this); }
};

// All parts were numbered anew for each of them, which took half a minute.
TEST(StructureTest, ManyPartsMayLeaveAtOnce) {
  constexpr int kLeavers = 20'000;
  Coupled crowd("crowd");
  for (int i = 0; i < kLeavers; ++i) {
    crowd.Add<Leaver>("leaver" + std::to_string(i));
    crowd.Add<Coupled>("other" + std::to_string(i));
  }
  Simulator run(crowd);
  const auto begin = ThreadTime();
  run.RunUntil(2s);
  EXPECT_LT(ThreadTime() - begin, 5s);
  EXPECT_EQ(crowd.parts().size(), std::size_t{kLeavers});
  EXPECT_EQ(crowd.FindPart("leaver7"), nullptr);
  EXPECT_EQ(crowd.FindPart("other7"), crowd.parts()[7].get());
}

TEST(StructureTest, StateOfModelsThatStayGoesOnToTheNanosecond) {
  Pipe changed([](Pipe& p, Structure& s) { s.Remove(p.stage); });
  Pipe same([](Pipe&, Structure&) {});
  Simulator a(changed);
  Simulator b(same);
  a.RunUntil(100s);
  b.RunUntil(100s);
  EXPECT_EQ(a.state(changed.sink).ids, b.state(same.sink).ids);
  EXPECT_EQ(a.statistics(), b.statistics());
}

std::string WhyNot(std::function<void(Pipe&, Structure&)> change) {
  Pipe pipe(std::move(change));
  Simulator run(pipe);
  try {
    run.RunUntil(2s);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(StructureTest, ChangeThatCannotBeMadeEndsTheRunWithItsReason) {
  EXPECT_EQ(
      WhyNot([](Pipe& p, Structure& s) { s.Couple(p.source.out, p.sink.in); }),
      "cannot go on with pipe at t = 1 s: in pipe.changer: cannot couple "
      "pipe.source.out to pipe.sink.in: they are coupled already; "
      "once is enough");
  EXPECT_EQ(WhyNot([](Pipe&, Structure& s) { s.Add<Collector>("sink"); }),
            "cannot go on with pipe at t = 1 s: in pipe.changer: cannot add "
            "'sink' to pipe: it has a part of this name already; choose "
            "another");
  EXPECT_EQ(WhyNot([](Pipe& p, Structure& s) {
              s.Remove(p.source);
              s.Remove(p.source);
            }),
            "cannot go on with pipe at t = 1 s: pipe has lost 'source' "
            "already; remove it once");
}

TEST(StructureTest, ModelThatMayNotChangeDoesNot) {
  const Pipe pipe([](Pipe& p, Structure& s) { s.Remove(p.source); });
  Simulator run(pipe);
  const auto why = [&]() -> std::string {
    try {
      run.RunUntil(2s);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(),
            "cannot go on with pipe at t = 1 s: the structure is to change, "
            "and the run was given a model that may not; give it one that is "
            "not const");
  EXPECT_THAT(run.state(pipe.sink).ids, ElementsAre(0, 1));
}

TEST(StructureTest, SnapshotOfAnotherStructureIsRefused) {
  Pipe pipe([](Pipe& p, Structure& s) { s.Remove(p.source); });
  Simulator run(pipe);
  const Snapshot before = run.Save();
  run.RunUntil(2s);
  EXPECT_THROW(run.Restore(before), Error);
}

TEST(StructureTest, SnapshotOfOtherCouplingsBringsThemBack) {
  Pipe pipe([](Pipe& p, Structure& s) { s.Uncouple(p.source.out, p.sink.in); });
  Simulator run(pipe);
  const Snapshot before = run.Save();
  run.RunUntil(5s);
  const std::vector<int> ids = run.state(pipe.sink).ids;
  EXPECT_THAT(ids, ElementsAre(0, 1));
  EXPECT_EQ(pipe.couplings().size(), 0U);
  const Snapshot after = run.Save();
  for (int i = 0; i < 2; ++i) {
    run.Restore(before);
    EXPECT_EQ(pipe.couplings().size(), 1U);
    run.RunUntil(5s);
    EXPECT_EQ(run.state(pipe.sink).ids, ids);
  }
  run.Restore(before);
  run.Restore(after);
  run.RunUntil(9s);
  EXPECT_EQ(run.state(pipe.sink).ids, ids);
}

TEST(StructureTest, ModelThatMayNotChangeDoesNotGetCouplingsBack) {
  Pipe pipe([](Pipe& p, Structure& s) { s.Uncouple(p.source.out, p.sink.in); });
  Simulator run(pipe);
  const Snapshot before = run.Save();
  run.RunUntil(2s);
  Simulator other(std::as_const(pipe));
  EXPECT_EQ(MessageOf([&] { other.Restore(before); }),
            "cannot restore a run of pipe: its couplings were changed since "
            "the snapshot, and this run was given a model that may not change; "
            "give it one that is not const");
}

}  // namespace
}  // namespace orrery::devs
