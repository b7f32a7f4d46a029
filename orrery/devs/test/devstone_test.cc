#include "orrery/devs/bench/devstone.h"

#include <gtest/gtest.h>

#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs::devstone {
namespace {

struct StoneCase {
  Kind kind;
  int width;
  int depth;
};

class DevstoneTest : public testing::TestWithParam<StoneCase> {};

// Counts after one message at each input.
Counts CountsOf(const StoneCase& c) {
  const Stone stone(c.kind, c.width, c.depth);
  Simulator run(stone);
  run.Inject(stone.in1, 0, Duration(1));
  run.Inject(stone.in2, 0, Duration(1));
  run.RunUntil(Duration(2));
  const Statistics& s = run.statistics();
  EXPECT_EQ(s.internal, s.external);
  return {.atomics = Expected(c.kind, c.width, c.depth).atomics,
          .transitions = s.internal + s.confluent,
          .messages = s.messages};
}

TEST_P(DevstoneTest, CountsAreThoseOfTheFormulas) {
  const StoneCase& c = GetParam();
  EXPECT_EQ(CountsOf(c), Expected(c.kind, c.width, c.depth));
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         DevstoneTest,
                         testing::Values(StoneCase{Kind::kLi, 2, 2},
                                         StoneCase{Kind::kLi, 7, 3},
                                         StoneCase{Kind::kLi, 200, 200},
                                         StoneCase{Kind::kHi, 2, 5},
                                         StoneCase{Kind::kHi, 9, 4},
                                         StoneCase{Kind::kHo, 3, 3},
                                         StoneCase{Kind::kHo, 9, 4},
                                         StoneCase{Kind::kHomod, 2, 2},
                                         StoneCase{Kind::kHomod, 3, 3},
                                         StoneCase{Kind::kHomod, 5, 4},
                                         StoneCase{Kind::kHomod, 10, 10}));

// acceptance/devs.md: width, depth, transitions, messages.
TEST(DevstoneFormulaTest, HomodHasThePublishedCounts) {
  const auto expect = [](int w, int d, std::int64_t moves, std::int64_t mail) {
    const Counts counts = Expected(Kind::kHomod, w, d);
    EXPECT_EQ(counts.transitions, moves) << w << " x " << d;
    EXPECT_EQ(counts.messages, mail) << w << " x " << d;
  };
  expect(2, 2, 4, 4);
  expect(3, 3, 29, 49);
  expect(5, 4, 259, 787);
  expect(10, 10, 18712, 92764);
  expect(20, 20, 689872, 4097389);
  expect(50, 50, 73593052, 483237364);
}

}  // namespace
}  // namespace orrery::devs::devstone
