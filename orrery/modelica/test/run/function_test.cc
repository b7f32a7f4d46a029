// Functions of Modelica texts, by their results.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// The value of `variable` after a second.
double FinalOf(const std::string& variable, const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 1})[variable].final();
}

TEST(FunctionTest, AnOuterFunctionIsTheInnerOne) {
  EXPECT_EQ(FinalOf("b.a.y", R"(
  model B
    model C
      outer function f
        input Real x;
        output Real y;
      end f;
      Real y = f(2);
    end C;
    C a;
  end B;
  inner function f
    input Real x;
    output Real y;
  algorithm
    y := x^2;
  end f;
  B b;
)"),
            4);
}

TEST(FunctionTest, AnOuterFunctionInAFunctionIsTheInnerOneAroundItsCall) {
  EXPECT_EQ(FinalOf("b.y", R"(
  inner function g
    input Real x;
    output Real y;
  algorithm
    y := 3*x;
  end g;
  model B
    function f
      input Real x;
      output Real y;
      outer function g
        input Real x;
        output Real y;
      end g;
    algorithm
      y := g(x) + 1;
    end f;
    Real y = f(2);
  end B;
  B b;
)"),
            7);
}

TEST(FunctionTest, OuterModelsAndPackagesAreTheInnerOnes) {
  const std::string body = R"(
  model B
    outer model Q
      Real z;
    end Q;
    outer package P
      constant Real c = 1;
    end P;
    Q m;
    Real c = P.c;
  end B;
  inner model Q
    Real z = 5;
  end Q;
  inner package P
    constant Real c = 9;
  end P;
  B b;
)";
  EXPECT_EQ(FinalOf("b.m.z", body), 5);
  EXPECT_EQ(FinalOf("b.c", body), 9);
}

TEST(FunctionTest, AnOuterClassWithoutAnInnerOneIsRefused) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  model B\n"
                    "    outer function f\n"
                    "      output Real y;\n"
                    "    end f;\n"
                    "    Real y = f();\n"
                    "  end B;\n"
                    "  B b;\n");
              }),
              HasSubstr("no inner class 'f' is declared around 'b', whose "
                        "class A.B has it as an outer one"));
}

TEST(FunctionTest, AnOutputThatNothingAssignsIsRefused) {
  const auto message = [](const std::string& function) {
    return MessageOf([&] {
      return CompileBody("  function f\n    input Real x;\n" + function +
                         "  end f;\n  Real y = f(2);\n");
    });
  };
  const std::string refusal = "output 'y' of function A.f gets no value";
  EXPECT_THAT(message("    output Real y;\n"), HasSubstr(refusal));
  EXPECT_THAT(message("    output Real y;\n"
                      "  protected\n    Real z;\n"
                      "  algorithm\n    z := x;\n"),
              HasSubstr(refusal));
  EXPECT_EQ(message("    output Real y = 2*x;\n"), "no error");
  EXPECT_EQ(message("    output Real y;\n"
                    "  algorithm\n    if x > 1 then y := x; end if;\n"),
            "no error");
}

// The final value of a function of v = {1, 2, 4} and of k, which varies.
double ReductionOf(const std::string& reduction,
                   const std::string& k,
                   const std::string& locals = "") {
  return FinalOf("y",
                 "  function f\n"
                 "    input Real v[:];\n"
                 "    input Integer k;\n"
                 "    output Real y;\n"
                 "  protected\n" +
                     locals +
                     "  algorithm\n"
                     "    y := " +
                     reduction +
                     ";\n"
                     "  end f;\n"
                     "  Real y = f({1, 2, 4}, " +
                     k + ");\n");
}

