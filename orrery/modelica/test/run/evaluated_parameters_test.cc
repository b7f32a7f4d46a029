// Parameters with annotation(Evaluate = true): those of 0 shape the equations.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

// A resistance, perhaps 0, between a source and a quantity that is a state
// unless it is 0.
std::string Circuit(const std::string& parameters) {
  return parameters + R"(
  Real i;
  Real u = time;
  Real v(start = 0);
equation
  r*i = u - v;
  der(v) = i - v;
)";
}

TEST(EvaluatedParametersTest, ThatAreZeroLeaveNoDivision) {
  // With v = time, i = der(v) + v.
  EXPECT_NEAR(
      AfterASecond(
          "i", Circuit("  parameter Real r = 0 annotation(Evaluate = true);")),
      2,
      1e-9);
}

TEST(EvaluatedParametersTest, MakeFinalOnesThatFollowFromThemKnown) {
  EXPECT_NEAR(AfterASecond("i", Circuit(R"(
  record Card
    parameter Real perLength = 3;
    parameter Real length = 0;
  end Card;
  function resistance
    input Card card;
    output Real r = card.perLength*card.length;
  end resistance;
  parameter Card card annotation(Evaluate = true);
  final parameter Real r = resistance(card);)")),
              2,
              1e-9);
}

TEST(EvaluatedParametersTest, TakeTheirStartIfThatIsAllThatIsSaid) {
  EXPECT_NEAR(
      AfterASecond(
          "i",
          Circuit(
              "  parameter Real r(start = 0) annotation(Evaluate = true);")),
      2,
      1e-9);
}

TEST(EvaluatedParametersTest, KeepTheirNamesWhereTheyAreNotEvaluated) {
  EXPECT_NEAR(
      AfterASecond(
          "v", Circuit("  parameter Real r = 1 annotation(Evaluate = false);")),
      // der(v) = time - 2*v
      0.5 - 0.25 + 0.25 * 0.1353352832366127,
      1e-6);
}

TEST(EvaluatedParametersTest, WaitForTheStartWhereItDeterminesThem) {
  EXPECT_NEAR(AfterASecond("part.y", R"(
  model Part
    parameter Real k = 1 annotation(Evaluate = true);
    Real y = k*time;
  end Part;
  final parameter Real k(fixed = false, start = 1);
  Part part(k = k);
initial equation
  k = 3;
)"),
              3,
              1e-12);
}

}  // namespace
}  // namespace orrery
