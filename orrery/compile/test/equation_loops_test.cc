#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/compile/compile.h"
#include "orrery/compile/listing.h"
#include "orrery/compile/test/loop_sketch.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EquationLoopsTest, KeepsAStencilAsALoop) {
  LoopSketch s = Heat(40);
  const BothForms both = Compared(s);
  EXPECT_EQ(ListEquations(*both.loops),
            "der(u[1]) = u[2] - 2*u[1] + 1\n"
            "der(u[i]) = u[i + 1] - 2*u[i] + u[i - 1] for i in 2:39\n"
            "der(u[40]) = u[39] - 2*u[40]\n");
}

TEST(EquationLoopsTest, CodeDoesNotGrowWithTheNumberOfPasses) {
  LoopSketch small = Heat(100);
  LoopSketch large = Heat(1000);
  EXPECT_EQ(InstructionsOf(*small.Compiled()),
            InstructionsOf(*large.Compiled()));
}

TEST(EquationLoopsTest, AnArrayEquationIsALoop) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr v = s.Variable("v", {20});
  s.Equal(s.Der(u), v * 2 - u);
  s.Equal(v + 1, u * u);
  const BothForms both = Compared(s);
  EXPECT_EQ(ListEquations(*both.loops),
            "v[i] = u[i]*u[i] - 1 for i in 1:20\n"
            "der(u[i]) = v[i]*2 - u[i] for i in 1:20\n");
}

TEST(EquationLoopsTest, AStencilInTwoDimensionsIsALoop) {
  LoopSketch s;
  const Expr u = s.Variable("u", {6, 7});
  const Expr i = s.Iterator(2, 5);
  const Expr j = s.Iterator(2, 6);
  s.ForAll({i, j},
           s.Der(s.At(u, i, j)),
           s.At(u, s.Shifted(i, 1), j) + s.At(u, s.Shifted(i, -1), j) +
               s.At(u, i, s.Shifted(j, 1)) + s.At(u, i, s.Shifted(j, -1)) -
               4 * s.At(u, i, j));
  for (std::int64_t a = 1; a <= 6; ++a) {
    s.Equal(s.At(u, s.Integer(a), s.Integer(1)), s.Number(0.5));
    s.Equal(s.At(u, s.Integer(a), s.Integer(7)), s.flat.time);
  }
  for (std::int64_t b = 2; b <= 6; ++b) {
    s.Equal(s.At(u, s.Integer(1), s.Integer(b)), s.Number(0.125));
    s.Equal(s.At(u, s.Integer(6), s.Integer(b)),
            s.At(u, s.Integer(5), s.Integer(b)));
  }
  const BothForms both = Compared(s);
  EXPECT_EQ(both.loops->state_slots.size(), 20U);
  EXPECT_THAT(ListEquations(*both.loops), HasSubstr("der(u[i, j]) = "));
}

TEST(EquationLoopsTest, PositionsAndSpeedsAreKnownAsSuch) {
  LoopSketch s;
  const Expr x = s.Variable("x", {20});
  const Expr v = s.Variable("v", {20});
  const Expr i = s.Iterator(1, 20);
  s.ForAll({i}, s.Der(s.At(x, i)), s.At(v, i));
  s.Equal(s.Der(v), -x);
  const BothForms both = Compared(s);
  EXPECT_EQ(both.loops->is_position[19], 1);
  EXPECT_EQ(both.loops->is_position[20], 0);
}

TEST(EquationLoopsTest, ARecurrenceRunsInItsOrder) {
  LoopSketch s;
  const Expr y = s.Variable("y", {30});
  const Expr i = s.Iterator(2, 30);
  s.Equal(s.At(y, 1), s.Number(1));
  s.ForAll({i}, s.At(y, i), s.At(y, s.Shifted(i, -1)) * 2);
  s.flat.name = "Sketch";
  const auto program = CompiledAs(LoopForm::kKept, s.flat);
  const std::vector<double> memory = MemoryOf(*program);
  const Reference last =
      ReferenceOf(*program, NameTable(*program).Get("y[30]"));
  EXPECT_EQ(memory[last.slot], 536870912);  // 2^29
  EXPECT_THAT(ListEquations(*program),
              HasSubstr("y[i] = y[i - 1]*2 for i in 2:30\n"));
}

