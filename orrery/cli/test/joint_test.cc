// Simulations on one timeline as programs and as plug-ins of the command.

#include <filesystem>
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
using testing::Not;
using testing::StartsWith;

class CliJointTest : public CliTest {
 protected:
  [[nodiscard]] static std::string Day() {
    return std::string(ORRERY_SOURCE_DIR) + "/examples/tank_station/day.json";
  }

  // A run of the station, by the plan.
  [[nodiscard]] Outcome Station(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"run", Plugin("tank_station"), "--plan", Day()});
    return Orrery(words);
  }

  [[nodiscard]] std::string Refused(
      const std::vector<std::string>& words) const {
    return RefusedBy("joint_probe", words);
  }

  [[nodiscard]] std::string Failed(
      const std::vector<std::string>& words) const {
    return FailedBy("joint_probe", words);
  }
};

// The level falls from 2 m by 1 mm/s. It is 1 m at 1000 s and 0.995 m at 1005
// s, when the pump starts; it then rises as fast. The drain opens at 2400 s, at
// 2.39 m, and takes 3 mm/s more than the pump gives: 1.5 m are reached 296 2/3
// s later. The level is 3 m at 4196 2/3 s. The pump runs until 4201 2/3 s, and
// again 2005 + 5 s later.
TEST_F(CliJointTest, StationIsAsComputedByHand) {
  const Outcome outcome = Station(
      {"--json", "--tolerance", "1e-9", "--spans", "s.json", "--events"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["model"], "TankStation");
  EXPECT_EQ(report["equations"], "Tank");
  EXPECT_EQ(report["states"], 1);
  EXPECT_EQ(report["inputs"], 2);
  EXPECT_EQ(report["atomic_models"], 1);
  EXPECT_EQ(report["cells"], 2);
  EXPECT_EQ(report["planned"], 1);
  EXPECT_EQ(report["time"], 7200);
  EXPECT_EQ(report["statistics"]["devs"]["internal"], 3);
  EXPECT_EQ(report["spans_over"], 4);
  EXPECT_EQ(report["parameters"]["power"], "5");
  const json& final = report["final"];
  EXPECT_NEAR(final["level"], 0.995 + (7200 - 6211 - 2.0 / 3) * 1e-3, 1e-6);
  EXPECT_NEAR(final["crew.energy"], 5 * (3196 + 2.0 / 3 + 988 + 1.0 / 3), 1e-4);
  EXPECT_NEAR(final["lowest_level"], 0.995, 1e-6);
  EXPECT_NEAR(final["highest_level"], 3.005, 1e-6);

  const json spans = json::parse(ReadAll(folder_ + "/s.json"));
  bool has_flushed = false;
  for (const json& span : spans) {
    if (span["name"] == "crew.Flush") {
      has_flushed = true;
      EXPECT_EQ(span["begin"], 2400);
      EXPECT_NEAR(span["end"], 2696 + 2.0 / 3, 1e-4);
    }
  }
  EXPECT_TRUE(has_flushed);
}

TEST_F(CliJointTest, CommandsOfTheGuideSucceed) {
  EXPECT_EQ(
      RunCommandsOf("docs/how_to/timeline.md",
                    "ln -sf " + Plugin("tank_station") + " " + Day() + " ."),
      6);
}

TEST_F(CliJointTest, OutputHasQuantitiesAndResourcesAtOneTime) {
  const Outcome outcome =
      Station({"--quiet", "--stop", "1010", "--output", "day.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string text = ReadAll(folder_ + "/day.csv");
  EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr(",crew.energy"));
  EXPECT_THAT(text.substr(0, text.find('\n')),
              StartsWith("time,pump,opening,level,"));
  EXPECT_THAT(text, HasSubstr("\n1010,1,0,"));
  EXPECT_NEAR(std::stod(text.substr(text.rfind(',') + 1)), 25, 1e-6);
}

TEST_F(CliJointTest, BothArePlotted) {
  const Outcome outcome = Station(
      {"--quiet", "--plot", "level,crew.energy", "--figure", "day.svg"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string svg = ReadAll(folder_ + "/day.svg");
  EXPECT_THAT(svg, HasSubstr("level"));
  EXPECT_THAT(svg, HasSubstr("crew.energy"));
  const Outcome printed = Station({"--quiet", "--plot", "crew.energy:level"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("crew.energy [kJ]"));
}

TEST_F(CliJointTest, TimelineShowsTasksResourcesAndQuantities) {
  const Outcome outcome =
      Station({"--timeline", "day.svg", "--plot", "level,crew.energy"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "wrote day.svg\n");
  const std::string svg = ReadAll(folder_ + "/day.svg");
  EXPECT_THAT(svg,
              HasSubstr("<title>crew.Flush: 40:00 min to 44:57 min, completed; "
                        "directive=flush; to=1.5</title>"));
  EXPECT_THAT(svg, HasSubstr("level [m]"));
  EXPECT_THAT(svg, HasSubstr("crew.energy [kJ]"));
  EXPECT_EQ(Station({"--timeline", "all.svg", "--event-log", "e.csv"}).err,
            "wrote e.csv, all.svg\n");
  EXPECT_THAT(ReadAll(folder_ + "/all.svg"), Not(HasSubstr("level [m]")));
  EXPECT_THAT(ReadAll(folder_ + "/e.csv"), HasSubstr("\n2400,"));
}

TEST_F(CliJointTest, TextSaysHowARunWent) {
  const Outcome outcome = Station({"--stop", "1010", "--events"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              StartsWith("TankStation  1 state of Tank, 1 atomic model, 2 "
                         "cells, 1 resource, 1 type of activities  1 activity "
                         "planned  made in "));
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 1010 s  "));
  EXPECT_THAT(outcome.out,
              HasSubstr("  1 message  2 steps of 2 tasks  4 instants  "));
  EXPECT_THAT(outcome.out, HasSubstr("\n1 task over, 0 open\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  level  1 m"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  crew.energy    25     kJ\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  lowest_level   0.995\n"));
}

// `power` is a parameter of the class: half of it. `demand` belongs to the
// equations: without demand nothing ever happens.
TEST_F(CliJointTest, ParametersOfTheClassAndOfTheEquationsAreSet) {
  const json half = json::parse(
      Station({"--json", "--stop", "1010", "--set", "power=2500 W"}).out);
  EXPECT_NEAR(half["final"]["crew.energy"], 12.5, 1e-6);
  const json still = json::parse(
      Station({"--json", "--stop", "1010", "--set", "demand=0"}).out);
  EXPECT_EQ(still["final"]["level"], 2);
  EXPECT_EQ(still["statistics"]["devs"]["messages"], 0);
  const json low = json::parse(
      Station({"--json", "--stop", "1010", "--set", "level=1.5"}).out);
  EXPECT_NEAR(low["final"]["level"], 0.995 + 0.505, 1e-6);
}

TEST_F(CliJointTest, ParameterOfTheClassHidesOneOfTheEquations) {
  const json report = json::parse(
      Program("joint_probe", {"--json", "--set", "gain=3", "--set", "slope=2"})
          .out);
  EXPECT_EQ(report["final"]["gained"], 12);
  EXPECT_EQ(report["final"]["gain"], 1);
  EXPECT_NEAR(report["final"]["x"], 8, 1e-9);
  EXPECT_EQ(report["final"]["watch.seen"], true);
  EXPECT_EQ(report["time"], 4);
}

TEST_F(CliJointTest, FileBesideIsFoundFromWhereverItIsCalled) {
  std::filesystem::create_symlink(Plugin("tank_station"),
                                  folder_ + "/station.so");
  EXPECT_EQ(Orrery({"run", "station.so", "--stop", "1"}).exit_code, 0);
  EXPECT_EQ(Program("tank_station", {"--stop", "1"}).exit_code, 0);
  EXPECT_EQ(std::system(("cd " + folder_ + " && PATH=" + ORRERY_PROGRAMS +
                         " tank_station --stop 1 --quiet")
                            .c_str()),
            0);
}

TEST_F(CliJointTest, CheckListsWhatASimulationIsMadeOf) {
  const Outcome outcome =
      Orrery({"check", Plugin("tank_station"), "--plan", Day()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "TankStation: correct\n"
            "  equations of Tank: 1 state, 2 inputs\n"
            "  atomic model model.controller\n"
            "  cell crew.meter\n"
            "  cell crew.drain\n"
            "  resource crew.energy in kJ\n"
            "  ends at t = 7200 s if --stop says nothing else\n"
            "parameters\n"
            "  power = 5 kW  a number of 0 or more  Of the pump\n"
            "  low = 1 m     a number               Pump on\n"
            "  high = 3 m    a number               Pump off\n"
            "activity crew.Flush: Drains the tank\n"
            "  to = 1.5 m  a number of 0 or more  Level\n" +
                Day() + ": correct, 1 planned\n");
}

TEST_F(CliJointTest, CheckGivesWhatASimulationIsMadeOfAsJson) {
  const Outcome outcome =
      Orrery({"check", Plugin("tank_station"), "--plan", Day(), "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["equations"], "Tank");
  EXPECT_EQ(report["states"], 1);
  EXPECT_EQ(report["inputs"], 2);
  EXPECT_EQ(report["atomic_models"], json({"model.controller"}));
  EXPECT_EQ(report["cells"], json({"crew.meter", "crew.drain"}));
  EXPECT_EQ(report["stop"], 7200);
  EXPECT_EQ(report["planned"], 1);
}

TEST_F(CliJointTest, HelpNamesOptionsThatMeanSomething) {
  const Outcome outcome = Program("joint_probe", {"run", "--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* option : {"--tolerance", "--plan", "--timeline", "--seed"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
  for (const char* option : {"--until", "--start", "--replications"}) {
    EXPECT_THAT(outcome.out, Not(HasSubstr(option)));
  }
  EXPECT_THAT(outcome.out, HasSubstr("\n  mode = runs  "));
}

// Wrong uses ------------------------------------------------------------------

TEST_F(CliJointTest, WrongCommandLinesAreRefused) {
  EXPECT_EQ(
      Refused({"--plot", "watch.sen"}),
      "joint_probe: cannot find signal 'watch.sen': the result has none of "
      "this name; did you mean 'watch.seen'?\n");
  EXPECT_EQ(Refused({"--set", "slop=1"}),
            "joint_probe: cannot set 'slop': model JointProbe has no such "
            "parameter, and its equations Ramp have no such quantity; did you "
            "mean 'slope'?\n");
  EXPECT_EQ(Refused({"--set", "slope=steep"}),
            "joint_probe: cannot set 'slope' to 'steep': it is a quantity of "
            "the equations; give a number, true or false\n");
  EXPECT_EQ(Refused({"--set", "der(x)=1"}),
            "joint_probe: cannot set 'der(x)': the model computes it; set a "
            "parameter, the start of a state or an input\n");
  EXPECT_EQ(Refused({"--stop", "-1"}),
            "joint_probe: cannot stop at -1 s: the run starts at 0 s; give a "
            "later time\n");
  EXPECT_EQ(
      Refused({"--output", "x.txt"}),
      "joint_probe: cannot write 'x.txt': the ending '.txt' names no known "
      "format; known endings: .csv, .mat (MATLAB, as Modelica tools "
      "write it), .h5 or .hdf5 (HDF5)\n");
  EXPECT_EQ(Refused({"--spans", "spans.txt"}),
            "joint_probe: cannot write spans.txt: the ending of its name says "
            "no format; known endings: .csv, .json\n");
  EXPECT_EQ(Refused({"--set", "mode=ticks", "--tolerance", "1e-9"}),
            "joint_probe: cannot take --tolerance for JointProbe: it has no "
            "equations; leave it out\n");
  Write("late.json", R"({"start": "1 h", "activities": []})");
  EXPECT_EQ(Refused({"--plan", "late.json"}),
            "joint_probe: cannot start at 3600 s, as late.json says: what is "
            "on one timeline begins at 0 s; leave \"start\" out\n");
}

TEST_F(CliJointTest, OptionsOfOtherKindsAreRefused) {
  const std::string station = Plugin("tank_station");
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", station});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(refused({"--start", "1"}),
            "orrery: cannot take --start for " + station +
                ": it means something to models of equations and of tasks "
                "only; leave it out\n");
  EXPECT_EQ(refused({"--until", "level > 3"}),
            "orrery: cannot take --until for " + station +
                ": it means something to models of equations in files only; "
                "leave it out\n");
  EXPECT_EQ(refused({"--replications", "3"}),
            "orrery: cannot take --replications for " + station +
                ": it means something to DEVS models only; leave it out\n");
  for (const char* model : {"gpt", "rover"}) {
    const Outcome outcome =
        Orrery({"run", Plugin(model), "--tolerance", "1e-9"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              "orrery: cannot take --tolerance for " + Plugin(model) +
                  ": it means something to models of equations only; leave it "
                  "out\n");
  }
}

TEST_F(CliJointTest, PlanOfAModelWithoutActivitiesIsPointedAt) {
  Write("plan.json", R"({"activities": [{"type": "Flush", "start": 0}]})");
  const Outcome outcome = Program("joint_probe", {"--plan", "plan.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "plan.json:1:26: error: the model has no type of activities "
            "'Flush'\n"
            "    1 | {\"activities\": [{\"type\": \"Flush\", \"start\": 0}]}\n"
            "      |                          ^~~~~~~ it has none at all\n");
}

TEST_F(CliJointTest, SimulationThatCannotBeMadeIsNamed) {
  EXPECT_EQ(Failed({"--set", "mode=two systems"}),
            "joint_probe: cannot make model JointProbe: cannot add model Ramp "
            "to a simulation: it has the equations of Ramp already; join both "
            "in a Diagram and add that\n");
  EXPECT_EQ(Failed({"--set", "mode=no file"}),
            "joint_probe: cannot make model JointProbe: cannot read '" +
                std::string(ORRERY_PROGRAMS) +
                "/missing.mo': there is no such file\n");
  const Outcome outcome =
      Program("joint_probe", {"--set", "mode=two systems", "--json"});
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "error");
  EXPECT_EQ(report["final"], nullptr);
  EXPECT_EQ(report["make_ms"], nullptr);
}

TEST_F(CliJointTest, FailureKeepsWhatCameBefore) {
  const Outcome outcome = Program(
      "joint_probe",
      {"--set", "mode=task fails", "--output", "x.csv", "--spans", "s.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the watch is broken"));
  EXPECT_THAT(outcome.err, HasSubstr("wrote s.csv, x.csv\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 2.5"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("gained")));
  EXPECT_THAT(ReadAll(folder_ + "/x.csv"), HasSubstr("\n2.5"));
  EXPECT_THAT(ReadAll(folder_ + "/s.csv"), HasSubstr(",failed,"));
}

TEST_F(CliJointTest, ResultsThatFailLoseNothingElse) {
  const Outcome outcome = Program(
      "joint_probe", {"--set", "mode=results fail", "--output", "x.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "error: cannot tell the results of JointProbe: there is nothing to "
            "tell\nwrote x.csv\n");
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 4 s"));
  EXPECT_THAT(ReadAll(folder_ + "/x.csv"), HasSubstr("\n4,"));
}

TEST_F(CliJointTest, RunWithoutAnEndIsTold) {
  EXPECT_EQ(Failed({"--set", "mode=ticks"}),
            "error: cannot go on at t = 999999 s: no end is given, and after "
            "1000000 times with events something is due still; give a time to "
            "stop at\n");
  EXPECT_THAT(
      Program("joint_probe", {"--set", "mode=ticks", "--stop", "9.5"}).out,
      HasSubstr("\nt = 9.5 s"));
}

}  // namespace
}  // namespace orrery::cli
