// The command as its users meet it: run as a process, its output, messages and
// exit codes asserted.
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CliTest, VersionIsPrinted) {
  const Outcome outcome = Orrery({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, ContainsRegex("^orrery [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(CliTest, HelpNamesTheCommands) {
  for (const char* word : {"help", "--help"}) {
    const Outcome outcome = Orrery({word});
    EXPECT_EQ(outcome.exit_code, 0);
    for (const char* command : {"run", "check", "equations", "blocks"}) {
      EXPECT_THAT(outcome.out, HasSubstr(command));
    }
  }
}

TEST_F(CliTest, HelpTellsAboutOneCommand) {
  EXPECT_THAT(Orrery({"help", "run"}).out, HasSubstr("--tolerance"));
  const Outcome outcome = Orrery({"help", "rnu"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot tell about 'rnu': there is no such command; did "
            "you mean 'run'?\n");
}

TEST_F(CliTest, UnknownCommandIsRefusedWithASuggestion) {
  const Outcome near = Orrery({"chekc", "a.mo"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_EQ(near.err,
            "orrery: cannot do 'chekc': there is no such command; did you mean "
            "'check'?\n");
  const Outcome far = Orrery({"frob"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_EQ(far.err,
            "orrery: cannot do 'frob': there is no such command; see "
            "orrery --help\n");
}

TEST_F(CliTest, AnUnknownCommandOfAGroupIsRefusedWithASuggestion) {
  const Outcome near = Orrery({"fmu", "exprot", "x"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_EQ(near.err,
            "orrery: cannot do 'exprot': orrery fmu has no such command; did "
            "you mean 'export'?\n");
  const Outcome far = Orrery({"fmu", "frob"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_EQ(far.err,
            "orrery: cannot do 'frob': orrery fmu has no such command; known: "
            "export, wrap\n");
  const Outcome none = Orrery({"fmu"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err,
            "orrery: no command of orrery fmu is given; see orrery fmu "
            "--help\n");
}

TEST_F(CliTest, ControllersOfTheLibraryAreCheckedWithoutWarnings) {
  for (const char* block : {"PID", "LimPID"}) {
    Write("loop.mo",
          std::string("model Loop\n") + "  Modelica.Blocks.Continuous." +
              block +
              " pid(Td = 0.2);\n"
              "  Real x(start = 0, fixed = true);\n"
              "equation\n"
              "  der(x) = pid.y;\n" +
              (block == std::string("PID") ? "  pid.u = 1 - x;\n"
                                           : "  pid.u_s = 1;\n"
                                             "  pid.u_m = x;\n") +
              "end Loop;\n");
    const Outcome outcome = Orrery({"check", "loop.mo"});
    EXPECT_EQ(outcome.exit_code, 0) << block;
    EXPECT_EQ(outcome.err, "") << block;
  }
}

TEST_F(CliTest, AnOptionGivenTwiceIsTold) {
  const Outcome outcome =
      Orrery({"run", "any.mo", "--stop", "1", "--stop", "2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take --stop twice; see orrery run --help\n");
}

TEST_F(CliTest, RunPrintsModelRunAndFinalValues) {
  WriteCircle();
  const Outcome outcome = Orrery({"run", "circle.cbd", "--stop", "10"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("circle  2 states  compiled in "));
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 10 s  taylor: "));
  EXPECT_THAT(outcome.out, HasSubstr("b1  -0.544021"));
}

TEST_F(CliTest, TimesMayHaveUnits) {
  WriteCircle();
  const Outcome outcome = Orrery({"run", "circle.cbd", "--stop", "0.5 min"});
  EXPECT_THAT(outcome.out, HasSubstr("\nt = 30 s  "));
}

TEST_F(CliTest, JsonIsOneObjectWithFinalValues) {
  WriteCircle();
  const Outcome outcome = Orrery({"run",
                                  "circle.cbd",
                                  "--json",
                                  "--stop",
                                  "1",
                                  "--solver",
                                  "rk4",
                                  "--step",
                                  "0.5"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part : {"\"status\": \"completed\"",
                           "\"model\": \"circle\"",
                           "\"time\": 1.0",
                           "\"solver\": \"rk4\"",
                           "\"steps\": 2,",
                           "\"rejected_steps\": 0",
                           "\"rhs_evaluations\": 8",
                           "\"jacobian_evaluations\": 0",
                           "\"compile_ms\": ",
                           "\"run_ms\": ",
                           "\"b1\": 0.84",
                           "\"diagnostics\": []"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

// Also if nothing could be run: the same keys, with null for missing values.
TEST_F(CliTest, JsonIsOneObjectWhateverGoesWrong) {
  WriteCircle();
  Write("bad.cbd", "I, 1, 0, 2\nQ, 2, 1\n");
  const std::vector<std::vector<std::string>> wrong = {
      {"run", "nothing.cbd", "--json"},
      {"run", "bad.cbd", "--json"},
      {"run", "circle.cbd", "--json", "--set", "b1.IK=3"},
      {"run", "circle.cbd", "--json", "--solver", "rk5"},
      {"run", "circle.cbd", "--json", "--frob"},
      {"run", "circle.cbd", "--json", "--plot", "b1"},
      {"run", "--json"}};
  for (const std::vector<std::string>& words : wrong) {
    const Outcome outcome = Orrery(words);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, StartsWith("{\n  \"status\": \"error\",\n"))
        << words.back();
    EXPECT_THAT(outcome.out, HasSubstr("\"time\": null"));
    EXPECT_THAT(outcome.out, HasSubstr("\"severity\": \"error\""));
    EXPECT_NE(outcome.err, "");
  }
}

TEST_F(CliTest, JsonSaysWhenTheResultsOfAFailedRunEnd) {
  Write("pole.cbd", "I, 1, 1, 2\nX, 2, 1, 1\nO, 3, 1\n");
  const Outcome outcome = Orrery({"run",
                                  "pole.cbd",
                                  "--stop",
                                  "2",
                                  "--interval",
                                  "0.4",
                                  "--json",
                                  "--output",
                                  "a.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  const std::string rows = ReadAll(folder_ + "/a.csv");
  const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
  const std::string time = rows.substr(last, rows.find(',', last) - last);
  EXPECT_THAT(outcome.out, HasSubstr("\"time\": " + time));
}

TEST_F(CliTest, NamesAndFilesAreCheckedBeforeTheRun) {
  // This run would take an hour.
  WriteCircle();
  const auto message = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"run",
                                    "circle.cbd",
                                    "--solver",
                                    "rk4",
                                    "--step",
                                    "0.01",
                                    "--stop",
                                    "1e9",
                                    "--interval",
                                    "1e6"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = Orrery(all);
    EXPECT_NE(outcome.exit_code, 0);
    return outcome.err;
  };
  EXPECT_THAT(message({"--plot", "b1.IK"}), HasSubstr("did you mean 'b1.IC'?"));
  EXPECT_THAT(message({"--plot", "b1", "--figure", "a.gif"}),
              HasSubstr("known endings: .svg, .png"));
  EXPECT_THAT(message({"--plot", "b1", "--figure", "no/a.svg"}),
              HasSubstr("there is no folder 'no'"));
  EXPECT_THAT(message({"--output", "a.xls"}), HasSubstr("known endings: .csv"));
  EXPECT_THAT(message({"--output", "no/a.csv"}),
              HasSubstr("there is no folder 'no'"));
  EXPECT_THAT(message({"--plot", "b1", "--data", "no.csv"}),
              HasSubstr("cannot read 'no.csv'"));
  Write("d.csv", "time,c1\n0,1\n");
  EXPECT_THAT(message({"--plot", "b1", "--data", "d.csv"}),
              HasSubstr("the data 'd.csv' have no column for it"));
}

TEST_F(CliTest, QuietDrawsWhatIsToBePlotted) {
  WriteCircle();
  const Outcome outcome =
      Orrery({"run", "circle.cbd", "--quiet", "--plot", "b1,b2"});
  EXPECT_THAT(outcome.out, HasSubstr("time [s]"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("compiled")));
}

TEST_F(CliTest, WrittenFilesAreNamed) {
  WriteCircle();
  const Outcome outcome =
      Orrery({"run", "circle.cbd", "--output", "a.csv", "--output", "a.mat"});
  EXPECT_EQ(outcome.err, "wrote a.csv, a.mat\n");
}

TEST_F(CliTest, NumbersThatCannotBeMeantAreRefused) {
  WriteCircle();
  const auto message = [&](const std::string& option, const char* value) {
    const Outcome outcome = Orrery({"run", "circle.cbd", option, value});
    EXPECT_EQ(outcome.exit_code, 2) << option << ' ' << value;
    return outcome.err;
  };
  for (const char* option : {"--tolerance", "--absolute-tolerance"}) {
    for (const char* value : {"nan", "inf"}) {
      EXPECT_THAT(message(option, value), HasSubstr("give a finite number"));
    }
  }
  for (const char* option : {"--start", "--stop", "--interval", "--step"}) {
    for (const char* value : {"nan", "-inf"}) {
      EXPECT_THAT(message(option, value), HasSubstr("give seconds"));
    }
  }
  EXPECT_EQ(message("--tolerance", "1e-20"),
            "orrery: cannot simulate: the relative tolerance is 1e-20; numbers "
            "have no more than 16 digits, so that 1e-15 is the least that can "
            "be met\n");
}

TEST_F(CliTest, QuietPrintsNothing) {
  WriteCircle();
  const Outcome outcome =
      Orrery({"run", "circle.cbd", "--quiet", "--output", "a.csv"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(ReadAll(folder_ + "/a.csv"), StartsWith("time,b1,"));
}

TEST_F(CliTest, ResultsAndFigureAreWrittenByTheirEndings) {
  WriteCircle();
  const Outcome outcome = Orrery({"run",
                                  "circle.cbd",
                                  "--output",
                                  "a.csv",
                                  "--output",
                                  "a.mat",
                                  "--plot",
                                  "b1:b2",
                                  "--figure",
                                  "a.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(std::filesystem::file_size(folder_ + "/a.mat"), 1000);
  EXPECT_THAT(ReadAll(folder_ + "/a.svg"), HasSubstr("<svg"));
}

TEST_F(CliTest, PlotGoesToTheTerminalWithoutAFigure) {
  WriteCircle();
  const Outcome outcome = Orrery({"run", "circle.cbd", "--plot", "b1,b2"});
  EXPECT_THAT(outcome.out, HasSubstr("time [s]"));
}

TEST_F(CliTest, MeasuredDataIsDrawnIntoTheFigure) {
  WriteCircle();
  Write("data.csv", "time,b1\n0.2,0.1987\n0.8,0.7174\n");
  const Outcome outcome = Orrery({"run",
                                  "circle.cbd",
                                  "--plot",
                                  "b1",
                                  "--data",
                                  "data.csv",
                                  "--figure",
                                  "a.svg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(ReadAll(folder_ + "/a.svg"), HasSubstr("<circle"));
}

TEST_F(CliTest, SetChangesParametersAndStarts) {
  WriteCircle();
  const Outcome outcome = Orrery({"run",
                                  "circle.cbd",
                                  "--json",
                                  "--set",
                                  "b1.IC=3",
                                  "--set",
                                  "b2.IC=0",
                                  "--stop",
                                  "3.141592653589793",
                                  "--tolerance",
                                  "1e-10"});
  EXPECT_THAT(outcome.out, ContainsRegex("\"b1\": -(3.0|2.9999999)"));
}

TEST_F(CliTest, UnknownNameToSetIsRefusedWithASuggestion) {
  WriteCircle();
  const Outcome outcome = Orrery({"run", "circle.cbd", "--set", "b1.IK=3"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot set 'b1.IK': no quantity 'b1.IK' in model circle; "
            "did you mean 'b1.IC'?\n");
}

TEST_F(CliTest, WrongOptionsAreRefusedWithWhatIsWanted) {
  WriteCircle();
  const auto message = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"run", "circle.cbd"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = Orrery(all);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(message({"--stop", "soon"}),
            "orrery: cannot take --stop soon: give seconds, or a time with its "
            "unit as in 24h or 10ms\n");
  EXPECT_EQ(message({"--tolerance", "1e-6x"}),
            "orrery: cannot take --tolerance 1e-6x: give a finite number\n");
  EXPECT_EQ(message({"--set", "x"}),
            "orrery: cannot take --set x: give NAME=VALUE, as in --set "
            "pump.speed=3.5\n");
  EXPECT_EQ(message({"--set", "b1.IC=fast"}),
            "orrery: cannot set 'b1.IC' to 'fast': give a number\n");
  EXPECT_THAT(message({"--solver", "rodsa"}),
              HasSubstr("did you mean 'rodas'?"));
  EXPECT_THAT(message({"--figure", "a.svg"}),
              HasSubstr("nothing is to be plotted; say what by --plot"));
  EXPECT_EQ(message({"--stpo", "3"}),
            "orrery: cannot take '--stpo': orrery run has no such option; did "
            "you mean '--stop'?; see orrery run --help\n");
  EXPECT_EQ(message({"--output"}),
            "orrery: cannot take --output: nothing follows it; see orrery run "
            "--help\n");
  EXPECT_EQ(message({"Class", "more"}),
            "orrery: cannot take 'more': orrery run has all that it takes; see "
            "orrery run --help\n");
}

TEST_F(CliTest, NoCommandIsAWrongCommandLine) {
  const Outcome outcome = Orrery({});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "orrery: no command is given; see orrery --help\n");
  EXPECT_EQ(outcome.out, "");
}

TEST_F(CliTest, ErrorsOfAModelStandWithTheirLines) {
  Write("bad.cbd", "I, 1, 0, 2\nQ, 2, 1\n");
  const Outcome outcome = Orrery({"run", "bad.cbd"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("bad.cbd:2:1: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("   2 | Q, 2, 1\n"));
}

TEST_F(CliTest, RunThatFailsKeepsItsResults) {
  // x' = x*x from 1 is 1/(1 - t).
  Write("pole.cbd", "I, 1, 1, 2\nX, 2, 1, 1\nO, 3, 1\n");
  const Outcome outcome = Orrery({"run",
                                  "pole.cbd",
                                  "--stop",
                                  "2",
                                  "--interval",
                                  "0.25",
                                  "--output",
                                  "a.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, StartsWith("pole.cbd:2:"));
  EXPECT_THAT(outcome.err, HasSubstr("cannot go on at t = 1 s: "));
  EXPECT_THAT(outcome.err,
              HasSubstr("'b1' varies most for its tolerance, "
                        "by b2 = b1*b1"));
  const std::string rows = ReadAll(folder_ + "/a.csv");
  EXPECT_THAT(rows, HasSubstr("\n0.75,3.99999"));
  EXPECT_THAT(rows, Not(HasSubstr("\n1.25,")));
}

TEST_F(CliTest, InterruptKeepsTheResultsUpToThere) {
  WriteCircle();
  const pid_t child = Start({"run",
                             "circle.cbd",
                             "--stop",
                             "1e9",
                             "--interval",
                             "1e6",
                             "--solver",
                             "cvode-bdf",
                             "--output",
                             "a.csv"},
                            "out");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ASSERT_EQ(kill(child, SIGINT), 0);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              ContainsRegex("orrery: interrupted at t = .* s; the results up "
                            "to there are kept\n"));
  EXPECT_THAT(ReadAll(folder_ + "/a.csv"), StartsWith("time,"));
}

TEST_F(CliTest, OutputThatCannotBeWrittenIsNamed) {
  WriteCircle();
  const Outcome outcome =
      Orrery({"run", "circle.cbd", "--output", "nowhere/a.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write 'nowhere/a.csv': "));
}

TEST_F(CliTest, FullDiskUnderTheOutputIsAnError) {
  WriteCircle();
  const Outcome outcome = Finish(Start({"run", "circle.cbd"}, "/dev/full"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("orrery: cannot write to the standard output: "));
}

TEST_F(CliTest, FullDiskUnderTheFileIsAnError) {
  WriteCircle();
  std::filesystem::create_symlink("/dev/full", folder_ + "/full.csv");
  const Outcome outcome = Orrery({"run", "circle.cbd", "--output", "full.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "orrery: cannot write 'full.csv': the disk is full\n");
}

TEST_F(CliTest, AnEmptyPlotIsRefusedInWords) {
  WriteCircle();
  EXPECT_EQ(Orrery({"run", "circle.cbd", "--plot", ""}).err,
            "orrery: cannot plot '': a name is missing; write 'a,b' or "
            "'x:y'\n");
}

TEST_F(CliTest, MissingFileIsNamed) {
  const Outcome outcome = Orrery({"run", "nothing.cbd"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("nothing.cbd"));
}

TEST_F(CliTest, InputsComeFromATable) {
  Write("ramp.mo",
        "model Ramp\n  input Real u;\n  Real x(start = 0, fixed = true);\n"
        "equation\n  der(x) = u;\nend Ramp;\n");
  Write("u.csv", "time,u\n0,0\n1,1\n");
  const Outcome outcome =
      Orrery({"run", "ramp.mo", "--input", "u.csv", "--stop", "2", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("\"x\": 1\\.(5|50000|49999)"));
}

TEST_F(CliTest, MeasuredPointsArePlottedInTheUnitOfTheirSignal) {
  Write("ramp.mo",
        "model Ramp\n  Real x(unit = \"m\", start = 0, fixed = true);\n"
        "equation\n  der(x) = 1;\nend Ramp;\n");
  const auto figure = [&](const std::string& header, const std::string& x) {
    Write("d.csv", "time," + header + "\n1," + x + "\n");
    const Outcome outcome = Orrery({"run",
                                    "ramp.mo",
                                    "--plot",
                                    "x",
                                    "--data",
                                    "d.csv",
                                    "--figure",
                                    "x.svg",
                                    "--no-save"});
    return outcome.exit_code == 0 ? ReadAll(folder_ + "/x.svg") : outcome.err;
  };
  EXPECT_EQ(figure("x [mm]", "500"), figure("x [m]", "0.5"));
  EXPECT_NE(figure("x [mm]", "500"), figure("x [m]", "500"));
  EXPECT_THAT(figure("x [kg]", "500"),
              HasSubstr("cannot take 'x [kg]' of d.csv as a quantity in m"));
}

TEST_F(CliTest, CheckCountsWhatTheModelConsistsOf) {
  WriteCircle();
  const Outcome outcome = Orrery({"check", "circle.cbd"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, StartsWith("circle: correct\n"));
  EXPECT_THAT(outcome.out, HasSubstr("2 states\n"));
  EXPECT_THAT(outcome.out, HasSubstr("0 algebraic loops\n"));
}

TEST_F(CliTest, CheckGivesWhatTheModelConsistsOfAsJson) {
  Write("bent.mo",
        "model Bent\n  parameter Real k(unit = \"m\") = 2;\n  input Real u;\n"
        "  Real x(start = 1, fixed = true, unit = \"s\");\n  Real y;\n"
        "equation\n  der(x) = -k*y;\n  y + exp(y) = x + u;\nend Bent;\n");
  const Outcome outcome = Orrery({"check", "bent.mo", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "correct");
  EXPECT_EQ(report["model"], "Bent");
  EXPECT_EQ(report["equations"], 2);
  EXPECT_EQ(report["states"], json({"x"}));
  EXPECT_EQ(report["inputs"], json({"u"}));
  EXPECT_EQ(report["parameters"], json({"k"}));
  EXPECT_EQ(report["loops"], json::parse(R"([{
      "linear": false, "quantities": 1, "unknowns": 1, "members": ["y"],
      "solved_for": ["y"], "equations": ["y + exp(y) = x + u"]}])"));
  EXPECT_EQ(report["diagnostics"], json::array());
}

TEST_F(CliTest, CheckGivesAllErrorsAsJson) {
  Write("wrong.mo",
        "model Wrong\n  Real x = yy;\n  Real z = ww;\nend Wrong;\n");
  const Outcome outcome = Orrery({"check", "wrong.mo", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["status"], "error");
  ASSERT_EQ(report["diagnostics"].size(), 2U);
  EXPECT_EQ(report["diagnostics"][1]["line"], 3);
  EXPECT_EQ(report["diagnostics"][1]["column"], 12);
}

TEST_F(CliTest, EquationsArePrintedAsTextAndLatex) {
  WriteCircle();
  EXPECT_THAT(Orrery({"equations", "circle.cbd"}).out, HasSubstr("der(b1)"));
  EXPECT_THAT(Orrery({"equations", "circle.cbd", "--latex"}).out,
              HasSubstr("\\begin{align*}"));
}

TEST_F(CliTest, BlocksOfTheLibraryAreShownWithParametersAndEquations) {
  EXPECT_THAT(Orrery({"blocks"}).out,
              HasSubstr("\nModelica.Blocks.Sources  (Modelica)\n"));
  EXPECT_EQ(Orrery({"blocks", "Modelica.Blocks.Math.Gain"}).out,
            "Modelica.Blocks.Math.Gain  (Modelica)\n"
            "  y = k*u\n"
            "  in C++: blocks::math::Gain of orrery/sdk/blocks/math.h\n"
            "parameters\n"
            "  k [1]  to be given, e.g. 1  Factor\n"
            "inputs\n"
            "  u    Input\n"
            "outputs\n"
            "  y    Output\n"
            "equations\n"
            "  y = k * u\n");
  EXPECT_THAT(Orrery({"blocks", "Gain"}).out,
              AllOf(HasSubstr("Gain  (C++)"),
                    HasSubstr("Modelica.Blocks.Math.Gain  (Modelica)")));
}

TEST_F(CliTest, BlocksAreListedAndShown) {
  EXPECT_THAT(Orrery({"blocks"}).out, HasSubstr("Integrator"));
  EXPECT_EQ(Orrery({"blocks", "W"}).out,
            "W  (netlist)\n"
            "  Weighted sum of one to three blocks\n"
            "  W, number, P1, e1[, P2, e2[, P3, e3]]\n"
            "  b = P1*e1 + P2*e2 + P3*e3\n");
  const Outcome outcome = Orrery({"blocks", "Gian"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot show block 'Gian': there is none; did you mean "
            "'Gain'?\n");
  EXPECT_EQ(Orrery({"blocks", "frob"}).err,
            "orrery: cannot show block 'frob': there is none; 'orrery blocks' "
            "lists all\n");
}

// Steady states and linear systems --------------------------------------------

}  // namespace
}  // namespace orrery::cli