TEST(EquationLoopsTest, ALoopAgainstItsOrderIsTakenApart) {
  LoopSketch s;
  const Expr y = s.Variable("y", {30});
  const Expr i = s.Iterator(1, 29);
  s.Equal(s.At(y, 30), s.flat.time);
  s.ForAll({i}, s.At(y, i), s.At(y, s.Shifted(i, 1)) * 2);
  s.flat.name = "Sketch";
  const auto program = CompiledAs(LoopForm::kKept, s.flat);
  EXPECT_THAT(ListEquations(*program), HasSubstr("y[29] = y[30]*2\n"));
  const Reference first =
      ReferenceOf(*program, NameTable(*program).Get("y[1]"));
  EXPECT_EQ(MemoryOf(*program)[first.slot], 536870912 * kTime);
}

TEST(EquationLoopsTest, LoopsThatWaitForEachOtherAreTakenApart) {
  LoopSketch s;
  const Expr x = s.Variable("x", {20});
  const Expr y = s.Variable("y", {20});
  const Expr i = s.Iterator(1, 20);
  const Expr k = s.Iterator(2, 20);
  s.ForAll({i}, s.At(x, i), s.At(y, i) + 1);
  s.ForAll({k}, s.At(y, k), s.At(x, s.Shifted(k, -1)) * 0.5);
  s.Equal(s.At(y, 1), s.flat.time);
  s.flat.name = "Sketch";
  const auto program = CompiledAs(LoopForm::kKept, s.flat);
  EXPECT_THAT(ListEquations(*program), Not(HasSubstr("[i]")));
  const Reference at = ReferenceOf(*program, NameTable(*program).Get("x[3]"));
  EXPECT_EQ(MemoryOf(*program)[at.slot], ((kTime + 1) * 0.5 + 1) * 0.5 + 1);
}

TEST(EquationLoopsTest, StartsOfASliceMayDiffer) {
  LoopSketch s = Heat(20);
  std::vector<double> starts(20);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    starts[k] = static_cast<double>(k) * 0.5;
  }
  s.flat.variables.back().start = s.flat.graph->ArrayConstant(starts, {20});
  const BothForms both = Compared(s);
  const Program& program = *both.loops;
  const Reference at = ReferenceOf(program, NameTable(program).Get("u[7]"));
  EXPECT_EQ(program.initial_memory[at.slot], 3);
  EXPECT_EQ(program.starts.size(), 20U);
}

TEST(EquationLoopsTest, AnInitialLoopGivesSlicesAndElements) {
  LoopSketch s = Heat(20);
  const Expr u = s.flat.variables.back().symbol;
  const Expr i = s.Iterator(0, 19);
  s.flat.initial_equations.push_back(
      {.left = s.At(u, s.Shifted(i, 1)), .right = i * 0.5, .iterators = {i}});
  const BothForms both = Compared(s);
  EXPECT_EQ(StartsOf(*both.loops)[7], 3.5);
  EXPECT_THAT(ListEquations(*both.loops), HasSubstr("der(u[i]) = "));
}

TEST(EquationLoopsTest, ASumOverAnArrayIsALoop) {
  LoopSketch s = Heat(200);
  const Expr u = s.flat.variables.back().symbol;
  const Expr total = s.Variable("total");
  const Expr heat = s.Variable("heat");
  const Expr k = s.Iterator(1, 200);
  s.Equal(total, s.flat.graph->Loop(Op::kSum, k, s.At(u, k)) * 0.5);
  s.Equal(s.Der(heat), total - heat);
  const BothForms both = Compared(s);
  EXPECT_LT(InstructionsOf(*both.loops), 200U);
  EXPECT_EQ(both.loops->jacobian_pattern.row_indices.size(),
            3U * 200U - 2U + 200U + 1U);
}

