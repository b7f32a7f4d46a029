#include "orrery/symbolic/graph.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"

namespace orrery {
namespace {

class GraphTest : public testing::Test {
 protected:
  Expr Real(const std::string& name, Shape shape = {}) {
    return graph_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  Expr Integer(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  ExprGraph graph_;
};

TEST_F(GraphTest, EqualFormulasAreOneNode) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  EXPECT_EQ(sin(x) * y, sin(x) * y);
  EXPECT_NE(sin(x) * y, cos(x) * y);
}

TEST_F(GraphTest, SymbolsOfOneNameStayApart) {
  EXPECT_NE(Real("x"), Real("x"));
}

TEST_F(GraphTest, CommutativeOperationsAreFoundInEitherOrder) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr sum = x + y;
  EXPECT_EQ(y + x, sum);
  EXPECT_EQ(sum.operand(0), x) << "kept as it was written first";
  EXPECT_EQ(y * x, x * y);
  EXPECT_EQ(2.0 * x, x * 2.0);
  EXPECT_NE(x - y, y - x);
}

TEST_F(GraphTest, ZeroAndMinusZeroAreDifferentConstants) {
  EXPECT_NE(graph_.Constant(0.0), graph_.Constant(-0.0));
  EXPECT_NE(graph_.Constant(1), Integer(1));
}

TEST_F(GraphTest, EqualArrayConstantsAreOneNode) {
  const std::array values = {1.0, 2.0};
  const Expr a = graph_.ArrayConstant(values, {2});
  EXPECT_EQ(a, graph_.ArrayConstant(values, {2}));
  EXPECT_NE(a, graph_.ArrayConstant(values, {1, 2}));
  EXPECT_THAT(graph_.ArrayValues(a), testing::ElementsAre(1, 2));
}

// Specification of Modelica 3.6, section 10.3.4: a sum of nothing is 0, a
// product 1.
TEST_F(GraphTest, AnArrayWithoutElementsIsAConstantWhateverItIsMadeOf) {
  const Expr x = Real("x", {0, 3});
  const Expr i = graph_.Iterator("i", {.count = 0});
  const Expr element = graph_.Index(x, std::array{i, Integer(2)});
  const Expr column = graph_.Loop(Op::kBuild, i, element);
  EXPECT_EQ(column, graph_.ArrayConstant({}, {0}));
  EXPECT_EQ(graph_.Unary(Op::kNegate, x), graph_.ArrayConstant({}, {0, 3}));
  EXPECT_EQ(graph_.Der(x), graph_.ArrayConstant({}, {0, 3}));
  EXPECT_EQ(graph_.MakeArray(std::array{column, column}),
            graph_.ArrayConstant({}, {2, 0}));
  EXPECT_EQ(graph_.Loop(Op::kSum, i, element), graph_.Constant(0));
  EXPECT_EQ(graph_.Loop(Op::kProduct, i, element), graph_.Constant(1));
}

TEST_F(GraphTest, IntegersAreFoldedUnlessTheResultIsTooLarge) {
  const Expr most = graph_.Constant(kMaxInteger, ValueType::kInteger);
  const Expr one = graph_.Constant(1, ValueType::kInteger);
  EXPECT_TRUE((most - one).is_constant(9007199254740990));
  EXPECT_FALSE((most + one).is_constant());
  EXPECT_TRUE((most + graph_.Constant(1)).is_constant(9007199254740992));
}

TEST_F(GraphTest, ConstantsAreFoldedUnlessTheResultIsNotFinite) {
  EXPECT_TRUE((graph_.Constant(2) * 3.5).is_constant(7));
  const Expr inverse = 1.0 / graph_.Constant(0);
  EXPECT_EQ(inverse.op(), Op::kDivide) << "left for the run, which says where";
  EXPECT_EQ(sqrt(graph_.Constant(-1)).op(), Op::kSqrt);
}

TEST_F(GraphTest, NeutralAndAbsorbingOperandsVanish) {
  const Expr x = Real("x");
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(0.0 + x, x);
  EXPECT_EQ(x - 0.0, x);
  EXPECT_EQ(0.0 - x, -x);
  EXPECT_EQ(x * 1.0, x);
  EXPECT_EQ(x * -1.0, -x);
  EXPECT_TRUE((x * 0.0).is_constant(0));
  EXPECT_TRUE((x - x).is_constant(0));
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_TRUE(pow(x, 0).is_constant(1));
}

TEST_F(GraphTest, SignsMoveOutward) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(x + -y, x - y);
  EXPECT_EQ(-x + y, y - x);
  EXPECT_EQ(x - -y, x + y);
  EXPECT_EQ(-x * -y, x * y);
  EXPECT_EQ(-x * y, -(x * y));
  EXPECT_EQ(x / -y, -(x / y));
  EXPECT_EQ(abs(-x), abs(x));
}

TEST_F(GraphTest, ScalarsThatDecideNothingKeepTheShapeOfArrays) {
  const Expr v = Real("v", {3});
  const Expr flags = graph_.Symbol({"f", ValueType::kBoolean, {3}});
  const Shape expected = {3};
  EXPECT_EQ((v * 0.0).shape(), expected);
  EXPECT_EQ((v - v).shape(), expected);
  EXPECT_EQ(pow(v, 0).shape(), expected);
  EXPECT_EQ(And(flags, graph_.Boolean(false)).shape(), expected);
  EXPECT_EQ(Or(graph_.Boolean(true), flags).shape(), expected);
  EXPECT_EQ(And(flags, graph_.Boolean(true)), flags);
  const Expr x = Real("x");
  EXPECT_EQ(select(flags, x, x).shape(), expected);
  EXPECT_EQ(select(graph_.Boolean(true), x, v).shape(), expected);
  EXPECT_EQ(select(graph_.Boolean(false), x, v), v);
}

TEST_F(GraphTest, TypesFollowFromTheOperands) {
  const Expr i = graph_.Symbol({"i", ValueType::kInteger, {}});
  const Expr x = Real("x");
  EXPECT_EQ((i + i).type(), ValueType::kInteger);
  EXPECT_EQ((i * x).type(), ValueType::kReal);
  EXPECT_EQ((i / i).type(), ValueType::kReal);
  EXPECT_EQ(div(i, i).type(), ValueType::kInteger);
  EXPECT_EQ(Less(i, x).type(), ValueType::kBoolean);
  EXPECT_EQ(sign(x).type(), ValueType::kInteger);
  EXPECT_EQ(select(Less(i, x), i, x).type(), ValueType::kReal);
}

TEST_F(GraphTest, WrongShapesAreNamed) {
  EXPECT_EQ(MessageOf([&] {
              Real("u", {2}) + Real("v", {3, 1});
            }),
            "cannot apply 'add' to arrays of sizes [2] and [3, 1]");
  const std::array mixed = {Real("u", {2}), Real("x")};
  EXPECT_EQ(MessageOf([&] { graph_.MakeArray(mixed); }),
            "cannot make an array of elements of sizes [2] and a scalar");
}

TEST_F(GraphTest, WrongTypesAreNamedEvenWhereARuleWouldApply) {
  const Expr flag = graph_.Symbol({"f", ValueType::kBoolean, {}});
  EXPECT_EQ(MessageOf([&] { flag + 0.0; }),
            "cannot apply 'add' to a Boolean; it takes numbers");
  EXPECT_EQ(MessageOf([&] { And(flag, Real("x")); }),
            "cannot apply 'and' to a number; it takes Booleans");
  EXPECT_EQ(MessageOf([&] { select(Real("x"), flag, flag); }),
            "cannot apply 'select' to a number; it takes Booleans");
}

TEST_F(GraphTest, WrongSubscriptsAreNamed) {
  const Expr v = Real("v", {3});
  const auto index = [&](const std::vector<Expr>& subscripts) {
    return MessageOf([&] { graph_.Index(v, subscripts); });
  };
  EXPECT_EQ(
      index({Integer(4)}),
      "subscript 4 of 'v' is out of bounds: the dimension has 3 elements");
  EXPECT_EQ(
      index({Integer(0)}),
      "subscript 0 of 'v' is out of bounds: the dimension has 3 elements");
  EXPECT_EQ(index({Integer(1), Integer(1)}),
            "cannot index [3] with 2 subscripts");
  EXPECT_EQ(index({Real("x")}),
            "cannot index an array with a subscript that is not an Integer");
}

TEST_F(GraphTest, OperandsOfAnotherModelAreRefused) {
  ExprGraph other;
  const Expr stranger = other.Constant(1);
  EXPECT_EQ(MessageOf([&] { Real("x") + stranger; }),
            "cannot combine formulas: an operand is empty or belongs to "
            "another model");
}

TEST_F(GraphTest, ConstantSubscriptsReachIntoArrays) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const std::array elements = {x, y};
  const std::array second = {Integer(2)};
  EXPECT_EQ(graph_.Index(graph_.MakeArray(elements), second), y);
  const std::array values = {1.0, 2.0, 3.0, 4.0};
  const std::array two_one = {Integer(2), Integer(1)};
  EXPECT_TRUE(graph_.Index(graph_.ArrayConstant(values, {2, 2}), two_one)
                  .is_constant(3));
}

