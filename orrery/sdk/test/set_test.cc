// New values of parameters and inputs during a run.

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/sdk/orrery.h"
#include "orrery/sdk/test/hybrid_blocks.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two parameters, one of which depends on the other, and an input.
std::shared_ptr<const Program> SettableTank() {
  return CompileText(R"(
model Tank
  parameter Real T(min = 0.1) = 1 "time constant";
  parameter Real k = 1/T;
  parameter Real root = sqrt(k + 3);
  parameter Integer n = 2;
  parameter Boolean wide = true;
  parameter Integer size = 3;
  final parameter Real fixed_for_good = 2;
  constant Real c = 4;
  Real parts[size];
  input Real u(start = 0);
  output Real x(start = 1, fixed = true);
equation
  der(x) = -k*x + u;
  for i in 1:size loop
    parts[i] = i*x;
  end for;
end Tank;
)");
}

std::string WhyNotSet(Simulator& simulator,
                      const std::vector<Setting>& settings) {
  try {
    simulator.Set(settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "it can be set";
}

std::string WhyNotSet(const std::string& name, double value) {
  Simulator simulator(SettableTank(), {.stop = 2});
  simulator.AdvanceTo(1);
  std::string why = WhyNotSet(simulator, {{name, value}});
  EXPECT_TRUE(simulator.RunUntil(2));
  EXPECT_NEAR(simulator["x"], std::exp(-2.0), 1e-5);  // As without the refused
                                                      // call.
  return why;
}

TEST(SetTest, ParameterAndWhatFollowsFromItChange) {
  Simulator simulator(SettableTank(), {.stop = 2, .tolerance = 1e-9});
  EXPECT_TRUE(simulator.AdvanceTo(1));
  EXPECT_NEAR(simulator["x"], std::exp(-1.0), 1e-8);
  EXPECT_TRUE(simulator.Set(std::vector<Setting>{{"T", 0.5}}));
  EXPECT_EQ(simulator["k"], 2);
  EXPECT_TRUE(simulator.RunUntil(2));
  EXPECT_NEAR(simulator["x"], std::exp(-3.0), 1e-8);
}

TEST(SetTest, ChangedParametersAreSignalsOverTime) {
  Simulator simulator(SettableTank(), {.stop = 2});
  simulator.AdvanceTo(1);
  simulator.Set(std::vector<Setting>{{"T", 0.5}});
  simulator.RunUntil(2);
  const RunResult result = simulator.Finish();
  EXPECT_EQ(result["T"].at(0.5), 1);
  EXPECT_EQ(result["T"].LeftLimit(1), 1);
  EXPECT_EQ(result["T"].at(1), 0.5);
  EXPECT_EQ(result["T"].info().variability, SignalVariability::kDiscrete);
  EXPECT_EQ(result["k"].front(), 1);
  EXPECT_EQ(result["k"].final(), 2);
  EXPECT_EQ(result["n"].info().variability, SignalVariability::kConstant);
}

TEST(SetTest, InputHoldsItsNewValue) {
  Simulator simulator(SettableTank(),
                      {.stop = 1 + std::log(2), .tolerance = 1e-9});
  simulator.AdvanceTo(1);
  simulator.Set(std::vector<Setting>{{"u", 3}});
  simulator.RunUntil(1 + std::log(2));
  EXPECT_NEAR(simulator["x"], 3 + (std::exp(-1.0) - 3) / 2, 1e-8);
  EXPECT_EQ(simulator.Result()["u"].LeftLimit(1), 0);
  EXPECT_EQ(simulator.Result()["u"].at(1), 3);
}

TEST(SetTest, WhatIsSetNoLongerFollows) {
  Simulator simulator(SettableTank(), {.stop = 2});
  simulator.Set(std::vector<Setting>{{"k", 5}});
  simulator.Set(std::vector<Setting>{{"T", 0.5}});
  EXPECT_EQ(simulator["k"], 5);
}

TEST(SetTest, StandsInTheLogOfEvents) {
  Simulator simulator(SettableTank(), {.stop = 2});
  simulator.AdvanceTo(0.5);
  simulator.Set(std::vector<Setting>{{"T", 0.25}, {"u", -1}});
  const EventLog log = simulator.Result().events;
  EXPECT_EQ(log.entries().at(0).direction, EventDirection::kSet);
  EXPECT_THAT(log.TimesOf("T = 0.25"), ElementsAre(0.5));
  EXPECT_THAT(log.TimesOf("u = -1"), ElementsAre(0.5));
}

TEST(SetTest, SameValueIsNoEvent) {
  const SimulationOptions options{.stop = 2};
  Simulator simulator(SettableTank(), options);
  simulator.AdvanceTo(0.3);
  EXPECT_TRUE(simulator.Set(std::vector<Setting>{{"T", 1}}));
  simulator.RunUntil(2);
  const RunResult result = simulator.Finish();
  EXPECT_EQ(result.events.size(), 0U);
  EXPECT_EQ(result["x"].values(),
            Simulate(SettableTank(), options)["x"].values());
}

TEST(SetTest, LookingOnChangesNoBit) {
  const auto program = CompileText(R"(
model Lorenz
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
end Lorenz;
)");
  const SimulationOptions options{.stop = 20};
  Simulator simulator(program, options);
  for (int i = 1; i < 2000; ++i) {
    simulator.AdvanceTo(i / 100.0);
  }
  simulator.RunUntil(20);
  const RunResult watched = simulator.Finish();
  const RunResult whole = Simulate(program, options);
  EXPECT_EQ(watched["x"].values(), whole["x"].values());
  EXPECT_EQ(watched.summary.steps, whole.summary.steps);
}

TEST(SetTest, ImpactAtTheSameTimeIsPartOfTheEvent) {
  Ball ball(9.81 / 2);  // Falls for 1 s.
  Simulator simulator(Compile(MakeModel(ball)),
                      {.stop = 1.5, .tolerance = 1e-10});
  simulator.AdvanceTo(0.5);
  simulator.Set(std::vector<Setting>{{"restitution", 0.5}});
  simulator.RunUntil(1.5);
  EXPECT_NEAR(simulator["h"], kGravity / 8, 1e-8);  // At the top again.
  EXPECT_NEAR(simulator["v"], 0, 1e-8);
}

RC_GTEST_PROP(SetTest, RatesAddUpOverAnyChanges, ()) {
  const auto rates =
      *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 40));
  static const auto program = SettableTank();
  const double stop = 1 + static_cast<double>(rates.size());
  Simulator simulator(program, {.stop = stop, .tolerance = 1e-10});
  double exponent = 1;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    simulator.AdvanceTo(1 + static_cast<double>(i));
    simulator.Set(std::vector<Setting>{{"k", 0.05 * rates[i]}});
    exponent += 0.05 * rates[i];
  }
  simulator.RunUntil(stop);
  RC_ASSERT(std::abs(simulator["x"] - std::exp(-exponent)) < 1e-8);
}

