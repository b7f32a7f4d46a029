#include "orrery/fmi/stepping/co_simulation.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/base/test/temporary_folder.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::fmi {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

RunResult RunLag(const CoSimulationOptions& options) {
  return CoSimulation(FmuOf(LagEntries()), options).Run();
}

std::string LagRefusalOf(const CoSimulationOptions& options) {
  return MessageOf([&] { (void)RunLag(options); });
}

std::shared_ptr<const Table> TableOf(std::vector<TableColumn> columns) {
  return std::make_shared<const Table>("u.csv", std::move(columns));
}

// Result of Euler's method for the lag after n steps of 1/8 s, for u = 1.
double Euler(int n) {
  return 1 - std::pow(0.875, n);
}

TEST(CoSimulationTest, HasARowAtEachCommunicationPoint) {
  const RunResult result = RunLag({});

  ASSERT_EQ(result.trajectory.rows(), 9U);
  EXPECT_EQ(result.trajectory.time()[3], 0.375);
  EXPECT_EQ(result.trajectory.time()[8], 1.0);
  EXPECT_EQ(result.summary.steps, 8);
  EXPECT_EQ(result.summary.outcome, RunOutcome::kCompleted);
}

TEST(CoSimulationTest, GivesTheNumbersOfTheFmu) {
  const RunResult result = RunLag({.settings = {{"u", "1"}}});

  EXPECT_NEAR(result["x"][1], Euler(1), 1e-15);
  EXPECT_NEAR(result["x"].final(), Euler(8), 1e-15);
  EXPECT_EQ(result["steps"].final(), 8);
}

TEST(CoSimulationTest, SetsParametersOfAllTypesBeforeTheStart) {
  const RunResult result = RunLag({.settings = {{"u", "1"},
                                                {"k", "-3"},
                                                {"is_fast", "true"},
                                                {"label", "seven.."}}});

  EXPECT_NEAR(result["x"][1], -0.75, 1e-15);
  EXPECT_EQ(result["k"].front(), -3);
  EXPECT_EQ(result["label_size"].final(), 7);
}

TEST(CoSimulationTest, TakesTimesOfTheOptionsBeforeThoseOfTheFmu) {
  const RunResult result =
      RunLag({.start = Seconds(1), .stop = Seconds(3), .step = Seconds(0.5)});

  EXPECT_EQ(result.trajectory.rows(), 5U);
  EXPECT_EQ(result.trajectory.time().front(), 1.0);
  EXPECT_EQ(result.trajectory.time().back(), 3.0);
}

TEST(CoSimulationTest, RoundsEachCommunicationPointOnce) {
  const RunResult result = RunLag({.stop = Seconds(100), .step = Seconds(0.1)});

  EXPECT_EQ(result.trajectory.time()[3], 3 * 0.1);
  EXPECT_EQ(result.trajectory.time()[777], 777 * 0.1);
  EXPECT_EQ(result.trajectory.rows(), 1001U);
}

TEST(CoSimulationTest, TakesOneStepBetweenCommunicationPoints) {
  // 5 * 0.1 + 0.1 is less than 6 * 0.1.
  const RunResult result = RunLag({.stop = Seconds(1), .step = Seconds(0.1)});

  EXPECT_EQ(result.trajectory.time()[6], 6 * 0.1);
  EXPECT_EQ(result["steps"].final(), 10);
  EXPECT_EQ(result.summary.steps, 10);
}

TEST(CoSimulationTest, InterpolatesContinuousInputsBetweenRows) {
  const RunResult result =
      RunLag({.step = Seconds(0.25),
              .inputs = TableOf({{"time", "", {0, 1}}, {"u", "", {0, 8}}})});

  // u = 0, 2, 4, 6 at the beginnings of the steps.
  EXPECT_NEAR(result["x"][1], 0, 1e-15);
  EXPECT_NEAR(result["x"][2], 0.5, 1e-15);
  EXPECT_NEAR(result["x"][3], 0.5 + 0.25 * 3.5, 1e-15);
}

TEST(CoSimulationTest, TakesTheSecondOfTwoRowsAtOneTime) {
  const RunResult result =
      RunLag({.step = Seconds(0.5),
              .inputs = TableOf(
                  {{"time", "", {0, 0.5, 0.5, 1}}, {"u", "", {1, 1, 3, 3}}})});

  EXPECT_NEAR(result["x"][1], 0.5, 1e-15);
  EXPECT_NEAR(result["x"][2], 0.5 + 0.5 * 2.5, 1e-15);
}

