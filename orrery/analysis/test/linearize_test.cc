#include "orrery/analysis/linearize.h"

#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/analysis/test/test_system.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LinearSystem LinearizeText(const std::string& text,
                           const LinearizeOptions& options = {},
                           const std::vector<Setting>& settings = {}) {
  OperatingPoint point(CompileText(text), 0, settings);
  return Linearize(point, options);
}

std::string RefusalOf(const std::string& text,
                      const LinearizeOptions& options = {},
                      const std::vector<Setting>& settings = {}) {
  return MessageOf([&] { return LinearizeText(text, options, settings); });
}

TEST(LinearizeTest, WaterTankHasItsExactMatrices) {
  const LinearSystem tank = LinearizeText(kTank);
  EXPECT_DOUBLE_EQ(tank.a(0, 0), -0.099045444115315066823);
  EXPECT_DOUBLE_EQ(tank.b(0, 0), 0.05);
  EXPECT_EQ(tank.c(0, 0), 1);
  EXPECT_EQ(tank.d(0, 0), 0);
  EXPECT_THAT(tank.states, ElementsAre(NamedValue{"h", "m", 5}));
  EXPECT_THAT(tank.inputs, ElementsAre(NamedValue{"v", "m/s", 0}));
  EXPECT_THAT(tank.outputs, ElementsAre(NamedValue{"h", "m", 5}));
  EXPECT_TRUE(tank.warnings.empty());
}

TEST(LinearizeTest, LorenzEquilibriumHasItsPublishedEigenvalues) {
  const LinearSystem lorenz = LinearizeText(R"(
model Lorenz
  Real x(start = sqrt(72), fixed = true), y(start = sqrt(72), fixed = true);
  Real z(start = 27, fixed = true);
equation
  der(x) = 10 * (y - x);
  der(y) = x * (28 - z) - y;
  der(z) = x * y - 8 / 3 * z;
end Lorenz;)");
  const std::vector<Mode> modes = ModesOf(lorenz);
  ASSERT_EQ(modes.size(), 3U);
  EXPECT_NEAR(modes[0].eigenvalue.real(), 0.09395562, 5e-9);
  EXPECT_NEAR(modes[0].eigenvalue.imag(), 10.19450522, 5e-9);
  EXPECT_EQ(modes[1].eigenvalue, std::conj(modes[0].eigenvalue));
  EXPECT_NEAR(modes[2].eigenvalue.real(), -13.85457791, 5e-9);
  EXPECT_FALSE(IsStable(lorenz));
}

