// Components that are inner and outer at once.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kParts = R"(
  model Room
    parameter Real k = 1;
    Real T = 1;
  end Room;
  model Sensor
    outer Room room;
    Real y = room.T;
    Real k = room.k;
  end Sensor;
  model House
    inner outer Room room(T = 2*room.T, k = 7);
    Sensor sensor;
    Real outside = room.T;
  end House;
)";

TEST(InnerOuterTest, WhatIsInsideSeesTheOwnOneAndTheClassThatAround) {
  const Trajectory result = Simulate(CompileBody(kParts + std::string(R"(
  inner Room room(T = 3*time);
  House house;
  Sensor sensor;
)")),
                                     {.stop = 1});
  EXPECT_EQ(result["sensor.y"].final(), 3);
  EXPECT_EQ(result["sensor.k"].final(), 1);
  EXPECT_EQ(result["house.outside"].final(), 3);
  EXPECT_EQ(result["house.sensor.y"].final(), 6);
  EXPECT_EQ(result["house.sensor.k"].final(), 7);
  EXPECT_EQ(result["house.room.T"].final(), 6);
}

TEST(InnerOuterTest, EachLevelSeesTheOneAroundIt) {
  const Trajectory result = Simulate(CompileBody(kParts + std::string(R"(
  model Street
    inner outer Room room(T = 10 + room.T);
    House house;
  end Street;
  inner Room room;
  Street street;
)")),
                                     {.stop = 1});
  EXPECT_EQ(result["street.house.outside"].final(), 11);
  EXPECT_EQ(result["street.house.sensor.y"].final(), 22);
}

TEST(InnerOuterTest, AVariableMayBeBoth) {
  const Trajectory result = Simulate(CompileBody(R"(
  model Switch
    parameter Boolean mine = false;
    inner outer Boolean on = on and mine;
    model Lamp
      outer Boolean on;
      Boolean lit = on;
    end Lamp;
    Lamp lamp;
  end Switch;
  inner Boolean on = time > 0.5;
  Switch a, b(mine = true);
)"),
                                     {.stop = 1});
  EXPECT_EQ(result["a.lamp.lit"].final(), 0);
  EXPECT_EQ(result["b.lamp.lit"].final(), 1);
}

}  // namespace
}  // namespace orrery
