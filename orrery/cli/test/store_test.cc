#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/base/numbers/random.h"
#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliStoreTest : public CliTest {
 protected:
  CliStoreTest() { WriteDecay("1"); }

  void WriteDecay(const std::string& start) const {
    Write("decay.mo",
          "model Decay\n  parameter Real k = 1;\n  Real x(start = " + start +
              ", fixed = true);\nequation\n  der(x) = -k*x;\nend Decay;\n");
  }

  // Runs the command, which saves in ./orrery.db.
  [[nodiscard]] Outcome Saving(const std::vector<std::string>& words) const {
    return Finish(Start(words, "out"));
  }

  [[nodiscard]] std::string Printed(
      const std::vector<std::string>& words) const {
    const Outcome outcome = Saving(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  void SaveTwoRuns() const {
    static_cast<void>(Printed({"run", "decay.mo"}));
    static_cast<void>(Printed({"run", "decay.mo", "--set", "k=2"}));
  }

  [[nodiscard]] static std::vector<std::string> LongSweep(
      int runs, const std::string& store) {
    return {"sweep",
            "decay.mo",
            "--vary",
            "k=uniform(1,2)",
            "--runs",
            std::to_string(runs),
            "--jobs",
            "2",
            "--interval",
            "0.001",
            "--keep",
            "max(x)",
            "--keep",
            "integral(x)",
            "--store",
            store};
  }
};

TEST_F(CliStoreTest, ListsWhatWasRunTheNewestFirst) {
  SaveTwoRuns();
  const std::string list = Printed({"list"});
  EXPECT_THAT(list, StartsWith("  2  "));
  EXPECT_THAT(list, HasSubstr("simulate  Decay  completed  1 of 1 run"));
  EXPECT_EQ(std::ranges::count(list, '\n'), 2);
  EXPECT_EQ(json::parse(Printed({"list", "--json"}))["experiments"].size(), 2U);
}

TEST_F(CliStoreTest, ShowsWhatWasAskedForAndWhatCameOut) {
  SaveTwoRuns();
  const std::string shown = Printed({"show", "2"});
  EXPECT_THAT(shown, StartsWith("experiment 2: simulate of Decay, "));
  EXPECT_THAT(shown, HasSubstr("  set k  2\n"));
  EXPECT_THAT(shown, HasSubstr("  x  0.135335\n"));
  const json report = json::parse(Printed({"show", "2", "--json"}));
  EXPECT_EQ(report["document"]["set"]["k"], "2");
  EXPECT_NEAR(report["results"]["final"]["x"].get<double>(), 0.135335, 1e-6);
}

TEST_F(CliStoreTest, ValuesOfBooleansAndEnumerationsArePrintedByTheirNames) {
  Write("pump.mo", R"(
model Pump
  type Mode = enumeration(Slow, Fast);
  parameter Mode mode = Mode.Fast;
  Boolean open = time > 0.5;
  Mode now = if open then mode else Mode.Slow;
  Integer steps = if open then 1 else 0;
end Pump;
)");
  const auto named = HasSubstr("  open  true    now  Fast     steps  1\n");
  EXPECT_THAT(Printed({"run", "pump.mo"}), named);
  EXPECT_THAT(Printed({"show", "1"}), named);
  const json report = json::parse(Printed({"show", "1", "--json"}));
  EXPECT_EQ(report["results"]["final"]["now"], 2);
  EXPECT_EQ(report["results"]["final"]["open"], 1);
}

TEST_F(CliStoreTest, OneFileMayHaveTheInputsOfARunAndWhatWasMeasured) {
  Write("lag.mo",
        "model Lag\n  input Real u;\n  Real y(start = 0, fixed = true);\n"
        "equation\n  der(y) = u - y;\nend Lag;\n");
  Write("io.csv", "time,u,y\n0,1,0\n1,1,0.6\n");
  static_cast<void>(Printed({"run",
                             "lag.mo",
                             "--input",
                             "io.csv",
                             "--data",
                             "io.csv",
                             "--plot",
                             "u,y"}));
  EXPECT_THAT(Printed({"rerun", "1"}),
              HasSubstr("the same as experiment 1, to the last bit"));
  const Outcome alone = Orrery({"run", "lag.mo", "--input", "io.csv"});
  EXPECT_THAT(alone.err, HasSubstr("model Lag has no input 'y'"));
}

TEST_F(CliStoreTest, AFlippedBitInWhatWasAskedForIsToldByAllThatReadIt) {
  SaveTwoRuns();
  const std::string path = folder_ + "/orrery.db";
  std::string bytes = ReadAll(path);
  const std::size_t at = bytes.find(R"("k":"2")");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 5] = static_cast<char>(bytes[at + 5] ^ 1);  // Now k is 3.
  std::ofstream(path, std::ios::binary) << bytes;

  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"show", "2"},
        {"show", "2", "--json"},
        {"rerun", "2"},
        {"resume", "2"},
        {"compare", "1", "2"},
        {"export", "2", "out.csv"}}) {
    const Outcome outcome = Saving(words);
    EXPECT_EQ(outcome.exit_code, 1) << words.front();
    EXPECT_THAT(outcome.err, HasSubstr("there is damage in the document"));
  }
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("simulate of Decay"));
}

