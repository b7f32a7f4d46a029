// Runs that somebody outside has a part in: in real time, by JSON Lines, typed
// and by MQTT.

#include <cmath>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/cli/test/mqtt_broker.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

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

  // The rows that a run in lockstep answers with.
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

  // What is said to one line.
  [[nodiscard]] std::string RefusedLine(const std::string& line) const {
    const std::vector<json> rows = Rows(line + "\n");
    EXPECT_EQ(rows.at(1).at("line"), 1);
    EXPECT_EQ(rows.at(2).at("time"), 0.5);  // It goes on.
    EXPECT_NEAR(rows.at(5).at("x"), std::exp(-2.0), 1e-8);
    return rows.at(1).at("error");
  }

  // What is said to a wrong command line.
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

  // What is answered to lines that are typed.
  [[nodiscard]] std::string Typed(const std::string& lines) const {
    const Outcome outcome = Orrery(
        {"run", "plant.mo", "--real-time", "0.05", "--connect", "terminal"},
        lines);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
};

// In real time
// ------------------------------------------------------------------

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

// JSON Lines
// --------------------------------------------------------------------

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
  EXPECT_THAT(RefusedLine(std::string(100'000, '[')), HasSubstr("no JSON"));
}

// Typed
// -------------------------------------------------------------------------

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

// MQTT
// --------------------------------------------------------------------------

// A run of 100 s, which is told by MQTT to stop.
class LiveMqttTest : public LiveTest {
 protected:
  [[nodiscard]] pid_t StartRun(
      const std::string& url,
      const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words = {"run",
                                      "plant.mo",
                                      "--no-save",
                                      "--real-time",
                                      "1",
                                      "--stop",
                                      "100",
                                      "--connect",
                                      url};
    words.insert(words.end(), options.begin(), options.end());
    return Start(words, "out");
  }
};

TEST_F(LiveMqttTest, ValuesGoOutAndSettingsComeIn) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run = StartRun(broker.Url("plant/tank"), {"--publish", "k"});
  EXPECT_EQ(listener.WaitFor("plant/tank/status", "running"),
            R"({"status":"running"})");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "1.0}"),
              HasSubstr(R"("value":1.0})"));
  listener.Send("plant/tank/set/k", "2.5");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "2.5}"),
              HasSubstr(R"("value":2.5})"));
  listener.Send("plant/tank/set", R"({"k": 3, "u": 1})");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "3.0}"),
              HasSubstr(R"("value":3.0})"));
  listener.Send("plant/tank/set/x", "1");
  EXPECT_THAT(listener.WaitFor("plant/tank/error", "'x'"),
              HasSubstr("cannot set 'x': the model computes it"));
  listener.Send("plant/tank/set/k", "much");
  EXPECT_THAT(listener.WaitFor("plant/tank/error", "much"),
              HasSubstr("\"topic\":\"plant/tank/set/k\""));
  listener.Send("plant/tank/set", R"({"do": "stop"})");
  EXPECT_EQ(Finish(run).exit_code, 0);
  EXPECT_EQ(listener.WaitFor("plant/tank/status", "completed"),
            R"({"status":"completed"})");
}

TEST_F(LiveMqttTest, BrokerTellsOfARunThatWasKilled) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run = StartRun(broker.Url("p"));
  listener.WaitFor("p/status", "running");
  kill(run, SIGKILL);
  static_cast<void>(Finish(run));
  EXPECT_EQ(listener.WaitFor("p/status", "lost"), R"({"status":"lost"})");
}

TEST_F(LiveMqttTest, MissingBrokerIsTold) {
  const std::string port = std::to_string(MqttBroker::FreePort());
  const Outcome outcome = Finish(StartRun("mqtt://127.0.0.1:" + port + "/p"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("cannot connect to the MQTT broker 127.0.0.1:" + port + ": "));
}

TEST_F(LiveMqttTest, RefusedUserIsTold) {
  const MqttBroker broker(folder_, "allow_anonymous false\n");
  const Outcome outcome = Finish(StartRun(broker.Url("p")));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("not authorised"));
}

TEST_F(LiveMqttTest, WrongUrlsAreRefused) {
  const auto why = [this](const std::string& url) {
    return RefusedRun({"--real-time", "1", "--connect", url});
  };
  EXPECT_THAT(why("mqtt://host"), HasSubstr("it has no prefix"));
  EXPECT_THAT(why("mqtt:///p"), HasSubstr("it names no host"));
  EXPECT_THAT(why("mqtt://host:0/p"), HasSubstr("'0' is no port"));
  EXPECT_THAT(why("mqtt://host:x/p"), HasSubstr("'x' is no port"));
  EXPECT_THAT(why("mqtt://host/p/#"), HasSubstr("stand for any topics"));
  EXPECT_THAT(why("mqtt://u%zz@host/p"),
              HasSubstr("'%zz' stands for no character"));
}

// Wrong use
// -----------------------------------------------------------------------

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
}

TEST_F(LiveTest, ModelsOfOtherKindsAreRefused) {
  EXPECT_THAT(RefusedRun({"--connect", "jsonl"}, Plugin("gpt")),
              HasSubstr("it means something to models of equations only"));
  EXPECT_THAT(RefusedRun({"--connect", "jsonl"}, Plugin("tank_station")),
              HasSubstr("it means something to models of equations alone"));
  EXPECT_THAT(RefusedRun({"--real-time", "1"}, Plugin("rover")),
              HasSubstr("models of equations and DEVS models only"));
}

}  // namespace
}  // namespace orrery::cli