TEST(FunctionTest, AReductionGoesAsFarAsTheRunSays) {
  const std::string k = "if time < 0.5 then 1 else 2";
  EXPECT_EQ(ReductionOf("sum(v[i] for i in 1:k)", k), 3);
  EXPECT_EQ(ReductionOf("sum(v[i] for i in 3:-1:k)", k), 6);
  EXPECT_EQ(ReductionOf("product(v[i + 1] for i in 1:k)", k), 8);
  EXPECT_EQ(ReductionOf("max(v[i] for i in 1:k)", k), 2);
  EXPECT_EQ(ReductionOf("min(-v[i] for i in k:3)", k), -4);
  EXPECT_EQ(ReductionOf("sum(v[i]*v[j] for i in 1:j, j in 1:k)", k), 7);
  EXPECT_EQ(ReductionOf("sum(sum({v[i], j}) for i in 1:k, j in 1:2)", k), 12);
}

TEST(FunctionTest, AReductionOverNothingIsItsFirstValue) {
  const std::string k = "if time < 0.5 then 1 else 0";
  EXPECT_EQ(ReductionOf("5 + sum(v[i] for i in 1:k)", k), 5);
  EXPECT_EQ(ReductionOf("5*product(v[i] for i in 1:k)", k), 5);
}

TEST(FunctionTest, AReductionOverWhatTheRunSaysMaySizeArraysOfConstants) {
  EXPECT_EQ(ReductionOf("sum(sum(v[1:i]) for i in 1:k)", "2"), 4);
}

TEST(FunctionTest, AReductionOfSlicesIsWrittenOut) {
  EXPECT_EQ(FinalOf("y",
                    "  parameter Real v[3] = {1, 2, 4};\n"
                    "  Real y = sum(sum(v[1:i]) for i in 1:2) +\n"
                    "    max(product(v[i:3]) for i in 1:3);\n"),
            12);
}

TEST(FunctionTest, AFunctionPassesAnArgumentOfTheRunOn) {
  EXPECT_EQ(FinalOf("y", R"(
  function g
    input Real v[:];
    input Integer n;
    output Real y;
  algorithm
    y := sum(v[i] for i in 1:n);
  end g;
  function f
    input Real v[:];
    input Integer k;
    output Real y;
  algorithm
    y := g(v, k + 1);
  end f;
  Real y = f({1, 2, 4}, if time < 0.5 then 1 else 2);
)"),
            7);
}

TEST(FunctionTest, AModificationGivesAnInputItsDefault) {
  const std::string f =
      "  function f\n"
      "    input Real x;\n"
      "    output Real y;\n"
      "  algorithm\n"
      "    y := 2*x;\n"
      "  end f;\n";
  EXPECT_EQ(FinalOf("y", f + "  function g = f(x=3);\n  Real y = g();\n"), 6);
  EXPECT_EQ(FinalOf("y",
                    f + "  function g\n    extends f(x=3);\n  end g;\n"
                        "  Real y = g() + g(1);\n"),
            8);
}

TEST(FunctionTest, AParameterWhoseFunctionFailsEndsTheRunAtTheStart) {
  const auto end = [](const std::string& statement) {
    return Simulate(CompileBody("  function f\n"
                                "    input Real v[2];\n"
                                "    output Real y;\n"
                                "  protected\n"
                                "    Integer i = integer(v[2]);\n"
                                "  algorithm\n"
                                "    y := 1;\n    " +
                                statement +
                                "\n  end f;\n"
                                "  parameter Real p = f({1, 3});\n"
                                "  Real x = p + time;\n"),
                    {.stop = 1})
        .summary;
  };
  const Summary assertion = end("assert(v[1] > 2, \"too small\");");
  EXPECT_THAT(assertion.message, HasSubstr("p = A.f({1, 3})"));
  EXPECT_THAT(assertion.message, HasSubstr("too small"));
  const Summary subscript = end("y := v[i];");
  EXPECT_THAT(subscript.message, HasSubstr("p = A.f({1, 3})"));
  EXPECT_THAT(subscript.message, HasSubstr("subscript"));
}

TEST(FunctionTest, AConstantWhoseFunctionFailsIsToldWithTheCause) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  function f\n"
                    "    input Real x;\n"
                    "    output Real y = x;\n"
                    "  algorithm\n"
                    "    assert(x < 0, \"too large\");\n"
                    "  end f;\n"
                    "  constant Real c = f(1);\n"
                    "  Real z = c;\n");
              }),
              HasSubstr("the value of constant 'c' cannot be evaluated: an "
                        "assertion fails in it: too large"));
}

