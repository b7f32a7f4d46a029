// Start values of the variables of functions.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// The value of `variable` after a second.
double ValueOf(const std::string& variable, const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 1})[variable].final();
}

// v = 1/(2 x), whatever the order of the declarations is.
TEST(FunctionStartTest, AStartValueMayUseAVariableThatIsDeclaredLater) {
  EXPECT_EQ(ValueOf("y", R"(
  function f
    input Real x;
    output Real y;
  protected
    Real v = 1/r;
    Real r = 2*x;
  algorithm
    y := v + r;
  end f;
  Real y = f(time + 1);
)"),
            4.25);
}

TEST(FunctionStartTest, AStartValueOfAnOutputMayUseALocalVariable) {
  EXPECT_EQ(ValueOf("y", R"(
  function f
    input Real x;
    output Real y = 3*a;
    output Real z = b - 1;
  protected
    Real b = 2*y;
    Real a = x + c[2];
    Real c[2] = {x, 10*x};
  algorithm
    y := y + z;
  end f;
  Real y = f(time);
)"),
            98);  // 33 + 2*33 - 1.
}

TEST(FunctionStartTest, ADerivativeFollowsStartValuesThatUseLaterVariables) {
  const RunResult run = Simulate(CompileBody(R"(
  function f
    input Real x;
    output Real y;
  protected
    Real v = 1/r;
    Real r = 2*x;
  algorithm
    y := v;
    annotation(smoothOrder=1);
  end f;
  Real y = f(time + 1);
  Real slope = der(y);
)"),
                                 {.stop = 1});
  EXPECT_NEAR(run["slope"].final(), -0.125, 1e-12);
}

TEST(FunctionStartTest, AStartValueThatDependsOnItselfIsRefused) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(R"(
  function f
    input Real x;
    output Real y;
  protected
    Real v = 1 + r;
    Real r = 2*v;
  algorithm
    y := v + r + x;
  end f;
  Real y = f(time);
)");
              }),
              HasSubstr("the value of 'v' depends on itself"));
}

}  // namespace
}  // namespace orrery
