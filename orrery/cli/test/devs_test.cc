// DEVS models as programs and as plug-ins of the command.

#include <sys/types.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class CliDevsTest : public CliTest {
 protected:
  // The JSON report of a program that succeeds.
  [[nodiscard]] json Report(const std::string& program,
                            std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Outcome outcome = Program(program, words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

// Examples --------------------------------------------------------------------

// Zeigler, Praehofer & Kim, ch. 4: by hand.
TEST_F(CliDevsTest, TransducerReportsWhatIsCountedByHand) {
  const json fast = Report("gpt", {"--stop", "5s"})["final"];
  EXPECT_EQ(fast["report.arrived"], 4);
  EXPECT_EQ(fast["report.solved"], 3);
  EXPECT_EQ(fast["report.mean_turnaround_s"], 1.0);
  EXPECT_EQ(fast["report.throughput_per_s"], 0.6);
  const json slow = Report(
      "gpt", {"--set", "processing=3s", "--set", "observation=100"})["final"];
  EXPECT_EQ(slow["report.arrived"], 99);
  EXPECT_EQ(slow["report.solved"], 32);
  EXPECT_EQ(slow["report.mean_turnaround_s"], 3.0);
  EXPECT_EQ(slow["report.throughput_per_s"], 0.32);
}

TEST_F(CliDevsTest, BankWaitsAsErlangSays) {
  for (const char* one_line : {"one_line=true", "one_line=false"}) {
    const json values = Report("bank", {"--set", one_line})["final"];
    const double exact = one_line == std::string("one_line=true")
                             ? 375000 / 3801.0  // C(4, 10/3) * 150 s
                             : 500;             // 5/6 / (1/100 s - 1/120 s)
    EXPECT_NEAR(values["exact_wait_s"], exact, 1e-10);
    EXPECT_NEAR(values["mean_wait_s"].get<double>() / exact, 1, 0.03);
  }
}

// Pollaczek and Khinchine of M/D/1: 0.75 * 30 s / (2 * (1 - 0.75)).
TEST_F(CliDevsTest, CoffeeStandWaitsAsPollaczekAndKhinchineSay) {
  const json wait = Report(
      "coffee_stand",
      {"--replications", "200", "--stop", "30h"})["estimates"]["mean_wait_s"];
  EXPECT_LT(wait["low"].get<double>(), 45);
  EXPECT_GT(wait["high"].get<double>(), 45);
  EXPECT_NEAR(wait["mean"], 45, 1);
}

TEST_F(CliDevsTest, ProductionLineMakesWhatItsMarkovChainDoes) {
  const json values = Report("production_line", {})["final"];
  // There are thousands of failures: 1 % is about four standard deviations.
  EXPECT_NEAR(values["parts_per_s"].get<double>() /
                  values["exact_parts_per_s"].get<double>(),
              1,
              0.01);
}

TEST_F(CliDevsTest, CommandsOfTheGuideSucceed) {
  EXPECT_GE(RunCommandsOf("docs/reference/devs.md",
                          std::string("ln -sf ") + ORRERY_PROGRAMS + "/bank " +
                              Plugin("bank") + " ."),
            6);
}

TEST_F(CliDevsTest, CommandsOfTheTutorialSucceed) {
  EXPECT_EQ(RunCommandsOf("docs/start/discrete_events.md",
                          std::string("ln -sf ") + ORRERY_PROGRAMS +
                              "/coffee_stand " + Plugin("coffee_stand") + " ."),
            7);
}

// Programs and plug-ins -------------------------------------------------------

TEST_F(CliDevsTest, ProgramAndPlugInReportTheSame) {
  const std::vector<std::string> words = {
      "--set", "mode=ends", "--stop", "10", "--json"};
  std::vector<std::string> by_command = {"run", Plugin("probe")};
  by_command.insert(by_command.end(), words.begin(), words.end());
  json program = Report("probe", {"run", "--set", "mode=ends", "--stop", "10"});
  json plugin = json::parse(Orrery(by_command).out);
  for (json* report : {&program, &plugin}) {
    report->erase("run_ms");
    report->erase("flatten_ms");
  }
  EXPECT_EQ(program, plugin);
  EXPECT_EQ(program["final"]["tick"], 3);
  EXPECT_EQ(program["final_times"]["tick"], 4.0);
  EXPECT_TRUE(program["final"]["sum"].is_null());
  EXPECT_EQ(program["statistics"]["internal"], 4);
  EXPECT_EQ(program["time"], 10.0);
}

TEST_F(CliDevsTest, TextReportTellsModelRunAndOutputs) {
  const Outcome outcome = Program("probe", {});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              StartsWith("Probe  3 atomic models, 6 couplings  parallel DEVS  "
                         "flattened in "));
  EXPECT_THAT(outcome.out,
              ContainsRegex("\nt = 4 s  4 internal, 0 external, 0 confluent "
                            "transitions, 0 messages  [0-9.]+ ms\n"
                            "  sum   -\n"
                            "  tick  3  at t = 4 s\n$"));
}

TEST_F(CliDevsTest, AnAtomicModelIsAProgramToo) {
  Write("in.csv", "time,add\n1.5,10\n");
  const json report = Report("counter", {"--stop", "4", "--input", "in.csv"});
  EXPECT_EQ(report["atomic_models"], 1);
  EXPECT_EQ(report["final"]["count"], 23);  // 0, 1, 12, 23
  EXPECT_EQ(report["final"]["value"], 34);
  EXPECT_EQ(report["final_times"]["count"], 4.0);
}

TEST_F(CliDevsTest, CheckListsWhatAModelConsistsOf) {
  const std::string text =
      "Probe: correct\n"
      "       3 atomic models\n"
      "       6 couplings\n"
      "  input x, of numbers\n"
      "  input n, of numbers\n"
      "  input flag, of numbers\n"
      "  input job\n"
      "  output sum, of numbers\n"
      "  output tick, of numbers\n"
      "parameters\n"
      "  gain = 2 kg, not 1  a number from 0 to 10                            "
      "            Of what comes\n"
      "  mode = ends         'ends' or 'idle' or 'runs' or 'throws' or 'storm' "
      "or 'back'  What goes wrong\n"
      "  period = 1 s        a time                                           "
      "            Between ticks\n"
      "  broken = false      true or false                                    "
      "            Whether it cannot be made\n";
  EXPECT_EQ(Orrery({"check", Plugin("probe"), "--set", "gain=2"}).out, text);
  EXPECT_EQ(Program("probe", {"check", "--set", "gain=2000 g"}).out, text);
}

TEST_F(CliDevsTest, CheckGivesWhatAModelConsistsOfAsJson) {
  for (const Outcome& outcome : {Orrery({"check", Plugin("probe"), "--json"}),
                                 Program("probe", {"check", "--json"})}) {
    const json report = json::parse(outcome.out);
    EXPECT_EQ(report["status"], "correct");
    EXPECT_EQ(report["model"], "Probe");
    EXPECT_EQ(report["atomic_models"].size(), 3U);
    EXPECT_EQ(report["couplings"], 6);
    EXPECT_EQ(report["ports"][3],
              json({{"name", "job"},
                    {"direction", "input"},
                    {"takes_numbers", false}}));
    EXPECT_EQ(report["stop"], nullptr);
    EXPECT_EQ(report["parameters"]["gain"], "1");
  }
}

TEST_F(CliDevsTest, HelpAndVersionOfAProgramAreItsOwn) {
  for (const char* word : {"help", "--help"}) {
    const Outcome outcome = Program("probe", {word});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Usage: probe [OPTIONS] SUBCOMMAND"));
    EXPECT_THAT(outcome.out, HasSubstr("  gain = 1 kg"));
  }
  EXPECT_THAT(Program("probe", {"help", "run"}).out, HasSubstr("--real-time"));
  EXPECT_THAT(Program("probe", {"--version"}).out,
              ContainsRegex("^probe, a model of orrery [0-9.]+\n$"));
}

// Options of runs -------------------------------------------------------------

TEST_F(CliDevsTest, InputsComeFromAFileCellByCell) {
  Write("in.csv", "time,x,n,flag\n1,0.5,,\n2,,7,true\n2,0.25,,\n");
  const json report = Report("probe",
                             {"--input",
                              "in.csv",
                              "--set",
                              "gain=2",
                              "--set",
                              "mode=idle",
                              "--output",
                              "out.csv"});
  EXPECT_EQ(report["final"]["sum"], 1008.5);
  EXPECT_EQ(report["final_times"]["sum"], 2.0);
  EXPECT_EQ(ReadAll(folder_ + "/out.csv"),
            "time,sum,tick\n0,nan,nan\n1,1,nan\n2,1008.5,nan\n");
}

TEST_F(CliDevsTest, OutputsAreHeldToTheEndInFilesAndPlots) {
  const Outcome outcome = Program("probe",
                                  {"--stop",
                                   "2.5",
                                   "--output",
                                   "a.csv",
                                   "--output",
                                   "a.mat",
                                   "--output",
                                   "a.h5",
                                   "--plot",
                                   "tick",
                                   "--figure",
                                   "a.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "wrote a.csv, a.mat, a.h5, a.svg\n");
  EXPECT_EQ(ReadAll(folder_ + "/a.csv"),
            "time,sum,tick\n0,nan,nan\n1,nan,0\n2,nan,1\n2.5,nan,1\n");
  EXPECT_THAT(ReadAll(folder_ + "/a.svg"), HasSubstr("<svg"));
}

TEST_F(CliDevsTest, TraceHoldsEachObservedModelOnce) {
  const Outcome outcome = Program("probe",
                                  {"--stop",
                                   "2",
                                   "--trace",
                                   "a.csv",
                                   "--observe",
                                   "*culprit",
                                   "--observe",
                                   "probe.c*"});
  EXPECT_EQ(outcome.err, "wrote a.csv\n");
  EXPECT_EQ(ReadAll(folder_ + "/a.csv"),
            "time,model,event,name,value\n"
            "0,probe.culprit,start,ticks,0\n"
            "1,probe.culprit,output,tick,0\n"
            "1,probe.culprit,internal,ticks,1\n"
            "2,probe.culprit,output,tick,1\n"
            "2,probe.culprit,internal,ticks,2\n");
  ASSERT_EQ(Program("probe", {"--stop", "1", "--trace", "a.jsonl"}).exit_code,
            0);
  EXPECT_THAT(ReadAll(folder_ + "/a.jsonl"),
              HasSubstr("{\"time\":1,\"model\":\"probe.culprit\",\"event\":"
                        "\"internal\",\"name\":\"ticks\",\"value\":1}\n"));
}

TEST_F(CliDevsTest, TimesMayHaveUnitsAndParametersToo) {
  const json report =
      Report("probe", {"--stop", "1 min", "--set", "period=10 s"});
  EXPECT_EQ(report["time"], 60.0);
  EXPECT_EQ(report["final_times"]["tick"], 40.0);
  EXPECT_EQ(report["parameters"]["period"], "10 s");
}

TEST_F(CliDevsTest, ClassicDevsMovesOneModelAtATime) {
  const json parallel = Report("gpt", {});
  const json classic = Report("gpt", {"--formalism", "classic"});
  EXPECT_EQ(classic["formalism"], "classic");
  EXPECT_EQ(classic["statistics"]["confluent"], 0);
  EXPECT_GT(parallel["statistics"]["confluent"], 0);
}

TEST_F(CliDevsTest, ThreadsOfARunDoNotChangeIt) {
  json one = Report("gpt", {"--set", "observation=100"});
  json two = Report("gpt", {"--set", "observation=100", "--jobs", "2"});
  for (json* report : {&one, &two}) {
    report->erase("run_ms");
    report->erase("flatten_ms");
  }
  EXPECT_EQ(one, two);
}

TEST_F(CliDevsTest, RealTimeKeepsPaceAndTellsTheLag) {
  const auto begin = std::chrono::steady_clock::now();
  const json report = Report(
      "probe", {"--real-time", "0.5", "--set", "period=50ms", "--stop", "0.3"});
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took.count(), 0.15);
  EXPECT_EQ(report["time"], 0.3);
  EXPECT_EQ(report["lag"]["instants"], 6);  // With the start and the end.
  EXPECT_EQ(report["final"]["tick"], 3);
}

TEST_F(CliDevsTest, InterruptKeepsTheResultsUpToThere) {
  const pid_t child = Start({"--no-save",
                             "--set",
                             "mode=runs",
                             "--stop",
                             "1e9",
                             "--set",
                             "period=1ms",
                             "--trace",
                             "a.csv",
                             "--observe",
                             "probe.adder"},
                            "out",
                            std::string(ORRERY_PROGRAMS) + "/probe");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ASSERT_EQ(kill(child, SIGINT), 0);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              ContainsRegex("^probe: interrupted at t = .* s; the results up "
                            "to there are kept\nwrote a.csv\n$"));
  EXPECT_THAT(outcome.out, HasSubstr("  tick  "));
}

// Replications ----------------------------------------------------------------

TEST_F(CliDevsTest, ReplicationsAreTheSameOnAnyNumberOfThreads) {
  const auto numbers = [&](const char* jobs) {
    json report = Report("bank",
                         {"--replications",
                          "6",
                          "--jobs",
                          jobs,
                          "--stop",
                          "10h",
                          "--output",
                          std::string(jobs) + ".csv"});
    report.erase("run_ms");
    report.erase("flatten_ms");
    return report;
  };
  EXPECT_EQ(numbers("1"), numbers("2"));
  EXPECT_EQ(ReadAll(folder_ + "/1.csv"), ReadAll(folder_ + "/2.csv"));
}

TEST_F(CliDevsTest, AReplicationDoesNotDependOnHowManyThereAre) {
  const json two =
      Report("bank", {"--replications", "2", "--stop", "10h"})["runs"];
  const json four =
      Report("bank", {"--replications", "4", "--stop", "10h"})["runs"];
  EXPECT_EQ(two[0], four[0]);
  EXPECT_EQ(two[1], four[1]);
  EXPECT_NE(four[1]["final"]["mean_wait_s"], four[2]["final"]["mean_wait_s"]);
  const json alone = Report("bank", {"--stop", "10h"});
  EXPECT_EQ(alone["final"], four[0]["final"]);
  const json again =
      Report("bank",
             {"--stop",
              "10h",
              "--seed",
              std::to_string(four[2]["seed"].get<std::uint64_t>())});
  EXPECT_EQ(again["final"], four[2]["final"]);
}

TEST_F(CliDevsTest, EstimatesAreMeanDeviationAndInterval) {
  const json report = Report(
      "bank", {"--replications", "3", "--stop", "10h", "--output", "r.csv"});
  double sum = 0;
  double squares = 0;
  for (const json& run : report["runs"]) {
    const double wait = run["final"]["mean_wait_s"];
    sum += wait;
    squares += wait * wait;
  }
  const double deviation = std::sqrt((squares - sum * sum / 3) / 2);
  const double half_width = 4.302652729911275 * deviation / std::sqrt(3);
  const json estimate = report["estimates"]["mean_wait_s"];
  EXPECT_EQ(estimate["count"], 3);
  EXPECT_NEAR(estimate["mean"], sum / 3, 1e-9);
  EXPECT_NEAR(estimate["deviation"], deviation, 1e-6);
  EXPECT_NEAR(estimate["low"], sum / 3 - half_width, 1e-6);
  EXPECT_NEAR(estimate["high"], sum / 3 + half_width, 1e-6);
  EXPECT_THAT(ReadAll(folder_ + "/r.csv"),
              ContainsRegex("^replication,seed,outcome,time,mean_wait_s,"
                            "exact_wait_s\n1,1,completed,36000,"));
}

TEST_F(CliDevsTest, ReplicationsAreReportedAsATable) {
  const Outcome outcome =
      Program("bank", {"--replications", "3", "--stop", "10h"});
  EXPECT_THAT(outcome.out, ContainsRegex("\n3 of 3 replications  [0-9]+ int"));
  EXPECT_THAT(outcome.out,
              HasSubstr("mean     deviation  95 % interval of the mean\n"));
}

}  // namespace
}  // namespace orrery::cli
