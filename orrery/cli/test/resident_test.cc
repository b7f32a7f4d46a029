// Plans that come one after the other: orrery run MODEL --resident.

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

class CliResidentTest : public CliTest {
 protected:
  // The answers to some lines, after the first one.
  [[nodiscard]] std::vector<json> Answers(const std::string& lines) const {
    const Outcome outcome =
        Orrery({"run", Plugin("rover"), "--resident"}, lines);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream text(outcome.out);
    std::vector<json> answers;
    for (std::string line; std::getline(text, line);) {
      answers.push_back(json::parse(line));
    }
    EXPECT_EQ(answers.at(0), (json{{"ready", {{"model", "Rover"}}}}));
    answers.erase(answers.begin());
    return answers;
  }

  static std::string Line(int id, const std::string& plan) {
    return json{{"id", id}, {"name", "day.json"}, {"text", plan}}.dump() + "\n";
  }

  static std::string Changed(const std::string& from, const std::string& to) {
    std::string plan =
        ReadAll(std::string(ORRERY_SOURCE_DIR) + "/examples/rover/day.json");
    const std::size_t at = plan.find(from);
    EXPECT_NE(at, std::string::npos);
    return plan.replace(at, from.size(), to);
  }
};

TEST_F(CliResidentTest, ChangeInTheEveningResumesInTheAfternoon) {
  const std::vector<json> answers = Answers(Line(1, Changed("17 h", "17 h")) +
                                            Line(2, Changed("17 h", "18.5 h")) +
                                            Line(3, Changed("22 h", "23 h")));
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["id"], 1);
  EXPECT_EQ(answers[0]["status"], "completed");
  EXPECT_TRUE(answers[0]["resumed_at"].is_null());
  // "back" begins 2 h before "evening": at 15 h, then at 16.5 h.
  EXPECT_EQ(answers[1]["resumed_at"], 15 * 3456);
  EXPECT_EQ(answers[2]["end"], 86400);
  for (const json& answer : answers) {
    EXPECT_EQ(answer["rows"]["columns"][1]["name"], "charge");
  }
  for (const json& span : answers[1]["spans"]) {
    if (span["attributes"].value("directive", "") == "evening") {
      EXPECT_EQ(span["begin"], 66600);
    }
  }
}

TEST_F(CliResidentTest,
       PlanWithErrorsIsToldWithItsPlaceAndTheNextIsCarriedOut) {
  const std::vector<json> answers =
      Answers(Line(1, Changed("Panorama", "Panorma")) +
              Line(2, Changed("17 h", "17 h")));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0]["id"], 1);
  EXPECT_EQ(answers[0]["status"], "refused");
  EXPECT_EQ(answers[0]["notices"][0]["line"], 6);
  EXPECT_THAT(answers[0]["notices"][0]["message"].get<std::string>(),
              HasSubstr("Panorma"));
  EXPECT_EQ(answers[1]["status"], "completed");
}

TEST_F(CliResidentTest, AnotherPartOfTheLastRunIsShown) {
  const std::vector<json> answers = Answers(
      Line(1, Changed("17 h", "17 h")) +
      R"({"id":2,"from":61200,"to":61201,"px":100})" + "\n" + Line(3, "{") +
      R"({"id":4,"from":61200,"to":61201,"px":100})" + "\n");
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers[2]["status"], "refused");
  EXPECT_EQ(answers[3]["spans"], answers[1]["spans"]);
  EXPECT_EQ(answers[1]["id"], 2);
  EXPECT_LT(answers[1]["spans"].size(), answers[0]["spans"].size());
  // The last row before the part, whose values hold at its begin.
  EXPECT_EQ(answers[1]["rows"]["values"][0].front(), 56880);
}

TEST_F(CliResidentTest, LinesThatAreNoRequestsAreRefused) {
  const std::vector<json> answers =
      Answers("what\n[1]\n{\"id\":7}\n{\"id\":8,\"text\":5}\n");
  ASSERT_EQ(answers.size(), 4U);
  for (const json& answer : answers) {
    EXPECT_EQ(answer["status"], "refused");
    EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr("cannot "));
  }
  EXPECT_EQ(answers[2]["id"], 7);
}

TEST_F(CliResidentTest, OptionsForOneRunAreRefused) {
  const Outcome outcome =
      Orrery({"run", Plugin("rover"), "--resident", "--timeline", "day.svg"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take --resident beside options for a plan, for "
            "results or for the end or the pace of a run: plans come by "
            "standard input, and each answer has its results; leave them "
            "out\n");
  EXPECT_THAT(Orrery({"run", Plugin("bank"), "--resident"}).err,
              HasSubstr("cannot take --resident for "));
}

}  // namespace
}  // namespace orrery::cli
