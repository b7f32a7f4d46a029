#include "orrery/symbolic/derivatives/derivative.h"

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/test/evaluate.h"
#include "orrery/symbolic/test/random_formula.h"
#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

class DerivativeTest : public testing::Test {
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

  // d formula / d x.
  Expr D(Expr formula, Expr x) {
    return Tangent(graph_, {{x.id(), graph_.Constant(1)}}).Of(formula);
  }

  double DAt(Expr formula, Expr x, const std::vector<double>& values) {
    return Evaluate(graph_, D(formula, x), values);
  }

  ExprGraph graph_;
};

TEST_F(DerivativeTest, PolynomialsHaveTheirTextbookForm) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  EXPECT_EQ(D(x, x), graph_.Constant(1));
  EXPECT_EQ(D(y, x), graph_.Constant(0));
  EXPECT_EQ(D(x * y, x), y);
  EXPECT_EQ(D(pow(x, 2), x), 2.0 * x);
  EXPECT_EQ(D(pow(x, 3), x), 3.0 * pow(x, 2));
  EXPECT_EQ(D(3.0 * x - y, x), graph_.Constant(3));
  EXPECT_EQ(D(x / y, x), 1.0 / y);
  EXPECT_EQ(D(x / y, y), -(x / y / y));
}

TEST_F(DerivativeTest, ElementaryFunctionsHaveTheirTextbookValues) {
  const Expr x = Real("x");
  const auto at = [&](Expr formula, double value) {
    return DAt(formula, x, {value});
  };
  const double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(at(sin(x), pi / 3), 0.5);
  EXPECT_DOUBLE_EQ(at(cos(x), pi / 6), -0.5);
  EXPECT_DOUBLE_EQ(at(tan(x), pi / 4), 2);
  EXPECT_DOUBLE_EQ(at(asin(x), 0.6), 1.25);
  EXPECT_DOUBLE_EQ(at(acos(x), 0.6), -1.25);
  EXPECT_DOUBLE_EQ(at(atan(x), 2), 0.2);
  EXPECT_DOUBLE_EQ(at(exp(2.0 * x), 0.5), 2 * std::numbers::e);
  EXPECT_DOUBLE_EQ(at(log(x), 4), 0.25);
  EXPECT_DOUBLE_EQ(at(log10(x), 1), 1 / std::numbers::ln10);
  EXPECT_DOUBLE_EQ(at(sqrt(x), 4), 0.25);
  EXPECT_DOUBLE_EQ(at(sinh(x), 0), 1);
  EXPECT_DOUBLE_EQ(at(cosh(x), 0), 0);
  EXPECT_DOUBLE_EQ(at(tanh(x), 0), 1);
  EXPECT_DOUBLE_EQ(at(abs(x), -3), -1);
  EXPECT_DOUBLE_EQ(at(pow(2.0, x), 3), 8 * std::numbers::ln2);
  EXPECT_DOUBLE_EQ(at(pow(x, x), 2), 4 * (1 + std::numbers::ln2));
  EXPECT_DOUBLE_EQ(at(atan2(x, graph_.Constant(2)), 1), 0.4);
}

TEST_F(DerivativeTest, TheBranchTakenCounts) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  EXPECT_EQ(DAt(min(x, y), x, {1, 2}), 1);
  EXPECT_EQ(DAt(max(x, y), x, {1, 2}), 0);
  EXPECT_EQ(DAt(mod(x, y), x, {7, 3}), 1);
  EXPECT_EQ(DAt(mod(x, y), y, {7, 3}), -2);
  EXPECT_EQ(DAt(rem(x, y), y, {-7, 3}), 2);
  EXPECT_EQ(D(floor(x), x), graph_.Constant(0));
  const Expr guarded = select(Greater(x, 0), sqrt(x), 0.0);
  EXPECT_EQ(DAt(guarded, x, {-1}), 0);
  EXPECT_EQ(DAt(guarded, x, {0.25}), 1);
}