TEST_F(CliStoreTest, ShowsTheResultsOfModelsThatAreClasses) {
  static_cast<void>(Printed({"run", Plugin("bank"), "--stop", "8h"}));
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("  exact_wait_s  98.6582\n"));
  EXPECT_THAT(Printed({"rerun", "1"}),
              HasSubstr("the same as experiment 1, to the last bit"));
}

// With 100,000 signals, a linear search for each name would take minutes.
TEST_F(CliStoreTest,
       ARunOfManySignalsIsShownAndComparedInTimeLinearInTheirNumber) {
  Write("many.mo",
        "model Many\n  Real x[100000](start = 1:100000, each fixed = true);\n"
        "equation\n  der(x) = -x;\nend Many;\n");
  const std::vector<std::string> run = {
      "run", "many.mo", "--solver", "rk4", "--step", "0.5", "--interval", "1"};
  static_cast<void>(Printed(run));
  EXPECT_THAT(Printed({"show", "1"}),
              HasSubstr("... and 99976 more; --output FILE writes them all"));
  const json shown = json::parse(Printed({"show", "1", "--json"}));
  const double part = 1 - 0.5 + 0.5 * (0.25 - 0.125 / 3 + 0.0625 / 12);
  EXPECT_NEAR(shown["results"]["final"]["x[99999]"].get<double>(),
              99999 * part * part,
              1e-6);
  EXPECT_THAT(Printed({"rerun", "1"}), HasSubstr("to the last bit"));
  EXPECT_THAT(Printed({"compare", "1", "2"}), HasSubstr("to the last bit"));
}

TEST_F(CliStoreTest, ReplicationsAreSavedAsATableOfRuns) {
  const json report = json::parse(Printed({"run",
                                           Plugin("bank"),
                                           "--stop",
                                           "8h",
                                           "--replications",
                                           "3",
                                           "--json"}));
  EXPECT_THAT(Printed({"list"}),
              HasSubstr("replications  Bank  completed  3 of 3 runs"));
  const std::string shown = Printed({"show", "1"});
  EXPECT_THAT(shown, HasSubstr("  replications  3\n"));
  EXPECT_THAT(shown, HasSubstr("  95 % interval of it"));
  EXPECT_THAT(Printed({"rerun", "1", "--jobs", "2"}),
              HasSubstr("the same as experiment 1, to the last bit"));
  const RunTable table = ExperimentStore(folder_ + "/orrery.db").ReadRuns(1);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].name, "mean_wait_s");
  for (std::size_t run = 0; run < 3; ++run) {
    EXPECT_EQ(table.values[0][run],
              report["runs"][run]["final"]["mean_wait_s"].get<double>());
  }
}

TEST_F(CliStoreTest, TagsAndNotesAreOfTheUser) {
  SaveTwoRuns();
  static_cast<void>(Printed({"tag", "1", "reference"}));
  static_cast<void>(Printed({"note", "1", "before the change"}));
  EXPECT_THAT(Printed({"list", "--tag", "reference"}), StartsWith("  1  "));
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("before the change"));
  EXPECT_EQ(Printed({"list", "--tag", "refrence"}),
            "  no experiments; none has the tag 'refrence', did you mean "
            "'reference'?\n");
  static_cast<void>(Printed({"untag", "1", "reference"}));
  EXPECT_EQ(Printed({"list", "--tag", "reference"}), "  no experiments\n");
}

TEST_F(CliStoreTest, OfAKilledRunItIsShownWhatWasAskedFor) {
  const std::string path = folder_ + "/orrery.db";
  // Its process is gone, as after a kill.
  static_cast<void>(ExperimentStore(path).Begin(
      {.type = "simulate",
       .model = "Decay",
       .document = ToJson(RunDocument{
           .file = "decay.mo", .settings = {{.name = "k", .value = "3"}}})}));
  const std::string shown = Printed({"show", "1"});
  EXPECT_THAT(shown, StartsWith("experiment 1: simulate of Decay, "));
  EXPECT_THAT(shown, HasSubstr(", interrupted, 0 of 1 run\n"));
  EXPECT_THAT(shown, HasSubstr("  set k  3\n"));
  EXPECT_THAT(shown,
              HasSubstr("  no results: it was ended before there were any; run "
                        "it again by rerun 1\n"));
  const json report = json::parse(Printed({"show", "1", "--json"}));
  EXPECT_EQ(report["status"], "interrupted");
  EXPECT_EQ(report["document"]["set"]["k"], "3");
  EXPECT_TRUE(report["results"].is_null());
  const Outcome plotted = Saving({"show", "1", "--plot", "x"});
  EXPECT_EQ(plotted.exit_code, 2);
  EXPECT_EQ(plotted.err,
            "orrery: cannot show the results of experiment 1: it was ended "
            "before there were any; run it again by rerun 1\n");
}

