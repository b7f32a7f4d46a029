// Selective model extension (specification 3.6, section 7.4).

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A control loop, as in the example of section 7.4.
std::string WithSystem(const std::string& derived) {
  return R"(
package P
  connector In = input Real;
  connector Out = output Real;
  model Source
    Out y = 3;
  end Source;
  model Gain
    parameter Real k = 2;
    In u;
    Out y = k*u;
  end Gain;
  model Shift
    In u;
    Out y = u + 1;
  end Shift;
  model System
    Source reference;
    Gain controller;
    Gain plant;
  equation
    connect(reference.y, controller.u);
    connect(controller.y, plant.u);
  end System;
  model Loops
    parameter Boolean b = true;
    Source s[2];
    Gain g[3];
  equation
    if b then
      for i in 1:2 loop
        connect(s[i].y, g[i].u);
      end for;
    end if;
    connect(s[2].y, g[3].u);
  end Loops;
)" + derived +
         "end P;\n";
}

TEST(SelectiveExtensionTest, AComponentCanStandOnAConnection) {
  const std::string dump = DumpOf(WithSystem(R"(
  model M
    extends System(break connect(controller.y, plant.u));
    Shift shift;
  equation
    connect(controller.y, shift.u);
    connect(shift.y, plant.u);
  end M;
)"),
                                  "P.M");
  EXPECT_THAT(dump, HasSubstr("connect controller.y, shift.u"));
  EXPECT_THAT(dump, HasSubstr("connect shift.y, plant.u"));
  EXPECT_THAT(dump, Not(HasSubstr("connect controller.y, plant.u")));
  EXPECT_THAT(dump, HasSubstr("connect reference.y, controller.u"));
}

TEST(SelectiveExtensionTest, TheEndsOfAConnectionMayBeSwapped) {
  EXPECT_THAT(DumpOf(WithSystem(R"(
  model M
    extends System(break connect(plant.u, controller.y));
  equation
    plant.u = 5;
  end M;
)"),
                     "P.M"),
              Not(HasSubstr("connect controller.y, plant.u")));
}

TEST(SelectiveExtensionTest, AComponentGoesWithItsConnections) {
  const std::string dump = DumpOf(WithSystem(R"(
  model M
    extends System(break controller);
    Shift controller;
  equation
    connect(controller.y, plant.u);
    controller.u = 7;
  end M;
)"),
                                  "P.M");
  EXPECT_THAT(dump, Not(HasSubstr("controller.k")));
  EXPECT_THAT(dump, Not(HasSubstr("connect reference.y")));
  EXPECT_THAT(dump, HasSubstr("connect controller.y, plant.u"));
}

TEST(SelectiveExtensionTest, ConnectionsInLoopsAndBranchesAreFound) {
  const std::string dump = DumpOf(WithSystem(R"(
  model M
    extends Loops(break connect(g[ i ].u /* any text */, s[i].y));
  equation
    g[1].u = 1;
    g[2].u = 2;
  end M;
)"),
                                  "P.M");
  EXPECT_THAT(dump, Not(HasSubstr("g[1].u, ")));
  EXPECT_THAT(dump, Not(HasSubstr("connect s[1].y")));
  EXPECT_THAT(dump, HasSubstr("connect s[2].y, g[3].u"));
}

TEST(SelectiveExtensionTest, WhatABaseInheritsIsLeftOutToo) {
  const std::string dump = DumpOf(WithSystem(R"(
  model Middle
    extends System(plant(k = 9));
  end Middle;
  model M
    extends Middle(break reference);
  equation
    controller.u = 4;
  end M;
)"),
                                  "P.M");
  EXPECT_THAT(dump, Not(HasSubstr("reference")));
  EXPECT_THAT(dump, HasSubstr("parameter Real plant.k = 9"));
}

TEST(SelectiveExtensionTest, AnotherExtendsClauseStillHasTheComponent) {
  EXPECT_THAT(DumpOf(WithSystem(R"(
  model A
    extends System(break reference);
  end A;
  model M
    extends A;
    extends System;
  end M;
)"),
                     "P.M"),
              HasSubstr("connect reference.y, controller.u"));
}

TEST(SelectiveExtensionTest, ABreakMustLeaveOutAComponent) {
  EXPECT_THAT(ErrorsOf(WithSystem("  model M\n"
                                  "    extends System(break motor);\n"
                                  "  end M;\n"),
                       "P.M"),
              HasSubstr("nothing to leave out: P.System has no component "
                        "'motor'"));
}

TEST(SelectiveExtensionTest, ABreakMustLeaveOutAConnection) {
  EXPECT_THAT(ErrorsOf(WithSystem("  model M\n"
                                  "    extends System(break connect(plant.y, "
                                  "controller.u));\n"
                                  "  end M;\n"),
                       "P.M"),
              HasSubstr("nothing to leave out: P.System has no connection "
                        "connect(plant.y, controller.u)"));
}

TEST(SelectiveExtensionTest, WhatIsLeftOutCannotBeModified) {
  EXPECT_THAT(
      ErrorsOf(WithSystem("  model M\n"
                          "    extends System(break plant, plant(k = 3));\n"
                          "  end M;\n"),
               "P.M"),
      HasSubstr("no element 'plant' in class P.System"));
}

}  // namespace
}  // namespace orrery::modelica
