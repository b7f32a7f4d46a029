#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/syntax/parser.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica {
namespace {

ParsedExpression ParsedAlone(const std::string& text) {
  Diagnostics diagnostics;
  auto result = ParseExpression(std::make_shared<const SourceFile>("e", text),
                                diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return result;
}

std::string Structure(const ast::Expression& expression);

std::string Joined(const ast::Expressions& list) {
  std::string result;
  for (const ast::Expression* entry : list) {
    result += " " + (entry == nullptr ? "_" : Structure(*entry));
  }
  return result;
}

// The tree, every operation in parentheses, operator first.
struct StructureOf {
  std::string operator()(const ast::Unary& node) const {
    return "(" + std::string(Spelling(node.op)) + " " +
           Structure(*node.operand) + ")";
  }

  std::string operator()(const ast::Operation& node) const {
    std::string result = Structure(*node.first);
    for (const ast::OperationStep& step : node.steps) {
      result = "(" + std::string(Spelling(step.op)) + " " + result + " " +
               Structure(*step.operand) + ")";
    }
    return result;
  }

  std::string operator()(const ast::Range& node) const {
    return "(: " + Structure(*node.start) +
           (node.step == nullptr ? "" : " " + Structure(*node.step)) + " " +
           Structure(*node.stop) + ")";
  }

  std::string operator()(const ast::IfExpression& node) const {
    std::string result = "(if";
    for (const ast::IfExpressionBranch& branch : node.branches) {
      result +=
          " " + Structure(*branch.condition) + " " + Structure(*branch.value);
    }
    return result + " " + Structure(*node.otherwise) + ")";
  }

  std::string operator()(const ast::Tuple& node) const {
    return "(tuple" + Joined(node.elements) + ")";
  }

  std::string operator()(const ast::Subscripted& node) const {
    return "(at " + Structure(*node.base) + Joined(node.subscripts) + ")";
  }

  template <typename Node>
  std::string operator()(const Node& /*node*/) const {
    return Unparse(whole);
  }

  const ast::Expression& whole;
};

std::string Structure(const ast::Expression& expression) {
  return std::visit(StructureOf{expression}, expression.node);
}

std::string StructureOfText(const std::string& text) {
  return Structure(*ParsedAlone(text).expression);
}

TEST(ExpressionTest, BindsOperatorsAsTheSpecificationsTableSays) {
  const std::vector<std::pair<std::string, std::string>> kTable = {
      {"a + b * c", "(+ a (* b c))"},
      {"a * b + c", "(+ (* a b) c)"},
      {"a * b ^ c", "(* a (^ b c))"},
      {"-a ^ b", "(- (^ a b))"},
      {"-a * b", "(- (* a b))"},
      {"-a + b", "(+ (- a) b)"},
      {"a - b - c", "(- (- a b) c)"},
      {"a - b + c .- d .+ e", "(.+ (.- (+ (- a b) c) d) e)"},
      {"a / b * c ./ d .* e", "(.* (./ (* (/ a b) c) d) e)"},
      {"a .^ b / c", "(/ (.^ a b) c)"},
      {"a + b < c - d", "(< (+ a b) (- c d))"},
      {"-a <= -b", "(<= (- a) (- b))"},
      {"not a == b", "(not (== a b))"},
      {"not a and b", "(and (not a) b)"},
      {"a or b and c", "(or a (and b c))"},
      {"a and b or c and d", "(or (and a b) (and c d))"},
      {"a and not b or c", "(or (and a (not b)) c)"},
      {"a <> b and c >= d", "(and (<> a b) (>= c d))"},
      {"a or b : c + d", "(: (or a b) (+ c d))"},
      {"a : b : c", "(: a b c)"},
      {"if a then b else c + d", "(if a b (+ c d))"},
      {"if a then b elseif c then d else e", "(if a b c d e)"},
      {"if a then b else if c then d else e", "(if a b (if c d e))"},
      {"(a + b) * c", "(* (+ a b) c)"},
      {"a - (b - c)", "(- a (- b c))"},
      {"(a ^ b) ^ c", "(^ (^ a b) c)"},
      {"a ^ (-b)", "(^ a (- b))"},
      {"(a < b) == c", "(== (< a b) c)"},
      {"(a, , b)", "(tuple a _ b)"},
      {"()", "(tuple)"},
      {"(a)", "a"},
      {"(a + b)[1, :]", "(at (+ a b) 1 :)"},
  };
  for (const auto& [text, structure] : kTable) {
    EXPECT_EQ(StructureOfText(text), structure) << text;
  }
}

TEST(ExpressionTest, PrintsEachPrimaryAsItIsWritten) {
  for (const std::string text : {"1",
                                 "2.5",
                                 "true",
                                 "false",
                                 "\"a\\n\"",
                                 "time",
                                 "a.b[1, 2].c[:]",
                                 ".A.B.f(x)",
                                 "f()",
                                 "f(1, n=2)",
                                 "f(a=1, b=g(c=2))",
                                 "der(x)",
                                 "initial()",
                                 "pure(f(x))",
                                 "f(function g(a=1), h=function .P.k())",
                                 "sum(i * j for i in 1:3, j)",
                                 "{1, 2}",
                                 "{i for i in 1:n}",
                                 "{{1}, {2}}",
                                 "[1, 2; 3, 4]",
                                 "x[end - 1]",
                                 "x[if a then end else 1]",
                                 "(a, b)",
                                 "(a + b).c",
                                 "'q r'.s",
                                 "x[1:2:end]"}) {
    EXPECT_EQ(Unparse(*ParsedAlone(text).expression), text);
  }
}

TEST(ExpressionTest, ReadsNumbersExactly) {
  const auto value = [](const std::string& text) {
    return std::get<ast::RealLiteral>(ParsedAlone(text).expression->node).value;
  };
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value(".1"), 0.1);
  EXPECT_EQ(value("5."), 5.0);
  EXPECT_EQ(value("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(value("4.9e-324"), 4.9e-324);
  EXPECT_EQ(value("1e-999"), 0.0);
}

TEST(ExpressionTest, NormalizesTheRedundantEscapesOfAQuotedName) {
  const auto parsed = ParsedAlone("'a\\?\\\"\\'\\\\b'");
  const auto& reference =
      std::get<ast::ComponentReference>(parsed.expression->node);
  EXPECT_EQ(reference.parts[0].name.text, "'a?\"\\'\\\\b'");
}

TEST(ExpressionTest, UnescapesStrings) {
  EXPECT_EQ(ast::Unescape("a\\n\\t\\\"\\'\\?\\\\\\a\\b\\f\\r\\v"),
            "a\n\t\"'?\\\a\b\f\r\v");
}

TEST(ExpressionTest, GivesEveryNodeItsPlace) {
  const auto parsed = ParsedAlone("a + sin(b * 2)");
  const auto& sum = std::get<ast::Operation>(parsed.expression->node);
  EXPECT_EQ(parsed.expression->span, (ast::Span{0, 14}));
  EXPECT_EQ(sum.first->span, (ast::Span{0, 1}));
  const auto& call = std::get<ast::Call>(sum.steps[0].operand->node);
  EXPECT_EQ(sum.steps[0].operand->span, (ast::Span{4, 14}));
  EXPECT_EQ(call.function.span, (ast::Span{4, 7}));
  EXPECT_EQ(call.arguments[0].value->span, (ast::Span{8, 13}));
}

TEST(ExpressionTest, KeepsAMillionTermsInOneFlatNode) {
  std::string text = "a";
  for (int i = 1; i < 1'000'000; ++i) {
    text += "+a";
  }
  const auto parsed = ParsedAlone(text);
  const auto& sum = std::get<ast::Operation>(parsed.expression->node);
  EXPECT_EQ(sum.steps.size(), 999'999U);
}

// Random expressions.

std::string RandomText(int depth);

std::string Pick(const std::vector<std::string>& texts) {
  return texts[*rc::gen::inRange<std::size_t>(0, texts.size())];
}

std::string RandomOperation(int depth) {
  const std::string op = Pick({" + ",
                               " - ",
                               " .+ ",
                               " .- ",
                               " * ",
                               " / ",
                               " .* ",
                               " ./ ",
                               "^",
                               " .^ ",
                               " < ",
                               " <= ",
                               " > ",
                               " >= ",
                               " == ",
                               " <> ",
                               " and ",
                               " or "});
  return "(" + RandomText(depth - 1) + ")" + op + "(" + RandomText(depth - 1) +
         ")";
}

// Operands in parentheses, which the printer leaves out where it can.
std::string RandomText(int depth) {
  if (depth == 0) {
    return Pick({"a", "b.c[2]", "1", "2.5e-7", "true", "\"s\"", "f()"});
  }
  const auto operand = [&] {
    return "(" + RandomText(depth - 1) + ")";
  };
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return Pick({"-", "+", ".-", ".+", "not "}) + operand();
    case 1:
      return operand() + ":" + operand();
    case 2:
      return "if " + operand() + " then " + operand() + " else " + operand();
    case 3:
      return "f(" + operand() + ", n=" + operand() + ")";
    case 4:
      return "{" + operand() + " for i in " + operand() + "}";
    case 5:
      return "[" + operand() + ", " + operand() + "; " + operand() + "]";
    case 6:
      return operand() + " + " + operand() + " - " + operand();
    default:
      return RandomOperation(depth);
  }
}

RC_GTEST_PROP(ExpressionProperty, PrintingKeepsTheStructure, ()) {
  const std::string text = RandomText(*rc::gen::inRange(0, 5));
  const auto parsed = ParsedAlone(text);
  const std::string printed = Unparse(*parsed.expression);
  RC_ASSERT(StructureOfText(printed) == Structure(*parsed.expression));
}

RC_GTEST_PROP(ExpressionProperty, RealsSurvivePrinting, (double value)) {
  RC_PRE(std::isfinite(value));
  const ast::Expression literal = {.node = ast::RealLiteral{std::abs(value)}};
  const auto again = ParsedAlone(Unparse(literal));
  RC_ASSERT(std::get<ast::RealLiteral>(again.expression->node).value ==
            std::abs(value));
}

}  // namespace
}  // namespace orrery::modelica
