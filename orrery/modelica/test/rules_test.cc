#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

// Violations of the specification are reported with its clause (edition 3.6).
namespace orrery::modelica {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The errors in a model that consists of `body`.
std::string ErrorsOfBody(const std::string& body) {
  return ErrorsOf("model A\n" + body + "\nend A;\n");
}

TEST(RulesTest, TellsSubscriptsThatAreNotOfTheirDimensionsType) {  // 10.5.1
  const std::string size =
      "  type S = enumeration(small, large);\n"
      "  type T = enumeration(small, large);\n";
  EXPECT_THAT(ErrorsOfBody("  Real a[2] = {1, 2};\n  Real y = a[true];"),
              HasSubstr("section 10.5.1"));
  EXPECT_THAT(
      ErrorsOfBody(size + "  Real a[2] = {1, 2};\n  Real y = a[S.small];"),
      HasSubstr("indexed by numbers"));
  EXPECT_THAT(
      ErrorsOfBody(size + "  Real a[S] = {1, 2};\n  Real y = a[T.small];"),
      HasSubstr("indexed by A.S"));
  EXPECT_THAT(
      ErrorsOfBody("  Real a[2];\nalgorithm\n  a[1] := 1;\n  a[true] := 2;"),
      HasSubstr("section 10.5.1"));
  EXPECT_THAT(ErrorsOfBody("  Real a[Boolean] = {1, 2};\n  Real y = a[true];"),
              IsEmpty());
  EXPECT_THAT(
      ErrorsOfBody(size + "  Real a[S] = {1, 2};\n  Real y = a[S.large];"),
      IsEmpty());
}

TEST(RulesTest, TellsArraysThatAreGivenToEachElement) {  // 7.2.5
  EXPECT_THAT(ErrorsOfBody("  Real x[2](each start = {1, 2});\nequation\n"
                           "  der(x) = x;"),
              HasSubstr("section 7.2.5"));
  EXPECT_THAT(ErrorsOfBody("  Real[2] x(each min = {1, 2}) = {3, 4};"),
              HasSubstr("leave 'each' out, or give one value"));
  EXPECT_THAT(ErrorsOfBody("  Real x[2](start = {1, 2}, each max = 9);\n"
                           "equation\n  der(x) = x;"),
              IsEmpty());
  EXPECT_THAT(
      ErrorsOfBody("  model P\n    parameter Real p[2](start = {0, 0});\n"
                   "  end P;\n"
                   "  P q[3](each p(start = {1, 2}));"),
      IsEmpty());
}

TEST(RulesTest, TakesEnumerationsOfTheSameLiteralsForOneType) {  // 6.7
  const std::string types =
      "  type S = enumeration(p, pi);\n  type T = enumeration(p, pi);\n"
      "  type U = enumeration(pi, p);\n";
  EXPECT_THAT(ErrorsOfBody(types + "  parameter S s = T.pi;\n"
                                   "  Boolean b = s == T.p;"),
              IsEmpty());
  EXPECT_THAT(ErrorsOfBody(types + "  parameter S s = U.pi;"),
              HasSubstr("'s' is A.S, its value"));
}

TEST(RulesTest, LetsParametersGiveSizesInAlgorithms) {
  EXPECT_THAT(ErrorsOfBody("  function f\n    input Real a[:];\n"
                           "    output Real y;\n  protected\n"
                           "    Real w[integer(a[1])];\n  algorithm\n"
                           "    w := fill(1.5, integer(a[1]));\n"
                           "    y := sum(w);\n  end f;\n"
                           "  parameter Real a[2] = {3, 4};\n  Real y;\n"
                           "algorithm\n  y := f(a);"),
              IsEmpty());
}

TEST(RulesTest, TellsWhatIsNoAttributeOfATypesPredefinedType) {  // 4.8
  EXPECT_THAT(ErrorsOfBody("  type T = Real(foo = 1);\n  T x = 1;"),
              HasSubstr("no attribute 'foo' in type Real"));
  EXPECT_THAT(
      ErrorsOfBody("  type T\n    extends Real(fixd = true);\n  end T;\n"
                   "  T x = 1;"),
      HasSubstr("did you mean 'fixed'?"));
  EXPECT_THAT(ErrorsOfBody("  Boolean b(nominal = 2) = true;"),
              HasSubstr("no attribute 'nominal' in type Boolean"));
  EXPECT_THAT(ErrorsOfBody("  Integer n(unit = \"m\") = 1;"),
              HasSubstr("no attribute 'unit' in type Integer"));
  EXPECT_THAT(ErrorsOfBody("  type T = Real(unit = \"m\", nominal = 2);\n"
                           "  T x(min = 0, stateSelect = StateSelect.prefer)\n"
                           "    = 1;"),
              IsEmpty());
}

TEST(RulesTest, TellsAMessageOfAnAssertionThatIsNoText) {  // 8.3.7
  EXPECT_THAT(ErrorsOfBody("equation\n  assert(true, 1);"),
              HasSubstr("String"));
  EXPECT_THAT(ErrorsOfBody("  Real x = 1;\nequation\n  assert(true, x);"),
              HasSubstr("String"));
  EXPECT_THAT(ErrorsOfBody("equation\n  assert(true, \"fine\");"), IsEmpty());
}

TEST(RulesTest, TellsLiteralsThatAreListedTwice) {  // 4.8.5
  EXPECT_EQ(ErrorsOfBody("  type E = enumeration(a, b, a);"),
            "a.mo:2:30: error: literal 'a' is listed twice\n"
            "    2 |   type E = enumeration(a, b, a);\n"
            "      |                              ^ literals are distinct "
            "(specification 3.6, section 4.8.5)\n");
}

TEST(RulesTest, TellsWhatCannotStandBesideAPredefinedType) {  // 4.5.2
  EXPECT_THAT(
      ErrorsOfBody("  model M\n    extends Real;\n    Real y;\n  end M;\n"
                   "  M m = 1;"),
      HasSubstr("A.M extends Real, and so it has no components"));
  EXPECT_THAT(ErrorsOfBody("  connector C\n    extends Integer;\n    Real y;\n"
                           "  end C;\n  C c = 1;"),
              HasSubstr("section 4.5.2"));
  EXPECT_THAT(
      ErrorsOfBody("  type T\n    extends Real;\n  equation\n    1 = 1;\n"
                   "  end T;\n  T t = 1;"),
      HasSubstr("no equations of its own"));
  EXPECT_THAT(ErrorsOfBody("  type T\n    extends Real(unit = \"m\");\n"
                           "  end T;\n  T t = 1;"),
              IsEmpty());
}

TEST(RulesTest, TellsPrefixesAndSectionsThatAClassCannotHave) {  // 4.6
  EXPECT_THAT(ErrorsOfBody("  flow Real f = 1;"),
              HasSubstr("an element of a model cannot have the prefix 'flow'"));
  EXPECT_THAT(ErrorsOfBody("  record R\n    input Real u;\n  end R;"),
              HasSubstr("prefix 'input' (specification 3.6, section 4.6)"));
  EXPECT_THAT(ErrorsOfBody("  record R\n    output Real u;\n  end R;"),
              HasSubstr("prefix 'output'"));
  EXPECT_THAT(ErrorsOfBody("  record R\n    flow Real u;\n  end R;"),
              HasSubstr("prefix 'flow'"));
  EXPECT_THAT(ErrorsOfBody("  record R\n    Real u;\n  equation\n    u = 1;\n"
                           "  end R;"),
              HasSubstr("a record has no equations and no algorithms"));
  EXPECT_THAT(ErrorsOfBody("  connector C\n    Real u;\n  algorithm\n"
                           "    u := 1;\n  end C;"),
              HasSubstr("a connector has no equations and no algorithms"));
  EXPECT_THAT(ErrorsOfBody("  connector C\n    Real v;\n    flow Real i;\n"
                           "  end C;\n"
                           "  connector S = input Real;\n"
                           "  record R\n    Real u = 1;\n  end R;\n  R r;"),
              IsEmpty());
}

TEST(RulesTest, TellsBoundsThatLeaveNoValue) {  // 4.8.1
  EXPECT_THAT(ErrorsOfBody("  Real x(min = 2, max = 1) = 1;"),
              HasSubstr("no value of 'x' is allowed: its min is 2, its max 1"));
  EXPECT_THAT(ErrorsOfBody("  parameter Integer n(min = 5, max = 4) = 5;"),
              HasSubstr("section 4.8.1"));
  EXPECT_THAT(ErrorsOfBody("  Real x[2](min = {0, 3}, each max = 2) = {1, 1};"),
              HasSubstr("its min is 3, its max 2"));
  EXPECT_THAT(ErrorsOfBody("  Real x(min = 1, max = 1) = 1;"), IsEmpty());
}

TEST(RulesTest, WarnsOfNominalValuesThatAreNoMagnitudes) {  // 4.8.6
  for (const char* const value : {"-1", "0", "{1, -2}"}) {
    EXPECT_THAT(ErrorsOfBody("  Real x[2](nominal = " + std::string(value) +
                             ") = {1, 2};"),
                value[0] == '{' ? HasSubstr("warning: 'nominal' of 'x' is -2")
                                : HasSubstr("'nominal' of 'x' is one value"));
  }
  EXPECT_THAT(ErrorsOfBody("  Real x(nominal = -1) = 1;"),
              HasSubstr("(specification 3.6, section 4.8.6)"));
  EXPECT_THAT(ErrorsOfBody("  Real x(nominal = 1e-9) = 1;"), IsEmpty());
}

TEST(RulesTest, WarnsOfDisplayUnitsThatAreNone) {  // 4.8.1, 19
  EXPECT_THAT(
      ErrorsOfBody("  Real x(unit = \"m\", displayUnit = \"foo\") = 1;"),
      HasSubstr("warning"));
  EXPECT_THAT(
      ErrorsOfBody("  type L = Real(unit = \"m\", displayUnit = \"cmm\");"
                   "\n  L x = 1;"),
      HasSubstr("'cmm'"));
  EXPECT_THAT(
      ErrorsOfBody("  Real x(unit = \"rad\", displayUnit = \"deg\") = 1;"
                   "\n  Real t(unit = \"K\", displayUnit = \"degC\") = 1;"
                   "\n  Real w(unit = \"rad/s\", displayUnit = "
                   "\"rev/min\") = 1;"),
      IsEmpty());
}

TEST(RulesTest, TellsDiscreteRealsThatNoWhenClauseAssigns) {  // 4.4.4
  EXPECT_THAT(ErrorsOfBody("  discrete Real x;\nequation\n  x = time;"),
              HasSubstr("'x' is declared discrete, but no when-clause assigns "
                        "it (specification 3.6, section 4.4.4)"));
  EXPECT_THAT(ErrorsOfBody("  discrete Real x = 2*time;"),
              HasSubstr("section 4.4.4"));
  EXPECT_THAT(ErrorsOfBody("  discrete Real x;\nalgorithm\n  x := time;"),
              HasSubstr("leave 'discrete' out"));
  EXPECT_THAT(ErrorsOfBody("  discrete Real x(start = 0, fixed = true);\n"
                           "  discrete Real y;\n"
                           "equation\n  when time > 1 then\n    x = time;\n"
                           "  end when;\n"
                           "algorithm\n  when time > 2 then\n    y := time;\n"
                           "  end when;"),
              IsEmpty());
}

TEST(RulesTest, TellsAnExperimentThatEndsBeforeItStarts) {  // 18.4
  EXPECT_THAT(ErrorsOfBody("  Real x = 1;\n"
                           "  annotation(experiment(StopTime = -1));"),
              HasSubstr("its StopTime is -1, its StartTime 0"));
  EXPECT_THAT(ErrorsOfBody("  Real x = 1;\n  annotation(experiment("
                           "StartTime = 3, StopTime = 2));"),
              HasSubstr("section 18.4"));
  EXPECT_THAT(ErrorsOfBody("  Real x = 1;\n  annotation(experiment("
                           "StartTime = -3, StopTime = -2));"),
              IsEmpty());
}

}  // namespace
}  // namespace orrery::modelica
