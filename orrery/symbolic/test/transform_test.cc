#include "orrery/symbolic/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/test/evaluate.h"

namespace orrery {
namespace {

using testing::ElementsAre;

class TransformTest : public testing::Test {
 protected:
  Expr Real(const std::string& name, Shape shape = {}) {
    return graph_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  Expr Integer(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  Expr At(Expr array, const std::vector<Expr>& subscripts) {
    return graph_.Index(array, subscripts);
  }

  ExprGraph graph_;
};

TEST_F(TransformTest, ReachableIsTheSubformulasInOrder) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr s = sin(x);
  const Expr sum = s + s * y;
  Real("unused");
  EXPECT_THAT(Reachable(std::array{sum, y}),
              ElementsAre(x.id(), y.id(), s.id(), (s * y).id(), sum.id()));
  EXPECT_TRUE(Reachable({}).empty());
}

TEST_F(TransformTest, SubstitutionReplacesAnyNode) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  Substitution substitution(graph_, {{sin(x).id(), y}});
  EXPECT_EQ(substitution.Apply(sin(x) * x + 1.0), y * x + 1.0);
  substitution.Add(cos(x), graph_.Constant(0));
  EXPECT_EQ(substitution.Apply(cos(x) * x + y), y);
}

TEST_F(TransformTest, ReplacementsAreNotSubstitutedAgain) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  Substitution swap(graph_, {{x.id(), y}, {y.id(), x}});
  EXPECT_EQ(swap.Apply(x - 2.0 * y), y - 2.0 * x);
}

TEST_F(TransformTest, ABranchThatIsRuledOutIsNotLookedAt) {
  const Expr v = Real("v", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr left =
      select(Greater(i, 1), At(v, {i - Integer(1)}), graph_.Constant(7));
  Substitution first(graph_, {{i.id(), Integer(1)}});
  EXPECT_TRUE(first.Apply(left).is_constant(7));
  Substitution second(graph_, {{i.id(), Integer(2)}});
  EXPECT_EQ(second.Apply(left), At(v, {Integer(1)}));
}

TEST_F(TransformTest, IteratorsAndSymbolsAreReplacedByOneSubstitution) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr i = graph_.Iterator("i", {.count = 3});
  Substitution substitution(graph_, {{i.id(), Integer(2)}});
  EXPECT_EQ(substitution.Apply(x * i), x * Integer(2));
  EXPECT_EQ(substitution.Apply(sin(x)), sin(x));
  substitution.Clear();
  substitution.Add(i, Integer(3));
  substitution.Add(x, y);
  EXPECT_EQ(substitution.Apply(sin(x) + x * i), sin(y) + y * Integer(3));
}

TEST_F(TransformTest, AMillionNodesAreSubstituted) {
  const Expr x = Real("x");
  const Expr z = Real("z");
  Expr y = x;
  Expr expected = z;
  for (int i = 0; i < 500'000; ++i) {
    y = sin(y) + 1.0;
    expected = sin(expected) + 1.0;
  }
  EXPECT_EQ(Substitution(graph_, {{x.id(), z}}).Apply(y), expected);
}

TEST_F(TransformTest, ElementsTakeArraysApart) {
  const Expr v = Real("v", {2});
  const Expr w = Real("w", {2});
  const Expr x = Real("x");
  Elements elements(graph_);
  const Expr v1 = At(v, {Integer(1)});
  const Expr v2 = At(v, {Integer(2)});
  const Expr w1 = At(w, {Integer(1)});
  const Expr w2 = At(w, {Integer(2)});
  EXPECT_THAT(elements.All(x * v + w), ElementsAre(x * v1 + w1, x * v2 + w2));
  EXPECT_EQ(elements.At(sin(v), std::array<std::int64_t, 1>{2}), sin(v2));
  const Expr i = graph_.Iterator("i", {.count = 2});
  EXPECT_THAT(elements.All(graph_.Loop(Op::kSum, i, At(v, {i}) * At(w, {i}))),
              ElementsAre(v1 * w1 + v2 * w2));
}

TEST_F(TransformTest, ElementsUnrollBoundariesInsideTheirBranches) {
  const Expr u = Real("u", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr left =
      select(Greater(i, 1), At(u, {i - Integer(1)}), graph_.Constant(0));
  const Expr difference = graph_.Loop(Op::kBuild, i, At(u, {i}) - left);
  const Expr u1 = At(u, {Integer(1)});
  const Expr u2 = At(u, {Integer(2)});
  const Expr u3 = At(u, {Integer(3)});
  EXPECT_THAT(Elements(graph_).All(difference),
              ElementsAre(u1, u2 - u1, u3 - u2));
}

TEST_F(TransformTest, ElementsNameASubscriptOutOfBounds) {
  const Expr u = Real("u", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  try {
    (void)Elements(graph_).All(
        graph_.Loop(Op::kBuild, i, At(u, {i + Integer(1)})));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "subscript 4 of 'u' is out of bounds: the dimension has 3 "
                 "elements");
  }
}

// A formula over arrays of one shape drawn at random, in which loops, rows,
// reductions, sharing and computed subscripts occur.
Expr DrawArrayFormula(ExprGraph& graph, Expr m, Expr v, Expr x, Expr k) {
  const std::int64_t n = v.shape()[0];
  const auto one = graph.Constant(1, ValueType::kInteger);
  const auto at = [&](Expr array, Expr subscript) {
    return graph.Index(array, std::array{subscript});
  };
  std::vector<Expr> arrays = {v, v * 2.0};
  std::vector<Expr> scalars = {x, graph.Constant(2)};
  const int steps = *rc::gen::inRange(1, 12);
  for (int step = 0; step < steps; ++step) {
    const Expr a = *rc::gen::elementOf(arrays);
    const Expr b = *rc::gen::elementOf(arrays);
    const Expr s = *rc::gen::elementOf(scalars);
    const Expr i = graph.Iterator("i", {.count = n});
    const Expr j = graph.Iterator("j", {.count = n});
    switch (*rc::gen::inRange(0, 11)) {
      case 0:
        arrays.push_back(a + b * s);
        break;
      case 1:
        arrays.push_back(abs(a) - s);
        break;
      case 2:
        arrays.push_back(select(Less(a, b), a, s));
        break;
      case 3:
        arrays.push_back(graph.Loop(Op::kBuild, i, at(a, i) * i + s));
        break;
      case 4:  // A matrix times a vector.
        arrays.push_back(graph.Loop(
            Op::kBuild,
            i,
            graph.Loop(
                Op::kSum, j, graph.Index(m, std::array{i, j}) * at(a, j))));
        break;
      case 5:  // A sum of arrays.
        arrays.push_back(graph.Loop(Op::kSum, i, at(m, i) * at(a, i) + b));
        break;
      case 6: {  // A difference with a boundary.
        const Expr left = at(a, i - one);
        arrays.push_back(
            graph.Loop(Op::kBuild, i, at(b, i) - select(Less(1, i), left, s)));
        break;
      }
      case 7:
        scalars.push_back(graph.Loop(Op::kMaximum, i, at(a, i) - at(b, i)));
        break;
      case 8:
        scalars.push_back(at(a, k) * s);
        break;
      case 9: {
        std::vector<Expr> parts(static_cast<std::size_t>(n), s);
        parts.back() = at(a, one);
        arrays.push_back(graph.MakeArray(parts));
        break;
      }
      default:  // Reversed.
        arrays.push_back(graph.Loop(
            Op::kBuild,
            i,
            at(a,
               graph.Constant(static_cast<double>(n + 1), ValueType::kInteger) -
                   i)));
        break;
    }
  }
  return arrays.back() + scalars.back();
}

// Uses exact whole numbers, because the form of a formula decides which
// products are rounded with a sum.
RC_GTEST_PROP(TransformPropertyTest, LoopsOfTheTapeAgreeWithTheElements, ()) {
  ExprGraph graph;
  const std::int64_t n = *rc::gen::inRange(1, 5);
  const Expr m = graph.Symbol({"m", ValueType::kReal, {n, n}});
  const Expr v = graph.Symbol({"v", ValueType::kReal, {n}});
  const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
  const Expr k = graph.Symbol({"k", ValueType::kInteger, {}});
  std::vector<double> values;
  for (std::int64_t i = 0; i < n * n + n + 1; ++i) {
    values.push_back(*rc::gen::inRange(-3, 4));
  }
  values.push_back(
      static_cast<double>(*rc::gen::inRange<std::int64_t>(1, n + 1)));
  const Expr formula = DrawArrayFormula(graph, m, v, x, k);
  const std::vector<double> looped = EvaluateArray(graph, formula, values);
  RC_PRE(std::ranges::all_of(
      looped, [](double value) { return std::abs(value) < 0x1p50; }));
  const std::vector<Expr> elements = Elements(graph).All(formula);
  RC_ASSERT(looped.size() == elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const double element = Evaluate(graph, elements[i], values);
    RC_ASSERT(looped[i] == element);
  }
}

}  // namespace
}  // namespace orrery
