// Starts at which an equation does not determine its unknown: its coefficient
// is 0 in the case that holds.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A mass on rough ground, pushed by an actuator that starts at rest. While it
// sticks, s is the force of friction, else the acceleration beyond 1.
std::string Mass(const std::string& mode, const std::string& start) {
  return R"(
  Integer mode(start = )" +
         mode + R"(, fixed = true);
  Boolean sticks = pre(mode) == 0;
  Real s)" +
         start + R"(;
  Real push, friction, v, a;
initial equation
  v = 0;
  a = 0;
equation
  mode = pre(mode);
  der(v) = a;
  der(push) = 1;
  a = if sticks then 0 else s - 1;
  friction = if sticks then s else 3;
  2*a = push - friction;
)";
}

TEST(VanishingCasesTest, AForceThatNothingDeterminesStartsAtItsStartValue) {
  const Trajectory result =
      Simulate(CompileBody(Mass("0", "(start = 0.5)")), {.stop = 1});
  EXPECT_DOUBLE_EQ(result["s"][0], 0.5);
  EXPECT_DOUBLE_EQ(result["push"][0], 0.5);
  EXPECT_NEAR(result["friction"].final(), 1.5, 1e-9);
}

TEST(VanishingCasesTest, ItStartsAtZeroWithoutAStartValue) {
  const Trajectory result = Simulate(CompileBody(Mass("0", "")), {.stop = 1});
  EXPECT_DOUBLE_EQ(result["push"][0], 0);
  EXPECT_NEAR(result["friction"].final(), 1, 1e-9);
}

TEST(VanishingCasesTest, TheEquationDeterminesItInTheOtherCase) {
  const Trajectory result =
      Simulate(CompileBody(Mass("1", "(start = 0.5)")), {.stop = 1});
  EXPECT_DOUBLE_EQ(result["s"][0], 1);
  EXPECT_DOUBLE_EQ(result["push"][0], 3);
  EXPECT_NEAR(result["v"].final(), 0.25, 1e-6);  // a = t/2.
}

}  // namespace
}  // namespace orrery