TEST(FunctionTest, ALoopRunsOverWhatItsVectorWasBeforeIt) {
  EXPECT_EQ(FinalOf("y", R"(
  function f
    input Real v0[3];
    output Real y = 0;
  protected
    Real v[3] = v0;
  algorithm
    for k in v loop
      y := y + k;
      v[3] := 100;
    end for;
  end f;
  Real y = f({1, 2, 3*time});
)"),
            6);
}

TEST(FunctionTest, ALoopThatIsWrittenOutRunsOverWhatItsVectorWas) {
  EXPECT_EQ(FinalOf("y", R"(
  Real y;
  Integer n[2];
algorithm
  n := {1, 2};
  y := 0;
  for k in n loop
    n[2] := 5;
    y := y + k*time;
  end for;
)"),
            3);
}

TEST(FunctionTest, ALoopStepsThroughRealsUpToABoundOfTheRun) {
  const auto sum = [](const std::string& range) {
    return FinalOf("y",
                   "  function f\n"
                   "    input Real a;\n"
                   "    output Real y = 0;\n"
                   "  algorithm\n"
                   "    for v in " +
                       range +
                       " loop\n"
                       "      y := y + v;\n"
                       "    end for;\n"
                       "  end f;\n"
                       "  Real y = f(2*time);\n");
  };
  EXPECT_EQ(sum("1:0.5:a"), 4.5);
  EXPECT_NEAR(sum("0:0.1:a/2"), 5.5, 1e-14);
  EXPECT_EQ(sum("a:-0.75:0"), 3.75);
  EXPECT_EQ(sum("a:1"), 0);
}

TEST(FunctionTest, ACallWhoseResultsNobodyUsesIsMade) {
  const auto end = [](const std::string& output, const std::string& call) {
    return Simulate(CompileBody("  function f\n"
                                "    input Real x;\n" +
                                output +
                                "  algorithm\n"
                                "    assert(x < 0.5, \"too large\");\n"
                                "  end f;\n"
                                "  Real x;\n" +
                                call),
                    {.stop = 1})
        .summary.message;
  };
  for (const std::string output :
       {"", "    output Real y = 2*x;\n", "    output Real y[0];\n"}) {
    for (const std::string call : {"equation\n  x = time;\n  f(x);\n",
                                   "algorithm\n  x := time;\n  f(x);\n"}) {
      EXPECT_THAT(end(output, call), HasSubstr("too large")) << call;
    }
    EXPECT_EQ(end(output, "equation\n  x = time/3;\n  f(x);\n"), "");
  }
}

TEST(FunctionTest, OneThatDoesNothingButGiveAnEmptyArrayIsCalled) {
  EXPECT_EQ(FinalOf("v[2]", R"(
  type Point = Real[2];
  type Place
    extends Point;
    function f
      input Place a;
      output Real y[0];
    end f;
  end Place;
  Place v = {1, time};
equation
  Place.f(v);
)"),
            1);
}

TEST(FunctionTest, TimeIsNoVariableOfFunctions) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  function f\n"
                    "    output Real y = time;\n"
                    "  algorithm\n"
                    "  end f;\n"
                    "  Real y = f();\n");
              }),
              HasSubstr("'time' cannot be used in a function"));
}

