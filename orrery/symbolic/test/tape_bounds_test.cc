#include "orrery/symbolic/tape/tape_bounds.h"

#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/test/random_formula.h"

namespace orrery {
namespace {

// A tape of one section that computes `formula`, whose symbols have a slot
// each in the order they were made, into the last slot.
class Compiled {
 public:
  Compiled(ExprGraph& graph, Expr formula) : tape_(Build(graph, formula)) {}

  [[nodiscard]] const Tape& tape() const { return tape_; }

  [[nodiscard]] std::uint32_t result() const {
    return static_cast<std::uint32_t>(tape_.num_slots() - 1);
  }

 private:
  static Tape Build(ExprGraph& graph, Expr formula) {
    const Expr result = graph.Symbol({"result", formula.type(), {}});
    std::vector<std::uint32_t> slots;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < graph.num_symbols(); ++i) {
      slots.push_back(next);
      next +=
          static_cast<std::uint32_t>(NumElements(graph.SymbolAt(i).shape()));
    }
    TapeBuilder builder(graph, slots, next);
    const std::vector<TapeAssignment> assignments = {{result, formula, {}}};
    builder.AddSection(assignments);
    return std::move(builder).Finish();
  }

  Tape tape_;
};

RC_GTEST_PROP(TapeBoundsTest, ContainWhatTheTapeComputesWithinThem, ()) {
  ExprGraph graph;
  const std::vector<Expr> leaves = {graph.Symbol({"x", ValueType::kReal, {}}),
                                    graph.Symbol({"y", ValueType::kReal, {}})};
  std::array<Interval, 2> boxes;
  std::vector<double> at;
  for (Interval& box : boxes) {
    const double centre = *rc::gen::inRange(-300, 301) / 100.0;
    const double radius = *rc::gen::inRange(0, 101) / 100.0;
    box = {centre - radius, centre + radius};
    at.push_back(centre + radius * *rc::gen::inRange(-100, 101) / 100.0);
  }
  const RandomFormula formula = DrawFormulas(graph,
                                             leaves,
                                             at,
                                             {Op::kAdd,
                                              Op::kSubtract,
                                              Op::kMultiply,
                                              Op::kDivide,
                                              Op::kSin,
                                              Op::kExp,
                                              Op::kSqrt,
                                              Op::kTanh,
                                              Op::kAbs,
                                              Op::kMin,
                                              Op::kFloor,
                                              Op::kSelect,
                                              Op::kPower},
                                             12)
                                    .back();
  RC_PRE(formula.is_defined);
  const Compiled compiled(graph, formula.expr);
  const std::vector<double> memory = compiled.tape().NewMemory();
  TapeBounds bounds(compiled.tape());
  bounds.Begin(memory);
  bounds.Set(0, {.value = boxes[0], .slope = {}});
  bounds.Set(1, {.value = boxes[1], .slope = {}});
  RC_ASSERT(bounds.Run(0));
  RC_ASSERT(bounds.Get(compiled.result()).value.Contains(formula.value));
}

TEST(TapeBoundsTest, FollowLoopsOverArrays) {
  ExprGraph graph;
  const Expr u = graph.Symbol({"u", ValueType::kReal, {3}});
  const Expr i = graph.Iterator("i", {1, 1, 3});
  const std::array subscript = {i};
  const Compiled compiled(
      graph, graph.Loop(Op::kSum, i, graph.Index(u, subscript) * i));
  std::vector<double> memory = compiled.tape().NewMemory();
  memory[0] = 1;
  memory[2] = 1;
  TapeBounds bounds(compiled.tape());
  bounds.Begin(memory);
  bounds.Set(1, {.value = {1, 2}, .slope = {-1, 5}});
  ASSERT_TRUE(bounds.Run(0));
  const Bounds sum = bounds.Get(compiled.result());  // 1 + 2 u[2] + 3
  EXPECT_NEAR(sum.value.lower, 6, 1e-13);
  EXPECT_NEAR(sum.value.upper, 8, 1e-13);
  EXPECT_NEAR(sum.slope.lower, -2, 1e-13);
  EXPECT_NEAR(sum.slope.upper, 10, 1e-13);
}

TEST(TapeBoundsTest, GiveUpOnASubscriptThatIsNotCertain) {
  ExprGraph graph;
  const Expr u = graph.Symbol({"u", ValueType::kReal, {3}});
  const Expr k = graph.Symbol({"k", ValueType::kInteger, {}});
  const std::array subscript = {k};
  const Compiled compiled(graph, graph.Index(u, subscript));
  const std::vector<double> memory = compiled.tape().NewMemory();
  TapeBounds bounds(compiled.tape());
  bounds.Begin(memory);
  bounds.Set(3, {.value = {1, 2}, .slope = {}});
  EXPECT_FALSE(bounds.Run(0));
}

TEST(TapeBoundsTest, GiveUpOnAnOpaqueFunction) {
  ExprGraph graph;
  const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
  const auto twice = std::make_shared<OpaqueFunction>(OpaqueFunction{
      .name = "twice",
      .num_inputs = 1,
      .num_outputs = 1,
      .evaluate = [](std::span<const double> in, std::span<double> out) {
        out[0] = 2 * in[0];
      }});
  const std::array arguments = {x};
  const Compiled compiled(graph,
                          graph.Output(graph.Opaque(twice, arguments), 0));
  const std::vector<double> memory = compiled.tape().NewMemory();
  TapeBounds bounds(compiled.tape());
  bounds.Begin(memory);
  EXPECT_FALSE(bounds.Run(0));
}

TEST(TapeBoundsTest, ForgetWhatWasSetBeforeTheyBeginAnew) {
  ExprGraph graph;
  const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
  const Compiled compiled(graph, x + 1);
  std::vector<double> memory = compiled.tape().NewMemory();
  memory[0] = 5;
  TapeBounds bounds(compiled.tape());
  bounds.Begin(memory);
  bounds.Set(0, {.value = {0, 1}, .slope = {}});
  ASSERT_TRUE(bounds.Run(0));
  bounds.Begin(memory);
  ASSERT_TRUE(bounds.Run(0));
  EXPECT_EQ(bounds.Get(compiled.result()), Bounds::Point(6));
}

}  // namespace
}  // namespace orrery
