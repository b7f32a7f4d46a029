#include "orrery/timeline/simulation_end.h"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::timeline::internal {
namespace {

using Names = std::vector<std::string>;

TEST(SimulationEndTest, LinksUsedLastAreNamedOnceInTheOrderOfTheirNames) {
  RecentLinks used;
  for (const std::size_t link : std::vector<std::size_t>{2, 0, 2, 1}) {
    used.Note(link);
  }
  EXPECT_EQ(used.NamesIn({"c", "b", "a"}), (Names{"a", "b", "c"}));
}

TEST(SimulationEndTest, LinksUsedBeforeTheLast32AreForgotten) {
  RecentLinks used;
  used.Note(0);
  for (int i = 0; i < 32; ++i) {
    used.Note(1);
  }
  EXPECT_EQ(used.NamesIn({"first", "last"}), Names{"last"});
}

TEST(SimulationEndTest, AnErrorEndsARunWhoseEquationsAreComplete) {
  SimulationEnd end;
  EXPECT_FALSE(end.is_there());
  end.Fail(RunOutcome::kConflict, "two values");
  EXPECT_TRUE(end.is_there());
  Summary summary;
  end.AddTo(summary);
  EXPECT_EQ(summary.outcome, RunOutcome::kConflict);
  EXPECT_EQ(summary.message, "two values");
  ASSERT_EQ(summary.diagnostics.size(), 1U);
  EXPECT_EQ(summary.diagnostics.front().message, "two values");
}

TEST(SimulationEndTest, AnInterruptionIsNoFinding) {
  SimulationEnd end;
  end.Interrupt("interrupted at t = 1 s");
  Summary summary;
  end.AddTo(summary);
  EXPECT_EQ(summary.outcome, RunOutcome::kInterrupted);
  EXPECT_EQ(summary.message, "interrupted at t = 1 s");
  EXPECT_TRUE(summary.diagnostics.empty());
}

TEST(SimulationEndTest, AnEndOfTheEquationsStands) {
  SimulationEnd end;
  end.Fail(RunOutcome::kModelFailed, "later");
  Summary summary{.outcome = RunOutcome::kTerminated, .message = "earlier"};
  end.AddTo(summary);
  EXPECT_EQ(summary.outcome, RunOutcome::kTerminated);
  EXPECT_EQ(summary.message, "earlier");
}

}  // namespace
}  // namespace orrery::timeline::internal
