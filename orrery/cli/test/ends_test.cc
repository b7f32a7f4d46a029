// The ends of runs of DEVS models and tasks, their priorities, and the
// activities that they leave out.

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
using testing::HasSubstr;

class CliEndsTest : public CliTest {
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

// The abstract simulators of requirement 5: (x,t), (*,t), (y,t), (done,tN).
TEST_F(CliEndsTest, MessagesOfTheAbstractSimulatorsAreThoseOfTheGuide) {
  const Outcome outcome =
      Program("gpt", {"--stop", "1s", "--formalism", "classic", "--messages"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out,
            "(*, 1 s) to gpt\n"
            "(*, 1 s) to gpt.generator\n"
            "(y, 1 s) from gpt.generator: out.id = 0, out.priority = 0\n"
            "(done, 2 s) from gpt.generator\n"
            "(x, 1 s) to gpt.processor: in.id = 0, in.priority = 0\n"
            "(done, 2 s) from gpt.processor\n"
            "(x, 1 s) to gpt.transducer: arrived.id = 0, arrived.priority = "
            "0\n"
            "(done, 5 s) from gpt.transducer\n"
            "(done, 2 s) from gpt\n");
  EXPECT_THAT(
      ReadAll(std::string(ORRERY_SOURCE_DIR) + "/docs/reference/devs.md"),
      HasSubstr(outcome.out));
}

TEST_F(CliEndsTest, MessagesInParallelCollectBeforeTheyMove) {
  const Outcome outcome = Program("gpt", {"--stop", "2s", "--messages"});
  // At 2 s the job of 1 s is done when the next one comes: a confluent
  // transition.
  EXPECT_THAT(
      outcome.out,
      HasSubstr("(@, 2 s) to gpt\n"
                "(@, 2 s) to gpt.generator\n"
                "(y, 2 s) from gpt.generator: out.id = 1, out.priority = 0\n"
                "(@, 2 s) to gpt.processor\n"
                "(y, 2 s) from gpt.processor: out.id = 0, out.priority = 0\n"
                "(y, 2 s) from gpt: solved.id = 0, solved.priority = 0\n"
                "(*, 2 s) to gpt\n"
                "(*, 2 s) to gpt.generator\n"
                "(done, 3 s) from gpt.generator\n"
                "(*, 2 s) to gpt.processor: in.id = 1, in.priority = 0\n"));
}

TEST_F(CliEndsTest, MessagesAreNotForResults) {
  const Outcome outcome =
      Program("gpt", {"--messages", "--output", "jobs.csv"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot take --messages beside"));
}

// Ends and priorities ---------------------------------------------------------

// A job a second, each done after 0.5 s: the third is done at 3.5 s.
TEST_F(CliEndsTest, UntilEndsARunWhereAStateIsReached) {
  const auto end_of = [this](const std::string& until) {
    return Report("gpt",
                  {"--set",
                   "processing=0.5s",
                   "--set",
                   "observation=100s",
                   "--stop",
                   "20s",
                   "--until",
                   until})["time"]
        .get<double>();
  };
  EXPECT_EQ(end_of("gpt.processor.served >= 3"), 3.5);
  EXPECT_EQ(end_of("processor.served >= 3"), 3.5);
  EXPECT_EQ(end_of("processor.is_busy"), 1.0);
  EXPECT_EQ(end_of("processor.is_busy and time > 1.25"), 1.25 + 1e-9);
  EXPECT_EQ(end_of("solved.id == 4"), 5.5);
  EXPECT_EQ(end_of("processor.served + transducer.open >= 5"), 5.0);
  EXPECT_EQ(end_of("not (time < 7.5)"), 7.5);
  EXPECT_EQ(end_of("processor.served > 1000"), 20.0);
}

TEST_F(CliEndsTest, UntilOverWhatThereIsNotIsRefused) {
  const auto refused = [this](const std::string& until) {
    const Outcome outcome = Program("gpt", {"--until", until});
    EXPECT_EQ(outcome.exit_code, 2) << until;
    return outcome.err;
  };
  EXPECT_THAT(refused("processor.server >= 3"),
              HasSubstr("no quantity 'processor.server' in model gpt"));
  EXPECT_THAT(refused("processor.served + 1"),
              HasSubstr("a condition is wanted, and this is a number"));
  EXPECT_THAT(refused("processor.served >="), HasSubstr("until:1:"));
}

TEST_F(CliEndsTest, UntilEndsEachReplication) {
  const json report = Report("bank",
                             {"--replications",
                              "3",
                              "--stop",
                              "10h",
                              "--until",
                              "line0.served >= 10",
                              "--output",
                              "runs.csv"});
  EXPECT_EQ(report["replications"], 3);
  std::istringstream rows(ReadAll(folder_ + "/runs.csv"));
  std::string row;
  std::getline(rows, row);
  int count = 0;
  while (std::getline(rows, row)) {
    const std::string time = row.substr(row.find("completed,") + 10);
    EXPECT_LT(std::stod(time), 3600.0) << row;
    ++count;
  }
  EXPECT_EQ(count, 3);
}

// With both due at 2 s, a processor with priority is free for the next job.
TEST_F(CliEndsTest, PrioritiesChooseInClassicDevs) {
  const auto solved = [this](const std::string& priority) {
    return Report("gpt",
                  {"--formalism",
                   "classic",
                   "--stop",
                   "5s",
                   "--priority",
                   priority})["final"]["report.solved"]
        .get<int>();
  };
  EXPECT_EQ(solved("transducer,processor"), 3);
  EXPECT_EQ(solved("gpt.transducer,gpt.generator"), 2);
}

TEST_F(CliEndsTest, PrioritiesOfWhatThereIsNotAreRefused) {
  const Outcome unknown =
      Program("gpt", {"--formalism", "classic", "--priority", "gpt.procesor"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("cannot give a priority to 'gpt.procesor': model gpt "
                        "has no atomic model of this path; did you mean "
                        "'gpt.processor'?"));
  const Outcome parallel = Program("gpt", {"--priority", "gpt.processor"});
  EXPECT_EQ(parallel.exit_code, 2);
  EXPECT_THAT(parallel.err,
              HasSubstr("cannot give priorities in parallel DEVS"));
}

// Tasks -----------------------------------------------------------------------

// By night the battery falls by 0.0625 kJ a second from 5000 kJ on.
TEST_F(CliEndsTest, UntilEndsARunOfTasksWhereACurveCrosses) {
  const auto end_of = [this](const std::string& until) {
    return Report("rover", {"--stop", "24h", "--until", until})["time"]
        .get<double>();
  };
  EXPECT_EQ(end_of("charge <= 4900"), 1600.0);
  EXPECT_EQ(end_of("charge - 100 < 4400 and time > 10"), 8000.000000001);
  EXPECT_EQ(end_of("2 * charge <= 9000 or time >= 20"), 20.0);
  EXPECT_EQ(end_of("charge > 1e6"), 86400.0);
}

TEST_F(CliEndsTest, AnUntilThatWasNeverTrueIsTold) {
  EXPECT_THAT(
      Program("rover", {"--stop", "24h", "--until", "charge > 1e6"}).err,
      HasSubstr("'charge > 1e6' (--until) was never true\n"));
  EXPECT_THAT(
      Program("gpt", {"--stop", "9s", "--until", "processor.served > 99"}).err,
      HasSubstr("'processor.served > 99' (--until) was never true\n"));
}

TEST_F(CliEndsTest, UntilOverAResourceThatThereIsNotIsRefused) {
  const Outcome outcome = Program("rover", {"--until", "charg < 3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no quantity 'charg' in model"));
  EXPECT_THAT(outcome.err, HasSubstr("charge"));
}

constexpr const char* kPlan = R"({
  "stop": "24 h",
  "activities": [
    {"id": "out", "type": "Drive", "start": "7 h"},
    {"id": "view", "type": "Panorama", "after": "out"},
    {"id": "on", "type": "Drive", "start": "9 h"}
  ]
})";

TEST_F(CliEndsTest, WithoutLeavesOutAnActivityAndWhatComesAfterIt) {
  Write("plan.json", kPlan);
  const auto names_without = [this](const std::string& name) {
    const Outcome outcome = Program("rover",
                                    {"--plan",
                                     "plan.json",
                                     "--without",
                                     name,
                                     "--spans",
                                     "spans.json",
                                     "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string ids;
    for (const json& span : json::parse(ReadAll(folder_ + "/spans.json"))) {
      if (span["attributes"].contains("directive")) {
        ids += span["attributes"]["directive"].get<std::string>() + " ";
      }
    }
    return ids + outcome.err;
  };
  EXPECT_THAT(names_without("view"), testing::StartsWith("out on "));
  EXPECT_THAT(names_without("Drive"),
              HasSubstr("activity 'view' is left out: 'out', which it comes "
                        "after, is"));
  const std::string out = names_without("out");
  EXPECT_THAT(out, testing::StartsWith("on "));
  EXPECT_THAT(out, HasSubstr("activity 'view' is left out"));
}

TEST_F(CliEndsTest, WhatIsLeftOutMustBeInThePlan) {
  Write("plan.json", kPlan);
  const Outcome outcome =
      Program("rover", {"--plan", "plan.json", "--without", "vew"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot leave out 'vew': the plan has no activity of "
                        "this id or type; did you mean 'view'?"));
}

TEST_F(CliEndsTest, APlanFileLeavesOutActivitiesToo) {
  Write("plan.json",
        std::string(kPlan).replace(0, 1, "{\n  \"without\": [\"Panorama\"],"));
  const json report = Report("rover", {"--plan", "plan.json"});
  EXPECT_EQ(report["planned"], 2);
}

}  // namespace
}  // namespace orrery::cli
