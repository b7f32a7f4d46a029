// FMUs as parts of models in Modelica.
#include "orrery/fmi/parts/joined_blocks.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/files/file_set.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/block_text.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/modelica/load.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

// The block `Lag`, whose FMU is x' = (k*u*gear - x)/T, y = x + 2*u with x(0) =
// 2*x_half, and the block `Ball`.
const std::string& Blocks() {
  static const std::string text =
      BlockText(FmuOf(SwitchEntries()), {.block = "Lag", .file = "lag.fmu"}) +
      BlockText(FmuOf(BallEntries()), {.block = "Ball", .file = "ball.fmu"});
  return text;
}

std::shared_ptr<const Program> ProgramOf(const std::string& text) {
  FileSet files(FileSet::Others::kNowhere);
  files.Add(
      std::make_shared<const SourceFile>("lag.fmu", MakeZip(SwitchEntries())));
  files.Add(
      std::make_shared<const SourceFile>("ball.fmu", MakeZip(BallEntries())));
  Diagnostics diagnostics;
  auto flat =
      modelica::Flatten(std::make_shared<const SourceFile>("a.mo", text),
                        "M",
                        diagnostics,
                        {},
                        files);
  diagnostics.ThrowIfErrors();
  JoinBlocks(*flat, files, diagnostics);
  diagnostics.ThrowIfErrors();
  auto program = Compile(*flat, diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

RunResult RunOf(const std::string& text, double stop) {
  return Simulate(
      ProgramOf(text),
      {.stop = stop, .tolerance = 1e-11, .absolute_tolerance = 1e-13});
}

double Final(const RunResult& result, const std::string& name) {
  return result.trajectory[name].final();
}

std::string ErrorOf(const std::string& text) {
  try {
    static_cast<void>(ProgramOf(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(JoinedBlocksTest, AnFmuFollowsWhatTheModelGivesIt) {
  const RunResult result = RunOf(Blocks() + R"(
model M
  Lag lag(u = z, gear = 1, T = 0.5, k = 3);
  Real z(start = 1, fixed = true);
equation
  der(z) = -z;
end M;
)",
                                 1);
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  // 0.5*x' = 3*exp(-t) - x: x = 6*(exp(-t) - exp(-2*t)).
  const double x = 6 * (std::exp(-1.0) - std::exp(-2.0));
  EXPECT_NEAR(Final(result, "lag.x"), x, 1e-9);
  EXPECT_NEAR(Final(result, "lag.y"), x + 2 * std::exp(-1.0), 1e-9);
}

// The loop lag.u -> lag.y -> lag.u is algebraic, and goes through an integrator
// of the model, too.
TEST(JoinedBlocksTest, ALoopThroughAnFmuEqualsTheModelWithoutFmu) {
  const std::string rest = R"(
model M
  L lag(x_half = 0.5, T = 2, k = 1.5);
  Real z(start = 0.2, fixed = true);
equation
  lag.gear = 1;
  der(z) = lag.y - 2*z + sin(time);
  lag.u = cos(z) - 0.3*lag.y;
end M;
)";
  const RunResult fmu = RunOf(Blocks() + "block L = Lag;" + rest, 3);
  const RunResult whole = RunOf(R"(
block L
  parameter Real x_half, T, k;
  input Real u;
  input Integer gear;
  Real x(start = 2*x_half, fixed = true);
  Real y = x + 2*u;
equation
  T*der(x) = k*u*gear - x;
end L;
)" + rest,
                                3);
  ASSERT_TRUE(fmu.summary.completed()) << fmu.summary.message;
  for (const char* name : {"lag.x", "lag.y", "lag.u", "z"}) {
    EXPECT_NEAR(Final(fmu, name), Final(whole, name), 1e-8) << name;
  }
}

// x1' = u1 - x1, u1 = x2 + 2*u2 and the same with 1 and 2 exchanged: then
// x1 + x2 falls as exp(-2*t), and x1 - x2 as exp(-4/3*t).
TEST(JoinedBlocksTest, ComponentsOfAnArrayAreInstancesOfTheirOwn) {
  const RunResult result = RunOf(Blocks() + R"(
model M
  Lag lag[2](x_half = {1, 0}, each gear = 1);
equation
  lag[1].u = lag[2].y;
  lag[2].u = lag[1].y;
end M;
)",
                                 1.5);
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(Final(result, "lag[1].x"), std::exp(-3.0) + std::exp(-2.0), 1e-8);
  EXPECT_NEAR(Final(result, "lag[2].x"), std::exp(-3.0) - std::exp(-2.0), 1e-8);
}

TEST(JoinedBlocksTest, EventsOfAnFmuAreEventsOfTheModel) {
  const RunResult result = RunOf(Blocks() + R"(
model M
  Ball ball(h(start = 2), u = 0);
  Real at[2](each start = 0, each fixed = true);
equation
  for i in 1:2 loop
    when ball.bounces == i then
      at[i] = time;
    end when;
  end for;
end M;
)",
                                 2);
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  const double fall = std::sqrt(4 / 9.81);
  EXPECT_EQ(Final(result, "ball.bounces"), 2);
  EXPECT_NEAR(Final(result, "at[1]"), fall, 1e-10);
  EXPECT_NEAR(Final(result, "at[2]"), fall * (1 + 2 * 0.7), 1e-10);
  const auto ticks = result.events.TimesOf("time event of ball");
  ASSERT_FALSE(ticks.empty());
  EXPECT_EQ(ticks.front(), 0.25);
}

// The number of bounces is the gear: at each bounce, the lag sees the new one
// at the same time, whichever is declared first.
TEST(JoinedBlocksTest, AnEventOfAnFmuReachesAnotherFmuAtTheSameTime) {
  const std::string ball = "  Ball ball(u = 0);\n";
  const std::string lag = "  Lag lag(u = 1, gear = ball.bounces);\n";
  const double first = std::sqrt(2 / 9.81);
  const double second = first * (1 + 2 * 0.7);
  const double x = 1 - std::exp(first - second);  // At the second.
  for (const std::string& parts : {ball + lag, lag + ball}) {
    const RunResult result =
        RunOf(Blocks() + "model M\n" + parts + "end M;\n", 1.2);
    ASSERT_TRUE(result.summary.completed()) << result.summary.message;
    ASSERT_EQ(Final(result, "ball.bounces"), 2);
    EXPECT_NEAR(
        Final(result, "lag.x"), 2 + (x - 2) * std::exp(second - 1.2), 1e-8)
        << parts;
  }
}

TEST(JoinedBlocksTest, ADiscreteInputJumpsWithAClockOfTheModel) {
  const RunResult result = RunOf(Blocks() + R"(
model M
  Lag lag(u = 1);
  Integer gear(start = 0, fixed = true);
equation
  lag.gear = gear;
  when sample(0.5, 0.5) then
    gear = pre(gear) + 1;
  end when;
end M;
)",
                                 1.2);
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  const double x = 1 - std::exp(-0.5);  // At 1 s.
  EXPECT_NEAR(Final(result, "lag.x"), 2 + (x - 2) * std::exp(-0.2), 1e-9);
}

