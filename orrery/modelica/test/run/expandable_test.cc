// Expandable connectors: signals that travel on buses, by results of runs.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kBusParts = R"(
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus
  end Bus;
  block Sensor
    parameter Real k = 1;
    Out y = k*time;
    Bus bus;
  equation
    connect(y, bus.speed);
  end Sensor;
  block Controller
    In u;
    Out y = 3*u;
    Bus bus;
  equation
    connect(bus.speed, u);
    connect(y, bus.command);
  end Controller;
  block Actuator
    In u;
    Real x(start = 0, fixed = true);
    Bus bus;
  equation
    connect(u, bus.command);
    der(x) = u;
  end Actuator;
)";

// Runs a model with such parts for a second.
Trajectory RunWithBuses(const std::string& body) {
  return Simulate(CompileBody(kBusParts + body),
                  {.stop = 1, .tolerance = 1e-10});
}

TEST(ExpandableTest, SignalsGoFromSensorsToActuatorsThroughOneBus) {
  const Trajectory result = RunWithBuses(R"(
  Sensor sensor;
  Controller controller;
  Actuator actuator;
  Bus bus;
equation
  connect(sensor.bus, bus);
  connect(controller.bus, bus);
  connect(bus, actuator.bus);
)");
  EXPECT_NEAR(result["actuator.x"].final(), 1.5, 1e-9);
  EXPECT_DOUBLE_EQ(result["bus.command"].final(), 3);
  EXPECT_DOUBLE_EQ(result["sensor.bus.command"].final(), 3);
}

TEST(ExpandableTest, BusesStandInBusesAndInArrays) {
  const Trajectory result = RunWithBuses(R"(
  model Engine
    Sensor cylinder[3](k = {1, 2, 3});
    Bus bus;
  equation
    for i in 1:3 loop
      connect(cylinder[i].bus, bus.cylinder[i]);
    end for;
  end Engine;
  block Reader
    In u, v[2];
    Bus bus;
  equation
    connect(u, bus.cylinder[3].speed);
    connect(bus.cylinder[1:2].speed, v);
  end Reader;
  Engine engine;
  Reader reader;
equation
  connect(engine.bus, reader.bus);
)");
  EXPECT_DOUBLE_EQ(result["reader.u"].final(), 3);
  EXPECT_DOUBLE_EQ(result["reader.v[2]"].final(), 2);
}

TEST(ExpandableTest, AnInnerBusIsTheOneOfAllPartsInside) {
  const Trajectory result = RunWithBuses(R"(
  model Left
    outer Bus bus;
    Out y = 5*time;
  equation
    connect(y, bus.y);
  end Left;
  model Right
    outer Bus bus;
    In u;
  equation
    connect(bus.y, u);
  end Right;
  model Around
    Right right;
  end Around;
  inner Bus bus;
  Left left;
  Around around;
)");
  EXPECT_DOUBLE_EQ(result["around.right.u"].final(), 5);
}

TEST(ExpandableTest, FlowsThroughABusAddUpToZero) {
  const Trajectory result = RunWithBuses(R"(
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Source
    Pin p;
  equation
    p.v = 5;
  end Source;
  model Resistor
    Pin p;
  equation
    p.v = 10*p.i;
  end Resistor;
  model Supply
    Source source;
    Bus bus;
  equation
    connect(source.p, bus.pin);
  end Supply;
  model Load
    Resistor resistor;
    Bus bus;
  equation
    connect(bus.pin, resistor.p);
  end Load;
  Supply supply;
  Load loads[2];
  Bus bus;
equation
  connect(supply.bus, bus);
  for i in 1:2 loop
    connect(bus, loads[i].bus);
  end for;
)");
  EXPECT_DOUBLE_EQ(result["supply.source.p.i"].final(), -1);
  EXPECT_DOUBLE_EQ(result["loads[2].resistor.p.i"].final(), 0.5);
}

TEST(ExpandableTest, ElementsThatNoConnectionNamesAreZero) {
  const Trajectory result = RunWithBuses(R"(
  parameter Integer k = 3;
  Actuator actuator;
  Out y = time;
  Bus bus;
equation
  connect(y, bus.x[k]);
  connect(bus.x[k], actuator.u);
)");
  EXPECT_DOUBLE_EQ(result["bus.x[3]"].final(), 1);
  EXPECT_DOUBLE_EQ(result["bus.x[1]"].final(), 0);
  EXPECT_NEAR(result["actuator.x"].final(), 0.5, 1e-9);
}

TEST(ExpandableTest, AParameterPicksAnElementThatIsConnected) {
  const Trajectory result = RunWithBuses(R"(
  block Pick
    parameter Integer k = 2;
    In q[3];
    Actuator actuator;
  equation
    connect(actuator.u, q[k]);
  end Pick;
  Out q[3] = {time, 2, 3*time};
  Pick pick;
equation
  connect(q, pick.q);
)");
  EXPECT_NEAR(result["pick.actuator.x"].final(), 2, 1e-9);
}

}  // namespace
}  // namespace orrery
