// The classes that orrery_write_blocks makes of the Modelica library.

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/compile/compile.h"
#include "orrery/model/diagram.h"
#include "orrery/model/lower.h"
#include "orrery/modelica/library.h"
#include "orrery/sdk/blocks/continuous.h"
#include "orrery/sdk/blocks/discrete.h"
#include "orrery/sdk/blocks/logical.h"
#include "orrery/sdk/blocks/math.h"
#include "orrery/sdk/blocks/math_boolean.h"
#include "orrery/sdk/blocks/math_integer.h"
#include "orrery/sdk/blocks/more_continuous.h"
#include "orrery/sdk/blocks/more_discrete.h"
#include "orrery/sdk/blocks/more_logical.h"
#include "orrery/sdk/blocks/more_math.h"
#include "orrery/sdk/blocks/more_nonlinear.h"
#include "orrery/sdk/blocks/more_sources.h"
#include "orrery/sdk/blocks/noise.h"
#include "orrery/sdk/blocks/nonlinear.h"
#include "orrery/sdk/blocks/plants.h"
#include "orrery/sdk/blocks/routing.h"
#include "orrery/sdk/blocks/sources.h"
#include "orrery/sdk/blocks/tables.h"
#include "orrery/sdk/blocks/unit_conversions.h"
#include "orrery/sdk/simulate.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Runs model M of a text.
RunResult RunText(const std::string& text, const SimulationOptions& options) {
  const std::string path =
      testing::TempDir() + "library_blocks_" +
      testing::UnitTest::GetInstance()->current_test_info()->name() + ".mo";
  std::ofstream(path) << text;
  return Simulate(LoadFile(path, "M"), options);
}

// Expects both runs to be the same, bit for bit, in all recorded signals.
void ExpectSame(const RunResult& actual, const RunResult& expected) {
  const auto& signals = expected.trajectory.signals();
  ASSERT_EQ(actual.trajectory.rows(), expected.trajectory.rows());
  EXPECT_EQ(actual.trajectory.signals().size(), signals.size());
  for (const SignalInfo& signal : signals) {
    const std::vector<double> a = actual[signal.name].values();
    const std::vector<double> b = expected[signal.name].values();
    for (std::size_t row = 0; row < b.size(); ++row) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a[row]),
                std::bit_cast<std::uint64_t>(b[row]))
          << signal.name << " in row " << row << ": " << a[row] << " and "
          << b[row];
    }
  }
}

template <typename Action>
std::string ErrorIn(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Control --------------------------------------------------------------------

constexpr const char* kControlText = R"(
model M
  Modelica.Blocks.Sources.Step setpoint(height = 2, startTime = 0.5);
  Modelica.Blocks.Continuous.LimPID pid(
    k = 8, Ti = 0.4, Td = 0.05, yMax = 5,
    initType = Modelica.Blocks.Types.Init.InitialState);
  Modelica.Blocks.Continuous.SecondOrder plant(k = 1.5, w = 2, D = 0.3);
equation
  connect(setpoint.y, pid.u_s);
  connect(plant.y, pid.u_m);
  connect(pid.y, plant.u);
end M;
)";

RunResult RunDynamicControl(const SimulationOptions& options) {
  Diagram d{"M"};
  auto& setpoint = d.Add<ModelicaBlock>("setpoint",
                                        "Modelica.Blocks.Sources.Step",
                                        {{"height", 2}, {"startTime", 0.5}});
  auto& pid = d.Add<ModelicaBlock>(
      "pid",
      "Modelica.Blocks.Continuous.LimPID",
      {{"k", 8},
       {"Ti", 0.4},
       {"Td", 0.05},
       {"yMax", 5},
       {"initType", "Modelica.Blocks.Types.Init.InitialState"}});
  auto& plant = d.Add<ModelicaBlock>("plant",
                                     "Modelica.Blocks.Continuous.SecondOrder",
                                     {{"k", 1.5}, {"w", 2}, {"D", 0.3}});
  d.Connect(setpoint["y"], pid["u_s"]);
  d.Connect(plant["y"], pid["u_m"]);
  d.Connect(pid["y"], plant["u"]);
  return Simulate(d, options);
}

