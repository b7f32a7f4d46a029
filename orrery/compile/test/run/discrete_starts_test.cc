// Initial equations of discrete variables.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

TEST(DiscreteStartsTest, AnInitialEquationGivesTheStartOfACounter) {
  const Trajectory result = Simulate(CompileBody(R"(
  Integer count;
initial equation
  count = 4;
equation
  when sample(0.25, 0.25) then
    count = pre(count) + 1;
  end when;
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["count"][0], 4);
  EXPECT_EQ(result["count"].final(), 8);
}

TEST(DiscreteStartsTest, AnInitialEquationHoldsBeforeATickAtTheStart) {
  const Trajectory result = Simulate(CompileBody(R"(
  Boolean pulse;
initial equation
  pulse = true;
equation
  when sample(0, 0.3) then
    pulse = not pre(pulse);
  end when;
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["pulse"][0], 1);
  EXPECT_EQ(result["pulse"][1], 0);
  EXPECT_EQ(result["pulse"].final(), 1);
}

TEST(DiscreteStartsTest, AnInitialEquationGivesTheStartOfWhatAlgorithmsSet) {
  const Trajectory result = Simulate(CompileBody(R"(
  Boolean heat;
  Real T;
initial equation
  T = 300;
  heat = false;
equation
  der(T) = if heat then 20 else -10;
algorithm
  when T < 294 then
    heat := true;
  end when;
  when T > 296 then
    heat := false;
  end when;
)"),
                                     {.stop = 0.65});
  EXPECT_EQ(result["heat"][0], 0);
  // It falls to 294 in 0.6 s, and rises for 0.05 s.
  EXPECT_EQ(result["heat"].final(), 1);
  EXPECT_NEAR(result["T"].final(), 295, 1e-6);
}

// The gate opens above -1, and the rest that it leads to is 3 then, else 0.
TEST(DiscreteStartsTest, AGateOfTheStartFollowsFromWhatItSwitches) {
  const Trajectory result = Simulate(CompileBody(R"(
  Boolean gate;
  Real x;
initial equation
  der(x) = 0;
initial algorithm
  if x > -1 then
    gate := true;
  else
    gate := false;
  end if;
equation
  der(x) = (if gate then 3 else 0) - x;
  when time > 1 then
    gate = not pre(gate);
  end when;
)"),
                                     {.stop = 2, .tolerance = 1e-8});
  EXPECT_EQ(result["gate"][0], 1);
  EXPECT_NEAR(result["x"][0], 3, 1e-12);
  EXPECT_NEAR(result["x"].final(), 3 * std::exp(-1.0), 1e-6);
}

TEST(DiscreteStartsTest, TicksBeginAtATimeThatTheStartDetermines) {
  const Trajectory result = Simulate(CompileBody(R"(
  final parameter Real t0(fixed = false);
  parameter Real first = t0 + 0.5;
  Integer count(start = 0, fixed = true);
  Real last(start = -1, fixed = true);
initial equation
  t0 = time + 0.25;
equation
  when sample(first, t0) then
    count = pre(count) + 1;
    last = time;
  end when;
)"),
                                     {.start = 1, .stop = 6});
  EXPECT_EQ(result["count"].final(), 4);  // 1.75, 3, 4.25, 5.5.
  EXPECT_EQ(result["last"].final(), 5.5);
}

constexpr const char* kTwice = R"(
  Boolean on(start = false, fixed = true);
  Boolean reset[1];
  Integer count(start = 0, fixed = true);
equation
  reset[1] = on;
  when sample(0.25, 0.25) then
    on = not pre(on);
  end when;
  when reset[1] and not pre(reset[1]) then
    count = pre(count) + 1;
  end when;
initial equation
  pre(reset) = )";

TEST(DiscreteStartsTest, WhatIsSaidTwiceAlikeIsNotTooMuch) {
  const Trajectory result = Simulate(
      CompileBody(kTwice + std::string("fill(false, 1);\n")), {.stop = 1.1});
  EXPECT_EQ(result["count"].final(), 2);
}

TEST(DiscreteStartsTest, WhatIsSaidTwiceInTwoWaysContradictsItself) {
  EXPECT_THAT(
      MessageOf([] { return CompileBody(kTwice + std::string("{true};\n")); }),
      testing::HasSubstr("the start of the model is over-determined"));
}

}  // namespace
}  // namespace orrery
