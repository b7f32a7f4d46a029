// Models of tasks as programs and as plug-ins of the command.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliTaskTest : public CliTest {
 protected:
  [[nodiscard]] static std::string Day() {
    return std::string(ORRERY_SOURCE_DIR) + "/examples/rover/day.json";
  }

  [[nodiscard]] json ReadJson(const std::string& name) const {
    return json::parse(ReadAll(folder_ + "/" + name));
  }
};

// By hand: of 5000 kJ, a day of standby at 1/16 kW takes 5400, half a day of
// sun at 3/16 kW gives 8100; 225 and 900 go into heat until midnight, 240, 480
// and 720 into the wheels (16 s/m at 1/4 kW), 15 and 30 into images, 96 and 150
// into the antenna (192 s for 96 MB; 5 min). It has 3450.5 when the second
// drive ends, at 28452 s, and waits for 3500 at 1/8 kW: 396 s.
TEST_F(CliTaskTest, RoversDayIsAsComputedByHand) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("rover"),
                                  "--plan",
                                  Day(),
                                  "--json",
                                  "--spans",
                                  "spans.json",
                                  "--output",
                                  "day.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["model"], "Rover");
  EXPECT_EQ(report["time"], 86400);
  EXPECT_EQ(report["planned"], 10);
  EXPECT_EQ(report["final"]["charge"], 4844);
  EXPECT_EQ(report["final"]["memory"], 42);
  EXPECT_EQ(report["final"]["odometer"], 360);
  EXPECT_EQ(report["final"]["talks"], false);
  EXPECT_EQ(report["final"]["mode"], "nothing");
  EXPECT_EQ(report["final"]["images_left"], 5.25);
  // All, except the sun and the heater in the night.
  EXPECT_EQ(report["spans_over"], 45);
  EXPECT_EQ(report["spans_open"], 2);

  std::vector<std::string> times;
  for (const json& span : ReadJson("spans.json")) {
    const json& attributes = span["attributes"];
    if (attributes.contains("directive")) {
      times.push_back(attributes["directive"].get<std::string>() + " " +
                      span["begin"].dump() + " " + span["end"].dump());
    }
  }
  EXPECT_THAT(times,
              ElementsAre("warm-up 23400 25200",
                          "out 25200 26160",
                          "view 26220 26340",
                          "report 26340 26532",
                          "on 26532 28452",
                          "rest 28452 28848",
                          "look 28848 29088",
                          "back 54000 56880",
                          "evening 61200 61500",
                          "night 79200 null"));
  EXPECT_THAT(ReadAll(folder_ + "/day.csv"),
              StartsWith("time,charge,memory,odometer,talks\n"
                         "0,5000,0,0,0\n"
                         "21600,3650,0,0,0\n"));
  EXPECT_THAT(ReadAll(folder_ + "/day.csv"),
              HasSubstr("\n28848,3500,0,180,0\n"));
}

TEST_F(CliTaskTest, CommandsOfTheGuideSucceed) {
  EXPECT_EQ(RunCommandsOf("docs/reference/tasks.md",
                          "ln -sf " + Plugin("rover") + " " + Day() + " ."),
            6);
}

TEST_F(CliTaskTest, CommandsOfTheTutorialSucceed) {
  EXPECT_EQ(RunCommandsOf("docs/start/planner.md",
                          "ln -sf " + Plugin("observatory") + " " +
                              ORRERY_SOURCE_DIR +
                              "/examples/observatory/night.json ."),
            8);
}

