#include "orrery/program/code_costs.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"

namespace orrery::program::internal {
namespace {

Statement Set(Expr target, Expr value) {
  return {Assignment{target, {}, value}, {}};
}

// f(x): a function whose body `make` writes, from x and the output y.
template <typename Make>
std::shared_ptr<Function> NewFunction(ExprGraph& graph, const Make& make) {
  auto function = std::make_shared<Function>();
  function->name = "f";
  const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
  const Expr y = graph.Symbol({"y", ValueType::kReal, {}});
  function->inputs = {x};
  function->outputs = {{y, {}}};
  function->body = make(x, y);
  return function;
}

Expr Call(const std::shared_ptr<const Function>& function, Expr argument) {
  ExprGraph& graph = argument.graph();
  return graph.Output(graph.Call(function, std::array{argument}), 0);
}

// r := f(x).
Tape TapeOf(const std::shared_ptr<const Function>& function) {
  ExprGraph graph;
  const Expr x = graph.Symbol({"x", ValueType::kReal, {}});
  const Expr r = graph.Symbol({"r", ValueType::kReal, {}});
  TapeBuilder builder(graph, {0, 1}, 2);
  builder.AddSection(std::vector<TapeAssignment>{{r, Call(function, x), {}}});
  return std::move(builder).Finish();
}

// A loop of 1000 passes costs a thousand times its body, anywhere.
TEST(CodeCostsTest, ARunCostsWhatTheFunctionsDoThatItCalls) {
  constexpr std::int64_t kPasses = 1000;
  ExprGraph own;
  const auto inner = NewFunction(own, [&](Expr x, Expr y) {
    const Expr i = own.Iterator("i", {.count = kPasses});
    return Statements{{ForStatement{i, {Set(y, y + x)}}, {}}};
  });
  const auto outer = NewFunction(own, [&](Expr x, Expr y) {
    return Statements{Set(y, Call(inner, x)), Set(y, Call(inner, y))};
  });
  const Tape tape = TapeOf(outer);
  CodeCosts costs(tape);
  EXPECT_GT(costs.OfRun(0), 2 * kPasses);
  EXPECT_LT(costs.OfRun(0), 12 * kPasses);
}

TEST(CodeCostsTest, AFunctionThatIsCalledTwiceIsMetOnce) {
  ExprGraph own;
  const auto inner = NewFunction(
      own, [&](Expr x, Expr y) { return Statements{Set(y, sin(x) + cos(x))}; });
  const auto outer = NewFunction(own, [&](Expr x, Expr y) {
    return Statements{Set(y, Call(inner, x)), Set(y, Call(inner, y))};
  });
  const Tape tape = TapeOf(outer);
  ASSERT_EQ(tape.num_functions(), 2U);
  EXPECT_THAT(CodeCosts(tape).FunctionsOf(0),
              testing::UnorderedElementsAre(0U, 1U));
}

TEST(CodeCostsTest, AFunctionThatCallsItselfHasACost) {
  ExprGraph own;
  auto function =
      NewFunction(own, [](Expr x, Expr y) { return Statements{Set(y, x)}; });
  const Expr x = function->inputs.front();
  const Expr y = function->outputs.front().symbol;
  function->body = {
      {IfStatement{{{Less(1, x), {Set(y, Call(function, x - 1.0))}}}}, {}}};
  const Tape tape = TapeOf(function);
  CodeCosts costs(tape);
  EXPECT_GT(costs.OfRun(0), 5);
  EXPECT_LT(costs.OfRun(0), 50);
  function->body.clear();  // It refers to itself.
}

}  // namespace
}  // namespace orrery::program::internal
