#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;

Task<> Ticks(Stage& m, int instants, int every) {
  for (int i = 1; i <= instants; ++i) {
    co_await m.Delay(1s);
    if (i % every == 0) {
      m.a.Add(1);
    }
  }
}

// G1
TEST(CostTest, ACellNobodyReadsCostsNothing) {
  Stage m([](Stage& s) { s.Spawn(Ticks(s, 1000, 1)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(m.a.counts(), CellCounts());
}

// At most 4,096 effects are kept for a cell that nobody reads.
TEST(CostTest, EffectsThatNobodyReadsAreAppliedWhenMoreThan4096HaveGathered) {
  const auto applies_after = [](int effects) {
    Stage m([&](Stage& s) { s.Spawn(Ticks(s, effects, 1)); });
    Simulator run(m);
    run.Run();
    EXPECT_EQ(m.a.counts().copies, 0);
    return m.a.counts().applies;
  };
  EXPECT_EQ(applies_after(4096), 0);
  EXPECT_EQ(applies_after(4097), 4097);
  EXPECT_EQ(applies_after(8193), 4097);
  EXPECT_EQ(applies_after(10'000), 2 * 4097);
}

Task<> AddsOnce(Stage& m) {
  m.a.Add(1);
  co_return;
}

// Effects of tasks that did not see each other are folded into one.
TEST(CostTest, EffectsSideBySideAreOneEffectOfTheirBatch) {
  Stage m([](Stage& s) {
    for (int i = 0; i < 100; ++i) {
      s.Spawn(AddsOnce(s));
    }
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(m.a.counts(), CellCounts());
  EXPECT_EQ(run.Get(m.a), 100);
  EXPECT_EQ(m.a.counts().applies, 1);
}

// G2
TEST(CostTest, CatchingUpIsOneStepAnEffectAndOneMore) {
  Stage m([](Stage& s) { s.Spawn(Ticks(s, 1000, 99)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.Get(m.a), 10);
  EXPECT_EQ(m.a.counts(),
            (CellCounts{.steps = 11, .applies = 10, .copies = 0}));
}

// G3
Task<> ReadsOften(Stage& m, double& sum) {
  for (int i = 0; i < 10; ++i) {
    sum += m.a.Get();
  }
  co_return;
}

TEST(CostTest, RepeatedReadsCopyNothing) {
  double sum = 0;
  Stage m([&](Stage& s) { s.Spawn(ReadsOften(s, sum)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(m.a.counts(), CellCounts());
}

Task<> AddsAndReads(Stage& m, double& sum) {
  co_await m.Delay(1s);
  for (int i = 0; i < 10; ++i) {
    m.a.Add(1);
    sum += m.a.Get();
  }
}

TEST(CostTest, OwnEffectsAreReadInPlaceByWhoIsAlone) {
  double sum = 0;
  Stage m([&](Stage& s) { s.Spawn(AddsAndReads(s, sum)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(sum, 55);
  EXPECT_EQ(m.a.counts(), (CellCounts{.steps = 1, .applies = 10, .copies = 0}));
}

TEST(CostTest, OwnEffectsBesideOthersAreReadInOneCopyEach) {
  double sum = 0;
  Stage m([&](Stage& s) {
    s.Spawn(AddsAndReads(s, sum));
    s.Spawn(AddsAndReads(s, sum));
  });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(sum, 110);
  EXPECT_EQ(run.Get(m.a), 20);
  EXPECT_EQ(m.a.counts().copies, 2);
}

// G5: neither a cell that is read now and then nor one that is never read
// grows.
TEST(CostTest, AMillionInstantsKeepNothing) {
  Stage m([](Stage& s) { s.Spawn(Ticks(s, 1'000'000, 1)); });
  Simulator run(m);
  run.Run();
  EXPECT_EQ(run.now(), 1'000'000s);
  EXPECT_LT(m.a.counts().applies, 1'000'001);
  EXPECT_GT(m.a.counts().applies, 990'000);
  EXPECT_EQ(run.Get(m.a), 1'000'000);
}

}  // namespace
}  // namespace orrery::process
