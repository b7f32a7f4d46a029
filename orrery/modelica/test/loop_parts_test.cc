// Loops over equations whose conditions divide the range of their iterator.

#include "orrery/modelica/values/loop_parts.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/modelica/test/dump.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

TEST(LoopPartsTest, AChoiceByTheIndexIsALoopForEachOfItsBranches) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  parameter Integer n = 1000000;\n"
                   "  Real x[n];\n"
                   "equation\n"
                   "  for i in 1:n loop\n"
                   "    if i == 1 then\n"
                   "      der(x[i]) = 1 - x[i];\n"
                   "    elseif i < n then\n"
                   "      der(x[i]) = x[i - 1] - x[i];\n"
                   "    else\n"
                   "      x[i] = time;\n"
                   "    end if;\n"
                   "  end for;\n"
                   "end M;\n"),
            "structural parameter Integer n = 1000000\n"
            "Real x[1000000]\n"
            "der(x[1]) = 1 - x[1]\n"
            "der(x[i]) = x[i - 1] - x[i] for i in 2:999999\n"
            "x[1000000] = time\n");
}

TEST(LoopPartsTest, SubscriptsOutOfBoundsInBranchesNotTakenDoNotMatter) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x[9, 8];\n"
                   "equation\n"
                   "  for i in 1:9, j in 1:8 loop\n"
                   "    x[i, j] = (if i == 1 then 0 else x[i - 1, j]) + "
                   "(if j > 1 then x[i, j - 1] else time);\n"
                   "  end for;\n"
                   "end M;\n"),
            "Real x[9,8]\n"
            "x[1, 1] = time\n"
            "x[1, j] = x[1, j - 1] for j in 2:8\n"
            "x[i, 1] = x[i - 1, 1] + time for i in 2:9\n"
            "x[i, j] = x[i - 1, j] + x[i, j - 1] for i in 2:9, j in 2:8\n");
}

TEST(LoopPartsTest, AConditionOverTwoIndicesStaysInTheLoop) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x[9, 9];\n"
                   "equation\n"
                   "  for i in 1:9, j in 1:9 loop\n"
                   "    x[i, j] = if i == j then 1 else 0;\n"
                   "  end for;\n"
                   "end M;\n"),
            "Real x[9,9]\n"
            "x[i, j] = if i == j then 1 else 0 for i in 1:9, j in 1:9\n");
}

TEST(LoopPartsTest, APartThatMustBeWrittenOutHasTheWholeLoopWrittenOut) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x[3];\n"
                   "equation\n"
                   "  for i in 1:3 loop\n"
                   "    if i == 1 then\n"
                   "      x[i] = 0;\n"
                   "    elseif mod(i, 2) == 1 then\n"
                   "      x[i] = 1;\n"
                   "    else\n"
                   "      x[i] = 2;\n"
                   "    end if;\n"
                   "  end for;\n"
                   "end M;\n"),
            "Real x[3]\n"
            "x[1] = 0\n"
            "x[2] = 2\n"
            "x[3] = 1\n");
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x[2, 2];\n"
                   "equation\n"
                   "  for i in 1:2, j in 1:2 loop\n"
                   "    if i == 1 then\n"
                   "      x[i, j] = mod(j, 2)*1.0;\n"
                   "    elseif mod(j, 2) == 1 then\n"
                   "      x[i, j] = 2;\n"
                   "    else\n"
                   "      x[i, j] = 3;\n"
                   "    end if;\n"
                   "  end for;\n"
                   "end M;\n"),
            "Real x[2,2]\n"
            "x[1, 1] = 1\n"
            "x[1, 2] = 0\n"
            "x[2, 1] = 2\n"
            "x[2, 2] = 3\n");
}

TEST(LoopPartsTest, AssertionsBesideAChoiceByTheIndexStandOnce) {
  EXPECT_EQ(DumpOf("model M\n"
                   "  Real x[3];\n"
                   "equation\n"
                   "  for i in 1:3 loop\n"
                   "    x[i] = if i == 1 then 0 else x[i - 1] + 1;\n"
                   "    assert(x[i] < 10, \"large\");\n"
                   "  end for;\n"
                   "end M;\n"),
            "Real x[3]\n"
            "x[1] = 0\n"
            "x[2] = x[1] + 1\n"
            "x[3] = x[2] + 1\n"
            "assert x[1] < 10: \"large\"\n"
            "assert x[2] < 10: \"large\"\n"
            "assert x[3] < 10: \"large\"\n");
}

TEST(LoopPartsTest, WhatIsWrongInAllPartsIsSaidOnce) {
  EXPECT_EQ(ErrorsOf("model M\n"
                     "  Real x[9];\n"
                     "equation\n"
                     "  for i in 1:9 loop\n"
                     "    x[i] = if i < 4 then y else 2*y;\n"
                     "  end for;\n"
                     "end M;\n"),
            "a.mo:5:26: error: no variable 'y' in M\n"
            "    5 |     x[i] = if i < 4 then y else 2*y;\n"
            "      |                          ^\n");
}

// Comparisons of a * i + b and c, joined.
Expr AnyComparison(ExprGraph& graph, Expr i) {
  const auto number = [&] {
    return graph.Constant(*rc::gen::inRange(-20, 20), ValueType::kInteger);
  };
  const Expr left = graph.Binary(
      Op::kAdd, graph.Binary(Op::kMultiply, number(), i), number());
  const Op op =
      *rc::gen::element(Op::kLess, Op::kLessEqual, Op::kEqual, Op::kNotEqual);
  return *rc::gen::arbitrary<bool>() ? graph.Binary(op, left, number())
                                     : graph.Binary(op, number(), left);
}

RC_GTEST_PROP(LoopPartsTest, PartsHoldWhatTheirConditionDoesAtEachValue, ()) {
  ExprGraph graph;
  const Range range = {.start = *rc::gen::inRange(-10, 10),
                       .step = *rc::gen::element(-3, -2, -1, 1, 2, 3),
                       .count = *rc::gen::inRange(1, 30)};
  const Expr i = graph.Iterator("i", range);
  const Expr condition =
      graph.Binary(*rc::gen::element(Op::kAnd, Op::kOr),
                   AnyComparison(graph, i),
                   graph.Unary(Op::kNot, AnyComparison(graph, i)));
  const std::vector<LoopPart> parts = PartsOf(graph, condition, i);
  std::int64_t place = 0;
  for (const LoopPart& part : parts) {
    RC_ASSERT(part.range.start == range.start + place * range.step);
    for (std::int64_t k = 0; k < part.range.count; ++k, ++place) {
      Substitution substitution(graph);
      substitution.Add(
          i,
          graph.Constant(static_cast<double>(range.start + place * range.step),
                         ValueType::kInteger));
      RC_ASSERT(substitution.Apply(condition).is_constant(part.holds ? 1 : 0));
    }
  }
  RC_ASSERT(place == range.count);
}

}  // namespace
}  // namespace orrery::modelica::internal
