// The events of a run as the users of the command meet them.

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

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
  EXPECT_THAT(
      outcome.out,
      HasSubstr("\n  t = 0.5 s                  rising   pre(next) <= time\n"));
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

}  // namespace
}  // namespace orrery::cli
