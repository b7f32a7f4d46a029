// `orrery check` and `orrery run` of FMUs.
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/fmi/test/own_fmus.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class FmuCommandsTest : public CliTest {
 protected:
  FmuCommandsTest() { Write("lag.fmu", fmi::MakeZip(fmi::LagEntries())); }
};

TEST_F(FmuCommandsTest, CheckTellsWhatAnFmuIs) {
  const Outcome outcome = Orrery({"check", "lag.fmu"});

  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              StartsWith("Lag: correct\n  FMI 2.0\n  Co-Simulation\n"));
  EXPECT_THAT(outcome.out, HasSubstr("       1 input\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("k         fixed parameter    Float64      1"));
}

TEST_F(FmuCommandsTest, CheckListsAllVariablesAsJson) {
  const Outcome outcome = Orrery({"check", "lag.fmu", "--json"});
  const json report = json::parse(outcome.out);

  EXPECT_EQ(report["status"], "correct");
  EXPECT_EQ(report["interfaces"][0]["kind"], "Co-Simulation");
  EXPECT_EQ(report["variables"].size(), 11U);
  EXPECT_EQ(report["variables"][3]["unit"], "s");
  EXPECT_EQ(report["variables"][10]["alias_of"], "x");
}

TEST_F(FmuCommandsTest, CheckTellsAllFindings) {
  auto entries = fmi::LagEntries();
  std::string& text = entries[0].content;
  text.replace(text.find("name=\"steps\""), 12, "name=\"label\"");
  Write("twice.fmu", fmi::MakeZip(entries));

  const Outcome outcome = Orrery({"check", "twice.fmu"});

  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("error: variable 'label' is there twice"));
  EXPECT_THAT(outcome.err, HasSubstr("twice.fmu/modelDescription.xml:"));
}

TEST_F(FmuCommandsTest, RunWritesWhatTheFmuComputes) {
  const Outcome outcome =
      Orrery({"run", "lag.fmu", "--set", "u=1", "--output", "lag.csv"});

  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("Lag  FMU, Co-Simulation by 0.125 s  loaded in"));
  EXPECT_THAT(outcome.out, HasSubstr("Co-Simulation: 8 steps"));
  EXPECT_THAT(ReadAll(folder_ + "/lag.csv"), HasSubstr("\n0.25,0.234375,"));
}

TEST_F(FmuCommandsTest, RunTakesACommunicationStep) {
  const Outcome outcome =
      Orrery({"run", "lag.fmu", "--communication", "250ms", "--json"});
  const json report = json::parse(outcome.out);

  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["steps"], 4);
}

TEST_F(FmuCommandsTest, RunKeepsWhatAnFmuPrintsOutOfItsResults) {
  const Outcome outcome = Orrery({"run", "lag.fmu"});

  EXPECT_THAT(outcome.err, HasSubstr("printed by the lag\n"));
  EXPECT_EQ(outcome.out.find("printed by the lag"), std::string::npos);
}

TEST_F(FmuCommandsTest, RunTellsAFailureAndKeepsTheRows) {
  const Outcome outcome = Orrery({"run",
                                  "lag.fmu",
                                  "--set",
                                  "fails_at=3",
                                  "--set",
                                  "how=error",
                                  "--output",
                                  "lag.csv"});

  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("error: fmi2DoStep of 'Lag' returned Error at t = 0.25 "
                        "s; its last messages:"));
  EXPECT_THAT(ReadAll(folder_ + "/lag.csv"), HasSubstr("\n0.25,"));
}

