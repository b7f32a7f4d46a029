// Wrong uses of DEVS models by the command: whole messages, exit codes.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CliDevsErrorsTest : public CliTest {
 protected:
  [[nodiscard]] std::string Refused(
      const std::vector<std::string>& words) const {
    return RefusedBy("probe", words);
  }

  [[nodiscard]] std::string Failed(
      const std::vector<std::string>& words) const {
    return FailedBy("probe", words);
  }
};

// Parameters ------------------------------------------------------------------

TEST_F(CliDevsErrorsTest, UnknownParameterHasASuggestion) {
  EXPECT_EQ(Refused({"--set", "perod=3"}),
            "probe: cannot set 'perod': model Probe has no such parameter; did "
            "you mean 'period'?\n");
}

TEST_F(CliDevsErrorsTest, ModelWithoutParametersSaysSo) {
  const Outcome outcome = Program("counter", {"--set", "a=3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "counter: cannot set 'a': model Counter has no parameters; leave "
            "it out\n");
}

TEST_F(CliDevsErrorsTest, ValuesOutOfBoundsAreTold) {
  EXPECT_EQ(Refused({"--set", "gain=11"}),
            "probe: cannot set 'gain' to '11': it takes a number from 0 to 10 "
            "in 'kg'; its default is 1\n");
}

TEST_F(CliDevsErrorsTest, ValuesOfAnotherTypeAreTold) {
  EXPECT_EQ(Refused({"--set", "period=soon"}),
            "probe: cannot set 'period' to 'soon': it takes a time; its "
            "default is 1 s\n");
  EXPECT_EQ(Refused({"--set", "broken=no"}),
            "probe: cannot set 'broken' to 'no': it takes true or false; its "
            "default is false\n");
  EXPECT_EQ(Refused({"--set", "gain=3 m"}),
            "probe: cannot set 'gain' to '3 m': it takes a number from 0 to 10 "
            "in 'kg'; its default is 1\n");
}

TEST_F(CliDevsErrorsTest, ChoicesHaveASuggestion) {
  EXPECT_EQ(Refused({"--set", "mode=trows"}),
            "probe: cannot set 'mode' to 'trows': it takes 'ends' or 'idle' or "
            "'runs' or 'throws' or 'storm' or 'back'; did you mean "
            "'throws'?\n");
}

TEST_F(CliDevsErrorsTest, AParameterIsSetOnce) {
  EXPECT_EQ(Refused({"--set", "gain=1", "--set", "gain=2"}),
            "probe: cannot set 'gain' to both '1' and '2'; leave one\n");
}

TEST_F(CliDevsErrorsTest, SettingWithoutAValueIsTold) {
  EXPECT_EQ(Refused({"--set", "gain"}),
            "probe: cannot take --set gain: give NAME=VALUE, as in --set "
            "servers=3\n");
}

TEST_F(CliDevsErrorsTest, ModelThatCannotBeMadeIsNamed) {
  EXPECT_EQ(Failed({"--set", "broken=true"}),
            "probe: cannot make model Probe: a part is missing\n");
  EXPECT_EQ(Orrery({"check", Plugin("probe"), "--set", "broken=true"}).err,
            "orrery: cannot make model Probe: a part is missing\n");
}

// Command lines ---------------------------------------------------------------

TEST_F(CliDevsErrorsTest, WrongValuesOfOptionsAreTold) {
  EXPECT_EQ(Refused({"--seed", "-1"}),
            "probe: cannot take --seed -1: give a whole number from 0 to "
            "18446744073709551615\n");
  EXPECT_EQ(Refused({"--replications", "0"}),
            "probe: cannot take --replications 0: give a whole number from 1 "
            "to 2147483647\n");
  EXPECT_EQ(Refused({"--jobs", "100000"}),
            "probe: cannot take --jobs 100000: give a whole number from 1 to "
            "1024\n");
  EXPECT_EQ(Refused({"--formalism", "serial"}),
            "probe: cannot take --formalism serial: give 'parallel' or "
            "'classic'\n");
  EXPECT_EQ(Refused({"--max-microsteps", "1.5"}),
            "probe: cannot take --max-microsteps 1.5: give a whole number from "
            "1 to 9223372036854775807\n");
  EXPECT_EQ(Refused({"--real-time", "0"}),
            "probe: cannot take --real-time 0: give a number above 0: how many "
            "seconds a second of the model takes\n");
  EXPECT_EQ(Refused({"--stop", "-1"}),
            "probe: cannot stop at -1 s: the run starts at 0 s; give a later "
            "time\n");
}

TEST_F(CliDevsErrorsTest, UnknownOptionsAndCommandsOfAProgramAreTold) {
  EXPECT_EQ(Refused({"--sotp", "3"}),
            "probe: cannot take '--sotp': probe run has no such option; did "
            "you mean '--stop'?; see probe run --help\n");
  EXPECT_EQ(Refused({"frob"}),
            "probe: cannot do 'frob': there is no such command; see probe "
            "--help\n");
}

TEST_F(CliDevsErrorsTest, OptionsOfEquationsAreRefusedForDevsModels) {
  const auto refused = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"run", Plugin("probe")};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = Orrery(all);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(refused({"--solver", "rk4"}),
            "orrery: cannot take --solver for " + Plugin("probe") +
                ": it means something to models of equations only; leave it "
                "out\n");
  EXPECT_THAT(refused({"--tolerance", "1e-6"}),
              StartsWith("orrery: cannot take --tolerance for "));
  EXPECT_THAT(refused({"--events"}),
              StartsWith("orrery: cannot take --events for "));
  EXPECT_THAT(refused({"Class"}), StartsWith("orrery: cannot take CLASS for "));
}

