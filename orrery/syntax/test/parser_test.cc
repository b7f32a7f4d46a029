#include "orrery/syntax/parser.h"

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/syntax/token.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica {
namespace {

using Tree = std::unique_ptr<const ast::StoredDefinition>;

Tree Parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto tree =
      Parse(std::make_shared<const SourceFile>("a.mo", text), diagnostics);
  EXPECT_EQ(Render(diagnostics.list()), "") << text.substr(0, 1000);
  return tree;
}

const ast::ClassDefinition& FirstClass(const Tree& tree) {
  return *tree->classes[0].definition;
}

const ast::LongClass& FirstBody(const Tree& tree) {
  return std::get<ast::LongClass>(FirstClass(tree).node);
}

template <typename T>
const T& FirstElement(const Tree& tree) {
  return *std::get<const T*>(FirstBody(tree).elements[0].node);
}

std::string RenderedErrors(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_NE(
      Parse(std::make_shared<const SourceFile>("a.mo", text), diagnostics),
      nullptr);
  return Render(diagnostics.list());
}

TEST(ParserTest, ReadsWithinAndSeveralClasses) {
  const Tree tree = Parsed("within A.B; final model C end C; block D end D;");
  EXPECT_EQ(ToString(*tree->within), "A.B");
  ASSERT_EQ(tree->classes.size(), 2U);
  EXPECT_TRUE(tree->classes[0].is_final);
  EXPECT_EQ(tree->classes[1].definition->name.text, "D");
}

TEST(ParserTest, TellsABareWithinFromNone) {
  EXPECT_TRUE(Parsed("within;")->within->parts.empty());
  EXPECT_FALSE(Parsed("")->within.has_value());
}

TEST(ParserTest, ReadsEveryKindOfClass) {
  using ast::ClassKind;
  const std::pair<const char*, ClassKind> kKinds[] = {
      {"class", ClassKind::kClass},
      {"model", ClassKind::kModel},
      {"record", ClassKind::kRecord},
      {"block", ClassKind::kBlock},
      {"connector", ClassKind::kConnector},
      {"type", ClassKind::kType},
      {"package", ClassKind::kPackage},
      {"function", ClassKind::kFunction},
      {"operator", ClassKind::kOperator}};
  for (const auto& [keyword, kind] : kKinds) {
    const Tree tree = Parsed(std::string(keyword) + " A end A;");
    EXPECT_EQ(FirstClass(tree).prefixes.kind, kind);
  }
}

TEST(ParserTest, ReadsClassPrefixes) {
  const auto prefixes =
      FirstClass(Parsed("encapsulated partial impure operator function f "
                        "end f;"))
          .prefixes;
  EXPECT_TRUE(prefixes.is_encapsulated && prefixes.is_partial);
  EXPECT_TRUE(prefixes.is_operator);
  EXPECT_EQ(prefixes.purity, ast::Purity::kImpure);
  EXPECT_TRUE(FirstClass(Parsed("expandable connector C end C;"))
                  .prefixes.is_expandable);
}

TEST(ParserTest, ReadsTheFourFormsOfImport) {
  const Tree tree = Parsed(
      "package P import A.B; import C = D.E; import F.*; import G.H.{I, J}; "
      "end P;");
  const auto& elements = FirstBody(tree).elements;
  ASSERT_EQ(elements.size(), 4U);
  const auto import = [&](std::size_t i) {
    return *std::get<const ast::Import*>(elements[i].node);
  };
  EXPECT_EQ(import(0).kind, ast::ImportKind::kQualified);
  EXPECT_EQ(ToString(import(0).name), "A.B");
  EXPECT_EQ(import(1).kind, ast::ImportKind::kRenamed);
  EXPECT_EQ(import(1).alias.text, "C");
  EXPECT_EQ(import(2).kind, ast::ImportKind::kUnqualified);
  EXPECT_EQ(ToString(import(2).name), "F");
  EXPECT_EQ(import(3).kind, ast::ImportKind::kList);
  EXPECT_EQ(ToString(import(3).name), "G.H");
  EXPECT_EQ(import(3).names[1].text, "J");
}

TEST(ParserTest, ReadsAComponentWithAllItsParts) {
  const Tree tree = Parsed(
      "model A protected flow discrete output .B.C[2] x[3, :](start=1)=2 "
      "if c \"text\" annotation(d); end A;");
  const ast::Element& element = FirstBody(tree).elements[0];
  EXPECT_EQ(element.visibility, ast::Visibility::kProtected);
  const auto& clause = *std::get<const ast::ComponentClause*>(element.node);
  EXPECT_EQ(clause.prefix.flow, ast::FlowPrefix::kFlow);
  EXPECT_EQ(clause.prefix.variability, ast::Variability::kDiscrete);
  EXPECT_EQ(clause.prefix.causality, ast::Causality::kOutput);
  EXPECT_EQ(ToString(clause.type), ".B.C");
  EXPECT_EQ(clause.subscripts.size(), 1U);
  const ast::ComponentDeclaration& x = clause.components[0];
  EXPECT_EQ(x.name.text, "x");
  EXPECT_EQ(x.subscripts.size(), 2U);
  EXPECT_EQ(x.modification->arguments->arguments.size(), 1U);
  EXPECT_EQ(Unparse(*x.modification->value), "2");
  EXPECT_EQ(Unparse(*x.condition), "c");
  EXPECT_EQ(ToString(x.description.strings), "text");
  EXPECT_NE(x.description.annotation, nullptr);
}

TEST(ParserTest, ReadsElementPrefixesAndConstraint) {
  const Tree tree = Parsed(
      "model A redeclare final inner outer replaceable B b constrainedby "
      "C(d=1) \"why\"; end A;");
  const ast::Element& element = FirstBody(tree).elements[0];
  EXPECT_TRUE(element.is_redeclare && element.is_final && element.is_inner);
  EXPECT_TRUE(element.is_outer && element.is_replaceable);
  ASSERT_NE(element.constraint, nullptr);
  EXPECT_EQ(ToString(element.constraint->type), "C");
  EXPECT_EQ(ToString(element.constraint->description.strings), "why");
}

TEST(ParserTest, ReadsEveryFormOfModification) {
  const Tree tree = Parsed(
      "model A extends B(c=1, each d.e(final f=2) \"g\", redeclare H i=3, "
      "redeclare replaceable model J = K constrainedby L, "
      "replaceable M n constrainedby O, p=break, break q, "
      "break connect(r.s, t)); end A;");
  const auto& arguments =
      FirstElement<ast::Extends>(tree).modification->arguments;
  ASSERT_EQ(arguments.size(), 8U);
  EXPECT_TRUE(arguments[1].is_each);
  const auto& nested = std::get<ast::ElementModification>(arguments[1].node);
  EXPECT_EQ(ToString(nested.name), "d.e");
  EXPECT_TRUE(nested.modification->arguments->arguments[0].is_final);
  EXPECT_TRUE(arguments[2].is_redeclare);
  EXPECT_TRUE(
      std::holds_alternative<const ast::ComponentClause*>(arguments[2].node));
  EXPECT_TRUE(arguments[3].is_redeclare && arguments[3].is_replaceable);
  EXPECT_EQ(std::get<const ast::ClassDefinition*>(arguments[3].node)->name.text,
            "J");
  EXPECT_NE(arguments[4].constraint, nullptr);
  EXPECT_TRUE(std::get<ast::ElementModification>(arguments[5].node)
                  .modification->is_break);
  EXPECT_EQ(std::get<ast::BreakElement>(arguments[6].node).name.text, "q");
  EXPECT_EQ(ToString(std::get<ast::BreakConnect>(arguments[7].node).from),
            "r.s");
}

TEST(ParserTest, ReadsShortClassesEnumerationsAndDerivatives) {
  const Tree tree = Parsed(
      "type A = input Real[3](unit=\"m\") \"d\"; type B = enumeration(c \"x\", "
      "d annotation(e)); type F = enumeration(:); function g = der(h, x, y);");
  const auto& a = std::get<ast::ShortClass>(FirstClass(tree).node);
  EXPECT_EQ(a.causality, ast::Causality::kInput);
  EXPECT_EQ(a.subscripts.size(), 1U);
  const auto& b = std::get<ast::Enumeration>(tree->classes[1].definition->node);
  EXPECT_EQ(b.literals[1].name.text, "d");
  EXPECT_TRUE(
      std::get<ast::Enumeration>(tree->classes[2].definition->node).is_open);
  const auto& g =
      std::get<ast::DerivativeClass>(tree->classes[3].definition->node);
  EXPECT_EQ(g.variables[1].text, "y");
}

TEST(ParserTest, ReadsAClassThatExtendsWhatItRedeclares) {
  const Tree tree =
      Parsed("model A redeclare model extends B(c=1) \"d\" end B; end A;");
  const auto& b = FirstElement<ast::ClassDefinition>(tree);
  EXPECT_TRUE(std::get<ast::LongClass>(b.node).is_extension);
  EXPECT_EQ(ToString(b.description.strings), "d");
}

TEST(ParserTest, ReadsEveryFormOfEquation) {
  const Tree tree = Parsed(
      "model A initial equation a=1; equation b=c; (d,,e)=f(x); "
      "connect(g[1].h, i); assert(j, \"k\"); "
      "if l then m=1; elseif n then o=1; else p=1; end if; "
      "for q in 1:2, r loop s[q]=r; end for; "
      "when t then u=1; elsewhen v then u=2; end when; end A;");
  const auto& sections = FirstBody(tree).sections;
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_TRUE(std::get<ast::EquationSection>(sections[0].node).is_initial);
  const auto& list = std::get<ast::EquationSection>(sections[1].node).equations;
  ASSERT_EQ(list.size(), 7U);
  EXPECT_TRUE(std::holds_alternative<ast::SimpleEquation>(list[1].node));
  EXPECT_TRUE(std::holds_alternative<ast::Connect>(list[2].node));
  EXPECT_TRUE(std::holds_alternative<ast::CallItem>(list[3].node));
  const auto& branches =
      std::get<ast::If<ast::Equation>>(list[4].node).branches;
  ASSERT_EQ(branches.size(), 3U);
  EXPECT_EQ(branches[2].condition, nullptr);
  const auto& loop = std::get<ast::For<ast::Equation>>(list[5].node);
  EXPECT_EQ(loop.indices[1].range, nullptr);
  EXPECT_EQ(std::get<ast::When<ast::Equation>>(list[6].node).branches.size(),
            2U);
}

TEST(ParserTest, ReadsEveryFormOfStatement) {
  const Tree tree = Parsed(
      "function A initial algorithm a:=1; algorithm b[1].c:=d; (e,,f):=g(x); "
      "h(i); return; if j then k:=1; else l:=1; end if; "
      "for m loop break; end for; while o loop p:=1; end while; "
      "when q then r:=1; elsewhen s then r:=2; end when; end A;");
  const auto& sections = FirstBody(tree).sections;
  EXPECT_TRUE(std::get<ast::AlgorithmSection>(sections[0].node).is_initial);
  const auto& list =
      std::get<ast::AlgorithmSection>(sections[1].node).statements;
  ASSERT_EQ(list.size(), 8U);
  EXPECT_EQ(ToString(std::get<ast::Assignment>(list[0].node).target), "b.c");
  EXPECT_EQ(std::get<ast::MultiAssignment>(list[1].node).targets[1], nullptr);
  EXPECT_TRUE(std::holds_alternative<ast::CallItem>(list[2].node));
  EXPECT_TRUE(std::holds_alternative<ast::Return>(list[3].node));
  EXPECT_TRUE(std::holds_alternative<ast::If<ast::Statement>>(list[4].node));
  const auto& loop = std::get<ast::For<ast::Statement>>(list[5].node);
  EXPECT_TRUE(std::holds_alternative<ast::Break>(loop.body[0].node));
  EXPECT_TRUE(std::holds_alternative<ast::While>(list[6].node));
  EXPECT_TRUE(std::holds_alternative<ast::When<ast::Statement>>(list[7].node));
}

TEST(ParserTest, ReadsExternalFunctions) {
  const Tree tree = Parsed(
      "function f external \"C\" y.z = g(a, b) annotation(Library=\"m\"); "
      "annotation(Inline=true); end f; function h external; end h;");
  const ast::External& external = *FirstBody(tree).external;
  EXPECT_EQ(external.language->raw, "C");
  EXPECT_EQ(ToString(*external.result), "y.z");
  EXPECT_EQ(external.function.text, "g");
  EXPECT_EQ(external.arguments.size(), 2U);
  EXPECT_NE(external.annotation, nullptr);
  EXPECT_NE(FirstClass(tree).description.annotation, nullptr);
}

TEST(ParserTest, KeepsTheAnnotationOfAClass) {
  const Tree tree = Parsed(
      "model A \"a\" + \"b\" annotation(experiment(StopTime=2)); end A;");
  const auto& description = FirstClass(tree).description;
  EXPECT_EQ(ToString(description.strings), "ab");
  const ast::Argument& experiment = description.annotation->arguments[0];
  EXPECT_EQ(ToString(std::get<ast::ElementModification>(experiment.node).name),
            "experiment");
}

TEST(ParserTest, GivesClassesAndElementsTheirPlaces) {
  const std::string text = "model A\n  Real x = 1;\nequation\n  x = 2;\nend A;";
  const Tree tree = Parsed(text);
  const auto part = [&](const ast::Span& span) {
    return text.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(part(FirstClass(tree).span), text.substr(0, text.size() - 1));
  EXPECT_EQ(part(FirstBody(tree).elements[0].span), "Real x = 1");
  const auto& section =
      std::get<ast::EquationSection>(FirstBody(tree).sections[1].node);
  EXPECT_EQ(part(section.equations[0].span), "x = 2");
}

TEST(ParserTest, RecoversWhatIsRightInABrokenText) {
  Diagnostics diagnostics;
  const Tree tree = Parse(std::make_shared<const SourceFile>(
                              "a.mo", "model A Real x = ; Real y; end A;"),
                          diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 1U);
  ASSERT_EQ(FirstBody(tree).elements.size(), 1U);
  EXPECT_EQ(FirstElement<ast::ComponentClause>(tree).components[0].name.text,
            "y");
}

TEST(ParserTest, LeavesNoHolesInTheTreeOfABrokenText) {
  Diagnostics diagnostics;
  const Tree tree =
      Parse(std::make_shared<const SourceFile>(
                "a.mo", "model A B b(c=1, redeclare model); end A;"),
            diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(Unparse(*tree), "model A\nend A;\n");
  const Tree annotated =
      Parse(std::make_shared<const SourceFile>(
                "a.mo", "model A annotation(d=1, redeclare model); end A;"),
            diagnostics);
  EXPECT_EQ(Unparse(*annotated), "model A\n  annotation(d = 1);\nend A;\n");
}

std::string Repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

TEST(ParserTest, RefusesAHundredThousandParentheses) {
  const std::string text = "model A Real x = " + Repeated("(", 100'000) + "1" +
                           Repeated(")", 100'000) + "; end A;";
  const std::string errors = RenderedErrors(text);
  EXPECT_NE(errors.find("error: nested more than 1000 deep"),
            std::string::npos);
  EXPECT_EQ(errors.find("error:"), errors.rfind("error:"));
}

TEST(ParserTest, AcceptsNestingUpToItsLimit) {
  const Tree tree = Parsed("model A Real x = " + Repeated("(", 900) + "1" +
                           Repeated(")", 900) + "; end A;");
  EXPECT_EQ(FirstBody(tree).elements.size(), 1U);
}

TEST(ParserTest, LimitsTheNestingOfEveryProduction) {
  for (const std::string unit : {"model A ",
                                 "a(",
                                 "[",
                                 "{",
                                 "f(",
                                 "x[",
                                 "if a then ",
                                 "- (",
                                 "f(function g(h=",
                                 "(a)["}) {
    EXPECT_NE(RenderedErrors("model A Real x = " + Repeated(unit, 50'000)), "");
    EXPECT_NE(RenderedErrors("model A " + Repeated(unit, 50'000)), "");
    EXPECT_NE(RenderedErrors("model A equation " + Repeated(unit, 50'000)), "");
    EXPECT_NE(RenderedErrors("model A B b(" + Repeated(unit, 50'000)), "");
    EXPECT_NE(RenderedErrors("model A algorithm " +
                             Repeated("while a loop ", 50'000) + unit),
              "");
  }
}

TEST(ParserTest, StaysLinearOnRepeatedErrors) {
  for (const std::string unit : {"x ",
                                 "( ",
                                 ") ",
                                 "= ",
                                 "end ",
                                 "end A; ",
                                 "else ",
                                 "\"",
                                 "' ",
                                 "$ ",
                                 "model ",
                                 "if ",
                                 "a.b ",
                                 "a b c ",
                                 "annotation ",
                                 "equation ",
                                 "1 "}) {
    EXPECT_NE(RenderedErrors("model A " + Repeated(unit, 100'000)), "");
  }
}

TEST(ParserTest, SurvivesBinaryNoise) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string noise;
    for (int i = 0; i < 500; ++i) {
      noise += static_cast<char>(random() % 256);
    }
    EXPECT_NE(RenderedErrors(noise), "");
  }
}

TEST(ParserTest, SurvivesRandomUnits) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string text = "model A ";
    for (int i = 0; i < 60; ++i) {
      const auto kind = static_cast<TokenKind>(
          random() % (static_cast<unsigned>(TokenKind::kIdentifier) + 8));
      const std::string_view spelling = Spelling(kind);
      text += spelling.empty() ? std::string("x1") : std::string(spelling);
      text += random() % 8 == 0 ? "\n" : " ";
    }
    EXPECT_NE(RenderedErrors(text), "") << text;
  }
}

}  // namespace
}  // namespace orrery::modelica
