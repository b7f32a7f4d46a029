// Stream connectors (specification 3.6, chapter 15), by their results.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kPorts = R"(
  connector Port
    Real p;
    flow Real m_flow;
    stream Real h;
    stream Real X[2];
  end Port;
  model Vessel
    Port port;
    parameter Real p = 1;
    parameter Real h = 10;
  equation
    port.p = p;
    port.h = h;
    port.X = {h, 2*h};
  end Vessel;
  model Pump
    Port port(m_flow(min = least, max = most));
    parameter Real h = 10;
    parameter Real least = -1e60;
    parameter Real most = 1e60;
    Real rate = 0;
    Real enters = inStream(port.h);
    Real actual = actualStream(port.h);
    Real part[2] = actualStream(port.X);
  equation
    port.m_flow = rate;
    port.h = h;
    port.X = {h, 2*h};
  end Pump;
  model Pipe
    Port a, b;
  equation
    a.m_flow + b.m_flow = 0;
    a.p = b.p;
    a.h = inStream(b.h);
    b.h = inStream(a.h);
    a.X = inStream(b.X);
    b.X = inStream(a.X);
  end Pipe;
  model Casing
    Port a, b;
    Pipe pipe;
  equation
    connect(a, pipe.a);
    connect(pipe.b, b);
  end Casing;
  model Header
    Port ports[3];
  equation
    connect(ports[1], ports[2]);
    connect(ports[2], ports[3]);
  end Header;
)";

Trajectory RunWithPorts(const std::string& body, double stop = 1) {
  return Simulate(CompileBody(kPorts + body), {.stop = stop});
}

TEST(StreamTest, OfTwoConnectorsEachReceivesWhatTheOtherSends) {
  const Trajectory result = RunWithPorts(
      "  Vessel v(h = 5);\n"
      "  Pump f(h = 20);\n"
      "  Real enters = inStream(v.port.h);\n"
      "equation\n"
      "  connect(v.port, f.port);\n");
  EXPECT_EQ(result["f.enters"].final(), 5);
  EXPECT_EQ(result["enters"].final(), 20);
}

TEST(StreamTest, WhatIsCarriedTurnsWithTheFlow) {
  const Trajectory result = RunWithPorts(
      "  Vessel v(h = 5);\n"
      "  Pump f(h = 20, rate = 1 - time);\n"
      "equation\n"
      "  connect(v.port, f.port);\n",
      2);
  EXPECT_EQ(result["f.actual"].at(0.5), 5);
  EXPECT_EQ(result["f.actual"].final(), 20);
  EXPECT_EQ(result["f.part[2]"].at(0.5), 10);
  EXPECT_EQ(result["f.part[2]"].final(), 40);
}

TEST(StreamTest, ConnectorsAroundPartsPassOnWhatTheseSend) {
  const Trajectory result = RunWithPorts(
      "  Vessel v(h = 5);\n"
      "  Casing casing;\n"
      "  Pump f(h = 20, rate = 1);\n"
      "equation\n"
      "  connect(v.port, casing.a);\n"
      "  connect(casing.b, f.port);\n");
  EXPECT_EQ(result["casing.a.h"].final(), 20);
  EXPECT_EQ(result["casing.b.h"].final(), 5);
  EXPECT_EQ(result["casing.b.X[2]"].final(), 10);
  EXPECT_EQ(result["f.actual"].final(), 5);
}

TEST(StreamTest, StreamsMixInTheProportionOfTheirFlows) {
  const Trajectory result = RunWithPorts(
      "  Pump a(h = 10, rate = -1), b(h = 20, rate = -3);\n"
      "  Vessel v(h = 5);\n"
      "  Real mixed = inStream(v.port.h);\n"
      "equation\n"
      "  connect(a.port, v.port);\n"
      "  connect(b.port, v.port);\n");
  EXPECT_NEAR(result["mixed"].final(), 17.5, 1e-12);
  // Nothing comes out of the vessel, so that each pump would get the other's.
  EXPECT_NEAR(result["a.enters"].final(), 20, 1e-12);
  EXPECT_NEAR(result["b.enters"].final(), 10, 1e-12);
}

TEST(StreamTest, WithoutFlowsTheMixtureIsTheMean) {
  const Trajectory result = RunWithPorts(
      "  Pump a(h = 10), b(h = 20), c(h = 60);\n"
      "  Vessel v(h = 5);\n"
      "  Real mixed = inStream(v.port.h);\n"
      "equation\n"
      "  connect(a.port, v.port);\n"
      "  connect(b.port, v.port);\n"
      "  connect(c.port, v.port);\n");
  EXPECT_NEAR(result["mixed"].final(), 30, 1e-12);
}