RunResult RunTypedControl(const SimulationOptions& options) {
  Diagram d{"M"};
  auto& setpoint =
      d.Add<blocks::sources::Step>("setpoint", {.startTime = 0.5, .height = 2});
  auto& pid = d.Add<blocks::continuous::LimPID>(
      "pid",
      {.k = 8,
       .Ti = 0.4,
       .Td = 0.05,
       .yMax = 5,
       .initType = blocks::Init::kInitialState});
  auto& plant = d.Add<blocks::continuous::SecondOrder>(
      "plant", {.k = 1.5, .w = 2, .D = 0.3});
  d.Connect(setpoint.y, pid.u_s);
  d.Connect(plant.y, pid.u_m);
  d.Connect(pid.y, plant.u);
  return Simulate(d, options);
}

TEST(LibraryBlocksTest, AControlLoopIsTheSameInAllLanguages) {
  for (const Method method : {Method::kAuto,
                              Method::kCvodeBdf,
                              Method::kDormandPrince5,
                              Method::kRungeKutta4}) {
    SimulationOptions options{.stop = 5.0, .method = method};
    if (method == Method::kRungeKutta4) {
      options.step = 1e-3;
    }
    const RunResult text = RunText(kControlText, options);
    ExpectSame(RunDynamicControl(options), text);
    ExpectSame(RunTypedControl(options), text);
    EXPECT_NEAR(text["plant.y"].final(), 2, 0.2);
  }
}

// In the loop, Newton's method inside of a component finds the value.
TEST(LibraryBlocksTest, AnAlgebraicLoopInAPartIsAsInModelica) {
  const SimulationOptions options{.stop = 3.0, .tolerance = 1e-8};
  const RunResult text = RunText(R"(
model M
  model Part
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Blocks.Interfaces.RealOutput y;
    Modelica.Blocks.Math.Feedback difference;
    Modelica.Blocks.Math.Exp bend;
    Modelica.Blocks.Continuous.TransferFunction lead(
      b = {1, 1}, a = {0.5, 2},
      initType = Modelica.Blocks.Types.Init.SteadyState);
  equation
    connect(u, difference.u1);
    connect(lead.y, difference.u2);
    connect(difference.y, bend.u);
    connect(bend.y, lead.u);
    connect(lead.y, y);
  end Part;
  Modelica.Blocks.Sources.Sine sine(f = 0.5, offset = 1);
  Part part;
  Modelica.Blocks.Continuous.Integrator integrator;
equation
  connect(sine.y, part.u);
  connect(part.y, integrator.u);
end M;
)",
                                 options);

  struct Part : Diagram {
    Input u{this, "u"};
    Output y{this, "y"};

    Part() {
      auto& difference = Add<blocks::math::Feedback>("difference");
      auto& bend = Add<blocks::math::Exp>("bend");
      auto& lead = Add<blocks::continuous::TransferFunction>(
          "lead",
          {.b = {1, 1}, .a = {0.5, 2}, .initType = blocks::Init::kSteadyState});
      Connect(u, difference.u1);
      Connect(lead.y, difference.u2);
      Connect(difference.y, bend.u);
      Connect(bend.y, lead.u);
      Connect(lead.y, y);
    }
  };

  Diagram d{"M"};
  auto& sine = d.Add<blocks::sources::Sine>("sine", {.offset = 1, .f = 0.5});
  auto& part = d.Add<Part>("part");
  auto& integrator = d.Add<blocks::continuous::Integrator>("integrator");
  d.Connect(sine.y, part.u);
  d.Connect(part.y, integrator.u);
  ExpectSame(Simulate(d, options), text);
  EXPECT_GT(text["integrator.y"].final(), 1);
}

// Events ---------------------------------------------------------------------

