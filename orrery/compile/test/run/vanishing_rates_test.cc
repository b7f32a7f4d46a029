// Derivatives multiplied by variables that are 0 whatever happens.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A resistor of 2 Ohm charges a capacity that a function computes.
std::string Charged(const std::string& oxide) {
  return R"(
function Capacity
  input Real oxide;
  input Real v;
  output Real c;
algorithm
  if v > 100 then
    c := oxide/3;
  elseif v > -100 then
    c := oxide;
  else
    c := -v*oxide;
  end if;
end Capacity;
model Charged
  parameter Real oxide = )" +
         oxide + R"( annotation(Evaluate = true);
  Real c, i;
  Real v(start = 0);
equation
  c = Capacity(oxide, v);
  i = c*der(v);
  i = (1 + time - v)/2;
end Charged;
)";
}

TEST(VanishingRatesTest, ACapacityThatAFunctionFindsToBeZeroMakesNoState) {
  const auto program = CompileText(Charged("0"));
  EXPECT_EQ(StateNames(*program).size(), 0U);
  const Trajectory result = Simulate(program, {.stop = 2});
  EXPECT_DOUBLE_EQ(result["v"][0], 1);
  EXPECT_DOUBLE_EQ(result["v"].final(), 3);
}

TEST(VanishingRatesTest, AnyOtherCapacityMakesAState) {
  const auto program = CompileText(Charged("0.5"));
  EXPECT_EQ(StateNames(*program).size(), 1U);
  const Trajectory result = Simulate(program, {.stop = 2, .tolerance = 1e-10});
  EXPECT_NEAR(result["v"].final(), 2, 1e-8);  // v = t.
}

TEST(VanishingRatesTest, AFactorMayBeZeroThroughOtherVariables) {
  const auto program = CompileBody(R"(
  parameter Real tau = 0 annotation(Evaluate = true);
  Real depletion, c, i;
  Real v;
equation
  depletion = tau*sqrt(1 + v^2);
  c = tau*exp(v) + depletion;
  i = c*der(v) + 1e-3*v;
  i = sin(time);
)");
  EXPECT_EQ(StateNames(*program).size(), 0U);
  const Trajectory result = Simulate(program, {.stop = 1});
  EXPECT_NEAR(result["v"].final(), 1e3 * std::sin(1), 1e-9);
}

TEST(VanishingRatesTest, AFactorThatIsZeroForAWhileStays) {
  const auto program = CompileBody(R"(
  Real c, v(start = 1, fixed = true);
equation
  c = max(1, 2 - time);
  c*der(v) = -v;
)");
  EXPECT_EQ(StateNames(*program).size(), 1U);
  const Trajectory result = Simulate(program, {.stop = 1, .tolerance = 1e-10});
  EXPECT_NEAR(result["v"].final(), 0.5, 1e-8);  // v = (2 - t)/2.
}

}  // namespace
}  // namespace orrery
