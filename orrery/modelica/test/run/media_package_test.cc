// Replaceable packages, as those of media: their contents, with all
// redeclarations, are those of the package that a component takes.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kMedia = R"(
  partial package PartialMedium
    constant Integer n = 1;
    type MassFlowRate = Real(unit = "kg/s");
    replaceable record State
      Real T;
    end State;
    replaceable partial model Properties
      parameter Real offset = 0;
      State state;
      Real h;
    end Properties;
    replaceable partial function density
      input State state;
      output Real d;
    end density;
  end PartialMedium;
  partial package PartialPure
    extends PartialMedium;
    redeclare replaceable partial model extends Properties
      Real twice = 2*h;
    end Properties;
  end PartialPure;
  package Liquid
    extends PartialPure(n = 2);
    constant Real c = 4;
    redeclare record extends State
      Real p;
    end State;
    redeclare model extends Properties(offset = 1)
    equation
      state.T = 300;
      state.p = 2;
      h = c*state.T + offset;
    end Properties;
    redeclare function extends density
    algorithm
      d := 10*state.p;
    end density;
  end Liquid;
  package Heavy
    extends Liquid(c = 5);
  end Heavy;
  model Tank
    replaceable package Medium = PartialMedium;
    Medium.Properties medium;
    Medium.MassFlowRate m_flow = 3;
    Real d = Medium.density(medium.state);
    Real x[Medium.n] = fill(time, Medium.n);
  end Tank;
)";

Trajectory RunWithMedia(const std::string& body) {
  return Simulate(CompileBody(kMedia + body), {.stop = 1});
}

TEST(MediaPackageTest, AModelExtendedInEachPackageHasThePartsOfAll) {
  const Trajectory result =
      RunWithMedia("  Tank tank(redeclare package Medium = Liquid);\n");
  EXPECT_EQ(result["tank.medium.h"].final(), 1201);
  EXPECT_EQ(result["tank.medium.twice"].final(), 2402);
}

TEST(MediaPackageTest, ConstantsTypesAndFunctionsAreThoseOfTheRedeclared) {
  const Trajectory result =
      RunWithMedia("  Tank tank(redeclare package Medium = Heavy);\n");
  EXPECT_EQ(result["tank.medium.h"].final(), 1501);
  EXPECT_EQ(result["tank.m_flow"].final(), 3);
  EXPECT_EQ(result["tank.d"].final(), 20);
  EXPECT_EQ(result["tank.x[2]"].final(), 1);
}

TEST(MediaPackageTest, TwoComponentsMayTakeDifferentOnes) {
  const Trajectory result = RunWithMedia(R"(
  Tank a(redeclare package Medium = Liquid);
  Tank b(redeclare package Medium = Heavy);
)");
  EXPECT_EQ(result["b.medium.h"].final() - result["a.medium.h"].final(), 300);
}

TEST(MediaPackageTest, PassesOnThePackageOfAComponentAround) {
  const Trajectory result = RunWithMedia(R"(
  model Pair
    replaceable package Medium = Liquid constrainedby PartialMedium;
    Tank tank(redeclare package Medium = Medium);
  end Pair;
  Pair pair(redeclare package Medium = Heavy);
)");
  EXPECT_EQ(result["pair.tank.medium.h"].final(), 1501);
}

}  // namespace
}  // namespace orrery