TEST(LibraryBlocksTest, BlocksWithEventsAreAsInModelica) {
  const RunResult text = RunText(R"(
model M
  Modelica.Blocks.Sources.Sine sine(amplitude = 2, f = 0.7);
  Modelica.Blocks.Logical.Hysteresis hysteresis(uLow = -0.5, uHigh = 0.9);
  Modelica.Blocks.Discrete.Sampler sampler(samplePeriod = 0.13);
  Modelica.Blocks.Discrete.UnitDelay unitDelay(samplePeriod = 0.2, y_start = 3);
  Modelica.Blocks.Sources.BooleanPulse pulse(period = 0.37, width = 30);
  Modelica.Blocks.Discrete.TriggeredSampler triggered(y_start = -1);
  Modelica.Blocks.Nonlinear.FixedDelay late(delayTime = 0.25);
  Modelica.Blocks.Continuous.Integrator integrator(use_reset = true);
equation
  connect(sine.y, hysteresis.u);
  connect(sine.y, sampler.u);
  connect(sampler.y, unitDelay.u);
  connect(sine.y, triggered.u);
  connect(pulse.y, triggered.trigger);
  connect(sine.y, late.u);
  connect(late.y, integrator.u);
  connect(hysteresis.y, integrator.reset);
end M;
)",
                                 {.stop = 4.0});
  Diagram d{"M"};
  auto& sine = d.Add<blocks::sources::Sine>("sine", {.amplitude = 2, .f = 0.7});
  auto& hysteresis = d.Add<blocks::logical::Hysteresis>(
      "hysteresis", {.uLow = -0.5, .uHigh = 0.9});
  auto& sampler =
      d.Add<blocks::discrete::Sampler>("sampler", {.samplePeriod = 0.13});
  auto& unit_delay = d.Add<blocks::discrete::UnitDelay>(
      "unitDelay", {.samplePeriod = 0.2, .y_start = 3});
  auto& pulse = d.Add<blocks::sources::BooleanPulse>(
      "pulse", {.width = 30, .period = 0.37});
  auto& triggered =
      d.Add<blocks::discrete::TriggeredSampler>("triggered", {.y_start = -1});
  auto& late =
      d.Add<blocks::nonlinear::FixedDelay>("late", {.delayTime = 0.25});
  auto& integrator =
      d.Add<blocks::continuous::Integrator>("integrator", {.use_reset = true});
  d.Connect(sine.y, hysteresis.u);
  d.Connect(sine.y, sampler.u);
  d.Connect(sampler.y, unit_delay.u);
  d.Connect(sine.y, triggered.u);
  d.Connect(pulse.y, triggered.trigger);
  d.Connect(sine.y, late.u);
  d.Connect(late.y, integrator.u);
  d.Connect(hysteresis.y, integrator.reset());
  const RunResult run = Simulate(d, {.stop = 4.0});
  ExpectSame(run, text);
  ASSERT_EQ(run.events.size(), text.events.size());
  EXPECT_GT(run.events.size(), 20U);
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const EventLog::Entry& a = run.events.entries()[i];
    const EventLog::Entry& b = text.events.entries()[i];
    EXPECT_EQ(run.events.NameOf(a), text.events.NameOf(b));
    EXPECT_EQ(a.t, b.t);
  }
}

TEST(LibraryBlocksTest, LogicAndIntegersAreAsInModelica) {
  const RunResult text = RunText(R"(
model M
  Modelica.Blocks.Sources.BooleanPulse a(period = 0.5);
  Modelica.Blocks.Sources.BooleanPulse b(period = 0.3, width = 20);
  Modelica.Blocks.MathBoolean.And both(nu = 2);
  Modelica.Blocks.Logical.Not none;
  Orrery.Blocks.Discrete.Counter count(y_start = 4);
  Modelica.Blocks.MathInteger.Sum sum(nu = 2, k = {2, -1});
  Modelica.Blocks.Sources.IntegerConstant one(k = 1);
  Modelica.Blocks.Math.IntegerToReal real;
equation
  connect(a.y, both.u[1]);
  connect(b.y, both.u[2]);
  connect(both.y, none.u);
  connect(none.y, count.trigger);
  connect(count.y, sum.u[1]);
  connect(one.y, sum.u[2]);
  connect(sum.y, real.u);
end M;
)",
                                 {.stop = 3.0});
  Diagram d{"M"};
  auto& a = d.Add<blocks::sources::BooleanPulse>("a", {.period = 0.5});
  auto& b =
      d.Add<blocks::sources::BooleanPulse>("b", {.width = 20, .period = 0.3});
  auto& both = d.Add<blocks::math_boolean::And>("both", {.nu = 2});
  auto& none = d.Add<blocks::logical::Not>("none");
  auto& count = d.Add<blocks::more_discrete::Counter>("count", {.y_start = 4});
  auto& sum = d.Add<blocks::math_integer::Sum>("sum", {.nu = 2, .k = {2, -1}});
  auto& one = d.Add<blocks::sources::IntegerConstant>("one", {.k = 1});
  auto& real = d.Add<blocks::math::IntegerToReal>("real");
  d.Connect(a.y, both.u[1]);
  d.Connect(b.y, both.u[2]);
  d.Connect(both.y, none.u);
  d.Connect(none.y, count.trigger);
  d.Connect(count.y, sum.u[1]);
  d.Connect(one.y, sum.u[2]);
  d.Connect(sum.y, real.u);
  ExpectSame(Simulate(d, {.stop = 3.0}), text);
  EXPECT_GT(text["real.y"].final(), 10);
}