TEST_F(DerivativeTest, ABranchNotTakenMayHaveNoSlope) {
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr difference = x - y;
  const Expr flow = select(Greater(difference, 0),
                           sqrt(difference),
                           -sqrt(-difference) + log(-difference - 1.0));
  const std::array variables = {x, y};
  const std::vector<Expr> gradient = Gradient(exp(flow), variables);
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[0], std::array{4.25, 4.0}),
                   std::exp(0.5));
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[1], std::array{4.25, 4.0}),
                   -std::exp(0.5));
  const double slope = 0.25 - 1.0 / 3;  // Derivative of -sqrt(4) + log(3) by x.
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[0], std::array{0.0, 4.0}),
                   slope * std::exp(-2) * 3);
}

TEST_F(DerivativeTest, ADerivativeOfAPowerAtZeroIsFinite) {
  const Expr x = Real("x");
  const Expr n = Real("n");
  EXPECT_EQ(DAt(pow(x, 3), x, {0}), 0);
  EXPECT_EQ(DAt(pow(x, n), n, {0, 2}), 0);
}

const std::vector<Op> kSmoothOps = {
    Op::kNegate,   Op::kSqrt,     Op::kExp,      Op::kLog,    Op::kLog10,
    Op::kSin,      Op::kCos,      Op::kTan,      Op::kAsin,   Op::kAcos,
    Op::kAtan,     Op::kSinh,     Op::kCosh,     Op::kTanh,   Op::kAdd,
    Op::kSubtract, Op::kMultiply, Op::kMultiply, Op::kDivide, Op::kPower,
    Op::kAtan2};

// Richardson's extrapolation of central differences. Returns none if they do
// not settle (near a singularity), or at a kink such as that of acos(cos(x)) at
// 0: there second differences are halved with their step, else quartered.
std::optional<double> NumericalDerivative(
    const std::function<double(double)>& f, double x) {
  const auto central = [&](double h) {
    return (f(x + h) - f(x - h)) / (2 * h);
  };
  const double coarse = (4 * central(5e-4) - central(1e-3)) / 3;
  const double fine = (4 * central(2.5e-4) - central(5e-4)) / 3;
  const double scale = std::max({1.0, std::abs(fine), std::abs(f(x))});
  const auto bend = [&](double h) {
    return std::abs(f(x + h) - 2 * f(x) + f(x - h));
  };
  const bool is_kink = bend(2.5e-4) > std::max(0.4 * bend(5e-4), 1e-6 * scale);
  if (is_kink || !(std::abs(coarse - fine) < 1e-9 * scale)) {
    return std::nullopt;
  }
  return fine;
}

RC_GTEST_PROP(DerivativePropertyTest, AgreesWithDifferencesAndTheGradient, ()) {
  ExprGraph graph;
  std::vector<Expr> leaves;
  std::vector<double> values;
  for (int i = 0; i < 3; ++i) {
    leaves.push_back(graph.Symbol({"x", ValueType::kReal, {}}));
    values.push_back(*rc::gen::inRange(-150, 150) / 100.0);
  }
  const RandomFormula formula =
      DrawFormulas(graph, leaves, values, kSmoothOps, 40).back();
  if (!formula.is_defined || std::abs(formula.value) > 1e3) {
    RC_DISCARD("not defined here");
  }
  const auto variable = *rc::gen::inRange<std::size_t>(0, 3);
  const auto numerical = NumericalDerivative(
      [&](double x) {
        std::vector<double> moved = values;
        moved[variable] = x;
        return Evaluate(graph, formula.expr, moved);
      },
      values[variable]);
  if (!numerical) {
    RC_DISCARD("not smooth here");
  }
  const Expr x = leaves[variable];
  const double forward =
      Evaluate(graph,
               Tangent(graph, {{x.id(), graph.Constant(1)}}).Of(formula.expr),
               values);
  const double reverse =
      Evaluate(graph, Gradient(formula.expr, std::array{x}).front(), values);
  const double tolerance =
      1e-6 * std::max({1.0, std::abs(*numerical), std::abs(formula.value)});
  RC_ASSERT(std::abs(forward - *numerical) <= tolerance);
  RC_ASSERT(std::abs(reverse - forward) <=
            1e-9 * std::max(1.0, std::abs(forward)));
}

// Arrays --------------------------------------------------------------------

TEST_F(DerivativeTest, AnElementwiseDerivativeStaysElementwise) {
  const Expr v = Real("v", {1000});
  const Expr dv = Real("dv", {1000});
  Tangent tangent(graph_, {{v.id(), dv}});
  EXPECT_EQ(tangent.Of(sin(v)), cos(v) * dv);
}

