#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing_parts::Collector;
using testing_parts::PlainGenerator;
using testing_parts::PlainJob;
using testing_parts::PlainProcessor;

// Sends at times drawn at random.
class SavedSource : public Atomic<SavedSource> {
 public:
  struct State {
    RandomStream random;
    int next = 0;
    Duration sigma{};
  };

  Out<PlainJob> out{this, "out"};

  State Initial(const Start& start) const {
    return {.random = start.Stream("gaps")};
  }

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, {.id = s.next}); }

  void Internal(State& s) const {
    ++s.next;
    s.sigma = ToDuration(s.random.Exponential(1.0));
  }
};

class SavedLine : public Coupled {
 public:
  In<PlainJob> in{this, "in"};
  SavedSource& source = Add<SavedSource>("source");
  PlainProcessor& cpu = Add<PlainProcessor>("cpu", 800ms);
  Collector& sink = Add<Collector>("sink");

  SavedLine() : Coupled("line") {
    Couple(source.out, cpu.in);
    Couple(in, cpu.in);
    Couple(cpu.out, sink.in);
  }
};

TEST(SnapshotTest, RestoredRunGoesOnAsItDid) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    const SavedLine line;
    Simulator run(line, {.formalism = formalism});
    run.RunUntil(20s);
    const Snapshot snapshot = run.Save();
    run.RunUntil(100s);
    const std::vector<int> ids = run.state(line.sink).ids;
    const Statistics statistics = run.statistics();
    EXPECT_GT(ids.size(), 40U);

    run.Restore(snapshot);
    EXPECT_EQ(run.now(), 20s);
    EXPECT_LT(run.state(line.sink).ids.size(), 30U);
    run.RunUntil(100s);
    EXPECT_EQ(run.state(line.sink).ids, ids);
    EXPECT_EQ(run.statistics(), statistics);
  }
}

TEST(SnapshotTest, AnotherRunOfTheModelTakesIt) {
  const SavedLine line;
  Simulator first(line);
  first.RunUntil(20s);
  Simulator second(line);
  second.Restore(first.Save());
  first.RunUntil(50s);
  second.RunUntil(50s);
  EXPECT_EQ(first.state(line.sink).ids, second.state(line.sink).ids);
}

TEST(SnapshotTest, RunFromASnapshotTakesAnotherInput) {
  const SavedLine line;
  Simulator run(line);
  run.RunUntil(20s);
  const Snapshot snapshot = run.Save();
  const auto ids_with = [&](int id) {
    run.Restore(snapshot);
    run.Inject(line.in, {.id = id}, 30s);
    run.Inject(line.in, {.id = id}, 31s);
    run.Inject(line.in, {.id = id}, 32s);
    run.RunUntil(40s);
    return run.state(line.sink).ids;
  };
  const std::vector<int> ids = ids_with(1000);
  EXPECT_THAT(ids, testing::Contains(1000));
  EXPECT_EQ(ids_with(1000), ids);
  EXPECT_NE(ids_with(2000), ids);
}

TEST(SnapshotTest, StartIsRestoredTooBeforeAnythingHasMoved) {
  const SavedLine line;
  Simulator run(line);
  const Snapshot start = run.Save();
  run.RunUntil(10s);
  const auto ids = run.state(line.sink).ids;
  run.Restore(start);
  EXPECT_EQ(start.time(), 0s);
  EXPECT_TRUE(run.state(line.sink).ids.empty());
  run.RunUntil(10s);
  EXPECT_EQ(run.state(line.sink).ids, ids);
}

TEST(SnapshotTest, SnapshotOfAnotherModelIsRefused) {
  const SavedLine line;
  Coupled other("other");
  other.Add<PlainGenerator>("source", 1s, 1s);
  Simulator run(line);
  const Snapshot snapshot = Simulator(other).Save();
  const auto why = [&]() -> std::string {
    try {
      run.Restore(snapshot);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(),
            "cannot restore a run of line: the snapshot is one of other");
}

}  // namespace
}  // namespace orrery::devs