// Its Jacobian would have 10^10 elements.
TEST(EquationLoopsTest, WhatReadsAllOfAnArrayInEachPassIsNotFollowed) {
  LoopSketch s;
  constexpr std::int64_t kSize = 100'000;
  const Expr u = s.Variable("u", {kSize});
  const Expr i = s.Iterator(1, kSize);
  const Expr k = s.Iterator(1, kSize);
  s.ForAll({i},
           s.Der(s.At(u, i)),
           s.flat.graph->Loop(Op::kSum, k, s.At(u, k)) - s.At(u, i));
  const auto program = s.Compiled();
  EXPECT_TRUE(program->tangent.seed_slots.empty());
  EXPECT_LT(InstructionsOf(*program), 100U);
}

TEST(EquationLoopsTest, AJacobianHasTheColumnsOfAllThatARowReadsInOrder) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr v = s.Variable("v", {20});
  const Expr i = s.Iterator(1, 20);
  s.ForAll({i},
           s.At(v, i),
           s.At(u, s.Integer(21) - i) * 2 + s.At(u, 5) + s.At(u, i));
  s.ForAll({i}, s.Der(s.At(u, i)), s.At(v, i) + s.At(v, 3));
  const auto program = s.Compiled();
  const SparsityPattern& pattern = program->jacobian_pattern;
  // Column 1 is read by rows 1 and 20; 3, 5 and 18 by all.
  EXPECT_EQ(pattern.column_starts[1], 2);
  EXPECT_THAT(std::vector<int>(pattern.row_indices.begin(),
                               pattern.row_indices.begin() + 2),
              testing::ElementsAre(0, 19));
  EXPECT_EQ(pattern.row_indices.size(), 3U * 20U + 2U * 17U);
}

TEST(EquationLoopsTest, ASubscriptThatGoesRoundReadsOneElementInEachPass) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr i = s.Iterator(1, 20);
  const Expr before =
      s.flat.graph->Binary(Op::kMod, s.Shifted(i, -2), s.Integer(20)) +
      s.Integer(1);
  s.ForAll({i}, s.Der(s.At(u, i)), s.At(u, before) - s.At(u, i));
  const BothForms both = Compared(s);
  const SparsityPattern& pattern = both.loops->jacobian_pattern;
  EXPECT_EQ(pattern.row_indices.size(), 2U * 20U);
  // Column 20 is read by rows 1 and 20.
  EXPECT_THAT(std::vector<int>(pattern.row_indices.end() - 2,
                               pattern.row_indices.end()),
              testing::ElementsAre(0, 19));
}

TEST(EquationLoopsTest, WhatMakesNoEventsStaysInLoops) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr v = s.Parameter("v", s.Number(-1));
  const Expr i = s.Iterator(2, 19);
  const Expr slope = select(LessEqual(v, 0.0),
                            s.At(u, s.Shifted(i, 1)) - s.At(u, i),
                            s.At(u, i) - s.At(u, s.Shifted(i, -1)));
  s.ForAll({i}, s.Der(s.At(u, i)), s.flat.graph->NoEvent(max(slope, 0.25)) * v);
  s.Equal(s.Der(s.At(u, 1)), s.Number(0));
  s.Equal(s.At(u, 20), s.flat.time);
  const BothForms both = Compared(s);
  EXPECT_TRUE(both.loops->events.empty());
  EXPECT_THAT(ListEquations(*both.loops), HasSubstr("der(u[i]) = "));
}

TEST(EquationLoopsTest, WhatMakesEventsIsTakenApart) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr i = s.Iterator(1, 20);
  s.ForAll({i}, s.Der(s.At(u, i)), -max(s.At(u, i), 0.0));
  EXPECT_EQ(s.Compiled()->events.relations.size(), 20U);
}

TEST(EquationLoopsTest, AnElementOfASliceVariesInALinearLoop) {
  LoopSketch s = Heat(20);
  const Expr u = s.flat.variables.back().symbol;
  const Expr a = s.Variable("a");
  const Expr b = s.Variable("b");
  s.Equal(a, s.At(u, 5) * b);
  s.Equal(b, a * 0.5 + 1);
  const auto program = s.Compiled();
  EXPECT_EQ(program->blocks.size(), 1U);  // 1 - u[5]/2 may be zero in a run.
}