TEST_F(DerivativeTest, ADerivativeHasTheShapeOfItsFormula) {
  const Expr v = Real("v", {3});
  const Expr x = Real("x");
  const Expr derivative = D(v + x, x);
  EXPECT_EQ(derivative.shape(), Shape{3});
  EXPECT_EQ(EvaluateArray(graph_, derivative, {}),
            (std::vector<double>{1, 1, 1}));
}

// The address sanitizer found shapes that moved while a differential was
// spread.
TEST_F(DerivativeTest, ADifferentialIsSpreadOverManyNewShapes) {
  for (std::int64_t n = 1; n <= 40; ++n) {
    const Expr v = Real("v", {n, n + 1, n + 2});
    const Expr x = Real("x");
    const Shape expected = {n, n + 1, n + 2};
    EXPECT_EQ(D(v + x, x).shape(), expected);
  }
}

TEST_F(DerivativeTest, ReferencesStayValidAsTheGraphGrows) {
  const Expr v = Real("v", {7});
  const Shape& shape = v.shape();
  const std::string& name = graph_.NameOf(v);
  for (std::int64_t n = 1; n <= 100; ++n) {
    Real("w", {n, n});
  }
  EXPECT_EQ(&v.shape(), &shape);
  EXPECT_EQ(&graph_.NameOf(v), &name);
}

TEST_F(DerivativeTest, AnElementOfAnArrayCanBeTheVariable) {
  const Expr v = Real("v", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr squares = graph_.Loop(Op::kSum, i, pow(At(v, {i}), 2));
  EXPECT_EQ(DAt(squares, At(v, {Integer(2)}), {5, 7, 9}), 14);
}

TEST_F(DerivativeTest, ALoopHasALoopAsItsDerivative) {
  const Expr v = Real("v", {100});
  const Expr dv = Real("dv", {100});
  const Expr i = graph_.Iterator("i", {.count = 100});
  Tangent tangent(graph_, {{v.id(), dv}});
  const Expr derivative =
      tangent.Of(graph_.Loop(Op::kBuild, i, sin(At(v, {i}))));
  EXPECT_EQ(derivative.op(), Op::kBuild);
  EXPECT_EQ(derivative.shape(), Shape{100});
}

TEST_F(DerivativeTest, AProductWithAZeroFactorIsDifferentiatedExactly) {
  const Expr v = Real("v", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr product = graph_.Loop(Op::kProduct, i, At(v, {i}));
  EXPECT_EQ(DAt(product, At(v, {Integer(2)}), {3, 0, 5}), 15);
  EXPECT_EQ(DAt(product, At(v, {Integer(1)}), {3, 0, 5}), 0);
}

TEST_F(DerivativeTest, AProductWithTheRootOfAFactorHasASlopeAtZero) {
  const Expr x = Real("x");
  for (const Expr& product : {3.0 * x * sqrt(x), sqrt(x) * (x * 3.0)}) {
    EXPECT_EQ(DAt(product, x, {0}), 0);
    EXPECT_EQ(DAt(product, x, {4}), 9);
  }
}

TEST_F(DerivativeTest, AnExtremumFollowsTheElementThatAttainsIt) {
  const Expr v = Real("v", {4});
  const Expr i = graph_.Iterator("i", {.count = 4});
  const Expr least = graph_.Loop(Op::kMinimum, i, pow(At(v, {i}), 2));
  EXPECT_EQ(DAt(least, At(v, {Integer(3)}), {3, 4, -2, 5}), -4);
  EXPECT_EQ(DAt(least, At(v, {Integer(1)}), {3, 4, -2, 5}), 0);
  const Expr greatest = graph_.Loop(Op::kMaximum, i, At(v, {i}));
  EXPECT_EQ(DAt(greatest, At(v, {Integer(4)}), {3, 4, -2, 5}), 1);
}

TEST_F(DerivativeTest, AComputedSubscriptSelectsItsElement) {
  const Expr v = Real("v", {3});
  const Expr k = graph_.Symbol({"k", ValueType::kInteger, {}});
  const Expr value = At(v, {k}) * 2.0;
  const Expr second = At(v, {Integer(2)});
  EXPECT_EQ(DAt(value, second, {1, 1, 1, 2}), 2);
  EXPECT_EQ(DAt(value, second, {1, 1, 1, 3}), 0);
  const Expr gradient = Gradient(value, std::array{second}).front();
  EXPECT_EQ(Evaluate(graph_, gradient, std::array{1.0, 1.0, 1.0, 2.0}), 2);
  EXPECT_EQ(Evaluate(graph_, gradient, std::array{1.0, 1.0, 1.0, 1.0}), 0);
}

// Large formulas ------------------------------------------------------------

TEST_F(DerivativeTest, AMillionNodesAreDifferentiatedInLinearTime) {
  const Expr x = Real("x");
  Expr y = x;
  for (int i = 0; i < 500'000; ++i) {
    y = y * 0.5 + x;
  }
  // y = 2x - 2^-n x.
  EXPECT_DOUBLE_EQ(DAt(y, x, {3}), 2);
  EXPECT_DOUBLE_EQ(
      Evaluate(graph_, Gradient(y, std::array{x}).front(), std::array{3.0}), 2);
}

TEST_F(DerivativeTest, AGradientCostsASmallMultipleOfItsFormula) {
  std::vector<Expr> variables;
  Expr sum = graph_.Constant(0);
  for (int i = 0; i < 1000; ++i) {
    variables.push_back(Real("x"));
    sum = sum + pow(variables.back(), 2);
  }
  const Expr norm = sqrt(sum);
  const std::size_t before = graph_.size();
  const std::vector<Expr> gradient = Gradient(norm, variables);
  EXPECT_LT(graph_.size() - before, 4000U);
  std::vector<double> values(1000, 0.0);
  values[0] = 3;
  values[7] = 4;
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[7], values), 0.8);
}

