#include "orrery/symbolic/print/print.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/symbolic/expr_math.h"
#include "orrery/symbolic/statement.h"

namespace orrery {
namespace {

class PrintTest : public testing::Test {
 protected:
  Expr Real(const std::string& name, Shape shape = {}) {
    return graph_.Symbol({name, ValueType::kReal, std::move(shape)});
  }

  Expr Flag(const std::string& name) {
    return graph_.Symbol({name, ValueType::kBoolean, {}});
  }

  Expr Integer(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  ExprGraph graph_;
  Expr a_ = Real("a");
  Expr b_ = Real("b");
  Expr c_ = Real("c");
};

TEST_F(PrintTest, AFormulaReadsAsItWasWritten) {
  const Expr k = Real("k");
  const Expr x = Real("x");
  const Expr m = Real("m");
  EXPECT_EQ(ToText(-k * x / m + 2.0 * sin(Real("time"))),
            "2*sin(time) - k*x/m");
  EXPECT_EQ(ToText(-k * x / m), "-k*x/m");
}

TEST_F(PrintTest, ParenthesesStandWhereTheOrderNeedsThem) {
  EXPECT_EQ(ToText(a_ - b_ - c_), "a - b - c");
  EXPECT_EQ(ToText(a_ - (b_ - c_)), "a - (b - c)");
  EXPECT_EQ(ToText(a_ + (b_ + c_)), "a + (b + c)");
  EXPECT_EQ(ToText((a_ + b_) * c_), "(a + b)*c");
  EXPECT_EQ(ToText(a_ * b_ / c_), "a*b/c");
  EXPECT_EQ(ToText(a_ / (b_ * c_)), "a/(b*c)");
  EXPECT_EQ(ToText(a_ * (b_ / c_)), "a*(b/c)");
  EXPECT_EQ(ToText(-(a_ + b_)), "-(a + b)");
  EXPECT_EQ(ToText(pow(-a_, 2.0)), "(-a)^2");
  EXPECT_EQ(ToText(pow(a_, -2.0)), "a^(-2)");
  EXPECT_EQ(ToText(pow(pow(a_, b_), c_)), "(a^b)^c");
  EXPECT_EQ(ToText(pow(a_ * b_, 3.0)), "(a*b)^3");
  EXPECT_EQ(ToText(a_ + -3.0), "a - 3");
  EXPECT_EQ(ToText(a_ * -3.0), "a*(-3)");
}

TEST_F(PrintTest, NumbersAreShortAndExact) {
  EXPECT_EQ(ToText(graph_.Constant(0.1)), "0.1");
  EXPECT_EQ(ToText(graph_.Constant(-1e-9)), "-1e-09");
  EXPECT_EQ(ToText(graph_.Constant(3)), "3");
  EXPECT_EQ(ToText(graph_.Boolean(true)), "true");
}

TEST_F(PrintTest, LogicBindsAsInModelica) {
  const Expr p = Flag("p");
  const Expr q = Flag("q");
  EXPECT_EQ(ToText(Or(And(p, Not(q)), LessEqual(a_, b_))),
            "p and not q or a <= b");
  EXPECT_EQ(ToText(And(p, Or(q, NotEqual(a_, b_)))), "p and (q or a <> b)");
  EXPECT_EQ(ToText(Not(Less(a_, b_))), "not a < b");
  EXPECT_EQ(ToText(Not(And(p, q))), "not (p and q)");
}

TEST_F(PrintTest, ChoicesBecomeIfExpressions) {
  EXPECT_EQ(ToText(1.0 + select(Less(a_, 0), -a_, a_)),
            "1 + (if a < 0 then -a else a)");
  EXPECT_EQ(ToText(select(Less(a_, 0), b_, select(Less(a_, 1), c_, a_))),
            "if a < 0 then b elseif a < 1 then c else a");
}

TEST_F(PrintTest, ArraysAndLoopsHaveModelicaNotation) {
  const Expr v = Real("v", {3});
  const Expr w = Real("w", {3});
  const Expr i = graph_.Iterator("i", {.count = 3});
  const Expr j = graph_.Iterator("j", {.start = 1, .step = 2, .count = 2});
  const std::array at_i = {i};
  const std::array at_j = {j + Integer(1)};
  const std::array parts = {a_, b_ + 1.0};
  const std::array numbers = {1.0, 2.0, 3.0, 4.0};
  EXPECT_EQ(ToText(v * w + 2.0 * v), "v.*w + 2*v");
  EXPECT_EQ(ToText(a_ / v), "a./v");
  EXPECT_EQ(ToText(v + a_), "v .+ a");
  EXPECT_EQ(ToText(graph_.Loop(Op::kBuild, i, graph_.Index(v, at_i) * i)),
            "{v[i]*i for i in 1:3}");
  EXPECT_EQ(ToText(graph_.Loop(Op::kSum, j, graph_.Index(v, at_j))),
            "sum(v[j + 1] for j in 1:2:3)");
  EXPECT_EQ(ToText(graph_.MakeArray(parts)), "{a, b + 1}");
  EXPECT_EQ(ToText(graph_.ArrayConstant(numbers, {2, 2})), "{{1, 2}, {3, 4}}");
}

TEST_F(PrintTest, FunctionsAndDerivativesAreCalls) {
  const auto function = std::make_shared<OpaqueFunction>();
  function->name = "table";
  function->num_inputs = 2;
  function->num_outputs = 2;
  const std::array arguments = {a_, b_ + 1.0};
  EXPECT_EQ(ToText(graph_.Output(graph_.Opaque(function, arguments), 1)),
            "table(a, b + 1).y2");
  EXPECT_EQ(ToText(graph_.Der(a_) * 2.0), "der(a)*2");
  EXPECT_EQ(ToText(atan2(a_, max(b_, 0.0))), "atan2(a, max(b, 0))");
  EXPECT_EQ(ToText(div(a_, b_)), "div(a, b)");
}

TEST_F(PrintTest, ALongFormulaIsCut) {
  Expr x = a_;
  for (int i = 0; i < 500'000; ++i) {
    x = sin(x) * b_;
  }
  const std::string text = ToText(x, 20);
  EXPECT_EQ(text, "sin(sin(sin(sin(sin(...");
  EXPECT_EQ(ToText(a_ + b_, 3), "a +...");
  EXPECT_EQ(ToText(a_ + b_, 5), "a + b");
}

TEST_F(PrintTest, LatexHasFractionsRootsAndPowers) {
  EXPECT_EQ(ToLatex((a_ + b_) / c_), "\\frac{a + b}{c}");
  EXPECT_EQ(ToLatex(sqrt(pow(a_, 2.0) + 1.0)), "\\sqrt{a^{2} + 1}");
  EXPECT_EQ(ToLatex(pow(a_ + b_, -2.0)), "\\left(a + b\\right)^{-2}");
  EXPECT_EQ(ToLatex(pow(a_ / b_, 2.0)), "\\left(\\frac{a}{b}\\right)^{2}");
  EXPECT_EQ(ToLatex(-a_ * (b_ - c_)), "-a\\,\\left(b - c\\right)");
  EXPECT_EQ(ToLatex(exp(-a_)), "e^{-a}");
  EXPECT_EQ(ToLatex(abs(a_ - b_)), "\\left|a - b\\right|");
  EXPECT_EQ(ToLatex(2.5e-6 * a_), "2.5 \\cdot 10^{-6}\\,a");
}

TEST_F(PrintTest, LatexNamesHaveSubscriptsAndGreekLetters) {
  EXPECT_EQ(ToLatex(Real("spring.k")), "k_{\\mathrm{spring}}");
  EXPECT_EQ(ToLatex(Real("omega")), "\\omega");
  EXPECT_EQ(ToLatex(Real("x1")), "x_{1}");
  EXPECT_EQ(ToLatex(Real("v_in")), "v_{\\mathrm{in}}");
  EXPECT_EQ(ToLatex(Real("pump.flow")), "\\mathrm{flow}_{\\mathrm{pump}}");
  EXPECT_EQ(ToLatex(Real("time")), "t");
  EXPECT_EQ(ToLatex(graph_.Der(Real("body.phi"))),
            "\\dot{\\phi}_{\\mathrm{body}}");
  const std::array at = {Integer(2), Integer(3)};
  EXPECT_EQ(ToLatex(graph_.Index(Real("M", {4, 4}), at)), "M_{2, 3}");
}

TEST_F(PrintTest, LatexNamesThatAreFormulasAreNotTakenApart) {
  EXPECT_EQ(ToLatex(Real("x_1^2 > 0.5")),
            "\\mathrm{x\\_1^\\wedge 2\\ >\\ 0.5}");
  EXPECT_EQ(ToLatex(Real("pre(tank.n)")),
            "\\mathrm{pre}\\left(n_{\\mathrm{tank}}\\right)");
}

TEST_F(PrintTest, AnIntegerHasAllItsDigits) {
  const std::array last = {Integer(1e6)};
  const Expr element = graph_.Index(Real("u", {1'000'000}), last);
  EXPECT_EQ(ToText(element * 1e6), "u[1000000]*1e+06");
  EXPECT_EQ(ToLatex(element), "u_{1000000}");
}

TEST_F(PrintTest, ASymbolNamedAsADerivativeReadsAsOne) {
  const Expr rate = Real("der(room.T)");
  const std::array second = {Integer(2)};
  const Expr rates = graph_.Index(Real("der(u)", {3}), second);
  EXPECT_EQ(ToText(rate), "der(room.T)");
  EXPECT_EQ(ToText(rates), "der(u[2])");
  EXPECT_EQ(ToLatex(rate), "\\dot{T}_{\\mathrm{room}}");
  EXPECT_EQ(ToLatex(rates), "\\dot{u}_{2}");
  EXPECT_EQ(ToLatex(graph_.Der(rates)), "\\ddot{u}_{2}");
}

TEST_F(PrintTest, LatexHasCasesAndSums) {
  EXPECT_EQ(ToLatex(select(LessEqual(a_, 0), b_, c_)),
            "\\begin{cases} b & \\text{if } a \\le 0 \\\\ c & "
            "\\text{otherwise} \\end{cases}");
  const Expr v = Real("v", {9});
  const Expr i = graph_.Iterator("i", {.count = 9});
  const std::array at = {i};
  EXPECT_EQ(ToLatex(graph_.Loop(Op::kSum, i, pow(graph_.Index(v, at), 2))),
            "\\sum_{i=1}^{9} v_{i}^{2}");
}

}  // namespace
}  // namespace orrery
