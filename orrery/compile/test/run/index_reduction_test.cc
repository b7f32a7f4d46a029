// Models whose equations bind states, by their results.

#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/compile/test/run/states.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(IndexReductionTest, FindsWhatKeepsAQuantityOnItsPath) {
  const auto program = CompileBody(
      "  Real x, u;\n"
      "equation\n"
      "  der(x) = u - x;\n"
      "  x = sin(time);\n");
  EXPECT_TRUE(program->state_slots.empty());
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["u"].final(), std::cos(2.0) + std::sin(2.0), 1e-15);
  EXPECT_NEAR(run["der(x)"].final(), std::cos(2.0), 1e-15);
}

// Two masses and the spring between them.
std::string Masses(const std::string& s, const std::string& a = {}) {
  return "  Real a(start = 0" + a + "), b(start = 1), s" + s +
         ", va, vb, v;\nequation\n  der(a) = va; der(b) = vb; s = b - a;\n"
         "  der(va) = s; der(vb) = -s; v = der(s);\n";
}

TEST(IndexReductionTest, PreferredQuantitiesAreStates) {
  EXPECT_THAT(StatesOf(*CompileBody(Masses("(stateSelect = "
                                           "StateSelect.prefer)"))),
              ElementsAre("b", "s", "va", "vb"));
  EXPECT_THAT(StatesOf(*CompileBody(
                  Masses("(stateSelect = StateSelect.prefer)",
                         ", fixed = true, stateSelect = StateSelect.always"))),
              ElementsAre("a", "s", "va", "vb"));
}

TEST(IndexReductionTest, AvoidedQuantitiesAreNoStatesWhereOthersCanBe) {
  EXPECT_THAT(
      StatesOf(*CompileBody(Masses("(start = 1, fixed = true, stateSelect = "
                                   "StateSelect.avoid)"))),
      ElementsAre("a", "b", "va", "vb"));
}

// 5 v' = -v.
TEST(IndexReductionTest, JoinsCapacitorsSideBySide) {
  const auto program = CompileBody(
      "  Real v1(start=1), v2, v, i1, i2;\n"
      "equation\n"
      "  2*der(v1) = i1; 3*der(v2) = i2;\n"
      "  v1 + v = 2*v2; v = v2; i1 + i2 = -v1;\n");
  EXPECT_EQ(program->state_slots.size(), 1U);
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["v1"].final(), std::exp(-0.4), 1e-10);
  EXPECT_NEAR(run["i2"].final(), -0.6 * std::exp(-0.4), 1e-10);
}

// None of their nodes is the ground. u1 = u2 follows only from both equations,
// and the currents to and from the nodes are the same. R C u' = 1 - u.
TEST(IndexReductionTest, JoinsCapacitorsSideBySideBetweenOtherParts) {
  const auto program = CompileBody(
      "  Real u1(start=0, fixed=true), u2, i1, i2, va, vb, ia, ib;\n"
      "equation\n"
      "  0.2*der(u1) = i1; 0.3*der(u2) = i2; u1 = va - vb; u2 = va - vb;\n"
      "  i1 + i2 = ia; i1 + i2 = ib; 1 - va = 3*ia; vb = ib;\n");
  EXPECT_EQ(program->state_slots.size(), 1U);
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["u2"].final(), 1 - std::exp(-1.0), 1e-10);
  EXPECT_NEAR(run["i2"].final(), 0.6 * std::exp(-1.0) / 4, 1e-10);
}

