// Runs with a partner outside: in real time, by JSON Lines and typed.

#include <cmath>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Pointwise;

constexpr const char* kPlant = R"(
model Plant
  parameter Real k(min = 0) = 1;
  parameter Integer n = 2;
  final parameter Real g = 9.81;
  input Real u(start = 0);
  output Real x(start = 1, fixed = true);
  Real y = n*x;
equation
  der(x) = -k*x + u;
  annotation(experiment(StopTime = 2));
end Plant;
)";

class LiveTest : public CliTest {
 protected:
  LiveTest() { Write("plant.mo", kPlant); }

  // Returns the rows of a run in lockstep.
  [[nodiscard]] std::vector<json> Rows(
      const std::string& lines, std::vector<std::string> options = {}) const {
    std::vector<std::string> words = {"run",
                                      "plant.mo",
                                      "--connect",
                                      "jsonl",
                                      "--period",
                                      "0.5",
                                      "--tolerance",
                                      "1e-9"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = Orrery(words, lines);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream text(outcome.out);
    std::vector<json> rows;
    for (std::string line; std::getline(text, line);) {
      rows.push_back(json::parse(line));
    }
    return rows;
  }

  // Returns the error message of one line.
  [[nodiscard]] std::string RefusedLine(const std::string& line) const {
    const std::vector<json> rows = Rows(line + "\n");
    EXPECT_EQ(rows.at(1).at("line"), 1);
    EXPECT_EQ(rows.at(2).at("time"), 0.5);  // The run goes on.
    EXPECT_NEAR(rows.at(5).at("x"), std::exp(-2.0), 1e-8);
    return rows.at(1).at("error");
  }

  // Returns the error message of a wrong command line.
  [[nodiscard]] std::string RefusedRun(
      const std::vector<std::string>& options,
      const std::string& file = "plant.mo") const {
    std::vector<std::string> words = {"run", file};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  // Returns the answers to typed lines.
  [[nodiscard]] std::string Typed(const std::string& lines) const {
    const Outcome outcome = Orrery(
        {"run", "plant.mo", "--real-time", "0.05", "--connect", "terminal"},
        lines);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
};

// In real time ----------------------------------------------------------------

TEST_F(LiveTest, RealTimeGivesTheSameNumbersAndTellsTheLag) {
  const Outcome paced =
      Orrery({"run", "plant.mo", "--real-time", "0.05", "--json"});
  const Outcome free = Orrery({"run", "plant.mo", "--json"});
  const json result = json::parse(paced.out);
  EXPECT_EQ(result.at("final"), json::parse(free.out).at("final"));
  EXPECT_EQ(result.at("lag").at("instants"), 11);  // Every 10 ms, in 100 ms.
  EXPECT_GE(result.at("run_ms"), 100);
  EXPECT_THAT(Orrery({"run", "plant.mo", "--real-time", "0.01"}).out,
              HasSubstr("lag at most "));
}

TEST_F(LiveTest, InterruptKeepsTheResults) {
  const pid_t run = Start({"run",
                           "plant.mo",
                           "--no-save",
                           "--real-time",
                           "100",
                           "--period",
                           "1ms",
                           "--connect",
                           "jsonl"},
                          "out");
  while (ReadAll(folder_ + "/out").find("0.001") == std::string::npos) {
    usleep(1000);
  }
  kill(run, SIGINT);
  const Outcome outcome = Finish(run);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the results up to there are kept"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("status":"interrupted")"));
}

// All rows but those of the last second of the clock, which is 100 s here.
TEST_F(LiveTest, ARunThatIsKilledKeepsItsRows) {
  const pid_t run = Start({"run",
                           "plant.mo",
                           "--store",
                           "s.db",
                           "--real-time",
                           "0.01",
                           "--stop",
                           "100000",
                           "--interval",
                           "1",
                           "--connect",
                           "jsonl"},
                          "out");
  const auto told = [&] {
    const std::string rows = ReadAll(folder_ + "/out");
    const std::size_t end = rows.rfind('\n');
    const std::size_t at = rows.rfind("{\"time\":", end);
    return at == std::string::npos ? 0.0 : std::stod(rows.substr(at + 8));
  };
  while (told() < 250) {
    usleep(10'000);
  }
  const double reached = told();
  kill(run, SIGKILL);
  static_cast<void>(Finish(run));

  EXPECT_THAT(Orrery({"list", "--store", "s.db"}).out,
              HasSubstr("interrupted"));
  EXPECT_EQ(Orrery({"export", "1", "rows.csv", "--store", "s.db"}).exit_code,
            0);
  const std::string rows = ReadAll(folder_ + "/rows.csv");
  const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
  EXPECT_GT(std::stod(rows.substr(last)), reached - 100);
}

// A parameter that was constant during the run is not constant any more.
TEST_F(LiveTest, RowsAreKeptAcrossAChangeOfAParameter) {
  const Outcome outcome = Orrery({"run",
                                  "plant.mo",
                                  "--store",
                                  "s.db",
                                  "--real-time",
                                  "1",
                                  "--stop",
                                  "2",
                                  "--connect",
                                  "jsonl"},
                                 "{\"time\": 1, \"set\": {\"k\": 2}}\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "s.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

// JSON Lines ------------------------------------------------------------------

TEST_F(LiveTest, LineWithATimeSetsThere) {
  const auto rows = Rows(R"({"time": 1, "set": {"k": 2}})"
                         "\n");
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0], (json{{"time", 0}, {"x", 1}}));
  EXPECT_NEAR(rows[2].at("x"), std::exp(-1.0), 1e-8);
  EXPECT_NEAR(rows[4].at("x"), std::exp(-3.0), 1e-8);
  EXPECT_EQ(rows[5], (json{{"time", 2}, {"status", "completed"}}));
}

TEST_F(LiveTest, LineWithoutATimeSetsAtOnceAndGoesOnByAPeriod) {
  const auto rows = Rows("{\"k\": 2, \"u\": 1}\n{}\n{\"do\": \"stop\"}\n");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[1].at("x"), 0.5 + 0.5 * std::exp(-1.0), 1e-8);
  EXPECT_NEAR(rows[2].at("x"), 0.5 + 0.5 * std::exp(-2.0), 1e-8);
  EXPECT_EQ(rows[3], (json{{"time", 1}, {"status", "completed"}}));
}

TEST_F(LiveTest, AnyQuantityCanBeShownOrPublished) {
  const auto rows = Rows("{\"show\": [\"k\", \"y\"]}\n", {"--publish", "der*"});
  EXPECT_EQ(rows[0], (json{{"time", 0}, {"der(x)", -1}}));
  EXPECT_EQ(rows[1], (json{{"time", 0}, {"k", 1}, {"y", 2}}));
  EXPECT_EQ(Rows("{\"show\": \"y\"}\n")[1], (json{{"time", 0}, {"y", 2}}));
}

TEST_F(LiveTest, RerunRepeatsWhatTheRunWasTold) {
  EXPECT_EQ(Rows("{\"k\": 2}\n{\"time\": 0.7, \"set\": {\"u\": 1}}\n"
                 "{\"time\": 1.1}\n{\"k\": 0.5}\n{\"do\": \"stop\"}",
                 {"--store", "live.db"})
                .back()
                .at("time"),
            1.5);
  const Outcome again = Orrery({"rerun", "1", "--store", "live.db"});
  EXPECT_THAT(again.out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(LiveTest, RealTimeLinesAreAnsweredToo) {
  const Outcome outcome =
      Orrery({"run", "plant.mo", "--real-time", "0.05", "--connect", "jsonl"},
             "{\"u\": 3}\nnonsense\n{\"show\": [\"u\"]}\n"
             "{\"time\": 1.25, \"set\": {\"k\": 0}}\n");
  EXPECT_THAT(outcome.out, HasSubstr("\"u\":3"));
  EXPECT_THAT(outcome.out, HasSubstr("\"line\":2"));
  EXPECT_THAT(outcome.out, HasSubstr("{\"time\":1.25,"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("status":"completed")"));
}

TEST_F(LiveTest, ReaderThatGoesAwayIsNoCrash) {
  const std::string command =
      "cd " + folder_ + " && " + std::string(ORRERY_COMMAND) +
      " run plant.mo --connect jsonl --period 1us --store s.db </dev/null | "
      "head -n 1 >first && " +
      std::string(ORRERY_COMMAND) + " list --store s.db >list";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(ReadAll(folder_ + "/first"), HasSubstr("\"time\":0"));
  EXPECT_THAT(ReadAll(folder_ + "/list"), HasSubstr("interrupted"));
}

TEST_F(LiveTest, WrongLinesAreToldAndTheRunGoesOn) {
  EXPECT_EQ(RefusedLine("k = 2"),
            "cannot take 'k = 2': it is no JSON; give an object, as in "
            "{\"k\": 2} or {\"time\": 1.5, \"set\": {\"k\": 2}}");
  EXPECT_THAT(RefusedLine("[1]"), HasSubstr("give an object"));
  EXPECT_THAT(RefusedLine(R"({"kk": 2})"),
              HasSubstr("no quantity 'kk' in model Plant; known: k,"));
  EXPECT_EQ(RefusedLine(R"({"k": "two"})"),
            "cannot take '\"two\"' for 'k': give a number, true or false");
  EXPECT_EQ(RefusedLine(R"({"k": [2]})"),
            "cannot take an array for 'k': give a number, true or false");
  EXPECT_EQ(RefusedLine(R"({"x": 2})"),
            "cannot set 'x': the model computes it as the run goes on; set a "
            "parameter or an input");
  EXPECT_THAT(RefusedLine(R"({"g": 2})"), HasSubstr("it is final"));
  EXPECT_EQ(RefusedLine(R"({"n": 1.5})"),
            "cannot set 'n': it is an Integer, and 1.5 is none");
  EXPECT_THAT(RefusedLine(R"({"k": -1})"), HasSubstr("below its minimum, 0"));
  EXPECT_EQ(RefusedLine(R"({"time": 3})"),
            "cannot go on to t = 3: the run is at 0 s and stops at 2 s; give "
            "a time between these");
  EXPECT_EQ(RefusedLine(R"({"time": "now"})"),
            "cannot take '\"now\"' for the time: give a number, in seconds");
  EXPECT_EQ(RefusedLine(R"({"do": "wait"})"),
            "cannot take 'wait' to do: give \"pause\", \"resume\" or \"stop\"");
  EXPECT_THAT(RefusedLine(R"({"do": "pause"})"),
              HasSubstr("the run waits for lines anyway"));
  EXPECT_THAT(RefusedLine(R"({"show": ["z"]})"), HasSubstr("'z'"));
  EXPECT_THAT(RefusedLine(R"({"show": [1]})"), HasSubstr("list of names"));
  EXPECT_THAT(RefusedLine(R"({"show": null})"), HasSubstr("list of names"));
  EXPECT_THAT(RefusedLine(std::string(100'000, '[')), HasSubstr("no JSON"));
  EXPECT_EQ(RefusedLine("{\"k\": 2, \"\xFF\": 1}"),
            "cannot take '{\"k\": 2, \"?\": 1}': it is no UTF-8; send it as "
            "that");
}

// There is no partner left who could resume the run.
TEST_F(LiveTest, APausedRunGoesOnAtTheEndOfItsInput) {
  for (const char* lines : {"{\"do\": \"pause\"}\n",
                            "{\"time\": 1, \"do\": \"pause\"}\n",
                            "{\"do\": \"pause\"}\n{\"do\": \"resume\"}\n"
                            "{\"do\": \"pause\"}"}) {
    const Outcome outcome =
        Orrery({"run", "plant.mo", "--real-time", "0.05", "--connect", "jsonl"},
               lines);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(R"({"time":2.0,"status":"completed")"));
  }
}

// Other kinds of models -------------------------------------------------------

TEST_F(LiveTest, MessagesComeToADevsModelAndLeaveIt) {
  const std::vector<std::string> probe = {"run",
                                          Plugin("probe"),
                                          "--connect",
                                          "jsonl",
                                          "--set",
                                          "mode=idle",
                                          "--stop",
                                          "3",
                                          "--store",
                                          "live.db"};
  EXPECT_EQ(Orrery(probe,
                   "{\"time\": 1, \"set\": {\"x\": 2.5, \"n\": 3}}\n"
                   "{\"flag\": true}\n")
                .out,
            "{\"time\":0.0,\"status\":\"waiting\"}\n"
            "{\"time\":1.0,\"sum\":5.5}\n"
            "{\"time\":1.0,\"status\":\"waiting\"}\n"
            "{\"time\":1.0,\"sum\":1005.5}\n"
            "{\"time\":3.0,\"status\":\"completed\"}\n");
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "live.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(LiveTest, DevsModelInLockstepGoesFromEventToEventOrByAPeriod) {
  const auto times = [this](const std::vector<std::string>& options) {
    std::vector<std::string> words = {
        "run", Plugin("probe"), "--connect", "jsonl", "--stop", "2.5"};
    words.insert(words.end(), options.begin(), options.end());
    std::istringstream lines(Orrery(words, "{}\n{}\n").out);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      const json row = json::parse(line);
      text +=
          (row.contains("tick") ? ""
                                : row.at("status").get<std::string>() + " ") +
          row.at("time").dump() + " ";
    }
    return text;
  };
  EXPECT_EQ(times({}),
            "waiting 0.0 1.0 waiting 1.0 2.0 waiting 2.0 completed 2.5 ");
  EXPECT_EQ(times({"--period", "1.2"}),
            "waiting 0.0 1.0 waiting 1.2 2.0 waiting 2.4 completed 2.5 ");
}

TEST_F(LiveTest, WrongMessagesAreToldAndADevsModelGoesOn) {
  const Outcome outcome =
      Orrery({"run", Plugin("probe"), "--connect", "jsonl", "--stop", "0.5"},
             "{\"xx\": 1}\n{\"n\": 1.5}\n{\"job\": 1}\n{\"gain\": 1}\n"
             "{\"tick\": 1}\n{\"x\": \"much\"}\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("cannot set 'xx': model probe has no such input"),
                    HasSubstr("cannot set 'n' to 1.5: it takes a whole number"),
                    HasSubstr("the messages at this input are no numbers"),
                    HasSubstr("the model is made with this parameter"),
                    HasSubstr("it is an output of model probe; set an input"),
                    HasSubstr("cannot take '\\\"much\\\"' for 'x'"),
                    HasSubstr(R"({"time":0.5,"status":"completed"})")));
}

TEST_F(LiveTest, TypedMessagesComeToADevsModel) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("probe"),
                                  "--connect",
                                  "terminal",
                                  "--real-time",
                                  "1",
                                  "--set",
                                  "mode=idle",
                                  "--stop",
                                  "100",
                                  "--publish",
                                  "sum"},
                                 "x = 2.5\nshow sum tick\nstop\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("s  x = 2.5\n"),
                    HasSubstr("s  sum = 2.5\n"),
                    HasSubstr("s  sum = 2.5  tick = -\n"),
                    HasSubstr("lag at most ")));
}

TEST_F(LiveTest, SimulationTakesParametersOfItsEquations) {
  const Outcome outcome =
      Orrery({"run",
              Plugin("tank_station"),
              "--connect",
              "jsonl",
              "--period",
              "50",
              "--stop",
              "100",
              "--store",
              "live.db"},
             "{\"demand\": 0.02}\n{\"pump\": 1}\n{\"low\": 2}\n");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("'model.controller.running' sets it"),
                    HasSubstr("the model is made with this parameter")));
  std::istringstream lines(outcome.out);
  std::vector<double> levels;  // It falls by 2 mm a second.
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    if (row.contains("level")) {
      levels.push_back(row.at("level"));
    }
  }
  EXPECT_THAT(
      levels,
      Pointwise(testing::DoubleNear(1e-9), std::vector<double>{2, 1.9, 1.8}));
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "live.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(LiveTest, TasksAreSeenAndPaced) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("rover"),
                                  "--connect",
                                  "jsonl",
                                  "--real-time",
                                  "0.0003",
                                  "--stop",
                                  "1200",
                                  "--period",
                                  "600",
                                  "--publish",
                                  "charge"},
                                 "{\"battery\": 1}\n");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("{\"time\":600.0,\"charge\":4962.5}\n"),
                    HasSubstr("which alone act on its cells"),
                    HasSubstr(R"({"time":1200.0,"status":"completed"})")));
}

