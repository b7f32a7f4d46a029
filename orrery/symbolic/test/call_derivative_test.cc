// Derivatives of calls of functions.

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/derivatives/point_calls.h"
#include "orrery/symbolic/derivatives/zero_search.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/test/evaluate.h"

namespace orrery {
namespace {

class CallDerivativeTest : public testing::Test {
 protected:
  Expr Real(const std::string& name) {
    return graph_.Symbol({name, ValueType::kReal, {}});
  }

  double DAt(Expr formula, Expr x, const std::vector<double>& values) {
    Tangent tangent(graph_, {{x.id(), graph_.Constant(1)}});
    return Evaluate(graph_, tangent.Of(formula), values);
  }

  ExprGraph graph_;
};

// product(p, h, aux) := p h aux, with a derivative that leaves aux out and is 5
// times as steep, so that it can be told apart.
std::shared_ptr<const Function> ProductWithDerivative(ExprGraph& graph) {
  const auto real = [&](const char* name) {
    return graph.Symbol({name, ValueType::kReal, {}});
  };
  const auto product = std::make_shared<Function>();
  const auto derivative = std::make_shared<Function>();
  std::vector<Expr> own = {real("p"), real("h"), real("aux")};
  const Expr y = real("y");
  product->name = "product";
  product->inputs = own;
  product->outputs = {{y, {}}};
  product->body = {{Assignment{y, {}, own[0] * own[1] * own[2]}, {}}};
  const std::vector<Expr> its = {
      real("p"), real("h"), real("aux"), real("p_der"), real("h_der")};
  const Expr slope = real("y_der");
  derivative->name = "product_der";
  derivative->inputs = its;
  derivative->outputs = {{slope, {}}};
  derivative->body = {
      {Assignment{
           slope, {}, 5.0 * its[2] * (its[1] * its[3] + its[0] * its[4])},
       {}}};
  product->derivative = {.function = derivative, .takes = {1, 1, 0}};
  return product;
}

TEST_F(CallDerivativeTest, AFunctionMayHaveADerivativeOfItsOwn) {
  const auto product = ProductWithDerivative(graph_);
  const Expr u = Real("u");
  const Expr value =
      graph_.Output(graph_.Call(product, std::array{2.0 * u, u, 7.0 * u}), 0);
  std::vector<double> values(graph_.num_symbols() + 1);
  values[graph_.num_symbols() - 1] = 3;
  // 5 aux (h 2 + p 1) at p = 6, h = 3, aux = 21.
  EXPECT_EQ(DAt(value, u, values), 5 * 21 * (3 * 2 + 6));
  EXPECT_EQ(Evaluate(graph_, Gradient(value, std::array{u}).front(), values),
            5 * 21 * (3 * 2 + 6));
}

TEST_F(CallDerivativeTest, AnInputThatVariesByItselfIsNotSpared) {
  const auto product = ProductWithDerivative(graph_);
  const Expr u = Real("u");
  const Expr w = Real("w");
  const Expr value =
      graph_.Output(graph_.Call(product, std::array{2.0 * u, u, w}), 0);
  std::vector<double> values(graph_.num_symbols() + 1);
  values[graph_.num_symbols() - 2] = 3;
  values[graph_.num_symbols() - 1] = 7;
  EXPECT_EQ(DAt(value, w, values), 2 * 3 * 3);
  const std::vector<Expr> gradient = Gradient(value, std::array{u, w});
  EXPECT_EQ(Evaluate(graph_, gradient[0], values), 2 * 2 * 3 * 7);
  EXPECT_EQ(Evaluate(graph_, gradient[1], values), 2 * 3 * 3);
}

// y := product(x, x, aux), where aux is x + 1 or x + z.
std::shared_ptr<const Function> ProductOfX(ExprGraph& graph, bool with_z) {
  const auto real = [&](const char* name) {
    return graph.Symbol({name, ValueType::kReal, {}});
  };
  const auto product = ProductWithDerivative(graph);
  const auto function = std::make_shared<Function>();
  const Expr x = real("x");
  const Expr z = real("z");
  const Expr aux = real("aux");
  const Expr y = real("y");
  function->name = "product_of_x";
  function->inputs = {x, z};
  function->outputs = {{y, {}}};
  function->locals = {{aux, {}}};
  function->body = {
      {Assignment{aux, {}, x + (with_z ? z : graph.Constant(1))}, {}},
      {Assignment{
           y, {}, graph.Output(graph.Call(product, std::array{x, x, aux}), 0)},
       {}}};
  return function;
}

TEST_F(CallDerivativeTest,
       AVariableOfAFunctionIsSparedIfItFollowsFromTheOthers) {
  const auto function = ProductOfX(graph_, false);
  const Expr u = Real("u");
  const Expr value = graph_.Output(graph_.Call(function, std::array{u, u}), 0);
  std::vector<double> values(graph_.num_symbols() + 2);
  values[graph_.num_symbols() - 1] = 3;
  EXPECT_EQ(DAt(value, u, values), 5 * (3 + 1) * 2 * 3);
}

TEST_F(CallDerivativeTest,
       AVariableOfAFunctionThatNeedsAnotherInputIsNotSpared) {
  const auto function = ProductOfX(graph_, true);
  const Expr u = Real("u");
  const Expr w = Real("w");
  const Expr value = graph_.Output(graph_.Call(function, std::array{u, w}), 0);
  std::vector<double> values(graph_.num_symbols() + 2);
  values[graph_.num_symbols() - 2] = 3;
  values[graph_.num_symbols() - 1] = 7;
  // x^2 (x + z).
  EXPECT_EQ(DAt(value, u, values), 3 * 3 * 3 + 2 * 3 * 7);
  EXPECT_EQ(DAt(value, w, values), 3 * 3);
}

TEST_F(CallDerivativeTest,
       PartialDerivativesOfAFunctionDoNotDependOnTheDirection) {
  const auto function = std::make_shared<Function>();
  const Expr a = Real("a");
  const Expr b = Real("b");
  const Expr y = Real("y");
  function->name = "f";
  function->inputs = {a, b};
  function->outputs = {{y, {}}};
  function->body = {{Assignment{y, {}, sin(a) * b}, {}}};
  const Expr p = Real("p");
  const Expr q = Real("q");
  const Expr dp = Real("dp");
  const Expr dq = Real("dq");
  const Expr value =
      graph_.Output(graph_.Call(function, std::array{2.0 * p, p + q}), 0);
  Tangent tangent(graph_, {{p.id(), dp}, {q.id(), dq}});
  tangent.TakePartials(2);
  const Expr slope = tangent.Of(value);
  PointCalls calls(graph_);
  calls.AddDirection(dp);
  calls.AddDirection(dq);
  std::vector<Expr> values = {slope};
  // One by each argument of the function.
  EXPECT_EQ(calls.TakeOut(values).size(), 2U);
  const std::array at = {0.0, 0.0, 0.0, 0.5, 1.5, 3.0, 7.0};
  EXPECT_DOUBLE_EQ(Evaluate(graph_, slope, at),
                   std::cos(1) * 2 * 3 * 2 + std::sin(1) * (3 + 7));
}

TEST_F(CallDerivativeTest, ACallThatOnlyOneChoiceMakesStaysThere) {
  const auto function = std::make_shared<Function>();
  const Expr a = Real("a");
  const Expr y = Real("y");
  function->name = "f";
  function->inputs = {a};
  function->outputs = {{y, {}}};
  function->body = {{Assignment{y, {}, sqrt(a)}, {}}};
  const Expr p = Real("p");
  const Expr dp = Real("dp");
  const Expr root = graph_.Output(graph_.Call(function, std::array{p}), 0);
  std::vector<Expr> values = {select(Greater(p, 0.0), root * dp, 0.0)};
  const Expr before = values.front();
  PointCalls calls(graph_);
  calls.AddDirection(dp);
  EXPECT_TRUE(calls.TakeOut(values).empty());
  EXPECT_EQ(values.front(), before);
}

TEST_F(CallDerivativeTest, ASumOfProductsWithTangentsVanishesWithThese) {
  const auto product = ProductWithDerivative(graph_);
  const Function& slope = *product->derivative->function;
  const std::span<const Expr> inputs(slope.inputs);
  EXPECT_TRUE(VanishesWith(slope, inputs.last(2)));
  EXPECT_FALSE(VanishesWith(slope, inputs.last(1)));
  EXPECT_FALSE(VanishesWith(*product, inputs.last(2)));
}

}  // namespace
}  // namespace orrery
