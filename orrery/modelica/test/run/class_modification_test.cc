// Modifications of classes: of nested ones, and of types.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A plant with pumps in several forms.
const char* const kPlant = R"(
  model Plant
    model Pump
      parameter Real k = 1;
      Real rate = 2*k;
    end Pump;
    model Booster
      extends Pump;
      Real twice = 2*rate;
    end Booster;
    Pump plain, own(k = 7);
    Pump row[2];
    Booster booster;
  end Plant;
)";

Trajectory RunOf(const std::string& body) {
  return Simulate(CompileBody(kPlant + body), {.stop = 1});
}

TEST(ClassModificationTest, OneOfANestedClassHoldsForItsComponents) {
  const Trajectory result = RunOf("  Plant p(Pump(k = 5));\n");
  EXPECT_EQ(result["p.plain.rate"].final(), 10);
  EXPECT_EQ(result["p.row[2].rate"].final(), 10);
}

TEST(ClassModificationTest, OneOfANestedClassHoldsForWhatExtendsIt) {
  const Trajectory result = RunOf("  Plant p(Pump(k = 5));\n");
  EXPECT_EQ(result["p.booster.twice"].final(), 20);
}

TEST(ClassModificationTest, OneInAnExtendsClauseHoldsForComponents) {
  const Trajectory result = RunOf("  extends Plant(Pump(k = 3));\n");
  EXPECT_EQ(result["plain.rate"].final(), 6);
}

TEST(ClassModificationTest, AComponentsOwnIsStronger) {
  const Trajectory result = RunOf("  Plant p(Pump(k = 5));\n");
  EXPECT_EQ(result["p.own.rate"].final(), 14);
}

TEST(ClassModificationTest, ItsNamesAreThoseOfWhereItStands) {
  const Trajectory result = RunOf(
      "  parameter Real k = 4;\n"
      "  Plant p(Pump(k = 2*k));\n");
  EXPECT_EQ(result["p.plain.rate"].final(), 16);
}

// A medium whose enthalpy has two solutions: the start value chooses one.
const char* const kMedia = R"(
  package Base
    type Enthalpy = Real(start = 1);
    model State
      Enthalpy h;
      parameter Real size = 3;
    equation
      h^2 = size^2;
    end State;
  end Base;
  package Cold = Base(Enthalpy(start = -1), State(size = 2));
  package Frozen
    extends Cold(Enthalpy(max = 0));
  end Frozen;
)";

TEST(ClassModificationTest, OneOfAPackagesTypeHoldsForComponentsInTheModel) {
  const Trajectory result =
      Simulate(CompileBody(std::string(kMedia) + "  Cold.Enthalpy h;\n"
                                                 "equation\n"
                                                 "  h^2 = 16;\n"),
               {.stop = 1});
  EXPECT_DOUBLE_EQ(result["h"].final(), -4);
}

TEST(ClassModificationTest, ThoseOfAPackageHoldForItsModels) {
  const Trajectory result =
      Simulate(CompileBody(std::string(kMedia) + "  Cold.State cold;\n"
                                                 "  Base.State base;\n"),
               {.stop = 1});
  EXPECT_DOUBLE_EQ(result["cold.h"].final(), -2);
  EXPECT_DOUBLE_EQ(result["base.h"].final(), 3);
}

TEST(ClassModificationTest, AComponentsOwnIsStrongerThanThatOfAPackage) {
  const Trajectory result = Simulate(
      CompileBody(std::string(kMedia) + "  Cold.State s(size = 5);\n"
                                        "  Cold.Enthalpy h(start = 1);\n"
                                        "equation\n"
                                        "  h^2 = 16;\n"),
      {.stop = 1});
  EXPECT_DOUBLE_EQ(result["s.h"].final(), -5);
  EXPECT_DOUBLE_EQ(result["h"].final(), 4);
}

TEST(ClassModificationTest, ThoseOfAPackageHoldForThePackagesThatExtendIt) {
  const Trajectory result = Simulate(
      CompileBody(std::string(kMedia) + "  Frozen.State s;\n"), {.stop = 1});
  EXPECT_DOUBLE_EQ(result["s.h"].final(), -2);
}

TEST(ClassModificationTest, ThoseOfAPackageMayUseParametersOfTheModel) {
  const Trajectory result = Simulate(
      CompileBody(
          std::string(kMedia) +
          "  model Plant\n"
          "    replaceable package Medium = Base;\n"
          "    Medium.State s;\n"
          "  end Plant;\n"
          "  parameter Real k = 6;\n"
          "  package Local = Base(Enthalpy(start = -k));\n"
          "  Local.State s;\n"
          "  Plant p(redeclare package Medium = Base(State(size = k)));\n"),
      {.stop = 1});
  EXPECT_DOUBLE_EQ(result["s.h"].final(), -3);
  EXPECT_DOUBLE_EQ(result["p.s.h"].final(), 6);
}

TEST(ClassModificationTest,
     AClassThatExtendsOneThatItInheritsIsNoEndlessSearch) {
  const Trajectory result = Simulate(CompileBody("  model Outer\n"
                                                 "    model Part\n"
                                                 "      Real q = time;\n"
                                                 "    end Part;\n"
                                                 "  end Outer;\n"
                                                 "  model Both\n"
                                                 "    extends Outer;\n"
                                                 "    extends Part;\n"
                                                 "  end Both;\n"
                                                 "  Both b;\n"),
                                     {.stop = 1});
  EXPECT_EQ(result["b.q"].final(), 1);
}

TEST(ClassModificationTest, OneOfAPackageIsRefused) {
  EXPECT_EQ(
      MessageOf([] {
        return CompileBody(
            "  model Room\n"
            "    package Air\n"
            "      constant Real cp = 1;\n"
            "    end Air;\n"
            "    Real x = Air.cp;\n"
            "  end Room;\n"
            "  Room room(Air(cp = 2));\n");
      }),
      "test.mo:8:13: error: modifying 'Air', a package, is not supported "
      "yet\n"
      "    8 |   Room room(Air(cp = 2));\n"
      "      |             ^~~ redeclare it as one that is modified so\n");
}

TEST(ClassModificationTest, ATypeThatExtendsAnotherTakesItsAttributes) {
  const Trajectory result = Simulate(CompileBody(R"(
  type Level
    extends Real;
  end Level;
  type Depth
    extends Level(unit = "m");
  end Depth;
  type Depths = Depth[2](each start = 3, each min = 0);
  Depths x(each fixed = true);
equation
  der(x) = {1, 2};
)"),
                                     {.stop = 1});
  EXPECT_NEAR(result["x[2]"].final(), 5, 1e-12);
}

}  // namespace
}  // namespace orrery
