// Functions as arguments of functions (specification 3.6, section 12.4.2), by
// their results.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

constexpr const char* kFunctionsOfFunctions = R"(
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  record Data
    Real k;
    Real powers[2];
  end Data;
  function square
    extends Scalar;
    input Real k = 1;
  algorithm
    y := k*u^2;
  end square;
  function polynomial
    extends Scalar;
    input Data data;
  algorithm
    y := data.k + data.powers*{u, u^2};
  end polynomial;
  function integral
    input Scalar f;
    input Real a;
    input Real b;
    output Real y = (f(a) + 4*f((a + b)/2) + f(u = b))*(b - a)/6;
  algorithm
  end integral;
  function twice
    input Scalar f;
    input Real b;
    output Real y;
  algorithm
    y := integral(f, 0, b) + integral(function square(k = b), 0, 1);
  end twice;
)";

Trajectory RunWithFunctions(const std::string& body) {
  return Simulate(CompileBody(kFunctionsOfFunctions + body), {.stop = 1});
}

std::string ErrorWithFunctions(const std::string& body) {
  return MessageOf([&] { return CompileBody(kFunctionsOfFunctions + body); });
}

TEST(FunctionArgumentTest, AFunctionIsGivenByItsName) {
  EXPECT_NEAR(
      RunWithFunctions("  Real x = integral(square, 0, 3);\n")["x"].final(),
      9,
      1e-12);
}

TEST(FunctionArgumentTest, AFunctionBringsInputsOfItsOwn) {
  const Trajectory result = RunWithFunctions(
      "  Real x = integral(function square(k = 2*time), 0, 3);\n"
      "  Real y = integral(function square(k = 10), 0, 3);\n");
  EXPECT_NEAR(result["x"].at(0.5), 9, 1e-12);
  EXPECT_NEAR(result["x"].final(), 18, 1e-12);
  EXPECT_NEAR(result["y"].final(), 90, 1e-12);
}

TEST(FunctionArgumentTest, ARecordIsBroughtAsAWhole) {
  EXPECT_NEAR(RunWithFunctions(
                  "  parameter Data data(k = 1, powers = {2, 3});\n"
                  "  Real x = integral(function polynomial(data = data), 0, "
                  "2);\n")["x"]
                  .final(),
              2 + 4 + 8,
              1e-12);
}

TEST(FunctionArgumentTest, AFunctionIsPassedOn) {
  EXPECT_NEAR(
      RunWithFunctions("  Real x = twice(function square(k = 3), 2);\n")["x"]
          .final(),
      8 + 2.0 / 3,
      1e-12);
}

TEST(FunctionArgumentTest, RefusesANumberForAFunction) {
  EXPECT_THAT(ErrorWithFunctions("  Real x = integral(time + 1, 0, 3);\n"),
              HasSubstr("input 'f' of A.integral is a function, not a "
                        "formula"));
}

TEST(FunctionArgumentTest, RefusesAModelForAFunction) {
  EXPECT_THAT(ErrorWithFunctions("  Real x = integral(Data, 0, 3);\n"),
              HasSubstr("'Data' is a record, not a function"));
}

TEST(FunctionArgumentTest, RefusesAnInputThatTheFunctionDoesNotHave) {
  EXPECT_THAT(ErrorWithFunctions(
                  "  Real x = integral(function square(l = 2), 0, 3);\n"),
              HasSubstr("no open input 'l' in A.square"));
}

TEST(FunctionArgumentTest, RefusesAFunctionThatIsNoArgument) {
  EXPECT_THAT(ErrorWithFunctions("  Real x = abs(function square(k = 2));\n"),
              HasSubstr("a function can only be given to an input that is a "
                        "function"));
}

}  // namespace
}  // namespace orrery
