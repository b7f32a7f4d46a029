#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/cli/test/hot_model.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The mass on a spring of acceptance/experiments: x(5) over k is known exactly.
constexpr const char* kMassSpring = R"(
model MassSpring
  parameter Real k(unit = "N/m") = 4;
  parameter Real c = 0.4;
  parameter Integer n = 1;
  parameter String name = "spring";
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real copies[n] = fill(2*x, n);
equation
  der(x) = v;
  der(v) = -k*x - c*v;
  assert(k < 9, "the spring breaks");
  annotation(experiment(StopTime = 5, Tolerance = 1e-9));
end MassSpring;
)";

double Exact(double k, double t = 5) {
  const double decay = 0.2;
  const double w = std::sqrt(k - decay * decay);
  return std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
}

class CliSweepTest : public CliTest {
 protected:
  CliSweepTest() { Write("spring.mo", kMassSpring); }

  [[nodiscard]] Outcome Sweep(std::vector<std::string> words) const {
    words.insert(words.begin(), {"sweep", "spring.mo"});
    return Orrery(words);
  }

  [[nodiscard]] json SweepJson(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome outcome = Sweep(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  [[nodiscard]] std::string Refused(std::vector<std::string> words) const {
    const Outcome outcome = Sweep(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
};

TEST_F(CliSweepTest, WarningsOfRunsAreToldOnceForEachKind) {
  Write("hot.mo", kHot);
  for (const char* jobs : {"1", "2"}) {
    const Outcome outcome = Orrery(
        {"sweep", "hot.mo", "--vary", "k=1:6", "--keep", "x", "--jobs", jobs});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err,
                StartsWith("hot.mo:7:3: warning: in 3 of 6 runs (the first: "
                           "run 4): at t = 0.75 s: it is hot\n"));
    EXPECT_EQ(outcome.err.find("warning: "), outcome.err.rfind("warning: "));
  }
  const Outcome quiet =
      Orrery({"sweep", "hot.mo", "--vary", "k={1,4}", "--keep", "x", "--json"});
  const json diagnostics = json::parse(quiet.out)["diagnostics"];
  ASSERT_EQ(diagnostics.size(), 1);
  EXPECT_EQ(diagnostics[0]["severity"], "warning");
  EXPECT_EQ(diagnostics[0]["line"], 7);
  EXPECT_EQ(diagnostics[0]["message"],
            "in run 2 of 2: at t = 0.75 s: it is hot");
}

TEST_F(CliSweepTest, WarningsAreStoredAndShownAgain) {
  Write("hot.mo", kHot);
  ASSERT_EQ(Orrery({"sweep",
                    "hot.mo",
                    "--vary",
                    "k=1:6",
                    "--keep",
                    "x",
                    "--store",
                    "its.db"})
                .exit_code,
            0);
  ASSERT_EQ(
      Orrery({"run", "hot.mo", "--set", "k=4", "--store", "its.db"}).exit_code,
      0);
  EXPECT_EQ(Orrery({"show", "1", "--store", "its.db"}).err,
            "hot.mo:7:3: warning: in 3 of 6 runs (the first: run 4): at t = "
            "0.75 s: it is hot\n");
  EXPECT_EQ(Orrery({"show", "2", "--store", "its.db"}).err,
            "hot.mo:7:3: warning: at t = 0.75 s: it is hot\n");
  const json shown =
      json::parse(Orrery({"show", "1", "--store", "its.db", "--json"}).out);
  const json& results = shown["results"];
  EXPECT_EQ(results["runs"]["completed"], 6);
  ASSERT_EQ(results["diagnostics"].size(), 1);
  EXPECT_EQ(results["diagnostics"][0]["line"], 7);
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "its.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(CliSweepTest, ATimeOfAClassIsInSecondsAndVariesInAnyUnitOfTime) {
  const Outcome swept = Orrery({"sweep",
                                Plugin("probe"),
                                "--vary",
                                "period=0.5:0.5:1 min",
                                "--stop",
                                "2min",
                                "--json"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const json report = json::parse(swept.out);
  EXPECT_EQ(report["columns"][0]["unit"], "s");
  EXPECT_EQ(report["columns"][0]["values"], json({30.0, 60.0}));
  EXPECT_EQ(report["runs"]["completed"], 2);
  EXPECT_THAT(
      Orrery({"sweep", Plugin("probe"), "--vary", "period=1:2 kg"}).err,
      HasSubstr("'period' is in 's', which 'kg' cannot be converted to"));
}

TEST_F(CliSweepTest, PointsAreReplicatedWithTheSameRandomNumbers) {
  const std::vector<std::string> swept = {"sweep",
                                          Plugin("bank"),
                                          "--vary",
                                          "tellers={4,5}",
                                          "--keep",
                                          "mean_wait_s",
                                          "--stop",
                                          "10h",
                                          "--replications",
                                          "3"};
  std::vector<std::string> words = swept;
  words.insert(words.end(), {"--json", "--output", "runs.csv"});
  const Outcome outcome = Orrery(words);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["runs"]["completed"], 6);
  EXPECT_EQ(report["replications"], 3);
  const json waits = report["columns"][1]["values"];
  const json means = report["means"];
  EXPECT_EQ(means[0]["values"], json({4.0, 5.0}));
  EXPECT_EQ(means[2]["name"], "half_width(mean_wait_s)");
  for (std::size_t point = 0; point < 2; ++point) {
    const json of_program =
        json::parse(Program("bank",
                            {"--set",
                             "tellers=" + std::to_string(4 + point),
                             "--stop",
                             "10h",
                             "--replications",
                             "3",
                             "--json"})
                        .out);
    const json& its = of_program["estimates"]["mean_wait_s"];
    EXPECT_EQ(means[1]["values"][point], its["mean"]);
    EXPECT_NEAR(means[2]["values"][point],
                its["high"].get<double>() - its["mean"].get<double>(),
                1e-9);
    for (std::size_t run = 0; run < 3; ++run) {
      EXPECT_EQ(waits[3 * point + run],
                of_program["runs"][run]["final"]["mean_wait_s"]);
    }
  }

  words = swept;
  words.insert(words.end(),
               {"--store", "its.db", "--plot", "tellers:mean_wait_s"});
  const Outcome told = Orrery(words);
  EXPECT_THAT(
      told.out,
      HasSubstr("  point  tellers  mean_wait_s  half_width(mean_wait_s)\n"
                "  1      4  "));
  const Outcome shown = Orrery({"show", "1", "--store", "its.db"});
  EXPECT_THAT(
      shown.out,
      HasSubstr("  point  tellers  mean_wait_s  half_width(mean_wait_s)\n"
                "  1      4  "));
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "its.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(CliSweepTest, PointsThatAreDrawnAreNotReplicated) {
  const Outcome outcome = Orrery({"sweep",
                                  Plugin("bank"),
                                  "--vary",
                                  "service=[90,95]",
                                  "--keep",
                                  "mean_wait_s",
                                  "--replications",
                                  "2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(
      outcome.err,
      "orrery: cannot replicate each run 2 times: where points are drawn, "
      "each has a run with random numbers of its own; draw more of them "
      "by --runs\n");
}

TEST_F(CliSweepTest, AGridOfTooManyRunsIsRefused) {
  EXPECT_EQ(
      Refused(
          {"--vary", "k=1:2000", "--vary", "c=1:1000", "--vary", "x=1:501"}),
      "orrery: cannot make 1002000000 runs: at most 1000000000 are possible; "
      "take fewer values, or draw points by --design sobol\n");
}

TEST_F(CliSweepTest, ARangeMayHaveAUnit) {
  const json report =
      SweepJson({"--vary", "k={0.003,0.0045} kN/m", "--keep", "x"});
  EXPECT_EQ(report["columns"][0]["unit"], "N/m");
  EXPECT_EQ(report["columns"][0]["values"], json({3.0, 4.5}));
  EXPECT_NEAR(report["columns"][1]["values"][0], Exact(3), 1e-7);
  EXPECT_THAT(Refused({"--vary", "k={1,2} kg"}),
              HasSubstr("'k' is in 'N/m', which 'kg' cannot be converted to"));
  EXPECT_THAT(Refused({"--vary", "c={1,2} kg"}),
              HasSubstr("'c' has no unit\n"));
  EXPECT_EQ(Refused({"--vary", "copis={1,2} kg"}),
            "orrery: cannot vary 'copis' in a unit: model MassSpring has no "
            "such quantity; did you mean 'copies'?\n");
  EXPECT_EQ(Refused({"--vary", "name={1,2} kg"}),
            "orrery: cannot vary 'name': it is a String; give a text, in "
            "double quotes if it looks like a number\n");
}

TEST_F(CliSweepTest, AGridIsRunAndShownAsATable) {
  const Outcome outcome =
      Sweep({"--vary", "k=3:0.5:5", "--keep", "x", "--keep", "low=min(x)"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("MassSpring  5 of 5 runs completed"));
  EXPECT_THAT(outcome.out, HasSubstr("  run  k N/m  x"));
  EXPECT_THAT(outcome.out, HasSubstr("  3    4      -0.336852"));
}

TEST_F(CliSweepTest, TheLastValueOfAVariedStartHasANameOfItsOwn) {
  const json report = SweepJson({"--vary", "x={1,2}"});
  EXPECT_EQ(report["columns"][0]["name"], "x");
  EXPECT_EQ(report["columns"][0]["values"], json({1, 2}));
  EXPECT_EQ(report["columns"][1]["name"], "final(x)");
  EXPECT_NEAR(report["columns"][1]["values"][0].get<double>(), Exact(4), 1e-7);
}

TEST_F(CliSweepTest, AVariedStartIsKeptByTheNameOfItsLastValue) {
  const json report =
      SweepJson({"--vary", "x={1,2}", "--keep", "x", "--keep", "max(x)"});
  EXPECT_EQ(report["columns"][1]["name"], "final(x)");
  EXPECT_NEAR(
      report["columns"][1]["values"][1].get<double>(), 2 * Exact(4), 1e-7);
  EXPECT_EQ(report["columns"][2]["values"], json({1, 2}));
}

TEST_F(CliSweepTest, EachRunIsTheExactSolution) {
  const json report =
      SweepJson({"--vary", "k=logspace(-1,0.9,50)", "--keep", "final(x)"});
  EXPECT_EQ(report["runs"]["completed"], 50);
  const json& k = report["columns"][0]["values"];
  const json& x = report["columns"][1]["values"];
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(x[i].get<double>(), Exact(k[i].get<double>()), 1e-7);
  }
}

// acceptance/experiments: exact by quadrature.
TEST_F(CliSweepTest, MonteCarloComesToTheExactMeanAndDeviation) {
  const json report = SweepJson(
      {"--vary", "k=normal(4,0.2)", "--runs", "20000", "--keep", "x"});
  const json& x = report["columns"][1];
  EXPECT_NEAR(x["mean"].get<double>(),
              -0.3266179281,
              2 * x["half_width"].get<double>());
  EXPECT_LT(x["half_width"].get<double>(), 6e-4);
  EXPECT_NEAR(x["deviation"].get<double>(), 0.0394922183, 8e-4);
}

TEST_F(CliSweepTest, SobolPointsComeNearerToTheMeanThanRandomOnes) {
  const json normal = SweepJson({"--vary",
                                 "k=normal(4,0.2)",
                                 "--design",
                                 "sobol",
                                 "--runs",
                                 "4096",
                                 "--keep",
                                 "x"});
  EXPECT_NEAR(normal["columns"][1]["mean"].get<double>(), -0.3266179281, 5e-5);
  const json uniform = SweepJson({"--vary",
                                  "k=uniform(3.6,4.4)",
                                  "--design",
                                  "latin-hypercube",
                                  "--runs",
                                  "4000",
                                  "--keep",
                                  "x"});
  EXPECT_NEAR(uniform["columns"][1]["mean"].get<double>(), -0.3231793775, 2e-5);
  EXPECT_NEAR(
      uniform["columns"][1]["deviation"].get<double>(), 0.0446010159, 2e-5);
  // The half-width for independent points does not apply to these.
  EXPECT_TRUE(normal["columns"][1]["half_width"].is_null());
  EXPECT_TRUE(uniform["columns"][1]["half_width"].is_null());
}

TEST_F(CliSweepTest, TheNumberOfThreadsChangesNoByte) {
  for (const char* jobs : {"1", "2", "5"}) {
    const Outcome outcome = Sweep({"--vary",
                                   "k=normal(4,0.2)",
                                   "--runs",
                                   "300",
                                   "--keep",
                                   "max(x)",
                                   "--jobs",
                                   jobs,
                                   "--output",
                                   std::string("jobs") + jobs + ".csv"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  const std::string one = ReadAll(folder_ + "/jobs1.csv");
  EXPECT_EQ(std::ranges::count(one, '\n'), 301);
  EXPECT_EQ(ReadAll(folder_ + "/jobs2.csv"), one);
  EXPECT_EQ(ReadAll(folder_ + "/jobs5.csv"), one);
}

TEST_F(CliSweepTest, FailedRunsAreToldAndStopNoOther) {
  const Outcome outcome = Sweep({"--vary", "k={1,20,2,30}", "--keep", "x"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("2 of 4 runs completed, 2 failed"));
  EXPECT_THAT(outcome.out, HasSubstr("run 2 failed: "));
  EXPECT_THAT(outcome.out, HasSubstr("the spring breaks"));
}

TEST_F(CliSweepTest, IfAllRunsFailTheCommandFails) {
  EXPECT_EQ(Sweep({"--vary", "k={20,30}", "--keep", "x"}).exit_code, 1);
}

TEST_F(CliSweepTest, AParameterThatShapesTheEquationsMayVary) {
  const json report =
      SweepJson({"--vary", "n=1:3", "--keep", "copies[1] - 2*x"});
  EXPECT_EQ(report["columns"][1]["values"], json({0, 0, 0}));
}

TEST_F(CliSweepTest, PointsMayComeFromAFile) {
  Write("points.csv", "k,c\n4,0.4\n2,0.4\n");
  const json report = SweepJson({"--points", "points.csv", "--keep", "x"});
  EXPECT_NEAR(report["columns"][2]["values"][1].get<double>(), Exact(2), 1e-7);
}

TEST_F(CliSweepTest, PointsMayBeInUnitsOfTheirOwn) {
  Write("points.csv", "k [kN/m],c\n0.002,0.4\n");
  const json report = SweepJson({"--points", "points.csv", "--keep", "x"});
  EXPECT_NEAR(report["columns"][0]["values"][0].get<double>(), 2, 1e-15);
  EXPECT_NEAR(report["columns"][2]["values"][0].get<double>(), Exact(2), 1e-7);
  Write("points.csv", "k [kg],c\n2,0.4\n");
  EXPECT_THAT(Refused({"--points", "points.csv", "--keep", "x"}),
              HasSubstr("cannot take 'k [kg]' of points.csv as a quantity in "
                        "N/m"));
}

TEST_F(CliSweepTest, FinalKeepsTheLastValuesOfAllThatMoves) {
  const json all = SweepJson({"--vary", "k=3:5"});
  EXPECT_EQ(SweepJson({"--vary", "k=3:5", "--keep", "final"})["columns"],
            all["columns"]);
  const json more =
      SweepJson({"--vary", "k=3:5", "--keep", "final", "--keep", "max(v)"});
  EXPECT_EQ(more["columns"].size(), all["columns"].size() + 1);
}

TEST_F(CliSweepTest, ColumnsArePlottedOverEachOther) {
  const Outcome outcome = Sweep({"--vary",
                                 "k=3:0.1:5",
                                 "--keep",
                                 "max(v)",
                                 "--plot",
                                 "k:max(v)",
                                 "--figure",
                                 "plot.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(ReadAll(folder_ + "/plot.svg"), HasSubstr("max(v)"));
}

TEST_F(CliSweepTest, EndingsOfFilesMayBeInCapitals) {
  Write("SPRING.MO", kMassSpring);
  const Outcome outcome = Orrery({"sweep",
                                  "SPRING.MO",
                                  "--vary",
                                  "k=3:5",
                                  "--keep",
                                  "x",
                                  "--output",
                                  "RUNS.CSV",
                                  "--plot",
                                  "k:x",
                                  "--figure",
                                  "PLOT.SVG"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(ReadAll(folder_ + "/RUNS.CSV"), StartsWith("run,status,k,x\n"));
  EXPECT_THAT(ReadAll(folder_ + "/PLOT.SVG"), StartsWith("<svg"));
}

TEST_F(CliSweepTest, RunsThatAreNotInOrderArePlottedAsDots) {
  const auto dots = [&](const std::string& range, const std::string& plot) {
    const Outcome outcome = Sweep({"--vary",
                                   range,
                                   "--runs",
                                   "7",
                                   "--plot",
                                   plot,
                                   "--figure",
                                   "plot.svg",
                                   "--store",
                                   "its.db"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string svg = ReadAll(folder_ + "/plot.svg");
    std::size_t count = 0;
    for (auto at = svg.find("<circle"); at != std::string::npos;
         at = svg.find("<circle", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(dots("k=uniform(3,5)", "k:x"), 7U);
  EXPECT_EQ(dots("k=uniform(3,5)", "time:x"), 0U);
  EXPECT_EQ(Orrery({"show",
                    "1",
                    "--store",
                    "its.db",
                    "--plot",
                    "k:x",
                    "--figure",
                    "again.svg"})
                .exit_code,
            0);
  EXPECT_THAT(ReadAll(folder_ + "/again.svg"), HasSubstr("<circle"));
}

TEST_F(CliSweepTest, AGridOfTwoFactorsIsPlottedAsACurveForEachOfOne) {
  const auto plotted = [&](std::vector<std::string> words) {
    words.insert(words.end(),
                 {"--keep", "x", "--plot", "k:x", "--figure", "plot.svg"});
    const Outcome outcome = Sweep(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return ReadAll(folder_ + "/plot.svg");
  };
  const std::string grid =
      plotted({"--vary", "k=3:5", "--vary", "c={0.2,0.4}"});
  EXPECT_THAT(grid, HasSubstr(">c = 0.2<"));
  EXPECT_THAT(grid, HasSubstr(">c = 0.4<"));
  EXPECT_THAT(grid, Not(HasSubstr("<circle")));
  const std::string drawn =
      plotted({"--vary", "k=[3,5]", "--vary", "c=[0.2,0.4]", "--runs", "5"});
  EXPECT_THAT(drawn, HasSubstr("<circle"));
  EXPECT_THAT(drawn, Not(HasSubstr(">c = ")));
}

TEST_F(CliSweepTest, AxesOfPlotsMayBeLogarithmic) {
  const Outcome outcome = Sweep({"--vary",
                                 "k=logspace(-3,0,4)",
                                 "--keep",
                                 "x",
                                 "--plot",
                                 "k:x",
                                 "--log-axes",
                                 "x",
                                 "--figure",
                                 "plot.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(ReadAll(folder_ + "/plot.svg"),
              testing::AllOf(
                  HasSubstr(">0.001<"), HasSubstr(">0.01<"), HasSubstr(">1<")));
  EXPECT_EQ(Refused({"--vary", "k=3:5", "--log-axes", "z"}),
            "orrery: cannot take --log-axes z: give 'x', 'y' or 'x,y'\n");
  EXPECT_EQ(Refused({"--vary", "k=3:5", "--log-axes", "x"}),
            "orrery: cannot draw logarithmic axes: nothing is to be plotted; "
            "say what by --plot\n");
}

TEST_F(CliSweepTest, ModelsOfEveryKindCanBeSwept) {
  const Outcome devs = Orrery({"sweep",
                               Plugin("probe"),
                               "--vary",
                               "period={1,2}",
                               "--stop",
                               "10",
                               "--json"});
  EXPECT_EQ(devs.exit_code, 0) << devs.err;
}

TEST_F(CliSweepTest, ASweepIsSavedWithAllItsRuns) {
  const Outcome outcome =
      Sweep({"--vary", "k={1,20,3}", "--keep", "x", "--store", "my.db"});
  EXPECT_THAT(outcome.err, HasSubstr("saved as experiment 1 (MassSpring, "));
  ExperimentStore store(folder_ + "/my.db");
  const ExperimentRecord record = store.Read(1);
  EXPECT_EQ(record.info.type, "sweep");
  EXPECT_EQ(record.info.status, ExperimentStatus::kCompleted);
  EXPECT_EQ(record.info.runs,
            (RunCounts{.asked = 3, .finished = 2, .failed = 1}));
  const RunTable table = store.ReadRuns(1);
  EXPECT_NEAR(ColumnOf(table, "x")[2], Exact(3), 1e-7);
  EXPECT_THAT(store.ReadFailures(1, 9).at(0).message,
              HasSubstr("the spring breaks"));
  EXPECT_EQ(store.ReadAttachment(1, "spring.mo"), kMassSpring);
}

TEST_F(CliSweepTest, TheDocumentInTheStoreMakesTheSameRunsAgain) {
  static_cast<void>(Sweep({"--vary",
                           "k=normal(4,0.2)",
                           "--runs",
                           "50",
                           "--seed",
                           "7",
                           "--set",
                           "c=0.3",
                           "--keep",
                           "max(x)",
                           "--store",
                           "my.db"}));
  ExperimentStore store(folder_ + "/my.db");
  SweepDocument document = SweepDocumentFromJson(store.Read(1).document);
  document.run.file = folder_ + "/spring.mo";
  const RunSeries series = MakeSeries(document);
  RunSeries::Worker worker(series);
  RunBatch batch;
  for (std::int64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(worker.Run(i, 1, batch), 1);
  }
  EXPECT_EQ(batch.values, store.ReadRuns(1).values);
}

TEST_F(CliSweepTest, ARunIsSavedWithItsTrajectory) {
  const Outcome outcome =
      Orrery({"run", "spring.mo", "--set", "k=2", "--store", "my.db"});
  EXPECT_THAT(outcome.err, HasSubstr("saved as experiment 1"));
  ExperimentStore store(folder_ + "/my.db");
  EXPECT_NEAR(store.ReadTrajectory(1, 0)["x"].final(), Exact(2), 1e-7);
  EXPECT_EQ(RunDocumentFromJson(store.Read(1).document).settings,
            (std::vector<ParameterText>{{"k", "2"}}));
}

TEST_F(CliSweepTest, AStoreThatCannotBeWrittenStopsNoRun) {
  Write("orrery.db", "this is no store, but a text that is long enough");
  const Outcome outcome = Finish(Start({"run", "spring.mo"}, "out"));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("warning: the experiment is not saved: "));
  EXPECT_EQ(Orrery({"run", "spring.mo", "--store", "orrery.db"}).exit_code, 1);
}

TEST_F(CliSweepTest, WhatWasFinishedBeforeAKillIsInTheStore) {
  const pid_t child = Start({"sweep",
                             "spring.mo",
                             "--vary",
                             "k=uniform(3,4)",
                             "--runs",
                             "1000000",
                             "--keep",
                             "x",
                             "--store",
                             "my.db"},
                            "out");
  usleep(1'500'000);
  kill(child, SIGKILL);
  static_cast<void>(Finish(child));
  ExperimentStore store(folder_ + "/my.db");
  EXPECT_TRUE(store.FindDamage().empty());
  const ExperimentInfo info = store.Read(1).info;
  EXPECT_EQ(info.status, ExperimentStatus::kInterrupted);
  EXPECT_GT(info.runs.finished, 0);
  const RunTable table = store.ReadRuns(1);
  for (std::size_t run = 0; run < table.status.size(); ++run) {
    if (table.status[run] == RunStatus::kCompleted) {
      EXPECT_NEAR(table.values[1][run], Exact(table.values[0][run]), 1e-7);
      break;
    }
  }
}

TEST_F(CliSweepTest, WhatVariesIsNotSet) {
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--set", "k=5"}),
              HasSubstr("cannot set 'k' to 5: it is what varies; leave out one "
                        "of them"));
  Write("p.csv", "k\n1\n3\n");
  EXPECT_THAT(Refused({"--points", "p.csv", "--set", "k=5"}),
              HasSubstr("cannot set 'k' to 5"));
}

TEST_F(CliSweepTest, WhatVariesIsNotGivenByTheTableOfInputs) {
  Write("gain.mo", "model Gain\n  input Real u;\n  Real y = 2*u;\nend Gain;\n");
  Write("in.csv", "time,u\n0,1\n1,2\n");
  const Outcome outcome = Orrery({"sweep",
                                  "gain.mo",
                                  "--vary",
                                  "u={1,2}",
                                  "--input",
                                  "in.csv",
                                  "--keep",
                                  "y"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot vary 'u': the table of inputs, in.csv, gives it as "
            "well; leave out one of them\n");
}

TEST_F(CliSweepTest, ATableOfInputsThatEndsEarlyIsToldOnce) {
  Write("gain.mo",
        "model Gain\n  parameter Real k = 1;\n  input Real u;\n  Real y = "
        "k*u;\nend Gain;\n");
  Write("in.csv", "t [ms],u\n0,1\n500,2\n");
  const Outcome outcome = Orrery({"sweep",
                                  "gain.mo",
                                  "--stop",
                                  "2",
                                  "--vary",
                                  "k={1,3}",
                                  "--input",
                                  "in.csv",
                                  "--keep",
                                  "y",
                                  "--json"});
  EXPECT_EQ(outcome.err,
            "warning: the table of inputs in.csv ends at 0.5 s, and the run at "
            "2 s: from there on its last row holds; go on with it, or end the "
            "run at 0.5 s\n");
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST_F(CliSweepTest, HowManyPointsThereAreIsChosenOnlyWhereTheyAreDrawn) {
  EXPECT_EQ(Refused({"--vary", "k=1:3", "--keep", "x", "--runs", "7"}),
            "orrery: cannot choose 7 points: the values of what varies make "
            "the points of a grid; leave out --runs, or draw points by "
            "--design random, latin-hypercube or sobol\n");
  Write("p.csv", "k\n1\n3\n");
  EXPECT_EQ(Refused({"--points", "p.csv", "--keep", "x", "--runs", "7"}),
            "orrery: cannot choose 7 points: the rows of p.csv are the points; "
            "leave out --runs\n");
}

TEST_F(CliSweepTest, HowManyRunsThereAreMayHaveAnExponent) {
  const json report =
      SweepJson({"--vary", "k=normal(4,0.2)", "--runs", "1e1", "--keep", "x"});
  EXPECT_EQ(report["columns"][0]["values"].size(), 10);
  EXPECT_EQ(Refused({"--vary", "k=normal(4,0.2)", "--runs", "1.5"}),
            "orrery: cannot take --runs 1.5: give a whole number from 1 to "
            "1000000000\n");
}

TEST_F(CliSweepTest, ANumberThatRunsDoNotComeToIsTold) {
  const std::string text =
      Sweep({"--vary", "k={3,4}", "--keep", "x", "--keep", "at(x, 7)"}).out;
  EXPECT_THAT(text,
              HasSubstr("  note: 2 of 2 runs came to no at(x, 7): what it asks "
                        "for is not there before the end of the run, or is no "
                        "number\n"));
  EXPECT_THAT(text, Not(HasSubstr("came to no x")));
}

TEST_F(CliSweepTest, AnIntegerIsNotVariedAmongAllNumbers) {
  EXPECT_THAT(Refused({"--vary", "n=normal(1,1)", "--keep", "x"}),
              HasSubstr("cannot vary 'n=normal(1,1)': it takes whole numbers "
                        "alone"));
}

TEST_F(CliSweepTest, AStringVariesAmongTexts) {
  EXPECT_EQ(Refused({"--vary", "name=1:3", "--keep", "x"}),
            "orrery: cannot vary 'name': it is a String; give texts, as in "
            "name={fast,slow}\n");
  const Outcome outcome = Sweep({"--vary", "name={a,\"b, c\"}", "--keep", "x"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("  1    a "));
  EXPECT_THAT(outcome.out, HasSubstr("  2    b, c "));
}

// Lists with distributions: each point of the lists has all draws.
TEST_F(CliSweepTest, AGridHasWhatIsRandomDrawnAtEachPoint) {
  const json report = SweepJson({"--vary",
                                 "c={0.2,0.4}",
                                 "--vary",
                                 "k=normal(4,0.2)",
                                 "--runs",
                                 "50",
                                 "--keep",
                                 "x"});
  EXPECT_EQ(report["runs"]["completed"], 100);
  EXPECT_EQ(report["replications"], 50);
  const json& k = report["columns"][1]["values"];
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(k[i], k[i + 50]);
  }
  EXPECT_NE(k[0], k[1]);
}

TEST_F(CliSweepTest, WhatAFormulaLacksAtItsEndIsTold) {
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--keep", "max(x"}),
              HasSubstr("measure:1:6: error: expected ',' or ')', found the "
                        "end of the formula\n"));
}

TEST_F(CliSweepTest, WrongCommandsAreRefusedInWords) {
  EXPECT_THAT(Refused({}), HasSubstr("nothing varies; say what by --vary"));
  EXPECT_THAT(Refused({"--vary", "kk=1:3"}),
              HasSubstr("cannot vary 'kk': no quantity 'kk'"));
  EXPECT_THAT(Refused({"--vary", "copies[1]=1:3", "--keep", "x"}),
              HasSubstr("the model computes it"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--design", "gird"}),
              HasSubstr("did you mean 'grid'?"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--keep", "x", "--keep", "x"}),
              HasSubstr("two columns 'x'"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--points", "p.csv"}),
              HasSubstr("cannot take --points beside --vary"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--runs", "0"}),
              HasSubstr("cannot take --runs 0"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--jobs", "many"}),
              HasSubstr("cannot take --jobs many"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--output", "runs.mat"}),
              HasSubstr("give a name that ends in .csv"));
  EXPECT_THAT(Refused({"--vary", "k=1:3", "--keep", "x", "--plot", "k:y"}),
              HasSubstr("'y'"));
  EXPECT_THAT(Refused({"--vary", "k=normal(4,0.2)", "--correlate", "k,c=0.5"}),
              HasSubstr("c"));
}

TEST_F(CliSweepTest, AMistakeInAMeasureIsShownInIt) {
  EXPECT_THAT(
      Refused({"--vary", "k=1:3", "--keep", "final(xx)"}),
      StartsWith("measure:1:7: error: the results have no signal 'xx'"));
}

// Sequential stopping ---------------------------------------------------------

TEST_F(CliSweepTest, ItGoesOnUntilAMeanIsKnown) {
  const json report = SweepJson(
      {"--vary", "k=normal(4,0.2)", "--keep", "x", "--until-known", "x=0.002"});
  const json& x = report["columns"][1];
  EXPECT_LE(x["half_width"], 0.002);
  EXPECT_NEAR(x["mean"], -0.3266179281, 0.004);
  // (1.96 * 0.0395 / 0.002)^2 = 1498 runs are needed; checks follow every 100.
  EXPECT_GE(report["runs"]["asked"], 1200);
  EXPECT_LE(report["runs"]["asked"], 1800);
  EXPECT_EQ(report["runs"]["asked"].get<int>() % 100, 0);
}

TEST_F(CliSweepTest, AMeanThatStaysUnknownEndsAfterTheMostRunsAndThatIsTold) {
  const Outcome outcome = Sweep({"--vary",
                                 "k=normal(4,0.2)",
                                 "--keep",
                                 "x",
                                 "--until-known",
                                 "x=0.01%",
                                 "--runs",
                                 "250",
                                 "--json"});
  EXPECT_EQ(json::parse(outcome.out)["runs"]["completed"], 250);
  EXPECT_EQ(outcome.err,
            "orrery: warning: after 250 runs the mean of x is not known as "
            "well as was asked for; give more by --runs\n");
}

TEST_F(CliSweepTest, TheAxisOfRunsIsCalledSo) {
  const Outcome outcome = Sweep({"--vary",
                                 "k=normal(4,0.2)",
                                 "--runs",
                                 "10",
                                 "--plot",
                                 "x",
                                 "--figure",
                                 "runs.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string figure = ReadAll(folder_ + "/runs.svg");
  EXPECT_THAT(figure, HasSubstr(">run</text>"));
  EXPECT_THAT(figure, testing::Not(HasSubstr("time")));
}

TEST_F(CliSweepTest, ASequentialSweepIsRunAgainToTheLastBit) {
  ASSERT_EQ(Sweep({"--vary",
                   "k=normal(4,0.2)",
                   "--keep",
                   "x",
                   "--until-known",
                   "x=2%",
                   "--store",
                   "s.db"})
                .exit_code,
            0);
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "s.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
  EXPECT_THAT(Orrery({"list", "--store", "s.db"}).out, HasSubstr("00 of "));
}

TEST_F(CliSweepTest, AMeanOfPointsThatAreNotIndependentIsNotWaitedFor) {
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--keep", "x"});
    return Sweep(words).err;
  };
  EXPECT_THAT(
      refused(
          {"--vary", "k=[3,5]", "--design", "sobol", "--until-known", "x=1%"}),
      HasSubstr("take --design random"));
  EXPECT_THAT(refused({"--vary", "k=[3,5]", "--until-known", "y=1%"}),
              HasSubstr("the runs have no number 'y'"));
  EXPECT_THAT(refused({"--vary", "k=[3,5]", "--until-known", "x"}),
              HasSubstr("give a number and how well, as in 'x=0.01'"));
}

TEST_F(CliSweepTest, LastValuesOfModelsOnOneTimelineAreKept) {
  const Outcome outcome = Orrery({"sweep",
                                  Plugin("tank_station"),
                                  "--vary",
                                  "area=3:5",
                                  "--stop",
                                  "1h",
                                  "--keep",
                                  "final(level)",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json column = json::parse(outcome.out)["columns"][1];
  EXPECT_EQ(column["name"], "final(level)");
  EXPECT_NEAR(column["values"][0], 2.2, 1e-9);
  EXPECT_NEAR(column["values"][1], 1.1, 1e-9);
  EXPECT_NEAR(column["values"][2], 2.88, 1e-9);
}

// Given points have the same random numbers: those of one run.
TEST_F(CliSweepTest, TruthsOfClassesAreVaried) {
  const Outcome outcome = Orrery({"sweep",
                                  Plugin("bank"),
                                  "--stop",
                                  "8h",
                                  "--vary",
                                  "one_line={true,false}",
                                  "--keep",
                                  "mean_wait_s",
                                  "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json waits = json::parse(outcome.out)["columns"][1]["values"];
  EXPECT_NEAR(waits[0], 73.2492, 1e-4);
  for (const std::size_t i : {0U, 1U}) {
    const Outcome run = Orrery({"run",
                                Plugin("bank"),
                                "--stop",
                                "8h",
                                "--set",
                                i == 0 ? "one_line=true" : "one_line=false",
                                "--json"});
    EXPECT_EQ(waits[i], json::parse(run.out)["final"]["mean_wait_s"]);
  }
}

TEST_F(CliSweepTest, WholeNumbersOfClassesAreRequiredAtOnce) {
  EXPECT_EQ(Orrery({"sweep",
                    Plugin("bank"),
                    "--vary",
                    "tellers=normal(4,1)",
                    "--runs",
                    "3",
                    "--keep",
                    "mean_wait_s"})
                .err,
            "orrery: cannot vary 'tellers=normal(4,1)': it takes whole numbers "
            "alone; write tellers={0,1,2} or tellers=uniforminteger(0,2)\n");
}

// Tables show enumerations and Booleans as `run` does.
constexpr const char* kPump = R"(
model Pump
  type Mode = enumeration(Off, Slow, Fast);
  parameter Mode mode = Mode.Off;
  parameter Boolean on = true;
  Mode now = if on then mode else Mode.Off;
  Real speed = if now == Mode.Fast then 3 elseif now == Mode.Slow then 1 else 0;
end Pump;
)";

TEST_F(CliSweepTest, TablesShowLiteralsAndTruthsByTheirNames) {
  Write("pump.mo", kPump);
  const Outcome sweep = Orrery({"sweep",
                                "pump.mo",
                                "--vary",
                                "mode={Slow,Fast}",
                                "--vary",
                                "on={true,false}",
                                "--keep",
                                "speed",
                                "--keep",
                                "now",
                                "--store",
                                "its.db"});
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  const std::string table =
      "  run  mode  on     speed  now\n"
      "  1    Slow  true   1      Slow\n"
      "  2    Slow  false  0      Off\n"
      "  3    Fast  true   3      Fast\n"
      "  4    Fast  false  0      Off\n";
  EXPECT_THAT(sweep.out, HasSubstr(table));
  EXPECT_THAT(Orrery({"show", "1", "--store", "its.db"}).out, HasSubstr(table));
}

TEST_F(CliSweepTest, AnOptimumShowsLiteralsByTheirNames) {
  Write("pump.mo", kPump);
  const Outcome found = Orrery({"optimize",
                                "pump.mo",
                                "--vary",
                                "mode=integer[Off,Fast]",
                                "--maximize",
                                "speed",
                                "--store",
                                "its.db"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("\n  speed  3\n  mode   Fast"));
  EXPECT_THAT(Orrery({"show", "1", "--store", "its.db"}).out,
              HasSubstr("\n  mode   Fast"));
}

}  // namespace
}  // namespace orrery::cli
