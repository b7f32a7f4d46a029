// Functions that are found through components, `world.gravity(r)`, and whose
// inputs have defaults of their instance (specification 3.6, sections 5.3.2,
// 12.4.1).

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

// A model of worlds with a law of gravity, and of balls in them.
std::string WithWorlds(const std::string& body) {
  return R"(
model A
  partial function Gravity
    input Real r[3];
    output Real g[3];
  end Gravity;
  function uniform
    extends Gravity;
    input Real strength;
    input Real n[3];
  algorithm
    g := strength*n;
  end uniform;
  function central
    extends Gravity;
    input Real mu;
  algorithm
    g := -mu/(r*r)*r;
  end central;
  model World
    parameter Real strength = 9;
    parameter Real n[3] = {0, -1, 0};
    replaceable function gravity = uniform(strength = strength, n = 2*n)
      constrainedby Gravity;
    Real own[3] = gravity({0, 0, 3});
  protected
    function hidden
      input Real x;
      output Real y = 2*x;
    end hidden;
  end World;
  model Ball
    outer World world;
    parameter Real r[3] = {1, 2, 2};
    Real a[3] = world.gravity(r);
  end Ball;
)" + body +
         "end A;\n";
}

Trajectory RunWorlds(const std::string& body) {
  return Simulate(CompileText(WithWorlds(body)), {.stop = 1});
}

std::string ErrorOfWorlds(const std::string& body) {
  return MessageOf([&] { return CompileText(WithWorlds(body)); });
}

TEST(ComponentFunctionTest, DefaultsAreOfTheInstanceThatItIsFoundThrough) {
  const Trajectory result =
      RunWorlds("  inner World world(strength = 3);\n  Ball b;\n");
  EXPECT_EQ(result["b.a[1]"].final(), 0);
  EXPECT_EQ(result["b.a[2]"].final(), -6);
  EXPECT_EQ(result["world.own[2]"].final(), -6);
}

TEST(ComponentFunctionTest, TwoInstancesHaveDefaultsOfTheirOwn) {
  const Trajectory result = RunWorlds(
      "  World v[2](strength = {1, 4});\n"
      "  Real x[3] = v[1].gravity({0, 0, 0});\n"
      "  Real y[3] = v[2].gravity({0, 0, 0});\n");
  EXPECT_EQ(result["x[2]"].final(), -2);
  EXPECT_EQ(result["y[2]"].final(), -8);
  EXPECT_EQ(result["v[2].own[2]"].final(), -8);
}

TEST(ComponentFunctionTest, ARedeclarationNamesWhatIsAroundIt) {
  const Trajectory result = RunWorlds(
      "  parameter Real mu = 18;\n"
      "  inner World world(redeclare function gravity = central(mu = mu));\n"
      "  Ball b;\n");
  EXPECT_EQ(result["b.a[1]"].final(), -2);
  EXPECT_EQ(result["b.a[3]"].final(), -4);
}

TEST(ComponentFunctionTest, AnArgumentGoesBeforeTheDefault) {
  const Trajectory result = RunWorlds(
      "  World v;\n"
      "  Real x[3] = v.gravity({0, 0, 0}, n = {1, 0, 0});\n");
  EXPECT_EQ(result["x[1]"].final(), 9);
}

TEST(ComponentFunctionTest, ItsResultsCanBeUnknownsOfALoop) {
  const Trajectory result = RunWorlds(
      "  World v(redeclare function gravity = central(mu = 1));\n"
      "  Real x[3](each start = 1);\n"
      "equation\n"
      "  v.gravity(x) = {-0.25, -0.25, 0};\n");
  EXPECT_NEAR(result["x[1]"].final(), 2, 1e-9);
  EXPECT_NEAR(result["x[2]"].final(), 2, 1e-9);
  EXPECT_NEAR(result["x[3]"].final(), 0, 1e-9);
}

TEST(ComponentFunctionTest, WhatTheClassDoesNotHaveIsNamed) {
  EXPECT_THAT(ErrorOfWorlds("  World v;\n  Real x = v.gravty(1);\n"),
              HasSubstr("no element 'gravty' in class A.World"));
}

TEST(ComponentFunctionTest, AComponentIsNoFunction) {
  EXPECT_THAT(ErrorOfWorlds("  World v;\n  Real x = v.strength(1);\n"),
              HasSubstr("'v.strength' is a component, not a function"));
}

TEST(ComponentFunctionTest, AProtectedFunctionCannotBeCalledFromOutside) {
  EXPECT_THAT(ErrorOfWorlds("  World v;\n  Real x = v.hidden(1);\n"),
              HasSubstr("cannot use 'hidden' here: it is protected"));
}

TEST(ComponentFunctionTest, AnArrayOfComponentsHasNoFunction) {
  EXPECT_THAT(
      ErrorOfWorlds("  World v[2];\n  Real x[3] = v.gravity({0, 0, 0});\n"),
      HasSubstr("'v' is an array: a function is found through one component"));
}

TEST(ComponentFunctionTest, OtherClassesAreNotFoundThroughComponents) {
  EXPECT_THAT(
      ErrorOfWorlds("  model M\n    record R\n      Real x;\n    end R;\n"
                    "  end M;\n  M m;\n  M.R x = m.R(1);\n"),
      HasSubstr("'R' is a record in A.M: only functions are found through a "
                "component"));
}

}  // namespace
}  // namespace orrery