// Two sources in a row, each with a capacitor beside it, with resistors of 2
// and 3 Ohm to the ground. Only the sum of the currents into all three nodes,
// ra + rb = 0, determines their voltage. So ra = sin(t)/5.
TEST(IndexReductionTest, FindsHowHighSourcesWithCapacitorsBesideThemStand) {
  const RunResult run =
      RunTo(2,
            CompileBody("  parameter Real C1=1, C2=2;\n"
                        "  Real u1, u2, i1, i2, j1, j2, va, vb, vc, ra, rb;\n"
                        "equation\n"
                        "  C1*der(u1) = i1; C2*der(u2) = i2;\n"
                        "  u1 = va - vb; u2 = vb - vc;\n"
                        "  va - vb = sin(time); vb - vc = 2*sin(time);\n"
                        "  j1 + i1 + ra = 0; -j1 - i1 + j2 + i2 + rb = 0;\n"
                        "  -j2 - i2 = 0; va = 2*ra; vb = 3*rb;\n"));
  EXPECT_NEAR(run["va"].final(), 0.4 * std::sin(2.0), 1e-12);
  EXPECT_NEAR(run["j1"].final(), -std::cos(2.0) - 0.2 * std::sin(2.0), 1e-12);
  EXPECT_NEAR(run["j2"].final(), -4 * std::cos(2.0), 1e-12);
}

// Both nodes between the two resistors give j and k the same current: der(j) +
// der(k) = 1 - j, j = k.
TEST(IndexReductionTest, JoinsInductorsInLineAcrossResistorsSideBySide) {
  const auto program = CompileBody(
      "  Real j(start=0, fixed=true), k, a, b, va, vb;\n"
      "equation\n"
      "  der(j) = 1 - va; der(k) = vb; j = a + b; k = a + b;\n"
      "  va - vb = 2*a; va - vb = 2*b;\n");
  EXPECT_EQ(program->state_slots.size(), 1U);
  EXPECT_NEAR(RunTo(2, program)["k"].final(), 1 - std::exp(-1.0), 1e-10);
}

// Two wheels with a gear between them: (J1 + J2 / r^2) w1' = 6.
TEST(IndexReductionTest, DifferentiatesAPositionTwice) {
  const auto program = CompileBody(
      "  parameter Real J1=1, J2=2; constant Real r=3;\n"
      "  Real phi1, phi2, w1, w2, t1, t2;\n"
      "equation\n"
      "  der(phi1) = w1; der(phi2) = w2;\n"
      "  J1*der(w1) = 6 - t1; J2*der(w2) = t2;\n"
      "  t2 = r*t1; phi1 = r*phi2;\n");
  EXPECT_EQ(program->state_slots.size(), 2U);
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["w1"].final(), 2 * 54.0 / 11, 1e-10);
  EXPECT_NEAR(run["phi2"].final(), 2 * 18.0 / 11, 1e-10);
  EXPECT_NEAR(run["t1"].final(), 12.0 / 11, 1e-12);
}

// As in a library of mechanics: flanges, and a spring that uses the rate of its
// length. s'' = -c s - d s', s(0) = 1.
TEST(IndexReductionTest, TakesPartsThatDifferentiateWhatConnectionsGive) {
  const auto program = CompileText(
      "model Chain\n"
      "  connector Flange Real s; flow Real f; end Flange;\n"
      "  model Mass\n"
      "    Flange a; Real s(start=1); Real v;\n"
      "  equation\n"
      "    a.s = s; der(s) = v; der(v) = a.f;\n"
      "  end Mass;\n"
      "  model Spring\n"
      "    Flange a, b; Real e, speed, f;\n"
      "  equation\n"
      "    e = b.s - a.s; speed = der(e); f = 4*e + 0.4*speed;\n"
      "    a.f = -f; b.f = f;\n"
      "  end Spring;\n"
      "  model Fixed Flange a; equation a.s = 0; end Fixed;\n"
      "  Mass mass; Spring spring; Fixed fixed;\n"
      "equation\n"
      "  connect(fixed.a, spring.a); connect(spring.b, mass.a);\n"
      "end Chain;\n");
  EXPECT_EQ(program->state_slots.size(), 2U);
  const RunResult run = RunTo(5, program);
  EXPECT_NEAR(run["mass.s"].final(), -0.3368516805904134, 1e-9);
  EXPECT_NEAR(run["spring.speed"].final(), run["mass.v"].final(), 1e-12);
}