// Vectors --------------------------------------------------------------------

TEST(LibraryBlocksTest, VectorsAndCoefficientsAreAsInModelica) {
  const RunResult text = RunText(R"(
model M
  Modelica.Blocks.Sources.Ramp ramp(height = 2, duration = 1);
  Modelica.Blocks.Continuous.TransferFunction filter(
    b = {2, 1}, a = {1, 0.5, 3});
  Modelica.Blocks.Continuous.StateSpace space(
    A = [-1, 0.5; 0, -2], B = [1, 0; 0, 1], C = [1, 1], D = [0.25, 0]);
  Modelica.Blocks.Routing.Multiplex2 mux;
  Modelica.Blocks.Math.Sum sum(nin = 3, k = {1, -2, 0.5});
equation
  connect(ramp.y, filter.u);
  connect(filter.y, mux.u1[1]);
  connect(ramp.y, mux.u2[1]);
  connect(mux.y, space.u);
  connect(space.y[1], sum.u[1]);
  connect(filter.y, sum.u[2]);
  connect(ramp.y, sum.u[3]);
end M;
)",
                                 {.stop = 4.0});
  Diagram d{"M"};
  auto& ramp =
      d.Add<blocks::sources::Ramp>("ramp", {.height = 2, .duration = 1});
  auto& filter = d.Add<blocks::continuous::TransferFunction>(
      "filter", {.b = {2, 1}, .a = {1, 0.5, 3}});
  auto& space =
      d.Add<blocks::continuous::StateSpace>("space",
                                            {.A = {{-1, 0.5}, {0, -2}},
                                             .B = {{1, 0}, {0, 1}},
                                             .C = {{1, 1}},
                                             .D = {{0.25, 0}}});
  auto& mux = d.Add<blocks::routing::Multiplex2>("mux");
  auto& sum = d.Add<blocks::math::Sum>("sum", {.nin = 3, .k = {1, -2, 0.5}});
  d.Connect(ramp.y, filter.u);
  d.Connect(filter.y, mux.u1[1]);
  d.Connect(ramp.y, mux.u2[1]);
  d.Connect(mux.y, space.u);
  d.Connect(space.y[1], sum.u[1]);
  d.Connect(filter.y, sum.u[2]);
  d.Connect(ramp.y, sum.u[3]);
  ExpectSame(Simulate(d, {.stop = 4.0}), text);
}

