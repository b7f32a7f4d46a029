#include "orrery/symbolic/known_values.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"

namespace orrery {
namespace {

// A function of a and x, called with a number for a and an unknown x.
class KnownValuesTest : public testing::Test {
 protected:
  KnownValuesTest() : function_(std::make_shared<Function>()) {
    function_->name = "f";
    function_->inputs = {a_, x_};
    function_->outputs = {{result_, {}}};
  }

  static Statement Set(Expr target, Expr value) {
    return {Assignment{target, {}, value}, {}};
  }

  Expr Number(double value) { return own_.Constant(value); }

  // The condition that it is positive.
  Expr Above(Expr quantity) {
    return own_.Binary(Op::kLess, Number(0), quantity);
  }

  [[nodiscard]] std::optional<double> Called(double a) {
    const std::array arguments = {graph_.Constant(a), y_};
    const Expr call = graph_.Call(function_, arguments);
    return KnownValues().Of(graph_.Output(call, 0), {});
  }

  ExprGraph own_;
  Expr a_ = own_.Symbol({"a", ValueType::kReal, {}});
  Expr x_ = own_.Symbol({"x", ValueType::kReal, {}});
  Expr local_ = own_.Symbol({"local", ValueType::kReal, {}});
  Expr result_ = own_.Symbol({"result", ValueType::kReal, {}});
  std::shared_ptr<Function> function_;
  ExprGraph graph_;
  Expr y_ = graph_.Symbol({"y", ValueType::kReal, {}});
};

TEST_F(KnownValuesTest, AProductWithZeroIsZero) {
  const Expr z = graph_.Symbol({"z", ValueType::kReal, {}});
  EXPECT_EQ(KnownValues().Of(z * sin(y_), {{z.id(), 0.0}}), 0.0);
  EXPECT_EQ(KnownValues().Of(z / y_, {{z.id(), 0.0}}), 0.0);
}

TEST_F(KnownValuesTest, AQuotientByZeroIsUnknown) {
  const Expr z = graph_.Symbol({"z", ValueType::kReal, {}});
  EXPECT_EQ(KnownValues().Of(z / z, {{z.id(), 0.0}}), std::nullopt);
}

TEST_F(KnownValuesTest, ASumWithAnUnknownIsUnknown) {
  EXPECT_EQ(KnownValues().Of(y_ + 1, {}), std::nullopt);
  EXPECT_EQ(KnownValues().Of(y_ + 1, {{y_.id(), 2.0}}), 3.0);
}

TEST_F(KnownValuesTest, BothBranchesOfAnUnknownConditionMayAgree) {
  function_->body = {
      {IfStatement{{{Above(x_), {Set(result_, a_ / 3)}},
                    {own_.Boolean(true), {Set(result_, -x_ * a_)}}}},
       {}}};
  EXPECT_EQ(Called(0), 0.0);
  EXPECT_EQ(Called(2), std::nullopt);
}

TEST_F(KnownValuesTest, ABranchMayLeaveWhatWasBefore) {
  function_->body = {Set(result_, Number(4)),
                     {IfStatement{{{Above(x_), {Set(result_, a_ + 1)}}}}, {}}};
  EXPECT_EQ(Called(3), 4.0);
  EXPECT_EQ(Called(1), std::nullopt);
}

TEST_F(KnownValuesTest, AKnownConditionTakesItsBranch) {
  function_->body = {{IfStatement{{{Above(a_), {Set(result_, Number(5))}},
                                   {own_.Boolean(true), {Set(result_, x_)}}}},
                      {}}};
  EXPECT_EQ(Called(1), 5.0);
  EXPECT_EQ(Called(-1), std::nullopt);
}

TEST_F(KnownValuesTest, ALoopLeavesUnknownWhatItAssigns) {
  function_->locals = {{local_, {}}};
  const Expr k = own_.Iterator("k", {.count = 3});
  function_->body = {Set(local_, Number(1)),
                     {ForStatement{k, {Set(local_, local_ + a_)}}, {}},
                     Set(result_, a_ * local_)};
  EXPECT_EQ(Called(0), 0.0);
  EXPECT_EQ(Called(1), std::nullopt);
}

TEST_F(KnownValuesTest, AFunctionMayCallAnother) {
  auto inner = std::make_shared<Function>();
  inner->name = "g";
  const Expr u = own_.Symbol({"u", ValueType::kReal, {}});
  const Expr v = own_.Symbol({"v", ValueType::kReal, {}});
  const Expr w = own_.Symbol({"w", ValueType::kReal, {}});
  inner->inputs = {u, v};
  inner->outputs = {{w, {}}};
  inner->body = {Set(w, 2 * u + 0 * v)};
  const std::array arguments = {a_, x_};
  function_->body = {Set(result_, own_.Output(own_.Call(inner, arguments), 0))};
  EXPECT_EQ(Called(3), 6.0);
}

TEST_F(KnownValuesTest, AnAssertionLeavesTheFunctionUnknown) {
  function_->body = {Set(result_, a_),
                     {AssertStatement{Above(x_), "x <= 0", {}}, {}}};
  EXPECT_EQ(Called(0), std::nullopt);
}

TEST_F(KnownValuesTest, AReturnLeavesTheFunctionUnknown) {
  function_->body = {
      {IfStatement{{{Above(x_), {{ReturnStatement{}, {}}}}}}, {}},
      Set(result_, a_)};
  EXPECT_EQ(Called(0), std::nullopt);
}

}  // namespace
}  // namespace orrery
