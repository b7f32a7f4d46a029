// FMUs for Co-Simulation as parts of models.
#include "orrery/fmi/parts/coupled_equations.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/files/file_set.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/exchange/block_text.h"
#include "orrery/fmi/parts/joined_blocks.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/modelica/load.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;

constexpr InterfaceKind kSteps = InterfaceKind::kCoSimulation;

// The FMUs of the tests, by the names of their files.
//
// `lag.fmu` takes one step of Euler's method for T*x' = k*u - x in each
// communication step, 1/8 s long. `rows.fmu` is y' = 3*gain, and counts its
// events, one each 0.3 s, in `ticks`. `feed.fmu` is x' = u, y = 2*u + x with
// x(0) = 4.
struct FmuFile {
  std::string name;
  std::string bytes;
};

const std::vector<FmuFile>& SteppedFiles() {
  static const std::vector<FmuFile> files = {
      {"lag.fmu", MakeZip(LagEntries())},
      {"rows.fmu", MakeZip(RowsEntries())},
      {"feed.fmu",
       ExportFmu(CompileText("block Feed input Real u; output Real y; Real "
                             "x(start = 4, fixed = true); equation der(x) = "
                             "u; y = 2*u + x; end Feed;"),
                 {})}};
  return files;
}

std::string SteppedBlock(const std::string& block, std::size_t file) {
  const FmuFile& its = SteppedFiles().at(file);
  Diagnostics diagnostics;
  return BlockText(
      ReadFmu(std::make_shared<const SourceFile>(its.name, its.bytes),
              diagnostics),
      {.block = block, .file = its.name, .kind = kSteps});
}

// The blocks Lag, Rows and Feed.
const std::string& SteppedBlocks() {
  static const std::string text = SteppedBlock("Lag", 0) +
                                  SteppedBlock("Rows", 1) +
                                  SteppedBlock("Feed", 2);
  return text;
}