// Wrong use ------------------------------------------------------------------

TEST(SetTest, UnknownNameIsRefusedWithASuggestion) {
  EXPECT_THAT(WhyNotSet("rot", 1), HasSubstr("did you mean 'root'?"));
}

TEST(SetTest, StateIsRefused) {
  EXPECT_EQ(WhyNotSet("x", 1),
            "cannot set 'x': the model computes it as the run goes on; set a "
            "parameter or an input");
}

TEST(SetTest, ConstantIsRefused) {
  EXPECT_EQ(WhyNotSet("c", 1),
            "cannot set 'c': it is a constant of the model; make it a "
            "parameter there");
}

TEST(SetTest, FinalParameterIsRefused) {
  EXPECT_EQ(WhyNotSet("fixed_for_good", 1),
            "cannot set 'fixed_for_good': it is final: the model gives its "
            "value for good");
}

TEST(SetTest, ParameterThatShapedTheEquationsIsRefused) {
  EXPECT_EQ(WhyNotSet("size", 5),
            "cannot set 'size': it shapes the equations, which are compiled "
            "for 3; load the model with this setting");
}

TEST(SetTest, ValueOfAnotherTypeIsRefused) {
  EXPECT_EQ(WhyNotSet("n", 1.5),
            "cannot set 'n': it is an Integer, and 1.5 is none");
  EXPECT_EQ(WhyNotSet("wide", 2),
            "cannot set 'wide': it is a Boolean, and 2 is none; give true or "
            "false");
  EXPECT_EQ(WhyNotSet("T", std::nan("")),
            "cannot set 'T': nan is not a finite number");
}