TEST_F(DerivativeTest, AGradientGoesThroughLoops) {
  const Expr v = Real("v", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr squares =
      graph_.Loop(Op::kSum, i, At(v, {i}) * At(v, {i}) * At(v, {Integer(1)}));
  const std::vector<Expr> gradient =
      Gradient(squares, std::array{At(v, {Integer(1)}), At(v, {Integer(3)})});
  const std::array v_is = {2.0, 3.0, 5.0};
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[0], v_is), 4 + 9 + 25 + 8);
  EXPECT_DOUBLE_EQ(Evaluate(graph_, gradient[1], v_is), 20);
}

// Functions -----------------------------------------------------------------

TEST_F(DerivativeTest, AnOpaqueFunctionHasItsCentralDifference) {
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "f";
  function->num_inputs = 2;
  function->num_outputs = 1;
  function->evaluate = [](std::span<const double> in, std::span<double> out) {
    out[0] = std::sin(in[0]) * in[1];
  };
  const Expr x = Real("x");
  const Expr y = Real("y");
  const std::array arguments = {x * 2.0, y};
  const Expr value = graph_.Output(graph_.Opaque(function, arguments), 0);
  EXPECT_NEAR(DAt(value, x, {0.3, 5}), 10 * std::cos(0.6), 1e-8);
  EXPECT_NEAR(DAt(value, y, {0.3, 5}), std::sin(0.6), 1e-9);
  EXPECT_EQ(D(value, Real("z")), graph_.Constant(0));
  EXPECT_EQ(D(value, x), D(value, x)) << "one derivative for one function";
}

TEST_F(DerivativeTest, AnOpaqueFunctionMayTellItsDerivative) {
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "f";
  function->num_inputs = 1;
  function->num_outputs = 1;
  function->evaluate = [](std::span<const double> in, std::span<double> out) {
    out[0] = std::exp(in[0]);
  };
  function->tangent = [](std::span<const double> in, std::span<double> out) {
    out[0] = std::exp(in[0]) * in[1];
  };
  const Expr x = Real("x");
  const std::array arguments = {x * 2.0};
  const Expr value = graph_.Output(graph_.Opaque(function, arguments), 0);
  EXPECT_EQ(DAt(value, x, {0.3}), 2 * std::exp(0.6));
}

TEST_F(DerivativeTest, DifferencesAreOfTheTypicalSizeOfAnInput) {
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "f";
  function->num_inputs = 1;
  function->num_outputs = 1;
  function->sizes = {1e-6};
  function->evaluate = [](std::span<const double> in, std::span<double> out) {
    out[0] = std::sin(1e6 * in[0]);
  };
  const Expr x = Real("x");
  const std::array arguments = {x};
  const Expr value = graph_.Output(graph_.Opaque(function, arguments), 0);
  EXPECT_NEAR(DAt(value, x, {2e-6}), 1e6 * std::cos(2), 1e-3);
}

