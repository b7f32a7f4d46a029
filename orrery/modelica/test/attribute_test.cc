// Attributes of variables, and units that formulas lose with constants.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(AttributeTest, WhereAConstantThatIsOneIsNamedIsNoted) {
  const std::string text =
      "model M\n  constant Real unit(unit = \"N\") = 1;\n"
      "  constant Real two = 2;\n  Real x = two;\n  Real y = x*unit;\n"
      "end M;\n";
  Diagnostics diagnostics;
  const auto flat =
      Flatten(std::make_shared<SourceFile>("m.mo", text), "", diagnostics);
  ASSERT_TRUE(flat);
  ASSERT_EQ(flat->ones.size(), 1U);
  EXPECT_THAT(flat->ones.begin()->second, ElementsAre(text.find("unit;")));
}

TEST(AttributeTest, WhichStatesAreWantedIsKept) {
  Diagnostics diagnostics;
  const auto flat = Flatten(
      std::make_shared<SourceFile>(
          "m.mo",
          "model M\n  parameter StateSelect s = StateSelect.prefer;\n"
          "  Real x(stateSelect = s, start = 1);\n"
          "  Real y[2](each stateSelect = StateSelect.never);\n  Real z;\n"
          "equation\n  der(x) = -x;\n  y = {x, 2*x};\n  z = x;\nend M;\n"),
      "",
      diagnostics);
  ASSERT_TRUE(flat);
  std::vector<StateSelect> selects;
  for (const Variable& variable : flat->variables) {
    selects.push_back(variable.state_select);
  }
  EXPECT_THAT(selects,
              ElementsAre(StateSelect::kDefault,
                          StateSelect::kPrefer,
                          StateSelect::kNever,
                          StateSelect::kDefault));
}

TEST(AttributeTest, OneValueForAnArrayIsThatOfEachElement) {
  Diagnostics diagnostics;
  const auto flat =
      Flatten(std::make_shared<SourceFile>(
                  "m.mo",
                  "model M\n  model B\n    parameter Real k = 1;\n"
                  "    Real x(start = k);\n  equation\n    der(x) = -k*x;\n"
                  "  end B;\n  B b[2](k = 3);\n  Real y[2](min = -4);\n"
                  "equation\n  y = b.x;\nend M;\n"),
              "",
              diagnostics);
  ASSERT_TRUE(flat);
  const std::string text = Dump(*flat);
  EXPECT_THAT(text, HasSubstr("parameter Real b[1].k = 3"));
  EXPECT_THAT(text, HasSubstr("parameter Real b[2].k = 3"));
  EXPECT_THAT(text, HasSubstr("Real y[2], min -4"));
  EXPECT_EQ(diagnostics.list().size(), 2U);  // A warning each.
}

TEST(AttributeTest, ElementsOfAnArrayMayHaveDifferentUnits) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  Real v[2](final unit = {\"m/s\", \"m\"}) = {1, 2};\n"
                     "end M;\n"),
              HasSubstr("unit {m/s,m}"));
}

TEST(AttributeTest, UnitsOfAnArrayMayComeFromParameters) {
  EXPECT_THAT(DumpOf("model M\n"
                     "  parameter String s[2, 2] = {{\"m\", \"\"}, {\"kg\", "
                     "\"1\"}};\n"
                     "  Real v[2, 2](unit = s, displayUnit = s) = ones(2, 2);\n"
                     "end M;\n"),
              HasSubstr("unit {m,,kg,1}"));
}

TEST(AttributeTest, AUnitMayComeFromAFunctionThatChoosesIt) {
  const std::string text =
      "model M\n"
      "  type Kind = enumeration(length, mass);\n"
      "  function unitOf\n"
      "    input Kind kind;\n"
      "    output String unit;\n"
      "  algorithm\n"
      "    if kind == Kind.length then\n"
      "      unit := \"m\";\n"
      "    else\n"
      "      unit := \"kg\";\n"
      "    end if;\n"
      "  end unitOf;\n"
      "  parameter Kind kind = Kind.";
  const std::string use =
      ";\n  Real x(unit = unitOf(kind), displayUnit = unitOf(kind)) = 1;\n"
      "end M;\n";
  EXPECT_THAT(DumpOf(text + "length" + use),
              HasSubstr("Real x, unit m, shown in m\n"));
  EXPECT_THAT(DumpOf(text + "mass" + use),
              HasSubstr("Real x, unit kg, shown in kg\n"));
}