TEST_F(CliStoreTest, ErrorsAreJsonWhereThatIsWanted) {
  SaveTwoRuns();
  const auto message = [&](const std::vector<std::string>& words) {
    const Outcome outcome = Saving(words);
    EXPECT_EQ(outcome.exit_code, 2);
    const json report = json::parse(outcome.out);
    EXPECT_EQ(report["status"], "error");
    return report["message"].get<std::string>();
  };
  EXPECT_THAT(message({"show", "9", "--json"}),
              StartsWith("cannot find experiment 9"));
  EXPECT_THAT(message({"compare", "1", "9", "--json"}),
              StartsWith("cannot find experiment 9"));
  EXPECT_THAT(message({"list", "--type", "simulat", "--json"}),
              StartsWith("cannot list experiments of type 'simulat'"));
  EXPECT_THAT(message({"equations", "decay.mo", "--json"}),
              StartsWith("cannot take '--json'"));
}

TEST_F(CliStoreTest, TheLineThatShowsItAgainIsOneOfTheShell) {
  const std::string store = "o'hara runs.db";
  const Outcome outcome = Saving({"run", "decay.mo", "--store", store});
  EXPECT_THAT(outcome.err,
              HasSubstr("orrery show 1 --store 'o'\\''hara runs.db'\n"));
}