TEST(LinearizeTest, VanDerPolGrowsAtTheOrigin) {
  const std::vector<Mode> modes = ModesOf(LinearizeText(R"(
model VanDerPol
  Real x, y;
equation
  der(x) = y;
  der(y) = (1 - x ^ 2) * y - x;
end VanDerPol;)"));
  EXPECT_NEAR(modes[0].eigenvalue.real(), 0.5, 1e-15);
  EXPECT_NEAR(modes[0].eigenvalue.imag(), std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(modes[0].damping(), -0.5, 1e-15);
}

TEST(LinearizeTest, AnUprightPendulumFallsAtTheRateOfItsLength) {
  const std::vector<Mode> modes = ModesOf(LinearizeText(R"(
model Pendulum
  Real phi(start = 3.14159265358979323846, fixed = true), w;
equation
  der(phi) = w;
  der(w) = -9.81 * sin(phi);
end Pendulum;)"));
  EXPECT_DOUBLE_EQ(modes[0].eigenvalue.real(), -3.132091952673165);
  EXPECT_DOUBLE_EQ(modes[1].eigenvalue.real(), 3.132091952673165);
}

TEST(LinearizeTest, LinearAndNonlinearLoopsAreDifferentiatedImplicitly) {
  // z^3 + z = x + u, w + 2 q = x, w - q = z.
  const LinearSystem system = LinearizeText(R"(
model Loops
  input Real u(start = 4);
  Real x(start = 6, fixed = true);
  output Real z(start = 2), w, q;
equation
  z ^ 3 + z = x + u;
  w + 2 * q = x;
  w - q = z;
  der(x) = -z;
end Loops;)");
  const double slope = 1.0 / 13;  // 1/(3 z^2 + 1) at z = 2.
  EXPECT_NEAR(system.outputs[0].value, 2, 1e-14);
  EXPECT_NEAR(system.a(0, 0), -slope, 1e-15);
  EXPECT_NEAR(system.b(0, 0), -slope, 1e-15);
  EXPECT_NEAR(system.c(1, 0), (1 + 2 * slope) / 3, 1e-15);
  EXPECT_NEAR(system.d(1, 0), 2 * slope / 3, 1e-15);
  EXPECT_NEAR(system.c(2, 0), (1 - slope) / 3, 1e-15);
  EXPECT_NEAR(system.d(2, 0), -slope / 3, 1e-15);
}

TEST(LinearizeTest, ElementsOfArraysAreNamed) {
  const LinearSystem system =
      LinearizeText(R"(
model Rod
  input Real u[2];
  Real T[3](each start = 1, each fixed = true);
  output Real mean[2];
equation
  der(T[1]) = u[1] - T[1];
  der(T[2]) = T[1] - 2 * T[2] + T[3];
  der(T[3]) = u[2] * T[3];
  mean = {(T[1] + T[2]) / 2, T[3] ^ 2};
end Rod;)",
                    {.inputs = {"u"}, .outputs = {"mean[2]", "T"}});
  EXPECT_EQ(system.states[1].name, "T[2]");
  EXPECT_EQ(system.inputs[1].name, "u[2]");
  EXPECT_EQ(system.b(2, 1), 1);
  EXPECT_EQ(system.outputs[0].name, "mean[2]");
  EXPECT_EQ(system.c(0, 2), 2);
  EXPECT_EQ(system.outputs[3].name, "T[3]");
  EXPECT_EQ(system.c(3, 2), 1);
}

TEST(LinearizeTest, AnyRealQuantityMayBeAnOutputAndOneInputAlone) {
  const LinearSystem system =
      LinearizeText(R"(
model Two
  input Real a, b;
  Real x(start = 3, fixed = true), y, power;
equation
  der(x) = a * x + b;
  y = -x;
  power = x * y;
end Two;)",
                    {.inputs = {"b"}, .outputs = {"power", "y", "der(x)"}});
  ASSERT_EQ(system.inputs.size(), 1U);
  EXPECT_EQ(system.b(0, 0), 1);
  EXPECT_EQ(system.c(0, 0), -6);
  EXPECT_EQ(system.c(1, 0), -1);
  EXPECT_EQ(system.d(2, 0), 1);
}

TEST(LinearizeTest, ARelationKeepsTheBranchThatItChoseAtThePoint) {
  const char* const text = R"(
model Saturated
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = if u > 1 then 1 else u;
end Saturated;)";
  EXPECT_EQ(LinearizeText(text, {}, {{"u", 0.5}}).b(0, 0), 1);
  EXPECT_EQ(LinearizeText(text, {}, {{"u", 2}}).b(0, 0), 0);
}

TEST(LinearizeTest, WhatIsSampledIsHeldWithAWarning) {
  const LinearSystem system = LinearizeText(R"(
model Sampled
  Real x(start = 1, fixed = true);
  discrete Real held(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    held = x;
  end when;
  der(x) = -2 * x - held;
end Sampled;)");
  EXPECT_EQ(system.a(0, 0), -2);
  ASSERT_EQ(system.warnings.size(), 1U);
  EXPECT_THAT(system.warnings[0].message, HasSubstr("sampled is held"));
}

TEST(LinearizeTest, UnknownNamesAreToldWithTheNearest) {
  EXPECT_EQ(RefusalOf(kTank, {.outputs = {"level"}}),
            "cannot linearize: no quantity 'level' in model Tank; known: A1, "
            "A2, At, g, v, h, der(h)");
  EXPECT_EQ(RefusalOf(kTank, {.inputs = {"h"}}),
            "cannot linearize: 'h' is no input of the model; known: v");
}

TEST(LinearizeTest, ASlopeWithoutEndIsTold) {
  EXPECT_EQ(RefusalOf(kTank, {}, {{"h", 0}}),
            "cannot linearize: the derivative of 'der(h)' by 'h' is -inf at "
            "h = 0; choose another operating point");
}

TEST(LinearizeTest, AnOutputThatIsNoNumberIsTold) {
  EXPECT_THAT(RefusalOf(R"(
model Log
  Real x(start = 0, fixed = true);
  output Real y;
equation
  der(x) = 1;
  y = 1 / x;
end Log;)"),
              HasSubstr("1/0"));
}

// Held by a force at the angle atan(0.3), with the frequency sqrt(g/cos) there.
TEST(LinearizeTest, APendulumInXAndYMovesAsItsAngleDoes) {
  const double g = 9.81;
  const double cosine = 1 / std::sqrt(1 + 0.3 * 0.3);
  const LinearSystem system = LinearizeText(R"(
model Pendulum
  input Real f(start = 0.3*9.81);
  Real x(start = 0.3/sqrt(1.09)), y(start = -1/sqrt(1.09));
  Real u(start = 0), v(start = 0), force;
  output Real height = y;
initial equation
  x = 0.3/sqrt(1.09);
  u = 0;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*x + f - 0.2*u;
  der(v) = -force*y - 9.81 - 0.2*v;
  x^2 + y^2 = 1;
end Pendulum;)",
                                            {.outputs = {"x", "height"}});
  ASSERT_EQ(system.states.size(), 2U);
  EXPECT_EQ(system.states[0].name, "x");
  EXPECT_EQ(system.states[1].name, "u");
  EXPECT_NEAR(system.a(1, 0), -g / cosine, 1e-9);
  EXPECT_NEAR(system.a(1, 1), -0.2, 1e-12);
  EXPECT_NEAR(system.b(1, 0), cosine * cosine, 1e-12);
  EXPECT_NEAR(system.c(1, 0), 0.3, 1e-12);
  EXPECT_TRUE(IsStable(system));
  EXPECT_NEAR(DcGain(system)(0, 0), cosine * cosine * cosine / g, 1e-12);
  EXPECT_NEAR(DcGain(system)(1, 0), 0.3 * cosine * cosine * cosine / g, 1e-12);
}