TEST(JoinedBlocksTest, AnInheritedBlockMayHaveMore) {
  const RunResult result = RunOf(Blocks() + R"(
block Fast
  extends Lag(T = 0.25);
  Real twice = 2*y;
end Fast;
model M
  Fast lag(u = 1, gear = 1);
end M;
)",
                                 0.5);
  EXPECT_NEAR(Final(result, "lag.twice"), 2 * (3 - std::exp(-2.0)), 1e-9);
}

TEST(JoinedBlocksTest, AVariableThatTheFmuLacksIsToldWithTheNearest) {
  EXPECT_THAT(ErrorOf(R"(
block M
  input Real u;
  output Real z_half;
  annotation(__Orrery(fmu = "lag.fmu"));
end M;
)"),
              HasSubstr("a.mo:4:15: error: lag.fmu has no variable 'z_half'\n"
                        "    4 |   output Real z_half;\n"
                        "      |               ^~~~~~ did you mean 'x_half'?"));
}

TEST(JoinedBlocksTest, EachComponentWithAFaultIsNamed) {
  const std::string found = ErrorOf(R"(
block Bad
  output Real z;
  annotation(__Orrery(fmu = "lag.fmu"));
end Bad;
model M
  Bad one, two;
end M;
)");
  EXPECT_THAT(found,
              HasSubstr("a.mo:3:15: error: one: lag.fmu has no variable "
                        "'z'"));
  EXPECT_THAT(found,
              HasSubstr("a.mo:3:15: error: two: lag.fmu has no variable "
                        "'z'"));
}

TEST(JoinedBlocksTest, AVariableOfAnotherTypeOrUnitIsRefused) {
  EXPECT_THAT(ErrorOf(R"(
block M
  input Real gear;
  annotation(__Orrery(fmu = "lag.fmu"));
end M;
)"),
              HasSubstr("'gear' of lag.fmu is Integer, not Real"));
  EXPECT_THAT(ErrorOf(R"(
block M
  parameter Real g(unit = "km/s2") = 1;
  annotation(__Orrery(fmu = "ball.fmu"));
end M;
)"),
              HasSubstr("'g' of ball.fmu has the unit 'm/s2', not 'km/s2'"));
  EXPECT_THAT(ErrorOf(R"(
block M
  output Real y[2];
  annotation(__Orrery(fmu = "lag.fmu"));
end M;
)"),
              HasSubstr("'y' of lag.fmu is Real, not Real[2]"));
}

