// Operator records (specification 3.6, chapter 14): the function called, and
// the error if there is none. Values are tested in sim.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::HasSubstr;

constexpr const char* kNumber =
    "operator record Number\n"
    "  Real x;\n"
    "  encapsulated operator 'constructor'\n"
    "    function fromReal\n"
    "      import Number;\n"
    "      input Real x;\n"
    "      output Number n(x = x);\n"
    "    algorithm\n"
    "    end fromReal;\n"
    "  end 'constructor';\n"
    "  encapsulated operator function '+'\n"
    "    import Number;\n"
    "    input Number a;\n"
    "    input Number b;\n"
    "    output Number c;\n"
    "  algorithm\n"
    "    c := Number(a.x + b.x);\n"
    "  end '+';\n"
    "  encapsulated operator '*'\n"
    "    function product\n"
    "      import Number;\n"
    "      input Number a;\n"
    "      input Number b;\n"
    "      output Number c = Number(a.x*b.x);\n"
    "    end product;\n"
    "    function times\n"
    "      import Number;\n"
    "      input Number a;\n"
    "      input Integer b;\n"
    "      output Number c = Number(a.x*b + 0.5);\n"
    "    end times;\n"
    "    function scaled\n"
    "      import Number;\n"
    "      input Number a;\n"
    "      input Real b;\n"
    "      output Number c = Number(abs(a.x)*b);\n"
    "    end scaled;\n"
    "  end '*';\n"
    "end Number;\n";

// The equations and errors of a model that has two Numbers, a and b.
std::string DumpOfNumbers(const std::string& body) {
  return DumpOf(
      std::string(kNumber) + "model A\n  Number a, b;\n" + body + "end A;\n",
      "A");
}

std::string ErrorsOfNumbers(const std::string& body) {
  return ErrorsOf(
      std::string(kNumber) + "model A\n  Number a, b;\n" + body + "end A;\n",
      "A");
}

TEST(OperatorRecordTest, OperatorsOfAssignmentsAreFormulas) {
  EXPECT_THAT(DumpOfNumbers("  Number c = a + b;\n"),
              HasSubstr("c.x = a.x + b.x\n"));
}

TEST(OperatorRecordTest, OperatorsThatWouldMakeEventsStayCalls) {
  EXPECT_THAT(DumpOfNumbers("  Number c = a*2.5;\n"),
              HasSubstr("c.x = Number.'*'.scaled(a.x, 2.5)"));
}

TEST(OperatorRecordTest, AnExactMatchGoesBeforeAnIntegerTakenAsAReal) {
  EXPECT_THAT(DumpOfNumbers("  Number c = a*2;\n"),
              HasSubstr("c.x = a.x*2 + 0.5\n"));
}

TEST(OperatorRecordTest, AMatchGoesBeforeAConversion) {
  EXPECT_THAT(DumpOfNumbers("  Number c = 2*a;\n"), HasSubstr("c.x = 2*a.x\n"));
}

TEST(OperatorRecordTest, AShortClassOfTheRecordIsTheSameType) {
  EXPECT_THAT(
      DumpOfNumbers("  operator record Metres = Number(x(unit = \"m\"));\n"
                    "  Metres m = a + Metres(2);\n"
                    "  Number n = m + b;\n"),
      HasSubstr("m.x = a.x + 2\n"
                "n.x = m.x + b.x\n"));
}

// y = f(time) with a function that has this annotation.
std::string DumpOfInlined(const std::string& annotation) {
  return DumpOf(
      "model A\n"
      "  function f\n"
      "    input Real x;\n"
      "    output Real y;\n"
      "  protected\n"
      "    Real z = 2*x;\n"
      "  algorithm\n"
      "    y := z + 1;\n"
      "    y := y*z;\n"
      "    annotation(" +
      annotation +
      ");\n"
      "  end f;\n"
      "  Real y = f(time);\n"
      "end A;\n");
}

TEST(OperatorRecordTest, AFunctionThatSaysInlineIsAFormula) {
  EXPECT_THAT(DumpOfInlined("Inline = true"),
              HasSubstr("y = (2*time + 1)*(2*time)\n"));
}