TEST(CoSimulationTest, SharesAColumnBetweenNamesOfOneVariable) {
  const CoSimulation run(FmuOf(LagEntries()), {});
  const auto& signals = *run.signals();

  EXPECT_EQ(signals.signals()[signals.Require("again")].column,
            signals.signals()[signals.Require("x")].column);
}

TEST(CoSimulationTest, RecordsWhatFitsThePatterns) {
  const CoSimulation run(FmuOf(LagEntries()), {.record = {"x", "label*"}});

  EXPECT_EQ(run.signals()->signals().size(), 2U);
}

TEST(CoSimulationTest, RefusesAPatternThatFitsNothing) {
  EXPECT_THAT(LagRefusalOf({.record = {"x", "lable*"}}),
              StartsWith("cannot record 'lable*': no number of Lag has such a "
                         "name"));
}

TEST(CoSimulationTest, KeepsRowsUpToAFailure) {
  const RunResult result =
      RunLag({.settings = {{"fails_at", "4"}, {"how", "error"}}});

  EXPECT_EQ(result.trajectory.rows(), 4U);
  EXPECT_EQ(result.summary.outcome, RunOutcome::kModelFailed);
  EXPECT_EQ(result.summary.message,
            "fmi2DoStep of 'Lag' returned Error at t = 0.375 s; its last "
            "messages:\n  Error (logStatusError): step 4 failed, as fails_at "
            "says");
}

TEST(CoSimulationTest, TellsAFatalFailure) {
  const RunResult result =
      RunLag({.settings = {{"fails_at", "1"}, {"how", "fatal"}}});

  EXPECT_THAT(result.summary.message,
              StartsWith("fmi2DoStep of 'Lag' returned Fatal at t = 0 s"));
  EXPECT_EQ(result.trajectory.rows(), 1U);
}

TEST(CoSimulationTest, EndsWhereTheFmuEndsIt) {
  const RunResult result = RunLag({.settings = {{"fails_at", "3"}}});

  EXPECT_EQ(result.summary.outcome, RunOutcome::kTerminated);
  EXPECT_EQ(
      result.summary.message,
      "the FMU ended the run at t = 0.25 s; its last messages:\n  Discard "
      "(logStatusError): step 3 failed, as fails_at says");
  EXPECT_EQ(result.summary.end_time, 0.25);
}

TEST(CoSimulationTest, EndsWhereAnOutputIsNoNumber) {
  const RunResult result =
      RunLag({.settings = {{"u", "INF"}, {"k", "0"}}});  // x' = 0*inf - x

  EXPECT_EQ(result.summary.outcome, RunOutcome::kNotFinite);
  EXPECT_THAT(result.summary.message,
              testing::MatchesRegex("output 'x' became -?nan at t = 0.125 s"));
  EXPECT_EQ(result.trajectory.rows(), 2U);
}

TEST(CoSimulationTest, EndsWhereTheObserverWantsIt) {
  CoSimulation run(FmuOf(LagEntries()), {});

  const RunResult result =
      run.Run([](const Progress& its) { return its.steps < 3; });

  EXPECT_EQ(result.summary.outcome, RunOutcome::kInterrupted);
  EXPECT_EQ(result.trajectory.rows(), 4U);
}

TEST(CoSimulationTest, RunsTwiceTheSame) {
  CoSimulation run(FmuOf(LagEntries()), {.settings = {{"u", "1"}}});

  EXPECT_EQ(run.Run()["x"].values(), run.Run()["x"].values());
}

TEST(CoSimulationTest, TellsWhatTheFmuSaysOfItsToken) {
  const std::string message = MessageOf(
      [] { (void)CoSimulation(FmuOf(LagEntries("{other}")), {}).Run(); });

  EXPECT_THAT(message,
              StartsWith("cannot run own.fmu: its code makes no instance for "
                         "the token '{other}' and the resources at file:///"));
  EXPECT_THAT(message,
              HasSubstr("Error (logStatusError): the token {other} is not "
                        "{lag}"));
}