TEST_F(DerivativeTest, AFunctionIsDifferentiatedStatementByStatement) {
  // y := 1; for i in 1:4 loop y := y * x + i; end for;  (if y > n then -y)
  const auto function = std::make_shared<Function>();
  function->name = "horner";
  const Expr x = Real("x");
  const Expr y = Real("y");
  const Expr i = graph_.Iterator("i", {.count = 4});
  function->inputs = {x};
  function->outputs = {{y, graph_.Constant(1)}};
  function->body = {
      {ForStatement{i, {{Assignment{y, {}, y * x + i}, {}}}}, {}},
      {IfStatement{{{Greater(y, 1000), {{Assignment{y, {}, -y}, {}}}}}}, {}}};
  const Expr u = Real("u");
  const std::array arguments = {u * 3.0};
  const Expr value = graph_.Output(graph_.Call(function, arguments), 0);
  // x^4 + x^3 + 2x^2 + 3x + 4 at x = 3u.
  const auto slope = [](double a) {
    return 3 * (4 * a * a * a + 3 * a * a + 4 * a + 3);
  };
  EXPECT_DOUBLE_EQ(DAt(value, u, {0, 0, 0.5}), slope(1.5));
  EXPECT_DOUBLE_EQ(DAt(value, u, {0, 0, 3}), -slope(9));
  EXPECT_EQ(D(value, u), D(value, u)) << "one derivative for one function";
  EXPECT_DOUBLE_EQ(Evaluate(graph_,
                            Gradient(value, std::array{u}).front(),
                            std::array{0.0, 0.0, 0.5}),
                   slope(1.5));
}

TEST_F(DerivativeTest, AFunctionOfArraysIsDifferentiated) {
  // w := a * v; s := sum(w)^2.
  const auto function = std::make_shared<Function>();
  function->name = "squared_sum";
  const Expr a = Real("a");
  const Expr v = Real("v", {3});
  const Expr w = Real("w", {3});
  const Expr s = Real("s");
  const Expr i = graph_.Iterator("i", {.count = 3});
  function->inputs = {a, v};
  function->outputs = {{s, {}}, {w, {}}};
  function->body = {
      {Assignment{w, {}, a * v}, {}},
      {Assignment{s, {}, pow(graph_.Loop(Op::kSum, i, At(w, {i})), 2)}, {}}};
  const Expr x = Real("x");
  const Expr u = Real("u", {3});
  const std::array arguments = {x, u};
  const Expr call = graph_.Call(function, arguments);
  const std::vector<double> values = {0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3};
  // s = (x sum u)^2: ds/dx = 2 x 36, ds/du_1 = 2 x^2 6.
  EXPECT_EQ(DAt(graph_.Output(call, 0), x, values), 144);
  EXPECT_EQ(DAt(graph_.Output(call, 0), At(u, {Integer(1)}), values), 48);
  EXPECT_EQ(EvaluateArray(graph_, D(graph_.Output(call, 1), x), values),
            (std::vector<double>{1, 2, 3}));
}

TEST_F(DerivativeTest, AGradientGoesThroughElementsOfWhatAFunctionGives) {
  // y := {3 a, a^2}.
  const auto function = std::make_shared<Function>();
  function->name = "pair";
  const Expr a = Real("a");
  const Expr y = Real("y", {2});
  const std::array parts = {3.0 * a, pow(a, 2)};
  function->inputs = {a};
  function->outputs = {{y, {}}};
  function->body = {{Assignment{y, {}, graph_.MakeArray(parts)}, {}}};
  const Expr u = Real("u");
  const std::array arguments = {u};
  const Expr second =
      At(graph_.Output(graph_.Call(function, arguments), 0), {Integer(2)});
  const std::vector<double> values = {0, 0, 0, 5};
  EXPECT_EQ(DAt(second, u, values), 10);
  EXPECT_EQ(Evaluate(graph_, Gradient(second, std::array{u}).front(), values),
            10);
}

}  // namespace
}  // namespace orrery