// By the definitions of the units.
TEST(FunctionTest, UnitsAreConvertedBothWays) {
  struct Case {
    std::string unit;
    std::string si;
    double value;
  };

  const std::vector<Case> cases = {{"degC", "298.15", 25},
                                   {"degF", "373.15", 212},
                                   {"degRk", "273.15", 491.67},
                                   {"deg", "Modelica.Constants.pi/2", 90},
                                   {"rpm", "10*Modelica.Constants.pi", 300},
                                   {"kmh", "25", 90},
                                   {"bar", "2.5e5", 2.5},
                                   {"litre", "0.75", 750},
                                   {"Ah", "9000", 2.5},
                                   {"Wh", "1800", 0.5},
                                   {"kWh", "9e6", 2.5},
                                   {"gps", "0.125", 125},
                                   {"Hz", "2*Modelica.Constants.pi", 1},
                                   {"cm2", "0.5", 5000}};
  for (const Case& c : cases) {
    const std::string conversions = "Modelica.Units.Conversions.";
    const std::string body = "  Real si = (" + c.si +
                             ")*time;\n  Real x = " + conversions + "to_" +
                             c.unit + "(si);\n  Real back = " + conversions +
                             "from_" + c.unit + "(x)/si;\n";
    const RunResult run = Simulate(CompileBody(body), {.start = 1, .stop = 2});
    EXPECT_NEAR(run["x"].values()[0], c.value, 1e-12 * c.value) << c.unit;
    EXPECT_NEAR(run["back"].values()[0], 1, 1e-14) << c.unit;
    EXPECT_NEAR(run["back"].final(), 1, 1e-14) << c.unit;
  }
}

// The time in a second for which `b` holds.
double TimeOf(const std::string& body) {
  return FinalOf("held",
                 "  Real held(start = 0, fixed = true);\n" + body +
                     "equation\n"
                     "  der(held) = if b then 1 else 0;\n");
}

TEST(FunctionTest, ABooleanOfWhatMovesChangesInTime) {
  EXPECT_NEAR(TimeOf(R"(
  function above
    input Real u;
    output Boolean b;
  algorithm
    b := u > 0.7;
  end above;
  Boolean b = above(1 - time);
)"),
              0.3,
              1e-12);
}

TEST(FunctionTest, ARelationOfWhatAnAlgorithmAssignsChangesInTime) {
  EXPECT_NEAR(TimeOf(R"(
  Boolean b;
  Real u;
algorithm
  u := 1 - time;
  b := u > 0.7;
)"),
              0.3,
              1e-12);
}

TEST(FunctionTest, ARelationInALoopOfAnAlgorithmChangesInTime) {
  EXPECT_NEAR(TimeOf(R"(
  Boolean b;
  Real u[2] = {1 - time, 2 - time};
algorithm
  b := true;
  for i in 1:2 loop
    if not u[i] > 0.7 then
      b := false;
    end if;
  end for;
)"),
              0.3,
              1e-12);
}

TEST(FunctionTest, AWhenStatementSeesWhatItsAlgorithmAssigns) {
  EXPECT_NEAR(FinalOf("at", R"(
  Real at(start = 0, fixed = true);
  Real u;
algorithm
  u := time - 0.3;
  when u > 0 then
    at := time;
  end when;
)"),
              0.3,
              1e-12);
}

TEST(FunctionTest, AnIntegerOfWhatMovesChangesInTime) {
  EXPECT_NEAR(FinalOf("sum", R"(
  Integer n;
  Real sum(start = 0, fixed = true);
algorithm
  n := 0;
  while n < 4*time - 1 loop
    n := n + 1;
  end while;
equation
  der(sum) = n;
)"),
              1.5,
              1e-12);
}

TEST(FunctionTest, SizesOfARecordsFieldsAreThoseOfTheArgument) {
  EXPECT_EQ(FinalOf("y", R"(
  record Polynomial
    parameter Integer n = 2;
    parameter Real c[n] = {1, 1};
  end Polynomial;
  function atOne
    input Polynomial p;
    output Real y;
  algorithm
    y := 0;
    for i in 1:p.n loop
      y := y + p.c[i];
    end for;
  end atOne;
  parameter Polynomial p(n = 3, c = {1, 2, 4});
  Real y = atOne(p);
)"),
            7);
}