TEST(LibraryBlocksTest, TablesAndNoiseAreAsInModelica) {
  const RunResult text = RunText(R"(
model M
  inner Modelica.Blocks.Noise.GlobalSeed globalSeed;
  Modelica.Blocks.Sources.CombiTimeTable profile(
    table = [0, 1, 5; 1, 2, 4; 2, 0, 3],
    smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative,
    extrapolation = Modelica.Blocks.Types.Extrapolation.Periodic);
  Modelica.Blocks.Tables.CombiTable1Ds curve(table = [0, 0; 1, 3; 2, 1]);
  Modelica.Blocks.Noise.NormalNoise noise(
    samplePeriod = 0.05, sigma = 0.1, fixedLocalSeed = 7);
  Modelica.Blocks.Math.Add add;
equation
  connect(profile.y[1], curve.u);
  connect(curve.y[1], add.u1);
  connect(noise.y, add.u2);
end M;
)",
                                 {.stop = 3.0});
  Diagram d{"M"};
  auto& profile = d.Add<blocks::sources::CombiTimeTable>(
      "profile",
      {.table = {{0, 1, 5}, {1, 2, 4}, {2, 0, 3}},
       .smoothness = blocks::Smoothness::kContinuousDerivative,
       .extrapolation = blocks::Extrapolation::kPeriodic});
  auto& curve = d.Add<blocks::tables::CombiTable1Ds>(
      "curve", {.table = {{0, 0}, {1, 3}, {2, 1}}});
  auto& noise = d.Add<blocks::noise::NormalNoise>(
      "noise", {.samplePeriod = 0.05, .fixedLocalSeed = 7, .sigma = 0.1});
  auto& add = d.Add<blocks::math::Add>("add");
  d.Connect(profile.y[1], curve.u);
  d.Connect(curve.y[1], add.u1);
  d.Connect(noise.y, add.u2);
  const RunResult run = Simulate(d, {.stop = 3.0});
  // The seed of the model belongs to the block here.
  for (const char* const name : {"add.y", "noise.y", "curve.y[1]"}) {
    EXPECT_EQ(run[name].values(), text[name].values()) << name;
  }
}

// With a million relations, this would take hours if each event evaluated all.
TEST(LibraryBlocksTest, ALongTableTakesItsRowsOneByOne) {
  const RunResult run = RunText(R"(
model M
  parameter Integer n = 10000;
  Modelica.Blocks.Sources.TimeTable line(
    table = {{i/n, sin(5*i/n)} for i in 0:n});
  Modelica.Blocks.Sources.CombiTimeTable wave(
    table = {{i/n, sin(5*i/n)} for i in 0:n}, shiftTime = 0.1, timeScale = 0.3,
    extrapolation = Modelica.Blocks.Types.Extrapolation.Periodic);
  Modelica.Blocks.Tables.CombiTable1Ds curve(
    table = {{i/n, sin(5*i/n)} for i in 0:n}, u = time);
end M;
)",
                                {.stop = 1.0, .output_times = {0.25, 0.65}});
  // Every tenth row of the wave coincides with one of the line, up to rounding;
  // both have a start, too.
  EXPECT_GE(run.summary.events, 10'000 + 30'000);
  EXPECT_LE(run.summary.events, 10'000 + 33'334 + 2);
  EXPECT_NEAR(run["line.y"].at(0.25), std::sin(1.25), 1e-7);
  EXPECT_NEAR(run["curve.y[1]"].at(0.25), std::sin(1.25), 1e-7);
  EXPECT_NEAR(run["wave.y[1]"].at(0.25), std::sin(2.5), 1e-7);
  EXPECT_NEAR(run["wave.y[1]"].at(0.65), std::sin(5 * (0.55 / 0.3 - 1)), 1e-7);
}

TEST(LibraryBlocksTest, ReadsTablesFromFiles) {
  const std::string path = testing::TempDir() + "library_blocks_table.txt";
  std::ofstream(path) << "#1\ndouble tab(2, 2)\n0 0\n2 6\n";
  Diagram d{"M"};
  d.Add<blocks::sources::CombiTimeTable>(
      "profile", {.tableOnFile = true, .tableName = "tab", .fileName = path});
  EXPECT_DOUBLE_EQ(Simulate(d, {.stop = 1.0})["profile.y[1]"].final(), 3);
}

// A text of a user -----------------------------------------------------------

constexpr const char* kTankText = R"(
model Tank "With parts of its own"
  parameter Real area = 2;
  parameter Integer n = 2;
  input Real inflow[n];
  output Real level(start = 1, fixed = true);
  Modelica.Blocks.Math.Gain outlet(k = 0.5);
  Real spare = time if n > 2;
equation
  outlet.u = level;
  area*der(level) = sum(inflow) - outlet.y;
  assert(level < 10, "the tank overflows");
  when level > 3 then
    reinit(level, 2);
  end when;
end Tank;
)";

