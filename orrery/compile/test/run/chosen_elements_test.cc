// Elements of arrays with subscripts that are known only in the run.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// The value of `variable` after two seconds.
double FinalOf(const std::string& variable, const std::string& body) {
  return Simulate(CompileBody(body), {.stop = 2, .tolerance = 1e-9})[variable]
      .final();
}

TEST(ChosenElementsTest, AreComputedBeforeWhatReadsThem) {
  EXPECT_NEAR(FinalOf("y", R"(
  Integer j = if time < 3 then 1 else 2;
  Real s(start = 0, fixed = true);
  Real t[2];
  Real y = max(t[j], 0.3);
equation
  der(s) = 1;
  t = {s, 2*s + 1};
)"),
              2,
              1e-12);
}

TEST(ChosenElementsTest, MakeEventsInRelations) {
  EXPECT_NEAR(FinalOf("held", R"(
  Integer j = if time < 1 then 1 else 2;
  Real t[2] = {time + 1, 2*time - 1};
  Boolean b = t[j] < 1.5;
  Real held(start = 0, fixed = true);
equation
  der(held) = if b then 1 else 0;
)"),
              0.75,
              1e-9);
}

TEST(ChosenElementsTest, StartWhenClauses) {
  EXPECT_NEAR(FinalOf("at", R"(
  Integer j(start = 2, fixed = true);
  Real t[2](start = {0, 0}, each fixed = true);
  Real at(start = 0, fixed = true);
equation
  der(t) = {1, 2};
  when t[j] > 0.5 then
    at = time;
  end when;
  when time > 5 then
    j = 1;
  end when;
)"),
              0.25,
              1e-9);
}

TEST(ChosenElementsTest, AreUnknownsOfAlgebraicLoops) {
  EXPECT_NEAR(FinalOf("t[1]", R"(
  Integer j = if time < 1 then 1 else 2;
  Real t[2](each start = 1);
equation
  t[1] = 6 - t[j];
  t[2] = t[1] - 1;
)"),
              3.5,
              1e-9);
}

TEST(ChosenElementsTest, HaveDerivatives) {
  EXPECT_NEAR(FinalOf("rate", R"(
  Integer j = if time < 1 then 1 else 2;
  Real t[2](start = {0, 0}, each fixed = true);
  Real rate = der(3*t[j]);
equation
  der(t) = {1, 4};
)"),
              12,
              1e-9);
}

}  // namespace
}  // namespace orrery