TEST_F(GraphTest, ASubscriptedSubarrayIsOneSubscription) {
  const Expr m = Real("m", {2, 3});
  const std::array row = {Integer(2)};
  const std::array column = {Integer(3)};
  const std::array both = {Integer(2), Integer(3)};
  EXPECT_EQ(graph_.Index(graph_.Index(m, row), column), graph_.Index(m, both));
}

TEST_F(GraphTest, LoopsHaveTheShapeOfTheirRange) {
  const Expr i = graph_.Iterator("i", {.start = 1, .step = 2, .count = 4});
  const Expr v = Real("v", {9});
  const std::array at = {i};
  const Expr element = graph_.Index(v, at);
  EXPECT_EQ(graph_.Loop(Op::kBuild, i, element).shape(), Shape{4});
  EXPECT_TRUE(graph_.Loop(Op::kSum, i, element).is_scalar());
  EXPECT_EQ(graph_.IteratorRange(i).last(), 7);
}

TEST_F(GraphTest, AChainOfAMillionNodesIsBuiltAndDestroyed) {
  Expr x = Real("x");
  const Expr y = Real("y");
  for (int i = 0; i < 500'000; ++i) {
    x = sin(x) + y;
  }
  EXPECT_GT(graph_.size(), 1'000'000U);
}

