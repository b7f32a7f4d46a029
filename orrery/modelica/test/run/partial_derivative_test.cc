// Functions defined as partial derivatives (specification 3.6, section 12.7.2),
// against derivatives by hand.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// The specific enthalpy of the example in section 12.7.2 and others.
constexpr const char* kDifferentiated = R"(
  function specificEnthalpy
    input Real d;
    input Real T;
    input Integer n = 2;
    output Real h;
  protected
    Real s;
  algorithm
    s := 0;
    for i in 1:n loop
      s := s + T^i;
    end for;
    h := d^3*s + sin(T);
  end specificEnthalpy;
  function byT = der(specificEnthalpy, T);
  function bydT = der(specificEnthalpy, d, T);
  function byTd = der(byT, d);
  function byTT = der(byT, T);
  function several
    input Real u;
    output Real a = exp(2*u);
    output Real b[2] = {u^2, 4};
  algorithm
  end several;
  function bySeveral = der(several, u);
)";

double DerivativeAt(const std::string& formula) {
  return AfterASecond("x", kDifferentiated + ("  Real x = " + formula + ";\n"));
}

TEST(PartialDerivativeTest, IsTheDerivativeOfTheAlgorithm) {
  // d^3 (1 + 2 T) + cos(T)
  EXPECT_NEAR(DerivativeAt("byT(2*time, 3*time)"), 8 * 7 + std::cos(3), 1e-12);
}

TEST(PartialDerivativeTest, HasTheInputsOfItsFunction) {
  // With n = 3 there is 3 T^2 besides.
  EXPECT_NEAR(DerivativeAt("byT(T = 3*time, d = 2, n = 3)"),
              8 * (7 + 27) + std::cos(3),
              1e-12);
}

TEST(PartialDerivativeTest, MayBeOfSecondOrder) {
  EXPECT_NEAR(DerivativeAt("bydT(2*time, 3)"), 3 * 4 * 7, 1e-12);
  EXPECT_NEAR(DerivativeAt("byTd(2*time, 3)"), 3 * 4 * 7, 1e-12);
}

TEST(PartialDerivativeTest, MayBeTwiceByOneInput) {
  EXPECT_NEAR(DerivativeAt("byTT(2*time, 3)"), 8 * 2 - std::sin(3), 1e-12);
}

TEST(PartialDerivativeTest, DifferentiatesEachOutput) {
  EXPECT_NEAR(AfterASecond("y",
                           std::string(kDifferentiated) +
                               "  Real x, b[2], y = x + 10*b[1] + 100*b[2];\n"
                               "equation\n"
                               "  (x, b) = bySeveral(3*time);\n"),
              2 * std::exp(6) + 60,
              1e-9);
}

TEST(PartialDerivativeTest, SaysThatAnInputIsMissing) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(std::string(kDifferentiated) +
                                   "  function wrong = der(specificEnthalpy, "
                                   "p);\n"
                                   "  Real x = wrong(1, time);\n");
              }),
              HasSubstr("'p' is no input of"));
}

TEST(PartialDerivativeTest, SaysThatAnInputIsNoReal) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(std::string(kDifferentiated) +
                                   "  function wrong = der(specificEnthalpy, "
                                   "n);\n"
                                   "  Real x = wrong(1, time, 2);\n");
              }),
              HasSubstr("by 'n': it is no Real scalar"));
}

}  // namespace
}  // namespace orrery