TEST_F(LiveTest, RunThatIsLateFailsIfThatIsStrict) {
  for (const std::string& model : {std::string("plant.mo"), Plugin("probe")}) {
    const Outcome outcome = Orrery(
        {"run", model, "--real-time", "0.01", "--stop", "1", "--strict", "0s"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("cannot keep pace with the clock in "),
                      HasSubstr("the results up to there are kept")));
    EXPECT_EQ(Orrery({"run",
                      model,
                      "--real-time",
                      "0.01",
                      "--stop",
                      "1",
                      "--strict",
                      "9s"})
                  .exit_code,
              0);
  }
}

// Typed -----------------------------------------------------------------------

TEST_F(LiveTest, TypedLinesAreAnswered) {
  const std::string out =
      Typed("k = 2\nshow k y\nfaster\nslower 4\npause\nresume\nhelp\n\nstop\n");
  EXPECT_THAT(out,
              AllOf(HasSubstr("  k = 2\n"),
                    HasSubstr("  k = 2  y = "),
                    HasSubstr("a second of the model takes 0.025 s"),
                    HasSubstr("a second of the model takes 0.1 s"),
                    HasSubstr("paused; 'resume' lets it go on"),
                    HasSubstr("  goes on\n"),
                    HasSubstr("NAME = VALUE")));
}