TEST(AttributeTest, AUnitOfAnArrayMayBeOneForAll) {
  EXPECT_THAT(DumpOf("model M\n  Real v[2](unit = fill(\"m\", 2)) = {1, 2};\n"
                     "end M;\n"),
              HasSubstr("unit m\n"));
}

TEST(AttributeTest, ComponentsOfAnArrayMayHaveDifferentUnits) {
  const std::string got = DumpOf(
      "model M\n  model C Real x; end C;\n"
      "  C c[2](x(unit = {\"m\", \"s\"}) = {1, 2});\nend M;\n");
  EXPECT_THAT(got, HasSubstr("c[1].x, unit m\n"));
  EXPECT_THAT(got, HasSubstr("c[2].x, unit s\n"));
}

TEST(AttributeTest, AnArrayOfUnitsHasOneForEachElement) {
  EXPECT_THAT(ErrorsOf("model M\n  Real v[3](unit = {\"m\", \"s\"});\n"
                       "end M;\n"),
              HasSubstr("'unit' of 'v'"));
}

TEST(AttributeTest, AStateSelectIsOneOfItsEnumeration) {
  EXPECT_THAT(ErrorsOf("model M\n  Real x(stateSelect = 2) = 1;\nend M;\n"),
              HasSubstr("'stateSelect' of 'x' is StateSelect, its value "
                        "Integer"));
}

// The equations for the check of units, one a line.
std::string EquationsAsWritten(const std::string& text) {
  Diagnostics diagnostics;
  const auto flat =
      Flatten(std::make_shared<SourceFile>("m.mo", text), "M", diagnostics);
  std::string lines = Render(diagnostics.list());
  if (flat) {
    for (const Equation& equation : flat->as_written.equations) {
      lines += ToText(equation.left) + " = " + ToText(equation.right) + "\n";
    }
    for (const Variable& variable : flat->as_written.variables) {
      lines += ToText(variable.symbol) + " in " + variable.notes->unit.str() +
               (variable.binding ? " = " + ToText(variable.binding) : "") +
               "\n";
    }
  }
  return lines;
}

TEST(AttributeTest, ConstantsWithUnitsAreKeptForTheCheckOfUnits) {
  EXPECT_EQ(EquationsAsWritten("package P\n"
                               "  constant Real g(unit = \"m/s2\") = 9.81;\n"
                               "end P;\n"
                               "model M\n"
                               "  constant Real k(unit = \"kg\") = 2;\n"
                               "  constant Real two = 2;\n"
                               "  parameter Real m(unit = \"kg\") = k*two;\n"
                               "  Real f = 3*k*P.g;\n  Real x = two;\n"
                               "equation\n  0 = x;\nend M;\n"),
            "f = 3*k*P.g\nm in kg = k*two\nP.g in m/s2\n");
}

TEST(AttributeTest, ConstantsKeptForUnitsDecideAsNumbers) {
  EXPECT_EQ(
      EquationsAsWritten("model M\n"
                         "  constant Real n(unit = \"1\") = 2;\n"
                         "  constant Real c[2](each unit = \"m\") = {1, 3};"
                         "\n  Real x, y;\nequation\n"
                         "  x = time^n*(if n > 1 then c[2] else time);\n"
                         "  y = c[1];\nend M;\n"),
      "x = time^2*c[2]\ny = c[1]\n");
}

TEST(AttributeTest, LoopsAndFunctionsAreLoweredOnceWithoutConstants) {
  EXPECT_EQ(EquationsAsWritten(
                "model M\n"
                "  function f\n    input Real u;\n    output Real y = 2*u;\n"
                "  end f;\n"
                "  constant Real c(unit = \"m\") = 3;\n"
                "  Real x[4], y;\nequation\n"
                "  for i in 1:4 loop\n    x[i] = c*i;\n  end for;\n"
                "  y = f(c*time);\nend M;\n"),
            "x[i] = c*i\n");
}

}  // namespace
}  // namespace orrery::modelica