TEST_F(GraphTest, OutputsOfCallsHaveTheirShapes) {
  const auto function = std::make_shared<Function>();
  ExprGraph own;
  function->inputs = {own.Symbol({"u", ValueType::kReal, {}})};
  function->outputs = {{own.Symbol({"y", ValueType::kReal, {2}}), {}},
                       {own.Symbol({"n", ValueType::kInteger, {}}), {}}};
  const std::array arguments = {Real("x")};
  const Expr call = graph_.Call(function, arguments);
  EXPECT_EQ(graph_.Output(call, 0).shape(), Shape{2});
  EXPECT_EQ(graph_.Output(call, 1).type(), ValueType::kInteger);
  EXPECT_EQ(call, graph_.Call(function, arguments));
}

TEST_F(GraphTest, AFormulaKnowsWhatIsWithinIt) {
  const Expr x = Real("x");
  const Expr array = Real("a", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const std::array subscripts = {i};
  const Expr element = graph_.Index(array, subscripts);
  const auto traits = [](Expr formula) {
    std::string text;
    text += formula.Contains(Trait::kDer) ? "d" : "";
    text += formula.Contains(Trait::kBreak) ? "o" : "";
    text += formula.Contains(Trait::kIterator) ? "i" : "";
    text += formula.Contains(Trait::kComposite) ? "c" : "";
    return text;
  };
  EXPECT_EQ(traits(sin(x) + 2 * x), "");
  EXPECT_EQ(traits(1 - graph_.Der(x)), "d");
  EXPECT_EQ(traits(select(Less(x, graph_.Constant(1)), x, 2 * x)), "o");
  EXPECT_EQ(traits(x + array), "c");
  EXPECT_EQ(traits(x * i), "i");
  EXPECT_EQ(traits(graph_.Loop(Op::kSum, i, graph_.Der(element))), "dic");
}

}  // namespace
}  // namespace orrery