TEST(LibraryBlocksTest, AUsersModelIsABlockToo) {
  const auto file = std::make_shared<const SourceFile>("tank.mo", kTankText);
  Diagram d{"M"};
  auto& tank = d.Add<ModelicaBlock>(
      "tank", {"Tank", file}, {{"area", 4}, {"outlet.k", 0.25}});
  auto& rain = d.Add<blocks::sources::Constant>("rain", {.k = 1});
  auto& tap = d.Add<blocks::sources::Constant>("tap", {.k = 2});
  d.Connect(rain.y, tank["inflow"][1]);
  d.Connect(tap.y, tank["inflow"][2]);
  const RunResult run = Simulate(d, {.stop = 2.5, .tolerance = 1e-10});
  // 4 x' = 3 - x/4: x = 12 - 11 exp(-t/16) until 3 at t = 16 ln(11/9).
  EXPECT_NEAR(run["tank.level"].at(2), 12 - 11 * std::exp(-2.0 / 16), 1e-8);
  EXPECT_EQ(run["tank.outlet.k"].final(), 0.25);
}

TEST(LibraryBlocksTest, AssertionsOfAPartNameItsPlace) {
  const auto file = std::make_shared<const SourceFile>("tank.mo", kTankText);
  Diagram d{"M"};
  auto& tank = d.Add<ModelicaBlock>(
      "tank", {"Tank", file}, {{"n", 1}, {"level.start", 11}});
  auto& tap = d.Add<blocks::sources::Constant>("tap", {.k = 2});
  d.Connect(tap.y, tank["inflow"][1]);
  EXPECT_THAT(
      ErrorIn([&] { const Trajectory r = Simulate(d, {.stop = 1.0}); }),
      HasSubstr("tank.mo:12:3: error: tank: assertion fails at t = 0 s: the "
                "tank overflows\n"));
}

TEST(LibraryBlocksTest, ANetlistIsABlockToo) {
  const std::string path = testing::TempDir() + "library_blocks_decay.cbd";
  std::ofstream(path) << "I, 1, 1, 2\n-, 2, 1\nO, 3, 1\n";
  Diagram d{"M"};
  auto& decay = d.Add<FlatBlock>("decay", FlatModelOf(LoadFile(path)));
  auto& gain = d.Add<blocks::math::Gain>("gain", {.k = 2});
  d.Connect(decay["b3"], gain.u);
  const RunResult run = Simulate(d, {.stop = 1.0, .tolerance = 1e-10});
  EXPECT_NEAR(run["gain.y"].final(), 2 * std::exp(-1), 1e-9);
}

/// Boolean and Integer ports of a block in C++.
struct Alarm : Block {
  Input level{this, "level"};
  Input armed{this, "armed", Attributes{.type = ValueType::kBoolean}};
  Output on{this, "on", Attributes{.type = ValueType::kBoolean}};
  Output code{this, "code", Attributes{.type = ValueType::kInteger}};
  Discrete times{this, "times", 0.0, Attributes{.type = ValueType::kInteger}};
  Event crossing{this, "crossing", Direction::kRising};

  void Equations(EquationSet& eq) override {
    eq.Set(on) = And(armed, Greater(level, 0.5));
    eq.Set(code) = times;
    eq.Set(crossing) = level - 0.5;
    eq.On(crossing).Set(times) = times + 1;
  }
};

TEST(LibraryBlocksTest, BlocksInCppHaveBooleanAndIntegerPorts) {
  struct Guard : Diagram {
    Input armed{this, "armed", Attributes{.type = ValueType::kBoolean}};
  };

  Diagram d{"M"};
  auto& armed = d.Add<blocks::sources::BooleanStep>("armed", {.startTime = 1});
  auto& guard = d.Add<Guard>("guard");
  auto& source = guard.Add<blocks::sources::Sine>("source", {.f = 1});
  auto& alarm = guard.Add<Alarm>("alarm");
  auto& count = guard.Add<blocks::more_discrete::Counter>("count");
  auto& real = guard.Add<blocks::math::IntegerToReal>("real");
  d.Connect(armed.y, guard.armed);
  guard.Connect(source.y, alarm.level);
  guard.Connect(guard.armed, alarm.armed);
  guard.Connect(alarm.on, count.trigger);
  guard.Connect(alarm.code, real.u);
  const RunResult run = Simulate(d, {.stop = 3.2});
  EXPECT_EQ(run["guard.count.y"].final(),
            3);  // Armed for the last two of them.
  EXPECT_EQ(run["guard.real.y"].final(), 4);
}