TEST(SetTest, ValueBeyondTheLimitsIsRefused) {
  EXPECT_EQ(WhyNotSet("T", 0.05),
            "cannot set 'T': cannot go on so: parameter 'T' is 0.05, as set "
            "for this run, below its minimum, 0.1; give it a value of 0.1 or "
            "more");
}

TEST(SetTest, ValueFromWhichNothingFollowsIsRefused) {
  EXPECT_THAT(WhyNotSet("k", -4), HasSubstr("cannot set 'k': "));
  EXPECT_THAT(WhyNotSet("k", -4), HasSubstr("sqrt"));
}

TEST(SetTest, OneWrongValueOfSeveralLeavesAllAsTheyWere) {
  Simulator simulator(SettableTank(), {.stop = 2});
  EXPECT_THAT(WhyNotSet(simulator, {{"k", 2}, {"y", 1}}), HasSubstr("'y'"));
  EXPECT_EQ(simulator["k"], 1);
}

TEST(SetTest, TimesOfClocksAndDelaysAreRefused) {
  const auto program = CompileText(R"(
model Sampled
  parameter Real Ts = 0.1;
  parameter Real rate = 1/Ts;
  parameter Real lag = 0.2;
  parameter Real gain = 1;
  discrete Real held(start = 0, fixed = true);
  Real late = delay(time, lag);
equation
  when sample(0, 1/rate) then
    held = gain*time;
  end when;
end Sampled;
)");
  Simulator simulator(program, {.stop = 1});
  simulator.AdvanceTo(0.55);
  const std::string why =
      ": the times of a clock or of a delay follow from it, and those are "
      "fixed at the start; set it before the run";
  EXPECT_EQ(WhyNotSet(simulator, {{"Ts", 0.2}}), "cannot set 'Ts'" + why);
  EXPECT_EQ(WhyNotSet(simulator, {{"lag", 0.1}}), "cannot set 'lag'" + why);
  EXPECT_TRUE(simulator.Set(std::vector<Setting>{{"gain", 10}}));
  EXPECT_TRUE(simulator.RunUntil(0.95));
  EXPECT_NEAR(simulator["held"], 9, 1e-12);
  EXPECT_NEAR(simulator["late"], 0.75, 1e-12);
}

TEST(SetTest, RunWithSensitivitiesRefusesAll) {
  Simulator simulator(SettableTank(), {.stop = 1, .sensitivities = {"k"}});
  EXPECT_EQ(WhyNotSet(simulator, {{"u", 1}}),
            "cannot set 'u': the run follows sensitivities, which hold for "
            "values that stay; leave those out");
}

TEST(SetTest, InputOfTheTableIsRefused) {
  const auto table = std::make_shared<const Table>(
      "inputs.csv",
      std::vector<TableColumn>{{.name = "time", .values = {0, 1}},
                               {.name = "u", .values = {0, 1}}});
  Simulator simulator(SettableTank(), {.stop = 1, .inputs = table});
  EXPECT_EQ(WhyNotSet(simulator, {{"u", 1}}),
            "cannot set 'u': the table of inputs gives it as well; leave one");
}

}  // namespace
}  // namespace orrery