// A full matrix would have 4*10^8 elements.
TEST(EquationLoopsTest, ALargeLinearLoopHasTheEntriesThatItsEquationsHave) {
  LoopSketch s;
  constexpr std::int64_t kSize = 20'000;
  const Expr p = s.Variable("p", {kSize});
  const Expr i = s.Iterator(2, kSize - 1);
  s.Equal(3 * s.At(p, 1) - s.At(p, 2), s.flat.time);
  s.ForAll({i},
           3 * s.At(p, i),
           s.At(p, s.Shifted(i, -1)) + s.At(p, s.Shifted(i, 1)));
  s.Equal(3 * s.At(p, kSize), s.At(p, kSize - 1));
  const auto program = s.Compiled();
  ASSERT_EQ(program->blocks.size(), 1U);
  const ResidualBlock& block = program->blocks.front();
  EXPECT_TRUE(block.is_linear);
  EXPECT_TRUE(block.has_constant_matrix);
  EXPECT_LE(block.entry_slots.size(), 3U * kSize);
}

TEST(EquationLoopsTest, TheKinksOfAMaximumAreWatched) {
  LoopSketch s = Heat(20);
  const Expr u = s.flat.variables.back().symbol;
  const Expr peak = s.Variable("peak");
  const Expr k = s.Iterator(1, 20);
  s.Equal(peak, s.flat.graph->Loop(Op::kMaximum, k, s.At(u, k)));
  EXPECT_EQ(s.Compiled()->events.relations.size(), 19U);
}

TEST(EquationLoopsTest, AnExtremumThatALoopReadsHasTheKinks) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr i = s.Iterator(1, 20);
  const Expr k = s.Iterator(1, 20);
  s.ForAll({i},
           s.Der(s.At(u, i)),
           s.flat.graph->Loop(Op::kMaximum, k, s.At(u, k)) - s.At(u, i));
  s.flat.name = "Sketch";
  const auto loops = CompiledAs(LoopForm::kKept, s.flat);
  EXPECT_THAT(ListEquations(*loops), HasSubstr("der(u[i]) = "));
  EXPECT_EQ(loops->events.relations.size(), 19U);
  const auto scalars = CompiledAs(LoopForm::kScalars, s.flat);
  EXPECT_EQ(loops->num_equations, scalars->num_equations);
  EXPECT_EQ(JacobianOf(*loops), JacobianOf(*scalars));
  const std::vector<double> memory = MemoryOf(*loops);
  const std::vector<double> wanted = MemoryOf(*scalars);
  for (std::size_t n = 0; n < 20; ++n) {
    EXPECT_EQ(ReadAt(memory, loops->derivatives_at[n]),
              ReadAt(wanted, scalars->derivatives_at[n]));
  }
}

TEST(EquationLoopsTest, AnExtremumOfEachPassStaysInItsEquation) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20, 20});
  const Expr v = s.Variable("v", {20});
  const Expr i = s.Iterator(1, 20);
  const Expr k = s.Iterator(1, 20);
  s.Equal(s.Der(u), -u);
  s.ForAll({i}, s.At(v, i), s.flat.graph->Loop(Op::kMaximum, k, s.At(u, i, k)));
  const BothForms both = Compared(s);
  EXPECT_EQ(both.loops->events.relations.size(), 20U * 19U);
}

TEST(EquationLoopsTest, ASubscriptOutOfBoundsIsSaidOfItsElement) {
  LoopSketch s;
  const Expr u = s.Variable("u", {20});
  const Expr i = s.Iterator(1, 20);
  s.ForAll({i}, s.Der(s.At(u, i)), s.At(u, s.Shifted(i, 1)));
  EXPECT_THAT(s.Errors(), HasSubstr("where i = 20"));
}

// A system of random stencils over random ranges, in random directions.
class RandomLoops {
 public:
  RandomLoops() : n_(*rc::gen::inRange<std::int64_t>(20, 40)) {}