std::shared_ptr<const Program> CoupledProgram(
    const std::string& text, const std::vector<FmuFile>& others = {}) {
  FileSet files(FileSet::Others::kNowhere);
  for (const std::vector<FmuFile>* list : {&SteppedFiles(), &others}) {
    for (const FmuFile& file : *list) {
      files.Add(std::make_shared<const SourceFile>(file.name, file.bytes));
    }
  }
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

RunResult CoupledRun(const std::string& model,
                     double stop,
                     const std::vector<Setting>& settings = {}) {
  RunResult result = Simulate(CoupledProgram(SteppedBlocks() + model),
                              {.stop = stop,
                               .tolerance = 1e-13,
                               .absolute_tolerance = 1e-15,
                               .settings = settings});
  EXPECT_TRUE(result.summary.completed()) << result.summary.message;
  return result;
}

double LastOf(const RunResult& result, const std::string& name) {
  return result.trajectory[name].final();
}

std::string CoupledError(const std::string& text,
                         const std::vector<FmuFile>& others = {}) {
  try {
    static_cast<void>(Simulate(CoupledProgram(text, others), {.stop = 1}));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// z' = x - z between the points, from x_k on: z_{k+1} = x_k + (z_k -
// x_k)*exp(-H), and x_{k+1} = x_k + H*(-z_k - x_k).
TEST(CoupledEquationsTest, ALoopIsThatOfSampledData) {
  const RunResult result = CoupledRun(R"(
model M
  Lag lag(u = -z);
  Real z(start = 1, fixed = true);
equation
  der(z) = lag.x - z;
end M;
)",
                                      2);
  std::array<double, 2> state = {0, 1};
  for (int k = 0; k < 16; ++k) {
    const auto [x, z] = state;
    state = {x + 0.125 * (-z - x), x + (z - x) * std::exp(-0.125)};
  }
  EXPECT_NEAR(LastOf(result, "lag.x"), state[0], 1e-12);
  EXPECT_NEAR(LastOf(result, "z"), state[1], 1e-12);
  EXPECT_EQ(LastOf(result, "lag.steps"), 16);
}

// x' = -z, z' = x - z with x(0) = 0, z(0) = 1.
TEST(CoupledEquationsTest, TheErrorOfALoopFallsWithTheStep) {
  const auto error_with = [](const std::string& step) {
    const std::string model =
        "model M\n  Feed feed(u = -z, communication = " + step + R"();
  Real z(start = 1, fixed = true);
equation
  der(z) = feed.x - z;
end M;
)";
    const RunResult result =
        Simulate(CoupledProgram(SteppedBlocks() + model),
                 {.stop = 1, .tolerance = 1e-11, .absolute_tolerance = 1e-13});
    EXPECT_TRUE(result.summary.completed()) << result.summary.message;
    // z'' + z' + z = 0, z(0) = 1, z'(0) = 4 - 1 = 3.
    const double w = std::sqrt(0.75);
    const double z =
        std::exp(-0.5) * (std::cos(w) + (3 + 0.5) / w * std::sin(w));
    return LastOf(result, "z") - z;
  };
  EXPECT_NEAR(error_with("0.005") / error_with("0.0025"), 2, 0.02);
}

TEST(CoupledEquationsTest, AnInputThatJumpsReachesTheFmuAtItsNextPoint) {
  const std::string rest =
      " then 0 else 1);\n"
      "  Real x3(start = 0, fixed = true), x4(start = 0, fixed = true);\n"
      "equation\n"
      "  when time > 0.4 then x3 = lag.x; end when;\n"
      "  when time > 0.55 then x4 = lag.x; end when;\n"
      "end M;\n";
  const RunResult between =
      CoupledRun("model M\n  Lag lag(u = if time < 0.3" + rest, 1);
  EXPECT_EQ(LastOf(between, "x3"), 0);
  EXPECT_EQ(LastOf(between, "x4"), 0.125);
  const RunResult at_point =
      CoupledRun("model M\n  Lag lag(u = if time < 0.25" + rest, 1);
  EXPECT_EQ(LastOf(at_point, "x3"), 0.125);
}

// x_{k+1} = 7/8*x_k + 1/8*u, where u is 2 from the first point with x > 0.2 on.
TEST(CoupledEquationsTest, InputsThatFollowFromOutputsAreThoseAfterTheEvent) {
  const RunResult result = CoupledRun(R"(
model M
  Lag lag(u = if isHigh then 2 else 1);
  Boolean isHigh(start = false, fixed = true);
equation
  when lag.x > 0.2 then
    isHigh = true;
  end when;
end M;
)",
                                      1);
  double x = 0;
  for (int k = 0; k < 8; ++k) {
    x += 0.125 * ((x > 0.2 ? 2 : 1) - x);
  }
  EXPECT_EQ(LastOf(result, "lag.x"), x);
}

TEST(CoupledEquationsTest, TwoFmusStepSideBySide) {
  const RunResult result = CoupledRun(R"(
model M
  Lag one(u = -two.x, x(start = 1)), two(u = one.x, T = 2);
end M;
)",
                                      1);
  std::array<double, 2> x = {1, 0};
  for (int k = 0; k < 8; ++k) {
    x = {x[0] + 0.125 * (1 * -x[1] - x[0]) / 1,
         x[1] + 0.125 * (1 * x[0] - x[1]) / 2};
  }
  EXPECT_EQ(LastOf(result, "one.x"), x[0]);
  EXPECT_EQ(LastOf(result, "two.x"), x[1]);
}

TEST(CoupledEquationsTest, ParametersAndStartsAreSet) {
  const std::string model = R"(
model M
  Lag lag(k = 2, x(start = 3), u = 1);
end M;
)";
  EXPECT_EQ(LastOf(CoupledRun(model, 0.125), "lag.x"), 3 + 0.125 * (2 - 3));
  EXPECT_EQ(
      LastOf(CoupledRun(model, 0.125, {{"lag.k", 5}, {"lag.x", 1}}), "lag.x"),
      1 + 0.125 * (5 - 1));
}