// By hand: 20 kWh, 2 kW for 12 h, 0.3 kW for 24 h, 0.5 kWh for the dome,
// 1.2 kW for 6 h of images, 0.8 kW for the 57 min that 114 images take.
TEST_F(CliTaskTest, ChargeOfTheObservatoryIsWhatIsCountedByHand) {
  const Outcome outcome = Orrery(
      {"run",
       Plugin("observatory"),
       "--plan",
       std::string(ORRERY_SOURCE_DIR) + "/examples/observatory/night.json",
       "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json final = json::parse(outcome.out)["final"];
  EXPECT_NEAR(final["charge"], 28.34, 1e-9);
  EXPECT_NEAR(final["stored"], 0, 1e-9);
}

TEST_F(CliTaskTest, TimelineShowsTasksAndResources) {
  const Outcome outcome = Orrery(
      {"run", Plugin("rover"), "--plan", Day(), "--timeline", "day.svg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "wrote day.svg\n");
  const std::string svg = ReadAll(folder_ + "/day.svg");
  EXPECT_THAT(svg,
              HasSubstr("<title>Drive: 7:00:00 h to 7:16:00 h, completed; "
                        "directive=out; metres=60</title>"));
  EXPECT_THAT(svg, HasSubstr("Panorama"));
  for (const char* resource :
       {"charge [kJ]", "odometer [m]", "talks", "mode"}) {
    EXPECT_THAT(svg, HasSubstr(resource));
  }
}

TEST_F(CliTaskTest, TimelineShowsResourcesThatPlotNamesAndPlotIsNotDrawnTwice) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("rover"),
                                  "--plan",
                                  Day(),
                                  "--plot",
                                  "mode,odometer",
                                  "--timeline",
                                  "day.txt",
                                  "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  const std::string text = ReadAll(folder_ + "/day.txt");
  EXPECT_THAT(text, StartsWith("Rover\n"));
  EXPECT_THAT(text, HasSubstr("odometer [m]"));
  EXPECT_THAT(text, HasSubstr("\nmode "));
  EXPECT_THAT(text, Not(HasSubstr("charge")));
  EXPECT_EQ(Orrery({"run",
                    "--timeline",
                    "day.png",
                    Plugin("rover"),
                    "--plan",
                    Day(),
                    "--json"})
                .exit_code,
            0);
  EXPECT_THAT(ReadAll(folder_ + "/day.png"), StartsWith("\x89PNG"));
}

TEST_F(CliTaskTest, PictureInTheGuideIsWhatTheCommandDraws) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("rover"),
                                  "--plan",
                                  Day(),
                                  "--plot",
                                  "charge,mode",
                                  "--timeline",
                                  "rover_day.svg"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(
      ReadAll(folder_ + "/rover_day.svg"),
      ReadAll(std::string(ORRERY_SOURCE_DIR) + "/docs/images/rover_day.svg"));
}

TEST_F(CliTaskTest, TimelineWithoutFileIsPrinted) {
  const Outcome outcome = Program(
      "rover", {"--plan", Day(), "--quiet", "--timeline", "--plot", "charge"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, StartsWith("Rover\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  TakeImage "));
  EXPECT_THAT(outcome.out, HasSubstr("\ncharge [kJ]\n"));
  EXPECT_THAT(outcome.out, HasSubstr("time [h:min]\n"));
}

TEST_F(CliTaskTest, WrongTimelinesAreRefused) {
  const std::string rover = Plugin("rover");
  const auto refused = [this](std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(refused({"--timeline", rover, "--stop", "1"}),
            "orrery: cannot take --timeline " + rover +
                ": give a file that ends in .svg, .png or .txt; or, for the "
                "terminal, none, and let another option follow\n");
  EXPECT_EQ(refused({rover, "--plot", "charge:memory", "--timeline"}),
            "orrery: cannot show charge:memory in a timeline: it is over the "
            "time; name resources by --plot\n");
  Write("points.csv", "time,charge\n0,1\n");
  EXPECT_EQ(
      refused(
          {rover, "--plot", "charge", "--data", "points.csv", "--timeline"}),
      "orrery: cannot draw points.csv: a timeline shows no measured "
      "points; give the plot a file by --figure\n");
  EXPECT_EQ(refused({Plugin("gpt"), "--timeline"}),
            "orrery: cannot take --timeline for " + Plugin("gpt") +
                ": it means something to models of tasks only; leave it out\n");
  const Outcome outcome = Orrery({"run", rover, "--timeline", "--json"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot draw the timeline on the terminal: --json leaves "
            "it to the JSON object; give it a file\n");
}

TEST_F(CliTaskTest, PartOfAPlanIsRun) {
  const Outcome outcome = Program("rover",
                                  {"--plan",
                                   Day(),
                                   "--start",
                                   "15 h",
                                   "--stop",
                                   "17 h",
                                   "--spans",
                                   "spans.csv",
                                   "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(ReadAll(folder_ + "/spans.csv"),
            "span,parent,name,begin,end,state,attributes\n"
            "0,,Sun,54000,,open,\n"
            "1,,Drive,54000,56880,completed,directive=back; metres=180\n"
            "2,,Downlink,61200,61200,completed,directive=evening; "
            "window=300\n");
}

TEST_F(CliTaskTest, FilesTellWhichTextsTheyLeaveOut) {
  const Outcome outcome =
      Program("rover", {"--plan", Day(), "--output", "o.csv", "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "rover: warning: no mode in o.csv: files have no texts; "
            "--timeline draws them\n");
  EXPECT_THAT(ReadAll(folder_ + "/o.csv"),
              StartsWith("time,charge,memory,odometer,talks\n"));
}

TEST_F(CliTaskTest, TextSaysHowARunWent) {
  const Outcome outcome =
      Orrery({"run", Plugin("rover"), "--plan", Day(), "--stop", "28500"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              StartsWith("Rover  5 cells, 5 resources, 5 types of activities  "
                         "10 activities planned\nt = 28500 s  "));
  EXPECT_THAT(outcome.out, HasSubstr("\n17 tasks over, 2 open\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  charge       3456.5   kJ\n"));
}

TEST_F(CliTaskTest, ActivitiesOutsideOfTheRunAreToldWithTheirLines) {
  Write("late.json",
        "{\"activities\": [\n"
        "  {\"id\": \"far\", \"type\": \"Drive\", \"start\": \"9 h\"}]}\n");
  const std::vector<std::string> command = {
      "run", Plugin("rover"), "--plan", "late.json", "--stop", "8h", "--json"};
  const Outcome outcome = Orrery(command);
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string message =
      "activity 'far' is left out: it begins at t = 32400 s, after the end of "
      "the run";
  EXPECT_THAT(outcome.err,
              StartsWith("late.json:2:43: warning: " + message + "\n"));
  EXPECT_EQ(json::parse(outcome.out)["diagnostics"][0]["message"], message);
}

TEST_F(CliTaskTest, CheckListsWhatAModelIsMadeOf) {
  const Outcome outcome = Orrery({"check", Plugin("rover"), "--plan", Day()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              StartsWith("Rover: correct\n"
                         "  cell battery\n"
                         "  cell images\n"
                         "  cell way\n"
                         "  cell antenna\n"
                         "  cell doing\n"
                         "  resource charge in kJ\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("activity Drive: Goes straight on\n"
                        "  metres = 60 m  a number of 0 or more  Way to go\n"));
  EXPECT_THAT(outcome.out, HasSubstr("day.json: correct, 10 planned\n"));
}

TEST_F(CliTaskTest, CheckGivesWhatAModelIsMadeOfAsJson) {
  const Outcome outcome =
      Orrery({"check", Plugin("rover"), "--plan", Day(), "--json"});
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["cells"],
            json({"battery", "images", "way", "antenna", "doing"}));
  EXPECT_EQ(report["resources"][0], json({{"path", "charge"}, {"unit", "kJ"}}));
  const json& activities = report["activities"];
  const auto drive = std::ranges::find_if(activities, [](const json& activity) {
    return activity["path"] == "Drive";
  });
  ASSERT_NE(drive, activities.end());
  EXPECT_EQ((*drive)["meaning"], "Goes straight on");
  EXPECT_EQ((*drive)["arguments"]["metres"], "60");
  EXPECT_EQ(report["planned"], 10);
}

TEST_F(CliTaskTest, MistakesOfAPlanArePointedAt) {
  Write("bad.json", R"({"activities": [{"type": "Dirve", "start": 0}]})");
  for (const char* command : {"run", "check"}) {
    const Outcome outcome =
        Orrery({command, Plugin("rover"), "--plan", "bad.json"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(
        outcome.err,
        "bad.json:1:26: error: the model has no type of activities "
        "'Dirve'\n"
        "    1 | {\"activities\": [{\"type\": \"Dirve\", \"start\": 0}]}\n"
        "      |                          ^~~~~~~ did you mean "
        "'Drive'?\n");
  }
  const Outcome outcome = Program("rover", {"--plan", "bad.json", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "error");
  EXPECT_EQ(report["final"], nullptr);
  EXPECT_EQ(report["diagnostics"][0]["column"], 26);
}

TEST_F(CliTaskTest, WrongCommandLinesAreRefused) {
  const auto refused = [this](std::vector<std::string> words) {
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  const std::string rover = Plugin("rover");
  EXPECT_EQ(refused({"run", rover, "--plan", Day(), "--plot", "charg"}),
            "orrery: cannot plot 'charg': model Rover has no resource of this "
            "name; did you mean 'charge'?\n");
  EXPECT_EQ(refused({"run", rover, "--formalism", "classic"}),
            "orrery: cannot take --formalism for " + rover +
                ": it means something to DEVS models only; leave it out\n");
  EXPECT_EQ(refused({"run", rover, "--input", "x.csv"}),
            "orrery: cannot take --input for " + rover +
                ": it means something to DEVS models and models of equations "
                "only; leave it out\n");
  EXPECT_EQ(refused({"run", Plugin("gpt"), "--plan", Day()}),
            "orrery: cannot take --plan for " + Plugin("gpt") +
                ": it means something to models of tasks only; leave it out\n");
  EXPECT_EQ(refused({"run", Plugin("gpt"), "--start", "2"}),
            "orrery: cannot take --start for " + Plugin("gpt") +
                ": it means something to models of equations and of tasks "
                "only; leave it out\n");
  WriteCircle();
  EXPECT_EQ(refused({"run", "circle.cbd", "--plan", Day()}),
            "orrery: cannot take --plan for circle.cbd: it means something to "
            "models of DEVS or tasks (.so) only; leave it out\n");
  EXPECT_EQ(refused({"check", "circle.cbd", "--plan", "day.json"}),
            "orrery: cannot check plan day.json for circle.cbd: plans are of "
            "models of tasks (.so); leave it out\n");
  EXPECT_EQ(refused({"run", rover, "--spans", "spans.txt"}),
            "orrery: cannot write spans.txt: the ending of its name says no "
            "format; known endings: .csv, .json\n");
}

}  // namespace
}  // namespace orrery::cli
