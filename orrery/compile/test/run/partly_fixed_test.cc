// Arrays of which only some elements have fixed starts.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

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

}  // namespace
}  // namespace orrery