TEST_F(LiveTest, TypedChangesAreRepeated) {
  EXPECT_EQ(Orrery({"run",
                    "plant.mo",
                    "--real-time",
                    "0.02",
                    "--connect",
                    "terminal",
                    "--store",
                    "live.db"},
                   "k = 2\nu = 1\n")
                .exit_code,
            0);
  EXPECT_THAT(Orrery({"rerun", "1", "--store", "live.db"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
}

TEST_F(LiveTest, WrongTypedLinesAreTold) {
  EXPECT_THAT(
      Typed("resme\nxyzzy\nk =\nfaster 0\nstop now\nshow z\nk2 = 1\n"),
      AllOf(HasSubstr("cannot do 'resme': nobody knows what it means; did you "
                      "mean 'resume'?"),
            HasSubstr("give NAME = VALUE, or help for all there is"),
            HasSubstr("cannot set 'k =': give NAME = VALUE, as in k = 2"),
            HasSubstr("cannot go faster 0: give a number above 0, as in faster "
                      "2"),
            HasSubstr("cannot stop now: 'now' is too much; give 'stop' alone"),
            HasSubstr("'z'"),
            HasSubstr("cannot set 'k2'")));
}

TEST_F(LiveTest, TypedBytesThatAreNoTextAreTold) {
  EXPECT_THAT(
      Typed(std::string("k\0 = 2\n\xFF = 2\nshow \x1B[2J\nstop\n", 26)),
      AllOf(HasSubstr("cannot do 'k? = 2': it holds a control character; type "
                      "it again without"),
            HasSubstr("cannot take '? = 2': it is no UTF-8; send it as that"),
            HasSubstr("cannot do 'show ?[2J': it holds a control")));
}

TEST_F(LiveTest, APausedRunGoesOnWhenNobodyTypesAnyMore) {
  // For any times of the pause and the end.
  const std::string command =
      "cd " + folder_ + " && printf 'pause\\n' | " + ORRERY_COMMAND +
      " run plant.mo --no-save --real-time 0.05 --connect terminal >piped";
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_THAT(ReadAll(folder_ + "/piped"), HasSubstr("t = 2"));
  }
  EXPECT_THAT(Typed("pause\n"), AllOf(HasSubstr("paused"), HasSubstr("t = 2")));
  EXPECT_THAT(Typed("pause\nshow k"),
              AllOf(HasSubstr("  k = 1\n"), HasSubstr("t = 2")));
}

// Wrong use -------------------------------------------------------------------

TEST_F(LiveTest, OptionsThatDoNotGoTogetherAreRefused) {
  EXPECT_THAT(RefusedRun({"--real-time", "0"}), HasSubstr("above 0"));
  EXPECT_THAT(RefusedRun({"--period", "1"}),
              HasSubstr("cannot take --period: nobody looks at the run; give "
                        "--real-time or --connect as well"));
  EXPECT_THAT(RefusedRun({"--real-time", "1", "--period", "0"}),
              HasSubstr("cannot take --period 0: give a time above 0"));
  EXPECT_THAT(RefusedRun({"--publish", "x"}),
              HasSubstr("cannot take --publish x: there is nobody"));
  EXPECT_THAT(RefusedRun({"--connect", "serial"}),
              HasSubstr("cannot take --connect serial: give 'jsonl'"));
  EXPECT_THAT(RefusedRun({"--connect", "terminal"}),
              HasSubstr("give --real-time 1 as well"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl", "--plot", "x"}),
              HasSubstr("give a file by --figure"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl", "--events"}),
              HasSubstr("nothing but lines of JSON"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl", "--sensitivity", "k"}),
              HasSubstr("sensitivities hold for values that nobody changes"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl", "--interval", "0"}),
              HasSubstr("give --period"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl", "--publish", "z"}),
              HasSubstr("cannot show 'z'"));
  EXPECT_THAT(RefusedRun({"--strict", "1ms"}),
              HasSubstr("cannot take --strict: without a clock"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl"}, Plugin("counter")),
              HasSubstr("give --stop, as in --stop 24h"));
  EXPECT_THAT(
      RefusedRun({"--real-time", "1", "--period", "1"}, Plugin("probe")),
      HasSubstr("what happens is told when it happens; leave it out"));
}

}  // namespace
}  // namespace orrery::cli