TEST_F(FmuCommandsTest, RerunGivesTheSameWithoutTheFile) {
  (void)Orrery({"run",
                "lag.fmu",
                "--set",
                "u=1",
                "--communication",
                "0.25",
                "--store",
                "runs.db"});
  std::filesystem::remove(folder_ + "/lag.fmu");

  const Outcome outcome = Orrery({"rerun", "1", "--store", "runs.db"});

  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(FmuCommandsTest, RefuseOptionsOfOtherModels) {
  EXPECT_THAT(Orrery({"run", "lag.fmu", "--solver", "rk4"}).err,
              HasSubstr("--solver"));
  EXPECT_THAT(Orrery({"check", "lag.fmu", "--dependencies"}).err,
              HasSubstr("cannot check lag.fmu with --dependencies"));
  EXPECT_EQ(Orrery({"run", "lag.fmu", "--real-time", "1"}).err,
            "orrery: cannot run lag.fmu live: an FMU runs by itself; leave out "
            "--real-time and --connect\n");
  Write("m.mo", "model M end M;");
  EXPECT_THAT(Orrery({"run", "m.mo", "--communication", "1"}).err,
              HasSubstr("cannot take --communication for m.mo: it means "
                        "something to FMUs (.fmu) only"));
  EXPECT_THAT(Orrery({"run", "lag.fmu", "--variant", "a.ssd"}).err,
              HasSubstr("cannot take --variant for lag.fmu: it means "
                        "something to systems of FMUs (.ssp) only"));
}

TEST_F(FmuCommandsTest, StatisticsTellWhatTheFmuHasDone) {
  EXPECT_THAT(Orrery({"run", "lag.fmu", "--statistics"}).out,
              ContainsRegex("\n  Lag: 8 steps, 0 events, [0-9.]+ ms\n"));
  const json report = json::parse(
      Orrery({"run", "lag.fmu", "--statistics", "--json"}).out)["statistics"];
  ASSERT_EQ(report.size(), 1U);
  EXPECT_EQ(report[0]["steps"], 8);
  EXPECT_GT(report[0]["ms"].get<double>(), 0);
}

TEST_F(FmuCommandsTest, RunTellsTheKindsOfUse) {
  EXPECT_THAT(Orrery({"run", "lag.fmu", "--as", "xy"}).err,
              HasSubstr("the kinds of use are cs (Co-Simulation), me"));
  EXPECT_THAT(Orrery({"run", "lag.fmu", "--as", "me"}).err,
              HasSubstr("cannot run lag.fmu by Model Exchange"));
}

TEST_F(FmuCommandsTest, OtherCommandsWantAnFmuForModelExchange) {
  EXPECT_THAT(Orrery({"equations", "lag.fmu"}).err,
              HasSubstr("cannot run lag.fmu by Model Exchange: it is for "
                        "Co-Simulation"));
}

class ExchangeCommandsTest : public CliTest {
 protected:
  ExchangeCommandsTest() {
    Write("ball.fmu", fmi::MakeZip(fmi::BallEntries()));
    Write("switch.fmu", fmi::MakeZip(fmi::SwitchEntries()));
  }

  json Json(std::vector<std::string> words) {
    words.emplace_back("--json");
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(ExchangeCommandsTest, RunSolvesTheEquations) {
  const json report = Json({"run", "ball.fmu", "--stop", "1.3"});

  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["final"]["bounces"], 2);
  EXPECT_EQ(report["final"]["ticks"], 5);
}

TEST_F(ExchangeCommandsTest, SettingsHaveUnits) {
  const json report = Json({"run",
                            "ball.fmu",
                            "--set",
                            "h=250 cm",
                            "--stop",
                            "0.5",
                            "--tolerance",
                            "1e-10"});

  EXPECT_NEAR(report["final"]["h"].get<double>(), 2.5 - 9.81 / 8, 1e-10);
}

TEST_F(ExchangeCommandsTest, SettingsOutOfRangeAreRefused) {
  EXPECT_THAT(Orrery({"run", "ball.fmu", "--set", "e=2"}).err,
              HasSubstr("parameter 'e' is 2, as set for this run, above its "
                        "maximum, 1"));
  EXPECT_THAT(Orrery({"run", "ball.fmu", "--set", "ee=1"}).err,
              HasSubstr("no quantity 'ee' in model Ball"));
}

TEST_F(ExchangeCommandsTest, ResultsOfTheFmuCannotBeSet) {
  EXPECT_THAT(Orrery({"run", "ball.fmu", "--set", "energy=2"}).err,
              HasSubstr("cannot set 'energy': the model computes it"));
}

TEST_F(ExchangeCommandsTest, SweepsRunOnSeveralThreads) {
  const json report = Json({"sweep",
                            "switch.fmu",
                            "--vary",
                            "k=1:1:4",
                            "--keep",
                            "x",
                            "--jobs",
                            "2",
                            "--tolerance",
                            "1e-10"});

  const json& x = report["columns"][1]["values"];
  ASSERT_EQ(x.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(x[i].get<double>(),
                static_cast<double>(i + 1) * (1 - std::exp(-1.0)),
                1e-7);
  }
}

TEST_F(ExchangeCommandsTest, ASteadyStateIsFound) {
  const json report = Json({"steady", "switch.fmu", "--set", "u=3"});

  EXPECT_NEAR(report["states"]["x"].get<double>(), 3, 1e-9);
}

TEST_F(ExchangeCommandsTest, LinearSystemsAreExact) {
  const json report =
      Json({"linearize", "switch.fmu", "--set", "k=3", "--set", "T=2"});

  EXPECT_EQ(report["A"][0][0], -0.5);
  EXPECT_EQ(report["B"][0][0], 1.5);
  EXPECT_EQ(report["C"][0][0], 1);
  EXPECT_EQ(report["D"][0][0], 2);
}

TEST_F(ExchangeCommandsTest, RerunGivesTheSameWithoutTheFile) {
  (void)Orrery({"run", "ball.fmu", "--store", "ball.db"});
  std::filesystem::remove(folder_ + "/ball.fmu");

  const Outcome outcome = Orrery({"rerun", "1", "--store", "ball.db"});

  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(ExchangeCommandsTest, CommunicationIsForCoSimulation) {
  EXPECT_THAT(
      Orrery({"run", "ball.fmu", "--as", "me", "--communication", "1ms"}).err,
      HasSubstr("its equations are solved in steps of the solver"));
  EXPECT_THAT(Orrery({"run", "ball.fmu", "--as", "cs"}).err,
              HasSubstr("it is for Model Exchange"));
}

}  // namespace
}  // namespace orrery::cli
