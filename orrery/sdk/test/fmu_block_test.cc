#include "orrery/sdk/fmu/fmu_block.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/model/diagram.h"
#include "orrery/modelica/modelica_block.h"
#include "orrery/sdk/simulate.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The path of an FMU: x' = k*u*gear - x, y = x + 2*u, x(0) = 2*x_half.
const std::string& Lag() {
  static const std::string path = [] {
    const std::string name = testing::TempDir() + "fmu_block_lag.fmu";
    std::ofstream(name, std::ios::binary) << fmi::MakeZip(fmi::SwitchEntries());
    return name;
  }();
  return path;
}

void ConnectConstant(Diagram& d,
                     Block& block,
                     const std::string& type,
                     const std::string& input) {
  auto& source = d.Add<ModelicaBlock>(
      "source_of_" + input, "Modelica.Blocks.Sources." + type, {{"k", 1}});
  d.Connect(source["y"], block[input]);
}

TEST(FmuBlockTest, ItsEquationsBecomePartOfTheDiagram) {
  Diagram d{"D"};
  auto& lag = d.Add<FmuBlock>("lag", Lag(), {{"k", 3}});
  ConnectConstant(d, lag, "Constant", "u");
  ConnectConstant(d, lag, "IntegerConstant", "gear");

  const auto run = Simulate(d, {.stop = 1.0, .tolerance = 1e-10});

  EXPECT_NEAR(run["lag.x"].final(), 3 * (1 - std::exp(-1.0)), 1e-8);
  EXPECT_NEAR(run["lag.y"].final(), 3 * (1 - std::exp(-1.0)) + 2, 1e-8);
}

// x1 + x2 falls as exp(-2*t), and x1 - x2 as exp(-4/3*t).
TEST(FmuBlockTest, LoopsThroughTwoAreSolved) {
  Diagram d{"D"};
  auto& one = d.Add<FmuBlock>("one", Lag(), {{"x_half", 1}});
  auto& two = d.Add<FmuBlock>("two", Lag());
  d.Connect(one["y"], two["u"]);
  d.Connect(two["y"], one["u"]);
  auto& gear = d.Add<ModelicaBlock>(
      "gear", "Modelica.Blocks.Sources.IntegerConstant", {{"k", 1}});
  d.Connect(gear["y"], one["gear"]);
  d.Connect(gear["y"], two["gear"]);

  const auto run = Simulate(d, {.stop = 1.5, .tolerance = 1e-11});

  EXPECT_NEAR(run["one.x"].final(), std::exp(-3.0) + std::exp(-2.0), 1e-8);
  EXPECT_NEAR(run["two.x"].final(), std::exp(-3.0) - std::exp(-2.0), 1e-8);
}

// One step of Euler's method for x' = k*u - x in each communication step.
TEST(FmuBlockTest, ByCoSimulationItStepsBetweenCommunicationPoints) {
  const std::string path = testing::TempDir() + "fmu_block_stepped.fmu";
  std::ofstream(path, std::ios::binary) << fmi::MakeZip(fmi::LagEntries());
  Diagram d{"D"};
  auto& lag =
      d.Add<FmuBlock>("lag", path, {{"k", 3}}, CoSimulation{.step = 250ms});
  ConnectConstant(d, lag, "Constant", "u");

  const auto run = Simulate(d, {.stop = 1.0});

  EXPECT_EQ(run["lag.x"].final(), 3 - 3 * std::pow(0.75, 4));
  EXPECT_EQ(run["lag.steps"].final(), 4);
}

TEST(FmuBlockTest, AnInputWithoutSourceIsToldWithItsStart) {
  Diagram d{"D"};
  auto& lag = d.Add<FmuBlock>("lag", Lag());
  ConnectConstant(d, lag, "IntegerConstant", "gear");
  std::string message;
  try {
    static_cast<void>(Simulate(d, {.stop = 1.0}));
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("D.lag.u: the input is not connected"));
  EXPECT_THAT(message,
              HasSubstr("connect it, as by d.Connect(source, lag[\"u\"]); its "
                        "start value is 1"));
}

TEST(FmuBlockTest, AnUnknownSettingIsToldWithTheNearest) {
  std::string message;
  try {
    const FmuBlock block(Lag(), {{"x_hlf", 1}});
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("did you mean 'x_half'?"));
}

}  // namespace
}  // namespace orrery