// Errors ---------------------------------------------------------------------

TEST(LibraryBlocksTest, APortUnderAConditionSaysSo) {
  Diagram d{"M"};
  auto& pid = d.Add<blocks::continuous::LimPID>("pid", {.yMax = 1});
  EXPECT_EQ(ErrorIn([&] { (void)pid.u_ff(); }),
            "cannot use 'u_ff' of M.pid: it is there only if withFeedForward; "
            "give that where the block is made");
}

TEST(LibraryBlocksTest, ConnectsOnlyPortsOfOneType) {
  Diagram d{"M"};
  auto& pulse = d.Add<blocks::sources::BooleanPulse>("pulse", {.period = 1});
  auto& gain = d.Add<blocks::math::Gain>("gain", {.k = 1});
  EXPECT_EQ(ErrorIn([&] { d.Connect(pulse.y, gain.u); }),
            "cannot connect M.pulse.y to M.gain.u: one is Boolean, the other "
            "Real; put a block between them that converts the signal");
}

TEST(LibraryBlocksTest, EveryElementOfAnInputNeedsASource) {
  Diagram d{"M"};
  auto& sum = d.Add<blocks::math::Sum>("sum", {.nin = 3});
  auto& one = d.Add<blocks::sources::Constant>("one", {.k = 1});
  d.Connect(one.y, sum.u[1]);
  d.Connect(one.y, sum.u[3]);
  EXPECT_EQ(ErrorIn([&] { (void)Simulate(d); }),
            "error: M.sum.u[2]: this element of the input is not connected; "
            "connect all elements of it\n");
  EXPECT_EQ(ErrorIn([&] { d.Connect(one.y, sum.u[3]); }),
            "cannot connect M.one.y to M.sum.u[3]: M.sum.u[3] is already "
            "connected to M.one.y; add the two up in a block first, or remove "
            "one");
  EXPECT_EQ(ErrorIn([&] { d.Connect(one.y, sum.u[4]); }),
            "cannot connect M.one.y to M.sum.u[4]: M.sum.u has the shape [3] "
            "and no such element; subscripts count from 1, one for each "
            "dimension");
}

TEST(LibraryBlocksTest, TakesNoFractionForAWholeNumber) {
  static_assert(std::is_convertible_v<int, Given<double>>);
  static_assert(std::is_convertible_v<int, Given<std::int64_t>>);
  static_assert(!std::is_convertible_v<double, Given<std::int64_t>>);
  static_assert(!std::is_convertible_v<int, Given<bool>>);
  static_assert(!std::is_convertible_v<bool, Given<double>>);
  static_assert(std::is_convertible_v<const char*, Given<std::string>>);
}

TEST(LibraryBlocksTest, AParameterIsSetByItsHandle) {
  Diagram d{"M"};
  auto& one = d.Add<blocks::sources::Constant>("one", {.k = 1});
  one.SetValue(one.k, 7);
  EXPECT_EQ(Simulate(d)["one.y"].final(), 7);
}

TEST(LibraryBlocksTest, ARunSetsParametersButNotWhatShapedTheEquations) {
  Diagram d{"M"};
  auto& one = d.Add<blocks::sources::Constant>("one", {.k = 1});
  auto& sum = d.Add<blocks::math::Sum>("sum", {.nin = 1});
  d.Connect(one.y, sum.u[1]);
  EXPECT_EQ(Simulate(d, {.settings = {{"one.k", 4}}})["sum.y"].final(), 4);
  EXPECT_EQ(
      ErrorIn([&] {
        (void)Simulate(d, {.settings = {{"sum.nin", 2}}});
      }),
      "cannot set 'sum.nin': its value shaped the equations; give it where the "
      "block is made");
}

// All of them ----------------------------------------------------------------

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Block>()> make;
};

