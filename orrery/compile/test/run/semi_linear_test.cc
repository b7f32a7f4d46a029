// Flows between two parts: the quantity that they carry comes from one of them.

#include <cmath>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A pipe between a vessel of 10 J/kg and one of 20 J/kg. At rest there is no
// flow to determine the enthalpy between them.
TEST(SemiLinearTest, BetweenTwoPartsItIsOfThatWhichItComesFrom) {
  const Trajectory result =
      Simulate(CompileBody(R"(
  connector Port
    Real h;
    flow Real m;
    flow Real H;
  end Port;
  model Vessel
    parameter Real h = 10;
    Port port;
  equation
    port.H = semiLinear(port.m, port.h, h);
  end Vessel;
  Vessel a(h = 10), b(h = 20);
  Real between = a.port.h;
equation
  connect(a.port, b.port);
  b.port.m = if time < 1 then 0 else if time < 2 then 3 else -3;
)"),
               {.stop = 3, .interval = 0.25, .output_times = {0.5, 1.5, 2.5}});
  const auto at = [&](const char* name, double t) {
    return result[name].at(t);
  };
  EXPECT_EQ(at("between", 0.5), 20);  // As before a flow from b.
  EXPECT_EQ(at("b.port.H", 0.5), 0);
  EXPECT_EQ(at("between", 1.5), 10);
  EXPECT_EQ(at("b.port.H", 1.5), 30);
  EXPECT_EQ(at("between", 2.5), 20);
  EXPECT_EQ(at("b.port.H", 2.5), -60);
}

// y = if x >= 0 then s*x else 7*x and y = if x >= 0 then 5*x else s*x.
TEST(SemiLinearTest, ChoicesByTheSignOfAFlowAreJoinedAsWell) {
  const Trajectory result =
      Simulate(CompileBody("  Real x = sin(time);\n"
                           "  Real y, s;\n"
                           "equation\n"
                           "  y = semiLinear(x, s, 7);\n"
                           "  -y = semiLinear(-x, s, 5);\n"),
               {.stop = 4, .output_times = {1, 4}});
  EXPECT_EQ(result["s"][0], 5);
  EXPECT_EQ(result["s"].at(1), 5);
  EXPECT_EQ(result["s"].at(4), 7);
  EXPECT_DOUBLE_EQ(result["y"].at(4), 7 * std::sin(4.0));
}

}  // namespace
}  // namespace orrery
