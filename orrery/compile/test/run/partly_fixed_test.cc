// Arrays of which only some elements have fixed starts.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/after_a_second.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

TEST(PartlyFixedTest, ElementsThatAreNotFixedFollowFromInitialEquations) {
  const std::string body = R"(
  Real x[3](start = {1, 2, 3}, fixed = {true, false, true});
initial equation
  x[2] = 10;
equation
  der(x) = {1, 1, 1};
)";
  EXPECT_NEAR(AfterASecond("x[1]", body), 2, 1e-9);
  EXPECT_NEAR(AfterASecond("x[2]", body), 11, 1e-9);
  EXPECT_NEAR(AfterASecond("x[3]", body), 4, 1e-9);
}

TEST(PartlyFixedTest, StartsAreFormulasOfParameters) {
  EXPECT_NEAR(AfterASecond("x[1]", R"(
  parameter Real k = 5;
  Real x[2](each start = k, fixed = {true, false});
initial equation
  der(x[2]) = 0;
equation
  der(x) = {1, 4 - x[2]};
)"),
              6,
              1e-9);
}

TEST(PartlyFixedTest, DiscreteElementsStartFromTheValueBefore) {
  EXPECT_EQ(AfterASecond("n[1]", R"(
  Integer n[2](start = {3, 4}, fixed = {true, false});
initial equation
  pre(n[2]) = 0;
equation
  for i in 1:2 loop
    when time > 0.5 then
      n[i] = pre(n[i]) + 1;
    end when;
  end for;
)"),
            4);
}

// The length of a pendulum's rod follows from where the mass starts.
TEST(PartlyFixedTest, AConstraintDeterminesAParameter) {
  for (const auto& [x, y, length] :
       {std::array{0.6, -0.8, 1.0}, {1.2, -0.9, 1.5}, {0.0, -2.0, 2.0}}) {
    const Trajectory result = Simulate(
        CompileBody("  Real x(start = " + std::to_string(x) +
                    ", fixed = true), y(start = " + std::to_string(y) + R"(,
    fixed = true);
  parameter Real length(fixed = false, start = 1);
  Real u(start = 0, fixed = true), v, force;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*x;
  der(v) = -force*y - 9.81;
  x^2 + y^2 = length^2;
)"),
        {.stop = 1, .tolerance = 1e-9});
    EXPECT_NEAR(result["length"].final(), length, 1e-12);
    EXPECT_NEAR(
        std::hypot(result["x"].final(), result["y"].final()), length, 1e-9);
  }
}

}  // namespace
}  // namespace orrery