std::vector<Entry> AllBlocks() {
  return {
#define ORRERY_BLOCK(type, name)              \
  {name, [] {                                 \
     return std::make_unique<blocks::type>(); \
   }},
#include "library_blocks.inc"
#undef ORRERY_BLOCK
  };
}

std::string TextOf(Expr formula) {
  return formula ? ToText(formula, 100'000) : "";
}

void ExpectSame(const FlatModel& actual, const FlatModel& expected) {
  ASSERT_EQ(actual.variables.size(), expected.variables.size());
  for (std::size_t i = 0; i < actual.variables.size(); ++i) {
    const Variable& a = actual.variables[i];
    const Variable& b = expected.variables[i];
    EXPECT_EQ(TextOf(a.symbol), TextOf(b.symbol));
    EXPECT_EQ(TextOf(a.binding), TextOf(b.binding));
    EXPECT_EQ(TextOf(a.start), TextOf(b.start));
    EXPECT_EQ(a.variability, b.variability);
    EXPECT_EQ(a.causality, b.is_protected ? Causality::kLocal : b.causality);
  }
  ASSERT_EQ(actual.equations.size(), expected.equations.size());
  for (std::size_t i = 0; i < actual.equations.size(); ++i) {
    const Equation& a = actual.equations[i];
    const Equation& b = expected.equations[i];
    EXPECT_EQ(TextOf(a.left), TextOf(b.left));
    EXPECT_EQ(TextOf(a.right), TextOf(b.right));
    EXPECT_EQ(a.path, b.path);
  }
  ASSERT_EQ(actual.events.size(), expected.events.size());
  for (std::size_t i = 0; i < actual.events.size(); ++i) {
    EXPECT_EQ(actual.events[i].name, expected.events[i].name);
  }
  EXPECT_EQ(actual.assertions.size(), expected.assertions.size());
  EXPECT_EQ(actual.connections.size(), expected.connections.size());
  EXPECT_EQ(actual.reinits.size(), expected.reinits.size());
}

// The functions of a block either have values or report why not.
void ExpectFunctionsOrReason(Block& block) {
  const std::vector<double> x(block.num_states(), 0.5);
  const std::vector<double> u(block.num_inputs(), 1.0);
  try {
    EXPECT_EQ(block.output_function(0, x, u).size(), block.num_outputs());
    EXPECT_EQ(block.state_update_function(0, x, u).size(), x.size());
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
  }
}

TEST(LibraryBlocksTest, EveryBlockIsMadeAndBecomesPartOfAModel) {
  // These have no size without a table.
  const std::set<std::string> incomplete = {
      "Modelica.Blocks.Sources.TimeTable",
      "Modelica.Blocks.Sources.CombiTimeTable",
      "Modelica.Blocks.Sources.IntegerTable",
      "Modelica.Blocks.Tables.CombiTable1Ds",
      "Modelica.Blocks.Tables.CombiTable1Dv",
      "Modelica.Blocks.Tables.CombiTable1D",
      "Modelica.Blocks.Tables.CombiTable2Ds",
      "Modelica.Blocks.Tables.CombiTable2Dv",
      "Modelica.Blocks.Tables.CombiTable2D"};
  std::size_t made = 0;
  for (const Entry& entry : AllBlocks()) {
    if (incomplete.contains(entry.name)) {
      EXPECT_THAT(ErrorIn([&] { (void)entry.make(); }), HasSubstr("error"));
      continue;
    }
    SCOPED_TRACE(entry.name);
    std::unique_ptr<Block> block;
    ASSERT_EQ(ErrorIn([&] { block = entry.make(); }), "");
    const auto described = modelica::DescribeLibraryBlock(entry.name);
    ASSERT_TRUE(described);
    for (const auto* const fields : {&described->inputs, &described->outputs}) {
      for (const modelica::LibraryField& field : *fields) {
        if (field.condition.empty()) {
          const std::string name = field.name.substr(0, field.name.find('['));
          EXPECT_EQ(ErrorIn([&] { (void)(*block)[name]; }), "");
        }
      }
    }
    ExpectSame(Lower(*block), *block->AsFlatModel());
    ExpectFunctionsOrReason(*block);
    ++made;
  }
  EXPECT_GT(made, 240U);
}

}  // namespace
}  // namespace orrery