TEST(JoinedBlocksTest, WhatTheFmuComputesIsNoInput) {
  EXPECT_THAT(
      ErrorOf(R"(
block M
  input Real y;
  annotation(__Orrery(fmu = "lag.fmu"));
end M;
)"),
      HasSubstr("'y' of lag.fmu is computed by it, and so is no input"));
  EXPECT_THAT(ErrorOf(R"(
block M
  output Real k;
  annotation(__Orrery(fmu = "lag.fmu"));
end M;
)"),
              HasSubstr("'k' of lag.fmu is a parameter"));
}

TEST(JoinedBlocksTest, AnInputWithoutASourceIsTold) {
  EXPECT_THAT(ErrorOf(Blocks() + "model M\n  Lag lag(gear = 1);\nend M;\n"),
              HasSubstr("nothing gives the input lag.u a value"));
}

TEST(JoinedBlocksTest, OtherKindsOfUseAndMissingFilesAreTold) {
  EXPECT_THAT(ErrorOf("block M\n  annotation(__Orrery(fmu = \"lag.fmu\", kind "
                      "= \"CoSimulation\"));\nend M;\n"),
              HasSubstr("cannot run lag.fmu by Co-Simulation: it is for Model "
                        "Exchange"));
  EXPECT_THAT(ErrorOf("block M\n  annotation(__Orrery(fmu = \"lag.fmu\", kind "
                      "= \"Other\"));\nend M;\n"),
              HasSubstr("cannot use lag.fmu as 'Other'"));
  EXPECT_THAT(ErrorOf("block M\n  annotation(__Orrery(fmu = \"no.fmu\"));\n"
                      "end M;\n"),
              HasSubstr("a.mo:2:29: error: "));
}

TEST(BlockTextTest, ABlockHasParametersInputsOutputsAndExactStates) {
  const std::string text =
      BlockText(FmuOf(BallEntries()), {.block = "Ball", .file = "ball.fmu"});
  EXPECT_THAT(text, HasSubstr("block Ball \""));
  EXPECT_THAT(text,
              HasSubstr("  parameter Real g(unit = \"m/s2\") = -9.81;\n"));
  EXPECT_THAT(text, HasSubstr("  parameter Real e(min = 0, max = 1) = 0.7;\n"));
  EXPECT_THAT(text, HasSubstr("  parameter Boolean stands_still = false;\n"));
  EXPECT_THAT(text, HasSubstr("  Modelica.Blocks.Interfaces.RealInput u\n"));
  EXPECT_THAT(text,
              HasSubstr("  Modelica.Blocks.Interfaces.RealOutput h(unit = "
                        "\"m\", start = 1, fixed = true)"));
  EXPECT_THAT(text,
              HasSubstr("  Modelica.Blocks.Interfaces.IntegerOutput bounces"));
  EXPECT_THAT(text,
              HasSubstr("__Orrery(fmu = \"ball.fmu\", kind = "
                        "\"ModelExchange\")"));
}

TEST(BlockTextTest, WholeNumbersHaveNoExponent) {
  EXPECT_THAT(BlockText(FmuOf(LagEntries()), {.block = "L", .file = "l.fmu"}),
              HasSubstr("parameter Integer fails_at = 1000000;"));
}

TEST(BlockTextTest, NamesThatModelicaLacksAreQuoted) {
  auto entries = SwitchEntries();
  std::string& text = entries[0].content;
  text.replace(text.find("name=\"u\""), 8, "name=\"a.b[1]\"");
  text.replace(text.find("name=\"k\""), 8, "name=\"loop\"");
  const std::string block =
      BlockText(FmuOf(entries), {.block = "B", .file = "b.fmu"});
  EXPECT_THAT(block, HasSubstr("RealInput 'a.b[1]'"));
  EXPECT_THAT(block, HasSubstr("parameter Real 'loop' = 1;"));
}

TEST(BlockTextTest, AnIdentifierIsMadeOfAnyName) {
  EXPECT_EQ(AsIdentifier("Motor"), "Motor");
  EXPECT_EQ(AsIdentifier("2-stroke"), "_2_stroke");
  EXPECT_EQ(AsIdentifier("end"), "_end");
}

}  // namespace
}  // namespace orrery::fmi