TEST(CoSimulationTest, RefusesStepsThatTheFmuCannotMake) {
  EXPECT_EQ(LagRefusalOf({.step = Seconds(0.3)}),
            "cannot run own.fmu: its steps are all equally long, and 1 s are "
            "no multiple of 0.3 s; take 0.3333333333333333 s");
  EXPECT_THAT(LagRefusalOf({.step = Seconds(0)}),
              HasSubstr("the communication step is 0 s; it must be positive"));
  EXPECT_THAT(LagRefusalOf({.step = Seconds(5)}),
              HasSubstr("the communication step is 5 s, and the run only 1 s "
                        "long"));
}

TEST(CoSimulationTest, RefusesInputsThatThereAreNot) {
  EXPECT_EQ(
      LagRefusalOf({.inputs = TableOf({{"time", "", {0}}, {"k", "", {0}}})}),
      "cannot take 'k' of u.csv as an input: Lag has no such input; "
      "known: u");
}

TEST(CoSimulationTest, RefusesAnotherKindOfUse) {
  auto entries = LagEntries();
  std::string& text = entries[0].content;
  text.replace(text.find("CoSimulation"), 12, "ModelExchange");

  EXPECT_EQ(MessageOf([&] { (void)CoSimulation(FmuOf(entries), {}); }),
            "cannot run own.fmu by Co-Simulation: it is for Model Exchange");
}

TEST(CoSimulationTest, TellsForWhatMachinesAnFmuHasCode) {
  auto entries = LagEntries();
  entries[1].name = "binaries/win64/lag2.dll";
  entries.push_back({.name = "sources/all.c", .content = ""});

  EXPECT_THAT(MessageOf([&] { (void)CoSimulation(FmuOf(entries), {}); }),
              HasSubstr("lag2.so); it has code for win64; it has sources: "
                        "build them with its tool"));
}

TEST(CoSimulationTest, TellsWhyCodeCannotBeLoaded) {
  auto entries = LagEntries();
  entries[1].content = "no code";

  EXPECT_THAT(MessageOf([&] { (void)CoSimulation(FmuOf(entries), {}); }),
              HasSubstr("lag2.so cannot be loaded: "));
}

TEST(CoSimulationTest, NamesAFunctionThatCodeLacks) {
  auto entries = TypesEntries();
  entries[1].content = LagEntries()[1].content;

  EXPECT_THAT(MessageOf([&] { (void)CoSimulation(FmuOf(entries), {}).Run(); }),
              HasSubstr("types3.so lacks the function "
                        "fmi3InstantiateCoSimulation, which FMI 3.0 asks for"));
}

TEST(CoSimulationTest, RunsNoCodeWhereItMustNot) {
  setenv("ORRERY_EXTERNAL", "off", 1);  // NOLINT(concurrency-mt-unsafe)
  const std::string message =
      MessageOf([] { (void)CoSimulation(FmuOf(LagEntries()), {}); });
  unsetenv("ORRERY_EXTERNAL");  // NOLINT(concurrency-mt-unsafe)

  EXPECT_THAT(message,
              HasSubstr("FMUs are code of others, and are not run where"));
}

TEST(CoSimulationTest, LeavesNoFilesBehind) {
  const TemporaryFolder folder;
  setenv("TMPDIR",  // NOLINT(concurrency-mt-unsafe)
         folder.path().c_str(),
         1);
  bool unpacked = false;
  {
    CoSimulation run(FmuOf(LagEntries()), {});
    unpacked = !std::filesystem::is_empty(folder.path());
    (void)run.Run();
  }
  unsetenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)

  EXPECT_TRUE(unpacked);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CoSimulationTest, PassesValuesOfAllTypesOfFmi3) {
  const RunResult result =
      CoSimulation(FmuOf(TypesEntries()),
                   {.stop = Seconds(1),
                    .settings = {{"f", "0.5"},
                                 {"i64", "-9007199254740993"},
                                 {"u64", "18446744073709551615"},
                                 {"mode", "on"},
                                 {"text", "five."},
                                 {"bytes", "0102ff"},
                                 {"i8", "-128"},
                                 {"u16", "65535"},
                                 {"b", "true"}}})
          .Run();

  EXPECT_EQ(result["f"].front(), 0.5);
  EXPECT_EQ(result["i64"].front(), -9007199254740992.0);
  EXPECT_EQ(result["u64"].front(), 18446744073709551616.0);
  EXPECT_EQ(result["mode"].front(), 2);
  EXPECT_EQ(result["text_size"].final(), 5);
  EXPECT_EQ(result["byte_sum"].final(), 258);
  EXPECT_EQ(result["i8"].final(), -128);
  EXPECT_EQ(result["u16"].final(), 65535);
  EXPECT_EQ(result["b"].final(), 1);
}