TEST(OperatorRecordTest,
     FunctionsToBeInlinedAfterIndexReductionAreFormulasBeforeIt) {
  EXPECT_THAT(DumpOfInlined("InlineAfterIndexReduction = true"),
              HasSubstr("y = (2*time + 1)*(2*time)\n"));
}

TEST(OperatorRecordTest, TellsWhatAnOperatorTakes) {
  EXPECT_EQ(ErrorsOfNumbers("  Number c = a + true;\n"),
            "a.mo:42:14: error: no '+' of Number takes (Number, Boolean)\n"
            "   42 |   Number c = a + true;\n"
            "      |              ^~~~~~~~ it takes (Number, Number)\n");
}

TEST(OperatorRecordTest, TellsOfAnOperatorThatThereIsNot) {
  EXPECT_EQ(ErrorsOfNumbers("  Number c = a - b;\n"),
            "a.mo:42:14: error: Number has no operator '-'\n"
            "   42 |   Number c = a - b;\n"
            "      |              ^~~~~ give it an 'encapsulated operator "
            "function '-'', or compute its fields\n");
}

TEST(OperatorRecordTest, TellsOfARecordThatIsNoOperatorRecord) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  record P\n"
                     "    Real x;\n"
                     "  end P;\n"
                     "  P p, q = p + p;\n"
                     "end A;\n"),
            "a.mo:5:12: error: '+' cannot take (A.P, A.P): A.P is no operator "
            "record\n"
            "    5 |   P p, q = p + p;\n"
            "      |            ^~~~~ declare it 'operator record' with an "
            "'encapsulated operator function '+'', or compute its fields\n");
}

TEST(OperatorRecordTest, TellsOfTwoFunctionsThatFit) {
  EXPECT_EQ(
      ErrorsOf("operator record N\n"
               "  Real x;\n"
               "  encapsulated operator '+'\n"
               "    function f\n"
               "      import N;\n"
               "      input N a;\n"
               "      input N b;\n"
               "      output N c = N(a.x + b.x);\n"
               "    end f;\n"
               "    function g\n"
               "      import N;\n"
               "      input N a;\n"
               "      input N b;\n"
               "      input Real w = 1;\n"
               "      output N c = N(a.x + w*b.x);\n"
               "    end g;\n"
               "  end '+';\n"
               "end N;\n"
               "model A\n"
               "  N a, b = a + a;\n"
               "end A;\n",
               "A"),
      "a.mo:20:12: error: '+' of (N, N) is ambiguous: it may be "
      "N.'+'.f, N.'+'.g\n"
      "   20 |   N a, b = a + a;\n"
      "      |            ^~~~~ call the one that is meant by its name\n");
}

TEST(OperatorRecordTest, RefusesArraysOfDifferentSizes) {
  EXPECT_EQ(ErrorsOfNumbers("  Number c[2] = {a, b} + {a, b, a};\n"),
            "a.mo:42:17: error: '+' takes operands of one size, not Number[2] "
            "and Number[3]\n"
            "   42 |   Number c[2] = {a, b} + {a, b, a};\n"
            "      |                 ^~~~~~~~~~~~~~~~~~\n");
}

TEST(OperatorRecordTest, RefusesASumOfAnArrayAndOne) {
  EXPECT_EQ(ErrorsOfNumbers("  Number c[2] = {a, b} + a;\n"),
            "a.mo:42:17: error: '+' takes operands of one size, not Number[2] "
            "and Number\n"
            "   42 |   Number c[2] = {a, b} + a;\n"
            "      |                 ^~~~~~~~~~ write '.+' to take each "
            "element\n");
}

TEST(OperatorRecordTest, RefusesASumOfNoneWithoutAZero) {
  EXPECT_EQ(ErrorsOfNumbers("  Number none[0], c = sum(none);\n"),
            "a.mo:42:23: error: a sum without elements has no value: Number "
            "has no operator '0'\n"
            "   42 |   Number none[0], c = sum(none);\n"
            "      |                       ^~~~~~~~~ give it an 'encapsulated "
            "operator function '0''\n");
}

TEST(OperatorRecordTest, RefusesTheStringOfARecord) {
  EXPECT_THAT(
      ErrorsOfNumbers("equation\n"
                      "  assert(a.x > 0, String(a));\n"),
      HasSubstr("error: 'String' of record Number is not supported yet\n"));
}

}  // namespace
}  // namespace orrery::modelica