TEST_F(CliStoreTest, AStoreThatIsRemovedMeanwhileIsTold) {
  const std::string store = folder_ + "/runs.db";
  const pid_t child = Start(LongSweep(3000, store), "out");
  while (!std::filesystem::exists(store)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::filesystem::remove(store);
  const Outcome outcome = Finish(child);
  EXPECT_THAT(outcome.out, HasSubstr("3000 of 3000 runs completed"));
  EXPECT_THAT(outcome.err,
              HasSubstr("orrery: warning: the experiment is not saved: " +
                        store + " was removed, or replaced, while it ran"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("saved as experiment")));
}

TEST_F(CliStoreTest, AnUnknownTypeIsNotListed) {
  SaveTwoRuns();
  const Outcome outcome = Saving({"list", "--type", "sweeps"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot list experiments of type 'sweeps': there is no "
            "such type; did you mean 'sweep'?\n");
  EXPECT_EQ(Printed({"list", "--type", "sweep"}), "  no experiments\n");
}

TEST_F(CliStoreTest, WhereNoTypeIsLikeTheOneThatIsAskedForAllAreListed) {
  SaveTwoRuns();
  EXPECT_EQ(Saving({"list", "--type", "foo"}).err,
            "orrery: cannot list experiments of type 'foo': there is no such "
            "type; known: calibration, frequency-response, linearization, "
            "optimization, replications, sensitivity, simulate, steady-state, "
            "sweep\n");
}

TEST_F(CliStoreTest, AnUnknownEndingIsNotExportedTo) {
  SaveTwoRuns();
  const Outcome outcome = Saving({"export", "1", "run.pdf"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot export to 'run.pdf': the ending '.pdf' names no "
            "known format; known endings: .csv, .mat (MATLAB, as Modelica "
            "tools write it), .h5 or .hdf5 (HDF5), .html (a report)\n");
}

TEST_F(CliStoreTest, AnEndingMayBeInCapitals) {
  SaveTwoRuns();
  for (const char* file : {"/run.CSV", "/run.HTML"}) {
    EXPECT_EQ(Saving({"export", "1", folder_ + file}).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder_ + file));
  }
}

TEST_F(CliStoreTest, ComparesSettingsAndResults) {
  SaveTwoRuns();
  const std::string text =
      Printed({"compare", "1", "2", "--plot", "x", "--figure", "both.svg"});
  EXPECT_THAT(text, HasSubstr("  set"));
  EXPECT_THAT(text, HasSubstr("0.367879"));
  EXPECT_THAT(text, HasSubstr("0.135335"));
  EXPECT_THAT(text, HasSubstr("0.25"))
      << "at most exp(-t) - exp(-2 t), at t = log(2)";
  EXPECT_THAT(ReadAll(folder_ + "/both.svg"), HasSubstr("x (2)"));
  EXPECT_THAT(Printed({"compare", "1", "1"}),
              HasSubstr("the results are the same, to the last bit"));
}

TEST_F(CliStoreTest, DifferencesAreOneJsonObjectWhereThatIsWanted) {
  SaveTwoRuns();
  const json report = json::parse(Printed({"compare", "1", "2", "--json"}));
  EXPECT_EQ(report["experiments"], json({1, 2}));
  EXPECT_EQ(report["asked"],
            json::parse(R"([{"name": "set k", "values": [null, "2"]}])"));
  EXPECT_EQ(report["changed_files"], json::array());
  const json& x = report["results"][1];
  EXPECT_EQ(x["name"], "x");
  EXPECT_NEAR(x["values"][0], std::exp(-1), 1e-6);
  EXPECT_NEAR(x["values"][1], std::exp(-2), 1e-6);
  EXPECT_NEAR(x["at_most"], 0.25, 1e-5);
  EXPECT_NEAR(x["at"], std::log(2), 2e-3);
  const json same = json::parse(Printed({"compare", "1", "1", "--json"}));
  EXPECT_EQ(same["asked"], json::array());
  EXPECT_EQ(same["results"], json::array());
}

TEST_F(CliStoreTest, RunsThatShareNothingAreNotTheSame) {
  Write("other.mo",
        "model Other\n  Real z(start = 2, fixed = true);\nequation\n"
        "  der(z) = 0;\nend Other;\n");
  static_cast<void>(Printed({"run", "decay.mo", "--stop", "1"}));
  static_cast<void>(Printed({"run", "other.mo", "--stop", "1"}));
  const std::string text = Printed({"compare", "1", "2"});
  EXPECT_THAT(text, Not(HasSubstr("are the same")));
  EXPECT_THAT(text, ContainsRegex("x +0.367879 +-"));
  EXPECT_THAT(text, ContainsRegex("z +- +2\n"));
  const json report = json::parse(Printed({"compare", "1", "2", "--json"}));
  EXPECT_EQ(report["results"].back(),
            json::parse(R"({"name": "z", "values": [null, 2.0]})"));
}

TEST_F(CliStoreTest, RunsToOtherTimesAreNotTheSame) {
  const std::string rest = "rest.mo";
  Write(rest,
        "model Rest\n  Real x(start = 1, fixed = true);\nequation\n"
        "  der(x) = 0;\nend Rest;\n");
  for (const char* stop : {"1", "2"}) {
    static_cast<void>(
        Printed({"run", rest, "--stop", stop, "--interval", "0.5"}));
  }
  EXPECT_THAT(
      Printed({"compare", "1", "2"}),
      HasSubstr("  experiment 1 is from 0 to 1 s in 3 rows, 2 is from 0 to 2 "
                "s in 5 rows\n"
                "  the results are the same where both have any\n"));
  EXPECT_EQ(
      json::parse(Printed({"compare", "1", "2", "--json"}))["times_differ"],
      true);
  static_cast<void>(Printed({"run", rest, "--start", "7", "--stop", "8"}));
  EXPECT_THAT(Printed({"compare", "1", "3"}), Not(HasSubstr("the same")));
}

TEST_F(CliStoreTest, ComparesTheFilesThatRunsAreMadeFrom) {
  SaveTwoRuns();
  WriteDecay("3");
  static_cast<void>(Printed({"run", "decay.mo"}));
  EXPECT_THAT(Printed({"compare", "1", "3"}),
              HasSubstr("  decay.mo    is another\n"));
}

TEST_F(CliStoreTest, ExportsWhatWasStored) {
  SaveTwoRuns();
  static_cast<void>(Printed({"export", "1", "run.csv"}));
  static_cast<void>(Printed({"run", "decay.mo", "--output", "now.csv"}));
  EXPECT_EQ(ReadAll(folder_ + "/run.csv"), ReadAll(folder_ + "/now.csv"));
}

TEST_F(CliStoreTest, AReportIsOnePageThatNeedsNothingElse) {
  SaveTwoRuns();
  static_cast<void>(
      Printed({"note", "2", "before <the damper> was changed & after"}));
  static_cast<void>(Printed({"export", "2", "report.html"}));
  const std::string html = ReadAll(folder_ + "/report.html");
  EXPECT_THAT(html, HasSubstr("<h1>Experiment 2: simulate of Decay</h1>"));
  EXPECT_THAT(html,
              HasSubstr("before &lt;the damper&gt; was changed &amp; after"));
  EXPECT_THAT(html, HasSubstr("<td>k</td><td>2</td>"));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("der(x) = -k*x"));
  EXPECT_THAT(html, HasSubstr("model Decay"));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
}

TEST_F(CliStoreTest, TheReportOfASweepShowsItsRunsAsDots) {
  static_cast<void>(
      Printed({"sweep", "decay.mo", "--vary", "k=1:3", "--keep", "x"}));
  static_cast<void>(Printed({"export", "1", "report.html"}));
  const std::string html = ReadAll(folder_ + "/report.html");
  EXPECT_THAT(html, HasSubstr("3 of 3 runs completed"));
  EXPECT_THAT(html, HasSubstr("<svg"));
}

TEST_F(CliStoreTest, WhatIsDeletedIsGone) {
  SaveTwoRuns();
  static_cast<void>(Printed({"delete", "1"}));
  const Outcome outcome = Saving({"show", "1"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot find experiment 1"));
}

TEST_F(CliStoreTest, SeveralExperimentsAreDeletedOrNone) {
  SaveTwoRuns();
  const Outcome outcome = Saving({"delete", "1", "2", "7"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is none; the nearest are 1, 2"));
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("experiment 1: "));
  EXPECT_EQ(Saving({"delete", "1", "all"}).err,
            "orrery: cannot take ID all: give the number of an experiment, as "
            "list shows it\n");
  static_cast<void>(Printed({"delete", "1", "2"}));
  EXPECT_EQ(Printed({"list"}), "  no experiments\n");
}

TEST_F(CliStoreTest, ARerunIsTheSameToTheLastBit) {
  SaveTwoRuns();
  EXPECT_THAT(Printed({"rerun", "2"}),
              HasSubstr("the same as experiment 2, to the last bit"));
  EXPECT_THAT(Printed({"list"}), StartsWith("  3  "));
}

TEST_F(CliStoreTest, ARerunPrintsOneJsonObjectOrNothingWhereThatIsWanted) {
  SaveTwoRuns();
  const Outcome outcome = Saving({"rerun", "2", "--json"});
  EXPECT_TRUE(json::accept(outcome.out)) << outcome.out;
  EXPECT_THAT(outcome.err,
              HasSubstr("the same as experiment 2, to the last bit"));
  EXPECT_EQ(Printed({"rerun", "2", "--quiet"}), "");
}

TEST_F(CliStoreTest, ARerunTakesTheFilesAsTheyWere) {
  SaveTwoRuns();
  WriteDecay("3");
  const Outcome outcome = Saving({"rerun", "1"});
  EXPECT_THAT(outcome.err,
              HasSubstr("decay.mo has changed since; taken as it was then"));
  EXPECT_THAT(outcome.out, HasSubstr("the same as experiment 1"));
}

TEST_F(CliStoreTest, ARerunTellsThatAFileIsGoneAndWhereItStandsYet) {
  SaveTwoRuns();
  std::filesystem::remove(folder_ + "/decay.mo");
  const Outcome outcome = Saving({"rerun", "2"});
  EXPECT_THAT(outcome.err,
              HasSubstr("decay.mo is no longer there; taken as it was then, as "
                        "a report shows it: "));
  EXPECT_THAT(outcome.err, HasSubstr(" export 2 report.html"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("changed")));
  EXPECT_THAT(outcome.out, HasSubstr("the same as experiment 2"));
}

TEST_F(CliStoreTest, ARerunOfAPackageTakesNoFileThatWasAddedSince) {
  std::filesystem::create_directories(folder_ + "/P/Parts");
  Write("P/package.mo", "package P\nend P;\n");
  Write("P/Parts/package.mo", "within P;\npackage Parts\nend Parts;\n");
  Write("P/A.mo",
        "within P;\nmodel A\n  Real x(start = 1, fixed = true);\nequation\n"
        "  der(x) = -x;\nend A;\n");
  static_cast<void>(Printed({"run", "P/A.mo"}));
  Write("P/Parts/New.mo", "within P.Parts;\nmodel New\n  it is no model;\n");
  const Outcome outcome = Saving({"rerun", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the same as experiment 1"));
}

TEST_F(CliStoreTest, ARerunTakesTheTablesOfAModelAsTheyWere) {
  Write(
      "fed.mo",
      "model Fed\n  Modelica.Blocks.Sources.CombiTimeTable table(\n"
      "    tableOnFile = true, tableName = \"tab\", fileName = \"tab.txt\");\n"
      "  Real x(start = 0, fixed = true);\n"
      "equation\n  der(x) = table.y[1];\nend Fed;\n");
  Write("tab.txt", "#1\ndouble tab(2, 2)\n0 1\n1 3\n");
  static_cast<void>(Printed({"run", "fed.mo"}));
  static_cast<void>(
      Printed({"sweep", "fed.mo", "--vary", "x={0,1}", "--keep", "final(x)"}));
  Write("tab.txt", "#1\ndouble tab(2, 2)\n0 5\n1 5\n");
  for (const char* id : {"1", "2"}) {
    const Outcome outcome = Saving({"rerun", id});
    EXPECT_THAT(outcome.err,
                HasSubstr("tab.txt has changed since; taken as it was then"));
    EXPECT_THAT(outcome.out,
                HasSubstr(std::string("the same as experiment ") + id));
  }
  std::filesystem::remove(folder_ + "/fed.mo");
  std::filesystem::remove(folder_ + "/tab.txt");
  EXPECT_THAT(Printed({"rerun", "3"}), HasSubstr("the same as experiment 3"));
  static_cast<void>(Printed({"export", "1", "report.html"}));
  const std::string html = ReadAll(folder_ + "/report.html");
  EXPECT_THAT(html, HasSubstr("double tab(2, 2)\n0 1\n1 3\n"));
  EXPECT_THAT(html, HasSubstr("der(x) = table.y[1]"));
}

TEST_F(CliStoreTest, ARerunWritesWhereItIsCalledThoughFilesHaveChanged) {
  SaveTwoRuns();
  WriteDecay("3");
  static_cast<void>(
      Printed({"rerun", "1", "--plot", "x", "--figure", "again.svg"}));
  EXPECT_THAT(ReadAll(folder_ + "/again.svg"), HasSubstr("<svg"));
}

TEST_F(CliStoreTest, ARerunTellsThatAPluginHasChanged) {
  std::filesystem::copy(Plugin("deadly"), folder_ + "/libdeadly.so");
  static_cast<void>(Printed({"run", "libdeadly.so"}));
  static_cast<void>(Printed({"sweep", "libdeadly.so", "--vary", "number=1:2"}));
  EXPECT_EQ(Saving({"rerun", "1"}).err.find("changed"), std::string::npos);
  std::ofstream(folder_ + "/libdeadly.so", std::ios::app) << "more";
  for (const char* id : {"1", "2"}) {
    const Outcome outcome = Saving({"rerun", id});
    EXPECT_THAT(outcome.err,
                HasSubstr("libdeadly.so has changed since; taken as it is "
                          "now, since code is not stored"));
    EXPECT_THAT(outcome.out,
                HasSubstr(std::string("the same as experiment ") + id));
  }
}

TEST_F(CliStoreTest, ARerunOfAPluginThatIsGoneSaysHowToHaveItBack) {
  std::filesystem::copy(Plugin("deadly"), folder_ + "/libdeadly.so");
  static_cast<void>(Printed({"run", "libdeadly.so"}));
  std::filesystem::remove(folder_ + "/libdeadly.so");
  const Outcome outcome = Saving({"rerun", "1"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "orrery: cannot run experiment 1 again: its model libdeadly.so is "
            "no longer there, and code is not stored; build it again at that "
            "place\n");
}

TEST_F(CliStoreTest, AProgramSavesItsRunsAndRunsThemAgain) {
  const Outcome outcome = SavingProgram("bank", {"--stop", "8h"});
  EXPECT_THAT(outcome.err, HasSubstr("saved as experiment 1 (Bank, "));
  EXPECT_THAT(outcome.err, HasSubstr("/bank show 1\n"));
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("  exact_wait_s  98.6582\n"));
  EXPECT_THAT(SavingProgram("bank", {"list"}).out, StartsWith("  1  "));
  EXPECT_THAT(SavingProgram("bank", {"rerun", "1"}).out,
              HasSubstr("the same as experiment 1, to the last bit"));
  const Outcome other =
      SavingProgram("bank", {"rerun", "2", "--set", "tellers=5"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  const std::string differences = Printed({"compare", "1", "3"});
  EXPECT_THAT(differences, HasSubstr("  set tellers  -  5\n"));
  EXPECT_THAT(differences, HasSubstr("  exact_wait_s  98.6582  "));
}

TEST_F(CliStoreTest, WhatAProgramHasRunItAloneRunsAgain) {
  static_cast<void>(SavingProgram("counter", {"--stop", "3s"}));
  const std::string program = std::string(ORRERY_PROGRAMS) + "/counter";
  const std::string refusal =
      "cannot rerun experiment 1: its model Counter is the program " + program +
      ", which alone can run it; ask that: " + program + " rerun 1\n";
  const Outcome outcome = Saving({"rerun", "1"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "orrery: " + refusal);
  EXPECT_EQ(SavingProgram("bank", {"rerun", "1"}).err, "bank: " + refusal);
}

TEST_F(CliStoreTest, AProgramRunsWhatOthersHaveSavedOfOtherModels) {
  SaveTwoRuns();
  EXPECT_THAT(SavingProgram("counter", {"rerun", "2"}).out,
              HasSubstr("the same as experiment 2, to the last bit"));
}

TEST_F(CliStoreTest, ARerunMayHaveOtherSettings) {
  SaveTwoRuns();
  const std::string text = Printed({"rerun", "2", "--set", "k=3"});
  EXPECT_THAT(text, HasSubstr("0.0497871"));
  EXPECT_THAT(text, Not(HasSubstr("the same as")));
}

TEST_F(CliStoreTest, ARunTakesWhatAnOptimisationFound) {
  static_cast<void>(Printed({"optimize",
                             "decay.mo",
                             "--vary",
                             "k=[0.1,5]",
                             "--minimize",
                             "(final(x) - 0.5)^2"}));
  static_cast<void>(Printed({"run", "decay.mo", "--from", "1"}));
  const json found = json::parse(Printed({"show", "1", "--json"}));
  const json taken = json::parse(Printed({"show", "2", "--json"}));
  EXPECT_EQ(std::stod(taken["document"]["set"]["k"].get<std::string>()),
            found["results"]["values"][0]["value"].get<double>());
  EXPECT_NEAR(taken["results"]["final"]["x"].get<double>(), 0.5, 1e-5);
}

TEST_F(CliStoreTest, ARunTakesWhatARunOfASweepVaried) {
  static_cast<void>(
      Printed({"sweep", "decay.mo", "--vary", "k={1,2,4}", "--keep", "x"}));
  // x(1) = exp(-4), and from a start of 2 twice that.
  EXPECT_THAT(Printed({"run", "decay.mo", "--from", "1.3"}),
              HasSubstr("0.0183156"));
  EXPECT_THAT(Printed({"run", "decay.mo", "--from", "1.3", "--set", "x=2"}),
              HasSubstr("0.0366313"));
  EXPECT_THAT(Printed({"run", "decay.mo", "--from", "1.3", "--set", "k=1"}),
              HasSubstr("0.367879"));
}

TEST_F(CliStoreTest, WhereThereIsNothingToTakeIsToldInWords) {
  static_cast<void>(Printed({"run", "decay.mo"}));
  static_cast<void>(
      Printed({"sweep", "decay.mo", "--vary", "k={1,2,4}", "--keep", "x"}));
  const auto refused = [&](const std::string& from) {
    const Outcome outcome = Saving({"run", "decay.mo", "--from", from});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(refused("1"),
            "orrery: cannot take values from experiment 1: its type is "
            "simulate, which finds none; name a calibration, an optimisation, "
            "or a run of a sweep\n");
  EXPECT_EQ(refused("1.1"),
            "orrery: cannot take values from experiment 1: its type is "
            "simulate, which has no runs by number; leave the number of the "
            "run out\n");
  EXPECT_EQ(refused("2"),
            "orrery: cannot take values from experiment 2: its type is sweep; "
            "say of which run, as in 2.1\n");
  EXPECT_EQ(refused("2.4"),
            "orrery: cannot take values from experiment 2: it has no run 4, "
            "but 3 runs\n");
  for (const char* from : {"2.0", "x", "2.x", ".1", "2."}) {
    EXPECT_EQ(refused(from),
              std::string("orrery: cannot take --from ") + from +
                  ": give the number of an experiment, as in 7, or of one of "
                  "its runs, as in 7.13\n");
  }
  EXPECT_THAT(refused("9"), HasSubstr("cannot find experiment 9"));
}

// Kills come at the start, in the middle, or while results are stored.
TEST_F(CliStoreTest, AKilledSweepIsResumedToTheSameBits) {
  const int kills = Kills(3);
  const int runs = 6000 * (kills + 1);
  static_cast<void>(Printed(LongSweep(runs, "whole.db")));
  const RunTable whole = ExperimentStore(folder_ + "/whole.db").ReadRuns(1);
  RandomStream random(11, "kills");
  const auto kill_soon = [&](const std::vector<std::string>& words,
                             double least) {
    const pid_t child = Start(words, "out");
    std::this_thread::sleep_for(
        std::chrono::duration<double>(random.Uniform(least, 0.3)));
    kill(child, SIGKILL);
    static_cast<void>(Finish(child));
  };
  kill_soon(LongSweep(runs, "killed.db"), 0.2);
  for (int i = 1; i < kills; ++i) {
    kill_soon({"resume", "1", "--store", "killed.db", "--jobs", "2"}, 0);
  }
  {
    ExperimentStore store(folder_ + "/killed.db");
    const ExperimentInfo info = store.Read(1).info;
    EXPECT_EQ(info.status, ExperimentStatus::kInterrupted);
    EXPECT_LT(info.runs.finished, runs);
  }
  static_cast<void>(Printed({"resume", "1", "--store", "killed.db"}));
  ExperimentStore store(folder_ + "/killed.db");
  EXPECT_EQ(store.Read(1).info.status, ExperimentStatus::kCompleted);
  EXPECT_EQ(store.ReadRuns(1).values, whole.values);
  EXPECT_TRUE(store.FindDamage().empty());
}

TEST_F(CliStoreTest, AnInterruptedSweepTellsHowToGoOn) {
  const pid_t child = Start(LongSweep(1'000'000, "long.db"), "out");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGINT);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("show it again: orrery show 1 --store "));
  EXPECT_THAT(outcome.err,
              HasSubstr("go on with it: orrery resume 1 --store "));
}

TEST_F(CliStoreTest, InOneFileResultsStandBeforeWhereTheyAreSaved) {
  const std::string command =
      "cd " + folder_ + " && " ORRERY_COMMAND " steady decay.mo >both 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(ReadAll(folder_ + "/both"),
              testing::ContainsRegex("steady at(.|\n)*saved as experiment 1"));
}

TEST_F(CliStoreTest, AResumedSweepTellsOfAllItsRunsHowManyFailed) {
  Write("breaks.mo",
        "model Breaks\n  parameter Real k = 1;\n  Real x = k;\nequation\n"
        "  assert(k < 3, \"it breaks\");\nend Breaks;\n");
  EXPECT_EQ(Saving({"sweep", "breaks.mo", "--vary", "k=1:4"}).exit_code, 0);
  EXPECT_EQ(Saving({"resume", "1"}).exit_code, 0);
  EXPECT_THAT(Printed({"show", "1"}), HasSubstr("\n  2 of 4 runs failed\n"));
}

TEST_F(CliStoreTest, WhatIsRefusedIsNotSaved) {
  Write("u.csv", "time,u\n0,1\n1,2\n");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--set", "kk=2"},
                                             {"--stop", "-1"},
                                             {"--tolerance", "0"},
                                             {"--sensitivity", "q"},
                                             {"--input", "u.csv"}}) {
    std::vector<std::string> words = {"run", "decay.mo"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(Saving(words).exit_code, 2) << wrong[0];
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/orrery.db"));
}

// The disk is full under a file, the output or the standard error.
TEST_F(CliStoreTest, WhatCannotBeWrittenElsewhereIsSaved) {
  std::filesystem::create_symlink("/dev/full", folder_ + "/full.csv");
  const std::vector<std::vector<std::string>> commands = {
      {"run", "decay.mo"},
      {"sweep", "decay.mo", "--vary", "k=1:3", "--keep", "final(x)"},
      {"optimize", "decay.mo", "--vary", "k=[1,2]", "--minimize", "final(x)"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--output", "full.csv"});
    EXPECT_EQ(Saving(words).exit_code, 1);
  }
  EXPECT_EQ(Finish(Start(commands[0], "/dev/full")).exit_code, 1);
  const pid_t mute = Start(commands[0], "out", ORRERY_COMMAND, "/dev/full");
  EXPECT_EQ(Finish(mute).exit_code, 0);
  const std::string list = Printed({"list"});
  EXPECT_EQ(std::ranges::count(list, '\n'), 5) << list;
  EXPECT_THAT(list, Not(HasSubstr("interrupted")));
}

// Root may write everywhere, so that the child runs as another user. This user
// may have no access to the build; then the test is skipped.
TEST_F(CliStoreTest, AStoreThatMayNotBeWrittenToCanBeRead) {
  constexpr int kCannotTell = 77;
  SaveTwoRuns();
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  std::filesystem::permissions(folder_ + "/orrery.db",
                               std::filesystem::perms(0444));
  const pid_t child = fork();
  if (child == 0) {
    if ((geteuid() == 0 && setuid(65534) != 0) ||
        access(ORRERY_COMMAND, X_OK) != 0 || chdir(folder_.c_str()) != 0) {
      _exit(kCannotTell);
    }
    for (const char* words : {"list", "show 1", "compare 1 2"}) {
      const std::string command = std::string(ORRERY_COMMAND " ") + words;
      if (std::system((command + " >/dev/null").c_str()) != 0) {
        _exit(1);
      }
    }
    _exit(0);
  }
  const int exit_code = Finish(child).exit_code;
  std::filesystem::permissions(folder_, std::filesystem::perms::all);
  if (exit_code == kCannotTell) {
    GTEST_SKIP();
  }
  EXPECT_EQ(exit_code, 0);
}

TEST_F(CliStoreTest, WrongCommandsAreRefusedInWords) {
  const auto refused = [&](const std::vector<std::string>& words) {
    const Outcome outcome = Saving(words);
    EXPECT_NE(outcome.exit_code, 0);
    return outcome.err;
  };
  EXPECT_THAT(refused({"list"}),
              HasSubstr("cannot open the store orrery.db: there is no such "
                        "file"));
  SaveTwoRuns();
  EXPECT_THAT(refused({"show", "7"}), HasSubstr("cannot find experiment 7"));
  EXPECT_EQ(refused({"show", "x"}),
            "orrery: cannot take ID x: give the number of an experiment, as "
            "list shows it\n");
  EXPECT_THAT(refused({"show", "1", "--plot", "y"}), HasSubstr("'y'"));
  EXPECT_THAT(refused({"resume", "1"}),
              HasSubstr("it is one run; run it again by orrery rerun 1"));
  EXPECT_THAT(refused({"rerun", "1", "--set", "kk=2"}), HasSubstr("'kk'"));
  EXPECT_THAT(refused({"rerun", "1", "--set", "kk"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(refused({"export", "1", "run.doc"}), HasSubstr(".csv"));
  EXPECT_THAT(refused({"untag", "1", "x"}), HasSubstr("'x'"));
  EXPECT_THAT(refused({"compare", "1"}), HasSubstr("OTHER"));
  Write("text.db", "no store, but a text that is long enough to be one");
  EXPECT_THAT(refused({"list", "--store", "text.db"}), HasSubstr("text.db"));
}

}  // namespace
}  // namespace orrery::cli