TEST(CoupledEquationsTest, AnnotationsGiveTheStep) {
  const RunResult result = CoupledRun(R"(
block Coarse
  input Real u;
  output Real x;
  constant Real h = 0.125;
  annotation(__Orrery(fmu = "lag.fmu", communication = 2*h));
end Coarse;
model M
  Coarse lag(u = 1);
end M;
)",
                                      1);
  EXPECT_EQ(LastOf(result, "lag.x"), 1 - std::pow(0.75, 4));
}

TEST(CoupledEquationsTest, TheStepIsAParameter) {
  const std::string model =
      "model M Lag lag(u = 1, communication = 0.25); end M;";
  EXPECT_EQ(LastOf(CoupledRun(model, 1), "lag.x"), 1 - std::pow(0.75, 4));
  EXPECT_EQ(LastOf(CoupledRun(model, 1, {{"lag.communication", 0.5}}), "lag.x"),
            1 - std::pow(0.5, 2));
}

TEST(CoupledEquationsTest, AStepThatIsNotPositiveEndsTheRunAtItsStart) {
  std::string message;
  try {
    const RunResult result = Simulate(
        CoupledProgram(SteppedBlocks() +
                       "model M Lag lag(u = 1, communication = -1); end M;"),
        {.stop = 1});
    message = result.summary.message;
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_THAT(message,
              HasSubstr("cannot run Lag: the communication step is -1 s; it "
                        "must be positive"));
}

TEST(CoupledEquationsTest, AWrappedBlockHasTheStepOfItsFmu) {
  EXPECT_THAT(SteppedBlock("Lag", 0),
              HasSubstr("parameter Real communication(unit = \"s\") = 0.125 "
                        "\"Time between communication points\";"));
}

TEST(CoupledEquationsTest, ARunBeginsWithAPoint) {
  auto program =
      CoupledProgram(SteppedBlocks() + "model M Lag lag(u = 1); end M;");
  const RunResult result = Simulate(program, {.start = 0.3, .stop = 0.8});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_EQ(result.trajectory["lag.x"].final(), 1 - std::pow(0.875, 4));
}

// y' = 3*gain, where the gain doubles at 0.5 s.
TEST(CoupledEquationsTest, EventsWithinAStepAreTheFmusOwn) {
  const RunResult result = Simulate(CoupledProgram(SteppedBlocks() + R"(
model M
  Rows rows(communication = 0.25);
  discrete Real gain(start = 1, fixed = true);
equation
  rows.gain = gain;
  when time >= 0.5 then
    gain = 2;
  end when;
end M;
)"),
                                    {.stop = 1});
  ASSERT_TRUE(result.summary.completed()) << result.summary.message;
  EXPECT_NEAR(result.trajectory["rows.y"].final(), 4.5, 1e-12);
  EXPECT_EQ(result.trajectory["rows.ticks"].final(), 3);
}

// y = 2*u + 4 and u = 1 - y, so y = 2.
TEST(CoupledEquationsTest, ALoopAtTheStartIsSolved) {
  const RunResult result = CoupledRun(R"(
model M
  Feed feed;
equation
  feed.u = 1 - feed.y;
end M;
)",
                                      0);
  EXPECT_NEAR(result.trajectory["feed.y"][0], 2, 1e-12);
  EXPECT_NEAR(result.trajectory["feed.u"][0], -1, 1e-12);
}

TEST(CoupledEquationsTest, CommunicationPointsAreNamedInTheLog) {
  const RunResult result = CoupledRun("model M Lag lag(u = 1); end M;", 0.5);
  const auto times = result.events.TimesOf("communication point of lag");
  ASSERT_GE(times.size(), 4U);
  EXPECT_EQ(times.back(), 0.5);
}