TEST(IndexReductionTest, KeepsAStateWhoseStartIsFixed) {
  const auto program = CompileBody(
      "  Real x(start=5), y(start=2, fixed=true), f;\n"
      "equation\n"
      "  der(x) = f; der(y) = -f - y; x = 2*y + 1;\n");
  const RunResult run = RunTo(1, program);
  EXPECT_EQ(run["y"][0], 2);
  EXPECT_EQ(run["x"][0], 5);
  EXPECT_NEAR(run["y"].final(), 2 * std::exp(-1.0 / 3), 1e-10);
}

TEST(IndexReductionTest, KeepsAStateThatEventsSet) {
  const auto program = CompileBody(
      "  Real x(start=5), y(start=2), f;\n"
      "equation\n"
      "  der(x) = f; der(y) = -f - y; 2*y + 1 = x;\n"
      "  when time > 1 then reinit(x, 7); end when;\n");
  const RunResult run = RunTo(2, program);
  EXPECT_NEAR(run["x"].final(), 2 * 3 * std::exp(-1.0 / 3) + 1, 1e-9);
}

TEST(IndexReductionTest, LetsEventsChangeWhatBindsStates) {
  const auto program = CompileBody(
      "  Real x, y(start=1), f; discrete Real g(start=1);\n"
      "equation\n"
      "  der(x) = f; der(y) = -f - g*y; x = y;\n"
      "  when time > 1 then g = 3; end when;\n");
  EXPECT_NEAR(RunTo(2, program)["x"].final(), std::exp(-2.0), 1e-9);
}

TEST(IndexReductionTest, ListsWhatIsLeftAsNoState) {
  const auto program = CompileBody(
      "  Real x, y(start=2, fixed=true), f;\n"
      "equation\n"
      "  der(x) = f; der(y) = -f - y; x = 2*y + 1;\n");
  const auto kind_of = [&](const std::string& name) {
    const auto found =
        std::ranges::find(program->variables, name, &ProgramVariable::name);
    return found->kind;
  };
  EXPECT_EQ(kind_of("x"), VariableKind::kAlgebraic);
  EXPECT_EQ(kind_of("y"), VariableKind::kState);
  EXPECT_EQ(kind_of("der(x)"), VariableKind::kDerivative);
}

// x = sqrt(1 + t).
TEST(IndexReductionTest, SolvesForDerivativesThatDependOnEachOther) {
  const auto program = CompileBody(
      "  Real x(start=1), y, u;\n"
      "equation\n"
      "  der(x) = u + time; y = 3*x; x*y = 3 + 3*time;\n");
  const RunResult run = RunTo(3, program);
  EXPECT_NEAR(run["y"].final(), 6, 1e-9);
  EXPECT_NEAR(run["u"].final(), 0.25 - 3, 1e-9);
}

// p = q = 0 holds at the start, and p' = 0.4 gives q'.
TEST(IndexReductionTest, AnEquationDeterminesAStateAndItsDerivativeTheRate) {
  const auto program = CompileBody(
      "  Real v, q, p, w(start=0.4, fixed=true), f;\n"
      "equation\n"
      "  der(p) = w; der(w) = -p; der(q) = v; der(v) = f;\n"
      "  p = q^3 + q;\n");
  EXPECT_NEAR(RunTo(1, program)["p"].final(), 0.4 * std::sin(1.0), 1e-9);
}

// i' = 1 - i - 6*3*i', as j = 3*i.
TEST(IndexReductionTest, AFactorThatNeverChangesHasNoDerivative) {
  const auto program = CompileBody(
      "  parameter Real k = 3; Real w, i(start=0, fixed=true), j, v;\n"
      "equation\n"
      "  w = 2*k; der(i) = 1 - i - w*v; der(j) = v; w*i = 2*j;\n");
  EXPECT_EQ(program->state_slots.size(), 1U);
  EXPECT_NEAR(RunTo(19, program)["i"].final(), 1 - std::exp(-1.0), 1e-9);
}

TEST(IndexReductionTest, RefusesToDifferentiateAnInput) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(
                    "  input Real u; Real x, f;\n"
                    "equation\n"
                    "  der(x) = f; x = u;\n");
              }),
              HasSubstr("the model is of a higher index"));
}

}  // namespace
}  // namespace orrery
