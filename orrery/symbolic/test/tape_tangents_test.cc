#include "orrery/symbolic/tape/tape_tangents.h"

#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/test/evaluate.h"
#include "orrery/symbolic/test/random_formula.h"

namespace orrery {
namespace {

class TapeTangentsTest : public testing::Test {
 protected:
  Expr Real(const char* name, Shape shape = {}) {
    return graph_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  // The derivative of `formula` along the slots' `direction`; the symbols have
  // slots in the order they were made.
  double Along(Expr formula,
               std::span<const double> values,
               std::span<const double> direction) {
    const Expr result = graph_.Symbol({"result", formula.type(), {}});
    std::vector<std::uint32_t> slots;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < graph_.num_symbols(); ++i) {
      slots.push_back(next);
      next +=
          static_cast<std::uint32_t>(NumElements(graph_.SymbolAt(i).shape()));
    }
    TapeBuilder builder(graph_, slots, next);
    const std::vector<TapeAssignment> assignments = {{result, formula, {}}};
    builder.AddSection(assignments);
    const Tape tape = std::move(builder).Finish();
    std::vector<double> memory = tape.NewMemory();
    TapeTangents tangents(tape);
    for (std::size_t i = 0; i < values.size(); ++i) {
      memory[i] = values[i];
      tangents[static_cast<std::uint32_t>(i)] = direction[i];
    }
    EXPECT_EQ(tangents.Run(0, memory.data()), Tape::Outcome::kDone);
    const double tangent = tangents[next - 1];
    const double value = memory[next - 1];
    tangents.Clear();
    EXPECT_EQ(tangents[0], 0);
    EXPECT_EQ(tape.Run(0, memory.data()), Tape::Outcome::kDone);
    EXPECT_EQ(value, memory[next - 1]);
    return tangent;
  }

  ExprGraph graph_;
};

// Both are made by different means: rules on formulas, numbers on a tape.
RC_GTEST_FIXTURE_PROP(TapeTangentsTest, AreTheDerivativesOfTheFormula, ()) {
  const std::vector<Expr> leaves = {Real("x"), Real("y")};
  const std::vector<double> at = {*rc::gen::inRange(-300, 301) / 100.0,
                                  *rc::gen::inRange(-300, 301) / 100.0};
  const RandomFormula formula =
      DrawFormulas(
          graph_,
          leaves,
          at,
          {Op::kNegate, Op::kAbs,   Op::kSign,  Op::kSqrt,     Op::kExp,
           Op::kLog,    Op::kLog10, Op::kSin,   Op::kCos,      Op::kTan,
           Op::kAsin,   Op::kAcos,  Op::kAtan,  Op::kSinh,     Op::kCosh,
           Op::kTanh,   Op::kFloor, Op::kAdd,   Op::kSubtract, Op::kMultiply,
           Op::kDivide, Op::kPower, Op::kAtan2, Op::kMin,      Op::kMax,
           Op::kMod,    Op::kRem,   Op::kSelect},
          10)
          .back();
  RC_PRE(formula.is_defined);
  const double expected =
      Evaluate(graph_,
               Tangent(graph_,
                       {{leaves[0].id(), graph_.Constant(1)},
                        {leaves[1].id(), graph_.Constant(-2)}})
                   .Of(formula.expr),
               at);
  RC_PRE(std::isfinite(expected));
  const double found = Along(formula.expr, at, std::array{1.0, -2.0});
  RC_ASSERT(std::abs(found - expected) <= 1e-11 * (1 + std::abs(expected)));
}

TEST_F(TapeTangentsTest, FollowLoopsOverArrays) {
  const Expr u = Real("u", {3});
  const Expr i = graph_.Iterator("i", {1, 1, 3});
  const Expr sum =
      graph_.Loop(Op::kSum, i, pow(graph_.Index(u, std::array{i}), 2.0) * i);
  // 2 (1 u1 d1 + 2 u2 d2 + 3 u3 d3)
  EXPECT_EQ(Along(sum, std::array{1.0, 2.0, 3.0}, std::array{1.0, 0.5, -1.0}),
            2 * (1 + 2 - 9));
}

TEST_F(TapeTangentsTest, DropWhatDoesNotMoveWhateverItsFactor) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  EXPECT_EQ(Along(sqrt(x) + y, std::array{0.0, 1.0}, std::array{0.0, 1.0}), 1);
}

TEST_F(TapeTangentsTest, FollowRecursiveFunctions) {
  ExprGraph own;
  const auto power = std::make_shared<Function>();
  const Expr x = own.Symbol({"x", ValueType::kReal, {}});
  const Expr n = own.Symbol({"n", ValueType::kReal, {}});
  const Expr y = own.Symbol({"y", ValueType::kReal, {}});
  power->name = "power";
  power->inputs = {x, n};
  power->outputs = {{y, {}}};
  const Expr rest = own.Output(own.Call(power, std::array{x, n - 1.0}), 0);
  power->body = {{Assignment{y, {}, select(Less(n, 1), 1.0, x * rest)}, {}}};
  const Expr base = Real("base");
  const Expr exponent = Real("n");
  const Expr value =
      graph_.Output(graph_.Call(power, std::array{base, exponent}), 0);
  EXPECT_EQ(Along(value, std::array{2.0, 5.0}, std::array{1.0, 0.0}), 80);
}

TEST_F(TapeTangentsTest, TakeDifferencesOfOpaqueFunctions) {
  const auto opaque = std::make_shared<OpaqueFunction>();
  opaque->name = "product";
  opaque->num_inputs = 2;
  opaque->num_outputs = 1;
  opaque->evaluate = [](std::span<const double> in, std::span<double> out) {
    out[0] = in[0] * std::exp(in[1]);
  };
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr value = graph_.Output(graph_.Opaque(opaque, std::array{x, y}), 0);
  EXPECT_NEAR(
      Along(value, std::array{3.0, 0.0}, std::array{1.0, 2.0}), 7, 1e-8);
}

TEST_F(TapeTangentsTest, AreNotANumberWhereAnOpaqueFunctionThrows) {
  const auto opaque = std::make_shared<OpaqueFunction>();
  opaque->name = "picky";
  opaque->num_inputs = 1;
  opaque->num_outputs = 1;
  opaque->evaluate = [](std::span<const double> in, std::span<double> out) {
    if (in[0] < 0) {
      throw std::domain_error("negative");
    }
    out[0] = in[0];
  };
  const Expr x = Real("x");
  const Expr value = graph_.Output(graph_.Opaque(opaque, std::array{x}), 0);
  EXPECT_TRUE(std::isnan(Along(value, std::array{0.0}, std::array{1.0})));
}

}  // namespace
}  // namespace orrery