TEST(FunctionTest, BranchesThatKnownArgumentsRuleOutNeedNotFit) {
  const std::string function = R"(
  function f
    input Integer m;
    output Real y[2*m - 2];
  protected
    Integer n = 2*m - 2;
  algorithm
    if n == 0 then
      y := fill(0, 0);
    elseif n == 2 then
      y := {3, 4};
    else
      y[1:n] := 1:n;
    end if;
  end f;
)";
  EXPECT_EQ(FinalOf("x", function + "  Real x = sum(f(1));\n"), 0);
  EXPECT_EQ(FinalOf("x", function + "  Real x = sum(f(2));\n"), 7);
  EXPECT_EQ(FinalOf("x", function + "  Real x = sum(f(3));\n"), 10);
}

TEST(FunctionTest, AVariableThatIsAssignedLaterIsNotKnownByItsDeclaration) {
  EXPECT_EQ(FinalOf("x", R"(
  function f
    input Integer m;
    output Real y[m];
  protected
    Integer n = m;
  algorithm
    n := n + 1;
    if n == 2 then
      y := fill(5, m);
    else
      y := fill(6, m);
    end if;
  end f;
  Real x = sum(f(2));
)"),
            12);
}

// The sum of u, 1, and twice and thrice both: the arrays have no sizes.
std::string TotalOf(const std::string& argument) {
  return R"(
  function Total
    input Real u[:];
    input Boolean doubles = true;
    output Real y;
  protected
    Real x[:];
    Real z[:, :];
  algorithm
    x := cat(1, u, {1});
    if doubles then
      z := {2*x, 3*x};
    else
      z := {x, x};
    end if;
    y := sum(x) + sum(z);
  end Total;
  Real y = Total()" +
         argument + R"();
equation
)";
}

TEST(FunctionTest, AnArrayTakesTheSizeOfWhatIsAssignedToIt) {
  EXPECT_EQ(FinalOf("y", TotalOf("{time}")), 12);
  EXPECT_EQ(FinalOf("y", TotalOf("{time, 4, 0.5}")), 39);
  EXPECT_EQ(FinalOf("y", TotalOf("{time, 2}, time < 0.5")), 12);
}

TEST(FunctionTest, AnOutputMayTakeTheSizeOfWhatIsAssignedToIt) {
  EXPECT_EQ(FinalOf("y[3]", R"(
  function Padded
    input Real u[:];
    output Real y[:];
  algorithm
    y := cat(1, u, 2*u);
  end Padded;
  Real y[4] = Padded({time, 7});
equation
)"),
            2);
}

TEST(FunctionTest, AnElementOfNothingIsAFaultOnlyWhereItIsReached) {
  const std::string functions = R"(
  function sumOf
    input Real v[:];
    output Real y;
  algorithm
    y := v[1];
    for i in 2:size(v, 1) loop
      y := y + v[i];
    end for;
  end sumOf;
  function f
    input Real v[:];
    input Boolean counts;
    output Real y;
  algorithm
    if counts then
      y := sumOf(v);
    else
      y := 7;
    end if;
  end f;
)";
  EXPECT_EQ(FinalOf("y", functions + "  Real y = f(fill(0, 0), time < 0);\n"),
            7);
  EXPECT_EQ(FinalOf("y", functions + "  Real y = f({1, 2, 4}, time > 0);\n"),
            7);
  EXPECT_THAT(
      Simulate(CompileBody(functions + "  Real y = f(fill(0, 0), time < 1);\n"),
               {.stop = 1})
          .summary.message,
      HasSubstr("subscript 1 is out of bounds: the dimension has 0 elements"));
}

TEST(FunctionTest, SizesMayFollowFromFormulasThatShareTheirParts) {
  std::string formula = "n";
  int expected = 3;
  for (int i = 0; i < 40; ++i) {  // A tree of them has 2^40 leaves.
    formula = "step(" + formula + ")";
    expected = (expected * expected + 1) % 11;
  }
  EXPECT_EQ(FinalOf("y", R"(
  function step
    input Integer n;
    output Integer y = mod(n*n + 1, 11);
  algorithm
    annotation(Inline = true);
  end step;
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := )" + formula + R"(;
  end f;
  parameter Integer m = f(3);
  Real v[m] = fill(time, m);
  Real y = sum(v);
)"),
            expected);
}

}  // namespace
}  // namespace orrery