// Frequencies sqrt((2 -+ sqrt(2)) g / L): Landau and Lifshitz, Mechanics,
// section 23, problem 1, for equal masses and rods.
TEST(LinearizeTest, ADoublePendulumInXAndYHasItsTwoFrequencies) {
  const LinearSystem system = LinearizeText(R"(
model Pendulums
  Real x1(start = 0, fixed = true), y1(start = -1), u1(start = 0), v1;
  Real x2(start = 0, fixed = true), y2(start = -2), u2(start = 0), v2, F1, F2;
initial equation
  u1 = 0;
  u2 = 0;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -F1*x1 + F2*(x2 - x1);
  der(v1) = -F1*y1 + F2*(y2 - y1) - 9.81;
  der(u2) = -F2*(x2 - x1);
  der(v2) = -F2*(y2 - y1) - 9.81;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end Pendulums;)");
  const std::vector<Mode> modes = ModesOf(system);
  ASSERT_EQ(modes.size(), 4U);
  EXPECT_NEAR(modes[0].eigenvalue.real(), 0, 1e-9);
  EXPECT_NEAR(
      modes[0].eigenvalue.imag(), std::sqrt((2 - std::sqrt(2)) * 9.81), 1e-9);
  EXPECT_NEAR(modes[2].eigenvalue.real(), 0, 1e-9);
  EXPECT_NEAR(
      modes[2].eigenvalue.imag(), std::sqrt((2 + std::sqrt(2)) * 9.81), 1e-9);
}

// The equations of a random system, as text, return its matrices bit for bit.
RC_GTEST_PROP(LinearizeTest, ALinearModelReturnsItsMatrices, ()) {
  const int n = *rc::gen::inRange(1, 6);
  const int m = *rc::gen::inRange(1, 4);
  const int p = *rc::gen::inRange(1, 4);
  const auto draw = [](int rows, int columns) {
    Matrix matrix(static_cast<std::size_t>(rows),
                  static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t j = 0; j < matrix.columns(); ++j) {
        matrix(i, j) = *rc::gen::inRange(-9, 10) / 4.0;
      }
    }
    return matrix;
  };
  const std::array matrices = {draw(n, n), draw(n, m), draw(p, n), draw(p, m)};
  const auto text = [](const Matrix& matrix) {
    std::string all = "[";
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t j = 0; j < matrix.columns(); ++j) {
        all += (j > 0   ? ", "
                : i > 0 ? "; "
                        : "") +
               std::to_string(matrix(i, j));
      }
    }
    return all + "]";
  };
  const LinearSystem system = LinearizeText(
      "model M\n  parameter Real A[:,:] = " + text(matrices[0]) +
      ", B[:,:] = " + text(matrices[1]) + ", C[:,:] = " + text(matrices[2]) +
      ", D[:,:] = " + text(matrices[3]) + ";\n  input Real u[" +
      std::to_string(m) + "];\n  Real x[" + std::to_string(n) +
      "](each start = 1, each fixed = true);\n  output Real y[" +
      std::to_string(p) +
      "];\nequation\n  der(x) = A * x + B * u;\n  y = C * x + D * u;\nend M;");
  RC_ASSERT(system.a == matrices[0]);
  RC_ASSERT(system.b == matrices[1]);
  RC_ASSERT(system.c == matrices[2]);
  RC_ASSERT(system.d == matrices[3]);
}

}  // namespace
}  // namespace orrery
