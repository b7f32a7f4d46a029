// The events of a run as the users of the command meet them.

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class EventCliTest : public CliTest {
 protected:
  EventCliTest() {
    Write("saw.mo",
          "model Saw\n"
          "  Real x(start = 0, fixed = true);\n"
          "  discrete Real next(start = 0.5, fixed = true);\n"
          "equation\n"
          "  der(x) = 2;\n"
          "  when time >= pre(next) then\n"
          "    reinit(x, 0);\n"
          "    next = time + 0.5;\n"
          "  end when;\n"
          "end Saw;\n");
  }
};

TEST_F(EventCliTest, EventsAreListedWithTimeDirectionAndCondition) {
  const Outcome outcome =
      Orrery({"run", "saw.mo", "--stop", "1.3", "--events"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr(" steps, 2 events  "));
  EXPECT_THAT(outcome.out,
              HasSubstr("\n  t = 0.5 s  rising   pre(next) <= time\n"
                        "  t = 1 s    rising   pre(next) <= time\n"));
}

TEST_F(EventCliTest, EventsAreListedOnlyWhenAskedFor) {
  const Outcome outcome = Orrery({"run", "saw.mo", "--stop", "1.3"});
  EXPECT_THAT(outcome.out, Not(HasSubstr("rising")));
}

TEST_F(EventCliTest, RunWithoutEventsSaysSo) {
  const Outcome outcome =
      Orrery({"run", "saw.mo", "--stop", "0.3", "--events"});
  EXPECT_THAT(outcome.out, HasSubstr("  no events\n"));
}

TEST_F(EventCliTest, JsonHoldsTheEvents) {
  const Outcome outcome =
      Orrery({"run", "saw.mo", "--stop", "0.7", "--events", "--json"});
  EXPECT_THAT(outcome.out, HasSubstr("\"events\": 1,"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\"event_log\": [\n"
                        "    {\n"
                        "      \"time\": 0.5,\n"
                        "      \"name\": \"pre(next) <= time\",\n"
                        "      \"direction\": \"rising\"\n"
                        "    }\n"
                        "  ]"));
}

TEST_F(EventCliTest, OutputTimesAreFurtherRowsAndBothLimitsAtAnEvent) {
  const Outcome outcome = Orrery({"run",
                                  "saw.mo",
                                  "--stop",
                                  "0.7",
                                  "--interval",
                                  "1",
                                  "--output-times",
                                  "0.2,500ms",
                                  "--output",
                                  "saw.csv",
                                  "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string csv = ReadAll(folder_ + "/saw.csv");
  std::vector<std::string> times;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    times.push_back(line.substr(0, line.find(',')));
  }
  EXPECT_THAT(times,
              testing::ElementsAre("time", "0", "0.2", "0.5", "0.5", "0.7"));
}

TEST_F(EventCliTest, OutputTimesOutsideOfTheRunAreRefused) {
  for (const std::vector<std::string>& run :
       {std::vector<std::string>{"run", "saw.mo"},
        {"sweep", "saw.mo", "--vary", "x=0:2"}}) {
    std::vector<std::string> words = run;
    words.insert(words.end(), {"--stop", "1", "--output-times", "0.2,700"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              "orrery: cannot simulate: a row is wanted at 700 s, and the run "
              "is from 0 to 1 s; leave that output time out, or run further\n");
  }
}

TEST_F(EventCliTest, RunEndsWhereTheConditionComesToHold) {
  const Outcome outcome = Orrery({"run",
                                  "saw.mo",
                                  "--stop",
                                  "9",
                                  "--until",
                                  "x > 0.4 and x < 0.9 and next > 1.2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 1.2 s  "));
}

TEST_F(EventCliTest, RunOfANetlistEndsLikewise) {
  Write("ramp.cbd", "K, 1, 2\nI, 2, 0, 1\nO, 3, 2\n");
  const Outcome outcome =
      Orrery({"run", "ramp.cbd", "--stop", "9", "--until", "b2^2 >= 9"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 1.5 s  "));
}

TEST_F(EventCliTest, TheConditionMayChoose) {
  Write("ramp.cbd", "K, 1, 2\nI, 2, 0, 1\nO, 3, 2\n");
  const Outcome outcome = Orrery({"run",
                                  "ramp.cbd",
                                  "--stop",
                                  "9",
                                  "--until",
                                  "(if time < 1 then b2 else 2*b2) >= 6"});
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 1.5 s  "));
}

TEST_F(EventCliTest, MistakesInTheConditionArePointedAt) {
  const auto message = [&](const std::string& until) {
    const Outcome outcome =
        Orrery({"run", "saw.mo", "--stop", "9", "--until", until});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(message("y > 3"),
            "until:1:1: error: no quantity 'y' in model Saw\n"
            "    1 | y > 3\n"
            "      | ^ known: time, x, next\n");
  EXPECT_THAT(message("nxt > 3"), HasSubstr("did you mean 'next'?"));
  EXPECT_THAT(message("x + 3"),
              HasSubstr("a condition is wanted, and this is a number"));
  EXPECT_THAT(message("(x > 1) + 3 > 2"),
              HasSubstr("a number is wanted, and this is a condition"));
  EXPECT_THAT(message("sine(x) > 0"),
              HasSubstr("no function 'sine' for conditions"));
  EXPECT_THAT(message("max(x) > 0"), HasSubstr("'max' takes 2 arguments"));
  EXPECT_EQ(message("x > "),
            "until:1:5: error: expected an expression, found the end of the "
            "formula\n"
            "    1 | x > \n"
            "      |     ^\n");
  EXPECT_THAT(message("{x} == 1"),
              HasSubstr("this cannot stand in a condition"));
}

TEST_F(EventCliTest, NumberOfEventsAtOneTimeIsLimited) {
  Write("climb.mo",
        "model Climb\n"
        "  Integer n(start = 0, fixed = true);\n"
        "equation\n"
        "  n = if time >= 0.5 and pre(n) < 20 then pre(n) + 1 else pre(n);\n"
        "end Climb;\n");
  EXPECT_THAT(Orrery({"run", "climb.mo"}).out, HasSubstr("n  20"));
  const Outcome outcome =
      Orrery({"run", "climb.mo", "--max-consecutive-events", "10"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot go on at t = 0.5 s: events follow each other "
                        "without end"));
  EXPECT_EQ(
      Orrery({"run", "climb.mo", "--max-consecutive-events", "0"}).exit_code,
      2);
}

TEST_F(EventCliTest, WhatTerminatesARunIsToldAndAnEvent) {
  Write("half.mo",
        "model Half\n"
        "  Real x(start = 1, fixed = true);\n"
        "equation\n"
        "  der(x) = -1;\n"
        "  when x < 0.5 then\n"
        "    terminate(\"half is gone\");\n"
        "  end when;\n"
        "end Half;\n");
  const Outcome outcome = Orrery({"run", "half.mo", "--events"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("  terminated at t = 0.5 s: half is gone\n"),
            ContainsRegex("\n  t = 0[.](5|4999)[0-9]* s +rising +x < 0.5\n")));
}

TEST_F(EventCliTest, TheMostEventsAtOneTimeIsAWholeNumber) {
  for (const char* count : {"0", "-3", "1.5", "many", "1e10"}) {
    const Outcome outcome =
        Orrery({"run", "any.mo", "--max-consecutive-events", count});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              std::string("orrery: cannot take --max-consecutive-events ") +
                  count + ": give a whole number from 1 to 2147483647\n");
  }
}

}  // namespace
}  // namespace orrery::cli
