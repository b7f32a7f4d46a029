// Expandable connectors (specification 3.6, section 9.1.3): components that
// connections add, and errors. Runs are tested in sim.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kBus =
    "connector In = input Real;\n"
    "connector Out = output Real;\n"
    "expandable connector Bus\n"
    "  Real speed(unit = \"rad/s\");\n"
    "  Real spare;\n"
    "  parameter Integer n = 2;\n"
    "end Bus;\n"
    "expandable connector Empty\n"
    "end Empty;\n";

std::string DumpOfBus(const std::string& body) {
  return DumpOf(kBus + ("model A\n" + body) + "end A;\n", "A");
}

std::string ErrorsOfBus(const std::string& body) {
  return ErrorsOf(kBus + ("model A\n" + body) + "end A;\n", "A");
}

TEST(ExpandableTest, OnlyWhatIsConnectedExists) {
  EXPECT_EQ(DumpOfBus("  Bus bus;\n"
                      "  Out y = time;\n"
                      "equation\n"
                      "  connect(y, bus.speed);\n"),
            "output Real y\n"
            "Real bus.speed, unit rad/s\n"
            "parameter Integer bus.n = 2\n"
            "y = time\n"
            "connect y, bus.speed\n");
}

TEST(ExpandableTest, ConnectionsAddWhatNothingDeclares) {
  EXPECT_EQ(DumpOfBus("  Empty bus, other;\n"
                      "  Out y(unit = \"m\", start = 7) = time;\n"
                      "  Out v[2] = {time, 2};\n"
                      "equation\n"
                      "  connect(bus, other);\n"
                      "  connect(y, other.y);\n"
                      "  connect(bus.v, v);\n"),
            "output Real y, start 7, unit m\n"
            "output Real v[2]\n"
            "Real bus.v[2]\n"
            "Real bus.y, unit m\n"
            "Real other.y, unit m\n"
            "Real other.v[2]\n"
            "y = time\n"
            "v = {time, 2}\n"
            "connect bus.v, other.v\n"
            "connect bus.y, other.y\n"
            "connect y, other.y\n"
            "connect bus.v, v\n");
}

TEST(ExpandableTest, AnArrayIsAsLargeAsItsLargestSubscript) {
  EXPECT_THAT(DumpOfBus("  parameter Integer k = 2;\n"
                        "  Empty bus;\n"
                        "  Out a = 1;\n"
                        "  Out b = 2;\n"
                        "equation\n"
                        "  connect(a, bus.x[k]);\n"
                        "  connect(b, bus.x[4]);\n"),
              AllOf(HasSubstr("Real bus.x[4]\n"),
                    HasSubstr("bus.x[1] = 0\n"),
                    HasSubstr("bus.x[3] = 0\n"),
                    Not(HasSubstr("bus.x[2] = 0\n"))));
}

TEST(ExpandableTest, InputsAndOutputsOfAConnectorAreNoneOfTheModel) {
  EXPECT_THAT(DumpOfBus("  expandable connector B\n"
                        "    input Real u;\n"
                        "  end B;\n"
                        "  B bus;\n"
                        "  Out y = time;\n"
                        "equation\n"
                        "  connect(y, bus.u);\n"),
              HasSubstr("\nReal bus.u\n"));
}

TEST(ExpandableTest, WhatNoConnectionNamesCannotBeUsed) {
  const std::string unused =
      "'bus.spare' does not exist: no connection names it, and so the "
      "expandable connector has none";
  EXPECT_THAT(ErrorsOfBus("  Bus bus;\n  Real x = bus.spare;\n"),
              AllOf(HasSubstr(unused),
                    HasSubstr("connect with it what gives its value")));
  EXPECT_THAT(
      ErrorsOfBus("  Bus bus;\n  Real x;\nequation\n  x = bus.spare;\n"),
      HasSubstr(unused));
}

TEST(ExpandableTest, WhatOnlyConnectionsNameStandsInNoExpression) {
  EXPECT_THAT(ErrorsOfBus("  Empty bus;\n"
                          "  Out y = time;\n"
                          "  Real x = bus.y;\n"
                          "equation\n"
                          "  connect(y, bus.y);\n"),
              HasSubstr("'bus.y' cannot be used in an expression: the "
                        "expandable connector Empty does not declare it"));
}