  LoopSketch Make() {
    u_ = s_.Variable("u", {n_});
    s_.flat.variables.back().start = s_.Number(0.5);
    q_ = s_.Variable("q", {n_});
    r_ = s_.Variable("r", {n_});
    AddFlow();
    AddReaction();
    AddStates();
    return std::move(s_);
  }

 private:
  // A loop over first..last with the iterator running either way, and either
  // way in the subscript.
  struct Pass {
    Expr iterator;
    Expr subscript;
  };

  Pass Over(std::int64_t first, std::int64_t last) {
    switch (*rc::gen::inRange(0, 3)) {
      case 0: {
        const Expr i = s_.Iterator(last, first, -1);
        return {i, i};
      }
      case 1: {
        const Expr i = s_.Iterator(0, last - first);
        return {i, s_.Integer(last) - i};
      }
      default: {
        const Expr i = s_.Iterator(first, last);
        return {i, i};
      }
    }
  }

  Expr Around(Expr array, Expr subscript) {
    const auto offset = *rc::gen::inRange<std::int64_t>(-2, 3);
    return s_.At(array, s_.Shifted(subscript, offset));
  }

  // Calls `add` for the elements that no loop computes.
  template <typename Add>
  void ForOthers(std::int64_t first, std::int64_t last, Add add) {
    for (std::int64_t k = 1; k <= n_; ++k) {
      if (k < first || k > last) {
        add(k);
      }
    }
  }

  void AddFlow() {
    const auto first = *rc::gen::inRange<std::int64_t>(3, 5);
    const auto last = *rc::gen::inRange<std::int64_t>(n_ - 3, n_ - 1);
    const Pass pass = Over(first, last);
    const Expr right = Around(u_, pass.subscript) * 3 -
                       Around(u_, pass.subscript) * s_.flat.time;
    const Expr own = s_.At(q_, pass.subscript);
    if (*rc::gen::arbitrary<bool>()) {
      s_.ForAll({pass.iterator}, own, right);
    } else {
      s_.ForAll({pass.iterator}, right, own * 2 + 1);
    }
    ForOthers(first, last, [&](std::int64_t k) {
      s_.Equal(s_.At(q_, k), s_.At(u_, k) * static_cast<double>(k + 1));
    });
  }

  void AddReaction() {
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        s_.Equal(r_, q_ * u_ + s_.Number(0.25));
        break;
      case 1: {
        const Expr i = s_.Iterator(2, n_);
        s_.Equal(s_.At(r_, 1), s_.At(q_, 1));
        s_.ForAll({i},
                  s_.At(r_, i),
                  s_.At(r_, s_.Shifted(i, -1)) * 0.5 + s_.At(q_, i));
        break;
      }
      default: {
        const Pass pass = Over(3, n_ - 2);
        s_.ForAll({pass.iterator},
                  s_.At(r_, pass.subscript) / 4,
                  sin(Around(q_, pass.subscript)) - Around(u_, pass.subscript));
        ForOthers(3, n_ - 2, [&](std::int64_t k) {
          s_.Equal(s_.At(r_, k), s_.flat.time);
        });
      }
    }
  }

  void AddStates() {
    const Pass pass = Over(3, n_ - 2);
    const Expr right = Around(u_, pass.subscript) * Around(q_, pass.subscript) -
                       Around(r_, pass.subscript);
    s_.ForAll({pass.iterator}, s_.Der(s_.At(u_, pass.subscript)) * 5, right);
    const bool are_ends_states = *rc::gen::arbitrary<bool>();
    ForOthers(3, n_ - 2, [&](std::int64_t k) {
      if (are_ends_states) {
        s_.Equal(s_.Der(s_.At(u_, k)), s_.At(r_, k));
      } else {
        s_.Equal(s_.At(u_, k), s_.flat.time * static_cast<double>(k + 1));
      }
    });
  }

  LoopSketch s_;
  std::int64_t n_;
  Expr u_;
  Expr q_;
  Expr r_;
};

RC_GTEST_PROP(EquationLoopsTest, LoopsAndScalarsGiveTheSameBits, ()) {
  LoopSketch sketch = RandomLoops().Make();
  Compared(sketch);
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace orrery
