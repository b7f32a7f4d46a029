// Runs of equations that are saved and go on from their state.

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;

class CliStateTest : public CliTest {
 protected:
  void SetUp() override {
    Write("ball.mo",
          "model Ball\n"
          "  parameter Real e = 0.8;\n"
          "  Real h(start = 1, fixed = true);\n"
          "  Real v(start = 0, fixed = true);\n"
          "equation\n"
          "  der(h) = v;\n"
          "  der(v) = -9.81 - 0.1*v*abs(v);\n"
          "  when h <= 0 then\n"
          "    reinit(v, -e*pre(v));\n"
          "  end when;\n"
          "  annotation(experiment(StopTime = 3, Interval = 0.01));\n"
          "end Ball;\n");
  }

  // The lines of a table for times after `t`.
  [[nodiscard]] std::vector<std::string> LinesAfter(const std::string& file,
                                                    double t) const {
    std::istringstream text(ReadAll(folder_ + "/" + file));
    std::vector<std::string> lines;
    std::string line;
    std::getline(text, line);
    while (std::getline(text, line)) {
      if (std::stod(line) > t) {
        lines.push_back(line);
      }
    }
    return lines;
  }

  [[nodiscard]] std::string Refused(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", "ball.mo"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    return outcome.err;
  }
};

TEST_F(CliStateTest, ARunInTwoPartsHasTheRowsOfTheWholeRun) {
  ASSERT_EQ(Orrery({"run", "ball.mo", "--output", "whole.csv"}).exit_code, 0);
  const Outcome first =
      Orrery({"run", "ball.mo", "--until", "1.234", "--save-state", "s.state"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("s.state"));
  const Outcome second = Orrery(
      {"run", "ball.mo", "--from-state", "s.state", "--output", "rest.csv"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  const auto whole = LinesAfter("whole.csv", 1.234);
  EXPECT_GT(whole.size(), 170U);
  EXPECT_EQ(LinesAfter("rest.csv", 1.234), whole);
}

TEST_F(CliStateTest, AStateIsSavedOnTheWay) {
  ASSERT_EQ(Orrery({"run",
                    "ball.mo",
                    "--save-state",
                    "s.state",
                    "--save-at",
                    "500 ms",
                    "--output",
                    "whole.csv"})
                .exit_code,
            0);
  ASSERT_EQ(
      Orrery(
          {"run", "ball.mo", "--from-state", "s.state", "--output", "rest.csv"})
          .exit_code,
      0);
  const auto rest = LinesAfter("rest.csv", 0.5);
  EXPECT_GT(rest.size(), 240U);
  EXPECT_EQ(rest, LinesAfter("whole.csv", 0.5));
}

TEST_F(CliStateTest, SettingsOfTheBeginHoldAndOthersChangeValuesThere) {
  ASSERT_EQ(Orrery({"run",
                    "ball.mo",
                    "--set",
                    "e=0.79",
                    "--stop",
                    "0.4",
                    "--save-state",
                    "s.state"})
                .exit_code,
            0);
  const auto final = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {
        "run", "ball.mo", "--from-state", "s.state", "--output", "rest.csv"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(Orrery(words).exit_code, 0);
    return LinesAfter("rest.csv", 2.9).back();
  };
  ASSERT_EQ(
      Orrery({"run", "ball.mo", "--set", "e=0.79", "--output", "whole.csv"})
          .exit_code,
      0);
  EXPECT_EQ(final({}), LinesAfter("whole.csv", 2.9).back());
  EXPECT_NE(final({"--set", "e=0.9"}), LinesAfter("whole.csv", 2.9).back());
}

TEST_F(CliStateTest, WhatTheStateDeterminesIsRefused) {
  ASSERT_EQ(Orrery({"run", "ball.mo", "--stop", "1", "--save-state", "s.state"})
                .exit_code,
            0);
  EXPECT_THAT(Refused({"--from-state", "s.state", "--solver", "rodas"}),
              HasSubstr("cannot take --solver with --from-state: the run goes "
                        "on as it began; leave it out"));
  EXPECT_THAT(Refused({"--from-state", "s.state", "--stop", "0.5"}),
              HasSubstr("cannot take 0.5 s as the stop time: the state is of 1 "
                        "s; give a later --stop"));
  const Outcome other = Orrery({"run", "ball.mo", "--from-state", "ball.mo"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err,
              HasSubstr("ball.mo: cannot read a saved run: it begins "
                        "otherwise"));
  EXPECT_THAT(Refused({"--save-at", "1"}),
              HasSubstr("no file is named; give --save-state as well"));
  EXPECT_THAT(Refused({"--save-state", "s.state", "--until", "h < 0.5"}),
              HasSubstr("a run that a condition has ended does not go on"));
}

TEST_F(CliStateTest, TheStateOfAnotherModelIsRefused) {
  ASSERT_EQ(Orrery({"run", "ball.mo", "--stop", "1", "--save-state", "s.state"})
                .exit_code,
            0);
  std::string text = ReadAll(folder_ + "/ball.mo");
  text.replace(text.find("9.81"), 4, "1.62");
  Write("ball.mo", text);
  EXPECT_THAT(Refused({"--from-state", "s.state"}),
              HasSubstr("equations or values of the model have changed since"));
}

}  // namespace
}  // namespace orrery::cli