TEST(StreamTest, TheMixtureIsSmoothWhereTheFlowsTurn) {
  const Trajectory result = RunWithPorts(
      "  Pump a(h = 10, rate = time - 1), b(h = 20, rate = 2*(time - 1));\n"
      "  Vessel v(h = 5);\n"
      "  Real mixed = inStream(v.port.h);\n"
      "  Real sum(start = 0, fixed = true);\n"
      "equation\n"
      "  der(sum) = mixed;\n"
      "  connect(a.port, v.port);\n"
      "  connect(b.port, v.port);\n",
      2);
  EXPECT_NEAR(result["mixed"].at(0.5), 50.0 / 3, 1e-12);
  EXPECT_NEAR(result["mixed"].final(), 15, 1e-12);
  EXPECT_NEAR(result["sum"].final(), 50.0 / 3 + 15, 1e-3);
}

TEST(StreamTest, WhatCannotSendIsNotPartOfTheMixture) {
  // If only one can send, its quantity comes, at any flow.
  const Trajectory result = RunWithPorts(
      "  Pump a(h = 10, least = 0), b(h = 20);\n"
      "  Vessel v(h = 5);\n"
      "  Real mixed = inStream(v.port.h);\n"
      "equation\n"
      "  connect(a.port, v.port);\n"
      "  connect(b.port, v.port);\n");
  EXPECT_EQ(result["mixed"].final(), 20);
}

TEST(StreamTest, AFlowThatCannotTurnDecidesWhatIsCarried) {
  const Trajectory result = RunWithPorts(
      "  Pump a(h = 10, least = 0), b(h = 20, most = 0);\n"
      "  Vessel v(h = 5), w(h = 6);\n"
      "equation\n"
      "  connect(a.port, v.port);\n"
      "  connect(b.port, w.port);\n");
  EXPECT_EQ(result["a.actual"].final(), 5);
  EXPECT_EQ(result["b.actual"].final(), 20);
}

TEST(StreamTest, ConnectorsOfOneComponentMixAmongThemselves) {
  const Trajectory result = RunWithPorts(
      "  Header header;\n"
      "  Pump a(h = 10, rate = -1), b(h = 20, rate = -3);\n"
      "  Vessel v(h = 5);\n"
      "equation\n"
      "  connect(a.port, header.ports[1]);\n"
      "  connect(b.port, header.ports[2]);\n"
      "  connect(v.port, header.ports[3]);\n");
  EXPECT_NEAR(result["header.ports[3].h"].final(), 17.5, 1e-12);
  EXPECT_NEAR(result["header.ports[1].h"].final(), 20, 1e-12);
}

TEST(StreamTest, ArraysOfConnectorsAreAskedAsOne) {
  const Trajectory result = RunWithPorts(
      "  Pump f[3](h = {1, 2, 3}, rate = {-1, -1, 0});\n"
      "  Vessel v(h = 7);\n"
      "  Real enters[3] = inStream(f.port.h);\n"
      "  Real parts[3, 2] = inStream(f.port.X);\n"
      "  Real each1[3];\n"
      "equation\n"
      "  for i in 1:3 loop\n"
      "    connect(f[i].port, v.port);\n"
      "    each1[i] = actualStream(f[i].port.h);\n"
      "  end for;\n");
  EXPECT_NEAR(result["enters[1]"].final(), 2, 1e-12);
  EXPECT_NEAR(result["enters[3]"].final(), 1.5, 1e-12);
  EXPECT_NEAR(result["parts[3,2]"].final(), 3, 1e-12);
  EXPECT_EQ(result["each1[2]"].final(), 2);
}

TEST(StreamTest, AConnectorByItselfReceivesWhatItSends) {
  const Trajectory result = RunWithPorts(
      "  Vessel v(h = 7);\n"
      "  Real enters = inStream(v.port.h);\n");
  EXPECT_EQ(result["enters"].final(), 7);
}

TEST(StreamTest, AlgorithmsAskForStreamsToo) {
  const Trajectory result = RunWithPorts(
      "  Vessel v(h = 5);\n"
      "  Pump f(h = 20);\n"
      "  Real twice;\n"
      "equation\n"
      "  connect(v.port, f.port);\n"
      "algorithm\n"
      "  twice := 2*inStream(f.port.h);\n");
  EXPECT_EQ(result["twice"].final(), 10);
}

}  // namespace
}  // namespace orrery
