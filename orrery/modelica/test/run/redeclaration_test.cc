// A redeclaration keeps all that it does not mention of the declaration that it
// replaces.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// Runs a model with these parts for a second.
Trajectory RunWithParts(const std::string& body) {
  return Simulate(CompileBody(R"(
  partial model Part
    parameter Real k = 1;
    Real y;
  end Part;
  model Up
    extends Part;
  equation
    y = k*time;
  end Up;
  model Down
    extends Part;
  equation
    y = -k*time;
  end Down;
)" + body),
                  {.stop = 1});
}

TEST(RedeclarationTest, KeepsTheSizesOfAnArray) {
  const Trajectory result = RunWithParts(R"(
  model Row
    parameter Integer n = 2;
    replaceable Up parts[n] constrainedby Part;
    Real sum_of = sum(parts.y);
  end Row;
  Row a(n = 3, redeclare Down parts);
  Row b(redeclare Down parts[2](k = {5, 6}));
)");
  EXPECT_EQ(result["a.sum_of"].final(), -3);
  EXPECT_EQ(result["b.sum_of"].final(), -11);
}

TEST(RedeclarationTest, KeepsTheSizesOfAnArrayThatAnExtendingModelRedeclares) {
  EXPECT_EQ(RunWithParts(R"(
  partial model Row
    parameter Integer n = 2;
    replaceable Part parts[n];
    Real sum_of = sum(parts.y);
  end Row;
  model Falling
    extends Row(n = 4);
    redeclare Down parts(each k = 2);
  end Falling;
  Falling a;
)")["a.sum_of"]
                .final(),
            -8);
}

TEST(RedeclarationTest, KeepsTheConditionOfAComponent) {
  const Trajectory result = RunWithParts(R"(
  model Choice
    parameter Boolean has = true;
    replaceable Up part if has;
    Real z = time;
  end Choice;
  Choice with(redeclare Down part(k = 3));
  Choice without(has = false, redeclare Down part(k = 4));
)");
  EXPECT_EQ(result["with.part.y"].final(), -3);
  EXPECT_FALSE(result.Contains("without.part.y"));
}

TEST(RedeclarationTest, KeepsPrefixes) {
  const Trajectory result = RunWithParts(R"(
  type Factor = Real(unit = "1");
  model Scaled
    replaceable parameter Real k = 2;
    Real y = k*time;
  end Scaled;
  Scaled a(redeclare Factor k = 7);
  Real twice[integer(a.k)] = fill(2, integer(a.k));
)");
  EXPECT_EQ(result["a.y"].final(), 7);
  EXPECT_EQ(result["twice[7]"].final(), 2);
}

TEST(RedeclarationTest, KeepsWhatTheConstrainingTypeOfAnEarlierOneSays) {
  const Trajectory result = RunWithParts(R"(
  model Holder
    replaceable Up part;
  end Holder;
  model Steep
    extends Holder(
      redeclare replaceable Up part constrainedby Part(k = 3));
  end Steep;
  model Falling
    extends Steep(redeclare Down part);
  end Falling;
  Falling a;
)");
  EXPECT_EQ(result["a.part.y"].final(), -3);
}

TEST(RedeclarationTest, LeavesWhatOnlyTheEarlierDeclarationSays) {
  const Trajectory result = RunWithParts(R"(
  model Holder
    replaceable Up part;
  end Holder;
  model Steep
    extends Holder(
      redeclare replaceable Up part(k = 5) constrainedby Part);
  end Steep;
  Steep a;
  Steep b(redeclare Down part);
)");
  EXPECT_EQ(result["a.part.y"].final(), 5);
  EXPECT_EQ(result["b.part.y"].final(), -1);
}

TEST(RedeclarationTest, AFinalOneTakesNoValueWithAnother) {
  const auto say = [] {
    return CompileBody(R"(
  record B
    Real x = 1;
  end B;
  model D
    replaceable B b;
  end D;
  model E
    extends D(redeclare final replaceable B b constrainedby B(x = 2));
  end E;
  E e(redeclare B b = B(7));
)");
  };
  EXPECT_THAT(MessageOf(say), testing::HasSubstr("cannot modify a final"));
}

}  // namespace
}  // namespace orrery