TEST(CoupledEquationsTest, AnFmuMayEndTheRun) {
  const RunResult result =
      Simulate(CoupledProgram(SteppedBlocks() +
                              "model M Lag lag(u = 1, fails_at = 3); end M;"),
               {.stop = 1});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kTerminated);
  EXPECT_THAT(result.summary.message, HasSubstr("Lag wants to end the run"));
  EXPECT_THAT(result.summary.message, HasSubstr("step 3 failed"));
}

TEST(CoupledEquationsTest, AStepThatFailsEndsTheRunWithItsMessages) {
  const RunResult result = Simulate(
      CoupledProgram(SteppedBlocks() +
                     "model M Lag lag(u = 1, fails_at = 3, how = 3); end M;"),
      {.stop = 1});
  EXPECT_EQ(result.summary.outcome, RunOutcome::kAssertion);
  EXPECT_THAT(result.summary.message, HasSubstr("fmi2DoStep"));
  EXPECT_THAT(result.summary.message, HasSubstr("step 3 failed"));
  EXPECT_EQ(result.summary.end_time, 0.375);
}

TEST(CoupledEquationsTest, AnFmuOfOneInstanceIsNoTwoComponents) {
  auto entries = LagEntries();
  const std::string use = "<CoSimulation ";
  std::string& text = entries[0].content;
  text.replace(text.find(use),
               use.size(),
               use + "canBeInstantiatedOnlyOncePerProcess=\"true\" ");
  const std::vector<FmuFile> single = {{"single.fmu", MakeZip(entries)}};
  const std::string block = R"(
block Single
  input Real u;
  annotation(__Orrery(fmu = "single.fmu", kind = "CoSimulation"));
end Single;
)";
  EXPECT_EQ(CoupledError(block + "model M Single one(u = 1); end M;", single),
            "no error");
  EXPECT_THAT(
      CoupledError(block + "model M Single one(u = 1), two(u = 1); end M;",
                   single),
      HasSubstr("cannot run Lag several times at once: the FMU allows one "
                "instance a process; use it in one component"));
}

TEST(CoupledEquationsTest, StepsThatCannotBeAreTold) {
  const auto error_of = [](const std::string& use) {
    return CoupledError("block M\n  annotation(__Orrery(" + use +
                        "));\nend M;\n");
  };
  EXPECT_THAT(error_of("fmu = \"lag.fmu\", communication = 0"),
              HasSubstr("the communication step is 0 s; it must be positive"));
  EXPECT_THAT(error_of("fmu = \"rows.fmu\", communication = 0.1"),
              HasSubstr("cannot use rows.fmu by Model Exchange with a "
                        "communication step"));
}

TEST(CoupledEquationsTest, AStepIsAMultipleOfAFixedInnerOne) {
  auto entries = RowsEntries();
  const std::string use = "canHandleVariableCommunicationStepSize=\"true\"";
  std::string& text = entries[0].content;
  text.replace(text.find(use), use.size(), "fixedInternalStepSize=\"0.1\"");
  Fmu fmu = FmuOf(entries);
  try {
    static_cast<void>(CoupledEquationsOf(fmu, {}, 0.25));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("the communication step of 0.25 s is no multiple of "
                          "its inner step of 0.1 s; take "));
  }
}

TEST(CoupledEquationsTest, AnFmuWithClocksIsNoPart) {
  try {
    static_cast<void>(CoupledEquationsOf(FmuOf(TicksEntries()), {}, {}));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("cannot use own.fmu by Co-Simulation as a part of a "
                          "model: it has clocks"));
  }
}

TEST(CoupledEquationsTest, APointInTimeDoesNotShowItsStates) {
  const auto program =
      CoupledProgram(SteppedBlocks() + "model M Lag lag(u = 1); end M;");
  try {
    const OperatingPoint point(program, 0, {}, nullptr);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("cannot look at M at one time: Lag computes in "
                          "steps of its own (Co-Simulation)"));
  }
}

}  // namespace
}  // namespace orrery::fmi