TEST_F(CliDevsErrorsTest, DevsModelsHaveNoEquations) {
  const Outcome outcome = Orrery({"equations", "libprobe.so"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot load libprobe.so as a model of equations: it is a "
            "plug-in, whose model is a class, which can be run and checked\n");
}

TEST_F(CliDevsErrorsTest, OptionsOfDevsAreRefusedForModelsOfEquations) {
  WriteCircle();
  const Outcome outcome = Orrery({"run", "circle.cbd", "--seed", "3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take --seed for circle.cbd: it means something to "
            "models of DEVS or tasks (.so) only; leave it out\n");
}

TEST_F(CliDevsErrorsTest, WhatIsOfOneRunIsRefusedForReplications) {
  EXPECT_EQ(Refused({"--replications", "2", "--trace", "a.csv"}),
            "probe: cannot take --trace, --keep-trace or --observe for several "
            "replications: it is for a single run; leave one of them out\n");
  EXPECT_THAT(Refused({"--replications", "2", "--plot", "tick"}),
              StartsWith("probe: cannot take --plot, --figure or --data for "));
  EXPECT_EQ(Refused({"--replications", "2", "--output", "a.mat"}),
            "probe: cannot write the numbers of replications to a.mat: they "
            "are a table with a row for each; give a name that ends in .csv\n");
}

TEST_F(CliDevsErrorsTest, OneClassicRunTakesNoThreads) {
  EXPECT_EQ(Refused({"--formalism", "classic", "--jobs", "2"}),
            "probe: cannot take --jobs for a single run in classic DEVS: one "
            "model moves at a time; leave it out, or ask for "
            "--replications\n");
}

TEST_F(CliDevsErrorsTest, WrongTracesAreTold) {
  EXPECT_EQ(Refused({"--observe", "probe.adder"}),
            "probe: cannot observe 'probe.adder': nothing is traced; give a "
            "file by --trace, or --keep-trace\n");
  EXPECT_EQ(Refused({"--trace", "a.txt"}),
            "probe: cannot write a trace to a.txt: the ending of its name says "
            "no format; known endings: .csv, .jsonl\n");
  const Outcome outcome =
      Program("probe", {"--trace", "a.csv", "--observe", "adder", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "probe: cannot observe 'adder': probe has no atomic model of such "
            "a path; '*' stands for any text, '?' for any character\n");
}

TEST_F(CliDevsErrorsTest, FilesOfModelsWithoutOutputsAreRefused) {
  const Outcome outcome = Program("bank", {"--output", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "bank: cannot write a.csv: model bank has no outputs; give it "
            "some, or trace its parts by --trace\n");
}

TEST_F(CliDevsErrorsTest, PlotsOfNoOutputAreTold) {
  EXPECT_EQ(Refused({"--plot", "tik"}),
            "probe: cannot plot 'tik': model probe has no output 'tik'; did "
            "you mean 'tick'?\n");
}

// Inputs ----------------------------------------------------------------------

TEST_F(CliDevsErrorsTest, WrongInputsAreTold) {
  const auto refused = [&](const std::string& table) {
    Write("in.csv", table);
    return Refused({"--input", "in.csv"});
  };
  EXPECT_EQ(refused("time,y\n1,2\n"),
            "probe: cannot take inputs from in.csv: model probe has no input "
            "'y' of numbers; known: x, n, flag\n");
  EXPECT_EQ(refused("time,job\n1,2\n"),
            "probe: cannot take inputs from in.csv: the messages at input "
            "'job' of model probe are no numbers; leave the column out\n");
  EXPECT_EQ(refused("time,n\n1,2.5\n"),
            "probe: cannot take inputs from in.csv: column 'n' has 2.5 in row "
            "1; it takes a whole number that its type can hold\n");
  EXPECT_EQ(refused("time,flag\n1,1\n2,2\n"),
            "probe: cannot take inputs from in.csv: column 'flag' has 2 in row "
            "2; it takes true or false, or 1 or 0\n");
  EXPECT_EQ(refused("time,x\n-1,2\n"),
            "probe: cannot take inputs from in.csv: the time in row 1 is -1; "
            "give seconds from 0 on, less than 9.2e9\n");
}

// Runs that fail --------------------------------------------------------------

TEST_F(CliDevsErrorsTest, AThrowingModelKeepsTraceAndResults) {
  const Outcome outcome = Program(
      "probe",
      {"--set", "mode=throws", "--trace", "a.csv", "--output", "b.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "probe: cannot go on with probe at t = 3 s: in probe.culprit: the "
            "belt is torn\nwrote a.csv, b.csv\n");
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 3 s  3 internal"));
  EXPECT_THAT(ReadAll(folder_ + "/a.csv"),
              HasSubstr("2,probe.culprit,internal,ticks,2\n"));
  EXPECT_EQ(ReadAll(folder_ + "/b.csv"),
            "time,sum,tick\n0,nan,nan\n1,nan,0\n2,nan,1\n3,nan,2\n");
}

TEST_F(CliDevsErrorsTest, StormsAndTimeThatGoesBackAreTold) {
  EXPECT_EQ(Failed({"--set", "mode=storm", "--max-microsteps", "100"}),
            "probe: cannot go on with probe at t = 3 s: more than 100 steps at "
            "this time, in which probe.culprit keeps moving; give it a "
            "time advance above zero, or raise max_microsteps\n");
  EXPECT_THAT(Failed({"--set", "mode=back"}),
              StartsWith("probe: cannot go on with probe at t = 3 s: the time "
                         "advance of probe.culprit is -0.000000001 s"));
}

TEST_F(CliDevsErrorsTest, AModelThatNeverEndsNeedsAStopTime) {
  EXPECT_EQ(Failed({"--set", "mode=runs"}),
            "probe: cannot go on with probe at t = 1000000 s: no end is given, "
            "and after 1000000 times with events something is due still; give "
            "a time to stop at\n");
}

TEST_F(CliDevsErrorsTest, JsonTellsWhatFailed) {
  const Outcome run = Program("probe", {"--set", "mode=throws", "--json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out,
              StartsWith("{\n  \"status\": \"failed\",\n  \"message\": "
                         "\"cannot go on with probe at t = 3 s: "));
  EXPECT_THAT(run.out, HasSubstr("\"tick\": 2.0"));
  const Outcome refused = Program("probe", {"--set", "a=1", "--json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.out, StartsWith("{\n  \"status\": \"error\",\n"));
  EXPECT_THAT(refused.out, HasSubstr("\"atomic_models\": null"));
}

TEST_F(CliDevsErrorsTest, FailedReplicationsAreTold) {
  const Outcome outcome =
      Program("probe", {"--set", "mode=throws", "--replications", "2"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              StartsWith("probe: replication 1 (seed 1): cannot go on with "
                         "probe at t = 3 s: in probe.culprit: the belt is "
                         "torn\nprobe: replication 2 (seed "));
  EXPECT_THAT(outcome.out, HasSubstr("\n0 of 2 replications"));
}

// Files that are no plug-ins --------------------------------------------------

TEST_F(CliDevsErrorsTest, FilesThatAreNoPlugInsAreTold) {
  const auto failed = [&](const std::string& file) {
    const Outcome outcome = Orrery({"run", file});
    EXPECT_EQ(outcome.exit_code, 1);
    return outcome.err;
  };
  EXPECT_EQ(failed("libnone.so"),
            "orrery: cannot load libnone.so: there is no such file\n");
  const std::string text = Write("libtext.so", "no library at all, but a text");
  EXPECT_THAT(failed("libtext.so"),
              StartsWith("orrery: cannot load libtext.so: it is no library for "
                         "this machine and version ("));
  EXPECT_EQ(failed(std::string(ORRERY_PLUGINS) + "/libno_plugin.so"),
            "orrery: cannot load " + std::string(ORRERY_PLUGINS) +
                "/libno_plugin.so: there is no model in it; build one by "
                "orrery_add_model() in CMake from a source with "
                "ORRERY_MAIN\n");
  EXPECT_THAT(failed(std::string(ORRERY_PLUGINS) + "/libold_plugin.so"),
              HasSubstr("libold_plugin.so: it was built with Orrery 0.0.1, and "
                        "this is "));
}

}  // namespace
}  // namespace orrery::cli