TEST(CoSimulationTest, GivesAnFmuItsResourcesWhateverTheWorkingFolder) {
  const RunResult result =
      CoSimulation(FmuOf(TypesEntries()), {.stop = Seconds(1)}).Run();

  EXPECT_EQ(result["resource"].final(), 'a');
}

TEST(CoSimulationTest, RecordsElementsOfArrays) {
  const RunResult result =
      CoSimulation(FmuOf(TypesEntries()),
                   {.stop = Seconds(1), .settings = {{"x", "{3, 4}"}}})
          .Run();

  EXPECT_EQ(result["y[1]"].final(), 6);
  EXPECT_EQ(result["y[2]"].final(), 8);
}

TEST(CoSimulationTest, SetsOneElementOfAnArrayOverTime) {
  const RunResult result =
      CoSimulation(
          FmuOf(TypesEntries()),
          {.stop = Seconds(4),
           .step = Seconds(1),
           .inputs = TableOf({{"time", "", {0, 4}}, {"x[2]", "", {10, 50}}})})
          .Run();

  EXPECT_EQ(result["y[1]"].final(), 2);  // Its start value is 1.
  EXPECT_EQ(result["y[2]"][4], 2 * 40);
}

TEST(CoSimulationTest, SetsElementsThatHaveNeitherAStartNorAColumnToZero) {
  auto entries = TypesEntries();
  std::string& text = entries[0].content;
  const std::string start = "start=\"1 2\"";
  text.replace(text.find(start), start.size(), "start=\"\"");

  const RunResult result =
      CoSimulation(
          FmuOf(entries),
          {.stop = Seconds(4),
           .step = Seconds(1),
           .inputs = TableOf({{"time", "", {0, 4}}, {"x[2]", "", {10, 50}}})})
          .Run();

  EXPECT_EQ(result["y[1]"].final(), 0);
  EXPECT_EQ(result["y[2]"].final(), 2 * 40);  // As at the begin of the step.
}

TEST(CoSimulationTest, EndsWithinAStepWhereAnFmuOfFmi3EndsIt) {
  const RunResult result =
      CoSimulation(FmuOf(TypesEntries()),
                   {.stop = Seconds(10), .step = Seconds(2)})
          .Run();

  EXPECT_EQ(result.summary.outcome, RunOutcome::kTerminated);
  EXPECT_EQ(result.trajectory.time().back(), 5.0);
}

TEST(CoSimulationTest, MakesALastShorterStepIfTheFmuCan) {
  const RunResult result =
      CoSimulation(FmuOf(TypesEntries()),
                   {.stop = Seconds(1), .step = Seconds(0.3)})
          .Run();

  EXPECT_EQ(result.trajectory.rows(), 5U);
  EXPECT_EQ(result.trajectory.time().back(), 1.0);
}

TEST(CoSimulationTest, RefusesInputsThatDoNotFitTheirType) {
  const auto refusal_of = [](const std::string& name, double value) {
    return MessageOf([&] {
      (void)CoSimulation(
          FmuOf(TypesEntries()),
          {.inputs = TableOf({{"time", "", {0}}, {name, "", {value}}})});
    });
  };

  EXPECT_EQ(refusal_of("i8", 0.5),
            "cannot take 'i8' of u.csv as an input: its value 0.5 in row 1 is "
            "no whole number");
  EXPECT_THAT(refusal_of("i8", 128), HasSubstr("does not fit Int8"));
  EXPECT_THAT(refusal_of("b", 2), HasSubstr("is neither 0 nor 1"));
  EXPECT_THAT(refusal_of("x", 2), HasSubstr("it is an array of 2 elements"));
  EXPECT_THAT(refusal_of("i16", 2), Not(HasSubstr("cannot")));
}

}  // namespace
}  // namespace orrery::fmi