TEST(ExpandableTest, OneEndOfAConnectionSaysWhatTheOtherIs) {
  EXPECT_THAT(
      ErrorsOfBus("  Empty a, b;\nequation\n  connect(a.p, b.p);\n"),
      AllOf(HasSubstr("cannot connect a.p and b.p: nothing says what 'a.p' is"),
            HasSubstr("declare it in Empty, or connect it with a connector "
                      "that is declared")));
  EXPECT_THAT(ErrorsOfBus("  Empty a;\n"
                          "  Out y = 1;\n"
                          "equation\n"
                          "  connect(a.sub.y, y);\n"),
              HasSubstr("nothing says what 'a.sub' is"));
  EXPECT_THAT(ErrorsOfBus("  Empty a;\n"
                          "  Out y[2] = {1, 2};\n"
                          "equation\n"
                          "  connect(a.y[:], y);\n"),
              AllOf(HasSubstr("nothing declares how many elements 'y' has"),
                    HasSubstr("name its elements, as in 'y[1:3]'")));
}

TEST(ExpandableTest, ExpandableConnectorsConnectWithEachOtherOnly) {
  EXPECT_THAT(
      ErrorsOfBus("  connector Pin\n"
                  "    Real v;\n"
                  "    flow Real i;\n"
                  "  end Pin;\n"
                  "  Empty bus;\n"
                  "  Pin p;\n"
                  "equation\n"
                  "  connect(bus, p);\n"),
      AllOf(HasSubstr("cannot connect bus and p: only one of them is "
                      "expandable"),
            HasSubstr("connect an element of the expandable one with it")));
}

TEST(ExpandableTest, AFlowVariableNeedsAConnectorOfItsOwn) {
  EXPECT_THAT(
      ErrorsOfBus("  expandable connector B\n"
                  "    flow Real i;\n"
                  "  end B;\n"
                  "  B bus;\n"),
      AllOf(HasSubstr("'bus.i' cannot be a flow variable: it stands in an "
                      "expandable connector"),
            HasSubstr("put it into a connector of its own")));
}

TEST(ExpandableTest, SubscriptsOfWhatIsAddedCountFromOneToABound) {
  const auto errors_of = [](const std::string& subscript) {
    return ErrorsOfBus("  Empty a;\n  Out y = 1;\nequation\n  connect(a.y[" +
                       subscript + "], y);\n");
  };
  EXPECT_THAT(errors_of("0"), HasSubstr("subscripts count from 1"));
  EXPECT_THAT(errors_of("1000000000"),
              HasSubstr("array 'a.y[1000000000]' is too large: at most 1000000 "
                        "elements are possible"));
}

TEST(ExpandableTest, ConnectionsOfOneNameAddOneComponent) {
  EXPECT_EQ(DumpOfBus("  Empty bus;\n"
                      "  Out y = time;\n"
                      "  In u, v;\n"
                      "equation\n"
                      "  connect(bus.signal, u);\n"
                      "  connect(y, bus.signal);\n"
                      "  connect(v, bus.signal);\n"),
            "output Real y\n"
            "input Real u\n"
            "input Real v\n"
            "Real bus.signal\n"
            "y = time\n"
            "connect bus.signal, u\n"
            "connect y, bus.signal\n"
            "connect v, bus.signal\n");
}

// Equations may give a signal of the bus its value.
TEST(ExpandableTest, InputsMayGetTheirValueThroughAnotherOneFromABus) {
  EXPECT_EQ(ErrorsOfBus("  block B\n    In u;\n  end B;\n"
                        "  Bus bus;\n  B a, b;\n"
                        "equation\n"
                        "  bus.speed = time;\n"
                        "  connect(bus.speed, a.u);\n"
                        "  connect(b.u, a.u);\n"),
            "");
}

TEST(ExpandableTest, SubscriptsBesideAnAbsentComponentMayBeTooLarge) {
  EXPECT_EQ(ErrorsOfBus("  block B\n    parameter Integer n = 1;\n"
                        "    In u[n];\n  end B;\n"
                        "  block C\n    Out y = 1;\n  end C;\n"
                        "  Bus bus;\n  B b;\n  C c if false;\n"
                        "equation\n"
                        "  bus.speed = time;\n"
                        "  connect(bus.speed, b.u[1]);\n"
                        "  connect(b.u[2], c.y);\n"),
            "");
}

}  // namespace
}  // namespace orrery::modelica
