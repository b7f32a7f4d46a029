// Outer elements for which nothing is declared inner (specification 3.6,
// section 5.4).

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Flattened {
  std::string dump;
  std::string findings;
};

Flattened FlattenedM(const std::string& classes) {
  Diagnostics diagnostics;
  const auto flat = Flatten(std::make_shared<SourceFile>(
                                "a.mo", "package P\n" + classes + "end P;\n"),
                            "P.M",
                            diagnostics);
  return {.dump = flat ? Dump(*flat) : std::string(),
          .findings = Render(diagnostics.list())};
}

constexpr const char* kWorld =
    "  model World parameter Real g = 9.81; end World;\n"
    "  model User outer World world; Real y = world.g; end User;\n";

TEST(InnerComponentsTest, AMissingInnerComponentIsAddedAtTheTop) {
  const Flattened got =
      FlattenedM(std::string(kWorld) + "  model M User u; end M;\n");
  EXPECT_THAT(got.dump,
              AllOf(HasSubstr("world.g = 9.81"), HasSubstr("u.y = world.g")));
  EXPECT_EQ(got.findings,
            "a.mo:3:26: warning: no inner 'world' is declared around this "
            "outer component; the model gets one at its top, with its "
            "defaults\n"
            "    3 |   model User outer World world; Real y = world.g; end "
            "User;\n"
            "      |                          ^~~~~ declare 'inner' World "
            "world in the model\n");
}

TEST(InnerComponentsTest, AllOuterComponentsOfANameShareTheOneThatIsAdded) {
  const Flattened got = FlattenedM(
      std::string(kWorld) +
      "  model Part User u; outer World world; Real z = 2*world.g; end Part;\n"
      "  model M Part a; User b; end M;\n");
  EXPECT_THAT(got.dump,
              AllOf(HasSubstr("a.u.y = world.g"),
                    HasSubstr("a.z = 2*world.g"),
                    HasSubstr("b.y = world.g"),
                    Not(HasSubstr("a.world.g"))));
}

TEST(InnerComponentsTest, WhatIsAddedMayTakeFromAroundItself) {
  EXPECT_THAT(FlattenedM(std::string(kWorld) +
                         "  model Sun outer World world;\n"
                         "    Real s = 3*world.g; end Sun;\n"
                         "  model Leaf outer Sun sun; Real y = sun.s; end "
                         "Leaf;\n"
                         "  model M Leaf u; end M;\n")
                  .dump,
              AllOf(HasSubstr("sun.s = 3*world.g"), HasSubstr("u.y = sun.s")));
}

TEST(InnerComponentsTest, TheWarningIsTheOneThatTheClassGives) {
  EXPECT_THAT(
      FlattenedM("  model World parameter Real g = 1;\n"
                 "    annotation(missingInnerMessage = \"Take mine.\");\n"
                 "  end World;\n"
                 "  model User outer World w; Real y = w.g; end User;\n"
                 "  model M User u; end M;\n")
          .findings,
      HasSubstr("Take mine."));
}

TEST(InnerComponentsTest, AnOuterComponentAtTheTopIsTheOneOfAllBelow) {
  EXPECT_THAT(FlattenedM(std::string(kWorld) +
                         "  model M outer World world; User u; end M;\n")
                  .dump,
              AllOf(HasSubstr("world.g = 9.81"), HasSubstr("u.y = world.g")));
}

TEST(InnerComponentsTest, DifferentClassesOfOneNameCannotShareWhatIsAdded) {
  EXPECT_THAT(
      FlattenedM(std::string(kWorld) +
                 "  model Other parameter Real h = 1; end Other;\n"
                 "  model User2 outer Other world; Real y = world.h; end "
                 "User2;\n"
                 "  model M User u; User2 v; end M;\n")
          .findings,
      HasSubstr("cannot be the inner component of 'v.world'"));
}

TEST(InnerComponentsTest, APartialClassIsNotAdded) {
  EXPECT_THAT(
      FlattenedM("  partial model World parameter Real g = 1; end World;\n"
                 "  model User outer World w; Real y = w.g; end User;\n"
                 "  model M User u; end M;\n")
          .findings,
      HasSubstr("none can be added at the top of the model: class P.World is "
                "partial"));
}

TEST(InnerComponentsTest, ACompleteOuterClassIsItsOwnInnerOne) {
  const Flattened got = FlattenedM(
      "  model User\n"
      "    outer model Part Real v = 7; end Part;\n"
      "    Part p; end User;\n"
      "  model M User u; end M;\n");
  EXPECT_THAT(got.dump, HasSubstr("u.p.v = 7"));
  EXPECT_THAT(got.findings, HasSubstr("it is taken as it is"));
}

}  // namespace
}  // namespace orrery::modelica
